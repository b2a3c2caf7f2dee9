"""The wider use: people among records, by edges or by intervals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import cracks as oracle

import giveaway as ga

some_candidates = st.integers(1, 6).flatmap(
    lambda people: st.lists(st.sets(st.integers(0, people - 1), min_size=1), min_size=people, max_size=people)
)


@given(some=some_candidates)
def test_edges_are_counted_over_all_mappings(some: list[set[int]]) -> None:
    edges = [(f"p{person}", f"p{record}") for person, few in enumerate(some) for record in few]
    if next(oracle.mappings(some), None) is None:
        with pytest.raises(ga.DataError, match=r"compete for|which record may be"):
            ga.cracks(edges=edges)
        return
    found = ga.cracks(edges=edges)

    assert found.chances == {f"p{i}": chance for i, chance in enumerate(oracle.crack_chances(some))}
    assert found.expected == sum(oracle.crack_chances(some))
    assert (found.how.method, found.how.margin) == ("exact", None)


@given(
    people=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6
    )
)
def test_intervals_are_counted_over_all_mappings(people: list[tuple[int, int, int]]) -> None:
    known = {f"p{i}": (value, value - below, value + above) for i, (value, below, above) in enumerate(people)}
    some = [
        {j for j, (other, _, _) in enumerate(people) if value - below <= other <= value + above}
        for value, below, above in people
    ]

    assert ga.cracks(intervals=known).chances == {
        f"p{i}": chance for i, chance in enumerate(oracle.crack_chances(some))
    }


def test_who_is_who_is_estimated_when_it_cannot_be_counted() -> None:
    edges = [(i, (i + step) % 60) for i in range(60) for step in (0, 1, 7, 11, 23, 31)]
    found = ga.cracks(edges=edges)

    assert found.how.method == "estimate"
    assert found.how.margin == pytest.approx(0.05 * float(found.expected))
    assert 5 < float(found.expected) < 20


def test_exact_ends_of_ranges_are_inside() -> None:
    found = ga.cracks(intervals={"a": ("0.1", "0.1", "0.3"), "b": ("0.3", "0.1", "0.3")})

    assert found.expected == Fraction(1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "one of them"),
        ({"edges": [], "intervals": {}}, "one of them"),
        ({"edges": []}, "No edge"),
        ({"edges": ["ab"]}, "not a pair"),
        ({"edges": [("a", "b")]}, "which record may be"),
        ({"edges": [("a", "a"), ("b", "a"), ("c", "c"), ("c", "b")]}, "a and b compete for 1 record"),
        ({"intervals": {}}, "No person"),
        ({"intervals": {"a": (1, 2)}}, "lower and an upper end"),
        ({"intervals": {"a": (1, 3, 2)}}, "which is lower"),
        ({"intervals": {"a": (1, 2, 3), "b": (2, 2, 2)}}, "compete for 1 record"),
    ],
)
def test_bad_questions_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ga.WrongQuestion, match=said):
        ga.cracks(**given)
