"""Evidence about combinations of one or two items by counts alone, for transactions that stay where they are held."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from giveaway.attacks.items.evidence import Combinations, Evidence, FromRows
from giveaway.attacks.items.question import Question
from giveaway.model.data.arrays import Ints
from giveaway.model.data.counting import Counting
from giveaway.model.question.effort import Effort
from giveaway.moles.from_counts import LARGEST, CountedItems, tallied
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import Combination


def evidence(question: Question, effort: Effort) -> Evidence:
    """Count where the data are held if that suffices for the question, else look at rows."""
    counting = question.published.counting
    rows = FromRows(question, effort)
    return rows if counting is None or question.at_most > LARGEST else FromCounts(question, counting, rows)


@dataclass(frozen=True)
class FromCounts:
    """Evidence counted where the data are held; only larger combinations than can be counted need rows."""

    question: Question
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
