"""SUDA: the example of the SDC Practice Guide, and all sets of columns by brute force."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.readings import elliot, ihsn, minimal_uniques

import giveaway as ga
from giveaway.attacks.directory.readings.special_uniques import Score, Suda, uniques_of

GUIDE = [
    ("urban", "female", "secondary incomplete", "employed"),
    ("urban", "female", "secondary incomplete", "employed"),
    ("urban", "female", "primary incomplete", "non-LF"),
    ("urban", "male", "secondary complete", "employed"),
    ("rural", "female", "secondary complete", "unemployed"),
    ("urban", "male", "secondary complete", "employed"),
    ("urban", "female", "primary complete", "non-LF"),
    ("urban", "male", "post-secondary", "unemployed"),
    ("urban", "female", "secondary incomplete", "non-LF"),
    ("urban", "female", "secondary incomplete", "non-LF"),
]


def uniques(rows: list[tuple[str | None, ...]], at_most: int, score: Score = "elliot") -> Suda:
    """Return the special uniques of a table."""
    table = ga.Table.from_rows([dict(zip("abcdefgh", row, strict=False)) for row in rows])
    return uniques_of(table, list(table.columns), at_most=at_most, score=score)


def test_the_published_example() -> None:
    found = uniques(GUIDE, 3)
    ours, theirs = uniques(GUIDE, 3, "ihsn").dis_suda, found.dis_suda

    assert found.minimal_uniques == 9
    assert found.scores == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert [round(float(one), 4) for one in ours] == [
        0,
        0,
        0.0051,
        0,
        0.0107,
        0,
        0.0051,
        0.0088,
        0,
        0,
    ]
    assert [round(float(one), 4) for one in theirs] == [
        0,
        0,
        0.005,
        0,
        0.0114,
        0,
        0.005,
        0.0092,
        0,
        0,
    ]
    assert found.dis == Fraction(4, 100) / (Fraction(4, 100) + 6 * Fraction(99, 100))


def test_a_table_in_which_nothing_is_unique_has_no_scores() -> None:
    found = uniques([GUIDE[0]] * 3, 3)

    assert found.scores == [0, 0, 0]
    assert found.dis == 0
    assert found.dis_suda.tolist() == [0, 0, 0]


rows = st.lists(st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 4), min_size=1, max_size=12)


@given(rows, st.integers(1, 4))
def test_minimal_uniques_are_those_of_all_sets(
    given_rows: list[tuple[str | None, ...]], at_most: int
) -> None:
    expected = minimal_uniques(given_rows, at_most)
    width = 4
    for score, part in (
        ("elliot", lambda size: elliot(width, size, at_most)),
        ("ihsn", lambda size: ihsn(width, size)),
    ):
        found = uniques(given_rows, at_most, score)
        sets = {
            (block, tuple(np.flatnonzero(columns).tolist()))
            for block, columns in zip(found.unique.tolist(), found.marks, strict=True)
        }
        assert sets == {(found.block_of[row], columns) for row, columns in expected}
        assert found.minimal_uniques == len(sets)
        for row, reached in enumerate(found.scores):
            assert reached == sum(part(len(columns)) for other, columns in expected if other == row)
        for column, contribution in enumerate(found.contributions.values()):
            assert contribution == sum(part(len(columns)) for _, columns in expected if column in columns)


def test_a_set_of_all_columns_counts_one_for_elliot_and_nothing_for_ihsn() -> None:
    rows: list[tuple[str | None, ...]] = [("a",), ("b",)]

    assert uniques(rows, 1, "elliot").scores == [1, 1]
    assert uniques(rows, 1, "ihsn").scores == [0, 0]
