"""Moles of one and two items from counts alone, for transactions that stay where they are held."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import BudgetExceeded
from giveaway.itemsets.occurring import RARE
from giveaway.itemsets.ranked import Ranked, below
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints, added
from giveaway.model.data.counting import Cohorts, Counting
from giveaway.model.data.transactions import Transactions, in_bytes
from giveaway.model.progress import memory, tell
from giveaway.moles.kernels import FreeSets
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import Combination

LARGEST = 2
"""The largest combinations that are counted."""

_MOST = 3_000_000_000
"""The product of two supports must fit in 63 bits."""

_BYTES_A_PAIR = 100
"""What a pair takes in the end, in the search and in what is made of it."""

_NONE = np.zeros(0, np.int32)
_STAGE = "counting combinations where the data are"


class Numbered(Ranked):
    """The ranks of items alone: the rows are elsewhere, and asking for them here is an error."""

    def __init__(self, codes: Codes, private_codes: Codes) -> None:
        vars(self).update(codes=codes, private_codes=private_codes)


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedMoles(Moles):
    """Moles found by counting; `exposures` counts the transactions that hold one of at most one item, of two."""

    exposures: tuple[int, ...]

    def exposed(self, at_most: int) -> int:
        """Count the transactions that hold a mole of at most `at_most` items."""
        return self.exposures[min(at_most, len(self.exposures)) - 1]


class CountedItems:
    """The public and the private items of transactions, with what is counted of them once for all questions."""

    def __init__(self, transactions: Transactions, counting: Counting) -> None:
        if len(transactions) > _MOST:
            raise BudgetExceeded(
                f"{len(transactions):,} {nouns().transactions} are more than can be compared exactly in 64 bits.",
                hint=f"give at most {_MOST:,} {nouns().transactions}.",
            )
        supports, private = transactions.supports, transactions.is_private
        occurs = supports > 0
        public = np.flatnonzero(occurs & ~private)
        self._private: Codes = np.flatnonzero(occurs & private).astype(np.int32)
        self._codes: Codes = public[np.lexsort((public, supports[public]))].astype(np.int32)
        """The public items, rarest first."""
        self._counting, self._total, self._supports = counting, len(transactions), supports[self._codes]
        self._baseline = int(supports[self._private].max(initial=0))
        """How many transactions hold the most frequent private item."""

    @cached_property
    def longest(self) -> int:
        """The largest number of public items in a transaction."""
        tell(_STAGE, 0)
        return self._counting.longest(self._codes)

    @cached_property
    def singles(self) -> Cohorts:
        """The transactions that hold each public item, and what they give away."""
        tell(_STAGE, 0)
        return Cohorts(self._supports, *self._counting.inferences(self._codes, self._private))

    def mine(self, at_most: int, crowd: int, limit: Fraction) -> CountedMoles:
        """Find the minimal moles of at most `at_most` items, one or two, and the free sets.

        An item that is a mole is in no minimal pair, so only pairs of free items are listed.

        Xu et al., Definition 1, on itemsets that occur.
        """
        everything = (
            0 < self._total < crowd or self._baseline * limit.denominator > limit.numerator * self._total
        )
        ranks = np.arange(len(self._codes), dtype=np.int32)
        safe = self._is_safe(self.singles, self._total + 1 if everything else crowd, limit)
        alone = np.full(len(ranks), -1, np.int32)
        free, harmful = (self._sets(alone[kind], ranks[kind], self.singles, kind) for kind in (safe, ~safe))
        exposures = [self._total if everything else self._holders(harmful.item)]
        if at_most > 1 and int(safe.sum()) > 1 and self.longest > 1:
            parent, item, cohorts = self._pairs(safe)
            kept = self._is_safe(cohorts, crowd, limit)
            pairs = [self._sets(parent[kind], item[kind], cohorts, kind) for kind in (kept, ~kept)]
            exposures.append(self._holders(harmful.item, free.item[parent[~kept]], item[~kept]))
            free, harmful = _joined(free, pairs[0]), _joined(harmful, pairs[1])
        return CountedMoles(
            ranked=Numbered(self._codes, self._private),
            size=at_most,
            free=free,
            harmful=harmful,
            smallest=np.zeros(0, np.int32),
            everything=everything,
            work=0,
            exposures=tuple(exposures),
        )

    def others(self, moles: Moles) -> tuple[Ints, Ints, Ints]:
        """Count the pairs that hold a mole of one item: their supports, how many have each, the largest `holding`."""
        none = np.zeros(0, np.int64)
        alone, harmful = self._apart(moles)
        if moles.size == 1 or len(harmful) == 0 or self.longest == 1:
            return none, none, none
        tell(_STAGE, 0)
        return self._counting.pairs_by_support(alone, harmful, self._private)

    def first_of(self, moles: Moles, support: int, holding: int | None = None) -> Combination:
        """Return the first of the pairs that hold a mole of one item and have a support and, if given, a `holding`."""
        tell(_STAGE, 0)
        *pair, secret = self._counting.first_pair(
            *self._apart(moles), self._private, support=support, holding=holding
        )
        place = -1 if secret < 0 else int(np.searchsorted(self._private, secret))
        return Combination(tuple(sorted(pair)), support, holding or 0, -1 if holding is None else place)

    def worst_with(self, chosen: NDArray[np.bool_], at_most: int) -> tuple[Fraction, Fraction]:
        """Return one in the smallest support, and the largest breach, of the combinations with a chosen item."""
        inside, singles = chosen[self._codes], self.singles
        supports, holding = singles.support[inside], singles.holding[inside]
        if at_most > 1 and self.longest > 1:
            tell(_STAGE, 0)
            pairs = self._counting.pairs_by_support(self._codes[~inside], self._codes[inside], self._private)
            supports, holding = np.concatenate([supports, pairs[0]]), np.concatenate([holding, pairs[2]])
        counts = zip(holding.tolist(), supports.tolist(), strict=True)
        return Fraction(1, int(supports.min())), max(Fraction(held, support) for held, support in counts)

    def _apart(self, moles: Moles) -> tuple[Codes, Codes]:
        """Return the items that are not moles, and those that are."""
        alone = moles.free.item[moles.free.parent < 0]
        harmful = np.setdiff1d(np.arange(len(self._codes)), alone)
        return self._codes[alone], self._codes[harmful]

    def _is_safe(self, cohorts: Cohorts, crowd: int, limit: Fraction) -> NDArray[np.bool_]:
        """Say of each combination whether enough transactions hold it and no private item is too frequent in them."""
        numerator, denominator = below(limit, max(self._total, 1))
        return (cohorts.support >= min(crowd, self._total + 1)) & (
            cohorts.holding * denominator <= numerator * cohorts.support
        )

    def _pairs(self, safe: NDArray[np.bool_]) -> tuple[Codes, Codes, Cohorts]:
        """Count pairs of free items; return the free set of the rarer item and the rank of the other."""
        self._check_room(self._codes[safe])
        tell(_STAGE, 0)
        first, second, cohorts = self._counting.pairs(self._codes[safe], self._private)
        rank_of = np.empty(int(self._codes.max()) + 1, np.int32)
        rank_of[self._codes] = np.arange(len(self._codes), dtype=np.int32)
        low, high = np.minimum(rank_of[first], rank_of[second]), np.maximum(rank_of[first], rank_of[second])
        free_of = (np.cumsum(safe) - 1).astype(np.int32)
        return free_of[low], high, cohorts

    def _check_room(self, codes: Codes) -> None:
        """Refuse pairs that would not fit in memory; they are counted first only when they might not."""
        room = memory() // _BYTES_A_PAIR
        if len(codes) * (len(codes) - 1) // 2 <= room:
            return
        pairs = self._counting.number_of_pairs(codes)
        if pairs > room:
            raise BudgetExceeded(
                f"The {pairs:,} pairs of {nouns().items} that occur together would take about "
                f"{in_bytes(pairs * _BYTES_A_PAIR)} of memory, and {in_bytes(memory())} are allowed.",
                hint=f"allow more with --memory, ask about at_most = 1, or withhold rare {nouns().items} first.",
            )

    def _sets(self, parent: Codes, item: Codes, cohorts: Cohorts, chosen: NDArray[np.bool_]) -> FreeSets:
        secret = cohorts.secret[chosen]
        places = np.where(secret < 0, -1, np.searchsorted(self._private, secret)).astype(np.int32)
        return FreeSets(parent, item, cohorts.support[chosen], cohorts.holding[chosen], places)

    def _holders(self, harmful: Codes, first: Codes = _NONE, second: Codes = _NONE) -> int:
        """Count the transactions that hold a harmful item or a harmful pair, given by ranks."""
        if len(harmful) == len(first) == 0:
            return 0
        tell(_STAGE, 0)
        return self._counting.holders(self._codes[harmful], self._codes[first], self._codes[second])


def tallied(moles: Moles, others: tuple[Ints, Ints, Ints]) -> tuple[int, tuple[int, ...], int]:
    """Count the combinations that occur: all of them, by support up to `RARE` and more, and their smallest support."""
    supports = np.concatenate([moles.free.support, moles.harmful.support, others[0]])
    listed = np.ones(len(moles.free.item) + len(moles.harmful.item), np.int64)
    numbers = np.concatenate([listed, others[1]])
    by_support = added(np.minimum(supports, RARE), numbers, RARE + 1)
    return int(numbers.sum()), tuple(map(int, by_support)), int(supports.min(initial=np.iinfo(np.int64).max))


def _joined(some: Iterable[NDArray[Any]], more: Iterable[NDArray[Any]]) -> FreeSets:
    return FreeSets(*(np.concatenate(parts) for parts in zip(some, more, strict=True)))
