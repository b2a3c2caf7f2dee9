"""What the reader of the data needs."""

from dataclasses import dataclass

from giveaway.errors import ScenarioError
from giveaway.model.fields import described


class Need:
    """Something the release should keep; each kind is a frozen, validated value."""


@dataclass(frozen=True, kw_only=True)
class NeedsItemsets(Need):
    """Keep as many frequent itemsets (nuggets) as possible.

    >>> NeedsItemsets(min_support=100)
    NeedsItemsets(min_support=100, max_size=None)
    """

    min_support: int = described("an itemset counts when at least this many transactions hold it")
    max_size: int | None = described("and when it has at most this many items", default=None)

    def __post_init__(self) -> None:
        for name, value in (("min_support", self.min_support), ("max_size", self.max_size)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ScenarioError(f"{name} = {value!r} must be a whole number of at least 1.")
