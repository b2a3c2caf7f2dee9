"""A format of files, registered from here, goes all the way of the others without a change in `src`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.architecture.toy_format import CARDS
from tests.architecture.toy_format.registered import registered
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.checker import READERS
from giveaway.cli.main import app
from giveaway.sources import counted_table, look
from giveaway.sources.files.first_look import guess_kind
from giveaway.sources.formats import FORMATS

ROWS = [("20", "f", "flu"), ("20", "f", "cold"), ("30", "m", "flu"), ("30", "m", ""), ("40", "f", "cold")]
NAMES = ("age", "sex", "sickness")
CARDS_TEXT = "".join(
    "".join(f"{name}: {cell}\n" for name, cell in zip(NAMES, row, strict=True)) + "\n" for row in ROWS
)
SCENARIO = """\
[release]
data = "people.cards"
sensitive = ["sickness"]

[tolerates]
identity = "1/2"

[[knows]]
attack = "directory"
columns = ["age", "sex"]
"""
ASKED = ga.KnowsDirectory(columns=["age", "sex"]), ga.Tolerance(identity="1/2")


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.cards").write_text(CARDS_TEXT)
    (tmp_path / "people.csv").write_text("\n".join(",".join(row) for row in (NAMES, *ROWS)) + "\n")
    (tmp_path / "people.toml").write_text(SCENARIO)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def text_of(done: Result) -> str:
    return " ".join(done.output.split())


def cards_in(file: Path) -> list[dict[str, str]]:
    cards = file.read_text().split("\n\n")[:-1]
    return [dict(line.split(": ", 1) for line in card.split("\n")) for card in cards]


def test_it_is_named_among_the_formats_that_are_read_and_written(place: Path) -> None:
    (place / "people.xlsx").write_bytes(b"PK")

    with pytest.raises(ga.DataError, match=r"\.parquet, \.jsonl and \.cards, and \.gz of all but Parquet"):
        ga.read_transactions(place / "people.xlsx")
    with pytest.raises(ga.ScenarioError, match="tsv, parquet, jsonl, cards, dat"):
        ga.protect(ga.Release(ga.read_table(place / "people.csv", sensitive="sickness")), *ASKED).publish(
            place / "out", format="xlsx"
        )


def test_it_is_looked_at_and_a_scenario_is_proposed(place: Path) -> None:
    seen = look(place / "people.cards")

    assert seen.says == "people.cards looks like a table of 5 records with 3 columns."
    assert guess_kind(place / "people.cards") == "table"
    assert run("init", "people.cards", "-o", "new.toml").exit_code == 0
    assert 'data = "people.cards"' in (place / "new.toml").read_text()


def test_it_is_read_as_a_table_like_any_other(place: Path) -> None:
    table = ga.read_table(place / "people.cards", sensitive="sickness")
    other = ga.read_table(place / "people.csv", sensitive="sickness")

    assert table.labels == other.labels
    assert [table.columns[name].tolist() for name in NAMES] == [
        other.columns[name].tolist() for name in NAMES
    ]
    assert ga.assess(ga.Release(table), *ASKED).verdict == ga.assess(ga.Release(other), *ASKED).verdict
    assert len(counted_table.counted_table(place / "people.cards", ["age", "sex"])) == len(ROWS)


def test_a_mistake_in_it_is_told_with_its_line(place: Path) -> None:
    (place / "people.cards").write_text(CARDS_TEXT + "no colon here\n")

    with pytest.raises(ga.DataError, match=r'Line 21 of "people.cards" has no colon'):
        ga.read_table(place / "people.cards")


def test_its_release_is_written_in_it_and_read_back(place: Path) -> None:
    done = run("protect", "people.toml", "-o", "out")

    assert done.exit_code == 0, text_of(done)
    released = cards_in(place / "out" / "release.cards")
    assert len(released) == len(ROWS)
    assert {tuple(card) for card in released} == {NAMES}
    manifest = json.loads((place / "out" / "manifest.json").read_text())
    assert [file["file"] for file in manifest["files"]] == ["release.cards"]
    again = ga.read_table(place / "out" / "release.cards", sensitive="sickness")
    assert ga.assess(ga.Release(again), *ASKED).safe


def test_columns_without_a_role_are_left_out_once_the_attackers_are_known(place: Path) -> None:
    (place / "people.toml").write_text(
        SCENARIO.replace('columns = ["age", "sex"]', 'columns = ["age"]').replace(
            'sensitive = ["sickness"]', 'sensitive = ["sickness"]\nrest = "leave_out"'
        )
    )

    assert run("protect", "people.toml", "-o", "out").exit_code == 0
    assert {tuple(card) for card in cards_in(place / "out" / "release.cards")} == {("age", "sickness")}


@pytest.mark.parametrize(
    ("data", "format"),
    [
        ("people.csv", "cards"),
        ("people.cards", "csv"),
        ("people.cards", "parquet"),
        ("people.cards", "jsonl"),
    ],
)
def test_other_data_are_released_in_it_and_it_in_other_formats(place: Path, data: str, format: str) -> None:
    (place / "people.toml").write_text(SCENARIO.replace("people.cards", data))
    done = run("protect", "people.toml", "-o", "out", "--format", format)

    assert done.exit_code == 0, text_of(done)
    assert (place / "out" / f"release.{format}").is_file()
    again = ga.read_table(place / "out" / f"release.{format}", sensitive="sickness")
    assert ga.assess(ga.Release(again), *ASKED).safe


@pytest.mark.parametrize("format", ["cards", "dat", "jsonl"])
def test_transactions_stand_in_it_with_a_card_for_each_item(place: Path, format: str) -> None:
    (place / "shop.dat").write_text("bread milk\nbread milk\n\nbread\nbread\n")
    (place / "long.cards").write_text(
        "".join(
            f"transaction: {t}\nitem: {i}\n\n" for t, row in enumerate(("ab", "ab", "a", "a")) for i in row
        )
    )
    known, limit = ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")
    columns = {"id": "transaction", "item": "item"}

    ga.protect(ga.Release(ga.read_transactions(place / "shop.dat")), known, limit).publish(
        place / "one", format="cards"
    )
    long = ga.read_transactions(place / "long.cards", **columns)
    other = ga.protect(ga.Release(long), known, limit).publish(
        place / "two", format=None if format == "cards" else "jsonl"
    )

    again = ga.read_transactions(place / "one" / "release.cards", **columns)
    assert (len(again), sorted(again.supports.tolist())) == (5, [2, 4])
    assert [file.file for file in other.written] == [
        "release.cards" if format == "cards" else "release.jsonl"
    ]


def test_a_file_that_was_tampered_with_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = CARDS.work()
    assert work.write is not None
    honest = work.write
    another = replace(
        work,
        write=lambda target, names, rows, layout: honest(
            target, names, [("30", "f", "flu"), *[*rows][1:]], layout
        ),
    )
    monkeypatch.setitem(FORMATS, "cards", replace(CARDS, work=lambda: another))
    safer = ga.protect(ga.Release(ga.read_table(place / "people.csv", sensitive="sickness")), *ASKED)

    with pytest.raises(ga.CheckFailed, match="is not the original minus what is withheld"):
        safer.publish(place / "out", format="cards")
    assert not (place / "out").exists()


def test_a_format_that_the_checker_cannot_read_back_is_not_published(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(READERS, "cards")
    safer = ga.protect(ga.Release(ga.read_table(place / "people.cards", sensitive="sickness")), *ASKED)

    with pytest.raises(ga.NotConfirmed, match="Nothing reads a cards file back"):
        safer.publish(place / "out")
    assert not (place / "out").exists()


def test_two_releases_in_it_are_compared_and_an_earlier_one_is_joined(place: Path) -> None:
    assert run("protect", "people.toml", "-o", "2025").exit_code == 0
    assert run("protect", "people.toml", "-o", "2026", "--key", "other.json").exit_code == 0

    assert run("diff", "2025", "2026").exit_code == 0, text_of(run("diff", "2025", "2026"))
    done = run("assess", "people.toml", "--earlier", "2025:unknown")
    assert done.exit_code in (0, 1, 3), text_of(done)


def test_the_page_lists_its_files_and_offers_to_write_it(place: Path) -> None:
    pytest.importorskip("starlette", reason="the extra page is not installed")
    from giveaway.page.session import Session
    from giveaway.page.steps import publish, start

    session = Session(roots=(place,), uploads=place / "uploads")

    assert "people.cards" in [file["name"] for file in start.laid_out(session)["files"]]
    assert publish._formats(session)["cards"] == "Cards"


def test_an_ending_that_nobody_knows_is_known_by_what_the_file_begins_with(place: Path) -> None:
    (place / "people.box").write_text(CARDS_TEXT)
    (place / "broken.cards").write_text("<xml>")

    assert len(ga.read_table(place / "people.box", sensitive="sickness")) == len(ROWS)
    assert look(place / "people.box").rows == len(ROWS)
    with pytest.raises(ga.DataError, match="tells no format"):
        look(place / "broken.cards")
