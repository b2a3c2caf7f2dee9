"""The worked example of Li et al., Figure 2: every number of the R-graph, and the fewest entries in each subcase."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from tests.oracles import attributes as oracle
from tests.oracles import fewest_hidden as solve

import giveaway as ga
from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.papers.attributes import along_rgraph
from giveaway.papers.attributes.rgraph import RGraph, members, min_hide

RECORDS = ("abcs", "abcs", "abcs", "ab1s", "abds", "a2ds", "3bds", "4bds", "56d7")
"""t1 to t9; digits stand for the distinct values that the figure writes as stars."""

NODES = {
    "abc": (2, 3, 1, 2),
    "abd": (0, 1, 0, 0),
    "ab": (3, 5, 1, 1),
    "ac": (2, 3, 1, 0),
    "bc": (2, 3, 1, 0),
    "ad": (1, 2, 0, 1),
    "bd": (2, 3, 1, 2),
    "a": (4, 6, 2, 0),
    "b": (5, 7, 3, 0),
    "c": (2, 3, 1, 0),
    "d": (3, 5, 1, 0),
}
"""Records that show the rule, records that have the pattern, MinHide and ExactMatch."""

FEWEST = {"a": 2, "b": 7, "c": 6, "d": 6, "e": 2, "f": 2, "g": 2}


def figure(letter: str = "b") -> oracle.Planned:
    return oracle.Planned(
        records=tuple(map(tuple, RECORDS)),
        secrets=frozenset({0, 4}),
        limit=Fraction("0.55"),
        regions=oracle.letter(letter),
    )


def graph() -> RGraph:
    encoded, _ = oracle.encoded(figure())
    return along_rgraph.graph(encoded, int(encoded.truth.max()), whole=True)


def named(of: RGraph) -> list[str]:
    """Spell the patterns: the codes of a column are in the order of its labels."""
    labels = [sorted({record[column] for record in RECORDS}) for column in range(3)]
    return [
        "".join(labels[column][code] for column, code in enumerate(node.pattern) if code >= 0)
        for node in of.nodes
    ]


def test_the_rules_by_definition() -> None:
    found = oracle.attacks(figure())

    spelled = {
        "".join(sorted(value for _, value in pattern)): counts for (pattern, _), counts in found.items()
    }
    assert spelled == {name: numbers[:2] for name, numbers in NODES.items()}
    assert len(oracle.unsafe_rules(figure())) == 9


def test_the_graph_has_eleven_nodes_with_their_two_numbers() -> None:
    encoded, _ = oracle.encoded(figure())
    found = graph()
    exact = [0] * len(found.nodes)
    for group, shown in found.shown().items():
        for node in members(found.exact(shown)):
            exact[node] += int(encoded.count[group])

    assert {
        name: (node.showing, node.matching, min_hide(node.showing, node.matching, encoded.limit, 0), matches)
        for name, node, matches in zip(named(found), found.nodes, exact, strict=True)
    } == NODES


def test_the_graph_has_sixteen_edges_each_to_a_pattern_with_one_condition_less() -> None:
    found = graph()
    names = named(found)

    found_edges = {(names[parent], names[child]) for parent, child in found.edges()}

    assert len(found_edges) == 16
    assert found_edges == {
        (one, other)
        for one in NODES
        for other in NODES
        if set(other) < set(one) and len(other) == len(one) - 1
    }


def test_nine_nodes_are_unsafe_and_three_are_active_at_the_top() -> None:
    """The pattern abd has no record that matches it exactly, so it is not active."""
    encoded, _ = oracle.encoded(figure())
    found = graph()
    search = along_rgraph._GraphSearch(encoded, found)

    assert search.unsafe.bit_count() == 9
    assert {named(found)[node] for node in search._top_level_active()} == {"abc", "bd", "ad"}


@pytest.mark.parametrize("whole", [True, False], ids=["all rules", "unsafe rules"])
@pytest.mark.parametrize("heuristic", get_args(along_rgraph.Heuristic))
def test_every_heuristic_hides_seven_conditions_whatever_chance_decides(
    heuristic: along_rgraph.Heuristic, whole: bool
) -> None:
    encoded, rows_of = oracle.encoded(figure())
    for seed in range(10):
        plan = along_rgraph.protect(encoded, heuristic=heuristic, seed=seed, whole=whole)

        assert plan.hidden is not None
        assert plan.entries == 7
        assert oracle.safe(figure(), oracle.entries(plan.hidden, rows_of))


def test_covering_hides_the_values_of_two_records_as_in_the_text() -> None:
    """One of t2 and t3, which are alike, and one of t7 and t8, which differ only by a star."""
    encoded, rows_of = oracle.encoded(figure("a"))

    plan = best_of_all.protect(encoded, method="cover")

    assert plan.hidden is not None
    first, second = sorted(oracle.entries(plan.hidden, rows_of))
    assert first == (1, 3)
    assert second in {(6, 3), (7, 3)}


@pytest.mark.parametrize(("letter", "fewest"), FEWEST.items())
def test_the_fewest_entries_in_each_subcase(letter: str, fewest: int) -> None:
    pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")
    table = figure(letter)
    encoded, rows_of = oracle.encoded(table)

    solved = solve.solve(encoded, seconds=60)
    plan = best_of_all.protect(encoded)

    assert (solved.bound, solved.proved) == (fewest, True)
    assert (plan.entries, plan.lower_bound, plan.optimal) == (fewest, fewest, True)
    for hidden in (solved.hidden, plan.hidden):
        assert hidden is not None
        assert oracle.safe(table, oracle.entries(hidden, rows_of))


def test_in_subcase_a_no_single_entry_is_enough() -> None:
    assert oracle.optimum(figure("a")) == 2


def test_where_nothing_may_be_hidden_there_is_no_safe_table() -> None:
    encoded, _ = oracle.encoded(figure("h"))

    plan = best_of_all.protect(encoded)

    assert (plan.hidden, plan.impossible) == (None, True)


@pytest.mark.parametrize(("more", "less"), ["ga", "fe"])
def test_lemma_1_conditions_of_others_need_not_be_hidden_where_their_values_may(more: str, less: str) -> None:
    pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")
    rng = np.random.default_rng(11)
    fewest = []
    for _ in range(40):
        table = oracle.drawn(rng, rows=14, width=3, regions=(), marked=0)
        both = []
        for letter in (more, less):
            there = oracle.Planned(**{**vars(table), "regions": oracle.letter(letter)})
            solved = solve.solve(oracle.encoded(there)[0], seconds=60)
            assert solved.proved
            both.append(solved.bound)
        fewest.append(tuple(both))

    assert all(one == other for one, other in fewest)
    assert sum(one > 0 for one, _ in fewest) > 10


def test_lemma_1_fails_where_a_value_must_be_published() -> None:
    """Two records show the secret's value and must go on showing it; their conditions may be hidden."""
    for letter, fewest in (("a", None), ("g", 2)):
        table = oracle.Planned(
            records=(("x", "s"), ("x", "s"), ("x", "s")),
            secrets=frozenset({0}),
            limit=Fraction("0.4"),
            regions=oracle.letter(letter),
            marks=frozenset({(1, 1), (2, 1)}),
        )
        plan = best_of_all.protect(oracle.encoded(table)[0])

        assert oracle.optimum(table) == fewest
        assert plan.impossible == (fewest is None)
        assert plan.entries == (fewest or 0)


