"""The R-graph of a release for everybody to look at: every rule of its secrets, safe or not, and which is part of which."""

from dataclasses import dataclass
from typing import Any

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.question import AttributesQuestion, ask
from giveaway.attacks.attributes.reporting.rules import rule_row
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.model.answer.rows import Rows
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.papers.attributes.rgraph import Node, RGraph, all_nodes, members, unsafe_nodes

MOST = 10_000
"""The most rules, unless more are asked for."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RuleGraph:
    """The rules from visible conditions of secrets to their values, and their R-graph.

    `rules` are its nodes, one row each: `condition`, `column`, `value`, `support`, `records`, `confidence`, `secrets`
    that it is about, whether it is `unsafe`, and three numbers of the paper: `values_to_hide`, the sensitive entries of
    others that must be hidden until it is safe (beta); `records_to_hide`, the records that must lose a condition (MinHide);
    `exact_matches`, the records that show it and no rule with more conditions (ExactMatch).

    `edges` are pairs of places among the rules: the second has one condition less than the first.
    """

    rules: Rows
    edges: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        return f"<RuleGraph: {len(self.rules):,} rules, {len(self.edges):,} edges>"


def rule_graph(
    release: Release,
    attacker: KnowsAttributes,
    tolerance: Tolerance,
    *,
    only_unsafe: bool = False,
    at_most: int = MOST,
) -> RuleGraph:
    """Return every rule that a secret can be attacked with, safe or not, with the R-graph of Li et al., section 5.1.

    The attacker is that of the paper, who does not know how entries are chosen. There is one graph for each sensitive
    value that a secret has. More than `at_most` rules are refused.

    >>> import giveaway as ga
    >>> rows = [{"town": "Ulm", "sex": "f", "job": "teacher"}] * 3 + [{"town": "Ulm", "sex": "m", "job": "cook"}]
    >>> release = ga.Release(ga.Table.from_rows(rows, sensitive="job"), secrets=[1])
    >>> somebody = ga.KnowsAttributes(columns=["town", "sex"], knows_method=False)
    >>> graph = ga.rule_graph(release, somebody, ga.Tolerance(attribute="0.6"))
    >>> graph
    <RuleGraph: 3 rules, 2 edges>
    >>> for rule in graph.rules:
    ...     print(*rule["condition"].values(), rule["confidence"], rule["unsafe"], rule["values_to_hide"])
    Ulm f 2/3 True 1
    Ulm 1/2 False 0
    f 2/3 True 1
    """
    if attacker.knows_method:
        raise ScenarioError(
            "The R-graph is about somebody who does not know how entries are chosen.",
            hint="set knows_method = false.",
        )
    question = ask(release, attacker, tolerance, None)
    rows: list[dict[str, Any]] = []
    edges: list[tuple[int, int]] = []
    for column in question.sensitive_columns:
        for value in sorted({int(column.table.truth[group]) for group in column.table.secrets}):
            graph = _graph(column, value, only_unsafe=only_unsafe, most=at_most - len(rows))
            edges += [(len(rows) + parent, len(rows) + child) for parent, child in graph.edges()]
            rows += _rows(question, column, value, graph)
    return RuleGraph(rules=Rows(len(rows), rows.__getitem__), edges=tuple(edges))


def _graph(column: SensitiveColumn, value: int, *, only_unsafe: bool, most: int) -> RGraph:
    nodes: list[Node] = []
    for node in unsafe_nodes(column.unsafe, value) if only_unsafe else all_nodes(column.table, value):
        if len(nodes) == most:
            raise BudgetExceeded(
                "The secrets have more rules than may be listed.",
                hint="raise at_most, take only_unsafe=True, or name fewer columns.",
            )
        nodes.append(node)
    return RGraph(nodes, column.table.width)


def _rows(
    question: AttributesQuestion, column: SensitiveColumn, value: int, graph: RGraph
) -> list[dict[str, Any]]:
    """Describe the nodes, each with the records that match it exactly."""
    table = column.table
    exact_matches = [0] * len(graph.nodes)
    for group, shown in graph.shown().items():
        for place in members(graph.exact(shown)):
            exact_matches[place] += int(table.count[group])
    return [
        rule_row(
            question,
            column,
            pattern=node.pattern,
            value=value,
            counts=(node.showing, node.matching),
            secrets=_secrets(column, value, node),
        )
        | {"exact_matches": matches}
        for node, matches in zip(graph.nodes, exact_matches, strict=True)
    ]


def _secrets(column: SensitiveColumn, value: int, node: Node) -> int:
    """Count the secrets with a value that have a pattern."""
    table = column.table
    has = table.truth == value
    for place, code in enumerate(node.pattern):
        if node.mask >> place & 1:
            has &= table.conditions[:, place] == code
    return int(table.count[has].sum())
