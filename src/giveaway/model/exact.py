"""Exact numbers: limits are fractions, whatever form they are written in."""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from giveaway.errors import ScenarioError

Number = Fraction | Decimal | int | float | str

_RATIO = re.compile(r"-?[0-9]+/[0-9]+")


def fraction(value: object, name: str = "a limit") -> Fraction:
    """Read `"1/3"`, `"0.6"`, `0.6`, `Decimal` or `Fraction` exactly; a float is taken by its decimal text."""
    if isinstance(value, bool) or not isinstance(value, Fraction | Decimal | int | float | str):
        raise ScenarioError(f"{name} = {value!r} is not a number.", hint='write 0.2, "0.2" or "1/5".')
    try:
        return Fraction(str(value).strip()) if isinstance(value, float | str) else Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        raise ScenarioError(
            f"{name} = {value!r} is not a finite number.", hint='write 0.2, "0.2" or "1/5".'
        ) from None


def ratio(value: Fraction) -> str:
    """Write a fraction as `num/den`, the form it has in the Summary."""
    return f"{digits(value.numerator)}/{digits(value.denominator)}"


def read_ratio(text: str) -> Fraction | None:
    """Read what `ratio` wrote; None for any other text."""
    if _RATIO.fullmatch(text) is None:
        return None
    above, below = (int(Decimal(part)) for part in text.split("/"))
    return Fraction(above, below) if below else None


def digits(value: int) -> str:
    """Write a whole number in full; Python itself refuses those of more than 4,300 digits, decimals do not."""
    return format(Decimal(value), "f")
