"""Whose entries are withheld is drawn once: kept in the owner's file, and used again for the same data."""

import csv
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

import giveaway as ga

ROWS = [("a", "x")] * 7 + [("a", "y"), ("b", "x")] + [("b", "y")] * 6
LIMIT = ga.Tolerance(identity="1/3")
ATTACKER = ga.KnowsDirectory(columns=["p", "q"])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("p", "q"), *ROWS])
    return path


def drawn(data: Path, out: str, key: Path | None) -> list[tuple[int, str]]:
    safer = ga.protect(ga.Release(ga.read_table(data)), ATTACKER, LIMIT, key=key)
    assert safer.was_drawn
    safer.publish(data.parent / out, key=key)
    return list(safer.withheld.cells)


def test_a_draw_is_used_again_for_the_same_data_and_only_with_the_owners_file(data: Path) -> None:
    key = data.parent / "owner.json"
    first = drawn(data, "first", key)
    assert all(drawn(data, f"again{turn}", key) == first for turn in range(6))
    assert len({tuple(drawn(data, f"anew{turn}", None)) for turn in range(12)}) > 1


def test_data_that_grew_are_refused_with_the_owners_file_and_drawn_for_anew_without(data: Path) -> None:
    key = data.parent / "owner.json"
    drawn(data, "first", key)
    with data.open("a") as file:
        file.write("b,y\n")
    with pytest.raises(ga.NotWritten, match="data with 15 of 15 rows the same"):
        drawn(data, "other", key)
    found = [drawn(data, f"other{turn}", None) for turn in range(8)]
    assert len({*map(len, found)}) == 1 < len({*map(tuple, found)})


def test_another_limit_is_another_plan(data: Path) -> None:
    key = data.parent / "owner.json"
    drawn(data, "first", key)
    release = ga.Release(ga.read_table(data))
    stricter = ga.protect(release, ATTACKER, ga.Tolerance(identity="1/5"), key=key)
    assert min(stricter.findings[0].risk.figures[name] for name in ("smallest_crowd",)) >= 5


def test_the_command_line_keeps_the_draw_without_being_asked(data: Path, invoke: Invoke) -> None:
    words = ("protect", str(data), "--knows", "directory:columns=p,q", "--tolerates", "identity=1/3")
    for more in ((), ("--force",)):
        assert invoke(*words, "-o", str(data.parent / "out"), *more).exit_code == 0
    (entry,) = ga.Ledger.read(data.parent / "out.owner.json")
    assert entry.withheld.cells
