from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import attributes as oracle
from tests.sizes import sized

from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.errors import ScenarioError
from giveaway.papers.attributes import along_rgraph
from giveaway.papers.attributes.rgraph import members, min_hide

EVERY_HEURISTIC = pytest.mark.parametrize("heuristic", get_args(along_rgraph.Heuristic))
EVERY_GRAPH = pytest.mark.parametrize("whole", [True, False], ids=["all rules", "unsafe rules"])
in_conditions = st.sampled_from("bdfg").map(oracle.letter)


def drawn(seed: int, letter: str = "b", *, rows: int = 20, marked: float = 0.0) -> oracle.Planned:
    rng = np.random.default_rng(seed)
    return oracle.drawn(rng, rows=rows, width=4, regions=oracle.letter(letter), marked=marked)


@sized()
@given(
    showing=st.integers(1, 30),
    others=st.integers(0, 30),
    limit=fractions(0, 1, max_denominator=20),
    least=st.integers(0, 5),
)
def test_the_closed_form_of_min_hide_is_the_first_number_of_records_that_makes_a_rule_safe(
    showing: int, others: int, limit: Fraction, least: int
) -> None:
    """A secret has the pattern too, so that there is always one record more than show the rule."""
    matching = showing + others + 1

    fewest = next(
        hidden
        for hidden in range(showing + 1)
        if not oracle.is_unsafe(showing - hidden, matching - hidden, limit, least)
    )

    assert min_hide(showing, matching, limit, least) == fewest


@sized()
@given(table=oracle.tables(rows=6, width=3, regions=in_conditions))
def test_the_whole_graph_has_every_pattern_of_the_secrets_and_every_step_between_them(
    table: oracle.Planned,
) -> None:
    encoded, _ = oracle.encoded(table)
    for value in set(encoded.truth.tolist()) - {-1}:
        label = sorted({record[-1] for record in table.records if record[-1] is not None})[value]
        found = {rule: counts for rule, counts in oracle.attacks(table).items() if rule[1] == label}
        patterns = [pattern for pattern, _ in found]

        graph = along_rgraph.graph(encoded, value, whole=True)

        assert sorted((node.showing, node.matching) for node in graph.nodes) == sorted(found.values())
        steps = [
            (one, other) for one in patterns for other in patterns if len(one - other) == 1 and other < one
        ]
        assert len(list(graph.edges())) == len(steps)
        assert sum(nodes.bit_count() for nodes in graph.descendants) == sum(
            other <= one for one in patterns for other in patterns
        )


@EVERY_GRAPH
def test_a_record_matches_exactly_the_longest_patterns_that_it_shows(whole: bool) -> None:
    encoded, _ = oracle.encoded(drawn(3))
    graph = along_rgraph.graph(encoded, int(encoded.truth.max()), whole=whole)
    shown = graph.shown()
    assert shown

    for nodes in shown.values():
        masks = {node: graph.nodes[node].mask for node in members(nodes)}
        longest = [
            node
            for node, mask in masks.items()
            if not any(mask & ~other == 0 and mask != other for other in masks.values())
        ]
        assert list(members(graph.exact(nodes))) == longest


@EVERY_HEURISTIC
@sized(60)
@given(
    table=oracle.tables(rows=7, width=3, regions=in_conditions), whole=st.booleans(), seed=st.integers(0, 3)
)
def test_what_is_hidden_makes_the_table_safe_and_is_allowed(
    heuristic: along_rgraph.Heuristic, table: oracle.Planned, whole: bool, seed: int
) -> None:
    encoded, rows_of = oracle.encoded(table)
    try:
        plan = along_rgraph.protect(encoded, heuristic=heuristic, seed=seed, whole=whole)
    except ScenarioError:
        assert not any(
            table.records[row][-1]
            for row, column in table.allowed()
            if column < table.width and row not in table.secrets
        )
        return
    if plan.hidden is None:
        assert not oracle.safe(table)
        return

    hidden = oracle.entries(plan.hidden, rows_of)
    assert oracle.safe(table, hidden)
    assert set(hidden) <= set(table.allowed())
    assert len(set(hidden)) == plan.entries >= plan.lower_bound
    assert all(column < table.width and row not in table.secrets for row, column in hidden)
    assert bool(hidden) == bool(plan.rounds) == (not oracle.safe(table))


