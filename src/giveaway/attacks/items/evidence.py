"""What a measure looks at: combinations of items, found in rows or counted where the data are held."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from giveaway.attacks.items.question import ItemsQuestion
from giveaway.itemsets import occurring
from giveaway.model.data.arrays import Ints
from giveaway.model.data.counting import Counting
from giveaway.model.question.effort import Effort
from giveaway.moles import search as searching
from giveaway.moles import worst_breach
from giveaway.moles.from_counts import LARGEST, CountedItems, tallied
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import Combination


class Combinations(NamedTuple):
    """How many combinations occur, in all and by support up to `RARE` and more, and the smallest support."""

    total: int
    supports: tuple[int, ...]
    least: int


@dataclass(frozen=True)
class FromRows:
    """Evidence found by searching the rows."""

    question: ItemsQuestion
    effort: Effort

    @property
    def moles(self) -> Moles:
        """The minimal moles and the sets that hold none."""
        return self.question.moles(self.effort)

    @property
    def longest(self) -> int:
        """The largest number of public items in a transaction."""
        return self.question.ranked.longest

    def occurring(self) -> Combinations:
        """Count all combinations that occur."""
        ranked, known = self.question.ranked, self.question.at_most

        def counted() -> Combinations:
            counts = occurring.counter(ranked, known).count()
            return Combinations(counts.total, counts.supports, counts.least)

        return self.question.published.remember("occurring", known, counted)

    def most_telling(self, above: Fraction, *, budget: int) -> Combination | None:
        """Return the combination with the largest breach of all that occur, None when none exceeds `above`.

        Those that were examined in the search for moles do not exceed it.
        """
        question = self.question
        return worst_breach.most_telling(question.ranked, question.at_most, above, budget=budget)

    def rarest(self, least: int, *, budget: int) -> Combination | None:
        """Return a combination that only `least` transactions hold; none that was examined is so rare."""
        question = self.question
        return worst_breach.rarest(question.ranked, question.at_most, least, budget=budget)

    def exposed(self, known: int, *, budget: int) -> int:
        """Count the transactions exposed to somebody who knows more items than were asked about."""
        question = self.question
        limits = (known, question.crowd, question.limit)
        more = searching.mine(question.ranked, *limits, budget=budget, seed=self.effort.seed)
        return more.exposed(known)


@dataclass(frozen=True)
class FromCounts:
    """Evidence counted where the data are held; only larger combinations than can be counted need rows."""

    question: ItemsQuestion
    counting: Counting
    rows: FromRows

    @property
    def _items(self) -> CountedItems:
        published = self.question.published
        return published.remember("counted items", None, lambda: CountedItems(published, self.counting))

    @property
    def moles(self) -> Moles:
        """The minimal moles and the sets that hold none."""
        question = self.question
        limits = (question.at_most, question.crowd, question.limit)
        return question.published.remember("counted moles", limits, lambda: self._items.mine(*limits))

    @property
    def longest(self) -> int:
        """The largest number of public items in a transaction."""
        return self._items.longest

    @cached_property
    def _others(self) -> tuple[Ints, Ints, Ints]:
        return self._items.others(self.moles)

    def occurring(self) -> Combinations:
        """Count all combinations that occur."""
        return Combinations(*tallied(self.moles, self._others))

    def most_telling(self, above: Fraction, *, budget: int) -> Combination | None:  # noqa: ARG002 # a budget of rows
        """Return the combination with the largest breach of all that occur, None when none exceeds `above`."""
        supports, _, holding = (part.tolist() for part in self._others)
        counts = zip(holding, supports, strict=True)
        breach, support, held = max(
            ((Fraction(held, support), support, held) for held, support in counts), default=(above, 0, 0)
        )
        return self._items.first_of(self.moles, support, held) if breach > above else None

    def rarest(self, least: int, *, budget: int) -> Combination | None:  # noqa: ARG002 # a budget of rows
        """Return a combination that only `least` transactions hold."""
        return self._items.first_of(self.moles, least)

    def exposed(self, known: int, *, budget: int) -> int:
        """Count the transactions exposed to somebody who knows more items than were asked about."""
        question = self.question
        if known <= LARGEST:
            return self._items.mine(known, question.crowd, question.limit).exposed(known)
        return self.rows.exposed(known, budget=budget)


Evidence = FromRows | FromCounts
"""What is found for a question; each part is looked for when it is asked for."""


def evidence(question: ItemsQuestion, effort: Effort) -> Evidence:
    """Count where the data are held if that suffices for the question, else look at rows."""
    counting = question.published.counting
    rows = FromRows(question, effort)
    return rows if counting is None or question.at_most > LARGEST else FromCounts(question, counting, rows)
