"""The search for nuggets seen from Python: ranked rows, room for the kernels, blocks of work with progress."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import memory, tell

_DENSE = 3
"""Bitmaps are used when at least this per cent of all cells are filled."""

_QUANTUM = 200_000_000
_WORD = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranked:
    """Rows of the frequent items alone, as ranks; identical rows merged.

    `codes[rank]` is the item and `rank_of[code]` its rank or -1. The ranks ascend in support; ranks below `public`
    are public items where that matters.
    """

    offsets: Ints
    cells: Codes
    weights: Ints
    codes: Ints
    rank_of: Ints
    supports: Ints
    public: int
    transactions: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Moles:
    """Moles sorted by their last rank and the last but one (-1 if none), each with its other ranks."""

    first: Ints
    second: Codes
    rest_offsets: Ints
    rest: Codes


@dataclass(frozen=True, kw_only=True, eq=False)
class Sets:
    """What a search yields: sets of ranks, the first `heads[i]` of them the head, and `alone`, the private ones."""

    offsets: Ints
    heads: NDArray[np.int32]
    weights: Ints
    cells: Codes
    alone: int


def ranked(transactions: Transactions, min_support: int, *, public_first: bool) -> Ranked:
    """Rank the frequent items by ascending support and code, public ones first when asked."""
    supports = transactions.supports
    frequent = supports >= min_support
    behind = transactions.is_private if public_first else np.zeros(len(supports), np.bool_)
    codes = np.lexsort((np.arange(len(supports)), supports, behind))
    codes = codes[frequent[codes]]
    rank_of = np.full(len(supports), -1, np.int64)
    rank_of[codes] = np.arange(len(codes))
    offsets, kept = arrays.drop(transactions.offsets, transactions.codes, ~frequent)
    cells = sorted_rows(offsets, rank_of[kept].astype(np.int32))
    offsets, cells, weights, _ = arrays.merge(offsets, cells, transactions.weights)
    return Ranked(
        offsets=offsets,
        cells=cells,
        weights=weights,
        codes=codes,
        rank_of=rank_of,
        supports=supports[codes],
        public=int((~behind[codes]).sum()),
        transactions=len(transactions),
    )


def with_moles(ranks: Ranked, offsets: Ints, codes: Codes) -> Moles:
    """Prepare those moles whose items are all frequent; the others can be in no nugget."""
    cells: Codes = ranks.rank_of[codes].astype(np.int32)
    size = np.diff(offsets)
    mole = np.repeat(np.arange(len(size)), size)
    whole = np.bincount(mole[cells < 0], minlength=len(size)) == 0
    offsets, cells = arrays.take(offsets, cells, np.flatnonzero(whole))
    cells = sorted_rows(offsets, cells)
    last = cells[offsets[1:] - 1]
    second = np.where(np.diff(offsets) > 1, cells[offsets[1:] - 2], -1).astype(np.int32)
    order = np.lexsort((second, last))
    offsets, cells = arrays.take(offsets, cells, order)
    from_end = np.repeat(offsets[1:], np.diff(offsets)) - np.arange(len(cells))
    others = np.maximum(np.diff(offsets) - 2, 0)
    return Moles(
        first=np.searchsorted(last[order], np.arange(len(ranks.codes) + 1)).astype(np.int64),
        second=second[order],
        rest_offsets=np.concatenate([[0], np.cumsum(others)]).astype(np.int64),
        rest=cells[from_end > 2],
    )


def search(
    ranks: Ranked,
    min_support: int,
    max_size: int | None,
    moles: Moles | None,
    budget: int,
    *,
    dense: bool | None,
) -> Sets | None:
    """Run the search; None when it takes more than `budget` steps or more memory than there may be.

    Without moles the sets are intervals with all nuggets in them, with moles they are public parts that hold none.
    """
    items = len(ranks.codes)
    if dense is None:
        dense = 100 * len(ranks.cells) >= _DENSE * max(1, items * len(ranks.weights))
    return _Search(ranks, min_support, max_size, moles, dense=dense).run(budget)


class _Search:
    """The arrays of one search, which grow when a kernel asks for room."""

    def __init__(
        self, ranks: Ranked, min_support: int, max_size: int | None, moles: Moles | None, *, dense: bool
    ) -> None:
        items = len(ranks.codes)
        longest = int(arrays.lengths(ranks.offsets).max(initial=0))
        self.ranks = ranks
        self.intervals = moles is None
        self.dense = dense
        self.min_support = min_support
        self.max_size = longest + 1 if max_size is None else max_size
        self.moles = moles or Moles(
            first=np.zeros(items + 1, np.int64),
            second=np.zeros(0, np.int32),
            rest_offsets=np.zeros(1, np.int64),
            rest=np.zeros(0, np.int32),
        )
        self.at = np.zeros(9, np.int64)
        self.levels = np.zeros((longest + 2, 6), np.int64)
        self.path = np.zeros(longest + 1, np.int32)
        self.perfect = np.zeros(items, np.int32)
        self.is_perfect = np.zeros(items, np.bool_)
        self.chosen = np.zeros(items, np.bool_)
        self.tally = np.zeros((items, 2), np.int64)
        self.touched = np.zeros(items, np.int32)
        self.slot = np.full(items, -1, np.int64)
        self.candidates = np.zeros((2 * items + 16, 4), np.int64)
        self.set_offsets = np.zeros(1024, np.int64)
        self.heads = np.zeros(1024, np.int32)
        self.weights = np.zeros(1024, np.int64)
        self.cells = np.zeros(16 * 1024 + items, np.int32)
        self.bits, self.shift = _bitmaps(ranks) if dense else _no_bitmaps()
        self.covers = np.zeros((longest + 2 if dense else 0, self.bits.shape[1]), np.uint64)
        self.occurrence = np.zeros((0, 2), np.int32) if dense else _first_occurrences(ranks)
        self._open_root()

    def _open_root(self) -> None:
        """Enter the empty set: items in every row are its perfect extensions, all others its candidates."""
        from giveaway.attacks.items.nuggets import kernels as kernel

        ranks = self.ranks
        self.covers[:1] = ~np.uint64(0)
        always = (ranks.supports == ranks.transactions) & self.intervals
        known = np.flatnonzero(always)
        others = np.flatnonzero(~always)
        self.perfect[: len(known)] = known
        self.is_perfect[known] = True
        bucket = np.zeros(len(ranks.codes) + 1, np.int64)
        np.cumsum(np.bincount(ranks.cells, minlength=len(ranks.codes)), out=bucket[1:])
        columns = (others, ranks.supports[others], bucket[others], bucket[others + 1])
        self.candidates[: len(others)] = np.stack(columns, axis=1)
        self.levels[0] = 0, len(others), 0, len(self.occurrence), len(known), -1
        self.at[kernel.CANDIDATES] = len(others)
        self.at[kernel.OCCURRENCES] = len(self.occurrence)
        if len(known):
            self.cells[: len(known)] = known
            self.set_offsets[1] = self.at[kernel.CELLS] = len(known)
            self.weights[0] = self.at[kernel.SETS] = 1

    def run(self, budget: int) -> Sets | None:
        """Search in blocks, telling progress between them."""
        from giveaway.attacks.items.nuggets import kernels as kernel

        status = kernel.PAUSED
        while status != kernel.DONE:
            tell("counting nuggets", int(self.levels[0, kernel.NEXT]), int(self.levels[0, kernel.LAST]))
            left = budget - int(self.at[kernel.STEPS])
            if left < 0 or not self._make_room(status):
                return None
            status = kernel.search(*self._arguments(min(left, _QUANTUM)))
        sets, cells = int(self.at[kernel.SETS]), int(self.at[kernel.CELLS])
        return Sets(
            offsets=self.set_offsets[: sets + 1].copy(),
            heads=self.heads[:sets].copy(),
            weights=self.weights[:sets].copy(),
            cells=self.cells[:cells].copy(),
            alone=int(self.at[kernel.ALONE]),
        )

    def _arguments(self, quantum: int) -> tuple[object, ...]:
        ranks, moles = self.ranks, self.moles
        return (
            self.dense,
            self.intervals,
            ranks.public,
            self.min_support,
            self.max_size,
            quantum,
            (ranks.offsets, ranks.cells, ranks.weights),
            (self.bits, self.shift),
            (moles.first, moles.second, moles.rest_offsets, moles.rest),
            self.at,
            self.levels,
            self.path,
            self.perfect,
            self.is_perfect,
            self.chosen,
            self.tally,
            self.touched,
            self.slot,
            self.covers,
            self.candidates,
            self.occurrence,
            self.set_offsets,
            self.heads,
            self.weights,
            self.cells,
        )

    def _make_room(self, status: int) -> bool:
        """Double what is full; tell whether there is memory for it."""
        from giveaway.attacks.items.nuggets import kernels as kernel

        names: dict[int, tuple[str, ...]] = {
            kernel.SETS_FULL: ("set_offsets", "heads", "weights"),
            kernel.CELLS_FULL: ("cells",),
            kernel.CANDIDATES_FULL: ("candidates",),
            kernel.OCCURRENCES_FULL: ("occurrence",),
        }
        wanted = int(self.at[kernel.WANTED]) if status == kernel.OCCURRENCES_FULL else 0
        for name in names.get(status, ()):
            old: NDArray[np.int64] = getattr(self, name)
            new = np.zeros((max(2 * len(old), wanted), *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
        # Every interval cell is stored once more in the index of mentions and sorted for it.
        return 6 * self.cells.nbytes + 3 * self.set_offsets.nbytes + self.occurrence.nbytes < memory()


def sorted_rows(offsets: Ints, cells: Codes) -> Codes:
    """Sort the cells of every row."""
    first = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) * (int(cells.max(initial=0)) + 1)
    keys = first + cells
    keys.sort()
    return (keys - first).astype(np.int32)


def _first_occurrences(ranks: Ranked) -> NDArray[np.int32]:
    """List for every rank, in order, the rows that hold it and the place behind it."""
    row = np.repeat(np.arange(len(ranks.weights)), arrays.lengths(ranks.offsets))
    behind = np.arange(len(ranks.cells)) - ranks.offsets[row] + 1
    order = np.argsort(ranks.cells, kind="stable")
    return np.stack([row[order], behind[order]], axis=1).astype(np.int32)


def _no_bitmaps() -> tuple[NDArray[np.uint64], Ints]:
    return np.zeros((0, 0), np.uint64), np.zeros(0, np.int64)


def _bitmaps(ranks: Ranked) -> tuple[NDArray[np.uint64], Ints]:
    """Return a bitmap of the rows of each rank, and what a row of each word weighs as a power of two.

    A row of weight 5 stands twice, among the rows that weigh 4 and among those that weigh 1.
    """
    blocks = []
    shifts = []
    for power in range(int(ranks.weights.max(initial=1)).bit_length()):
        chosen = np.flatnonzero(ranks.weights >> power & 1)
        if len(chosen) == 0:
            continue
        offsets, cells = arrays.take(ranks.offsets, ranks.cells, chosen)
        place = np.repeat(np.arange(len(chosen)), np.diff(offsets))
        block = np.zeros((len(ranks.codes), -(-len(chosen) // _WORD)), np.uint64)
        bit = np.uint64(1) << (place % _WORD).astype(np.uint64)
        np.bitwise_or.at(block, (cells, place // _WORD), bit)
        blocks.append(block)
        shifts.append(np.full(block.shape[1], power, np.int64))
    if not blocks:
        return np.zeros((len(ranks.codes), 0), np.uint64), np.zeros(0, np.int64)
    return np.concatenate(blocks, axis=1), np.concatenate(shifts)
