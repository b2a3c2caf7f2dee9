"""What readers of transactions need."""

from dataclasses import dataclass
from typing import ClassVar

from giveaway.attacks.wording import counted
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.fields import check_whole, described, documented
from giveaway.model.question.need import Need

_MOST = 10**15
"""More transactions than there are."""


@documented
@dataclass(frozen=True, kw_only=True)
class NeedsItemsets(Need):
    """Keep as many frequent itemsets (nuggets) as possible.

    >>> NeedsItemsets(min_support=100)
    NeedsItemsets(min_support=100, max_size=None)
    """

    word: ClassVar[str] = "itemsets"
    meaning: ClassVar[str] = "frequent itemsets to keep"

    min_support: int = described("an itemset counts when at least this many transactions hold it")
    max_size: int | None = described("and when it has at most this many items", default=None)

    def __post_init__(self) -> None:
        for name, value in (("min_support", self.min_support), ("max_size", self.max_size)):
            if value is not None:
                check_whole(name, value, most=_MOST)

    def says(self) -> str:
        """Say what is kept."""
        size = "" if self.max_size is None else f" of at most {counted(self.max_size, 'items')}"
        return f"combinations{size} in {self.min_support:,} or more {nouns().transactions}"
