"""What somebody could make of a withheld item, or of one given as its category: the worst combinations, in the original.

Rows are published as they are, so that nothing is learnt of published labels from which others are withheld. Where a
withheld item was, or which item stands behind a category, can be guessed from the choice.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.items.question import ItemsQuestion
from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import Flags, rank
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.release import Release
from giveaway.moles import worst_breach
from giveaway.moles.from_counts import LARGEST, CountedItems

BUDGET = 5_000_000_000


@dataclass(frozen=True, kw_only=True)
class WithheldKnown:
    """The largest chance of each kind that is judged, over combinations with a withheld item; 1 where it was not found."""

    identity: Fraction | None
    attribute: Fraction | None
    over: bool
    """Whether one of them is above its limit."""

    @property
    def worst(self) -> Fraction:
        """The larger of the two."""
        return max(self.identity or Fraction(0), self.attribute or Fraction(0))


def withheld_known(release: Release, question: ItemsQuestion) -> WithheldKnown | None:
    """Find the worst of somebody who knows withheld items or those behind categories; None where all have their names."""
    original, tolerance = release.original, question.tolerance
    if not isinstance(original, Transactions):
        return None
    hidden = [original.code_of[item] for item in (*release.withheld.items, *release.categories)]
    gone = np.isin(np.arange(len(original.labels)), hidden)
    gone &= ~original.is_private & (original.supports > 0)
    if not gone.any():
        return None
    identity, attribute = _worst(original, gone, question.at_most)
    return WithheldKnown(
        identity=None if tolerance.identity is None else identity,
        attribute=None if tolerance.attribute is None else attribute,
        over=(tolerance.identity is not None and identity > tolerance.identity)
        or (tolerance.attribute is not None and attribute > tolerance.attribute),
    )


def _worst(original: Transactions, gone: Flags, at_most: int) -> tuple[Fraction, Fraction]:
    """Return the largest chance of singling out and of a private item; 1 is what it cannot exceed."""
    counting = original.counting
    try:
        if counting is not None and at_most <= LARGEST:
            return CountedItems(original, counting).worst_with(gone, at_most)
        ranked, first = rank(original, first=gone), int(gone.sum())
        rarest, telling = (
            worst_breach.worst_of_first(ranked, first, at_most, secrets=secrets, budget=BUDGET)
            for secrets in (False, True)
        )
    except BudgetExceeded:
        return Fraction(1), Fraction(1)
    return (
        Fraction(0) if rarest is None else Fraction(1, rarest.support),
        Fraction(0) if telling is None else telling.breach,
    )
