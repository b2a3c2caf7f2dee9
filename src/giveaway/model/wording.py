"""How counts, chances and lists are written, in every sentence and every view."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from giveaway.model.answer.nouns import nouns

Number = Fraction | float | int

DASH = "\u2013"
"""What stands where there is no number."""

_SMALL = Fraction(1, 1000)
_SINGULAR = {
    "categories": "category",
    "classes": "class",
    "entries": "entry",
    "losses": "loss",
    "people": "person",
}
_MOST_DIGITS = 6
_SIMPLE = 10_000
_READABLE = 10**9
"""The largest denominator that somebody would read."""


def counted(value: int, noun: str, one: str | None = None) -> str:
    """Write a count with its noun, given in the plural; `one` is what one of it is called where that is not its singular.

    >>> counted(1, "records"), counted(2_000, "people"), counted(1, "records agree", "record agrees")
    ('1 record', '2,000 people', '1 record agrees')
    """
    return f"{value:,} {nouns().told(noun if value != 1 else one or singular(noun))}"


def singular(noun: str) -> str:
    """Return the singular of a plural noun."""
    of_release = nouns().singular(noun)
    if of_release is not None:
        return of_release
    *before, last = noun.split(" ")
    return " ".join([*before, _SINGULAR.get(last, last.removesuffix("s"))])


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Join words as in a sentence: `a, b and c`."""
    return " ".join(filter(None, [", ".join(parts[:-1]), word if len(parts) > 1 else "", *parts[-1:]]))


def percent(
    value: Number | None, *, limit: Number | None = None, short: bool = False, slack: float = 0
) -> str:
    """Write a chance or a share with one decimal, without any where it is whole, and never so that it looks nicer than it is.

    More decimals are written when one would hide on which side of `limit` the value lies. What comes from an iteration
    is certain, or impossible, when it is within `slack` of that.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 5)), percent(Fraction(1, 5000)), percent(Fraction(99999, 100000))
    ('33.3 %', '20 %', 'fewer than 1 in 1,000', '99.999 %')
    """
    if value is None or value == inf:
        return DASH if value is None else "without bound"
    if slack:
        value = 1 if value > 1 - slack else 0 if value < slack else value
    if value == limit or (100 * simple(value)).denominator == 1:
        return exact_percent(value)
    if 0 < value < _SMALL:
        return "< 0.1 %" if short else "fewer than 1 in 1,000"
    for places in range(1, _MOST_DIGITS):
        text = f"{float(100 * value):.{places}f}"
        if not misleads(Fraction(text) / 100, value, limit):
            return f"{text} %"
    return "over 99.9 %" if value < 1 and value > Fraction(999, 1000) else f"{text} %"


def misleads(shown: Fraction, value: Number, limit: Number | None) -> bool:
    """Tell whether a rounded number looks certain when it is not, or hides on which side of the limit it lies."""
    if shown == 1 and value < 1:
        return True
    return limit is not None and ((shown > limit) != (value > limit) or (shown == limit and value != limit))


def exact_percent(value: Number) -> str:
    """Write a limit as it was meant: `20 %`, `12.5 %`, and `2/3` where no short decimal says it."""
    hundredfold = 100 * simple(value)
    if hundredfold.denominator == 1:
        return f"{hundredfold.numerator:,} %"
    if (1000 * hundredfold).denominator == 1:
        return f"{float(hundredfold):g} %"
    plain = hundredfold / 100
    if plain.denominator > _READABLE:
        return f"{float(hundredfold):.6g} %"
    return f"{plain.numerator}/{plain.denominator}"


def width_percent(value: Number) -> str:
    """Write how far something is off, however little that is, with two digits where they are below ten: `0.57 %`."""
    hundredfold = float(100 * value)
    return f"{hundredfold:.1f} %".replace(".0 %", " %") if hundredfold >= 10 else f"{hundredfold:.2g} %"  # noqa: PLR2004 - two digits


def simple(value: Number) -> Fraction:
    """Return the simple fraction that a float stands for; four digits of it when there is none."""
    if not isinstance(value, float):
        return Fraction(value)
    near = Fraction(value).limit_denominator(_SIMPLE)
    return near if float(near) == value else Fraction(f"{value:.4f}")


def one_in(value: Number | None) -> str | None:
    """Write a chance of 1/n as `1 in n`; None for any other chance."""
    if isinstance(value, Fraction) and value.numerator == 1 and 1 < value.denominator <= _READABLE:
        return f"1 in {value.denominator:,}"
    return None
