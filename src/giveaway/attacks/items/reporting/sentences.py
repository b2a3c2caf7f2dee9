"""The sentences about combinations of items: why one is exposed, with counts."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.attacks.wording import counted, listed, named, percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label

AGAINST = "knows published items only"
"""Whom the verdict is about where combinations with a withheld item are over a limit in the original."""

WARNING = "Somebody who also knows withheld items may be above your limit: in the original data, combinations with them are."
"""It names no number, because readers of the release see it too."""

AGAINST_LABELS = "knows published items and categories only"
"""The same where items are given as their categories."""

WARNING_OF_LABELS = (
    "Somebody who knows how giveaway chooses, and items that are withheld or given as their category, may be above your "
    "limit: in the original data, combinations with them are."
)

LONGEST = 110
_FEW = 4


def transactions(count: int) -> str:
    """Count transactions in words."""
    return counted(count, "transactions")


def _together(size: int) -> str:
    return "it" if size == 1 else "both" if size == 2 else f"all {size}"  # noqa: PLR2004 - both means two


def identity(support: int, total: int, crowd: int, alone: Sequence[int]) -> str:
    """Say how few transactions hold a combination."""
    holds = "holds" if support == 1 else "hold"
    fact = f"{support:,} of {transactions(total)} {holds} {_together(len(alone))}"
    if support >= crowd:
        limit = "which is the limit" if support == crowd else f"the limit is {crowd:,}"
        return f"{fact}{',' if support == crowd else ';'} {limit}."
    first = f"{'Exactly' if support == 1 else 'Only'} {fact}."
    if not 1 < len(alone) <= _FEW:
        return first
    more = f" Alone: {listed([f'{count:,}' for count in alone])} {nouns().transactions}."
    return first + more if len(first) + len(more) <= LONGEST else first


def attribute(support: int, count: int, size: int, secret: Label, baseline: Fraction) -> str:
    """Say how many of the transactions with a combination hold a private item."""
    holds = "holds" if support == 1 else "hold"
    known = f"{transactions(support)} {holds} {_together(size)}"
    if count == support:
        whole = "it holds" if support == 1 else "both hold" if support == 2 else "all hold"  # noqa: PLR2004 - as above
        first = f"{known}, and {whole} {named(secret)}."
    else:
        first = f"{known}; {count:,} of them {'holds' if count == 1 else 'hold'} {named(secret)}."
    more = f" Without the release: {percent(baseline)}."
    return first + more if len(first) + len(more) <= LONGEST else first


def everywhere(secret: Label, count: int, total: int) -> str:
    """Say that a private item is frequent in all transactions, whatever is known."""
    return f"{count:,} of all {transactions(total)} hold {named(secret)}, whatever else is known."
