"""Minimal moles while items are withheld one by one: which are left, and which rows still hold one."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from giveaway.algorithms.moles import Moles, data_of
from giveaway.algorithms.ranked import index
from giveaway.model import rows
from giveaway.model.progress import tell
from giveaway.model.rows import Codes, Ints

_BLOCK = 20_000_000


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
        _, gone = rows.take(self._offsets, self._codes, moles)
        np.subtract.at(self.counts, gone, 1)
        self.left -= len(moles)
        return len(moles)

    def still_needed(self, always: Sequence[int], chosen: Sequence[int]) -> list[int]:
        """Walk chosen items from the last to the first and leave out each whose moles all lack another item."""
        missing = np.zeros(len(self._alive), np.int64)
        for code in (*always, *chosen):
            missing[self.of(code)] += 1
        needed = []
        for code in reversed(chosen):
            moles = self.of(code)
            if (missing[moles] > 1).all():
                missing[moles] -= 1
            else:
                needed.append(code)
        return needed[::-1]

    def without(self, items: Sequence[int]) -> tuple[Ints, Codes]:
        """Return the minimal moles that contain none of some items."""
        hit = np.zeros(len(self._alive), np.bool_)
        for code in items:
            hit[self.of(code)] = True
        return rows.take(self._offsets, self._codes, np.flatnonzero(~hit))


def exposed_after(moles: Moles, order: Sequence[int], *, budget: int) -> Ints | None:
    """Count the exposed transactions before, and after withholding each of the items in their order.

    None when that takes more than `budget` steps of work; what surely does is not begun.
    """
    from giveaway.algorithms.mole_kernels import last_steps

    ranked = moles.ranked
    offsets, ranks = moles.spelled(moles.found.parent, moles.found.item)
    step_of = np.full(ranked.items, len(order) + 1, np.int32)
    for number, code in enumerate(order, 1):
        if code in ranked.rank_of:
            step_of[ranked.rank_of[code]] = number
    step = np.minimum.reduceat(step_of[ranks], offsets[:-1]) if len(ranks) else np.zeros(0, np.int32)
    rarest = ranks[offsets[1:] - 1]
    if int(np.diff(ranked.holders[0])[rarest].sum()) > budget:
        return None
    latest_first = np.argsort(-step, kind="stable")
    last = np.zeros(len(ranked.weights), np.int32)
    work = 0
    place: int | np.int64 = 0
    while place < len(latest_first):
        tell("following what stays exposed", int(place), len(latest_first))
        if work > budget:
            return None
        place, spent = last_steps(data_of(ranked), offsets, ranks, step, latest_first, last, place, _BLOCK)
        work += int(spent)
    exposed = np.zeros(len(order) + 2, np.int64)
    np.add.at(exposed, last, ranked.weights)
    return np.asarray(int(ranked.weights.sum()) - np.cumsum(exposed)[:-1])
