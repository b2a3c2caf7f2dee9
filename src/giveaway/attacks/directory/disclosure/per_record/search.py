"""The best thing to disclose when the attributes are too many to try all sets.

A beam keeps the best sets of each size and extends them; a branch and bound then proves the best, or finds better.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.per_record.all_subsets import BySize
from giveaway.attacks.directory.disclosure.problem import (
    DOUBTFUL,
    YES,
    DirectoryMasks,
    Floats,
    Masks,
    Posed,
    Rows,
)
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

if TYPE_CHECKING:
    from giveaway.attacks.directory.disclosure.per_record.search_kernels import Sought


class BestSets(NamedTuple):
    """The best sets found for each size; nan where none was found that is allowed."""

    keys: Floats
    losses: Floats
    sets: Masks


def search(posed: Posed, sizes: Collection[int], *, width: int, nodes: int) -> BySize:
    """Return the best sets found for each size up to the largest wanted; only wanted sizes are proved.

    Of equal losses the one found first stays, which need not be the lowest set. A sum of chances that is too near to
    its limit to be compared in floats counts as above it, and then nothing is proved.
    """
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    sought = sought_of(posed)
    last = max(sizes, default=0)
    reached = beam(sought, last, width=width)
    proved = np.zeros(posed.open + 1, np.bool_)
    proved[0] = kernels.judge(sought, np.uint64(0))[2] != DOUBTFUL
    for size in range(1, last + 1):
        if size in sizes:
            tell("proving what is best to disclose", size, last + 1)
            proved[size] = _prove(sought, reached, size, nodes=nodes)
    return BySize(reached.losses, reached.sets, proved)


def sought_of(posed: Posed) -> "Sought":
    """Return the question with the masks that contain what is shown in any case, merged over the open attributes."""
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    parts: list[tuple[Masks, Ints]] = []
    for masks, counts in zip(posed.masks, posed.counts, strict=True):
        rows, inside = posed.inside(masks)
        distinct, group = np.unique(inside, return_inverse=True)
        many = np.zeros(len(distinct), np.int64)
        np.add.at(many, group, counts[rows])
        parts.append((distinct[many != 0], many[many != 0]))
    seen = DirectoryMasks(
        np.concatenate([np.empty(0, np.uint64), *(masks for masks, _ in parts)]),
        np.concatenate([np.empty(0, np.int64), *(many for _, many in parts)]),
        np.repeat(np.arange(len(parts), dtype=np.int32), [len(masks) for masks, _ in parts]),
    )
    return kernels.Sought(seen, posed.costs, posed.terms)


class _Entry(NamedTuple):
    chosen: np.uint64
    total: float
    rows: Rows


class _Steps(NamedTuple):
    """All sets that are one attribute larger than an entry, each once."""

    entry: Ints
    bit: Ints
    masks: Masks
    totals: Floats
    keys: Floats
    losses: Floats
    allowed: NDArray[np.uint8]


def beam(sought: "Sought", last: int, *, width: int, prices: Floats | None = None) -> BestSets:
    """Extend the best `width` sets of each size by each attribute; with `prices`, best is the loss less the prices."""
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    every = len(sought.costs.each) + 1
    reached = BestSets(np.full(every, np.nan), np.full(every, np.nan), np.zeros(every, np.uint64))
    key, loss, allowed = kernels.judge(sought, np.uint64(0))
    if allowed == YES:
        reached.keys[0], reached.losses[0] = key if prices is None else loss, loss
    masks = sought.seen.masks
    entries = [_Entry(np.uint64(0), sought.costs.base, np.arange(len(masks), dtype=np.int32))]
    for size in range(1, last + 1):
        steps = _steps(sought, entries)
        keys = steps.keys if prices is None else steps.losses - worths(steps.masks, prices)
        refused = np.not_equal(steps.allowed, YES)
        order = np.lexsort((steps.masks, keys, refused))[:width]
        best = order[0]
        if steps.allowed[best] == YES:
            reached.keys[size] = keys[best]
            reached.losses[size], reached.sets[size] = steps.losses[best], steps.masks[best]
        bits = np.uint64(1) << steps.bit.astype(np.uint64)
        before = [entries[steps.entry[at]].rows for at in order]
        entries = [
            _Entry(steps.masks[at], steps.totals[at], rows[(masks[rows] & bits[at]) > 0])
            for at, rows in zip(order, before, strict=True)
        ]
    return reached


def _steps(sought: "Sought", entries: Sequence[_Entry]) -> _Steps:
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    chosen = np.array([entry.chosen for entry in entries], np.uint64)
    many = len(sought.costs.each)
    bits = np.uint64(1) << np.arange(many, dtype=np.uint64)
    masks, first = np.unique(chosen[:, None] | bits, return_index=True)
    steps = [kernels.expand(sought, entry.rows, entry.chosen, entry.total) for entry in entries]
    totals, keys, losses, allowed = (np.concatenate(part)[first] for part in zip(*steps, strict=True))
    larger = (chosen[first // many] & bits[first % many]) == 0
    every = (first // many, first % many, masks, totals, keys, losses, allowed)
    return _Steps(*(part[larger] for part in every))


def worths(masks: Masks, prices: Floats) -> Floats:
    """Add up the prices of the attributes in each mask."""
    bits = np.arange(len(prices), dtype=np.uint64)
    return ((masks[:, None] >> bits) & np.uint64(1)).astype(np.float64) @ prices


def _prove(sought: "Sought", reached: BestSets, size: int, *, nodes: int) -> bool:
    """Put a better set in the place of the one reached if there is one; say whether all were looked at."""
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    many = len(sought.costs.each)
    walk = kernels.RecordWalk(
        rows=np.empty(size * len(sought.seen.masks), np.int32),
        ends=np.zeros(size, np.int64),
        order=np.empty((size, many), np.int64),
        many=np.zeros(size, np.int64),
        next=np.zeros(size, np.int64),
        chosen=np.zeros(size, np.uint64),
        totals=np.zeros(size),
        adds=np.empty((size, many)),
        floors=np.empty((size, many)),
        counts=np.empty((len(sought.terms.prior), many), np.int64),
    )
    chosen, complete = kernels.prove(sought, walk, size, reached.keys[size], nodes)
    if chosen:
        reached.sets[size] = chosen
        reached.keys[size], reached.losses[size], _ = kernels.judge(sought, chosen)
    return bool(complete)
