"""The rules that secrets can be attacked with, and the R-graph of those to one value: which pattern is part of which.

Sets of nodes are whole numbers used as bitsets: bit `i` stands for node `i`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.attacks.attributes.unsafe_rules.search import UnsafeRules
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import tell


@dataclass(frozen=True, kw_only=True, eq=False)
class AttackedRule:
    """A rule from the pattern of conditions `mask` that the groups `groups` have to the true value of some of them."""

    mask: int
    value: int
    groups: Ints
    matching: int
    """The number of records with the pattern: supp(p)."""
    showing: int
    """The number of them that show the value: supp(p -> s)."""


def attacked_rules(table: PartialTable, *, above: int) -> Iterator[AttackedRule]:
    """Give the rules that more than `above` records show, all of them when it is -1.

    A longer pattern is shown by no more records than a part of it, so the search stops where too few show a rule.
    """
    everybody = np.arange(len(table.count))
    yield from _extended(table, 0, everybody, np.zeros(len(everybody), np.int64), above)


def _extended(
    table: PartialTable, mask: int, groups: Ints, pattern: Ints, above: int
) -> Iterator[AttackedRule]:
    """Give the rules of the patterns with more conditions, all of them after those in `mask`.

    `pattern` numbers, for each of the groups, the pattern that it has there.
    """
    for column in range(mask.bit_length(), table.width):
        longer = mask | 1 << column
        tell("listing the rules that secrets have", longer, 1 << table.width)
        seen = table.conditions[groups, column] != UNKNOWN
        kept = groups[seen]
        codes = table.conditions[kept, column].astype(np.int64)
        numbers = np.unique(pattern[seen] * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
        rules = list(_rules(table, longer, kept, numbers, above))
        yield from rules
        alive = np.zeros(len(table.count), np.bool_)
        for rule in rules:
            alive[rule.groups] = True
        if rules:
            goes_on = alive[kept]
            yield from _extended(table, longer, kept[goes_on], numbers[goes_on], above)


def _rules(table: PartialTable, mask: int, groups: Ints, pattern: Ints, above: int) -> Iterator[AttackedRule]:
    truth, value, count = table.truth[groups], table.value[groups], table.count[groups]
    values = max(int(table.truth.max(initial=0)), int(table.value.max(initial=0))) + 1
    aims = (pattern * values + truth)[truth != UNKNOWN]
    shown = value != UNKNOWN
    keys, showing = _sums(
        np.concatenate([aims, (pattern * values + value)[shown]]),
        np.concatenate([np.zeros(len(aims), np.int64), count[shown]]),
    )
    matching = _sums(pattern, count)[1]
    order = np.argsort(pattern, kind="stable")
    first = np.searchsorted(pattern[order], np.arange(len(matching) + 1))
    ordered = groups[order]
    wanted = np.isin(keys, aims) & (showing > above)
    for key, number in zip(keys[wanted].tolist(), showing[wanted].tolist(), strict=True):
        at, aim = divmod(key, values)
        members = ordered[first[at] : first[at + 1]]
        yield AttackedRule(mask=mask, value=aim, groups=members, matching=int(matching[at]), showing=number)


def _sums(keys: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys in order and the sum of the counts of each."""
    distinct, place = np.unique(keys, return_inverse=True)
    total = np.zeros(len(distinct), np.int64)
    np.add.at(total, place, count)
    return distinct, total


@dataclass(frozen=True, kw_only=True, eq=False)
class Node:
    """A rule: its pattern as the code of each condition, `UNKNOWN` where it has none, and its counts."""

    mask: int
    pattern: tuple[int, ...]
    matching: int
    showing: int
    relevant: Ints | Codes
    """The groups that have the pattern and show the value."""


