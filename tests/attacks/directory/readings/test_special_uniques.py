"""SUDA: the example of the SDC Practice Guide, and all sets of columns by brute force."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.readings import elliot, ihsn, minimal_uniques

import giveaway as ga
from giveaway.attacks.directory.readings.special_uniques import SpecialUniques, special_uniques

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


def uniques(rows: list[tuple[str | None, ...]], at_most: int) -> tuple[SpecialUniques, list[int]]:
    """Return the special uniques of a table, and the record that each row became."""
    table = ga.Table.from_rows([dict(zip("abcdefgh", row, strict=False)) for row in rows])
    values = np.stack(list(table.columns.values()), axis=1)
    return special_uniques(values, table.weights, at_most), table.record_of.tolist()


def test_the_published_example() -> None:
    found, record_of = uniques(GUIDE, 3)
    scores, ours, theirs = found.scores(), found.dis_suda("ihsn"), found.dis_suda("elliot")

    assert len(found.row) == 9
    assert [scores[record] for record in record_of] == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert [round(float(ours[record]), 4) for record in record_of] == [
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
    assert [round(float(theirs[record]), 4) for record in record_of] == [
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
    assert found.dis() == Fraction(4, 100) / (Fraction(4, 100) + 6 * Fraction(99, 100))


def test_a_table_in_which_nothing_is_unique_has_no_scores() -> None:
    found, _ = uniques([GUIDE[0]] * 3, 3)

    assert found.scores() == [0]
    assert found.dis() == 0
    assert found.dis_suda().tolist() == [0]


rows = st.lists(st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 4), min_size=1, max_size=12)


@given(rows, st.integers(1, 4))
def test_minimal_uniques_are_those_of_all_sets(
    given_rows: list[tuple[str | None, ...]], at_most: int
) -> None:
    found, record_of = uniques(given_rows, at_most)
    expected = minimal_uniques(given_rows, at_most)
    sets = {
        (row, tuple(np.flatnonzero(columns).tolist()))
        for row, columns in zip(found.row.tolist(), found.columns, strict=True)
    }

    assert sets == {(record_of[row], columns) for row, columns in expected}
    assert len(found.row) == len(sets)
    width = 4
    for score, part in (
        ("elliot", lambda size: elliot(width, size, at_most)),
        ("ihsn", lambda size: ihsn(width, size)),
    ):
        scores = found.scores(score)
        contributions = found.contributions(score)
        for row, record in enumerate(record_of):
            assert scores[record] == sum(part(len(columns)) for other, columns in expected if other == row)
        for column in range(width):
            assert contributions[column] == sum(
                part(len(columns)) for _, columns in expected if column in columns
            )


def test_a_set_of_all_columns_counts_one_for_elliot_and_nothing_for_ihsn() -> None:
    found, _ = uniques([("a",), ("b",)], 1)

    assert found.scores("elliot") == [1, 1]
    assert found.scores("ihsn") == [0, 0]
