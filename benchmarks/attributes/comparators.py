"""An older way to hide rules, for comparison of the entries it hides.

The CR algorithm of Saygin, Verykios, Clifton, Using unknowns to prevent discovery of association rules, SIGMOD Record
2001, in our reading: the longest rules first; of the records that show a rule those that show the fewest rules first; in
them the condition of the rule that most records have, or the sensitive entry when conditions must stay. The unsafe rules
come from the engine of the product; the choice is made here.
"""

from typing import Literal

import numpy as np

from giveaway.attacks.attributes.rgraph.graph import Node, RGraph, members, min_hide, unsafe_nodes
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden, PartialTable, hide

Hides = Literal["sensitive of others", "conditions of others"]


def cr(table: PartialTable, hides: Hides) -> int:
    """Return the number of entries that are hidden until a full scan finds no unsafe rule."""
    hidden = 0
    while len(rules := search.find(table)):
        for value in np.unique(rules.value).tolist():
            graph = RGraph(unsafe_nodes(search.find(table), value), table.width)
            moves = _Hiding(table, graph, hides).run()
            hidden += moves.entries
            table, _ = hide(table, moves)
    return hidden


class _Hiding:
    """The records that show rules with one value, counted by group and what is hidden in them, while entries go."""

    def __init__(self, table: PartialTable, graph: RGraph, hides: Hides) -> None:
        self.table, self.graph = table, graph
        self.by_value = hides == "sensitive of others"
        self.shown = {(group, 0): nodes for group, nodes in graph.shown().items()}
        self.count = {(group, 0): int(table.count[group]) for group, _ in self.shown}
        self.gone = [0] * len(graph.nodes)
        self.support = [
            np.bincount(codes[codes >= 0], weights=table.count[codes >= 0]).astype(np.int64)
            for codes in table.conditions.T
        ]

    def run(self) -> Hidden:
        for place, node in enumerate(self.graph.nodes):
            left = self._need(place, node)
            if left > 0:
                self._hide(place, self._entry(node), left)
        return Hidden.of(
            sorted((*record, times) for record, times in self.count.items() if record[1] and times)
        )

    def _need(self, place: int, node: Node) -> int:
        limit, least = self.table.limit, self.table.least
        showing = node.showing - self.gone[place]
        if self.by_value:
            return showing - max(least, limit.numerator * node.matching // limit.denominator)
        return min_hide(showing, node.matching - self.gone[place], limit, least)

    def _entry(self, node: Node) -> int:
        if self.by_value:
            return self.table.width
        columns = [column for column in range(self.table.width) if node.mask >> column & 1]
        return max(columns, key=lambda column: (self.support[column][node.pattern[column]], -column))

    def _hide(self, place: int, entry: int, left: int) -> None:
        bit = 1 << place
        relevant = [record for record, shown in self.shown.items() if shown & bit and self.count[record]]
        relevant.sort(key=lambda record: (self.shown[record].bit_count(), record))
        for record in relevant:
            taken = min(left, self.count[record])
            left -= taken
            shown = self.shown[record]
            lost = shown if self.by_value else shown & self.graph.with_condition[entry]
            target = (record[0], record[1] | 1 << entry)
            self.count[record] -= taken
            self.count[target] = self.count.get(target, 0) + taken
            self.shown[target] = shown & ~lost
            for node in members(lost):
                self.gone[node] += taken
            if not left:
                return
