"""Borders and their edges by the labels of items: what users see of the paper's method."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label, in_order
from giveaway.papers.items import on_borders as bits

Itemset = frozenset[Label]


def itemset(items: Iterable[Label]) -> Itemset:
    """Make an itemset of labels; a text is one label and not a collection of them."""
    if isinstance(items, str):
        raise ScenarioError(
            f"{items!r} is a text, not a collection of labels.",
            hint=f"an itemset of one item is [{items!r}].",
        )
    return frozenset(items)


@dataclass(frozen=True)
class Edge:
    """All itemsets between `least` and `most`, both included: an edge of a border.

    Itemsets are collections of labels.

    >>> import giveaway as ga
    >>> edge, other = ga.Edge([*"ae"], [*"adefg"]), ga.Edge([*"ae"], [*"ade"])
    >>> edge.count(), edge.count(having=["f"]), edge.count(longest=3)
    (8, 4, 4)
    >>> edge.intersection(other) == other, ["a", "d", "f"] in edge
    (True, False)
    >>> [sorted(part.least) for part in edge.difference(other)]
    [['a', 'e', 'f'], ['a', 'e', 'g']]
    """

    least: Itemset
    most: Itemset

    def __init__(self, least: Iterable[Label], most: Iterable[Label]) -> None:
        object.__setattr__(self, "least", itemset(least))
        object.__setattr__(self, "most", itemset(most))

    def __contains__(self, items: Iterable[Label]) -> bool:
        """Tell whether the edge covers an itemset."""
        return self.least <= itemset(items) <= self.most

    def __repr__(self) -> str:
        least, most = (" ".join(map(str, in_order(items))) for items in (self.least, self.most))
        return f"<{least}, {most}>"

    def count(self, having: Iterable[Label] = (), longest: int | None = None) -> int:
        """Count the itemsets that contain `having` and are not too long: W of section 5.2."""
        known = itemset(having)
        number = _Numbered(self.most, self.least, known)
        return bits.weigh(number.edge(self), number.mask(known), longest)

    def intersection(self, other: "Edge") -> "Edge | None":
        """Return the edge of the itemsets in both, None when there are none (Theorem 2)."""
        number = _Numbered(self.least, self.most, other.least, other.most)
        shared = bits.intersection(number.edge(self), number.edge(other))
        return None if shared is None else number.named(shared)

    def difference(self, other: "Edge", *, disjoint: bool = False) -> tuple["Edge", ...]:
        """Return edges that cover the itemsets outside `other` (Theorem 3).

        As printed they may share itemsets, so that adding their counts counts some twice; `disjoint` ones do not.
        """
        number = _Numbered(self.least, self.most, other.least, other.most)
        minus = bits.disjoint_difference if disjoint else bits.difference
        return tuple(number.named(part) for part in minus(number.edge(self), number.edge(other)))


@dataclass(frozen=True, kw_only=True)
class LabelledBorder:
    """A collection of itemsets by its minimal and maximal ones, `upper` and `lower` (Definition 4).

    It stands for the itemsets of at most `longest` items between one of `upper` and one of `lower`.
    """

    upper: tuple[Itemset, ...]
    lower: tuple[Itemset, ...]
    edges: tuple[Edge, ...]
    longest: int | None

    def covering(self, items: Iterable[Label]) -> tuple[Edge, ...]:
        """Return the edges that cover an itemset."""
        known = itemset(items)
        return tuple(edge for edge in self.edges if known in edge)

    def count(self, having: Iterable[Label] = ()) -> int:
        """Count the itemsets that contain `having`: W of section 5.2."""
        number, known = self._numbered, itemset(having)
        if not known <= number.labels:
            return 0
        return bits.count_covered(map(number.edge, self.edges), number.mask(known), self.longest)

    def counts(self, having: Iterable[Label] = ()) -> dict[Label, int]:
        """Count for every other item the itemsets that contain it and `having`: Compute-delta of section 6."""
        number, known = self._numbered, itemset(having)
        if not known <= number.labels:
            return {}
        counted = bits.compute_delta(map(number.edge, self.edges), number.mask(known), self.longest)
        return {number.in_order[item]: counted[item] for item in sorted(counted) if counted[item]}

    @cached_property
    def _numbered(self) -> "_Numbered":
        return _Numbered(*self.lower)


def border_of(label: Callable[[int], Label], border: bits.Border, longest: int | None) -> LabelledBorder:
    """Name the items of a border."""

    def named(items: int) -> Itemset:
        return frozenset(label(item) for item in bits.members(items))

    return LabelledBorder(
        upper=tuple(map(named, sorted(border.upper))),
        lower=tuple(map(named, sorted(border.lower))),
        edges=tuple(Edge(named(edge.least), named(edge.most)) for edge in border.edges()),
        longest=longest,
    )


class _Numbered:
    """Labels in their order, each with a bit."""

    def __init__(self, *itemsets: Iterable[Label]) -> None:
        self.in_order = in_order({label for items in itemsets for label in items})
        self.labels = frozenset(self.in_order)
        self._bit = {label: 1 << place for place, label in enumerate(self.in_order)}

    def mask(self, items: Itemset) -> int:
        return sum(self._bit[label] for label in items)

    def edge(self, edge: Edge) -> bits.BorderEdge:
        return bits.BorderEdge(self.mask(edge.least), self.mask(edge.most))

    def named(self, edge: bits.BorderEdge) -> Edge:
        return Edge(*map(self._items, edge))

    def _items(self, items: int) -> Iterator[Label]:
        return (self.in_order[place] for place in bits.members(items))
