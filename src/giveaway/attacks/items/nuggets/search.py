"""The search for nuggets seen from Python: ranked rows, room for the kernels, blocks of work with progress."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.nuggets import kernels
from giveaway.attacks.items.nuggets.kernels import (
    Bitmaps,
    NuggetRows,
    NuggetsAsked,
    NuggetsTask,
    NuggetWalk,
    RankedMoles,
    RoomForSets,
)
from giveaway.compiling import DONE, PAUSED, Search
from giveaway.itemsets.ranked import sorted_rows
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import memory, tell

_DENSE = 3
"""Bitmaps are used when at least this per cent of all cells are filled."""

_BLOCK = 50_000_000
_FIRST_SETS = 1024
_WORD = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class FrequentRanks:
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
class NuggetSets:
    """What a search yields: sets of ranks, and how many of private items alone there are, which are not listed."""

    written: RoomForSets
    alone: int


def ranked(transactions: Transactions, min_support: int, *, public_first: bool) -> FrequentRanks:
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
    return FrequentRanks(
        offsets=offsets,
        cells=cells,
        weights=weights,
        codes=codes,
        rank_of=rank_of,
        supports=supports[codes],
        public=int((~behind[codes]).sum()),
        transactions=len(transactions),
    )


def with_moles(ranks: FrequentRanks, offsets: Ints, codes: Codes) -> RankedMoles:
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
    return RankedMoles(
        first=np.searchsorted(last[order], np.arange(len(ranks.codes) + 1)).astype(np.int64),
        second=second[order],
        rest_offsets=np.concatenate([[0], np.cumsum(others)]).astype(np.int64),
        rest=cells[from_end > 2],
    )


def search(
    ranks: FrequentRanks,
    min_support: int,
    max_size: int | None,
    moles: RankedMoles | None,
    budget: int,
    *,
    dense: bool | None,
) -> NuggetSets | None:
    """Run the search; None when it takes more than `budget` steps or more memory than there may be.

    Without moles the sets are intervals with all nuggets in them, with moles they are public parts that hold none.
    """
    items = len(ranks.codes)
    if dense is None:
        dense = 100 * len(ranks.cells) >= _DENSE * max(1, items * len(ranks.weights))
    return _NuggetSearch(ranks, min_support, max_size, moles, dense=dense).run(budget)


class _NuggetSearch:
    """The arrays of one search, which grow when the kernel asks for room."""

    def __init__(
        self,
        ranks: FrequentRanks,
        min_support: int,
        max_size: int | None,
        moles: RankedMoles | None,
        *,
        dense: bool,
    ) -> None:
        items = len(ranks.codes)
        longest = int(arrays.lengths(ranks.offsets).max(initial=0))
        bitmaps = _bitmaps(ranks) if dense else Bitmaps(np.zeros((0, 0), np.uint64), np.zeros(0, np.int64))
        self._ranks = ranks
        self._state = np.zeros(8, np.int64)
        self._task = NuggetsTask(
            asked=NuggetsAsked(
                dense=dense,
                intervals=moles is None,
                public=ranks.public,
                min_support=min_support,
                max_size=longest + 1 if max_size is None else max_size,
            ),
            rows=NuggetRows(ranks.offsets, ranks.cells, ranks.weights),
            bitmaps=bitmaps,
            moles=moles or _no_moles(items),
            walk=NuggetWalk(
                levels=np.zeros((longest + 2, 6), np.int64),
                path=np.zeros(longest + 1, np.int32),
                perfect=np.zeros(items, np.int32),
                is_perfect=np.zeros(items, np.bool_),
                chosen=np.zeros(items, np.bool_),
                tally=np.zeros((items, 2), np.int64),
                touched=np.zeros(items, np.int32),
                slot=np.full(items, -1, np.int64),
                covers=np.zeros((longest + 2 if dense else 0, bitmaps.bits.shape[1]), np.uint64),
                candidates=np.zeros((2 * items + 16, 4), np.int64),
                occurrence=np.zeros((0, 2), np.int32) if dense else _first_occurrences(ranks),
            ),
            written=RoomForSets(
                offsets=np.zeros(_FIRST_SETS, np.int64),
                heads=np.zeros(_FIRST_SETS, np.int32),
                weights=np.zeros(_FIRST_SETS, np.int64),
                cells=np.zeros(16 * _FIRST_SETS + items, np.int32),
            ),
        )
        self._open_root()

    def _open_root(self) -> None:
        """Enter the empty set: items in every row are its perfect extensions, all others its candidates."""
        ranks, walk, written = self._ranks, self._task.walk, self._task.written
        walk.covers[:1] = ~np.uint64(0)
        always = (ranks.supports == ranks.transactions) & self._task.asked.intervals
        known = np.flatnonzero(always)
        others = np.flatnonzero(~always)
        walk.perfect[: len(known)] = known
        walk.is_perfect[known] = True
        bucket = np.zeros(len(ranks.codes) + 1, np.int64)
        np.cumsum(np.bincount(ranks.cells, minlength=len(ranks.codes)), out=bucket[1:])
        columns = (others, ranks.supports[others], bucket[others], bucket[others + 1])
        walk.candidates[: len(others)] = np.stack(columns, axis=1)
        walk.levels[0] = 0, len(others), 0, len(walk.occurrence), len(known), -1
        self._state[kernels.CANDIDATES] = len(others)
        self._state[kernels.OCCURRENCES] = len(walk.occurrence)
        if len(known):
            written.cells[: len(known)] = known
            written.offsets[1] = self._state[kernels.CELLS] = len(known)
            written.weights[0] = ranks.transactions
            self._state[kernels.SETS] = 1

    def run(self, budget: int) -> NuggetSets | None:
        """Search in blocks, telling progress between them."""
        state, top = self._state, self._task.walk.levels[0]
        search = Search(kernels.search, state, kernels.STEPS, block=_BLOCK, least=len(self._ranks.cells))
        status = PAUSED
        while status != DONE:
            tell("counting combinations that stay", int(top[kernels.NEXT]), int(top[kernels.LAST]))
            if search.work > budget or not self._make_room(status):
                return None
            # The bits of a word are counted modulo 2 ** 64, of which plain Python would warn.
            with np.errstate(over="ignore"):
                status = search.go_on(self._task, state, most=budget + 1)
        sets, cells = int(state[kernels.SETS]), int(state[kernels.CELLS])
        written = self._task.written
        return NuggetSets(
            written=RoomForSets(
                offsets=written.offsets[: sets + 1].copy(),
                heads=written.heads[:sets].copy(),
                weights=written.weights[:sets].copy(),
                cells=written.cells[:cells].copy(),
            ),
            alone=int(state[kernels.ALONE]),
        )

    def _make_room(self, status: int) -> bool:
        """Double what is full; tell whether there is memory for it."""
        walk, written = self._task.walk, self._task.written
        if status == kernels.SETS_FULL:
            offsets, heads, weights = (
                _longer(part) for part in (written.offsets, written.heads, written.weights)
            )
            written = written._replace(offsets=offsets, heads=heads, weights=weights)
        elif status == kernels.CELLS_FULL:
            written = written._replace(cells=_longer(written.cells))
        elif status == kernels.CANDIDATES_FULL:
            walk = walk._replace(candidates=_longer(walk.candidates))
        elif status == kernels.OCCURRENCES_FULL:
            wanted = int(self._state[kernels.WANTED])
            walk = walk._replace(occurrence=_longer(walk.occurrence, wanted))
        self._task = self._task._replace(walk=walk, written=written)
        # Every interval cell is stored once more in the index of mentions and sorted for it.
        return 6 * written.cells.nbytes + 3 * written.offsets.nbytes + walk.occurrence.nbytes < memory()


def _longer(old: NDArray[Any], wanted: int = 0) -> NDArray[Any]:
    """Return an array of twice the length, or of the length wanted if that is more."""
    new = np.zeros((max(2 * len(old), wanted), *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new


def _first_occurrences(ranks: FrequentRanks) -> NDArray[np.int32]:
    """List for every rank, in order, the rows that hold it and the place behind it."""
    row = np.repeat(np.arange(len(ranks.weights)), arrays.lengths(ranks.offsets))
    behind = np.arange(len(ranks.cells)) - ranks.offsets[row] + 1
    order = np.argsort(ranks.cells, kind="stable")
    return np.stack([row[order], behind[order]], axis=1).astype(np.int32)


def _no_moles(items: int) -> RankedMoles:
    none = np.zeros(0, np.int32)
    return RankedMoles(np.zeros(items + 1, np.int64), none, np.zeros(1, np.int64), none)


def _bitmaps(ranks: FrequentRanks) -> Bitmaps:
    """Return a bitmap of the rows of each rank, and what a row of each word weighs as a power of two.

    A row of weight 5 appears twice, among the rows that weigh 4 and among those that weigh 1.
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
        return Bitmaps(np.zeros((len(ranks.codes), 0), np.uint64), np.zeros(0, np.int64))
    return Bitmaps(np.concatenate(blocks, axis=1), np.concatenate(shifts))
