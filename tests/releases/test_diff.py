"""Two releases compared: worked by hand, and against going through all rows."""

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.releases import writing
from tests.sizes import sized

import giveaway as ga

PEOPLE = [
    {"age": "30", "job": "cook", "pay": "10"},
    {"age": "30", "job": "cook", "pay": "20"},
    {"age": "40", "job": "smith", "pay": "10"},
]


def blanked(rows: list[dict[str, str]], *cells: tuple[int, str]) -> list[dict[str, str]]:
    return [
        {name: "" if (at, name) in cells else value for name, value in row.items()}
        for at, row in enumerate(rows)
    ]


def ordered(rows: list[Any], numbers: list[int]) -> list[Any]:
    """Put rows into an order given as the owner's file gives it."""
    return [rows[number - 1] for number in numbers]


def test_blanks_of_either_that_the_other_shows_are_counted_with_the_owners_file(tmp_path: Path) -> None:
    old = writing.table(tmp_path / "old", ordered(blanked(PEOPLE, (0, "job"), (1, "job")), [3, 1, 2]))
    new = writing.table(tmp_path / "new", ordered(blanked(PEOPLE, (1, "job"), (2, "age")), [2, 3, 1]))
    ledger = writing.owners_file(
        tmp_path / "key.json",
        {"manifest": old, "rows": [3, 1, 2], "data": "same"},
        {"manifest": new, "rows": [2, 3, 1], "data": "same"},
    )

    found = ga.diff(tmp_path / "old", tmp_path / "new", ledger=ledger)

    assert (found.filled_in, found.hides_nothing, found.changed) == (1, 1, 0)
    assert (found.finer, found.coarser, found.shows_more) == (0, 0, True)
    assert (found.rows.both, found.rows.joined, found.rows.left, found.rows.paired_by) == (3, 0, 0, "ledger")
    assert found.by_column["job"]["filled_in"] == found.by_column["age"]["hides_nothing"] == 1
    shown, hidden = found.entries[1], found.entries[0]
    assert (shown.column, shown.old_row, shown.new_row, shown.old, shown.new) == ("job", 2, 3, None, "cook")
    assert (hidden.change, hidden.old, hidden.new) == ("hides_nothing", "40", None)
    assert found.taken == found.unknown == ()


