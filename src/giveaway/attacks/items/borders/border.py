"""Borders of collections of itemsets, counted edge by edge as the paper does: for reading and for small data.

An itemset is a whole number whose bit `i` says whether item `i` is in it.

Xu, Fung, Wang, Fu, Pei, Publishing Sensitive Transactions for Itemset Utility, sections 5 and 6.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Literal, NamedTuple

from giveaway.errors import BudgetExceeded
from giveaway.model.progress import tell

DEFAULT_METHOD = 'method = "counts", which chooses the same items'
MOST_EDGES = 1_000
_MOST_PIECES = 300_000


class BorderEdge(NamedTuple):
    """The itemsets between `least` and `most`, both included: an edge <least, most> of a border (section 5.1)."""

    least: int
    most: int


Difference = Callable[[BorderEdge, BorderEdge], list[BorderEdge]]


@dataclass(frozen=True, kw_only=True)
class Border:
    """Minimal and maximal itemsets of a collection, the bounds U and L (Definition 4)."""

    upper: frozenset[int]
    lower: frozenset[int]

    def edges(self) -> list[BorderEdge]:
        """Return every pair of a minimal itemset within a maximal one, in a fixed order."""
        edges = [BorderEdge(u, w) for u in sorted(self.upper) for w in sorted(self.lower) if u & ~w == 0]
        if len(edges) > MOST_EDGES:
            raise BudgetExceeded(
                f"The border has {len(edges):,} edges, more than the {MOST_EDGES:,} it is meant for.",
                hint=f"use {DEFAULT_METHOD}.",
            )
        return edges


def itemset(items: Iterable[int]) -> int:
    """Return the itemset of some items."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def members(items: int) -> list[int]:
    """Return the items of an itemset in their order."""
    return [i for i in range(items.bit_length()) if items >> i & 1]


def weigh(edge: BorderEdge, having: int, longest: int | None) -> int:
    """Count the itemsets of an edge that contain `having` and have at most `longest` items.

    The function W of section 5.2; zero when `having` reaches beyond the edge, which the printed formula leaves open.
    """
    fixed = edge.least | having
    if fixed & ~edge.most:
        return 0
    free = (edge.most & ~fixed).bit_count()
    if longest is None:
        return 1 << free
    return sum(comb(free, i) for i in range(min(free, longest - fixed.bit_count()) + 1))


def intersection(one: BorderEdge, other: BorderEdge) -> BorderEdge | None:
    """Return the edge of the itemsets in both edges, None when there are none (Theorem 2)."""
    least, most = one.least | other.least, one.most & other.most
    return None if least & ~most else BorderEdge(least, most)


def difference(one: BorderEdge, other: BorderEdge) -> list[BorderEdge]:
    """Return edges that cover the itemsets of `one` outside `other`, overlapping as printed (Theorem 3, Example 4)."""
    shared = intersection(one, other)
    if shared is None:
        return [one]
    below = [BorderEdge(one.least, one.most & ~(1 << v)) for v in members(shared.least & ~one.least)]
    above = [BorderEdge(one.least | 1 << w, one.most) for w in members(one.most & ~shared.most)]
    return below + above


def disjoint_difference(one: BorderEdge, other: BorderEdge) -> list[BorderEdge]:
    """Return edges that cover the same itemsets as `difference`, each of them once."""
    shared = intersection(one, other)
    if shared is None:
        return [one]
    pieces = []
    least, most = one
    for v in members(shared.least & ~one.least):
        pieces.append(BorderEdge(least, most & ~(1 << v)))
        least |= 1 << v
    for w in members(one.most & ~shared.most):
        pieces.append(BorderEdge(least | 1 << w, most))
        most &= ~(1 << w)
    return pieces


def signed_pieces(
    edges: Iterable[BorderEdge], *, minus: Difference = difference
) -> Iterator[tuple[Literal[1, -1], BorderEdge]]:
    """Yield edges to add and to take away so that every itemset covered by `edges` is counted once.

    The recursion of ComputeDelta in section 6 with its three cases, on an explicit stack: an edge is compared with those
    examined before it. None of them overlaps: it counts whole. One does: their intersection is taken away. Several do:
    what one of them leaves is examined against the others.
    """
    stack: list[tuple[list[BorderEdge], list[BorderEdge]]] = [(list(edges)[::-1], [])]
    pieces = 0
    while stack:
        unexamined, examined = stack[-1]
        if not unexamined:
            stack.pop()
            continue
        edge = unexamined.pop()
        overlapping = [other for other in examined if intersection(edge, other) is not None]
        examined.append(edge)
        pieces += 1
        if pieces % 10_000 == 0:
            tell("counting combinations that stay", pieces, None)
        if pieces > _MOST_PIECES:
            raise BudgetExceeded(
                f"The edges of the border overlap in more than {_MOST_PIECES:,} pieces.",
                hint=f"use {DEFAULT_METHOD}.",
            )
        if len(overlapping) > 1:
            stack.append((minus(edge, overlapping[0])[::-1], overlapping[1:]))
            continue
        yield 1, edge
        for other in overlapping:
            shared = intersection(edge, other)
            if shared is not None:
                yield -1, shared


def count_covered(
    edges: Iterable[BorderEdge],
    having: int = 0,
    longest: int | None = None,
    *,
    minus: Difference = difference,
) -> int:
    """Count the itemsets that edges cover, that contain `having` and are not too long (W of section 5.2, Example 3)."""
    relevant = [edge for edge in edges if having & ~edge.most == 0]
    return sum(sign * weigh(piece, having, longest) for sign, piece in signed_pieces(relevant, minus=minus))


def compute_delta(
    edges: Iterable[BorderEdge], having: int, longest: int | None, *, minus: Difference = difference
) -> Counter[int]:
    """Count for every other item the covered itemsets that contain it and `having`.

    With the suppressed item as `having` these are the losers, delta of section 6; with nothing they are the counts
    |M(v)| or |N(v)| that the algorithm starts from.
    """
    relevant = [edge for edge in edges if having & ~edge.most == 0]
    counted: Counter[int] = Counter()
    for sign, piece in signed_pieces(relevant, minus=minus):
        for item in members(piece.most & ~having):
            counted[item] += sign * weigh(piece, having | 1 << item, longest)
    return counted


def suppress(edges: Iterable[BorderEdge], item: int) -> list[BorderEdge]:
    """Return the edges after an item is suppressed: gone if it is in their least itemset, else without it."""
    bit = 1 << item
    return list(
        dict.fromkeys(BorderEdge(edge.least, edge.most & ~bit) for edge in edges if not edge.least & bit)
    )
