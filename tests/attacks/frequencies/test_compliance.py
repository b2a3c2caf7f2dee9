from fractions import Fraction
from itertools import combinations, permutations
from math import comb, fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import array
from tests.drawing import fractions

from giveaway.attacks.frequencies.estimates import compliance
from giveaway.attacks.frequencies.estimates.o_estimate import reciprocal_sum

some_degrees = st.lists(st.integers(1, 6), min_size=1, max_size=6)
limits = fractions(0, 4, max_denominator=12)


def total(degrees: list[int]) -> Fraction:
    return sum((Fraction(1, d) for d in degrees), Fraction(0))


@given(degrees=some_degrees, average=fractions(0, 1, max_denominator=20))
def test_at_random_the_expected_cracks_grow_with_the_share(degrees: list[int], average: Fraction) -> None:
    items = len(degrees)
    share = compliance.random_breaking_point(total(degrees), items, average)
    mean_of_sets = [
        sum(map(total, map(list, combinations(degrees, right)))) / comb(items, right)
        for right in range(items + 1)
    ]

    for right, mean in enumerate(mean_of_sets):
        assert (Fraction(right, items) <= share) == (mean <= average * items)


def test_nothing_to_crack_never_breaks() -> None:
    assert compliance.random_breaking_point(Fraction(0), 5, Fraction(1, 10)) == 1
    assert compliance.random_breaking_point(0.5, 5, Fraction(1, 20)) == pytest.approx(0.5)


@settings(max_examples=40)
@given(degrees=some_degrees, limit=limits)
def test_worst_and_best_order_enclose_all_others(degrees: list[int], limit: Fraction) -> None:
    def within(order: tuple[int, ...]) -> int:
        return max(r for r in range(len(order) + 1) if total([degrees[i] for i in order[:r]]) <= limit)

    chances = 1 / array(degrees)
    worst, best = (
        compliance.whole_items(
            compliance.ordered(order, chances, array(degrees)),
            lambda chosen: reciprocal_sum(array(degrees)[chosen]),
            limit,
        )
        for order in ("worst", "best")
    )
    reached = {within(order) for order in permutations(range(len(degrees)))}

    assert (worst, best) == (min(reached), max(reached))


def test_the_least_frequent_items_come_first_and_ties_keep_their_order() -> None:
    chances = np.array([0.5, 0.25, 1.0, 0.125])
    order = compliance.ordered("frequency", chances, array([7, 1, 3, 1]))

    assert order.tolist() == [1, 3, 2, 0]
    assert compliance.whole_items(order, lambda chosen: fsum(chances[chosen]), Fraction(11, 8)) == 3