def asked(attribute: str = "0.55") -> tuple[ga.Release, ga.KnowsAttributes, ga.Tolerance]:
    """Put the question of the figure with public names."""
    rows = [dict(zip("ABCS", record, strict=True)) for record in RECORDS]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="S"), secrets=[1, 5])
    somebody = ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False)
    return release, somebody, ga.Tolerance(attribute=attribute)


def spelled(rule: Mapping[str, Any]) -> str:
    return "".join(rule["condition"].values())


def test_the_public_graph_has_the_nodes_and_edges_of_the_figure() -> None:
    found = ga.rule_graph(*asked())

    assert {
        spelled(rule): (
            rule["support"],
            rule["records"],
            rule["records_to_hide"],
            rule["exact_matches"],
        )
        for rule in found.rules
    } == NODES
    names = [spelled(rule) for rule in found.rules]
    assert len(found.edges) == 16
    assert all(
        set(names[child]) < set(names[parent]) and len(names[child]) == len(names[parent]) - 1
        for parent, child in found.edges
    )


def test_beta_is_one_for_every_unsafe_rule_but_that_from_b() -> None:
    unsafe = [rule for rule in ga.rule_graph(*asked()).rules if rule["unsafe"]]

    assert {spelled(rule): rule["values_to_hide"] for rule in unsafe} == {
        name: 2 if name == "b" else 1 for name in NODES if name not in {"abd", "ad"}
    }
    assert len(ga.rule_graph(*asked(), only_unsafe=True).rules) == 9


def test_a_graph_of_too_many_rules_is_refused() -> None:
    assert len(ga.rule_graph(*asked(), at_most=11).rules) == 11
    with pytest.raises(ga.BudgetExceeded):
        ga.rule_graph(*asked(), at_most=10)


def test_the_graph_is_about_the_attacker_of_the_paper() -> None:
    release, _, tolerance = asked()
    with pytest.raises(ga.ScenarioError, match="does not know how"):
        ga.rule_graph(release, ga.KnowsAttributes(columns=["A"]), tolerance)
