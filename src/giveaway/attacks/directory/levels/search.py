"""The best node: every row shows its labels of one level for each column, rows of bad blocks nothing.

State: for every node what it loses at least, from sets of columns and from the nodes counted so far. Nodes are counted in
the order of that bound. Invariant: no node that is left out can be better than the best one counted, because what blocks
without a crowd suppress never falls going down: a counted node bounds all finer ones, and one that suppresses too many
rows rules them out. Pruned: nodes whose bound exceeds the best loss. When none is left the best node is proved.

The monotony is that of full-domain generalisation (Samarati 2001; LeFevre, DeWitt, Ramakrishnan 2005), here for suppression
of any extent and with losses; the loss is the arithmetic one of ARX (Prasser et al. 2014).
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import floor, inf
from time import monotonic

import numpy as np

from giveaway.attacks.directory.levels.counting import Flags, NodeCounts, NodeSuppression
from giveaway.attacks.directory.levels.lattice import Lattice, Node
from giveaway.errors import BudgetExceeded
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

NodeLoss = tuple[int, int, Node]
"""The loss in units, the suppressed rows and the node."""

MOST_NODES = 1_000_000
"""Of more nodes than this a good one is searched, without a proof."""
_MANY = 50_000
"""Of more nodes than this a good one is searched first, in case the time does not suffice for the proof."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BestNode:
    """A level for each column, the last one being blank, and what is suppressed there.

    `bound` is what any node loses at least; the node is proved best where it equals `loss`.
    """

    node: Node
    suppressed: Flags
    """The profiles of the counting whose rows are suppressed."""
    rows: int
    loss: Fraction
    bound: Fraction
    proved: bool
    counted: int
    """The nodes that were counted, besides sets of columns."""


def best_node(
    counting: NodeCounts, suppress: Fraction = Fraction(0), *, seconds: float = inf, most_counted: float = inf
) -> BestNode | None:
    """Find the node that loses least and suppresses at most a part of the rows, and not all of them; None if there is none.

    Of equal losses the one with fewer suppressed rows is taken, then the first in the order of the levels. The search ends
    early after some seconds, or after counting so many nodes, with a bound; BudgetExceeded is raised if it then has no node.
    """
    if not counting.rows:
        return None
    deadline = monotonic() + seconds
    allowed = min(floor(suppress * counting.rows), counting.rows - 1)
    labels_lose = _labels_lose(counting)
    good, counted = None, 0
    if counting.lattice.nodes > _MANY:
        good, counted = good_node(counting, labels_lose, allowed, deadline, most_counted)
    if counting.lattice.nodes <= MOST_NODES:
        return _NodeSearch(counting, labels_lose, allowed, good, counted).run(deadline, most_counted)
    if good is None:
        raise _none_found(counting, counted)
    return _described(counting, good, counted, least_loss(counting, labels_lose, allowed), proved=False)


def _labels_lose(counting: NodeCounts) -> list[Ints]:
    """Return what the labels of each level of each column lose in all rows, in units."""
    values, rows = counting.values[counting.all.profile], counting.all.rows
    return [
        np.array([int(cost[values[:, column]] @ rows) for cost in costs])
        for column, costs in enumerate(counting.lattice.cost)
    ]


def _described(counting: NodeCounts, best: NodeLoss, counted: int, bound: int, *, proved: bool) -> BestNode:
    units, rows, node = best
    block, blocks = counting.block_of(node)
    marks = np.zeros(len(counting.values), np.bool_)
    marks[counting.all.profile] = counting.suppressed(node, blocks).bad[block]
    return BestNode(
        node=node,
        suppressed=marks,
        rows=rows,
        loss=counting.lattice.loss(units, counting.rows),
        bound=counting.lattice.loss(min(bound, units), counting.rows),
        proved=proved or bound >= units,
        counted=counted,
    )


def _none_found(counting: NodeCounts, counted: int) -> BudgetExceeded:
    return BudgetExceeded(
        f"No levels within the limits were found among {counted:,} of {counting.lattice.nodes:,} combinations.",
        hint="allow more with --seconds, let more rows be suppressed, or give fewer columns.",
    )


class _Queue:
    """Nodes in the order of their bounds; those whose bound has risen are put back."""

    def __init__(self, bounds: Ints, chosen: Flags) -> None:
        numbers = np.flatnonzero(chosen)
        bounds = bounds.reshape(-1)[numbers]
        order = np.argsort(bounds, kind="stable")
        self._bounds, self._numbers, self._next = bounds[order], numbers[order], 0
        self._again: list[tuple[int, int]] = []

    def __bool__(self) -> bool:
        return self._next < len(self._bounds) or bool(self._again)

    def take(self) -> tuple[int, int]:
        """Return the least bound with its node."""
        if self._next < len(self._bounds):
            first = int(self._bounds[self._next]), int(self._numbers[self._next])
            if not self._again or first <= self._again[0]:
                self._next += 1
                return first
        return heapq.heappop(self._again)

    def put_back(self, bound: int, number: int) -> None:
        """Let a node wait for its turn by another bound."""
        heapq.heappush(self._again, (bound, number))


