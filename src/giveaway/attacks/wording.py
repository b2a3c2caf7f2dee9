"""How the sentences of every attack write labels, lists, counts and chances."""

from collections.abc import Sequence

from giveaway.model.data.labels import Label
from giveaway.model.wording import counted, exact_percent, percent, width_percent
from giveaway.model.wording import joined as listed

__all__ = ["counted", "exact_percent", "few", "listed", "named", "percent", "width_percent"]

_LONGEST_LABEL = 40
_FEW = 4


def named(label: Label) -> str:
    """Write a label, shortened when it is very long."""
    text = str(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def few(columns: Sequence[str], which: str = "") -> str:
    """Name columns where they are few, and count them where they are many; `which` says more about them.

    >>> few(["sex", "age"]), few(list("abcdef"), "published")
    ('the sex and age', '6 published columns')
    """
    before = f"{which} " if which else ""
    return f"the {before}{listed(columns)}" if len(columns) <= _FEW else f"{len(columns)} {before}columns"
