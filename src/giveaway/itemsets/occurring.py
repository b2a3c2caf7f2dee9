"""How many public itemsets occur, in all, by size, by support and with each item; none of them is stored."""

from dataclasses import dataclass
from math import comb, gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, Search
from giveaway.errors import BudgetExceeded
from giveaway.itemsets import occurring_kernels as kernels
from giveaway.itemsets.ranked import Flags, Ranked, index
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import memory, tell

BUDGET = 60_000_000_000
"""Cells that a count may visit unless told otherwise: some minutes of one core."""

RARE = kernels.RARE
"""Supports below this are distinguished."""

_BLOCK = 10_000_000
_WORD = 62


@dataclass(frozen=True, kw_only=True)
class Occurring:
    """The occurring public itemsets of at most a given size, counted exactly.

    `sizes[i]` counts those of i items, `supports[s]` those that s transactions hold, where the last entry stands for
    `RARE` and more; `items[rank]` counts those that contain an item; `least` is the smallest support, 0 without sets.
    """

    sizes: tuple[int, ...]
    supports: tuple[int, ...]
    items: tuple[int, ...]
    least: int

    @property
    def total(self) -> int:
        """The number of itemsets."""
        return sum(self.sizes)


class Counter:
    """Counts occurring itemsets of rows from which items may be withheld."""

    def __init__(
        self, starts: Ints, cells: Codes, weights: Ints, items: int, size: int, *, budget: int = BUDGET
    ) -> None:
        lengths = np.diff(starts)
        self._starts, self._cells, self._weights, self._items = starts, cells, weights, items
        self._size = min(size, max(int(lengths.max(initial=0)), 1))
        self._budget = budget
        self._work = 0
        self._moduli = _moduli(_most(lengths, self._size))
        self._walk = _walk(max(len(cells), len(weights), 1), items, self._size)
        self._alive = np.ones(items, np.bool_)
        self._rows_of = index(starts, cells, items)

    def count(self) -> Occurring:
        """Count all occurring itemsets of the size asked for."""
        longest = int(np.diff(self._starts).max(initial=0))
        parts = [
            self._run(self._starts, self._cells, self._weights, self._size, longest, modulus)
            for modulus in self._moduli
        ]
        sizes, supports, items = (
            _joined([np.asarray(part[kind]) for part in parts], self._moduli) for kind in range(3)
        )
        return Occurring(
            sizes=tuple(map(int, sizes)),
            supports=tuple(map(int, supports)),
            items=tuple(map(int, items)),
            least=0 if len(self._cells) == 0 else parts[0][3],
        )

    def withhold(self, rank: int) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Remove an item; return the items that were in a set with it, and in how many such sets each was."""
        self._alive[rank] = False
        begins, holders = self._rows_of
        chosen = holders[begins[rank] : begins[rank + 1]].astype(np.int64)
        if self._size == 1 or len(chosen) == 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        starts, cells = arrays.drop(*arrays.take(self._starts, self._cells, chosen), ~self._alive)
        others = np.unique(cells).astype(np.int64)
        longest = int(np.diff(starts).max(initial=0))
        parts = [
            self._run(starts, cells, self._weights[chosen], self._size - 1, longest, modulus)
            for modulus in self._moduli
        ]
        return others, _joined([part[2][others] for part in parts], self._moduli)

    def _run(
        self, starts: Ints, cells: Codes, weights: Ints, size: int, longest: int, modulus: int
    ) -> tuple[Ints, Ints, Ints, int]:
        tallies = kernels.Tallies(
            np.zeros(size + 1, np.int64), np.zeros(RARE + 1, np.int64), np.zeros(self._items, np.int64)
        )
        state = np.array([-1, 0, np.iinfo(np.int64).max], np.int64)
        rows = kernels.RankRows(cells, starts, weights)
        task = kernels.CountTask(rows, size, _tables(size, longest, modulus), tallies, self._walk)
        count = Search(kernels.count, state, kernels.WORK, block=_BLOCK, least=len(cells))
        status = PAUSED
        while status != DONE:
            work = self._work + count.work
            tell("counting combinations", work)
            if work > self._budget:
                raise BudgetExceeded(
                    f"The combinations of up to {self._size} items are too many: {work:,} steps did not suffice.",
                    hint="ask about a smaller at_most, or withhold rare items first.",
                )
            status = count.go_on(task, state)
        self._work += count.work
        return tallies.sizes, tallies.supports, tallies.items, int(state[kernels.LEAST])


def counter(ranked: Ranked, size: int, *, without: Flags | None = None, budget: int = BUDGET) -> Counter:
    """Make a counter for the public itemsets of at most `size` items, from which some ranks may be left out."""
    starts, cells = ranked.starts, ranked.cells
    if without is not None:
        starts, cells = arrays.drop(starts, cells, without)
    starts, cells, weights, _ = arrays.merge(starts, cells, ranked.weights)
    return Counter(starts, cells, weights, ranked.items, size, budget=budget)


def _most(lengths: Ints, size: int) -> int:
    """Bound the number of itemsets: those of all rows, as if no two rows shared one."""
    values, numbers = np.unique(lengths, return_counts=True)
    return sum(
        int(number) * sum(comb(int(value), i) for i in range(1, size + 1))
        for value, number in zip(values, numbers, strict=True)
    )


def _moduli(most: int) -> list[int]:
    """Choose numbers without a common factor whose product exceeds the largest count."""
    chosen: list[int] = []
    product, candidate = 1, 1 << _WORD
    while product <= most:
        if gcd(product, candidate) == 1:
            chosen.append(candidate)
            product *= candidate
        candidate -= 1
    return chosen or [1 << _WORD]


def _joined(parts: list[Ints], moduli: list[int]) -> NDArray[Any]:
    """Put counts together from their remainders (Chinese remainder theorem)."""
    if len(moduli) == 1:
        return parts[0]
    joined = parts[0].astype(object)
    product = moduli[0]
    for part, modulus in zip(parts[1:], moduli[1:], strict=True):
        missing = (part.astype(object) - joined) * pow(product, -1, modulus) % modulus
        joined = joined + product * missing
        product *= modulus
    return joined


def _tables(size: int, longest: int, modulus: int) -> kernels.BinomialTables:
    choose = np.zeros((size + 1, longest + 1), np.int64)
    choose[0] = 1
    for i in range(1, size + 1):
        for t in range(i, longest + 1):
            choose[i, t] = (int(choose[i, t - 1]) + int(choose[i - 1, t - 1])) % modulus
    upto, having = np.zeros_like(choose), np.zeros_like(choose)
    for r in range(1, size + 1):
        upto[r] = (upto[r - 1] + choose[r]) % modulus
        having[r, 1:] = (having[r - 1, 1:] + choose[r - 1, :-1]) % modulus
    return kernels.BinomialTables(choose, upto, having, modulus)


def _walk(room: int, items: int, size: int) -> kernels.OccurringWalk:
    if 8 * room * size > memory():
        raise BudgetExceeded(
            f"Counting combinations of up to {size} items does not fit in the memory allowed.",
            hint="ask about a smaller at_most, or allow more with --memory.",
        )
    depths = size + 1
    return kernels.OccurringWalk(
        rows=np.empty((size, room), np.int32),
        places=np.empty((size, room), np.int32),
        waiting=np.zeros(depths, np.int64),
        things=np.empty((depths, items), np.int32),
        ends=np.empty((depths, items), np.int64),
        sums=np.zeros(depths, np.int64),
        many=np.zeros(items, np.int64),
        weight=np.zeros(items, np.int64),
        cursor=np.zeros(items, np.int64),
    )
