"""Hiding conditions of others as Li et al. do, along the R-graph of the rules of the secrets."""

from dataclasses import dataclass, field, replace
from math import lcm
from typing import Literal

import numpy as np

from giveaway.attacks.attributes.hiding.best_of_all import HidingPlan
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import Changed, Round
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable
from giveaway.errors import ScenarioError
from giveaway.model.progress import tell
from giveaway.papers.attributes.rgraph import RGraph, all_nodes, members, min_hide, unsafe_nodes

Heuristic = Literal["max descendant", "random max", "random"]
Records = Literal["as needed", "all"]

WHOLE = 2_000
"""The most nodes, counted before equal ones are merged, of a graph of all rules."""


def protect(
    table: PartialTable,
    *,
    heuristic: Heuristic,
    seed: int,
    records: Records = "as needed",
    whole: bool | None = None,
) -> HidingPlan:
    """Hide conditions of others until a full scan finds no unsafe rule.

    One graph after the other is made safe, one for each sensitive value that has unsafe rules, in rounds because hiding
    for one value takes records away from the rules of another. `whole` puts the safe rules into the graph too, as
    printed, or leaves them out; if not given, the size decides.

    Li et al., Section 5.2.
    """
    unsafe = search.find(table)
    if not len(unsafe):
        return HidingPlan(hidden=Hidden.of([]), method="nothing to hide")
    _check_applicable(table)
    start = Round(table=table, unsafe=unsafe)
    if start.is_lost:
        return HidingPlan(impossible=True, method="counting")
    plan = HidingPlan(prices=table.prices, lower_bound=bound(start).cost, method=f"R-graph, {heuristic}")
    random = np.random.default_rng(seed)
    changed, rounds = Changed.nothing_in(table), 0
    while len(unsafe):
        rounds += 1
        for value in np.unique(unsafe.value).tolist():
            now = changed.table
            hidden = _GraphSearch(now, graph(now, value, whole=whole), records).run(heuristic, random)
            if hidden is None:
                return plan
            changed = changed.hiding(hidden)
        unsafe = search.find(changed.table)
    return replace(plan, hidden=changed.hidden_in(table), rounds=rounds)


def graph(table: PartialTable, value: int, *, whole: bool | None = None) -> RGraph:
    """Return the R-graph of the secrets with a value: of all their rules, or of the unsafe ones."""
    if whole is None:
        whole = int((table.truth == value).sum()) << table.width <= WHOLE
    nodes = all_nodes(table, value) if whole else unsafe_nodes(search.find(table), value)
    return RGraph(nodes, table.width)


def _check_applicable(table: PartialTable) -> None:
    conditions = table.sensitive_bit - 1
    if not (table.may[table.value != UNKNOWN] & conditions).any():
        raise ScenarioError(
            "The R-graph hides conditions of others, and none of them may be hidden.",
            hint='method = "cover" hides wherever it is allowed.',
        )


@dataclass(kw_only=True)
class _Pile:
    """Records that show the same nodes and may lose the same conditions.

    They are counted by their group and what is hidden in them.
    """

    shown: int
    may: int
    records: dict[tuple[int, int], int] = field(default_factory=dict)


