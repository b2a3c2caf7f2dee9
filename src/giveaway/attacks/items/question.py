"""The question put about items, checked: what is published, who attacks it, and which limits hold."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.nuggets import counts
from giveaway.attacks.items.nuggets.counts import Nuggets
from giveaway.errors import ScenarioError
from giveaway.itemsets.ranked import Ranked, rank
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.moles import search as searching
from giveaway.moles.search import Moles


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemsQuestion:
    """Published transactions, the attacker's strength, and the limits k and h of the paper."""

    published: Transactions
    at_most: int
    tolerance: Tolerance
    keep: frozenset[int] = frozenset()
    """Items that must not be withheld, by their codes."""

    @property
    def crowd(self) -> int:
        """The least number of transactions that must hold a combination."""
        return self.tolerance.smallest_crowd

    @property
    def limit(self) -> Fraction:
        """The largest chance of a private item; 1 when none is named."""
        return Fraction(1) if self.tolerance.attribute is None else self.tolerance.attribute

    @property
    def allowed(self) -> int:
        """How many transactions may be exposed."""
        return int(self.tolerance.share * self.transactions)

    @property
    def transactions(self) -> int:
        """The number of transactions, empty ones included."""
        return len(self.published)

    @property
    def ranked(self) -> Ranked:
        """The published transactions in the form of the searches, which look at rows."""
        return self.published.remember("ranked", None, lambda: rank(self.published))

    def moles(self, effort: Effort) -> Moles:
        """Search the minimal moles and the sets that hold none."""
        limits = (self.at_most, self.crowd, self.limit)
        return self.published.remember(
            "moles", limits, lambda: searching.mine(self.ranked, *limits, seed=effort.seed)
        )

    def label(self, code: int) -> Label:
        """Return the label of an item code."""
        return self.published.labels[code]

    @cached_property
    def private(self) -> Codes:
        """The private items that occur, by their codes."""
        published = self.published
        return np.flatnonzero((published.supports > 0) & published.is_private).astype(np.int32)

    @property
    def private_supports(self) -> Ints:
        """How many transactions hold each of them."""
        return self.published.supports[self.private]

    @cached_property
    def too_frequent(self) -> list[tuple[Label, int]]:
        """The private items that more transactions hold than the limit allows, most frequent first."""
        counted = zip(self.private, self.private_supports, strict=True)
        above = [
            (self.label(int(code)), int(count))
            for code, count in counted
            if int(count) * self.limit.denominator > self.limit.numerator * self.transactions
        ]
        return sorted(above, key=lambda pair: -pair[1])

    @property
    def most_frequent(self) -> tuple[Label, int]:
        """The private item that most transactions hold, and how many; the first of equally frequent ones."""
        place = int(self.private_supports.argmax())
        return self.label(int(self.private[place])), int(self.private_supports[place])

    @property
    def too_few(self) -> bool:
        """Whether there are fewer transactions than a crowd needs."""
        return 0 < self.transactions < self.crowd

    @cached_property
    def baseline(self) -> Fraction:
        """The share of the most frequent private item: the best guess without knowing any item."""
        most = int(self.private_supports.max(initial=0))
        return Fraction(most, self.transactions) if self.transactions else Fraction(0)


def ask(release: Release, attacker: KnowsItems, tolerance: Tolerance) -> ItemsQuestion:
    """Put the question together, and refuse one about nothing."""
    published = release.published
    if (
        not isinstance(published, Transactions)
        or not ((published.supports > 0) & ~published.is_private).any()
    ):
        raise ScenarioError(
            f"No public {nouns().item} occurs in what is published, so there is nothing an attacker could know.",
            hint=f"name fewer private {nouns().items}, or withhold less.",
        )
    keep = frozenset(published.code_of[item] for item in release.keep)
    return ItemsQuestion(published=published, at_most=attacker.at_most, tolerance=tolerance, keep=keep)


def needed(transactions: Transactions, need: NeedsItemsets) -> Nuggets:
    """Count the itemsets that the reader needs; take a copy before withholding from them."""
    key = (need.min_support, need.max_size)
    return transactions.remember("nuggets", key, lambda: counts.count(transactions, *key))
