"""Directories in every form: entries counted, people with several entries counted once."""

import gzip
import json
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized
from tests.sources.forms import delimited

import giveaway as ga
from giveaway.model.data.people import People
from giveaway.sources.side_files import people as module
from giveaway.sources.side_files.people import read_people

NAMES = ("person", "zip", "sex")
Rows = list[tuple[str, str, str]]
Entry = tuple[str | None, ...]

rows_of_people = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["07", "12", ""]), st.sampled_from(["f", "m", "?"])),
    min_size=1,
    max_size=9,
)


def entry(people: People, place: int) -> Entry:
    return tuple(
        None if codes[place] < 0 else str(people.labels[name][codes[place]])
        for name, codes in people.columns.items()
    )


def held(people: People) -> tuple[dict[Entry, int], list[list[Entry]]]:
    """Return how many people have only each entry, and the entries of each of the others."""
    places = range(len(people.alone))
    assert len({entry(people, place) for place in places}) == len(people.alone)
    of: dict[int, list[Entry]] = defaultdict(list)
    for person, place in zip(people.several_person.tolist(), people.several_entry.tolist(), strict=True):
        of[person].append(entry(people, place))
    assert sorted(of) == list(range(people.several))
    assert people.several_person.tolist() == sorted(people.several_person.tolist())
    alone = {entry(people, place): int(people.alone[place]) for place in places if people.alone[place]}
    return alone, sorted((sorted(found, key=str) for found in of.values()), key=str)


def expected(rows: Rows, *, by_id: bool) -> tuple[dict[Entry, int], list[list[Entry]]]:
    """Count the obvious way."""
    of: dict[Any, set[Entry]] = defaultdict(set)
    for place, (person, *cells) in enumerate(rows):
        of[person if by_id else place].add(tuple(None if cell in ("", "?") else cell for cell in cells))
    alone: dict[Entry, int] = defaultdict(int)
    for found in of.values():
        if len(found) == 1:
            alone[next(iter(found))] += 1
    several = sorted((sorted(found, key=str) for found in of.values() if len(found) > 1), key=str)
    return dict(alone), several


def forms(folder: Path, rows: Rows) -> dict[str, Any]:
    records = [dict(zip(NAMES, row, strict=True)) for row in rows]
    text = delimited([NAMES, *rows])
    (folder / "a.csv").write_text(text)
    (folder / "a.tsv").write_text(text.replace(",", "\t"))
    (folder / "a.csv.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    pl.DataFrame(records).write_parquet(folder / "a.parquet")
    return {
        **{name: folder / name for name in ("a.csv", "a.tsv", "a.csv.gz", "a.jsonl", "a.parquet")},
        "pandas": pd.DataFrame(records),
        "polars": pl.DataFrame(records),
        "arrow": pa.Table.from_pylist(records),
    }


@sized(4)
@given(rows=rows_of_people, by_id=st.booleans())
def test_every_form_counts_the_same_people(rows: Rows, by_id: bool) -> None:
    with TemporaryDirectory() as name:
        for form, given_form in forms(Path(name), rows).items():
            people = read_people(
                given_form, id="person" if by_id else None, columns=["zip", "sex"], missing=["", "?"]
            )
            assert held(people) == expected(rows, by_id=by_id), form
            if not by_id:
                assert people.ids is None, form
                continue
            assert people.ids is not None, form
            assert people.entries is not None, form
            lines = zip(people.ids, (entry(people, int(place)) for place in people.entries), strict=True)
            wanted = [(who, *(None if cell in ("", "?") else cell for cell in cells)) for who, *cells in rows]
            assert [(who, *found) for who, found in lines] == list(dict.fromkeys(wanted)), form


def test_a_table_is_a_directory_with_its_own_identifier() -> None:
    rows = [{"p": 1, "zip": "07"}, {"p": 1, "zip": "08"}, {"p": 2, "zip": "07"}]
    table = ga.Table.from_rows(rows, id="p")

    people = read_people(table)

    assert (len(people), people.several, people.name) == (2, 1, "the directory")
    assert held(people) == ({("07",): 1}, [[("07",), ("08",)]])
    assert held(read_people(table, id="p")) == held(people)
    with pytest.raises(ga.ScenarioError, match='no column "q"'):
        read_people(table, id="q")


def test_who_the_people_are_is_forgotten_in_large_directories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.csv").write_text("person,zip\na,1\nb,1\na,2\n")
    monkeypatch.setattr(module, "NAMED", 2)

    people = read_people(tmp_path / "r.csv", id="person")

    assert (people.ids, people.entries, len(people), people.name) == (None, None, 2, "r.csv")


def test_an_attacker_names_a_directory_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("person;zip\na;1\nb;1\n")

    attacker = ga.KnowsDirectory(people=[tmp_path / "r.csv"], id="person", on=["zip"])

    assert [len(people) for people in attacker.directories] == [2]
    assert attacker.knows() == "the zip of everybody in r.csv"


def test_columns_without_names_are_numbered(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("a,1\nb,2\n")

    assert list(read_people(tmp_path / "r.csv", id="c1", header=False).columns) == ["c2"]


WRONG = {
    "identifier missing": ("name,zip\na,1\n", {"id": "person"}, 'no column "person", which id names'),
    "nearly": ("persn,zip\na,1\n", {"id": "person"}, 'did you mean "persn"?'),
    "identifier named twice": ("person,person\na,1\n", {"id": "person"}, 'name "person" appears twice'),
    "somebody without id": ("person,zip\na,1\n,2\n", {"id": "person"}, "Row 2"),
    "no rows": ("person,zip\n", {"id": "person"}, "columns but no rows"),
    "empty": ("", {"id": "person"}, "is empty"),
    "nothing to compare": ("person\na\n", {"id": "person"}, "no column besides the identifier"),
    "identifier compared": ("person,zip\na,1\n", {"id": "person", "columns": ["person"]}, "none of the columns compared"),
    "unknown column": ("person,zip\na,1\n", {"columns": ["zap"]}, "none of the columns compared"),
    "one text": ("person,zip\na,1\n", {"columns": "zip"}, "not one text"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_directory_is_refused_with_one_error(tmp_path: Path, wrong: str) -> None:
    text, how, said = WRONG[wrong]
    (tmp_path / "register.csv").write_text(text)

    with pytest.raises(ga.WrongQuestion) as caught:
        read_people(tmp_path / "register.csv", **how)  # type: ignore[arg-type] # given by name

    assert len(caught.value.mistakes) == 1
    assert said in str(caught.value)


def test_what_is_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ga.DataError, match="There is no file"):
        read_people(tmp_path / "nowhere.csv")
    with pytest.raises(ga.ScenarioError, match=r"postgres://me:\*\*\*@host/db holds a password"):
        read_people("postgres://me:pw@host/db")
    with pytest.raises(ga.ScenarioError, match="not a frame"):
        read_people([1, 2])
    with pytest.raises(ga.ScenarioError, match='no column "q", which id names'):
        read_people(pd.DataFrame({"zip": ["1"]}), id="q")
