from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import Case, any_cases, array, far_from_even, possible_cases
from tests.oracles import cracks as oracle
from tests.sizes import sized

from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.attacks.frequencies.exact_chances import general as chances
from giveaway.attacks.frequencies.known_pairs.counts import most_frequent
from giveaway.attacks.frequencies.known_pairs.knowledge import identify_and_filter, refine
from giveaway.attacks.frequencies.sampling import chains
from giveaway.attacks.frequencies.sampling.chains import loop_chain, summary

some_candidates = st.integers(1, 6).flatmap(
    lambda items: st.lists(st.sets(st.integers(0, items - 1)), min_size=items, max_size=items)
)
possible_candidates = st.one_of(
    some_candidates.map(lambda given: [some | {i} for i, some in enumerate(given)]),
    some_candidates.filter(lambda given: next(oracle.mappings(given), None) is not None),
)


def graph_of(candidates: oracle.Candidates) -> general.CrackGraph:
    edges = [(item, renamed) for item, some in enumerate(candidates) for renamed in some]
    return general.from_edges(len(candidates), array(edges).reshape(-1, 2))


def candidates_of(graph: general.CrackGraph) -> list[set[int]]:
    edges = set(zip(graph.row.tolist(), graph.column.tolist(), strict=True))
    columns = graph.column_of.tolist()
    return [
        {renamed for renamed, column in enumerate(columns) if (row, column) in edges}
        for row in graph.row_of.tolist()
    ]


def left(graph: general.CrackGraph) -> general.CrackGraph:
    found = chances.usable(graph)
    assert isinstance(found, general.CrackGraph)
    return found


@given(candidates=some_candidates)
def test_a_graph_holds_exactly_its_edges(candidates: list[set[int]]) -> None:
    graph = graph_of(candidates)

    assert candidates_of(graph) == candidates
    assert graph.degrees.tolist() == list(map(len, candidates))
    assert graph.compliant.tolist() == [i in some for i, some in enumerate(candidates)]
    assert len(graph.many_rows) == len({frozenset(some) for some in candidates})


@given(case=any_cases)
def test_windows_are_a_graph(case: Case) -> None:
    assert candidates_of(general.from_windows(case.windows)) == case.candidates


@given(candidates=some_candidates, data=st.data())
def test_restricted_items_keep_only_the_candidates_named(
    candidates: list[set[int]], data: st.DataObject
) -> None:
    everything = st.sets(st.sampled_from(range(len(candidates))))
    expected, graph = candidates, graph_of(candidates)
    for _ in range(2):
        items, renamed = data.draw(everything), data.draw(everything)
        graph = general.restricted(graph, array(sorted(items)), array(sorted(renamed)))
        expected = [some & renamed if i in items else some for i, some in enumerate(expected)]

    assert candidates_of(graph) == expected


@settings(max_examples=150)
@given(candidates=possible_candidates)
def test_what_is_left_is_what_some_mapping_uses(candidates: list[set[int]]) -> None:
    graph = graph_of(candidates)

    assert candidates_of(left(graph)) == oracle.used(candidates)
    assert candidates_of(general.propagated(graph)) == oracle.propagated(candidates)


@given(candidates=some_candidates)
def test_without_a_mapping_items_are_named_that_have_too_few_candidates(candidates: list[set[int]]) -> None:
    found = chances.usable(graph_of(candidates))
    possible = next(oracle.mappings(candidates), None) is not None

    assert isinstance(found, chances.Shortage) != possible
    if isinstance(found, chances.Shortage):
        union = set().union(*(candidates[i] for i in found.items.tolist()))
        assert union <= set(found.renamed.tolist())
        assert len(found.renamed) < len(found.items)


@sized(100)
@given(candidates=possible_candidates, budget=st.sampled_from([300_000, 0]))
def test_chances_are_those_of_brute_force(candidates: list[set[int]], budget: int) -> None:
    expected = oracle.crack_chances(candidates)
    for graph in (graph_of(candidates), left(graph_of(candidates))):
        found = chances.chances(graph, budget=budget)

        assert found.of_items == expected
        assert not found.estimated.any()


