"""Minimal moles while items are withheld one by one: which are left, and which rows still hold one."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import suited
from giveaway.itemsets.occurring import counter
from giveaway.itemsets.ranked import Flags, index
from giveaway.model.answer.nouns import nouns
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import tell
from giveaway.moles.kernels import Data, Spelled, last_steps
from giveaway.moles.search import Moles, data_of

_BLOCK = 5_000_000


class LiveMoles:
    """Minimal moles, each alive until one of its items is withheld; `counts` tells how many each item is in."""

    def __init__(self, offsets: Ints, codes: Codes, items: int) -> None:
        self._offsets = offsets
        self._codes = codes
        self._items = items
        self._alive = np.ones(len(offsets) - 1, np.bool_)
        self.left = len(offsets) - 1
        self.counts = np.bincount(codes, minlength=items).astype(np.int64)

    @cached_property
    def _holding(self) -> tuple[Ints, Codes]:
        tell("listing combinations", 0)
        return index(self._offsets, self._codes, self._items)

    def of(self, code: int) -> Ints:
        """Return the minimal moles that contain an item, dead ones included."""
        begins, moles = self._holding
        return moles[begins[code] : begins[code + 1]].astype(np.int64)

    def withhold(self, code: int) -> int:
        """Remove an item and return how many minimal moles went with it."""
        if self.counts[code] == 0:
            return 0
        moles = self.of(code)
        moles = moles[self._alive[moles]]
        self._alive[moles] = False
        _, gone = arrays.take(self._offsets, self._codes, moles)
        np.subtract.at(self.counts, gone, 1)
        self.left -= len(moles)
        return len(moles)

    def without(self, items: Sequence[int]) -> tuple[Ints, Codes]:
        """Return the minimal moles that contain none of some items."""
        hit = np.zeros(len(self._alive), np.bool_)
        for code in items:
            hit[self.of(code)] = True
        return arrays.take(self._offsets, self._codes, np.flatnonzero(~hit))


class PuttingBack:
    """Withheld items that are released again one by one, as long as few enough transactions hold a mole.

    A mole is back when the last of its withheld items is. Each item is tried once, so each mole comes to this point
    once at most, and all trials together look at no more rows than one count of what is exposed.
    """

    def __init__(self, moles: Moles, withheld: Iterable[int], *, allowed: int, budget: int) -> None:
        ranked = moles.ranked
        self._data, self._rank_of, self._weights = data_of(ranked), ranked.rank_of, ranked.weights
        self._offsets, self._ranks = moles.spelled(moles.harmful.parent, moles.harmful.item)
        tell("listing combinations", 0)
        self._holding = index(self._offsets, self._ranks, ranked.items)
        tell("listing combinations", len(self._ranks))
        self._missing = np.zeros(len(moles.harmful.item), np.int64)
        for code in withheld:
            self._missing[self._of(code)] += 1
        self._held = np.zeros(len(ranked.weights), np.int32)
        """For each row the trial with which it came to hold a mole, 0 when it holds none."""
        self._step = np.zeros(len(moles.harmful.item), np.int32)
        self._trials, self._left = 0, budget
        exposed = self._exposed(np.flatnonzero(self._missing == 0))
        self._allowed, self._somebody = allowed - exposed, exposed > 0

    def tried(self, codes: Iterable[int]) -> list[int]:
        """Try items in their order and return those that can be released, each together with those before it.

        Beyond the budget of work nothing more is put back.
        """
        back: list[int] = []
        for code in codes:
            tell(f"putting {nouns().items} back", len(back))
            moles = self._of(code)
            if self._fits(moles[self._missing[moles] == 1]):
                self._missing[moles] -= 1
                back.append(code)
        return back

    def _of(self, code: int) -> Ints:
        begins, moles = self._holding
        rank = self._rank_of[code]
        return moles[begins[rank] : begins[rank + 1]].astype(np.int64)

    def _fits(self, moles: Ints) -> bool:
        """Let some moles come back if that exposes few enough transactions, and say whether it does."""
        if len(moles) == 0:
            return True
        # Every mole occurs: where nobody is exposed so far, somebody would be.
        if self._left <= 0 or (self._allowed <= 0 and not self._somebody):
            return False
        exposed = self._exposed(moles)
        if exposed > self._allowed:
            self._held[self._held == self._trials] = 0
            return False
        self._allowed, self._somebody = self._allowed - exposed, self._somebody or exposed > 0
        return True

    def _exposed(self, moles: Ints) -> int:
        """Mark the rows that hold one of some moles and none before; return how many transactions these are."""
        self._trials += 1
        self._step[moles] = self._trials
        place = 0
        sets = Spelled(self._offsets, self._ranks, self._step)
        while place < len(moles):
            place, work = _hold(self._data, sets, moles, self._held, place)
            self._left -= work
        return int(self._weights[self._held == self._trials].sum())


def exposed_after(moles: Moles, order: Sequence[int], *, budget: int) -> Ints | None:
    """Count the exposed transactions before, and after withholding each of the items in their order.

    None when that takes more than `budget` steps of work; what surely does is not begun.
    """
    ranked = moles.ranked
    tell("following what stays exposed", 0)
    offsets, ranks = moles.spelled(moles.harmful.parent, moles.harmful.item)
    tell("following what stays exposed", 0)
    step_of = np.full(ranked.items, len(order) + 1, np.int32)
    for number, code in enumerate(order, 1):
        if code in ranked.rank_of:
            step_of[ranked.rank_of[code]] = number
    step = np.minimum.reduceat(step_of[ranks], offsets[:-1]) if len(ranks) else np.zeros(0, np.int32)
    rarest = ranks[offsets[1:] - 1]
    if int(np.diff(ranked.holders[0])[rarest].sum()) > budget:
        return None
    tell("following what stays exposed", 0)
    latest_first = np.argsort(-step, kind="stable")
    last = np.zeros(len(ranked.weights), np.int32)
    work = 0
    place = 0
    data, sets = data_of(ranked), Spelled(offsets, ranks, step)
    while place < len(latest_first):
        tell("following what stays exposed", int(place), len(latest_first))
        if work > budget:
            return None
        place, spent = _hold(data, sets, latest_first, last, place)
        work += spent
    exposed = arrays.added(last, ranked.weights, len(order) + 2)
    return np.asarray(int(ranked.weights.sum()) - np.cumsum(exposed)[:-1])


def _hold(data: Data, sets: Spelled, order: Ints, last: Codes, place: int) -> tuple[int, int]:
    """Go on marking the rows that hold some sets for a block of work; return where to go on next, and the work.

    Rows of the rarest item of each set are looked at, each at most once for every cell of it.
    """
    rarest = sets.ranks[sets.offsets[order[place:] + 1] - 1]
    steps = int((data.begins[rarest + 1] - data.begins[rarest] + 1).sum())
    following, work = suited(last_steps, steps)(data, sets, order, last, place, _BLOCK)
    return int(following), int(work)


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
