"""How numbers, chances and limits are written, the same in every view."""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from math import inf
from typing import Any

from giveaway.model import wording
from giveaway.model.exact import read_ratio
from giveaway.model.question.limits import kind_of
from giveaway.model.question.presets import crowd
from giveaway.model.wording import DASH, Number, counted, joined, misleads, one_in, simple, singular

__all__ = [
    "DASH", "GAP", "Number", "all_of", "amount", "count", "count_or_dash", "counted", "day", "ended", "exact_percent", "joined", "limit_amount", "limit_in_words",
    "number", "one_in", "ordinal", "percent", "ratio_text", "seconds", "sentence", "singular", "spelled", "times", "unbroken",
    "with_one_in",
]  # fmt: skip

GAP = "\u00a0"
"""The no-break space between a number and its unit."""

_SMALL = Fraction(1, 1000)
_SPELLED = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_ORDINALS = ("", "a first", "a second", "a third", "a fourth", "a fifth", "a sixth", "a seventh", "an eighth")
_MOST_DIGITS = 6
_READABLE = 10**9
"""The largest denominator that somebody would read."""
_TOO_LARGE = 10**300
"""From here on a number is called infinite: its percentage would be beyond all floats."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def number(holder: Mapping[str, Any], name: str) -> Number | None:
    """Read a number of a Summary, exactly where its `num/den` is next to it."""
    exact = holder.get(f"{name}_exact")
    ratio = read_ratio(exact) if isinstance(exact, str) else None
    if ratio is not None:
        return ratio if abs(ratio) < _TOO_LARGE else inf
    value = holder.get(name)
    if isinstance(value, str):
        return float(value)
    return value


def percent(value: Number | None, *, limit: Number | None = None, short: bool = False) -> str:
    """Write a chance or a share, its number and its unit on one line."""
    return _unit_kept(wording.percent(value, limit=limit, short=short))


def exact_percent(value: Number) -> str:
    """Write a limit as it was meant, its number and its unit on one line."""
    return _unit_kept(wording.exact_percent(value))


def _unit_kept(text: str) -> str:
    return text.replace(" %", f"{GAP}%").replace("< ", f"<{GAP}")


def with_one_in(value: Number | None, *, limit: Number | None = None) -> str:
    """Write a chance as a percentage, with `1 in n` after it where that is exact."""
    crowd = one_in(value)
    if value is not None and crowd and value < _SMALL:
        return crowd
    text = percent(value, limit=limit)
    if crowd and "/" in text:
        return crowd
    return f"{text} ({crowd})" if crowd else text


def amount(kind: str, value: Number | None, *, limit: Number | None = None, short: bool = False) -> str:
    """Write what is measured of a kind: a chance in percent, a loss as a plain number."""
    if kind_of(kind).part or value is None:
        return percent(value, limit=limit, short=short)
    if value == inf:
        return "without bound"
    for places in range(3, 3 + _MOST_DIGITS):
        text = f"{float(value):,.{places}g}"
        if value == limit or "e" in text or not misleads(Fraction(text.replace(",", "")), value, limit):
            break
    return text


def limit_in_words(kind: str, limit: Number, share: Number | None = None, of: str = "") -> str:
    """Write a limit: `1 in 5` for finding somebody, `50 %` for learning something, an average by its name.

    A chance of finding somebody that is no 1/k has its crowd next to it: `9 %, a crowd of 12`. `share` is the part
    of the targets that may be above it, and `of` their name.
    """
    row = kind_of(kind)
    written = row.strength.format(amount=limit_amount(kind, limit))
    if not share or not row.of_targets:
        return written
    return f"{written}; up to {exact_percent(share)}{f' of the {of}' if of else ''} may be above"


def limit_amount(kind: str, limit: Number) -> str:
    """Write the amount of a limit."""
    row = kind_of(kind)
    if not row.part:
        return amount(kind, limit)
    return (one_in(limit) or _with_crowd(limit)) if row.in_crowds else exact_percent(limit)


def _with_crowd(limit: Number) -> str:
    """Write a limit that is no 1/k with the smallest crowd that is within it."""
    near = simple(limit)
    return exact_percent(limit) if near >= 1 else f"{exact_percent(limit)}, a crowd of {crowd(near):,}"


def count(value: float) -> str:
    """Write a count with thousands separated by commas."""
    return f"{value:,}"


def count_or_dash(value: float | None) -> str:
    """Write a count, and a dash where there is none."""
    return DASH if value is None else count(value)


def spelled(value: int) -> str:
    """Spell a small number out."""
    return _SPELLED[value] if 0 <= value < len(_SPELLED) else count(value)


def all_of(value: int, noun: str) -> str:
    """Name all of a small number of things: `both attackers`, `all three attackers`."""
    return f"both {noun}" if value == 2 else f"all {spelled(value)} {noun}"  # noqa: PLR2004 - two are both


def ordinal(value: int) -> str:
    """Say which one in a row: `a third`."""
    return _ORDINALS[value] if 0 < value < len(_ORDINALS) else f"number {value:,}"


def times(chance: Number | None, baseline: Number | None) -> str:
    """Say how many times as likely a chance is as the chance without the release; nothing where it is about the same."""
    if chance is None or not baseline or not float(baseline) or baseline == inf:
        return ""
    ratio = float(chance) / float(baseline)
    if ratio == inf or 0.95 < ratio < 1.05:  # noqa: PLR2004 - what one decimal would call 1.0
        return ""
    return f"{ratio:,.0f} times" if ratio >= 9.95 else f"{ratio:.1f} times"  # noqa: PLR2004 - where one decimal ends


def day(text: str) -> str:
    """Write an ISO date in words; anything else as it stands."""
    try:
        when = date.fromisoformat(text[:10])
    except ValueError:
        return text
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def seconds(value: Number) -> str:
    """Write a duration."""
    if value < 0.1:  # noqa: PLR2004 - what tenths do not show
        return f"under 0.1{GAP}s"
    return f"{float(value):.1f}{GAP}s" if value < 100 else f"{float(value):,.0f}{GAP}s"  # noqa: PLR2004 - where tenths stop to matter


def ended(text: str) -> str:
    """Make a text end with a full stop; it may begin with a label, so its first letter stays."""
    trimmed = text.strip()
    return trimmed if not trimmed or trimmed[-1] in ".?!…" else f"{trimmed}."


def sentence(text: str) -> str:
    """Make a text of our own begin with a capital and end with a full stop."""
    whole = ended(text)
    return whole[:1].upper() + whole[1:]


def unbroken(text: str) -> str:
    """Keep the numbers of a sentence that was written elsewhere with their unit, and `1 in 5` in one piece."""
    return re.sub(r"\b1 in (?=\d)", f"1{GAP}in{GAP}", text.replace(" %", f"{GAP}%"))


def ratio_text(holder: Mapping[str, Any], name: str) -> str:
    """Write a limit as the fraction it is, `1/5`, or by its decimals where no fraction is saved."""
    exact = number(holder, name)
    if isinstance(exact, Fraction) and exact.denominator <= _READABLE:
        return str(exact)
    return f"{float(exact or 0):g}"
