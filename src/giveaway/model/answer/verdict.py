"""Verdicts: a measured risk against a tolerance."""

from collections.abc import Iterable
from typing import Literal

from giveaway.model.answer.risk import Risk
from giveaway.model.question.tolerance import Tolerance

Verdict = Literal["safe", "at risk", "cannot judge"]

METHOD = "knowing how giveaway chose what to withhold"
"""What the attackers of the papers are judged without."""


def judge(risk: Risk, tolerance: Tolerance) -> tuple[bool | None, tuple[str, ...]]:
    """Tell whether a risk is within the limits that it is judged by, None when that cannot be told, with reasons.

    An estimate is judged with its margin: value above the limit is at risk, value plus margin within it is safe, and
    between the two there is no verdict.
    """
    margin = 0.0 if risk.margin is None else risk.margin
    numbers = {"share": risk.share} | risk.over_all | ({"average": None} if risk.undecided else {})
    stated = {"share": tolerance.share} | tolerance.stated
    judged = [
        (value, stated[name]) for name, value in numbers.items() if value is not None and name in stated
    ]
    if any(value > limit for value, limit in judged):
        return False, risk.reasons
    if margin and any(value + margin > limit for value, limit in judged):
        return None, (
            *risk.reasons,
            f"The estimate is within your limit, but not with its margin of {margin:.3g}.",
        )
    unmeasured = [name for name, _ in tolerance.further if numbers.get(name, risk.share) is None]
    if unmeasured:
        return None, (*risk.reasons, f"What {unmeasured[0]} limits was not measured.")
    if risk.doubt is not None:
        return None, (*risk.reasons, risk.doubt)
    return True, risk.reasons


def overall(verdicts: Iterable[bool | None]) -> bool | None:
    """Join the verdicts on several attackers: at risk beats cannot judge beats safe."""
    answers = list(verdicts)
    if False in answers:
        return False
    return None if None in answers else True


def in_words(safe: bool | None) -> Verdict:
    """Name a verdict."""
    return "cannot judge" if safe is None else "safe" if safe else "at risk"
