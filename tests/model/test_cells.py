from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.model.release.cells import Cells

PAIRS = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["a", "b", "s"])))


@sized()
@given(PAIRS, PAIRS)
def test_entries_are_a_set(first: list[tuple[int, str]], second: list[tuple[int, str]]) -> None:
    one, two = Cells(first), Cells(second)

    assert set(one | two) == {*first, *second}
    assert set(one & two) == {*first} & {*second}
    assert set(one - two) == {*first} - {*second}
    assert len(one) == len(set(first))
    assert list(one) == sorted(set(first))
    assert (one == two) == (set(first) == set(second))
    assert all(pair in one for pair in first)
    assert hash(one | two) == hash(two | one)


def test_rows_are_counted_from_one() -> None:
    with pytest.raises(ga.ScenarioError, match="counted from 1"):
        Cells([(0, "a")])


@given(
    st.lists(
        st.tuples(st.sampled_from("xy"), st.sampled_from("pq"), st.sampled_from("mn")), min_size=6, max_size=6
    ),
    PAIRS,
)
def test_a_table_without_entries_is_the_table_with_them_missing(
    values: list[tuple[str, str, str]], pairs: list[tuple[int, str]]
) -> None:
    rows = [dict(zip("abs", row, strict=True)) for row in values]
    table = ga.Table.from_rows(rows, sensitive="s").without(Cells(pairs))
    shown = [
        tuple(None if (number, name) in pairs else row[name] for name in "abs")
        for number, row in enumerate(rows, 1)
    ]

    def labelled(record: int) -> tuple[object, ...]:
        codes = [int(table.columns[name][record]) for name in "abs"]
        return tuple(
            None if code == -1 else table.labels[name][code] for name, code in zip("abs", codes, strict=True)
        )

    assert [labelled(record) for record in table.record_of.tolist()] == shown
    assert {labelled(record): int(weight) for record, weight in enumerate(table.weights)} == Counter(shown)
    assert np.array_equal(np.bincount(table.record_of), table.weights)


def test_a_release_hides_its_secrets_and_refuses_marks_that_contradict_them() -> None:
    rows = [{"who": "u7", "job": "cook", "ill": "yes"}, {"who": "u9", "job": "cook", "ill": "no"}]
    table = ga.Table.from_rows(rows, sensitive="ill", id="who")

    release = ga.Release(table, secrets=["u9"], must_publish=["job"])
    assert set(release.hidden) == {(2, "ill")}
    assert set(release.must_publish) == {(1, "job"), (2, "job")}
    with pytest.raises(ga.ScenarioError, match="record u9 in ill is marked"):
        ga.Release(table, secrets=["u9"], must_publish=[("u9", "ill")])
    with pytest.raises(ga.ScenarioError, match="No record has the who 'u8'"):
        ga.Release(table, secrets=["u8"])
    with pytest.raises(ga.ScenarioError, match="which is not sensitive"):
        ga.Release(table, secrets=[("u9", "job")])
    alone = ga.Release(table, statements=[ga.Statement(value="yes", share="0.5")])
    assert alone.published == ga.PublishedRules([], min_support=1, min_confidence=1, complete=False)
