from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import Case, any_cases, array
from tests.drawing import fractions
from tests.oracles import cracks as oracle

from giveaway.attacks.frequencies.chances import LimitLine
from giveaway.attacks.frequencies.crack_graph.windows import around, exact, ignorant
from giveaway.attacks.frequencies.estimates import o_estimate as estimates
from giveaway.attacks.frequencies.exact_chances import closed_forms as lemmas


@given(case=any_cases, data=st.data())
def test_the_o_estimate_adds_one_over_the_degree_of_each_compliant_item(
    case: Case, data: st.DataObject
) -> None:
    some = data.draw(st.lists(st.sampled_from(range(len(case.counts))), unique=True))

    assert estimates.o_estimate(case.windows) == oracle.o_estimate(case.candidates)
    assert estimates.o_estimate(case.windows, array(some)) == sum(
        Fraction(1, len(case.candidates[i])) for i in some if i in case.candidates[i]
    )


def test_a_sum_without_a_short_common_denominator_is_a_float() -> None:
    degrees = np.arange(1, 100_000)
    found = estimates.reciprocal_sum(degrees)

    assert isinstance(found, float)
    assert found == pytest.approx((1 / degrees).sum(), rel=1e-14)
    assert estimates.reciprocal_sum(np.arange(1, 11)) == Fraction(7381, 2520)


@settings(max_examples=200)
@given(case=any_cases, size=st.integers(1, 4), limit=fractions(0, 1, max_denominator=6), at=st.booleans())
def test_estimates_of_sets_are_those_of_the_definitions(
    case: Case, size: int, limit: Fraction, at: bool
) -> None:
    sets = list(combinations(range(len(case.counts)), min(size, len(case.counts))))
    kinds = estimates.kinds_of(case.windows, array(sets))
    os = [oracle.os_estimate(case.candidates, members) for members in sets]

    assert kinds.many.sum() == len(sets)
    assert estimates.os_estimates(case.windows, kinds.classes)[kinds.of] == pytest.approx(
        np.array(os, np.float64)
    )
    assert estimates.os_over(case.windows, kinds.classes, LimitLine(limit, at=at))[kinds.of].tolist() == [
        (chance > limit or (at and chance == limit)) and all(case.candidates[i] for i in members)
        for chance, members in zip(os, sets, strict=True)
    ]
    assert estimates.os2_estimates(case.windows, kinds.classes)[kinds.of] == pytest.approx(
        np.array([oracle.os2_estimate(case.candidates, members) for members in sets], np.float64)
    )


@given(case=any_cases, data=st.data())
def test_kinds_of_all_pairs_are_those_of_the_pairs_listed(case: Case, data: st.DataObject) -> None:
    chosen = sorted(
        data.draw(st.sets(st.sampled_from(range(len(case.counts))), min_size=2))
        if len(case.counts) > 1
        else []
    )
    listed = estimates.kinds_of(case.windows, array(list(combinations(chosen, 2))).reshape(-1, 2))
    counted = estimates.kinds_of_pairs(case.windows, array(chosen))

    assert counted.classes.tolist() == listed.classes.tolist()
    assert counted.many.tolist() == listed.many.tolist()
    if len(chosen) == len(case.counts):
        assert estimates.kinds_of_pairs(case.windows).many.tolist() == listed.many.tolist()


def test_limits_are_compared_exactly_beyond_64_bits() -> None:
    windows = ignorant(np.zeros(5_000, np.int64)).windows
    kinds = array([[0] * 6])
    chance = Fraction(6, 5_000) ** 6

    for limit, at, over in (
        (chance, True, True),
        (chance, False, False),
        (chance - Fraction(1, 10**60), False, True),
    ):
        assert estimates.os_over(windows, kinds, LimitLine(limit, at=at)).tolist() == [over]
    assert estimates.os_over(windows, kinds, LimitLine(chance + Fraction(1, 10**60), at=True)).tolist() == [
        False
    ]


def test_whole_numbers_keep_the_neighbours_that_floats_lose() -> None:
    counts = np.arange(0, 3_000, 3)
    transactions = 88_162
    windows = around(counts, 6).windows
    share, delta = counts / transactions, 3 / transactions
    by_floats = ((share[:, None] - delta <= share) & (share <= share[:, None] + delta)).sum(axis=1)

    assert windows.degrees.tolist() == [2, *[3] * 998, 2]
    assert by_floats.sum() < windows.degrees.sum()


@settings(max_examples=50)
@given(counts=st.lists(st.integers(0, 3), min_size=1, max_size=6), size=st.integers(1, 3))
def test_closed_formulas_of_extreme_beliefs_equal_brute_force(counts: list[int], size: int) -> None:
    windows = exact(array(counts)).windows
    everything = oracle.candidates_of(counts, [0] * len(counts), [6] * len(counts))
    known = oracle.candidates_of(counts, [2 * c for c in counts], [2 * c for c in counts])
    sizes, own = windows.sizes.tolist(), windows.own.tolist()
    sets = list(combinations(range(len(counts)), size))
    interesting = [i for i in range(len(counts)) if i % 2 == 0]
    wanted = [sum(own[i] == group for i in interesting) for group in range(len(sizes))]

    for members in sets:
        assert lemmas.ignorant_chance(len(counts), size) == oracle.set_chance(everything, members)
        assert lemmas.exact_chance(sizes, [own[i] for i in members]) == oracle.set_chance(known, members)
    assert lemmas.exact_expected(sizes, size) == sum(oracle.set_chance(known, members) for members in sets)
    assert lemmas.exact_expected(sizes, size, wanted) == sum(
        oracle.set_chance(known, members) for members in combinations(interesting, size)
    )
