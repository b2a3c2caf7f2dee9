"""Hiding unsafe rules one by one, the older way that Li et al. compare theirs with.

The algorithm CR of Saygin, Verykios and Clifton, Using unknowns to prevent discovery of association rules, SIGMOD Record
2001, in our reading: the longest rules first; of the records that show a rule those that show the fewest rules first; in
them the condition of the rule that most records have. Where sensitive entries of others may be hidden they are, as Li et
al. have it in section 6.1.
"""

from dataclasses import replace

import numpy as np

from giveaway.attacks.attributes.hiding.best_of_all import HidingPlan
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import Changed, Round
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable
from giveaway.errors import ScenarioError
from giveaway.papers.attributes.rgraph import Node, RGraph, members, min_hide, unsafe_nodes


def protect(table: PartialTable) -> HidingPlan:
    """Hide entries of others, rule by rule, until a full scan finds no unsafe rule."""
    unsafe = search.find(table)
    if not len(unsafe):
        return HidingPlan(hidden=Hidden.of([]), method="nothing to hide")
    if not table.may[table.value != UNKNOWN].any():
        raise ScenarioError(
            "CR hides entries of others, and none of them may be hidden.",
            hint='method = "cover" hides wherever it is allowed.',
        )
    start = Round(table=table, unsafe=unsafe)
    if start.is_lost:
        return HidingPlan(impossible=True, method="counting")
    plan = HidingPlan(prices=table.prices, lower_bound=bound(start).cost, method="CR")
    changed, rounds = Changed.nothing_in(table), 0
    while len(unsafe):
        rounds += 1
        for value in np.unique(unsafe.value).tolist():
            hidden = _RuleSearch(changed.table, value).run()
            if hidden is None:
                return plan
            changed = changed.hiding(hidden)
        unsafe = search.find(changed.table)
    return replace(plan, hidden=changed.hidden_in(table), rounds=rounds)


class _RuleSearch:
    """The records that show unsafe rules with one value, counted by group and what is hidden in them."""

    # State: the records by group and hidden entries, the rules that each shows, and how many records each rule lost.
    # Invariant: `shown` are the rules whose conditions and value a record still shows. Nothing is pruned: rules are
    # taken in one order, once, and a rule that earlier hiding made safe needs nothing.

    def __init__(self, table: PartialTable, value: int) -> None:
        self.table = table
        self.graph = RGraph(unsafe_nodes(search.find(table), value), table.width)
        self.by_value = bool((table.may[table.value != UNKNOWN] & table.sensitive_bit).any())
        self.shown = {(group, 0): nodes for group, nodes in self.graph.shown().items()}
        self.count = {(group, 0): int(table.count[group]) for group, _ in self.shown}
        self.gone = [0] * len(self.graph.nodes)
        self.support = [
            np.bincount(codes[codes >= 0], weights=table.count[codes >= 0]).astype(np.int64)
            for codes in table.conditions.T
        ]

    def run(self) -> Hidden | None:
        """Hide until every rule is safe; None when no entry is left that helps."""
        for place, node in enumerate(self.graph.nodes):
            if self._hide(place, self._entries(node), self._need(place, node)):
                return None
        return Hidden.of(
            sorted((*record, times) for record, times in self.count.items() if record[1] and times)
        )

    def _need(self, place: int, node: Node) -> int:
        limit, least = self.table.limit, self.table.least
        showing = node.showing - self.gone[place]
        if self.by_value:
            return showing - max(least, limit.numerator * node.matching // limit.denominator)
        return min_hide(showing, node.matching - self.gone[place], limit, least)

    def _entries(self, node: Node) -> list[int]:
        """Return the entries that may be hidden against a rule, the best first."""
        if self.by_value:
            return [self.table.width]
        columns = [column for column in range(self.table.width) if node.mask >> column & 1]
        return sorted(columns, key=lambda column: (-self.support[column][node.pattern[column]], column))

    def _hide(self, place: int, entries: list[int], left: int) -> int:
        """Hide in as many records that show a rule as it takes, and return how many could not be had."""
        bit = 1 << place
        relevant = [record for record, shown in self.shown.items() if shown & bit and self.count[record]]
        relevant.sort(key=lambda record: (self.shown[record].bit_count(), record))
        for group, mask in relevant:
            if left <= 0:
                break
            may = int(self.table.may[group]) & ~mask
            entry = next((one for one in entries if may >> one & 1), None)
            if entry is not None:
                taken = min(left, self.count[group, mask])
                self._move((group, mask), entry, taken)
                left -= taken
        return max(left, 0)

    def _move(self, record: tuple[int, int], entry: int, times: int) -> None:
        shown = self.shown[record]
        lost = shown if self.by_value else shown & self.graph.with_condition[entry]
        target = (record[0], record[1] | 1 << entry)
        self.count[record] -= times
        self.count[target] = self.count.get(target, 0) + times
        self.shown[target] = shown & ~lost
        for node in members(lost):
            self.gone[node] += times
