"""Whose entries are blanked by lot is drawn once: kept in the owner's file, and used again for the same data."""

import csv
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

import giveaway as ga

ROWS = [("a", "flu")] * 7 + [("a", "gout")] * 6 + [("a", "none")] * 6
ATTACKER = ga.KnowsAttributes(columns=["job"])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("job", "ill"), *ROWS])
    return path


def protected(data: Path, key: Path | None, limit: str = "1/2") -> ga.Assessment:
    release = ga.Release(ga.read_table(data, sensitive="ill"), secrets=[1])
    return ga.protect(release, ATTACKER, ga.Tolerance(attribute=limit), key=key)


def drawn(data: Path, out: str, key: Path | None) -> list[tuple[int, str]]:
    safer = protected(data, key)
    assert safer.was_drawn
    safer.publish(data.parent / out, key=key)
    return list(safer.withheld.cells)


def test_a_draw_is_used_again_for_the_same_data_and_only_with_the_owners_file(data: Path) -> None:
    key = data.parent / "owner.json"
    first = drawn(data, "first", key)
    assert all(drawn(data, f"again{turn}", key) == first for turn in range(6))
    assert len({tuple(drawn(data, f"anew{turn}", None)) for turn in range(12)}) > 1


def test_a_stricter_limit_is_not_served_by_the_draw_of_a_looser_one(data: Path) -> None:
    key = data.parent / "owner.json"
    first = drawn(data, "first", key)
    stricter = protected(data, key, "1/3")
    assert stricter.safe
    assert len(stricter.withheld.cells) > len(first)


def test_the_command_line_keeps_the_draw_without_being_asked(data: Path, invoke: Invoke) -> None:
    (data.parent / "ask.toml").write_text(
        '[release]\ndata = "people.csv"\nsensitive = "ill"\nsecrets = "secrets.csv"\n'
        '[tolerates]\nattribute = "1/2"\n[[knows]]\nattack = "attributes"\ncolumns = ["job"]\n'
    )
    (data.parent / "secrets.csv").write_text("row,column\n1,ill\n")
    words = ("protect", str(data.parent / "ask.toml"))
    for more in ((), ("--force",)):
        assert invoke(*words, "-o", str(data.parent / "out"), *more).exit_code == 0
    (entry,) = ga.Ledger.read(data.parent / "out.owner.json")
    assert entry.withheld.cells
