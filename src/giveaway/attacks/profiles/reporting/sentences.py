"""The sentences about people and rules: why somebody is exposed, and what contradicts what."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.model.data.labels import Label

_LONGEST_LABEL = 40
_TINY = 0.001
_CERTAIN = 1e-7


def named(label: Label) -> str:
    """Write a label, shortened when it is very long."""
    text = str(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def listed(parts: Sequence[str]) -> str:
    """Join words as in "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def counted(count: int, noun: str, many: str | None = None) -> str:
    """Count things in words."""
    return f"1 {noun}" if count == 1 else f"{count:,} {many or noun + 's'}"


def percent(chance: Fraction | float) -> str:
    """Write a chance as a percentage with one decimal; only what is certain is written as 0 % or 100 %."""
    share = float(chance)
    if share > 1 - _CERTAIN:
        return "100 %"
    if _CERTAIN < share < _TINY:
        return "fewer than 1 in 1,000"
    tenths = min(round(share * 1000), 999)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def decimal(number: Fraction | float) -> str:
    """Write a number of records, with decimals only where it has some."""
    return f"{int(number):,}" if number == int(number) else f"{float(number):,.4g}"


def amount(low: float, high: float, people: int) -> str:
    """Say how many of so many people a bound allows; an open end is infinite."""
    if low in (high, people) or high == 0:
        many = f"exactly {decimal(high if high == 0 else low)}"
    elif high == float("inf"):
        many = f"at least {decimal(low)}"
    elif low == -float("inf"):
        many = f"at most {decimal(high)}"
    else:
        many = f"between {decimal(low)} and {decimal(high)}"
    return f"{many} of {counted(people, 'record')}"


def because(pushing: Sequence[str], chance: float, baseline: Fraction) -> str:
    """Say which rules put a chance where it is."""
    if not pushing:
        return f"Nothing that is published moves the chance of {percent(chance)}."
    said = listed(pushing)
    verb = "puts" if len(pushing) == 1 else "put"
    return (
        f"{said[0].upper()}{said[1:]} {verb} the chance at {percent(chance)}; "
        f"without the release it would be {percent(baseline)}."
    )