def test_without_anything_that_pairs_rows_what_needs_pairs_is_not_known(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", blanked(PEOPLE, (0, "job")))
    writing.table(tmp_path / "new", PEOPLE)

    found = ga.diff(tmp_path / "old", tmp_path / "new")

    assert (found.filled_in, found.hides_nothing, found.changed, found.shows_more) == (None, None, None, None)
    assert found.rows == type(found.rows)(old=3, new=3, only_old=1, only_new=1)
    assert found.joinable_rows == 3
    (unknown,) = found.unknown
    assert "filled_in" in unknown.what
    assert "--ledger" in str(unknown.hint)


def test_rows_are_paired_by_number_where_both_kept_their_order(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", blanked(PEOPLE, (0, "job")), order="kept")
    writing.table(tmp_path / "new", PEOPLE, order="kept")
    writing.table(tmp_path / "more", [*PEOPLE, PEOPLE[0]], order="kept")

    found = ga.diff(tmp_path / "old", tmp_path / "new")
    assert (found.filled_in, found.rows.paired_by) == (1, "row number")
    assert "taken to be the same person's" in found.taken[0]

    assert ga.diff(tmp_path / "old", tmp_path / "more").filled_in is None


def test_rows_are_paired_by_a_column(tmp_path: Path) -> None:
    named = [{"pid": str(at), **row} for at, row in enumerate(PEOPLE)]
    writing.table(tmp_path / "old", blanked(named[:2], (0, "job")))
    writing.table(tmp_path / "new", [named[2], {**named[0], "age": "31"}])

    found = ga.diff(tmp_path / "old", tmp_path / "new", id="pid")

    assert (found.rows.both, found.rows.joined, found.rows.left) == (1, 1, 1)
    assert (found.filled_in, found.changed) == (1, 1)
    assert (found.finer, found.unknown[0].what) == (None, ("finer", "coarser"))
    with pytest.raises(ga.ScenarioError, match="not a column of both"):
        ga.diff(tmp_path / "old", tmp_path / "new", id="name")
    with pytest.raises(ga.DataError, match="nothing in the column"):
        ga.diff(tmp_path / "old", tmp_path / "new", id="job")


def test_an_id_names_one_row(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", PEOPLE)

    with pytest.raises(ga.DataError, match="several rows the same id"):
        ga.diff(tmp_path / "old", tmp_path / "old", id="age")


def test_coarser_labels_are_told_from_other_values_with_the_owners_file(tmp_path: Path) -> None:
    old = writing.table(tmp_path / "old", [{"age": "30-39"}, {"age": "40"}, {"age": "50"}])
    new = writing.table(tmp_path / "new", [{"age": "30"}, {"age": "40-49"}, {"age": "51"}])
    ledger = writing.owners_file(
        tmp_path / "key.json",
        {"manifest": old, "rows": [1, 2, 3], "coarser": {"age": [[1], [1]]}},
        {"manifest": new, "rows": [1, 2, 3], "coarser": {"age": [[2], [1]]}},
    )

    found = ga.diff(tmp_path / "old", tmp_path / "new", ledger=ledger)

    assert (found.finer, found.coarser, found.changed, found.shows_more) == (1, 1, 1, True)


def test_columns_that_come_and_go_are_named(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", [{"age": "30", "job": "cook"}])
    writing.table(tmp_path / "new", [{"age": "30", "pay": "10", "zip": "1"}])

    found = ga.diff(tmp_path / "old", tmp_path / "new")

    assert found.columns is not None
    assert (found.columns.both, found.columns.gone_listed, found.columns.new_listed) == (
        1,
        ("job",),
        ("pay", "zip"),
    )


def test_attackers_and_limits_are_compared(tmp_path: Path) -> None:
    same, other = writing.attacker(), writing.attacker(limit="1/5")
    more = writing.attacker("attributes", "the job of everybody")
    writing.table(tmp_path / "old", PEOPLE, attackers=[same])
    writing.table(tmp_path / "new", PEOPLE, attackers=[other, more])

    found = ga.diff(tmp_path / "old", tmp_path / "new")

    assert (found.attackers.both, found.attackers.gone, found.attackers.new) == (1, 0, 1)
    assert found.other_tolerance[0]["old"] == {"identity": "1/2"}
    assert found.other_tolerance[0]["new"] == {"identity": "1/5"}
    assert "1 in 5" in found.to_text()


def test_transactions_of_the_same_data_show_withheld_items_again(tmp_path: Path) -> None:
    old = writing.baskets(tmp_path / "old", [["a"], ["a", "b"], []])
    new = writing.baskets(tmp_path / "new", [["c"], ["a", "c"], ["a"]])
    ledger = writing.owners_file(
        tmp_path / "key.json",
        *({"manifest": one, "rows": [1, 2, 3], "data": "same"} for one in (old, new)),
    )

    found = ga.diff(tmp_path / "old", tmp_path / "new", ledger=ledger)
    assert found.items is not None
    assert (found.items.gone_listed, found.items.new_listed) == (("b",), ("c",))
    assert (found.filled_in, found.hides_nothing, found.shows_more) == (2, 1, True)
    assert (found.rows.only_old, found.rows.only_new, found.joinable_rows) == (0, 0, 1)

    alone = ga.diff(tmp_path / "old", tmp_path / "new")
    assert (alone.filled_in, alone.rows.both, alone.rows.only_old) == (None, None, 0)


def test_codes_are_undone_by_the_owners_file_and_never_compared_as_names(tmp_path: Path) -> None:
    old = writing.baskets(tmp_path / "old", [["1"], ["1", "2"]], renamed=True)
    new = writing.baskets(tmp_path / "new", [["2"], ["1", "2"]], renamed=True)
    ledger = writing.owners_file(
        tmp_path / "key.json",
        {"manifest": old, "rows": [1, 2], "data": "x", "codes": {"1": "milk", "2": "bread"}},
        {"manifest": new, "rows": [1, 2], "data": "x", "codes": {"2": "milk", "1": "jam"}},
    )

    assert ga.diff(tmp_path / "old", tmp_path / "new").items is None
    found = ga.diff(tmp_path / "old", tmp_path / "new", ledger=ledger)
    assert found.items is not None
    assert (found.items.gone_listed, found.items.new_listed) == (("bread",), ("jam",))


def test_rules_are_compared_by_what_they_say(tmp_path: Path) -> None:
    head = "antecedents,consequents,support,confidence\n"
    old = f"{head}age=30,salary=low,,\nage=40,salary=low,0.1,0.9\n"
    new = f"{head}age=30,salary=low,0.2,0.8\nage=50,salary=low,0.1,0.9\n"
    for name, text in (("old", old), ("new", new)):
        writing.write(tmp_path / name, "rules.csv", text, {"rules": 2})

    found = ga.diff(tmp_path / "old", tmp_path / "new")

    assert found.lines is not None
    assert (found.lines.both, found.lines.gone, found.lines.new) == (1, 1, 1)
    assert (found.filled_in, found.hides_nothing, found.changed, found.shows_more) == (2, 0, 0, True)
    assert found.lines.new_listed == ("age=50 => salary=low",)


def test_a_manifest_alone_tells_what_it_counts(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", PEOPLE)
    writing.table(tmp_path / "new", PEOPLE)
    alone = tmp_path / "alone.json"
    alone.write_bytes((tmp_path / "old" / "manifest.json").read_bytes())

    found = ga.diff(alone, tmp_path / "new")
    assert (found.rows.old, found.rows.new, found.rows.only_new, found.filled_in) == (3, 3, None, None)
    assert ga.diff(tmp_path / "old" / "manifest.json", tmp_path / "new").rows.only_new == 0


@pytest.mark.parametrize("change", ["text", "missing"])
def test_files_that_are_not_those_of_the_manifest_are_refused(tmp_path: Path, change: str) -> None:
    writing.table(tmp_path / "new", PEOPLE)
    writing.table(tmp_path / "old", PEOPLE)
    file, manifest = tmp_path / "old" / "release.csv", tmp_path / "old" / "manifest.json"
    if change == "text":
        file.write_text(file.read_text().replace("smith", "baker"))
    else:
        told = json.loads(manifest.read_text())
        told["files"].append({"file": "more.csv", "sha256": "0" * 64, "rows": 1})
        manifest.write_text(json.dumps(told))

    with pytest.raises(ga.DataError, match=r"sha256|without its more"):
        ga.diff(tmp_path / "old", tmp_path / "new")


def test_a_manifest_that_names_files_elsewhere_is_not_one(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", PEOPLE)
    manifest = tmp_path / "old" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("release.csv", "../../secret.csv"))

    with pytest.raises(ga.DataError, match="no manifest"):
        ga.diff(tmp_path / "old", tmp_path / "old")


def test_a_file_without_names_of_columns_is_compared_by_place(tmp_path: Path) -> None:
    three = {"rows": 2, "columns": 3, "empty": {"c3": 1}}
    writing.write(tmp_path / "old", "release.csv", "30,cook,\n40,smith,5\n", three, order="kept")
    writing.write(
        tmp_path / "new", "release.csv", "30,cook,4\n40,smith,5\n", {**three, "empty": {}}, order="kept"
    )
    writing.write(tmp_path / "two", "release.csv", "30,4\n40,5\n", {"rows": 2, "columns": 2}, order="kept")

    assert ga.diff(tmp_path / "old", tmp_path / "new").filled_in == 1
    found = ga.diff(tmp_path / "old", tmp_path / "two")
    assert (found.filled_in, found.columns) == (None, None)


def test_an_owners_file_must_know_both_releases(tmp_path: Path) -> None:
    old = writing.table(tmp_path / "old", PEOPLE)
    writing.table(tmp_path / "new", PEOPLE[:2])
    ledger = writing.owners_file(tmp_path / "key.json", {"manifest": old, "rows": [1, 2, 3]})

    with pytest.raises(ga.DataError, match=r"no entry for .*new"):
        ga.diff(tmp_path / "old", tmp_path / "new", ledger=ledger)
    with pytest.raises(ga.DataError, match="not a ledger"):
        ga.diff(tmp_path / "old", tmp_path / "new", ledger=tmp_path / "old" / "manifest.json")
    wrong = writing.owners_file(tmp_path / "wrong.json", {"manifest": old, "rows": [1, 1, 3]})
    with pytest.raises(ga.DataError, match="does not write"):
        ga.diff(tmp_path / "old", tmp_path / "old", ledger=wrong)


# All rows --------------------------------------------------------------------------------------------------------

COLUMNS = ("age", "sex", "job")
person = st.fixed_dictionaries(dict.fromkeys(COLUMNS, st.sampled_from(["1", "2", "3"])))
shown = st.sets(st.tuples(st.integers(0, 7), st.sampled_from(COLUMNS)))


@sized(12)
@given(
    st.lists(person, min_size=1, max_size=8),
    shown,
    shown,
    st.sets(st.sampled_from(COLUMNS), min_size=1),
    st.sets(st.sampled_from(COLUMNS), min_size=1),
    st.randoms(use_true_random=False),
)
def test_all_counts_are_those_of_going_through_the_rows(
    people: list[dict[str, str]],
    old_blanks: set[tuple[int, str]],
    new_blanks: set[tuple[int, str]],
    old_columns: set[str],
    new_columns: set[str],
    random: Any,
) -> None:
    releases: list[list[dict[str, str]]] = []
    for blanks, columns in ((old_blanks, old_columns), (new_blanks, new_columns)):
        names = sorted(columns, key=COLUMNS.index)
        releases.append([{name: row[name] for name in names} for row in blanked(people, *blanks)])
    both = [name for name in COLUMNS if name in old_columns & new_columns]
    pairs = [(old[name], new[name]) for old, new in zip(*releases, strict=True) for name in both]
    projected = [Counter(tuple(row[name] for name in both) for row in rows) for rows in releases]
    with TemporaryDirectory() as place:
        entries = []
        for name, rows in zip(("old", "new"), releases, strict=True):
            numbers = random.sample(range(1, len(people) + 1), len(people))
            manifest = writing.table(Path(place) / name, ordered(rows, numbers))
            entries.append({"manifest": manifest, "rows": numbers})
        ledger = writing.owners_file(Path(place) / "key.json", *entries)
        found = ga.diff(Path(place) / "old", Path(place) / "new", ledger=ledger)

    assert found.filled_in == sum(not old and bool(new) for old, new in pairs)
    assert found.hides_nothing == sum(bool(old) and not new for old, new in pairs)
    assert found.changed == found.finer == found.coarser == 0
    assert found.shows_more == bool(found.filled_in)
    assert found.columns is not None
    assert (found.columns.both, found.columns.gone, found.columns.new) == (
        len(both),
        len(old_columns - new_columns),
        len(new_columns - old_columns),
    )
    assert found.rows.both == len(people)
    if both:
        assert found.rows.only_old == (projected[0] - projected[1]).total()
        assert found.rows.only_new == (projected[1] - projected[0]).total()
    assert len(found.entries) == found.filled_in + found.hides_nothing
    for entry in found.entries:
        at = [
            of["rows"][row - 1] - 1 for of, row in zip(entries, (entry.old_row, entry.new_row), strict=True)
        ]
        assert at[0] == at[1]
        assert (entry.old or "", entry.new or "") == (
            releases[0][at[0]][entry.column],
            releases[1][at[0]][entry.column],
        )


pid = st.sampled_from("abcdef")
numbered = st.dictionaries(
    pid, st.fixed_dictionaries(dict.fromkeys(COLUMNS, st.sampled_from(["", "1", "2"]))), min_size=1
)


@sized(12)
@given(numbered, numbered)
def test_people_who_joined_left_or_changed_are_counted_by_id(
    old: dict[str, dict[str, str]], new: dict[str, dict[str, str]]
) -> None:
    both = old.keys() & new.keys()
    pairs = [(old[one][name], new[one][name]) for one in both for name in COLUMNS]
    with TemporaryDirectory() as place:
        for name, rows in (("old", old), ("new", new)):
            writing.table(
                Path(place) / name,
                [{"pid": one, **{c: row[c] for c in COLUMNS}} for one, row in rows.items()],
            )
        found = ga.diff(Path(place) / "old", Path(place) / "new", id="pid")

    assert (found.rows.both, found.rows.joined, found.rows.left) == (
        len(both),
        len(new.keys() - both),
        len(old.keys() - both),
    )
    assert found.joinable_rows == sum(_fits(old[one], new[one]) for one in both)
    assert found.filled_in == sum(not one and bool(other) for one, other in pairs)
    assert found.hides_nothing == sum(bool(one) and not other for one, other in pairs)
    assert found.changed == sum(bool(one and other) and one != other for one, other in pairs)


def _fits(old: dict[str, str], new: dict[str, str]) -> bool:
    return all(not old[name] or not new[name] or old[name] == new[name] for name in COLUMNS)


rows_of_items = st.lists(st.sets(st.sampled_from("abcd")), min_size=1, max_size=6)


@settings(max_examples=12)
@given(rows_of_items, st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd")))
def test_items_of_the_same_transactions_are_counted_where_they_occur(
    rows: list[set[str]], old_withheld: set[str], new_withheld: set[str]
) -> None:
    releases = [[sorted(row - gone) for row in rows] for gone in (old_withheld, new_withheld)]
    items = [{item for row in release for item in row} for release in releases]
    with TemporaryDirectory() as place:
        entries = [
            {"manifest": writing.baskets(Path(place) / name, release), "rows": None, "data": "same"}
            for name, release in zip(("old", "new"), releases, strict=True)
        ]
        ledger = writing.owners_file(Path(place) / "key.json", *entries)
        found = ga.diff(Path(place) / "old", Path(place) / "new", ledger=ledger)

    assert found.items is not None
    assert found.items.both == len(items[0] & items[1])
    assert found.filled_in == sum(item not in items[0] for row in releases[1] for item in row)
    assert found.hides_nothing == sum(item not in items[1] for row in releases[0] for item in row)
    assert (found.rows.both, found.rows.only_old, found.rows.only_new) == (len(rows), 0, 0)


def test_releases_without_a_common_column_fill_in_nothing(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", [{"age": "30"}, {"age": ""}])
    writing.table(tmp_path / "new", [{"pay": "10"}, {"pay": "20"}])

    found = ga.diff(tmp_path / "old", tmp_path / "new")

    assert (found.filled_in, found.joinable_rows, found.rows.only_old, found.shows_more) == (
        0,
        0,
        None,
        False,
    )


def test_a_release_next_to_itself_is_drawn_in_two_columns(tmp_path: Path) -> None:
    writing.table(tmp_path / "old", PEOPLE, order="kept")

    found = ga.diff(tmp_path / "old", tmp_path / "old")

    assert (found.filled_in, found.rows.only_old, found.joinable_rows) == (0, 0, 3)
    assert found.to_text().count("SAFE") == 4