class _NodeSearch:
    def __init__(
        self, counting: NodeCounts, labels_lose: list[Ints], allowed: int, good: NodeLoss | None, counted: int
    ) -> None:
        self.counting, self.lattice, self.allowed = counting, counting.lattice, allowed
        self.labels_lose = spread(self.lattice, labels_lose)
        """What the labels of each node lose in all rows, in units."""
        self.rows, self.units = lowest(counting, list(set_counts(counting)))
        """The fewest rows that each node suppresses, and the least that this loses on top."""
        self.best: tuple[int, int, int] | None = None
        if good is not None:
            self.best = good[0], good[1], int(np.ravel_multi_index(good[2], self.lattice.shape))
        """The loss in units, the suppressed rows and the number of the best node."""
        self.counted = counted

    def run(self, deadline: float, most_counted: float) -> BestNode | None:
        queue = _Queue(self.labels_lose + self.units, self.rows <= self.allowed)
        while queue:
            least, number = queue.take()
            if self.best is not None and least > self.best[0]:
                break
            node = self._node(number)
            if int(self.rows[node]) > self.allowed:
                continue
            now = int(self.labels_lose[node] + self.units[node])
            if now > least:
                queue.put_back(now, number)
            elif self.best is None or (now, int(self.rows[node]), number) <= self.best:
                if self.counted >= most_counted or monotonic() > deadline:
                    return self._answer(least)
                tell("trying levels", self.counted, self.lattice.nodes)
                self._try(node, number)
        return self._answer(None)

    def _node(self, number: int) -> Node:
        return tuple(int(level) for level in np.unravel_index(number, self.lattice.shape))

    def _try(self, node: Node, number: int) -> None:
        """Count a node: it may be the best, and it bounds all finer ones."""
        suppressed = self._count(node)
        if suppressed.rows > self.allowed:
            if suppressed.least_rows > self.allowed:
                self._climb(node)
            elif self.allowed == 0:
                self._close(
                    node
                )  # where nothing is suppressed, blocks with small shares merge to one with a small share
            return
        loss = (int(self.labels_lose[node]) + suppressed.units, suppressed.rows, number)
        if self.best is None or loss < self.best:
            self.best = loss

    def _count(self, node: Node) -> NodeSuppression:
        self.counted += 1
        suppressed = self.counting.suppressed(node, self.counting.blocks(node))
        finer = tuple(slice(level + 1) for level in node)
        np.maximum(self.units[finer], suppressed.least_units, out=self.units[finer])
        np.maximum(self.rows[finer], suppressed.least_rows, out=self.rows[finer])
        return suppressed

    def _close(self, node: Node) -> None:
        """Rule out a node and all finer ones."""
        self.rows[tuple(slice(level + 1) for level in node)] = self.allowed + 1

    def _climb(self, node: Node) -> None:
        """Go up from a node that suppresses too many rows while others do too: the coarsest rules out most."""
        levels = list(node)
        for column, height in enumerate(self.lattice.top):
            while levels[column] < height:
                levels[column] += 1
                above = tuple(levels)
                if int(self.rows[above]) <= self.allowed and self._count(above).least_rows <= self.allowed:
                    levels[column] -= 1
                    break

    def _answer(self, unseen: int | None) -> BestNode | None:
        """Describe the best node; `unseen` is the least bound of the nodes that were left when the search ended early."""
        if self.best is None:
            if unseen is None:
                return None
            raise _none_found(self.counting, self.counted)
        units, rows, number = self.best
        bound = units if unseen is None else unseen
        return _described(
            self.counting, (units, rows, self._node(number)), self.counted, bound, proved=unseen is None
        )


def good_node(
    counting: NodeCounts, labels_lose: list[Ints], allowed: int, deadline: float, most_counted: float
) -> tuple[NodeLoss | None, int]:
    """Return a node from which no step is better, and the number of nodes counted; None if all blank is not allowed.

    State: the node with the least loss so far. Each step tries one level up or down in every column, and up in one with
    down in another; the best of these becomes the next node. The search begins at the node where all is blank and ends
    where no step is better: nothing is proved.
    """
    seen: dict[Node, NodeLoss | None] = {}

    def judged(node: Node) -> NodeLoss | None:
        if node not in seen:
            tell("trying levels", len(seen))
            suppressed = counting.suppressed(node, counting.blocks(node))
            lost = (
                sum(int(labels_lose[column][level]) for column, level in enumerate(node)) + suppressed.units
            )
            seen[node] = None if suppressed.rows > allowed else (lost, suppressed.rows, node)
        return seen[node]

    best = judged(counting.lattice.top)
    while best is not None:
        near = best
        for node in _near(best[2], counting.lattice.top):
            if len(seen) >= most_counted or monotonic() > deadline:
                break
            near = min(near, judged(node) or near)
        if near == best:
            break
        best = near
    return best, len(seen)


