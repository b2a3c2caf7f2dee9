from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import Case, any_cases, array, candidates_of
from tests.oracles import cracks as oracle

from giveaway.attacks.frequencies.crack_graph import windows as graph

some_counts = st.lists(st.integers(0, 9), min_size=1, max_size=8)


@given(case=any_cases)
def test_windows_hold_exactly_the_counts_in_the_interval(case: Case) -> None:
    windows = case.windows

    assert candidates_of(windows) == case.candidates
    assert windows.degrees.tolist() == [len(some) for some in case.candidates]
    assert windows.compliant.tolist() == [i in some for i, some in enumerate(case.candidates)]


@given(case=any_cases)
def test_items_of_one_class_have_the_same_candidates_and_the_same_own_group(case: Case) -> None:
    windows = case.windows
    classes = windows.classes
    alike = {(tuple(sorted(some)), case.counts[i]): classes.of[i] for i, some in enumerate(case.candidates)}

    assert len(set(alike.values())) == len(alike) == len(classes.many)
    assert classes.many.tolist() == np.bincount(classes.of).tolist()
    assert (classes.first[classes.of] == windows.first).all()
    assert (classes.last[classes.of] == windows.last).all()
    assert (classes.own[classes.of] == windows.own).all()


@given(case=any_cases)
def test_pieces_are_the_connected_components(case: Case) -> None:
    windows = case.windows
    of = windows.classes.of
    pieces = [
        frozenset(np.flatnonzero((piece.head <= of) & (of < piece.tail)).tolist()) for piece in windows.pieces
    ]

    assert {piece for piece in pieces if piece} == oracle.components(case.candidates)
    assert [piece.begin for piece in windows.pieces[1:]] == [piece.end for piece in windows.pieces[:-1]]


@given(counts=some_counts, half_width2=st.integers(0, 9))
def test_around_believes_everything_within_the_half_width(counts: list[int], half_width2: int) -> None:
    found = candidates_of(graph.around(array(counts), half_width2).windows)

    assert found == [{j for j, d in enumerate(counts) if 2 * abs(c - d) <= half_width2} for c in counts]


@given(counts=some_counts)
def test_extreme_beliefs_know_nothing_or_the_group(counts: list[int]) -> None:
    assert graph.ignorant(array(counts)).windows.degrees.tolist() == [len(counts)] * len(counts)
    assert candidates_of(graph.exact(array(counts)).windows) == [
        {j for j, d in enumerate(counts) if c == d} for c in counts
    ]


@given(
    rows=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), min_size=1, max_size=6),
    half_width2=st.integers(0, 5),
)
def test_a_sample_is_compared_with_whole_numbers(rows: list[tuple[int, int]], half_width2: int) -> None:
    counts, taken = [row[0] for row in rows], [row[1] for row in rows]
    beliefs = graph.sampled(array(counts), 30, array(taken), 11, half_width2)
    half = Fraction(half_width2, 2)

    assert candidates_of(beliefs.windows) == [
        {j for j, full in enumerate(counts) if abs(Fraction(full, 30) - Fraction(k, 11)) <= half / 11}
        for k in taken
    ]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([3, 3], None),
        ([0, 1, 4], graph.Gaps(4, Fraction(2), 1, 3)),
        ([5, 1, 2, 9, 9], graph.Gaps(6, Fraction(8, 3), 1, 4)),
    ],
)
def test_gaps_of_the_groups(counts: list[int], expected: graph.Gaps | None) -> None:
    assert graph.gaps(array(counts)) == expected


def test_items_that_never_occur_form_a_group_like_any_other() -> None:
    windows = graph.around(array([0, 4, 0, 3]), 2).windows

    assert windows.sizes.tolist() == [2, 1, 1]
    assert windows.degrees.tolist() == [2, 2, 2, 2]
