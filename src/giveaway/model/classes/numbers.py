"""Numbers as they are written, and the intervals that they are put into: decimals, never binary floats."""

import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([-+]?[0-9]+))?")
_DIGITS = 400
"""A number with more digits, written in full, is not one that somebody counted or measured."""

_WIDE = Context(prec=4 * _DIGITS)
_SIGNED = r"-?[0-9]+(?:\.[0-9]+)?"
_INTERVALS = (
    re.compile(rf"(?P<low>{_SIGNED})-(?P<last>{_SIGNED})"),
    re.compile(rf"(?P<low>{_SIGNED}) to (?P<last>{_SIGNED})"),
    re.compile(rf"\[(?P<low>{_SIGNED}), (?P<high>{_SIGNED})\)"),
    re.compile(rf"<(?P<high>{_SIGNED})"),
    re.compile(rf"(?P<low>{_SIGNED})\+"),
)
"""How labels write intervals."""


def number(text: str, decimal: str = ".") -> Decimal | None:
    """Read a number exactly as it is written; None where it is not one.

    >>> number("0.30") == number("3e-1"), number("1,000"), number("1,5", ",")
    (True, None, Decimal('1.5'))
    """
    plain = text.strip()
    if decimal != ".":
        plain = plain.replace(".", " ").replace(decimal, ".")
    match = _NUMBER.fullmatch(plain)
    if match is None or len(plain) > _DIGITS or abs(int(match[1] or 0)) > _DIGITS:
        return None
    return Decimal(plain)


def written(value: Decimal) -> str:
    """Write a number with as few digits as it needs.

    >>> written(Decimal("0.30")), written(Decimal("1e3")), written(Decimal("-0.0"))
    ('0.3', '1000', '0')
    """
    text = format(value, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def is_whole(value: Decimal) -> bool:
    """Tell whether a number is a whole one."""
    return value == value.to_integral_value()


class Interval(NamedTuple):
    """The numbers from `low` to below `high`; None where there is no end."""

    low: Decimal | None
    high: Decimal | None

    def meets(self, other: "Interval", *, whole: bool) -> bool:
        """Tell whether two intervals have a number in common, a whole one if all are."""
        low = max((end for end in (self.low, other.low) if end is not None), default=None)
        high = min((end for end in (self.high, other.high) if end is not None), default=None)
        if low is None or high is None:
            return True
        return (math.ceil(low) if whole else low) < high

    def label(self, *, whole: bool) -> str:
        """Write the interval: `18-39` or `65` for whole numbers, `[18, 39.5)` for others, open ends `<18` and `65+`.

        >>> Interval(Decimal(-500), Decimal(0)).label(whole=True)
        '-500 to -1'
        """
        if self.low is None:
            return "*" if self.high is None else f"<{written(self.high)}"
        if self.high is None:
            return f"{written(self.low)}+"
        if not whole:
            return f"[{written(self.low)}, {written(self.high)})"
        last = _exact(Fraction(self.high) - 1)
        if last == self.low:
            return written(last)
        return f"{written(self.low)}{' to ' if self.low < 0 else '-'}{written(last)}"


def interval(text: str, *, whole: bool) -> Interval | None:
    """Read the label of an interval; one that names its last number is known among whole numbers only."""
    for form in _INTERVALS:
        match = form.fullmatch(text)
        if match is None:
            continue
        ends = {name: Decimal(end) for name, end in match.groupdict().items()}
        if "last" in ends:
            if not whole or not all(map(is_whole, ends.values())):
                return None
            ends["high"] = _exact(Fraction(ends.pop("last")) + 1)
        low, high = ends.get("low"), ends.get("high")
        return Interval(low, high) if low is None or high is None or low < high else None
    return None


@dataclass(frozen=True)
class Cuts:
    """Intervals between ascending cuts, each of which belongs to the interval that it begins; both ends are open."""

    at: tuple[Decimal, ...]

    def place(self, value: Decimal) -> int:
        """Return the number of cuts that are not above a value."""
        return bisect_right(self.at, value)

    def interval(self, place: int) -> Interval:
        """Return the interval above so many cuts."""
        ends = (None, *self.at, None)
        return Interval(ends[place], ends[place + 1])


@dataclass(frozen=True)
class Steps:
    """Intervals of one width, one of which begins at `start`."""

    width: Decimal
    start: Decimal = Decimal(0)

    def place(self, value: Decimal) -> int:
        """Return the number of whole widths between the start and a value."""
        return int((Fraction(value) - Fraction(self.start)) // Fraction(self.width))

    def interval(self, place: int) -> Interval:
        """Return the interval after so many widths."""
        low = _exact(Fraction(self.start) + place * Fraction(self.width))
        return Interval(low, _exact(Fraction(low) + Fraction(self.width)))


def _exact(value: Fraction) -> Decimal:
    """Return a fraction that is a decimal as one, however many digits it needs."""
    digits = 0
    while value.denominator != 1:
        value, digits = value * 10, digits + 1
    return Decimal(value.numerator).scaleb(-digits, _WIDE)


def rounded(value: Decimal, step: Decimal) -> Decimal:
    """Return the multiple of a step that is nearest, the upper of two.

    >>> rounded(Decimal(250), Decimal(100))
    Decimal('300')
    """
    count = (Fraction(value) / Fraction(step) + Fraction(1, 2)) // 1
    return _exact(count * Fraction(step))


def two_digits(value: Decimal) -> Decimal:
    """Return the number of two significant digits that is nearest, the upper of two; whose value it is plays no part.

    >>> [str(two_digits(Decimal(text))) for text in ("3111", "-1250", "0.0567", "48")]
    ['3100', '-1200', '0.057', '48']
    """
    return rounded(value, Decimal(1).scaleb(value.adjusted() - 1)) if value else value