def _near(node: Node, top: Node) -> list[Node]:
    """Return the nodes one step away."""
    nearby = []
    columns = range(len(node))
    for down, up in product(columns, (None, *columns)):
        levels = list(node)
        levels[down] -= 1
        if up is None:
            nearby.append(tuple(levels))
            levels[down] += 2
        else:
            levels[up] += 1
        nearby.append(tuple(levels))
    return [
        one
        for one in dict.fromkeys(nearby)
        if one != node and all(0 <= a <= b for a, b in zip(one, top, strict=True))
    ]


def least_loss(counting: NodeCounts, labels_lose: list[Ints], allowed: int) -> int:
    """Return what any node loses at least, in units, by the set of columns that says most: whatever the others do."""
    least = 0
    for one in set_counts(counting):
        lost = one.units.copy()
        for place, column in enumerate(one.columns):
            lost += labels_lose[column].reshape(
                [-1 if place == other else 1 for other in range(len(one.columns))]
            )
        least = max(least, int(np.where(one.rows > allowed, np.iinfo(np.int64).max, lost).min()))
    return least


WIDTH = 3
"""The largest sets of columns that are counted."""


@dataclass(frozen=True, eq=False)
class SetCounts:
    """The rows that each combination of levels of a set of columns suppresses, and what they lose in these columns."""

    columns: tuple[int, ...]
    rows: Ints
    units: Ints


def set_counts(counting: NodeCounts, width: int = WIDTH) -> Iterator[SetCounts]:
    """Count all sets of at most so many columns, at all levels but the last, where a column says nothing."""
    lattice = counting.lattice
    every = range(len(lattice.columns))
    sets = [chosen for size in range(1, width + 1) for chosen in combinations(every, size)]
    for done, columns in enumerate(sets):
        tell("bounding what levels must lose", done, len(sets))
        yield _set_counts(counting, columns)


def _set_counts(counting: NodeCounts, columns: tuple[int, ...]) -> SetCounts:
    lattice = counting.lattice
    finest = tuple(0 if place in columns else height for place, height in enumerate(lattice.top))
    blocks = counting.once(finest)
    values = counting.values[blocks.profile][:, columns]
    shape = tuple(lattice.shape[column] for column in columns)
    rows, units = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for node in product(*(range(size - 1) for size in shape)):
        size, key = 1, np.zeros(len(values), np.int64)
        for place, (column, level) in enumerate(zip(columns, node, strict=True)):
            many = lattice.sizes[column][level]
            key = key * many + lattice.columns[column].labels[level][values[:, place]]
            size *= many
        if size > 8 * len(values):
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
            size = int(key.max(initial=-1)) + 1
        crowd = np.bincount(key, weights=blocks.crowd, minlength=size)
        small = crowd[key] < counting.smallest
        lost = np.zeros(int(small.sum()), np.int64)
        for place, (column, level) in enumerate(zip(columns, node, strict=True)):
            lost += lattice.full[column] - lattice.cost[column][level][values[small, place]]
        rows[node] = blocks.rows[small].sum()
        units[node] = blocks.rows[small] @ lost
    return SetCounts(columns, rows, units)


def spread(lattice: Lattice, each: list[Ints]) -> Ints:
    """Add numbers for the levels of each column over all nodes."""
    total = np.zeros(lattice.shape, np.int64)
    for place, numbers in enumerate(each):
        total += numbers.reshape([-1 if place == other else 1 for other in range(len(lattice.shape))])
    return total


def lowest(counting: NodeCounts, counts: list[SetCounts]) -> tuple[Ints, Ints]:
    """Return for every node the fewest rows that it can suppress, and the least that this loses on top of the labels.

    Blocks only merge going up, so that rows in blocks without a crowd at a node are in such blocks at every finer one. A
    node with all columns blank but those of a set C is counted over C alone. Hence a node suppresses at least the rows S_C
    that its levels in C suppress, and each of them loses in the columns of C what it does there, and in another column at
    least the least that a blank loses more than a label of the node's level.
    """
    lattice = counting.lattice
    present = [
        np.unique(counting.values[counting.all.profile][:, column]) for column in range(len(lattice.columns))
    ]
    least = [
        np.array(
            [
                lattice.full[column] - int(cost[present[column]].max(initial=0))
                for cost in lattice.cost[column]
            ]
        )
        for column in range(len(lattice.columns))
    ]
    elsewhere = spread(lattice, least)
    rows, units = np.zeros(lattice.shape, np.int64), np.zeros(lattice.shape, np.int64)
    for one in counts:
        shape = [size if place in one.columns else 1 for place, size in enumerate(lattice.shape)]
        inside = np.zeros(one.rows.shape, np.int64)
        for place, column in enumerate(one.columns):
            inside += least[column].reshape(
                [-1 if place == other else 1 for other in range(len(one.columns))]
            )
        fewest = one.rows.reshape(shape)
        np.maximum(rows, fewest, out=rows)
        np.maximum(units, (one.units - one.rows * inside).reshape(shape) + fewest * elsewhere, out=units)
    return rows, units