class RGraph:
    """Rules with the same value, the longest patterns first.

    `descendants` are for each node itself and the nodes whose patterns are parts of its pattern, `ancestors` those that
    have its pattern as a part and more; `with_condition` are for each condition the nodes whose patterns have it.

    Li et al., Section 5.1.
    """

    def __init__(self, nodes: Iterable[Node], width: int) -> None:
        self.nodes = sorted(nodes, key=lambda node: (-node.mask.bit_count(), node.mask, node.pattern))
        self.descendants = _descendants(self.nodes)
        self.ancestors = [0] * len(self.nodes)
        for place, below in enumerate(self.descendants):
            for other in members(below & ~(1 << place)):
                self.ancestors[other] |= 1 << place
        self.with_condition = [
            sum(1 << place for place, node in enumerate(self.nodes) if node.mask >> column & 1)
            for column in range(width)
        ]

    def shown(self) -> dict[int, int]:
        """Return the nodes that each group shows, of the groups that show any, in the order of the groups."""
        shown: dict[int, int] = {}
        for place, node in enumerate(self.nodes):
            tell(f"matching {nouns().records} with rules", place, len(self.nodes))
            for group in node.relevant.tolist():
                shown[group] = shown.get(group, 0) | 1 << place
        return dict(sorted(shown.items()))

    def edges(self) -> Iterator[tuple[int, int]]:
        """Give pairs of nodes: the pattern of the second has one condition less than that of the first."""
        for place, below in enumerate(self.descendants):
            size = self.nodes[place].mask.bit_count()
            for other in members(below):
                if self.nodes[other].mask.bit_count() == size - 1:
                    yield place, other

    def exact(self, shown: int) -> int:
        """Return the nodes that a record matches exactly: those it shows and none of their ancestors."""
        return sum(1 << place for place in members(shown) if not self.ancestors[place] & shown)


def min_hide(showing: int, matching: int, limit: Fraction, least: int) -> int:
    """Return how many of the records that show a rule must lose a condition of it until it is safe.

    >>> min_hide(5, 7, Fraction(55, 100), 0)
    3
    """
    part, whole = limit.numerator, limit.denominator
    if part >= whole:
        return 0
    return max(0, min(-((part * matching - whole * showing) // (whole - part)), showing - least))


def all_nodes(table: PartialTable, value: int) -> Iterator[Node]:
    """Give the nodes of every rule of the secrets with a value, as printed."""
    only = replace(table, truth=np.where(table.truth == value, table.truth, UNKNOWN).astype(np.int32))
    for rule in attacked_rules(only, above=-1):
        yield Node(
            mask=rule.mask,
            pattern=_part(table.conditions[rule.groups[0]].tolist(), rule.mask),
            matching=rule.matching,
            showing=rule.showing,
            relevant=rule.groups[table.value[rule.groups] == value],
        )


def unsafe_nodes(rules: UnsafeRules, value: int) -> Iterator[Node]:
    """Give the nodes of the unsafe rules with a value."""
    for place in (rules.value == value).nonzero()[0].tolist():
        yield Node(
            mask=int(rules.mask[place]),
            pattern=tuple(rules.codes[place].tolist()),
            matching=int(rules.matching[place]),
            showing=int(rules.showing[place]),
            relevant=rules.relevant[rules.relevant_starts[place] : rules.relevant_starts[place + 1]],
        )


def members(nodes: int) -> Iterator[int]:
    """Give the nodes of a set in ascending order."""
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


def _descendants(nodes: Sequence[Node]) -> list[int]:
    """Look up the parts of each pattern, or compare with all patterns where that is less work."""
    place_of = {node.pattern: place for place, node in enumerate(nodes)}
    descendants: list[int] = []
    for node in nodes:
        tell("finding rules that lead to each other", len(descendants), len(nodes))
        if 1 << node.mask.bit_count() < len(nodes):
            parts = (place_of.get(_part(node.pattern, mask)) for mask in _submasks(node.mask))
            descendants.append(sum(1 << place for place in parts if place is not None))
        else:
            descendants.append(
                sum(
                    1 << place
                    for place, other in enumerate(nodes)
                    if not other.mask & ~node.mask and _part(node.pattern, other.mask) == other.pattern
                )
            )
    return descendants


def _part(pattern: Sequence[int], mask: int) -> tuple[int, ...]:
    return tuple(code if mask >> column & 1 else UNKNOWN for column, code in enumerate(pattern))


def _submasks(mask: int) -> Iterator[int]:
    """Give the non-empty subsets of a bitmask, itself included."""
    part = mask
    while part:
        yield part
        part = (part - 1) & mask
