"""Estimates and simulations are judged with their margins, by the verdict, the breaking point and the protector alike."""

from fractions import Fraction
from typing import Any

import pytest
from tests.attacks.frequencies.cases import baskets, measured, papers_attacker, supports

import giveaway as ga

COUNTS = [1, 2, 3, 4, 5, 6, 7, 12]
"""Seven items that are taken for each other, and one apart."""

WIDE = papers_attacker(belief=ga.Belief.around("1/6"))
WRONG = papers_attacker(
    belief=ga.Belief.intervals({"i0": ("1/12", "1/12"), "i1": ("1/12", "1/12"), "i2": ("1/4", "1/4")})
)
"""Two items are believed to be the only one that occurs once."""

NO_LIMIT = ga.Tolerance(average="1/100")


@pytest.fixture
def estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all counting be too much work, except of what is apart."""
    monkeypatch.setattr("giveaway.attacks.frequencies.exact_chances.items.BUDGET", 5)


def safe(data: Any, attacker: ga.KnowsFrequencies, **limits: Any) -> bool | None:
    return ga.assess(ga.Release(data), attacker, ga.Tolerance(**limits)).safe


def between(value: Any, margin: float | None, part: Fraction) -> Fraction:
    """Return a limit that a value is within, and its margin is not unless the part is above one."""
    assert margin
    return Fraction(value) + part * Fraction(margin)


HALF, TWICE = Fraction(1, 2), Fraction(2)


@pytest.mark.usefixtures("estimates")
def test_an_estimated_average_is_safe_only_with_its_margin() -> None:
    data = supports(COUNTS)
    risk = measured(data, WIDE, NO_LIMIT)

    assert risk.how.method == "estimate"
    assert safe(data, WIDE, average=between(risk.average, risk.margin, HALF)) is None
    assert safe(data, WIDE, average=between(risk.average, risk.margin, TWICE)) is True


def test_a_simulated_average_is_safe_only_with_its_interval() -> None:
    data = supports([1, 2, 3, 6, 6, 6, 9, 9, 9])
    risk = measured(data, WRONG, NO_LIMIT)

    assert risk.how.method == "simulated"
    assert safe(data, WRONG, average=between(risk.average, risk.margin, HALF)) is None
    assert safe(data, WRONG, average=between(risk.average, risk.margin, TWICE)) is True


@pytest.mark.usefixtures("estimates")
def test_an_estimated_chance_may_be_twice_as_large() -> None:
    data = supports(COUNTS[:-1])
    largest = Fraction(measured(data, WIDE, NO_LIMIT).exposures[0].chance)

    assert safe(data, WIDE, identity=largest * Fraction(19, 10)) is None
    assert safe(data, WIDE, identity=largest * Fraction(21, 10)) is True


def test_a_simulated_chance_may_be_as_large_as_its_interval_ends() -> None:
    data = supports([1, 2, 3, 6, 6, 6, 9, 9, 9])
    largest = Fraction(measured(data, WRONG, NO_LIMIT).exposures[0].chance)

    assert safe(data, WRONG, identity=largest * Fraction(1001, 1000)) is None
    assert safe(data, WRONG, identity=min(largest * Fraction(12, 10), Fraction(1))) is True


@pytest.mark.usefixtures("estimates")
def test_what_holds_holds_with_the_margin() -> None:
    data = supports(COUNTS)
    risk = measured(data, WIDE, NO_LIMIT)
    for part, holds in ((HALF, False), (TWICE, True)):
        limit = ga.Tolerance(average=between(risk.average, risk.margin, part))
        point = ga.breaking_point(ga.Release(data), WIDE, limit)
        assert (point.value == 1) is holds


@pytest.mark.usefixtures("estimates")
def test_withholding_goes_on_until_the_margin_is_within_the_limit_too() -> None:
    data = supports(COUNTS)
    risk = measured(data, WIDE, NO_LIMIT)
    safer = ga.protect(ga.Release(data), WIDE, ga.Tolerance(average=between(risk.average, risk.margin, HALF)))

    assert safer.safe
    assert safer.withheld.items


def test_withholding_goes_on_until_the_interval_of_a_sample_of_sets_is_within_the_limit_too() -> None:
    attacker = papers_attacker(belief=ga.Belief.exact(), targets=ga.Itemsets(size=2, sample=30))
    data = baskets([8, 9, 2, 6, 7, 6, 10, 11, 4, 9])
    risk = measured(data, attacker, ga.Tolerance(identity="1/2", share=0))
    limit = ga.Tolerance(identity="1/2", share=between(risk.share, risk.margin, HALF))

    assert ga.assess(ga.Release(data), attacker, limit).safe is None
    safer = ga.protect(ga.Release(data), attacker, limit)
    assert safer.safe
    assert safer.withheld.items


@pytest.mark.usefixtures("estimates")
def test_fewer_items_are_withheld_only_if_the_rest_is_safe_with_its_margin() -> None:
    data = supports([6, 5, 7, 2, 2, 9, 8, 8])
    limit = ga.Tolerance(identity="3/4")

    assert ga.assess(ga.Release(data), WIDE, limit).safe is None
    safer = ga.protect(ga.Release(data), WIDE, limit)
    assert safer.safe
    assert safer.withheld.items
