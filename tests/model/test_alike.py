"""Rows alike in what both show, against going through all pairs of rows."""

import csv
import gzip
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.shared import SHARED

import giveaway as ga
from giveaway.model.data.alike import joinable_rows, multiset_difference

Row = Mapping[str, Any]

OLD = ("age", "sex", "job")
NEW = ("sex", "job", "pay")


def rows(columns: tuple[str, ...]) -> st.SearchStrategy[list[Row]]:
    value = st.sampled_from(["", "1", "2", "3"])
    return st.lists(st.fixed_dictionaries(dict.fromkeys(columns, value)), min_size=1, max_size=8)


def fits(ours: Row, theirs: Row) -> bool:
    return all(ours[name] == theirs[name] for name in both_show(ours, theirs))


def both_show(ours: Row, theirs: Row) -> list[str]:
    return [name for name in ours if name in theirs and ours[name] and theirs[name]]


def only(columns: tuple[str, ...], given: list[Row]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[name] for name in columns) for row in given)


def counted(table: ga.Table, columns: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for record, weight in enumerate(table.weights.tolist()):
        codes = {name: int(table.columns[name][record]) for name in columns}
        found[tuple("" if code < 0 else table.labels[name][code] for name, code in codes.items())] += weight
    return found


@given(rows(OLD), rows(NEW))
def test_joinable_rows_are_those_that_fit_each_other_and_nobody_else(old: list[Row], new: list[Row]) -> None:
    pairs = {
        (i, j)
        for i, ours in enumerate(old)
        for j, theirs in enumerate(new)
        if both_show(ours, theirs)
        and [k for k, other in enumerate(new) if fits(ours, other)] == [j]
        and [k for k, other in enumerate(old) if fits(other, theirs)] == [i]
    }

    first, second = ga.Table.from_rows(old), ga.Table.from_rows(new)

    assert joinable_rows(first, second) == joinable_rows(second, first) == len(pairs)


@given(rows(OLD), rows(NEW))
def test_what_one_table_has_beyond_another_is_a_difference_of_multisets(
    old: list[Row], new: list[Row]
) -> None:
    both = ("sex", "job")
    beyond = multiset_difference(ga.Table.from_rows(new), ga.Table.from_rows(old))

    assert counted(beyond, both) == only(both, new) - only(both, old)
    assert len(beyond.record_of) == len(beyond)


baskets = st.lists(st.sets(st.sampled_from("abcd")), min_size=1, max_size=8)


@given(baskets, baskets)
def test_transactions_are_compared_in_the_items_that_both_show(
    old: list[set[str]], new: list[set[str]]
) -> None:
    items = set().union(*old) & set().union(*new)
    ours, theirs = (Counter(frozenset(row & items) for row in given) for given in (old, new))
    first, second = ga.Transactions.from_lists(old), ga.Transactions.from_lists(new)
    beyond = multiset_difference(second, first)
    held = Counter(
        {
            frozenset(beyond.labels[c] for c in beyond.codes[beyond.offsets[i] : beyond.offsets[i + 1]]): w
            for i, w in enumerate(beyond.weights.tolist())
        }
    )

    assert held == theirs - ours
    alone = [row for row in ours if ours[row] == theirs[row] == 1]
    assert joinable_rows(first, second) == (len(alone) if items else 0)


def test_rows_with_nothing_in_common_are_not_joined() -> None:
    old, new = ga.Table.from_rows([{"age": 30}]), ga.Table.from_rows([{"pay": 10}])

    assert joinable_rows(old, new) == 0


def test_a_blank_may_be_anybody() -> None:
    old = ga.Table.from_rows([{"age": "30", "sex": "f"}, {"age": "", "sex": "f"}])
    new = ga.Table.from_rows([{"age": "30", "sex": "f"}, {"age": "40", "sex": "f"}])

    assert joinable_rows(old, new) == 0
    assert joinable_rows(new, new) == 2


def test_labels_and_private_items_stay() -> None:
    old = ga.Transactions.from_lists([["milk"], ["milk", "ill"]], private=["ill"])
    new = ga.Transactions.from_lists([["milk", "ill"]])
    beyond = multiset_difference(old, new)

    assert beyond.labels == ("ill", "milk")
    assert beyond.private == {0}
    assert beyond.supports.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("columns", "known"), [(("fnlwgt", "occupation"), 25_753), (("decade", "sex", "occupation"), 18)]
)
def test_adult(columns: tuple[str, ...], known: int) -> None:
    path = SHARED / "adult" / "adult_train_complete.csv.gz"
    if not path.exists():
        pytest.skip("the data set Adult is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        people = [{**row, "decade": int(row["age"]) // 10 * 10} for row in csv.DictReader(file)]
    table = ga.Table.from_rows([{name: row[name] for name in columns} for row in people])

    assert joinable_rows(table, table) == known
