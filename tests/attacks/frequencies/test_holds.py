"""How far a release holds up is said of the attacker stated, by the numbers of the verdict."""

from fractions import Fraction
from math import ceil, comb
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import baskets, counts_of_items, measured, papers_attacker, supports
from tests.attacks.frequencies.test_measure import around, median_gap
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.frequencies.itemsets.question import set_question
from giveaway.attacks.frequencies.question import FrequenciesQuestion, see
from giveaway.attacks.frequencies.reporting.breaking_point import breaking

ORDERS = st.sampled_from(["random", "worst", "best", "frequency"])
LIMITS = fractions("1/20", "19/20", max_denominator=20)


def exposed(counts: list[int], order: str, right: int) -> list[Fraction]:
    """Return the chances of the first items in an order, by listing all mappings."""
    found = oracle.crack_chances(around(counts, median_gap(counts)))
    places = list(range(len(counts)))
    keys = {
        "worst": lambda item: -found[item],
        "best": lambda item: found[item],
        "frequency": lambda item: counts[item],
    }
    return [found[item] for item in sorted(places, key=keys[order])[:right]]


def is_safe(counts: list[int], order: str, share: Fraction, tolerance: ga.Tolerance) -> bool:
    items = len(counts)
    if order == "random" or share == 1:
        some, part = exposed(counts, "worst", items), share
    else:
        some, part = exposed(counts, order, ceil(share * items)), Fraction(1)
    if tolerance.average is not None and part * sum(some) > tolerance.average * items:
        return False
    limit = tolerance.identity
    return limit is None or part * sum(chance >= limit for chance in some) <= tolerance.share * items


@sized(200)
@given(
    counts=counts_of_items,
    order=ORDERS,
    compliance=fractions(0, 1, max_denominator=12),
    average=st.none() | LIMITS,
    identity=st.none() | fractions("1/9", 1, max_denominator=9),
    share=fractions(0, "9/10", max_denominator=10),
)
def test_safe_is_exactly_what_the_release_holds_up_to(
    counts: list[int],
    order: Any,
    compliance: Fraction,
    average: Fraction | None,
    identity: Fraction | None,
    share: Fraction,
) -> None:
    assume(average is not None or identity is not None)
    tolerance = ga.Tolerance(average=average, identity=identity, share=share)
    attacker = papers_attacker(order=order, compliance=compliance)
    seen = see(ga.Release(supports(counts)), attacker, ga.Effort())
    asked = FrequenciesQuestion(seen=seen, tolerance=tolerance)
    found = breaking(asked)

    safe = asked.judged.within(tolerance)
    assert safe == is_safe(counts, order, compliance, tolerance)
    assert safe == (compliance <= found.stated)
    holds = found.holds
    assert holds.value == float(found.stated)
    assert holds.whole_scale == holds.at_least == (found.stated == 1)
    assert holds.whole_scale == is_safe(counts, order, Fraction(1), tolerance)
    assert (holds.beside is None) == (found.worst == found.stated)
    assert found.worst <= found.stated
    # The worst choice of so many items is within the limits, and that of one more is not.
    within = int(found.worst * len(counts))
    assert is_safe(counts, "worst", Fraction(within, len(counts)), tolerance)
    if within < len(counts):
        assert not is_safe(counts, "worst", Fraction(within + 1, len(counts)), tolerance)


@sized(60)
@given(
    counts=counts_of_items,
    size=st.integers(1, 3),
    compliance=fractions("1/12", 1, max_denominator=12),
    share=fractions(0, "9/10", max_denominator=10),
    sample=st.none() | st.integers(1, 4),
)
def test_the_same_of_sets(
    counts: list[int], size: int, compliance: Fraction, share: Fraction, sample: int | None
) -> None:
    assume(len(counts) >= size)
    targets = ga.Itemsets(size=size, sample=sample)
    attacker = papers_attacker(targets=targets, compliance=compliance)
    tolerance = ga.Tolerance(identity="1/2", share=share)
    finding = ga.assess(ga.Release(baskets(counts)), attacker, tolerance).findings[0]
    assert finding.risk is not None
    holds = set_question(see(ga.Release(baskets(counts)), attacker, ga.Effort()), tolerance).holds

    assert bool(finding.safe) == (compliance <= holds)
    assert finding.risk.holds_up_to.value == float(holds)
    assert finding.risk.figures["breaking_point_exact_risk"] == holds
    assert finding.risk.holds_up_to.whole_scale == (holds == 1)
    (curve,) = [curve for curve in finding.risk.curves if curve.name == "strength"]
    assert dict(zip(curve.x, curve.y, strict=True))[float(compliance)] == float(finding.risk.share or 0)


def test_the_worst_choice_for_drawn_sets_is_bounded_by_all_sets() -> None:
    counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    attacker = papers_attacker(belief=ga.Belief.exact(), targets=ga.Itemsets(size=3, sample=5))
    risk = measured(baskets(counts), attacker, ga.Tolerance(identity="1/2", share="1/10"))

    within = int(risk.figures["breaking_point_worst"] * 10)
    assert comb(within, 3) <= comb(10, 3) / 10 < comb(within + 1, 3)


def test_safe_stands_next_to_the_breaking_point_of_its_own_order() -> None:
    counts = [1, 2, 3, 5, 5, 8, 8, 8, 11]
    attacker = papers_attacker(compliance="2/5")
    found = ga.assess(ga.Release(supports(counts)), attacker, ga.Tolerance(average="1/5"))
    point = found.findings[0].risk.holds_up_to

    assert found.safe
    assert point.value > 0.4 > found.findings[0].risk.figures["breaking_point_worst"]
    assert point.beside == "33.3 % if exactly the most exposed items are the ones known"
    assert ga.breaking_point(ga.Release(supports(counts)), attacker, ga.Tolerance(average="1/5")) == point


@pytest.mark.parametrize("order", ["random", "worst", "best", "frequency"])
@pytest.mark.parametrize("limit", [{"average": "1/5"}, {"identity": "1/3", "share": "1/5"}])
def test_the_curve_passes_through_what_is_judged(order: Any, limit: dict[str, str]) -> None:
    counts = [1, 2, 3, 5, 5, 8, 8, 8, 11]
    attacker = papers_attacker(compliance="3/10", order=order)
    risk = measured(supports(counts), attacker, ga.Tolerance(**limit))
    (curve,) = [curve for curve in risk.curves if curve.name == "strength"]

    judged = risk.average if "average" in limit else risk.share
    assert dict(zip(curve.x, curve.y, strict=True))[0.3] == pytest.approx(float(judged or 0))
    assert curve.marks[0].x == risk.holds_up_to.value


def test_wrong_beliefs_hold_up_to_what_is_right_when_they_are_safe() -> None:
    belief = ga.Belief.intervals({"i0": ("1/2", 1), "i1": ("1/3", "1/3")})
    for order in ("random", "worst", "best", "frequency"):
        attacker = papers_attacker(belief=belief, order=order)
        for average in ("1/10", "1/4", "1/2", "19/20"):
            found = ga.assess(ga.Release(supports([1, 4, 8, 11])), attacker, ga.Tolerance(average=average))
            risk = found.findings[0].risk
            assert risk is not None
            right = float(risk.figures["compliance"])
            assert right < 1
            assert bool(found.safe) == (right <= risk.holds_up_to.value) == risk.holds_up_to.at_least
            assert not risk.holds_up_to.whole_scale
