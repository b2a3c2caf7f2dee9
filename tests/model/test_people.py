from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.directory import Value

import giveaway as ga
from giveaway.errors import ScenarioError
from giveaway.model.data.people import People


def table(rows: Sequence[tuple[Value, ...]], id: str | None) -> ga.Table:
    names = ("who", "zip", "sex", "note")
    found = [dict(zip(names, row, strict=True)) for row in rows]
    leave_out = () if id else ("who",)
    return ga.Table.from_rows(found, id=id, leave_out=leave_out)


ROWS = [
    ("ann", "1", "f", "x"),
    ("bob", "1", "m", "y"),
    ("ann", "2", "f", "x"),
    ("cid", "1", "m", None),
    ("ann", "1", "f", "z"),
    ("dee", None, "f", "x"),
]


def test_a_table_with_an_id_is_a_directory_of_its_people() -> None:
    people = People.from_table(table(ROWS, "who"), ["zip", "sex"])

    assert len(people) == 4
    assert people.several == 1
    assert people.alone.tolist() == [0, 2, 0, 1]
    assert people.several_entry.tolist() == [0, 2]
    assert people.ids == ("ann", "bob", "ann", "cid", "dee")
    assert people.entries is not None
    assert people.entries.tolist() == [0, 1, 2, 1, 3]
    assert [people.labels["zip"][code] if code >= 0 else None for code in people.columns["zip"]] == [
        "1",
        "1",
        "2",
        None,
    ]


def test_without_an_id_each_row_is_somebody() -> None:
    people = People.from_table(table(ROWS, None), ["zip", "sex"])

    assert len(people) == 6
    assert people.several == 0
    assert people.alone.tolist() == [2, 2, 1, 1]
    assert people.ids == range(1, 7)


def test_a_directory_may_have_no_column_in_use() -> None:
    people = People.from_table(table(ROWS, "who"), [])

    assert len(people) == 4
    assert people.alone.tolist() == [4]
    with pytest.raises(ScenarioError, match="no column"):
        People.from_table(table(ROWS, "who"), ["age"])


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 2), min_size=1, max_size=10), st.data())
def test_a_table_as_a_directory_has_the_people_and_entries_of_its_rows(
    rows: list[tuple[Value, Value]], data: st.DataObject
) -> None:
    ids = [data.draw(st.sampled_from("pqrs")) for _ in rows]
    given_rows = [{"id": who, "one": one, "two": two} for who, (one, two) in zip(ids, rows, strict=True)]
    people = People.from_table(ga.Table.from_rows(given_rows, id="id"), ["one", "two"])

    entries = list(
        zip(*[[(*people.labels[n], None)[c] for c in people.columns[n]] for n in ("one", "two")], strict=True)
    )
    persons: dict[int, set[tuple[Value, ...]]] = {}
    for person, entry in zip(people.several_person.tolist(), people.several_entry.tolist(), strict=True):
        persons.setdefault(person, set()).add(entries[entry])
    single = [{entry} for entry, count in zip(entries, people.alone, strict=True) for _ in range(count)]
    wanted = [{row for other, row in zip(ids, rows, strict=True) if other == who} for who in set(ids)]
    assert len(set(entries)) == len(entries)
    assert sorted(map(sorted_text, [*persons.values(), *single])) == sorted(map(sorted_text, wanted))
    assert people.ids is not None
    assert people.entries is not None
    assert list(zip(people.ids, [entries[e] for e in people.entries], strict=True)) == list(
        dict.fromkeys(zip(ids, rows, strict=True))
    )


def sorted_text(entries: set[tuple[Value, ...]]) -> str:
    return str(sorted(map(str, entries)))
