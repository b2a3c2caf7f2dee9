"""Chart data of the attack `items`: chances of combinations, and exposure as the attacker knows more."""

from collections.abc import Sequence

import numpy as np

from giveaway.attacks.items.question import Question
from giveaway.attacks.wording import counted, exact_percent
from giveaway.itemsets.occurring import RARE
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, HoldsUpTo, Mark
from giveaway.moles.search import Moles

BINS = 20


def chances(question: Question, moles: Moles, supports: Sequence[int] | None) -> Curve:
    """Count combinations by the attacker's chance, in bins of 5 % closed on the right.

    The chance is that of telling whose transaction it is, over all combinations that occur; when only private items
    are limited it is that of inferring one, over the combinations examined. `supports` counts the combinations by
    their support up to `RARE`; None when no set is a mole.
    """
    if question.tolerance.identity is None:
        return _inferences(question, moles)
    per_bin = [0] * BINS
    for support, number in _by_support(moles, supports):
        per_bin[-(-BINS // support) - 1] += number
    over = sum(number for support, number in _by_support(moles, supports) if support < question.crowd)
    total = sum(per_bin)
    return Curve(
        name="chances",
        x_label=f"chance of telling whose {nouns().transaction} it is",
        y_label="combinations",
        x=tuple((place + 1) / BINS for place in range(BINS)),
        y=tuple(float(number) for number in per_bin),
        says=_told(question, over, total),
        limit=float(question.tolerance.identity),
    )


def _told(question: Question, over: int, total: int) -> str:
    """Say how many of the combinations that occur are rare."""
    known = counted(question.at_most, "items")
    if question.crowd > RARE:
        return f"{total:,} combinations of up to {known} occur."
    some = f"{over:,}" if over else "None"
    held = "is" if over <= 1 else "are"
    also = (
        f" Those that only add {nouns().items} to a smaller one are counted too."
        if question.at_most > 1
        else ""
    )
    return (
        f"{some} of the {total:,} combinations of up to {known} that occur {held} held by fewer than "
        f"{counted(question.crowd, 'transactions')}.{also}"
    )


def _by_support(moles: Moles, counted: Sequence[int] | None) -> list[tuple[int, int]]:
    """Pair supports with the number of combinations that have them; `RARE` stands for itself and more."""
    if counted is not None:
        return [(support, number) for support, number in enumerate(counted) if number]
    supports, numbers = np.unique(np.minimum(moles.free.support, RARE), return_counts=True)
    return [(int(support), int(number)) for support, number in zip(supports, numbers, strict=True)]


def _inferences(question: Question, moles: Moles) -> Curve:
    per_bin = np.zeros(BINS, np.int64)
    for sets in (moles.free, moles.found):
        place = -(-BINS * sets.holding // sets.support) - 1
        np.add.at(per_bin, np.maximum(place, 0), 1)
    limit = question.limit
    return Curve(
        name="chances",
        x_label=f"chance of inferring a private {nouns().item}",
        y_label="combinations examined",
        x=tuple((place + 1) / BINS for place in range(BINS)),
        y=tuple(float(number) for number in per_bin),
        says=f"{len(moles.found.item):,} of the {int(per_bin.sum()):,} combinations examined are over the limit of "
        f"{exact_percent(limit)}; what merely adds {nouns().items} to one of them is left out.",
        limit=float(limit),
    )


def strength(question: Question, exposed: Sequence[int], holds: HoldsUpTo) -> Curve:
    """Show the share of transactions exposed as the attacker knows more items, from one item on."""
    total = max(question.transactions, 1)
    more = " at least" if holds.at_least else ""
    words = f"breaks with one {nouns().item}" if holds.value is None else f"holds up to{more} {holds.value}"
    now = exposed[question.at_most - 1] if question.at_most <= len(exposed) else exposed[-1]
    return Curve(
        name="strength",
        x_label=f"{nouns().items} known",
        y_label=f"share of {nouns().transactions} exposed",
        x=tuple(float(known) for known in range(1, len(exposed) + 1)),
        y=tuple(count / total for count in exposed),
        says=f"Knowing up to {counted(question.at_most, 'items')} exposes {now:,} of {question.transactions:,} {nouns().transactions}; "
        f"the release {words}.",
        limit=float(question.tolerance.share),
        marks=() if holds.value is None else (Mark(x=float(holds.value), label=words),),
    )