@given(case=possible_cases)
def test_windows_as_a_graph_have_the_same_chances(case: Case) -> None:
    assert chances.chances(general.from_windows(case.usable)).of_items == oracle.crack_chances(
        case.candidates
    )


def test_large_components_are_estimated_and_say_so() -> None:
    random = np.random.default_rng(1)
    block = (random.random((30, 30)) < 0.3) | np.eye(30, dtype=np.bool_)
    edges = np.concatenate([np.argwhere(block), [[30, 30], [31, 31], [30, 31], [31, 30]]])
    found = chances.chances(left(general.from_edges(32, edges)))
    simulated = summary(loop_chain(left(general.from_edges(32, edges)), draws=20_000, seed=1))

    assert found.estimated.tolist() == [True] * 30 + [False] * 2
    assert found.of_items[30:] == [0.5, 0.5]
    assert simulated is not None
    assert sum(map(float, found.of_items)) == pytest.approx(simulated.mean, abs=3 * simulated.margin + 0.05)


CYCLE = [{0, 1}, {1, 2}, {2, 0}]
WRONG = [{1, 2}, {0, 2, 3}, {0, 1}, {3, 1, 2}, {4, 5}, {3, 4}]


@pytest.mark.parametrize("candidates", [CYCLE, WRONG, [{0, 1, 3}, {1, 2, 0}, {2, 3}, {3, 0}, {4}]])
def test_loops_draw_all_mappings_equally_often(candidates: list[set[int]]) -> None:
    rows = np.concatenate(list(loop_chain(graph_of(candidates), draws=20_000, seed=3)))

    assert far_from_even(rows, list(oracle.mappings(candidates))) < 3


def test_loops_that_are_too_long_are_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    candidates = [{0, 1, 3}, {1, 2, 0}, {2, 3, 1}, {3, 0}]
    monkeypatch.setattr(chains, "_LONGEST_LOOP", 1)
    rows = np.concatenate(list(loop_chain(graph_of(candidates), draws=20_000, seed=3)))

    assert far_from_even(rows, list(oracle.mappings(candidates))) < 3


@given(candidates=some_candidates, data=st.data())
def test_known_pairs_leave_the_members_of_candidate_pairs(
    candidates: list[set[int]], data: st.DataObject
) -> None:
    if len(candidates) < 2:
        return
    pairs = list(combinations(range(len(candidates)), 2))
    known, others = (data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True)) for _ in range(2))
    graph = graph_of(candidates)
    one_by_one = graph
    for pair in known:
        one_by_one = identify_and_filter(one_by_one, array([pair]), array(others))
    members, allowed = set(sum(known, ())), set(sum(others, ()))
    expected = [some & allowed if i in members else some for i, some in enumerate(candidates)]

    assert candidates_of(one_by_one) == expected
    assert candidates_of(identify_and_filter(graph, array(known), array(others))) == expected


def test_the_most_frequent_pairs_come_first_and_ties_by_their_numbers() -> None:
    pairs, counts = array([[2, 1], [0, 3], [0, 1], [2, 3]]), array([5, 9, 5, 5])

    assert most_frequent(pairs, counts, 3).tolist() == [[0, 3], [0, 1], [1, 2]]


def test_beliefs_of_pairs_are_refined_unless_they_contradict() -> None:
    beliefs = Beliefs(counts=array([3, 3, 4, 9]), low=array([2, 4, 5, 16]), high=array([7, 12, 9, 18]))
    found = refine(beliefs, array([[0, 1], [1, 2], [2, 3]]))

    assert found.low.tolist() == [5, 5, 5, 16]
    assert found.high.tolist() == [7, 7, 7, 18]
    assert beliefs.windows.compliant.all()
    assert found.windows.compliant.tolist() == [True, True, False, True]
