import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import giveaway as ga
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels

ENTRIES = st.lists(st.tuples(st.integers(1, 5), st.sampled_from("ab"), st.integers(1, 3)))
AGES = {"23": ["20-29", "young"], "28": ["20-29", "young"], "61": ["60-69", "old"]}


@given(ENTRIES, ENTRIES)
def test_of_two_levels_the_coarser_one_counts(
    one: list[tuple[int, str, int]], other: list[tuple[int, str, int]]
) -> None:
    wanted: dict[tuple[int, str], int] = {}
    for row, column, level in one + other:
        wanted[row, column] = max(level, wanted.get((row, column), 0))
    joined = Levels(one) | Levels(other)
    assert {(row, column): level for row, column, level in joined} == wanted
    assert joined == Levels(other + one)
    assert hash(joined) == hash(Levels(other + one))
    assert len(joined) == len(wanted)


@given(ENTRIES, st.sets(st.tuples(st.integers(1, 5), st.sampled_from("ab"))))
def test_what_is_hidden_has_no_level(
    entries: list[tuple[int, str, int]], hidden: set[tuple[int, str]]
) -> None:
    withheld = ga.Withheld(cells=Cells(hidden), levels=entries)
    assert {(row, column) for row, column, _ in withheld.levels} == {e[:2] for e in entries} - hidden


def test_rows_and_levels_are_counted_from_one() -> None:
    with pytest.raises(ga.ScenarioError, match="counted from 1"):
        Levels([(0, "a", 1)])


def test_a_coarser_label_is_published_in_place_of_the_value() -> None:
    table = ga.Table.from_rows([{"age": "23"}, {"age": "28"}, {"age": "61"}, {"age": "61"}])
    withheld = ga.Withheld(cells=[(3, "age")], levels=[(1, "age", 1), (2, "age", 2)])
    published = ga.Release(table, withheld, hierarchies={"age": AGES}).published
    assert isinstance(published, ga.Table)
    shown = [published.columns["age"][record] for record in published.record_of]
    assert [None if code == -1 else published.labels["age"][code] for code in shown] == [
        "20-29",
        "young",
        None,
        "61",
    ]


def test_records_that_become_alike_are_merged() -> None:
    table = ga.Table.from_rows([{"age": "23"}, {"age": "28"}])
    release = ga.Release(table, ga.Withheld(levels=[(1, "age", 1), (2, "age", 1)]), hierarchies={"age": AGES})
    assert isinstance(release.published, ga.Table)
    assert release.published.weights.tolist() == [2]


def test_a_level_beyond_the_hierarchy_is_refused() -> None:
    table = ga.Table.from_rows([{"age": "23"}])
    with pytest.raises(ga.ScenarioError, match="levels 1 to 2"):
        ga.Release(table, ga.Withheld(levels=[(1, "age", 3)]), hierarchies={"age": AGES})


def test_a_value_without_a_line_in_its_hierarchy_is_refused() -> None:
    with pytest.raises(ga.ScenarioError, match="such as '30'"):
        ga.Release(ga.Table.from_rows([{"age": "30"}]), hierarchies={"age": AGES})


def test_levels_that_say_nothing_are_left_out() -> None:
    assert Hierarchy({"23": ["20-29", "*"], "61": ["60-69", "*"]}).depth == 1


def test_groups_that_are_split_higher_up_are_refused() -> None:
    with pytest.raises(ga.ScenarioError, match="two labels of level 2"):
        Hierarchy({"23": ["20-29", "young"], "28": ["20-29", "old"]})


def test_a_label_that_means_two_things_is_refused() -> None:
    with pytest.raises(ga.ScenarioError, match="stands for other values"):
        Hierarchy({"23": ["a", "b"], "28": ["c", "b"], "30": ["b", "d"]})


def test_values_with_different_numbers_of_levels_are_refused() -> None:
    with pytest.raises(ga.ScenarioError, match="different numbers"):
        Hierarchy({"23": ["20-29"], "28": ["20-29", "old"]})


def test_values_outside_the_hierarchy_have_no_code() -> None:
    assert np.array_equal(Hierarchy(AGES).codes(["61", "23", "99"], 1), [1, 0, -2])
