"""Which renamed item may stand for which item, when somebody believes how often each item occurs.

Renamed items with the same count look the same and form a group; groups are in ascending order of their counts. What is
believed of an item is an interval of counts, so that its candidates are a window of successive groups. Counts are
whole numbers; intervals are closed and given in doubled counts, because half a median gap may be half a count.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Ints

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Gaps(NamedTuple):
    """Differences between the counts of successive groups; the median is doubled to stay whole."""

    median2: int
    mean: Fraction
    least: int
    most: int


class ItemClasses(NamedTuple):
    """Items that no argument can distinguish: same window, same own group; in ascending order of these.

    `many` counts the items of each class and `of` names the class of each item.
    """

    first: Ints
    last: Ints
    own: Ints
    many: Ints
    of: Ints


class Piece(NamedTuple):
    """A connected component: its groups from `begin` to `end` and its classes from `head` to `tail`, ends excluded."""

    begin: int
    end: int
    head: int
    tail: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Windows:
    """The crack graph: item `i` may be any renamed item of the groups `first[i]` to `last[i]`, ends included.

    `sizes` are the renamed items of each group and `own[i]` is the group of the true one; a window is empty when
    `last[i] < first[i]`.
    """

    sizes: Ints
    own: Ints
    first: Ints
    last: Ints

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.own)

    @cached_property
    def before(self) -> Ints:
        """How many renamed items stand before each group, and how many there are in all."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def degrees(self) -> Ints:
        """How many renamed items may stand for each item, the O of the O-estimate."""
        return np.maximum(self.before[self.last + 1] - self.before[self.first], 0)

    @cached_property
    def compliant(self) -> Flags:
        """Whether the true renamed item is among the candidates of each item."""
        return (self.first <= self.own) & (self.own <= self.last)

    @cached_property
    def classes(self) -> ItemClasses:
        """The classes of items that no argument can distinguish."""
        groups = len(self.sizes)
        _, window = np.unique(self.first * (groups + 1) + self.last + 1, return_inverse=True)
        _, one, of, many = np.unique(
            window * max(groups, 1) + self.own, return_index=True, return_inverse=True, return_counts=True
        )
        return ItemClasses(self.first[one], self.last[one], self.own[one], many.astype(np.int64), of)

    @cached_property
    def pieces(self) -> list[Piece]:
        """The connected components, in the order of their groups; empty windows belong to none."""
        groups = len(self.sizes)
        spans = np.zeros(groups + 1, np.int64)
        wide = self.first < self.last
        np.add.at(spans, self.first[wide] + 1, 1)
        np.add.at(spans, self.last[wide] + 1, -1)
        begins = np.flatnonzero(np.cumsum(spans)[:groups] == 0)
        ends = np.append(begins, groups)[1:]
        classes = self.classes
        empty = int((classes.last < 0).sum())
        heads, tails = (empty + np.searchsorted(classes.first[empty:], bound) for bound in (begins, ends))
        return [Piece(*map(int, piece)) for piece in zip(begins, ends, heads, tails, strict=True)]

    def regrouped(self, order: Ints, first: Ints, last: Ints) -> "Windows":
        """Return the graph with its groups in another order, in which the windows left are these."""
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return Windows(sizes=self.sizes[order], own=place[self.own], first=first, last=last)


@dataclass(frozen=True, kw_only=True, eq=False)
class Beliefs:
    """How often each item occurs, and the closed interval of doubled counts that is believed of it."""

    counts: Ints
    low: Ints
    high: Ints

    @cached_property
    def windows(self) -> Windows:
        """The crack graph of these beliefs."""
        distinct, own, sizes = np.unique(self.counts, return_inverse=True, return_counts=True)
        first = np.searchsorted(2 * distinct, self.low, side="left")
        last = np.searchsorted(2 * distinct, self.high, side="right") - 1
        empty = last < first
        return Windows(
            sizes=sizes.astype(np.int64),
            own=own,
            first=np.where(empty, 0, first),
            last=np.where(empty, -1, last),
        )


def ignorant(counts: Ints) -> Beliefs:
    """Believe nothing: every item may be as frequent as any."""
    whole = np.full_like(counts, 2 * int(counts.max(initial=0)))
    return Beliefs(counts=counts, low=np.zeros_like(counts), high=whole)


def exact(counts: Ints) -> Beliefs:
    """Believe the true count of every item, the point-valued belief."""
    return around(counts, 0)


def around(counts: Ints, half_width2: int) -> Beliefs:
    """Believe the true count of every item, give or take half of `half_width2`."""
    return Beliefs(counts=counts, low=2 * counts - half_width2, high=2 * counts + half_width2)


def sampled(
    counts: Ints, transactions: int, sample_counts: Ints, sample_transactions: int, half_width2: int
) -> Beliefs:
    """Believe that the frequencies are those of a sample, give or take half of `half_width2` of its counts."""
    low = transactions * (2 * sample_counts - half_width2)
    high = transactions * (2 * sample_counts + half_width2)
    return Beliefs(counts=counts, low=-(-low // sample_transactions), high=high // sample_transactions)


def gaps(counts: Ints) -> Gaps | None:
    """Return the gaps between the groups of these counts; None when there is one group only."""
    differences = np.sort(np.diff(np.unique(counts)))
    if len(differences) == 0:
        return None
    middle = int(differences[(len(differences) - 1) // 2]) + int(differences[len(differences) // 2])
    return Gaps(
        middle, Fraction(int(differences.sum()), len(differences)), int(differences[0]), int(differences[-1])
    )
