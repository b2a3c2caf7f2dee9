"""The crack space as a list: which codes may stand for which items (section 2.2.1 of the paper, Figure 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.item_counts import ItemCounts
from giveaway.attacks.frequencies.question import see
from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.question.effort import Effort
from giveaway.model.release.release import Release

Labels = tuple[Label, ...]


@dataclass(frozen=True, kw_only=True)
class Codes:
    """Codes that nothing distinguishes: they occur equally often. Each is named by the item that it stands for."""

    frequency: Fraction
    codes: Labels


@dataclass(frozen=True, kw_only=True)
class SameCandidates:
    """Items that may be the same codes, and which groups of codes these are, by their number."""

    items: Labels
    groups: tuple[int, ...]


class CrackSpace:
    """Which codes may stand for which items, item by item and in groups; made when it is looked at.

    A code is named by the item that it truly stands for.
    """

    def __init__(self, items: ItemCounts, graph: CrackGraph) -> None:
        self._items, self._graph = items, graph

    @cached_property
    def groups(self) -> tuple[Codes, ...]:
        """The groups of codes, the least frequent first."""
        counts, whole = self._items.counts, max(self._items.transactions, 1)
        return tuple(
            Codes(frequency=Fraction(int(counts[codes[0]]), whole), codes=self._named(codes))
            for codes in _members(self._graph.column_of)
        )

    @cached_property
    def rows(self) -> tuple[SameCandidates, ...]:
        """The items that may be the same codes, next to the groups of these codes."""
        groups = np.split(self._graph.column, self._graph.begin[1:-1])
        return tuple(
            SameCandidates(items=self._named(items), groups=tuple(columns.tolist()))
            for items, columns in zip(_members(self._graph.row_of), groups, strict=True)
        )

    @property
    def candidates(self) -> Mapping[Label, Labels]:
        """The codes that may stand for each item."""
        return _Candidates(self)

    @property
    def edges(self) -> int:
        """How many pairs of an item and a code that may stand for it there are."""
        return int(self._graph.degrees.sum())

    def of(self, item: Label) -> Labels:
        """Return the codes that may stand for an item, in the order of the items that they truly stand for."""
        row = self._graph.row_of[self._items.places([item], "The question names")[0]]
        columns = self._graph.column[self._graph.begin[row] : self._graph.begin[row + 1]]
        return self._named(np.flatnonzero(np.isin(self._graph.column_of, columns)))

    @property
    def items(self) -> Labels:
        """The items."""
        return self._items.labels

    def _named(self, places: Ints) -> Labels:
        return tuple(self._items.labels[place] for place in places.tolist())

    def __repr__(self) -> str:
        return f"{len(self.items):,} items, {len(self.groups):,} groups of codes, {self.edges:,} edges"


class _Candidates(Mapping[Label, Labels]):
    def __init__(self, space: CrackSpace) -> None:
        self._space = space

    def __getitem__(self, item: Label) -> Labels:
        try:
            return self._space.of(item)
        except ScenarioError:
            raise KeyError(item) from None

    def __iter__(self) -> Iterator[Label]:
        return iter(self._space.items)

    def __len__(self) -> int:
        return len(self._space.items)


def crack_space(release: Release, attacker: KnowsFrequencies) -> CrackSpace:
    """Return which codes of a release may stand for which items, to somebody who knows frequencies and perhaps pairs.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b", "c"], ["a", "b"], ["a"], ["c"]]))
    >>> space = ga.crack_space(release, ga.KnowsFrequencies(belief=ga.Belief.exact()))
    >>> dict(space.candidates)
    {'a': ('a',), 'b': ('b', 'c'), 'c': ('b', 'c')}
    >>> [(str(group.frequency), group.codes) for group in space.groups]
    [('1/2', ('b', 'c')), ('3/4', ('a',))]
    >>> space
    3 items, 2 groups of codes, 5 edges
    """
    seen = see(release, attacker, Effort())
    return CrackSpace(seen.items, seen.graph or general.from_windows(seen.windows))


def _members(kind_of: Ints) -> list[Ints]:
    """Return the places of each kind, in their order."""
    order = np.argsort(kind_of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(kind_of))[:-1])
