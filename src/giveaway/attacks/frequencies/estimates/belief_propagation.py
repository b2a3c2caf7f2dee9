"""Estimates of the chances when the exact ones cost too much, by belief propagation.

It should be given the graph without candidates that no mapping uses. On such graphs it was found to be off by one or two
in a hundred, mostly too low; nothing proves that it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Floats, Windows
from giveaway.model.data.arrays import Ints, positions
from giveaway.model.progress import tell

SWEEPS = 1_000
"""The most sweeps; they stop when the expected number of cracks hardly changes."""

OLD_PART = 0.3
"""The part of an old message that is kept."""

LEAST = 1e-12
"""What is heard is taken to be at least this much."""

_CHANGE = 1e-6
_QUIET = 3


class Edges(NamedTuple):
    """Rows of items that look the same, the columns of their candidates, and how many there are of each."""

    begin: Ints
    column: Ints
    many_rows: Ints
    many_columns: Ints

    def guessed(self, chances: Floats) -> float:
        """Return how many items are expected to be mapped to their likeliest renamed items; every row has an edge."""
        return float(self.many_rows @ np.maximum.reduceat(chances, self.begin[:-1]))


class Passed(NamedTuple):
    """The estimated chance of each edge, and how often messages were sent."""

    chances: Floats
    sweeps: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate:
    """The estimated chance of each class of items, and how often messages were sent.

    `to_candidate` gives the chance that an item of a class is mapped to one renamed item of a group in its window.
    """

    windows: Windows
    sweeps: int
    to_candidate: Callable[[Ints, Ints], Floats]

    @cached_property
    def chances(self) -> Floats:
        """The chance of each class."""
        return self.between(np.arange(len(self.windows.classes.own)), self.windows.classes.own)

    @cached_property
    def likeliest(self) -> Floats:
        """The chance of the likeliest renamed item of each class, true or not."""
        first, last = self.windows.classes.first, self.windows.classes.last
        begin = np.concatenate([[0], np.cumsum(last - first + 1)])
        groups = positions(first, last - first + 1)
        of_class = np.repeat(np.arange(len(first)), last - first + 1)
        return np.maximum.reduceat(self.to_candidate(of_class, groups), begin[:-1])

    def between(self, classes: Ints, groups: Ints) -> Floats:
        """Return the chance that an item of each class is mapped to one renamed item of each group."""
        first, last = self.windows.classes.first[classes], self.windows.classes.last[classes]
        there = (first <= groups) & (groups <= last)
        return np.where(there, self.to_candidate(classes, np.where(there, groups, first)), 0.0)

    def of_sets(self, kinds: Ints) -> Floats:
        """Return the chance of each kind of set, as if its members were mapped into it independently."""
        chances = np.ones(len(kinds))
        for member in range(kinds.shape[1]):
            into = np.zeros(len(kinds))
            for other in range(kinds.shape[1]):
                into += self.between(kinds[:, member], self.windows.classes.own[kinds[:, other]])
            chances *= np.minimum(into, 1)
        return chances


def beliefs_passed(windows: Windows, *, likeliest: bool = False) -> Estimate:
    """Estimate the chances by belief propagation between windows and groups.

    Messages are sent until the expected number of cracks settles: with `likeliest` of those who guess the likeliest
    code of each item, which does not depend on the true ones.
    """
    first, last, row, many = _rows(windows)
    length = last - first + 1
    begin = np.concatenate([[0], np.cumsum(length)])
    shift = begin[:-1] - first
    column = positions(first, length)

    edges = Edges(begin, column, many, windows.sizes)
    right, weight = _right(windows)
    counted = shift[row[right]] + windows.classes.own[right]
    passed = pass_beliefs(
        edges, edges.guessed if likeliest else lambda chances: float(weight @ chances[counted])
    )
    return Estimate(
        windows=windows,
        sweeps=passed.sweeps,
        to_candidate=lambda classes, groups: passed.chances[shift[row[classes]] + groups],
    )


def pass_beliefs(edges: Edges, expected: Callable[[Floats], float]) -> Passed:
    """Send messages until the number of cracks that is expected by the chances of the edges hardly changes.

    Messages go from all rows, then from all columns. Huang and Jebara, Approximating the Permanent with Belief Propagation
    (2009), with damped messages.
    """
    rows, columns = len(edges.many_rows), len(edges.many_columns)
    row, column = np.repeat(np.arange(rows), np.diff(edges.begin)), edges.column
    items, renamed = (many.astype(np.float64) for many in (edges.many_rows[row], edges.many_columns[column]))
    to_column, to_row = np.ones(len(column)), np.ones(len(column))
    stop = _Stop(int(edges.many_columns.sum()))
    while not stop.reached:
        tell("estimating chances", stop.sweeps)
        _send(to_column, np.bincount(row, renamed * to_row, rows)[row] - to_row)
        _send(to_row, np.bincount(column, items * to_column, columns)[column] - to_column)
        product = to_column * to_row
        chances = product / (1 + product)
        stop.saw(expected(chances))
    return Passed(chances, stop.sweeps)


def _send(messages: Floats, heard: Floats) -> None:
    """Say along each edge the inverse of what was heard along the others, and keep a part of the old message."""
    np.maximum(heard, LEAST, out=heard)
    messages *= OLD_PART
    messages += (1 - OLD_PART) * (1 / heard)


class _Stop:
    """Stops when the expected number of cracks hardly changed in some successive sweeps."""

    def __init__(self, items: int) -> None:
        self._least_change = _CHANGE * items
        self._last = np.inf
        self._quiet = 0
        self.sweeps = 0

    @property
    def reached(self) -> bool:
        return self._quiet == _QUIET or self.sweeps == SWEEPS

    def saw(self, expected: float) -> None:
        self.sweeps += 1
        self._quiet = self._quiet + 1 if abs(expected - self._last) <= self._least_change else 0
        self._last = expected


def _rows(windows: Windows) -> tuple[Ints, Ints, Ints, Ints]:
    """Merge classes of the same window: first, last group, the row of each class, items of each row."""
    classes = windows.classes
    _, one, row = np.unique(
        classes.first * (len(windows.sizes) + 1) + classes.last, return_index=True, return_inverse=True
    )
    many = np.bincount(row, classes.many).astype(np.int64)
    return classes.first[one], classes.last[one], row, many


def _right(windows: Windows) -> tuple[Ints, Floats]:
    """Return the classes that can be cracked, and how many items they have."""
    classes = windows.classes
    right = np.flatnonzero((classes.first <= classes.own) & (classes.own <= classes.last))
    return right, classes.many[right].astype(np.float64)
