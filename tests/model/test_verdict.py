"""A measured risk against limits: at a limit is within it, and what is not sure is not safe."""

from fractions import Fraction
from typing import Any

import pytest

from giveaway.model.answer.risk import Details, Risk
from giveaway.model.answer.verdict import judge, overall
from giveaway.model.question.tolerance import Tolerance

HALF, ABOVE = Fraction(1, 2), Fraction(501, 1000)


class Nothing(Details):
    """Whatever only a report shows."""


@pytest.mark.parametrize(
    ("measured", "safe"),
    [
        ({"share": HALF}, True),
        ({"share": ABOVE}, False),
        ({"share": 0, "average": HALF}, True),
        ({"share": 0, "average": ABOVE}, False),
        ({"share": HALF, "margin": 0.0}, True),
        ({"share": 0.49, "margin": 0.01}, True),
        ({"share": 0.49, "margin": 0.015}, None),
        ({"share": 0.51, "margin": 0.1}, False),
        ({"share": 0, "doubt": "why"}, None),
        ({"share": ABOVE, "doubt": "why"}, False),
        ({"share": 0, "average": ABOVE, "undecided": True, "doubt": "too close"}, None),
    ],
)
def test_a_limit_may_be_reached_and_doubt_is_not_safe(measured: dict[str, Any], safe: bool | None) -> None:
    tolerance = Tolerance(identity="1/5", share=HALF, average=HALF)
    assert judge(Risk(details=Nothing(), **measured), tolerance)[0] is safe


@pytest.mark.parametrize(
    ("verdicts", "safe"),
    [
        ([True, True], True),
        ([True, None], None),
        ([None, False, True], False),
        ([True, False], False),
        ([], True),
    ],
)
def test_the_worst_of_several_verdicts_stands(verdicts: list[bool | None], safe: bool | None) -> None:
    assert overall(verdicts) is safe
