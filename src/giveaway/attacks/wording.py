"""How the sentences of every attack write labels, lists, counts and chances."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label

_LONGEST_LABEL = 40
_FEW = 4
_TINY = Fraction(1, 1000)


def named(label: Label) -> str:
    """Write a label, shortened when it is very long."""
    text = str(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def listed(parts: Sequence[str]) -> str:
    """Join words as in "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def few(columns: Sequence[str], which: str = "") -> str:
    """Name columns where they are few, and count them where they are many; `which` says more about them.

    >>> few(["sex", "age"]), few(list("abcdef"), "published")
    ('the sex and age', '6 published columns')
    """
    before = f"{which} " if which else ""
    return f"the {before}{listed(columns)}" if len(columns) <= _FEW else f"{len(columns)} {before}columns"


def counted(count: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun.

    >>> counted(1, "record"), counted(2_000, "person", "people")
    ('1 record', '2,000 people')
    """
    return f"{count:,} {nouns().told(one if count == 1 else many or f'{one}s')}"


def percent(chance: Fraction | float, digits: int = 1, *, slack: float = 0) -> str:
    """Write a chance as a percentage, or in words when it is tiny; only what is certain is written as 100 %.

    A chance that comes from an iteration is certain, or impossible, when it is within `slack` of that.

    >>> percent(Fraction(1, 3)), percent(Fraction(9999, 10000)), percent(Fraction(1, 5000))
    ('33.3 %', '99.9 %', 'fewer than 1 in 1,000')
    """
    if slack < chance < _TINY:
        return "fewer than 1 in 1,000"
    certain = chance > 1 - slack if slack else chance >= 1
    unit = 10**digits
    whole, rest = divmod(100 * unit if certain else min(round(chance * (100 * unit)), 100 * unit - 1), unit)
    return f"{whole}.{rest:0{digits}} %" if rest else f"{whole} %"
