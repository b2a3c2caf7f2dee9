"""Counting at a node: the blocks of rows with the same labels, rolled up from blocks of a finer node."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.levels.lattice import CountedRows, Lattice, Node
from giveaway.attacks.directory.readings.attribute_chances import ValueTargets
from giveaway.attacks.directory.readings.shares import counted, exceeds
from giveaway.model.data.arrays import Codes, Ints, alike, summed

Flags = NDArray[np.bool_]

_LARGEST_KEY = 1 << 62
_FEW = 8
"""Up to so many keys for each block are counted in a table, without sorting."""
_ROOM = 8_000_000
"""So many blocks are kept to roll up from."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ShareLimit:
    """The largest share that a target may have among the rows of a block that show a sensitive value.

    `sensitive` gives the value of each row, -1 where it is missing.
    """

    sensitive: Codes
    targets: ValueTargets
    limit: Fraction


@dataclass(frozen=True, eq=False)
class BlocksTold:
    """How often blocks show targets: `count` rows of `block` show `target`; `shown` rows of each block show a value."""

    block: Ints
    target: Ints
    count: Ints
    shown: Ints


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a node: one profile of each, its rows and its crowd, which are the same without a register."""

    profile: Ints
    rows: Ints
    crowd: Ints
    counts: tuple[BlocksTold, ...]
    """What is told of each sensitive column that has a limit."""

    def __len__(self) -> int:
        return len(self.profile)


@dataclass(frozen=True, kw_only=True, eq=False)
class NodeSuppression:
    """What a node suppresses: which blocks, how many rows, and what that loses on top of the labels, in units.

    `least_rows` and `least_units` count the blocks whose crowd is too small, and not those of which a share is too large or
    that are suppressed to fill up: these numbers never rise going up, as blocks only merge.
    """

    bad: Flags
    rows: int
    units: int
    least_rows: int
    least_units: int


class NodeCounts:
    """Different profiles, with how many rows and people have each, counted by the labels of nodes."""

    def __init__(
        self,
        lattice: Lattice,
        rows: CountedRows,
        crowd: int,
        people: CountedRows | None = None,
        shares: Sequence[ShareLimit] = (),
        *,
        fills: bool = False,
    ) -> None:
        """Prepare to count; a block needs a crowd, of people if there are any, else of rows, and no larger share.

        With `fills` the rows that show nothing need a crowd of rows too: where they are too few, the block that loses least
        by it is suppressed with them.
        """
        self.lattice, self.smallest, self._limits = lattice, crowd, tuple(one.limit for one in shares)
        self.fills = fills
        everybody = rows.values if people is None else np.concatenate([rows.values, people.values])
        number, first = alike(list(everybody.T))
        self.values = everybody[first]
        self.profile_of = number[: len(rows.values)]
        """The profile of each row that was given."""
        many = len(first)
        of_rows = np.bincount(self.profile_of, weights=rows.count, minlength=many).astype(np.int64)
        of_people = of_rows
        if people is not None:
            of_people = np.bincount(number[len(rows.values) :], weights=people.count, minlength=many).astype(
                np.int64
            )
        self.rows = int(of_rows.sum())
        counts = tuple(_counted(self.profile_of, rows.count, one, many) for one in shares)
        self.all = Blocks(np.arange(many), of_rows, of_people, counts)
        self.has_register = people is not None
        self._label = [
            [labels[codes] for labels in column.labels]
            for column, codes in zip(lattice.columns, self.values.T, strict=True)
        ]
        """The label of each profile, column by column and level by level."""
        self._kept = [
            [full - cost[codes] for cost in costs]
            for full, costs, codes in zip(lattice.full, lattice.cost, self.values.T, strict=True)
        ]
        """What a blank in the place of that label would lose on top."""
        self.forget()

    def forget(self) -> None:
        """Begin with the profiles themselves as the only blocks to roll up from."""
        self._levels = np.zeros((1, len(self.lattice.columns)), np.int64)
        self._sizes = np.array([len(self.all)])
        self._pool = [self.all]
        self._room = _ROOM

    def part(self, profiles: Flags) -> "NodeCounts":
        """Return the counting of some profiles alone, numbered as here, without filling up."""
        part = copy(self)
        part.fills = False
        kept = np.flatnonzero(profiles)
        counts = tuple(_counts_of(one, profiles) for one in self.all.counts)
        part.all = Blocks(kept, self.all.rows[kept], self.all.crowd[kept], counts)
        part.rows = int(part.all.rows.sum())
        part.forget()
        return part

    def blocks(self, node: Node) -> Blocks:
        """Return the blocks of a node, from the fewest blocks of a finer node that were counted and kept."""
        finer = np.flatnonzero((self._levels <= node).all(axis=1))
        source = self._pool[int(finer[np.argmin(self._sizes[finer])])]
        blocks = self._rolled(source, node)
        if len(blocks) <= self._room:
            self._room -= len(blocks)
            self._levels = np.append(self._levels, [node], axis=0)
            self._sizes = np.append(self._sizes, len(blocks))
            self._pool.append(blocks)
        return blocks

    def once(self, node: Node) -> Blocks:
        """Return the blocks of a node that is no source for others."""
        return self._rolled(self.all, node)

    def block_of(self, node: Node) -> tuple[Ints, Blocks]:
        """Return the block of each profile at a node, and the blocks."""
        number, first = self._alike(self.all, node)
        return number, self._merged(self.all, number, first)

    def suppressed(self, node: Node, blocks: Blocks) -> NodeSuppression:
        """Judge the blocks of a node."""
        small = blocks.crowd < self.smallest
        least_rows, least_units = self._lost(node, blocks, small)
        bad, rows, units = small, least_rows, least_units
        large = ~small & self._over(blocks)
        if large.any():
            more_rows, more_units = self._lost(node, blocks, large)
            bad, rows, units = small | large, least_rows + more_rows, least_units + more_units
        if self.fills and 0 < rows < self.smallest:
            levels = np.tile(np.array(node, np.int8), (len(blocks), 1))
            more = self.filling(levels, blocks, ~bad)
            more_rows, more_units = self._lost(node, blocks, more)
            bad, rows, units = bad | more, rows + more_rows, units + more_units
        return NodeSuppression(
            bad=bad, rows=rows, units=units, least_rows=least_rows, least_units=least_units
        )

    def filling(self, levels: NDArray[np.int8], blocks: Blocks, good: Flags) -> Flags:
        """Mark the good block to suppress where suppressed rows are too few for a crowd: the one that loses least by it.

        `levels` says what each block shows. One block is enough, as each has a crowd, and whole blocks are all that may be
        added; so nothing loses less. Of equal losses the fewest rows count, then the order of levels and labels: never that
        of rows. Nothing is to be added where a good block shows nothing anyway, and nothing can be where none is good.
        """
        chosen = np.zeros(len(blocks), np.bool_)
        if not good.any() or (good & self._silent(levels, blocks)).any():
            return chosen
        lost = np.zeros(len(blocks), np.int64)
        for column, kept in enumerate(self._kept):
            lost += np.stack(kept)[levels[:, column], blocks.profile]
        lost *= blocks.rows
        least = good & (lost == lost[good].min())
        least &= blocks.rows == blocks.rows[least].min()

        def order(block: int) -> tuple[list[int], list[int]]:
            shown = levels[block].tolist()
            labels = [self._label[column][level][blocks.profile[block]] for column, level in enumerate(shown)]
            return shown, list(map(int, labels))

        chosen[min(np.flatnonzero(least).tolist(), key=order)] = True
        return chosen

    def _silent(self, levels: NDArray[np.int8], blocks: Blocks) -> Flags:
        """Tell the blocks that show nothing: every column is blank or missing."""
        shows: Flags = (levels != self.lattice.top) & (self.values[blocks.profile] >= 0)
        return np.bitwise_not(shows.any(axis=1))

    def patterns(self, levels: NDArray[np.int8]) -> tuple[Ints, Blocks]:
        """Return the block of each profile where each shows levels of its own, and the blocks: what shows the same labels."""
        every = np.arange(len(self.values))
        labels = [np.stack(of_level)[levels[:, column], every] for column, of_level in enumerate(self._label)]
        number, first = alike([*levels.T, *labels])
        return number, self._merged(self.all, number, first)

    def _over(self, blocks: Blocks) -> Flags:
        """Tell the blocks in which a target has too large a share."""
        marks = np.zeros(len(blocks), np.bool_)
        for counts, limit in zip(blocks.counts, self._limits, strict=True):
            over = exceeds(counts.count, counts.shown[counts.block], limit)
            marks[counts.block[over]] = True
        return marks

    def _lost(self, node: Node, blocks: Blocks, chosen: Flags) -> tuple[int, int]:
        """Return the rows of some blocks, and how much more blanks lose there than the labels of a node."""
        rows = blocks.rows[chosen]
        profiles = blocks.profile[chosen]
        lost = np.zeros(len(rows), np.int64)
        for column, level in enumerate(node):
            if level < self.lattice.top[column]:
                lost += self._kept[column][level][profiles]
        return int(rows.sum()), int(rows @ lost)

    def _alike(self, source: Blocks, node: Node) -> tuple[Ints, Ints]:
        """Number the blocks of a coarser node that blocks are in, and return one of each."""
        return alike([self._label[column][level][source.profile] for column, level in enumerate(node)])

    def _rolled(self, source: Blocks, node: Node) -> Blocks:
        """Merge blocks that have the same labels at a coarser node."""
        key, span = np.zeros(len(source), np.int64), 1
        for column, level in enumerate(node):
            size = self.lattice.sizes[column][level]
            if size > 1:
                span *= size
                if span > _LARGEST_KEY:
                    return self._merged(source, *self._alike(source, node))
                key *= size
                key += self._label[column][level][source.profile]
        if span <= _FEW * len(source):
            place_of = np.full(span, -1)
            place_of[key] = np.arange(len(source))
            occurs = np.flatnonzero(place_of >= 0)
            first = place_of[occurs]
            place_of[occurs] = np.arange(len(occurs))
            return self._merged(source, place_of[key], first)
        order = np.argsort(key)
        ascending = key[order]
        starts = np.append(True, ascending[1:] != ascending[:-1])
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(starts) - 1
        return self._merged(source, number, order[starts])

    def _merged(self, source: Blocks, number: Ints, first: Ints) -> Blocks:
        many = len(first)
        rows = np.bincount(number, weights=source.rows, minlength=many).astype(np.int64)
        crowd = rows
        if self.has_register:
            crowd = np.bincount(number, weights=source.crowd, minlength=many).astype(np.int64)
        counts = tuple(_counts_together(one, number, many) for one in source.counts)
        return Blocks(source.profile[first], rows, crowd, counts)


def _counts_together(before: BlocksTold, number: Ints, many: int) -> BlocksTold:
    """Count the targets of blocks that were merged."""
    targets = int(before.target.max(initial=0)) + 1
    keys, counts = summed(number[before.block] * targets + before.target, before.count, many * targets)
    shown = np.bincount(number, weights=before.shown, minlength=many).astype(np.int64)
    return BlocksTold(keys // targets, keys % targets, counts, shown)


def _counts_of(part: BlocksTold, blocks: Flags) -> BlocksTold:
    """Return what is told of some blocks alone, numbered in their order."""
    inside = blocks[part.block]
    place = np.cumsum(blocks) - 1
    return BlocksTold(place[part.block[inside]], part.target[inside], part.count[inside], part.shown[blocks])


def _counted(profile: Ints, count: Ints, shares: ShareLimit, many: int) -> BlocksTold:
    """Count the targets of each profile."""
    totals = np.zeros(shares.targets.codes, np.int64)
    by_value = counted(profile, shares.sensitive, count, groups=many, totals=totals)
    targets = shares.targets.counts(by_value)
    return BlocksTold(targets.group, targets.value, targets.count, by_value.shown)
