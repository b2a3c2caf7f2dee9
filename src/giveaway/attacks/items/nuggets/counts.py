"""Nuggets: itemsets of public and private items that enough transactions hold, counted without listing them.

The nuggets are partitioned into disjoint intervals, each the sets between a head and the head with its perfect
extensions; how many nuggets contain an item, and how many go when it is withheld, follows from the intervals alone.
"""

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.nuggets.kernels import RoomForSets, Shapes, tally_sets, withhold
from giveaway.attacks.items.nuggets.search import FrequentRanks, ranked, search, with_moles
from giveaway.compiling import suited
from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import sorted_rows
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

BUDGET = 200_000_000_000
"""Steps that a count may take unless told otherwise: some minutes of one core."""

PARTS_BUDGET = 5_000_000_000
"""The same for the nuggets without moles, an extra figure that may be left out."""

_LIMB = 30
_BLOCK = 1 << 20


class WithoutMoles(NamedTuple):
    """The nuggets that hold no mole: how many, and their distinct non-empty public parts.

    `part_weights` tells how many nuggets have each part as their public part. Nuggets of private items alone are in
    `total` and in no part.
    """

    total: int
    part_offsets: Ints
    part_codes: Codes
    part_weights: Ints

    @property
    def base(self) -> int:
        """The nuggets of private items alone, which every release keeps."""
        return self.total - int(self.part_weights.sum())


