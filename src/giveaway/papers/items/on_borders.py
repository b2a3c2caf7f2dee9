"""The paper's own method from rows to suppressed items: readable, and with the order of the engine.

It serves small data: the engine keeps the idea of intervals of itemsets but makes them disjoint from the start, while
here they overlap and the overlaps are taken away as the paper prints it. An itemset is a whole number whose bit `i` says
whether item `i` is in it.

Xu, Fung, Wang, Fu, Pei, Publishing Sensitive Transactions for Itemset Utility, sections 4 to 6.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Literal, NamedTuple

from giveaway.attacks.items.question import ItemsQuestion
from giveaway.errors import BudgetExceeded, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.transactions import Transactions
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


_MOST_LOOKS = 100_000_000
"""How often a row may be looked at while a border is built."""


@dataclass(frozen=True, kw_only=True)
class MoleLimits:
    """What makes a public itemset a mole: h, k and p of Definition 1."""

    attribute: Fraction
    crowd: int
    at_most: int

    @classmethod
    def of(cls, question: ItemsQuestion) -> "MoleLimits":
        """Return the limits of a question."""
        return cls(attribute=question.limit, crowd=question.crowd, at_most=question.at_most)


class GreedyStep(NamedTuple):
    """One step of Figure 2: |M(v)| and |N(v)| of every public item that is left, and the item that is suppressed."""

    counts: dict[int, tuple[int, int]]
    suppressed: int


@dataclass(frozen=True, kw_only=True)
class SuppressedItems:
    """Items deleted beforehand (Observation 2), in item order, and items chosen one by one, in that order.

    The borders are those after Observation 2; `steps` has every step, also where items were put back afterwards.
    """

    infrequent: list[int]
    greedy: list[int]
    moles: Border
    nuggets: Border
    steps: list[GreedyStep]


@dataclass(frozen=True, kw_only=True)
class ItemsetRows:
    """Rows as itemsets with the number of times each occurs."""

    sets: tuple[int, ...]
    weights: tuple[int, ...]
    public: int
    private: int

    @classmethod
    def of(cls, transactions: Transactions) -> "ItemsetRows":
        """Turn transactions into itemsets."""
        bounds = zip(transactions.offsets[:-1].tolist(), transactions.offsets[1:].tolist(), strict=True)
        codes = transactions.codes.tolist()
        private = itemset(transactions.private)
        return cls(
            sets=tuple(itemset(codes[a:b]) for a, b in bounds),
            weights=tuple(transactions.weights.tolist()),
            public=itemset(range(len(transactions.labels))) & ~private,
            private=private,
        )

    def support(self, items: int) -> int:
        """Count the rows that hold an itemset."""
        held = _held(self._holders, len(self.sets), items)
        return sum((held & rows).bit_count() << power for power, rows in enumerate(self._heavy))

    @cached_property
    def _holders(self) -> dict[int, int]:
        return _holders(self.sets)

    @cached_property
    def _heavy(self) -> list[int]:
        """The rows whose weight has bit 0, bit 1 and so on."""
        most = max(self.weights, default=0).bit_length()
        return [
            itemset(row for row, weight in enumerate(self.weights) if weight >> power & 1)
            for power in range(most)
        ]

    def breaks(self, items: int, limits: MoleLimits) -> bool:
        """Tell whether an occurring itemset has too small a crowd or itself predicts a private item too well."""
        support = self.support(items)
        worst = max((self.support(items | 1 << s) for s in members(self.private)), default=0)
        return support > 0 and (support < limits.crowd or worst > limits.attribute * support)

    def without(self, items: int) -> "ItemsetRows":
        """Return the rows without some public items; emptied rows stay."""
        return replace(self, sets=tuple(row & ~items for row in self.sets), public=self.public & ~items)


def _holders(rows: Sequence[int]) -> dict[int, int]:
    """Return for each item the rows that hold it, as bits."""
    rows_with: defaultdict[int, int] = defaultdict(int)
    for number, row in enumerate(rows):
        for item in members(row):
            rows_with[item] |= 1 << number
    return rows_with


def _held(holders: Mapping[int, int], rows: int, items: int) -> int:
    """Return which of some rows hold an itemset, as bits."""
    held = (1 << rows) - 1
    for item in members(items):
        held &= holders.get(item, 0)
    return held


def mole_border(rows: ItemsetRows, limits: MoleLimits) -> Border:
    """Return the border of the moles, the minimal moles above and the longest rows below.

    The lower bound holds itemsets longer than the attacker's knowledge: counting leaves them out by their length. It is
    restricted to rows with a mole inside, as a border must be (Definition 4 ii). Section 5.1, Example 2.
    """
    upper = minimal_moles(rows, limits)
    public = sorted({row & rows.public for row in rows.sets})
    holders = _holders(public)
    longest = [row for row in public if _held(holders, len(public), row).bit_count() == 1]
    lower = {row for row in longest if any(mole & ~row == 0 for mole in upper)}
    return Border(upper=frozenset(upper), lower=frozenset(lower))


def nugget_border(rows: ItemsetRows, min_support: int) -> Border:
    """Return the border of the nuggets: frequent single items above, maximal frequent itemsets below.

    A private item needs no more than `min_support`, since Observation 2 deletes public items only. Section 5.1.
    """
    every = rows.public | rows.private
    levels = list(_levels(rows, every, lambda items: rows.support(items) >= min_support))
    frequent = {items for level in levels for items in level}
    inner = {items & ~(1 << i) for items in frequent for i in members(items)}
    return Border(upper=frozenset(levels[0] if levels else ()), lower=frozenset(frequent - inner))


def minimal_moles(rows: ItemsetRows, limits: MoleLimits) -> set[int]:
    """Return the moles of which no part is a mole (Definition 1, on itemsets that occur)."""
    moles: set[int] = set()

    def harmless(items: int) -> bool:
        if rows.support(items) == 0:
            return False
        if rows.breaks(items, limits):
            moles.add(items)
            return False
        return True

    for size, _ in enumerate(_levels(rows, rows.public, harmless), start=1):
        if size == limits.at_most:
            break
    return moles


def _refuse_above(looks: int) -> None:
    if looks > _MOST_LOOKS:
        raise BudgetExceeded(
            f"The border takes more than {_MOST_LOOKS:,} looks at rows.", hint=f"use {DEFAULT_METHOD}."
        )


def _levels(rows: ItemsetRows, items: int, holds: Callable[[int], bool]) -> Iterator[list[int]]:
    """Yield, size by size, the itemsets for which `holds` is true of them and of all their parts."""
    level = {0}
    seen = 0
    while level:
        grown = {known | 1 << i for known in level for i in members(items) if known >> i == 0}
        tried = [one for one in sorted(grown) if all(one & ~(1 << i) in level for i in members(one))]
        seen += len(tried)
        tell("counting combinations that stay", seen, None)
        _refuse_above(seen * len(rows.sets))
        level = {one for one in tried if holds(one)}
        if level:
            yield sorted(level)


def after_observation_2(
    rows: ItemsetRows, limits: MoleLimits, threshold: int, keep: Collection[int] = ()
) -> tuple[list[int], ItemsetRows]:
    """Return the public items below a support that need not be kept, and the rows without them.

    Where no cohesion exists, that is refused.
    """
    _refuse_above(rows.public.bit_count() * len(rows.sets))
    if rows.breaks(0, limits):
        raise NoSafeRelease(
            f"The empty set is a mole: no public {nouns().item} need be known at all.", proved=True
        )
    infrequent = [v for v in members(rows.public) if rows.support(1 << v) < threshold and v not in keep]
    return infrequent, rows.without(itemset(infrequent))


def border_greedy(
    transactions: Transactions,
    limits: MoleLimits,
    min_support: int,
    max_size: int | None = None,
    *,
    score: Literal["paper", "minimal"] = "paper",
    reinstate: bool = False,
    keep_infrequent: bool = False,
    keep: Collection[int] = (),
    minus: Difference = difference,
) -> SuppressedItems:
    """Choose the items to suppress by the algorithm of Figure 2, counting on borders alone.

    Ties go to the item with more moles, then with less support, then first in order. Items in `keep` are never
    suppressed; moles of which nothing else is left stay.
    """
    threshold = limits.crowd if keep_infrequent else max(limits.crowd, min_support)
    infrequent, rows = after_observation_2(ItemsetRows.of(transactions), limits, threshold, keep)
    border, useful = mole_border(rows, limits), nugget_border(rows, min_support)
    charged = _Charges(border, limits.at_most, minus) if score == "paper" else _Minimal(border)
    kept = _Charges(useful, max_size, minus)
    chosen: list[int] = []
    steps: list[GreedyStep] = []
    while candidates := [v for v in members(rows.public) if charged.counts[v] > 0 and v not in keep]:
        best = max(
            candidates, key=lambda v: _worth(charged.counts[v], kept.counts[v], rows.support(1 << v), v)
        )
        left = [v for v in members(rows.public) if v not in chosen]
        steps.append(GreedyStep({v: (charged.counts[v], kept.counts[v]) for v in left}, best))
        chosen.append(best)
        charged.suppress(best)
        kept.suppress(best)
    if reinstate:
        chosen = _reinstated(chosen, border.upper, rows.public)
    return SuppressedItems(infrequent=infrequent, greedy=chosen, moles=border, nuggets=useful, steps=steps)


class _Charges:
    """How many itemsets of a border contain each item, while items are suppressed (section 6)."""

    def __init__(self, border: Border, longest: int | None, minus: Difference) -> None:
        self._edges = border.edges()
        self._longest = longest
        self._minus = minus
        self.counts = compute_delta(self._edges, 0, longest, minus=minus)

    def suppress(self, item: int) -> None:
        """Take the losers away from the counts, and the item from the edges."""
        self.counts.subtract(compute_delta(self._edges, 1 << item, self._longest, minus=self._minus))
        self._edges = suppress(self._edges, item)
        del self.counts[item]


class _Minimal:
    """How many minimal moles contain each item, while items are suppressed."""

    def __init__(self, border: Border) -> None:
        self._moles = set(border.upper)
        self.counts = Counter(item for mole in self._moles for item in members(mole))

    def suppress(self, item: int) -> None:
        """Take the moles with the item away."""
        gone = {mole for mole in self._moles if mole >> item & 1}
        self._moles -= gone
        self.counts.subtract(other for mole in gone for other in members(mole))
        del self.counts[item]


def _worth(charged: int, kept: int, support: int, item: int) -> tuple[bool, Fraction, int, int, int]:
    """Order items by Score(v) = |M(v)|/|N(v)|, infinite without nuggets (section 4)."""
    return kept == 0, Fraction(charged, kept) if kept else Fraction(0), charged, -support, -item


def _reinstated(chosen: Sequence[int], moles: Collection[int], public: int) -> list[int]:
    """Re-admit, from the last to the first, every item that completes no minimal mole."""
    needed = list(chosen)
    kept = public & ~itemset(chosen)
    for item in reversed(chosen):
        if all(mole & ~(kept | 1 << item) for mole in moles):
            kept |= 1 << item
            needed.remove(item)
    return needed