class _GraphSearch:
    """One graph on the way to safety: the counts of its nodes, and the records that match each node exactly."""

    # State: what each node counts now and how many records it still needs (MinHide), and piles of records by the nodes
    # that they show. Invariant: a record is in the pile of exactly what it shows, and `unsafe` are the nodes with a need.
    # Pruning: only nodes at the top are chosen, since hiding a condition of a record that matches one exactly serves all
    # unsafe nodes below at once; a node without a record to hide in, or without unsafe nodes below, is not active.
    # Reference: Li et al., section 5.2, with the readings E2 to E5 of the notes.

    def __init__(self, table: PartialTable, of: RGraph, records: Records = "as needed") -> None:
        self.table = table
        self.all_records = records == "all"
        self.graph = of
        self.showing = [node.showing for node in of.nodes]
        self.matching = [node.matching for node in of.nodes]
        self.need = [0] * len(of.nodes)
        self.unsafe = 0
        self.piles: dict[tuple[int, int], _Pile] = {}
        self.exact: dict[int, list[_Pile]] = {}
        for node in range(len(of.nodes)):
            self._judge(node)
        for group, shown in of.shown().items():
            may = int(table.may[group]) & ~table.sensitive_bit
            self._pile(shown, may).records[group, 0] = int(table.count[group])

    def run(self, heuristic: Heuristic, random: np.random.Generator) -> Hidden | None:
        """Hide until every node is safe; None when no entry is left that helps."""
        while self.unsafe:
            tops = self._top_level_active()
            if not tops:
                return None
            self._hide_below(self._chosen(tops, heuristic, random))
            tell(
                "hiding along the R-graph",
                len(self.graph.nodes) - self.unsafe.bit_count(),
                len(self.graph.nodes),
            )
        moves = [
            (group, mask, times)
            for pile in self.piles.values()
            for (group, mask), times in pile.records.items()
            if mask
        ]
        return Hidden.of(sorted(moves))

    def _judge(self, node: int) -> None:
        table = self.table
        self.need[node] = min_hide(self.showing[node], self.matching[node], table.limit, table.least)
        bit = 1 << node
        self.unsafe = self.unsafe | bit if self.need[node] else self.unsafe & ~bit

    def _pile(self, shown: int, may: int) -> _Pile:
        """Return the pile of such records, which may be a new one."""
        if (shown, may) not in self.piles:
            pile = self.piles[shown, may] = _Pile(shown=shown, may=may)
            for node in members(self.graph.exact(shown)):
                self.exact.setdefault(node, []).append(pile)
        return self.piles[shown, may]

    def _top_level_active(self) -> list[int]:
        """Return the active nodes without an active ancestor.

        A node is active when a record that matches it exactly may lose a condition of an unsafe descendant. Where
        every condition may be hidden these are the top-level active nodes of the paper, without those that have only
        safe descendants.
        """
        active = sum(1 << node for node in self.exact if self._entries(node))
        return [node for node in members(active) if not self.graph.ancestors[node] & active]

    def _entries(self, node: int) -> list[int]:
        """Return the conditions of unsafe descendants that a record matching the node exactly may lose."""
        may = 0
        for pile in self.exact[node]:
            if pile.records:
                may |= pile.may
        below = self.graph.descendants[node] & self.unsafe
        return [
            column
            for column, nodes in enumerate(self.graph.with_condition)
            if may >> column & 1 and nodes & below
        ]

    def _chosen(self, tops: list[int], heuristic: Heuristic, random: np.random.Generator) -> int:
        """Choose one of the top-level active nodes; where the heuristic leaves a choice and no chance, the first."""
        if heuristic == "max descendant":
            return max(
                tops, key=lambda node: ((self.graph.descendants[node] & self.unsafe).bit_count(), -node)
            )
        if heuristic == "random max":
            sizes = [self.graph.nodes[node].mask.bit_count() for node in tops]
            tops = [node for node, size in zip(tops, sizes, strict=True) if size == max(sizes)]
        return tops[int(random.integers(len(tops)))]

    def _hide_below(self, node: int) -> None:
        """Hide in records that match a node exactly the condition that most of its unsafe descendants have.

        With prices, that of the most descendants for what it costs.
        """
        below = self.graph.descendants[node] & self.unsafe
        with_condition = self.graph.with_condition
        whole = lcm(*self.table.prices)
        column = max(
            self._entries(node),
            key=lambda one: (
                (below & with_condition[one]).bit_count() * (whole // self.table.price(1 << one)),
                -one,
            ),
        )
        left = min(self.need[one] for one in members(below & with_condition[column]))
        piles = [pile for pile in self.exact[node] if pile.may >> column & 1]
        if self.all_records:
            left = sum(times for pile in piles for times in pile.records.values())
        records = sorted((*record, place) for place, pile in enumerate(piles) for record in pile.records)
        for group, mask, place in records:
            taken = min(left, piles[place].records[group, mask])
            self._move(piles[place], (group, mask), column, taken)
            left -= taken
            if not left:
                break

    def _move(self, pile: _Pile, record: tuple[int, int], column: int, times: int) -> None:
        """Hide one condition in some records of a pile, and judge the nodes that they no longer show."""
        group, mask = record
        lost = pile.shown & self.graph.with_condition[column]
        target = self._pile(pile.shown & ~lost, pile.may & ~(1 << column)).records
        key = (group, mask | 1 << column)
        target[key] = target.get(key, 0) + times
        pile.records[record] -= times
        if not pile.records[record]:
            del pile.records[record]
        for node in members(lost):
            self.showing[node] -= times
            self.matching[node] -= times
            self._judge(node)