class Nuggets:
    """The nuggets of transactions from which items may be withheld one by one."""

    def __init__(self, ranks: FrequentRanks, sets: RoomForSets, max_size: int | None, items: int) -> None:
        self._ranks = ranks
        self._sets = sets
        self._items = items
        self._max_size = max_size
        self._free = (np.diff(sets.offsets) - sets.heads).astype(np.int32)
        self._gone = np.zeros(len(ranks.codes), np.bool_)
        self._shapes = _shapes(sets, self._free, max_size)
        self._counters = np.zeros((len(ranks.codes), self._shapes.whole.shape[2]), np.int64)
        self.total = self._count_all(max_size)

    def _count_all(self, max_size: int | None) -> int:
        sets = self._sets
        for begin in range(0, len(sets.heads), _BLOCK):
            tell("counting combinations that stay", begin, len(sets.heads))
            end = min(begin + _BLOCK, len(sets.heads))
            tally = suited(tally_sets, int(sets.offsets[end] - sets.offsets[begin]))
            tally(sets, self._shapes, self._counters, begin, end)
        shapes, numbers = np.unique(np.stack([sets.heads, self._free]), axis=1, return_counts=True)
        return sum(
            int(number) * _in_interval(int(head), int(free), max_size)
            for head, free, number in zip(*shapes, numbers, strict=True)
        )

    def copy(self) -> "Nuggets":
        """Return the same nuggets, to withhold from without touching these."""
        twin = copy(self)
        for name in ("_free", "_gone", "_counters"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def per_item(self) -> NDArray[np.int64] | NDArray[np.object_]:
        """Return how many nuggets contain each item, by its code.

        They are 64-bit numbers while these suffice, and Python's integers when they do not.
        """
        fits = self.total < 1 << 62
        counters = self._counters if fits else self._counters.astype(object)
        joined = counters[:, 0].copy()
        for limb in range(1, counters.shape[1]):
            joined += counters[:, limb] << (_LIMB * limb)
        counted = np.zeros(self._items, np.int64 if fits else object)
        counted[self._ranks.codes] = joined
        return counted

    def withhold(self, code: int) -> int:
        """Remove all nuggets that contain an item and return how many they were."""
        rank = int(self._ranks.rank_of[code])
        if rank < 0 or self._gone[rank]:
            return 0
        lost = _joined(self._counters[rank])
        begin, end = self._mentions[0][rank : rank + 2]
        mentions = self._mentions[1][begin:end]
        steps = int(np.diff(self._sets.offsets)[mentions >> 1].sum())
        remove = suited(withhold, steps)
        remove(rank, mentions, self._sets, self._free, self._gone, self._shapes, self._counters)
        self.total -= lost
        return lost

    def spelled(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Give each nugget as ascending item codes with its support, whatever was withheld since."""
        sets, codes = self._sets, self._ranks.codes
        bounds = zip(sets.offsets[:-1].tolist(), sets.offsets[1:].tolist(), strict=True)
        for (begin, end), size, support in zip(
            bounds, sets.heads.tolist(), sets.weights.tolist(), strict=True
        ):
            head, free = np.split(codes[sets.cells[begin:end]], [size])
            most = len(free) if self._max_size is None else min(len(free), self._max_size - size)
            for more in range(0 if size else 1, most + 1):
                for chosen in combinations(free.tolist(), more):
                    yield tuple(sorted([*head.tolist(), *chosen])), support

    @cached_property
    def _mentions(self) -> tuple[Ints, Ints]:
        """Where each item is: 2 * interval, plus 1 among the perfect extensions."""
        sets = self._sets
        size = np.diff(sets.offsets)
        interval = np.repeat(np.arange(len(size)), size)
        behind = np.arange(len(sets.cells)) - sets.offsets[interval] >= sets.heads[interval]
        order = np.argsort(sets.cells, kind="stable")
        first = np.searchsorted(sets.cells[order], np.arange(len(self._ranks.codes) + 1))
        return first.astype(np.int64), (2 * interval + behind)[order]


def count(
    transactions: Transactions,
    min_support: int,
    max_size: int | None = None,
    *,
    budget: int = BUDGET,
    dense: bool | None = None,
) -> Nuggets:
    """Count the nuggets of transactions.

    Bitmaps are used when the data are dense, lists of occurrences otherwise, unless `dense` says which.
    Raises BudgetExceeded after `budget` steps of work or when the intervals would not fit in memory.

    Xu et al., Definition 2.
    """
    ranks = ranked(transactions, min_support, public_first=False)
    sets = search(ranks, min_support, max_size, None, budget, dense=dense)
    if sets is None:
        raise BudgetExceeded(
            f"Counting the itemsets that at least {min_support:,} {nouns().transactions} hold takes more work than allowed.",
            hint="ask for itemsets with a larger min_support, or set max_size.",
        )
    return Nuggets(ranks, sets.written, max_size, len(transactions.labels))


def without_moles(
    transactions: Transactions,
    min_support: int,
    max_size: int | None,
    mole_offsets: Ints,
    mole_codes: Codes,
    *,
    budget: int = PARTS_BUDGET,
    dense: bool | None = None,
) -> WithoutMoles | None:
    """Count the nuggets whose public part holds no mole, part by part; None when that takes too much work.

    Their number is a ceiling on what any safe release keeps: a mole within a nugget forces one of its items out.
    """
    ranks = ranked(transactions, min_support, public_first=True)
    moles = with_moles(ranks, mole_offsets, mole_codes)
    sets = search(ranks, min_support, max_size, moles, budget, dense=dense)
    if sets is None:
        return None
    parts = sets.written
    return WithoutMoles(
        total=sets.alone + int(parts.weights.sum()),
        part_offsets=parts.offsets,
        part_codes=sorted_rows(parts.offsets, ranks.codes[parts.cells].astype(np.int32)),
        part_weights=parts.weights,
    )


def _in_interval(head: int, free: int, max_size: int | None) -> int:
    """Count the nuggets between a head and the head with `free` more items; the empty set is not one."""
    counted = 1 << free if max_size is None else sum(comb(free, i) for i in range(max_size - head + 1))
    return counted - (head == 0)


def _with_one(head: int, free: int, max_size: int | None) -> int:
    """Count those of them that contain a given one of the `free` items."""
    if free == 0:
        return 0
    if max_size is None:
        return 1 << (free - 1)
    return sum(comb(free - 1, i) for i in range(max_size - head))


def _shapes(sets: RoomForSets, free: NDArray[np.int32], max_size: int | None) -> Shapes:
    """Tabulate the counts of all shapes of intervals as limbs of 30 bits, so that no sum overflows 64 bits."""
    heads = int(sets.heads.max(initial=0)) + 1
    frees = int(free.max(initial=0)) + 1
    limbs = frees // _LIMB + 1
    tables = np.zeros((2, heads, frees, limbs), np.int64)
    for head in range(heads):
        for more in range(frees):
            for table, value in enumerate(
                (_in_interval(head, more, max_size), _with_one(head, more, max_size))
            ):
                for limb in range(limbs):
                    tables[table, head, more, limb] = value >> (_LIMB * limb) & ((1 << _LIMB) - 1)
    return Shapes(tables[0], tables[1])


def _joined(limbs: NDArray[np.int64]) -> int:
    return sum(int(value) << (_LIMB * place) for place, value in enumerate(limbs))
