"""The best node: every row shows its labels of one level for each column, rows of bad blocks nothing.

State: for every node what it loses at least, from sets of columns and from the nodes counted so far. Nodes are counted in
the order of that bound. Invariant: no node that is left out can be better than the best one counted, because what blocks
without a crowd suppress never falls going down: a counted node bounds all finer ones, and one that suppresses too many
rows rules them out. Pruned: nodes whose bound exceeds the best loss. When none is left the best node is proved.

The monotony is that of full-domain generalisation (Samarati 2001; LeFevre, DeWitt, Ramakrishnan 2005), here for suppression
of any extent and with losses; the loss is the arithmetic one of ARX (Prasser et al. 2014).
"""

import heapq
from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf
from time import monotonic

import numpy as np

from giveaway.attacks.directory.levels.bounds import lowest, set_counts, spread
from giveaway.attacks.directory.levels.counting import Flags, NodeCounts, NodeSuppression
from giveaway.attacks.directory.levels.large import NodeLoss, good_node, least_loss
from giveaway.attacks.directory.levels.lattice import Node
from giveaway.errors import BudgetExceeded
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

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

    @property
    def gap(self) -> Fraction:
        """By how much of its loss the node may be worse than the best."""
        return (self.loss - self.bound) / self.loss if self.loss else Fraction(0)


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
