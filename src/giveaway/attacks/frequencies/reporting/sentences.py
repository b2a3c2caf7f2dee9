"""The sentences about renamed items: why one is recognised, with counts."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.attacks.wording import counted, named, percent, width_percent
from giveaway.attacks.wording import listed as joined
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.labels import Label

__all__ = ["ANY_CODE", "because", "counted", "how_often", "listed", "named", "others", "percent"]

ANY_CODE = " The likeliest code of every item counts, true or not, so that the verdict tells nothing about the true ones."
"""How somebody who knows the method is judged."""

_FEW = 4


def listed(labels: Sequence[Label]) -> str:
    """Write a few labels, and how many more there are."""
    shown = [named(label) for label in labels[:_FEW]]
    if len(labels) > _FEW:
        return f"{', '.join(shown)} and {len(labels) - _FEW:,} more"
    return joined(shown)


def others(number: int) -> str:
    """Count other items."""
    return f"1 other {nouns().item} occurs" if number == 1 else f"{number:,} other {nouns().items} occur"


def how_often(belief: str, half_width: Fraction | None) -> str:
    """Say how similar two items are to somebody who believes something."""
    if belief == "exact":
        return "exactly as often"
    return "about as often" if half_width is None else f"as often, give or take {width_percent(half_width)}"


def because(
    chance: Chance,
    candidates: int,
    *,
    believed: str,
    half_width: Fraction | None,
    right: bool,
    sure: bool,
    likeliest: bool,
    where: str = "",
) -> str:
    """Say why an item is recognised with a chance.

    `candidates` codes may stand for it; `sure` tells that nothing depends on which items are believed correctly. The chance
    is that of its own code, or of the likeliest one. `where` says in which releases it occurs so often.
    """
    if not right and likeliest:
        return f"What is believed about it is wrong; to the attacker its likeliest code has a chance of {percent(chance)}."
    if not right:
        return "What is believed about it is wrong, so it is not recognised."
    if believed == "ignorant":
        first = f"Nothing is known about {counted(candidates, 'items')}"
    elif candidates == 1:
        first = f"Nothing else occurs {how_often(believed, half_width)}{where}"
    else:
        how = "exactly" if believed == "exact" else "about"
        first = f"{others(candidates - 1)} {how} as often{where}"
    return f"{first}{_consequence(chance, candidates, likeliest=likeliest)}{'' if sure else ', if it is believed correctly'}."


def _consequence(chance: Chance, candidates: int, *, likeliest: bool) -> str:
    if chance == 1 and candidates > 1:
        other = "it must have another code" if candidates == 2 else "they must have other codes"  # noqa: PLR2004
        return f", but {other}: recognised for certain"
    if chance == 1:
        return ": recognised for certain"
    if isinstance(chance, Fraction) and chance * candidates == 1:
        return f": one chance in {candidates:,}"
    whose = "its likeliest code" if likeliest else "its code"
    return f"; with all that is believed, {whose} is right with a chance of {percent(chance)}"
