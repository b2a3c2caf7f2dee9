"""The sentences about people and rules: why somebody is exposed, and what contradicts what."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.attacks import wording
from giveaway.attacks.profiles.claims.claims import decimal
from giveaway.attacks.wording import counted, listed

AGAINST = "reads the {published} (their choice is not judged)"
"""Whom the verdict is about: nothing is proved of somebody who asks why others are not published."""

_CERTAIN = 1e-7


def percent(chance: Fraction | float) -> str:
    """Write a chance as a percentage with one decimal; only what is certain is written as 0 % or 100 %."""
    return wording.percent(chance, slack=_CERTAIN)


def amount(low: float, high: float, people: int) -> str:
    """Say how many people a bound allows, and of how many; an open end is infinite."""
    if low in (high, people) or high == 0:
        many = f"exactly {decimal(high if high == 0 else low)}"
    elif high == float("inf"):
        many = f"at least {decimal(low)}"
    elif low == -float("inf"):
        many = f"at most {decimal(high)}"
    else:
        many = f"between {decimal(low)} and {decimal(high)}"
    return f"{many} of {counted(people, 'records')}"


def because(pushing: Sequence[str], chance: float, baseline: Fraction, common: Fraction) -> str:
    """Say which rules put a chance where it is, and next to it the part of all people who have the value in truth."""
    everybody = f"{percent(common)} of all people have it"
    if not pushing:
        return f"Nothing that is published changes the chance of {percent(chance)}; {everybody}."
    names = listed(pushing)
    verb = "puts" if len(pushing) == 1 else "put"
    return (
        f"{names[0].upper()}{names[1:]} {verb} the chance at {percent(chance)}; "
        f"without the release it would be {percent(baseline)}, and {everybody}."
    )
