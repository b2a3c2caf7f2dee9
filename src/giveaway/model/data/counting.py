"""Counting transactions where they are held: what whoever holds them can be asked."""

from typing import NamedTuple, Protocol

from giveaway.model.data.arrays import Codes, Ints


class Cohorts(NamedTuple):
    """For each of some combinations, how many transactions hold it, and how far they agree on a private item.

    `holding` of the `support` transactions hold the private item that is most frequent among them, which is `secret`:
    of equally frequent ones the first, -1 where there is none.
    """

    support: Ints
    holding: Ints
    secret: Codes


class Counting(Protocol):
    """Transactions that stay where they are: only counts come back, except from `rows`. Items are codes."""

    def longest(self, items: Codes) -> int:
        """Return the largest number of some items that one transaction holds."""
        ...

    def inferences(self, items: Codes, private: Codes) -> tuple[Ints, Codes]:
        """Return `holding` and `secret` of the transactions that hold each of some items."""
        ...

    def number_of_pairs(self, items: Codes) -> int:
        """Count the pairs of some items that occur together."""
        ...

    def pairs(self, items: Codes, private: Codes) -> tuple[Codes, Codes, Cohorts]:
        """Count the transactions that hold two of some items, for every pair that occurs together.

        Returns the smaller and the larger code of each pair, in ascending order, and what was counted.
        """
        ...

    def pairs_by_support(self, items: Codes, others: Codes, private: Codes) -> tuple[Ints, Ints, Ints]:
        """Count the pairs that are one of `others` with one of `items` or of `others`, without listing them.

        Returns the supports that occur, the number of pairs with each, and the largest `holding` among these.
        """
        ...

    def first_pair(
        self, items: Codes, others: Codes, private: Codes, *, support: int, holding: int | None
    ) -> tuple[int, int, int]:
        """Return the first, by its codes, of these pairs that has a support and, if given, a `holding`; and its `secret`."""
        ...

    def holders(self, items: Codes, first: Codes, second: Codes) -> int:
        """Count the transactions that hold at least one of some items, or both items of at least one pair."""
        ...

    def only(self, items: Codes) -> "Counting":
        """Leave all other items out; the items are numbered anew, in their order. Emptied transactions stay."""
        ...

    def rows(self) -> tuple[Ints, Codes, Ints]:
        """Bring the distinct transactions here: offsets, codes and weights."""
        ...