def in_full(table: PartialTable, heuristic: along_rgraph.Heuristic, seed: int) -> list[tuple[int, ...]]:
    hidden = along_rgraph.protect(table, heuristic=heuristic, seed=seed).hidden
    assert hidden is not None
    return list(zip(hidden.group.tolist(), hidden.mask.tolist(), hidden.times.tolist(), strict=True))


@EVERY_HEURISTIC
def test_runs_repeat_with_the_same_seed(heuristic: along_rgraph.Heuristic) -> None:
    encoded, _ = oracle.encoded(drawn(3, rows=60))

    assert in_full(encoded, heuristic, 5) == in_full(encoded, heuristic, 5) != []


def test_only_the_random_choices_depend_on_the_seed() -> None:
    encoded, _ = oracle.encoded(drawn(3, rows=60))

    different = {
        heuristic: any(
            one != other for one, other in pairwise(in_full(encoded, heuristic, seed) for seed in range(20))
        )
        for heuristic in get_args(along_rgraph.Heuristic)
    }

    assert different == {"max descendant": False, "random max": True, "random": True}


def test_the_size_decides_whether_safe_rules_are_in_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded, _ = oracle.encoded(drawn(3))
    value = int(encoded.truth.max())
    every, unsafe = (len(along_rgraph.graph(encoded, value, whole=whole).nodes) for whole in (True, False))
    assert every > unsafe > 0

    assert len(along_rgraph.graph(encoded, value).nodes) == every
    monkeypatch.setattr(along_rgraph, "WHOLE", 0)
    assert len(along_rgraph.graph(encoded, value).nodes) == unsafe


def test_records_that_must_be_published_are_left_alone_and_others_below_them_are_found() -> None:
    """The record that matches most exactly may lose nothing, one that matches a part may."""
    table = oracle.Planned(
        records=(("a", "b", "s"), ("a", "b", "s"), ("a", "c", "s")),
        secrets=frozenset({0}),
        limit=Fraction(3, 5),
        regions=oracle.letter("b"),
        marks=frozenset({(1, 0), (1, 1)}),
    )
    encoded, rows_of = oracle.encoded(table)

    plan = along_rgraph.protect(encoded, heuristic="max descendant", seed=0)

    assert plan.hidden is not None
    assert oracle.entries(plan.hidden, rows_of) == [(2, 0)]
    assert oracle.safe(table, [(2, 0)])


def test_a_rule_that_nothing_can_end_is_impossible() -> None:
    table = replace(
        drawn(3),
        limit=Fraction(0),
        marks=frozenset((row, column) for row in range(19) for column in range(4)),
    )
    encoded, _ = oracle.encoded(table)

    plan = along_rgraph.protect(encoded, heuristic="random", seed=0)

    assert (plan.hidden, plan.impossible) == (None, True)


@pytest.mark.parametrize("letter", "aceh")
def test_where_conditions_of_others_must_stay_the_r_graph_does_not_apply(letter: str) -> None:
    encoded, _ = oracle.encoded(drawn(3, letter))

    with pytest.raises(ScenarioError, match='method = "cover"'):
        along_rgraph.protect(encoded, heuristic="random", seed=0)


def test_a_safe_table_is_left_as_it_is() -> None:
    encoded, _ = oracle.encoded(replace(drawn(3, "a"), limit=Fraction(1)))

    plan = along_rgraph.protect(encoded, heuristic="random", seed=0)

    assert (plan.entries, plan.rounds, plan.optimal) == (0, 0, True)


@sized(60)
@given(
    table=oracle.tables(rows=6, width=2, regions=st.just(oracle.letter("b"))),
    prices=st.tuples(*[st.sampled_from([1, 2, 3, 7])] * 3),
    heuristic=st.sampled_from(get_args(along_rgraph.Heuristic)),
)
def test_along_the_r_graph_the_table_becomes_safe_whatever_entries_cost(
    table: oracle.Planned, prices: tuple[int, ...], heuristic: along_rgraph.Heuristic
) -> None:
    table = replace(table, prices=prices)
    encoded, rows_of = oracle.encoded(table)
    if (encoded.may[encoded.value >= 0] & 3).any():
        plan = along_rgraph.protect(encoded, heuristic=heuristic, seed=0)
        if plan.hidden is not None:
            entries = oracle.entries(plan.hidden, rows_of)
            assert oracle.safe(table, entries)
            assert plan.lower_bound <= plan.cost == oracle.cost(table, entries)
