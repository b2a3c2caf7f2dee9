"""How many moles, not only minimal ones, contain each item, while items are withheld one by one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.itemsets.occurring import counter
from giveaway.itemsets.ranked import Flags, index
from giveaway.model.data import arrays
from giveaway.moles.search import Moles


class MoleCounts:
    """Counts of the moles that contain each item: the occurring itemsets less the free ones.

    Xu et al., |M(v)| of Figure 2, without listing the moles.
    """

    def __init__(self, moles: Moles, dropped: Flags) -> None:
        """Start from the transactions without the items whose ranks are dropped."""
        ranked = moles.ranked
        self._codes = ranked.codes
        self._rank_of = ranked.rank_of
        self._counter = counter(ranked, moles.size, without=dropped)
        self._offsets, self._ranks = moles.spelled(moles.free.parent, moles.free.item)
        self._holding = index(self._offsets, self._ranks, ranked.items)
        self._alive = np.ones(len(moles.free.item), np.bool_)
        for rank in np.flatnonzero(dropped):
            self._alive[self._of(int(rank))] = False
        occurring = np.array(self._counter.count().items, dtype=object)
        _, stays = arrays.take(self._offsets, self._ranks, np.flatnonzero(self._alive))
        occurring -= np.bincount(stays, minlength=ranked.items).astype(object)
        fits = all(count < 1 << 62 for count in occurring)
        self._counts: NDArray[Any] = occurring.astype(np.int64) if fits else occurring

    def _of(self, rank: int) -> NDArray[np.int64]:
        begins, sets = self._holding
        return sets[begins[rank] : begins[rank + 1]].astype(np.int64)

    def counts(self, items: int) -> NDArray[Any]:
        """Return the counts by item code."""
        counted = np.zeros(items, self._counts.dtype)
        counted[self._codes] = self._counts
        return counted

    def withhold(self, code: int) -> int:
        """Remove an item and return how many moles went with it."""
        rank = self._rank_of[code]
        removed = int(self._counts[rank])
        others, shared = self._counter.withhold(rank)
        self._counts[others] -= shared
        free = self._of(rank)
        free = free[self._alive[free]]
        self._alive[free] = False
        _, gone = arrays.take(self._offsets, self._ranks, free)
        np.add.at(self._counts, gone, 1)
        self._counts[rank] = 0
        return removed
