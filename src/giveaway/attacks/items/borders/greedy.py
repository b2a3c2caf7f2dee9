"""The paper's own method from rows to suppressed items: a readable reference that gives the order of the engine.

It serves small data: the engine keeps the idea of intervals of itemsets but makes them disjoint from the start, while
here they overlap and the overlaps are taken away as the paper prints it.

Xu, Fung, Wang, Fu, Pei, Publishing Sensitive Transactions for Itemset Utility, sections 4 to 6.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from giveaway.attacks.items.borders.border import (
    Border,
    Difference,
    compute_delta,
    difference,
    itemset,
    members,
    suppress,
)
from giveaway.errors import BudgetExceeded, NoSafeRelease
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

_MOST_SETS = 100_000


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What makes a public itemset a mole: h, k and p of Definition 1."""

    attribute: Fraction
    crowd: int
    at_most: int


class Suppressed(NamedTuple):
    """Items deleted beforehand (Observation 2), in item order, and items chosen one by one, in that order."""

    infrequent: list[int]
    greedy: list[int]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Rows as itemsets with the number of times each occurs."""

    sets: tuple[int, ...]
    weights: tuple[int, ...]
    public: int
    private: int

    @classmethod
    def of(cls, transactions: Transactions) -> "Rows":
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
        return sum(w for row, w in zip(self.sets, self.weights, strict=True) if items & ~row == 0)

    def breaks(self, items: int, limits: Limits) -> bool:
        """Tell whether an occurring itemset has too small a crowd or itself predicts a private item too well."""
        support = self.support(items)
        worst = max((self.support(items | 1 << s) for s in members(self.private)), default=0)
        return support > 0 and (support < limits.crowd or worst > limits.attribute * support)

    def without(self, items: int) -> "Rows":
        """Return the rows without some public items; emptied rows stay."""
        return replace(self, sets=tuple(row & ~items for row in self.sets), public=self.public & ~items)


def mole_border(rows: Rows, limits: Limits) -> Border:
    """Return the border of the moles, the minimal moles above and the longest rows below.

    The lower bound holds itemsets longer than the attacker's knowledge: counting leaves them out by their length. It is
    restricted to rows with a mole inside, as a border must be (Definition 4 ii). Section 5.1, Example 2.
    """
    upper = minimal_moles(rows, limits)
    public = {row & rows.public for row in rows.sets}
    longest = {row for row in public if not any(row != other and row & ~other == 0 for other in public)}
    lower = {row for row in longest if any(mole & ~row == 0 for mole in upper)}
    return Border(upper=frozenset(upper), lower=frozenset(lower))


def nugget_border(rows: Rows, min_support: int) -> Border:
    """Return the border of the nuggets: frequent single items above, maximal frequent itemsets below.

    A private item needs no more than `min_support`, since Observation 2 deletes public items only. Section 5.1.
    """
    levels = list(_levels(rows.public | rows.private, lambda items: rows.support(items) >= min_support))
    frequent = {items for level in levels for items in level}
    inner = {items & ~(1 << i) for items in frequent for i in members(items)}
    return Border(upper=frozenset(levels[0] if levels else ()), lower=frozenset(frequent - inner))


def minimal_moles(rows: Rows, limits: Limits) -> set[int]:
    """Return the moles of which no part is a mole (Definition 1, on itemsets that occur)."""
    moles: set[int] = set()

    def harmless(items: int) -> bool:
        if rows.support(items) == 0:
            return False
        if rows.breaks(items, limits):
            moles.add(items)
            return False
        return True

    for size, _ in enumerate(_levels(rows.public, harmless), start=1):
        if size == limits.at_most:
            break
    return moles


def _levels(items: int, holds: Callable[[int], bool]) -> Iterator[list[int]]:
    """Yield, size by size, the itemsets for which `holds` is true of them and of all their parts."""
    level = {0}
    seen = 0
    while level:
        grown = {known | 1 << i for known in level for i in members(items) if known >> i == 0}
        tried = [one for one in sorted(grown) if all(one & ~(1 << i) in level for i in members(one))]
        seen += len(tried)
        tell("building a border", seen, None)
        if seen > _MOST_SETS:
            raise BudgetExceeded(
                f"The border needs more than {_MOST_SETS:,} itemsets to be looked at.",
                hint="use the default engine, which gives the same order of items.",
            )
        level = {one for one in tried if holds(one)}
        if level:
            yield sorted(level)


def border_greedy(
    transactions: Transactions,
    limits: Limits,
    min_support: int,
    max_size: int | None = None,
    *,
    score: Literal["paper", "minimal"] = "paper",
    reinstate: bool = False,
    keep_infrequent: bool = False,
    minus: Difference = difference,
) -> Suppressed:
    """Choose the items to suppress by the algorithm of Figure 2, counting on borders alone.

    Ties go to the item with more moles, then with less support, then first in order.
    """
    rows = Rows.of(transactions)
    if rows.breaks(0, limits):
        raise NoSafeRelease("The empty set is a mole: no public item need be known at all.", proved=True)
    threshold = limits.crowd if keep_infrequent else max(limits.crowd, min_support)
    infrequent = [v for v in members(rows.public) if rows.support(1 << v) < threshold]
    rows = rows.without(itemset(infrequent))
    border = mole_border(rows, limits)
    charged = _Charges(border, limits.at_most, minus) if score == "paper" else _Minimal(border)
    kept = _Charges(nugget_border(rows, min_support), max_size, minus)
    chosen: list[int] = []
    while any(charged.counts.values()):
        candidates = [v for v in members(rows.public) if charged.counts[v] > 0]
        best = max(
            candidates, key=lambda v: _worth(charged.counts[v], kept.counts[v], rows.support(1 << v), v)
        )
        chosen.append(best)
        charged.suppress(best)
        kept.suppress(best)
    if reinstate:
        chosen = _reinstated(chosen, border.upper, rows.public)
    return Suppressed(infrequent, chosen)


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
