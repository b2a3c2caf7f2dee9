"""Exact numbers: limits are fractions, whatever form they are written in."""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

from giveaway.errors import ScenarioError

Number = Fraction | Decimal | int | float | str

_DIGITS = 1_000
_SHOWN = 60
_RATIO = re.compile(r"-?[0-9]+/[0-9]+")


def fraction(value: object, name: str = "a limit", field: str | None = None) -> Fraction:
    """Read `"1/3"`, `"0.6"`, `0.6`, `Decimal` or `Fraction` exactly; a float is taken by its decimal text.

    `field` is the field that it stands in, where that is not its name.
    """
    if isinstance(value, bool) or not isinstance(value, Fraction | Decimal | int | float | str):
        raise ScenarioError(
            f"{name} = {_shown(value)} is not a number.",
            hint='write 0.2, "0.2" or "1/5".',
            field=field or name,
        )
    if _is_long(value):
        raise ScenarioError(
            f"{name} = {_shown(value)} is a number of too many digits.",
            hint="write fewer.",
            field=field or name,
        )
    try:
        return Fraction(str(value).strip()) if isinstance(value, float | str) else Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        raise ScenarioError(
            f"{name} = {_shown(value)} is not a finite number.",
            hint='write 0.2, "0.2" or "1/5".',
            field=field or name,
        ) from None


def _is_long(value: Number) -> bool:
    """Tell whether a number written in full would have more digits than anybody writes; 1e999999999 takes all memory."""
    if isinstance(value, str):
        power = re.search(r"e[+-]?([0-9_]+)\s*$", value.casefold())
        return len(value) > _DIGITS or (power is not None and int(power[1].replace("_", "") or 0) > _DIGITS)
    if isinstance(value, Decimal):
        return value.is_finite() and abs(value.adjusted()) + len(value.as_tuple().digits) > _DIGITS
    return isinstance(value, int) and value.bit_length() > 4 * _DIGITS


def _shown(value: object) -> str:
    """Write a value for a message, cut where it is very long."""
    text = digits(value) if isinstance(value, int) and not isinstance(value, bool) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def ratio(value: Fraction) -> str:
    """Write a fraction as `num/den`, the form it has in the Summary."""
    return f"{digits(value.numerator)}/{digits(value.denominator)}"


@lru_cache(maxsize=256)
def read_ratio(text: str) -> Fraction | None:
    """Read what `ratio` wrote; None for any other text."""
    if _RATIO.fullmatch(text) is None:
        return None
    above, below = (int(Decimal(part)) for part in text.split("/"))
    return Fraction(above, below) if below else None


def digits(value: int) -> str:
    """Write a whole number in full; Python itself refuses those of more than 4,300 digits, decimals do not."""
    return format(Decimal(value), "f")
