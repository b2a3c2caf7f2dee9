"""Chart data of the attack `items`: chances of combinations, and exposure as the attacker knows more."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from giveaway.attacks.items.question import ItemsQuestion
from giveaway.attacks.wording import counted, exact_percent
from giveaway.itemsets.occurring import RARE
from giveaway.model.answer.bins import binned
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, HoldsUpTo, Mark
from giveaway.moles.search import Moles


def chances(question: ItemsQuestion, moles: Moles, supports: Sequence[int] | None) -> Curve:
    """Count combinations by the attacker's chance, in bins of 5 %.

    The chance is that of telling whose transaction it is, over all combinations that occur; when only private items
    are limited it is that of inferring one, over the combinations examined. `supports` counts the combinations by
    their support up to `RARE`; None when no set is a mole.
    """
    if question.tolerance.identity is None:
        return _inferences(question, moles)
    by_support = _by_support(moles, supports)
    over = sum(number for support, number in by_support if support < question.crowd)
    limit = question.tolerance.identity
    ends, per_bin = binned(
        [(Fraction(1, support), number) for support, number in by_support],
        limit if question.crowd <= RARE else None,  # else those held by `RARE` and more are not told apart
    )
    return Curve(
        name="chances",
        x_label=f"chance of telling whose {nouns().transaction} it is",
        y_label="combinations",
        x=ends,
        y=per_bin,
        says=_says(question, over, int(sum(per_bin))),
        limit=float(limit),
    )


def _says(question: ItemsQuestion, over: int, total: int) -> str:
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


def _inferences(question: ItemsQuestion, moles: Moles) -> Curve:
    limit = question.limit
    pairs = np.concatenate(
        [np.stack([sets.holding, sets.support]) for sets in (moles.free, moles.harmful)], axis=1
    )
    (holding, support), numbers = np.unique(pairs, axis=1, return_counts=True)
    ends, per_bin = binned(
        [
            (Fraction(held, of), number)
            for held, of, number in zip(holding.tolist(), support.tolist(), numbers.tolist(), strict=True)
        ],
        limit,
    )
    over = int(sum(number for end, number in zip(ends, per_bin, strict=True) if end > float(limit)))
    return Curve(
        name="chances",
        x_label=f"chance of inferring a private {nouns().item}",
        y_label="combinations examined",
        x=ends,
        y=per_bin,
        says=f"{over:,} of the {int(sum(per_bin)):,} combinations examined are over the limit of "
        f"{exact_percent(limit)}; what merely adds {nouns().items} to one of them is left out.",
        limit=float(limit),
    )


def strength(question: ItemsQuestion, exposed: Sequence[int], holds: HoldsUpTo) -> Curve:
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
