"""Single items against brute force over all mappings."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from statistics import median
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    TOTAL,
    baskets,
    beliefs,
    candidates,
    chances_of,
    counts_of_items,
    expected,
    intervals,
    measured,
    papers_attacker,
    supports,
)
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway.model.answer.risk import Curve, Details

AVERAGE = ga.Tolerance(average="1/10")
HALF = ga.Tolerance(identity="1/2")


def around(counts: Sequence[int], width: Fraction) -> list[set[int]]:
    return [{j for j, other in enumerate(counts) if abs(other - count) <= width} for count in counts]


def median_gap(counts: Sequence[int]) -> Fraction:
    groups = sorted(set(counts))
    gaps = [Fraction(b - a) for a, b in pairwise(groups)]
    return Fraction(median(gaps)) if gaps else Fraction(0)


@settings(max_examples=50)
@given(counts=counts_of_items, data=st.data())
def test_chances_of_right_beliefs_are_those_of_all_mappings(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=True))
    assume(ranges)
    some = candidates(counts, ranges)
    risk = measured(supports(counts), papers_attacker(belief=intervals(ranges)), AVERAGE)

    assert chances_of(risk) == {f"i{i}": chance for i, chance in enumerate(oracle.crack_chances(some))}
    assert risk.figures["expected_cracks"] == expected(some)
    assert risk.average == expected(some) / len(counts)
    assert risk.figures["o_estimate_plain"] == oracle.o_estimate(some)
    assert risk.figures["o_estimate"] == oracle.o_estimate(oracle.propagated(some))
    assert risk.figures["compliance"] == 1
    assert (risk.how.method, risk.how.margin) == ("exact", None)


@sized(50)
@given(counts=counts_of_items, data=st.data())
def test_wrong_beliefs_are_counted_when_mappings_exist_and_taken_as_soft_when_none_does(
    counts: list[int], data: st.DataObject
) -> None:
    ranges = data.draw(beliefs(counts, right=False))
    assume(ranges)
    some = candidates(counts, ranges)
    risk = measured(supports(counts), papers_attacker(belief=intervals(ranges)), AVERAGE)

    assert risk.figures["compliance"] == Fraction(sum(i in few for i, few in enumerate(some)), len(counts))
    assert risk.figures["o_estimate_plain"] == oracle.o_estimate(some)
    if next(oracle.mappings(some), None) is not None:
        assert risk.figures["expected_cracks"] == expected(some)
        assert risk.how.method == "exact"
        return
    softly = float(sum(oracle.soft_chances(some, Fraction(1, 10 * len(counts)))))
    assert risk.how.method == "simulated"
    assert "soft" in risk.how.detail
    assert "compete for" in risk.reasons[0]
    assert risk.figures["o_estimate"] is risk.figures["breaking_point_exact_risk"] is None
    assert risk.figures["expected_cracks"] == pytest.approx(softly, abs=0.25)
    assert risk.how.margin is not None
    assert risk.how.margin >= 0


@settings(max_examples=50)
@given(counts=counts_of_items, share=fractions(0, 1, max_denominator=30))
def test_widths_are_gaps_of_the_data_or_shares_of_the_transactions(
    counts: list[int], share: Fraction
) -> None:
    groups = sorted(set(counts))
    mean = Fraction(groups[-1] - groups[0], max(len(groups) - 1, 1))
    widths = {"median gap": median_gap(counts), "mean gap": mean, share: share * TOTAL}
    for width, counted in widths.items():
        risk = measured(supports(counts), papers_attacker(belief=ga.Belief.around(width)), AVERAGE)
        assert risk.figures["expected_cracks"] == expected(around(counts, counted))
        assert risk.figures["half_width"] == counted / TOTAL


@settings(max_examples=50)
@given(counts=counts_of_items)
def test_knowing_nothing_cracks_one_item_and_knowing_all_one_of_each_group(counts: list[int]) -> None:
    nothing, everything = (
        measured(supports(counts), papers_attacker(belief=belief), AVERAGE)
        for belief in (ga.Belief.ignorant(), ga.Belief.exact())
    )

    assert nothing.figures["expected_cracks"] == 1
    assert everything.figures["expected_cracks"] == len(set(counts))
    assert nothing.figures["point_valued_cracks"] == len(set(counts)) == nothing.figures["groups"]
    assert all(level.baseline == Fraction(1, len(counts)) for level in nothing.levels)


@pytest.mark.papers
@settings(max_examples=50)
@given(counts=counts_of_items)
def test_transactions_and_their_supports_give_the_same_answer(counts: list[int]) -> None:
    first, second = (
        measured(data, papers_attacker(), AVERAGE) for data in (baskets(counts), supports(counts))
    )

    assert first.figures == second.figures
    assert chances_of(first) == chances_of(second)
    assert {curve.name for curve in first.curves} - {curve.name for curve in second.curves} == {
        "similar_data"
    }


@settings(max_examples=50)
@given(counts=counts_of_items, sample=st.lists(st.integers(0, 6), min_size=7, max_size=7))
def test_a_sample_is_believed_give_or_take_its_own_median_gap(counts: list[int], sample: list[int]) -> None:
    held = sample[: len(counts)]
    assume(any(held))
    risk = measured(supports(counts), papers_attacker(belief=ga.Belief.from_sample(baskets(held))), AVERAGE)
    width = median_gap(held)
    inside = [abs(count - other) <= width for count, other in zip(counts, held, strict=True)]

    assert risk.figures["compliance"] == Fraction(sum(inside), len(counts))
    assert risk.figures["half_width"] == width / TOTAL


@settings(max_examples=50)
@given(
    counts=counts_of_items,
    share=fractions(0, 1, max_denominator=12),
    limit=fractions("1/9", 1, max_denominator=9),
)
def test_limits_on_single_chances_are_reached_and_not_only_passed(
    counts: list[int], share: Fraction, limit: Fraction
) -> None:
    found = oracle.crack_chances(around(counts, median_gap(counts)))
    over = sum(chance >= limit for chance in found)
    assume(share < 1)
    tolerance = ga.Tolerance(identity=limit, share=share)
    risk = measured(supports(counts), papers_attacker(), tolerance)

    assert risk.over == over
    assert risk.share == Fraction(over, len(counts))
    assert risk.worst is not None
    assert risk.worst.worst == max(found)
    verdict = ga.assess(ga.Release(supports(counts)), papers_attacker(), tolerance).safe
    assert verdict == (Fraction(over, len(counts)) <= share)


@sized(50)
@given(counts=counts_of_items, share=fractions("1/10", 1, max_denominator=10))
def test_when_fewer_items_are_believed_correctly(counts: list[int], share: Fraction) -> None:
    found = oracle.crack_chances(around(counts, median_gap(counts)))
    items = len(counts)
    right = ceil(share * items)
    rare = sorted(range(items), key=lambda item: counts[item])
    wanted = {
        "random": share * sum(found),
        "worst": sum(sorted(found, reverse=True)[:right]),
        "best": sum(sorted(found)[:right]),
        "frequency": sum(found[item] for item in rare[:right]) if share < 1 else sum(found),
    }
    for order, total in wanted.items():
        attacker = papers_attacker(compliance=share, order=order)
        risk = measured(supports(counts), attacker, AVERAGE)
        assert risk.figures["expected_cracks"] == total
        assert risk.figures["compliance"] == share


@settings(max_examples=50)
@given(counts=counts_of_items, average=fractions("1/20", "19/20", max_denominator=20))
def test_the_worst_breaking_point_holds_and_one_item_more_does_not(
    counts: list[int], average: Fraction
) -> None:
    found = sorted(oracle.crack_chances(around(counts, median_gap(counts))), reverse=True)
    items = len(counts)
    holds = max(right for right in range(items + 1) if sum(found[:right]) <= average * items)
    risk = measured(supports(counts), papers_attacker(), ga.Tolerance(average=average))
    worst = papers_attacker(order="worst")
    point = ga.breaking_point(ga.Release(supports(counts)), worst, ga.Tolerance(average=average))

    assert risk.figures["breaking_point_worst"] == Fraction(holds, items)
    assert (point.value, point.unit, point.at_least) == (holds / items, "share right", holds == items)
    total = sum(found)
    assert risk.figures["breaking_point_exact_risk"] == min(1, average * items / total)
    assert risk.holds_up_to.value == float(risk.figures["breaking_point_exact_risk"])


@settings(max_examples=50)
@given(
    counts=counts_of_items,
    wanted=st.sets(st.integers(0, 6), min_size=1),
    limit=fractions("1/9", 1, max_denominator=9),
)
def test_only_items_of_interest_count(counts: list[int], wanted: set[int], limit: Fraction) -> None:
    found = oracle.crack_chances(around(counts, median_gap(counts)))
    items = sorted(wanted & set(range(len(counts))))
    assume(any(counts[item] for item in items))
    attacker = papers_attacker(of_interest=[f"i{item}" for item in items])
    risk = measured(supports(counts), attacker, ga.Tolerance(average="1/10", identity=limit))

    assert risk.average == sum(found[item] for item in items) / len(items)
    assert risk.share == Fraction(sum(found[item] >= limit for item in items), len(items))
    assert len(risk.exposures) == len(items)
    exactly = sum(Fraction(1, counts.count(counts[item])) for item in items)
    assert risk.figures["point_valued_cracks"] == exactly


def test_an_item_that_never_occurs_is_an_item() -> None:
    plain, wider = baskets([3, 3, 5]), baskets([3, 3, 5], domain=["never"])
    first, second = (measured(data, papers_attacker(), AVERAGE) for data in (plain, wider))

    assert (first.figures["items"], second.figures["items"]) == (3, 4)
    assert second.figures["groups"] == first.figures["groups"] + 1
    assert second.figures["median_gap"] == Fraction(5, 2 * TOTAL)


def test_exposures_say_why_worst_first() -> None:
    exposures = measured(
        supports([9, 9, 9, 3, 6]), papers_attacker(belief=ga.Belief.around("1/12")), HALF
    ).exposures
    exact = measured(supports([9, 9, 9, 3, 6]), papers_attacker(belief=ga.Belief.exact()), HALF).exposures

    assert [exposure.target for exposure in exposures] == ["i3", "i4", "i0", "i1", "i2"]
    assert exposures[0].because == "Nothing else occurs as often, give or take 8.3 %: recognised for certain."
    assert exposures[2].because == "2 other items occur about as often: one chance in 3."
    assert exact[0].because == "Nothing else occurs exactly as often: recognised for certain."
    forced = measured(
        supports([1, 2]), papers_attacker(belief=ga.Belief.intervals({"i0": (0, "1/12")})), HALF
    ).exposures
    assert forced[0].because == "Nothing else occurs about as often: recognised for certain."
    assert "it must have another code" in forced[1].because


@pytest.mark.papers
def test_curves_show_the_envelope_and_similar_data_with_the_breaking_point() -> None:
    data = baskets([1, 2, 3, 5, 5, 8, 8, 8, 11])
    risk = measured(data, papers_attacker(compliance="1/2"), ga.Tolerance(average="1/5"))
    curves = {curve.name: curve for curve in risk.curves}

    assert set(curves) == {"chances", "strength", "worst", "best", "similar_data"}
    assert curves["worst"].beside == curves["best"].beside == "strength"
    low, high = curves["strength"].band or ((), ())
    assert all(a <= b + 1e-12 <= c + 2e-12 for a, b, c in zip(low, curves["strength"].y, high, strict=True))
    assert [mark.label for mark in curves["strength"].marks][-1] == "stated"
    assert curves["similar_data"].limit == risk.holds_up_to.value
    assert curves["similar_data"].x == (0.1, 0.3, 0.5, 0.7, 0.9)
    assert sum(curves["chances"].y) == 9
    again = measured(data, papers_attacker(compliance="1/2"), ga.Tolerance(average="1/5"))
    other = measured(data, papers_attacker(), ga.Tolerance(average="1/5"), seed=7)
    assert [curve for curve in again.curves if curve.name == "similar_data"] == [curves["similar_data"]]
    assert [curve.y for curve in other.curves if curve.name == "similar_data"] != [curves["similar_data"].y]


def similar(belief: ga.Belief, tolerance: ga.Tolerance = AVERAGE) -> Curve | None:
    risk = measured(baskets([1, 2, 3, 4, 12]), papers_attacker(belief=belief), tolerance)
    return next((curve for curve in risk.curves if curve.name == "similar_data"), None)


@pytest.mark.papers
def test_similar_data_are_believed_by_the_rule_of_the_attacker() -> None:
    """Gaps of 1, 1, 1 and 8: the mean gap of a sample reaches further than its median gap, and everything is in reach of all."""
    narrow, wide, whole, point = (
        similar(belief)
        for belief in (
            ga.Belief.around(),
            ga.Belief.around("mean gap"),
            ga.Belief.around(1),
            ga.Belief.exact(),
        )
    )

    assert narrow is not None
    assert wide is not None
    assert whole is not None
    assert point is not None
    assert whole.y == (1.0,) * 5
    assert sum(point.y) < sum(narrow.y) < sum(wide.y) <= 5
    assert "give or take its own mean gap" in wide.says
    assert "give or take 100 % of its transactions" in whole.says
    assert similar(ga.Belief.ignorant()) is None
    assert similar(ga.Belief.intervals({"i0": (0, 1)})) is None


def test_a_hard_component_is_estimated_with_a_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.attacks.frequencies.exact_chances.items.BUDGET", 5)
    counts = [1, 2, 3, 4, 5, 6, 7, 12]
    exact = expected(around(counts, Fraction(2)))
    risk = measured(supports(counts), papers_attacker(belief=ga.Belief.around("1/6")), AVERAGE)

    assert risk.how.method == "estimate"
    assert "belief propagation" in risk.how.detail
    assert float(risk.figures["expected_cracks"]) == pytest.approx(float(exact), rel=0.1)
    # The item apart from all others is known exactly, so that the margin is one of the rest.
    assert risk.how.margin == pytest.approx(0.05 * (float(risk.figures["expected_cracks"]) - 1) / 8)
    limit = Fraction(risk.average) + Fraction(1, 1000)
    assert (
        ga.assess(
            ga.Release(supports(counts)),
            papers_attacker(belief=ga.Belief.around("1/6")),
            ga.Tolerance(average=limit),
        ).safe
        is None
    )


@pytest.mark.parametrize("targets", ["items", "pairs"])
def test_a_verdict_works_out_nothing_that_only_a_report_shows(targets: Literal["items", "pairs"]) -> None:
    data = baskets([1, 2, 3, 5, 5, 8])
    risk = measured(data, papers_attacker(targets=targets), ga.Tolerance(identity="1/2", share="1/10"))
    parts = {name for name in vars(Details) if not name.startswith("_")}

    assert not parts & set(vars(risk.details))
    assert len(risk.curves) > 1
    assert {"curves", "_question"} <= set(vars(risk.details))


def test_seconds_stop_the_work() -> None:
    found = ga.assess(
        ga.Release(supports([1, 2, 3])), papers_attacker(), AVERAGE, effort=ga.Effort(seconds=1e-9)
    )

    assert found.safe is None
    assert "Stopped" in found.findings[0].reasons[0]
