"""Xu, Fung, Wang, Fu, Pei, Publishing Sensitive Transactions for Itemset Utility: Figure 1 and Examples 1 to 4."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from tests.oracles import items as oracle
from tests.oracles.build import transactions

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protect import protect
from giveaway.model.answer.risk import Protection, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release, Withheld
from giveaway.papers.items import on_borders as borders
from giveaway.papers.items.on_borders import (
    Border,
    BorderEdge,
    ItemsetRows,
    MoleLimits,
    border_greedy,
    mole_border,
    nugget_border,
)

FIGURE_1 = [
    {"a", "b", "e", "f", "s1"},
    {"c", "e", "f", "g", "s2"},
    {"a", "b", "g", "s3"},
    {"a", "b", "f", "g", "s2"},
    {"a", "b", "d", "g", "s2"},
    {"e", "f", "g", "s1"},
    {"b", "e", "f", "g", "s3"},
]
PRIVATE = ["s1", "s2", "s3"]
H, K, P, MIN_SUPPORT = Fraction(1, 2), 3, 3, 4
LIMITS = MoleLimits(attribute=H, crowd=K, at_most=P)
REDUCED = oracle.without(FIGURE_1, "cd")
DATA = transactions(FIGURE_1, PRIVATE)
EVERY_SCORE = pytest.mark.parametrize("score", ["paper", "minimal"])
EVERY_ENDING = pytest.mark.parametrize("reinstate", [False, True])


def sets(words: str) -> set[frozenset[str]]:
    return {frozenset(word) for word in words.split()}


def bits(letters: str) -> int:
    return borders.itemset(DATA.code_of[letter] for letter in letters)


def edge(least: str, most: str) -> BorderEdge:
    return BorderEdge(bits(least), bits(most))


def letters(itemsets: Iterable[int]) -> set[frozenset[Any]]:
    return {frozenset(DATA.labels[item] for item in borders.members(items)) for items in itemsets}


def moles_after_observation_2() -> Border:
    return mole_border(ItemsetRows.of(DATA).without(bits("cd")), LIMITS)


def nuggets_after_observation_2() -> Border:
    return nugget_border(ItemsetRows.of(DATA).without(bits("cd")), MIN_SUPPORT)


def measured(withheld: str = "", at_most: int = P) -> Risk:
    release = Release(DATA).withholding(Withheld(items=withheld))
    tolerance = Tolerance(identity=Fraction(1, K), attribute=H)
    need = NeedsItemsets(min_support=MIN_SUPPORT)
    return measure(release, KnowsItems(at_most=at_most), tolerance, need, Effort())


def protected(**options: Any) -> Protection:
    tolerance = Tolerance(identity=Fraction(1, K), attribute=H)
    need = NeedsItemsets(min_support=MIN_SUPPORT)
    exact = options.pop("exact", False)
    return protect(
        Release(DATA),
        KnowsItems(at_most=P),
        tolerance,
        need,
        Effort(exact=exact),
        ItemsOptions(**options),
    )


def test_example_1_ae_leaves_one_transaction_and_ag_predicts_s2() -> None:
    assert oracle.support(FIGURE_1, "ae") == 1
    assert oracle.support(FIGURE_1, "ag") == 3
    assert oracle.own_breach(FIGURE_1, PRIVATE, "ag") == Fraction(2, 3)
    assert oracle.breach(FIGURE_1, PRIVATE, frozenset("ag")) == Fraction(2, 3)
    assert sets("a ab bg") <= set(oracle.nuggets(FIGURE_1, MIN_SUPPORT))


def test_there_are_26_moles_before_observation_2() -> None:
    assert len(oracle.moles(FIGURE_1, PRIVATE, H, K, P)) == 26
    assert set(oracle.minimal_moles(FIGURE_1, PRIVATE, H, K, P)) == sets("c d ae af ag be bfg")


def test_there_are_12_moles_and_9_nuggets_after_observation_2() -> None:
    moles = sets("ae af ag be abe abf abg aef afg bef beg bfg")

    assert set(oracle.moles(REDUCED, PRIVATE, H, K, P)) == moles
    assert set(oracle.nuggets(REDUCED, MIN_SUPPORT)) == sets("a b e f g ab bg ef fg")
    assert set(oracle.nuggets(FIGURE_1, MIN_SUPPORT)) == sets("a b e f g ab bg ef fg")


def test_figure_3_the_border_of_moles() -> None:
    border = moles_after_observation_2()

    assert letters(border.upper) == sets("ae af ag be bfg")
    assert letters(border.lower) == sets("abef abfg befg")
    assert set(border.edges()) == {
        edge("ae", "abef"),
        edge("af", "abef"),
        edge("af", "abfg"),
        edge("ag", "abfg"),
        edge("be", "abef"),
        edge("be", "befg"),
        edge("bfg", "abfg"),
        edge("bfg", "befg"),
    }


def test_the_border_of_nuggets() -> None:
    border = nuggets_after_observation_2()

    assert letters(border.upper) == sets("a b e f g")
    assert letters(border.lower) == sets("ab bg ef fg")


def test_example_2_aef_is_covered_twice_and_abef_is_too_long_to_be_a_mole() -> None:
    """The paper says ae where only aef is covered by both edges."""
    covering = [edge("ae", "abef"), edge("af", "abef")]
    edges = moles_after_observation_2().edges()

    assert set(covering) <= set(edges)
    assert [one for one in edges if borders.weigh(one, bits("aef"), 3)] == [
        one for one in edges if one in covering
    ]
    assert all(one.least & ~bits("aef") == 0 for one in covering)
    assert bits("af") & ~bits("ae")
    assert borders.count_covered(edges, bits("abef")) == 1
    assert borders.count_covered(edges, bits("abef"), 3) == 0


@pytest.mark.parametrize("minus", [borders.difference, borders.disjoint_difference])
def test_example_3_three_moles_contain_ag(minus: borders.Difference) -> None:
    edges = moles_after_observation_2().edges()

    assert borders.count_covered(edges, bits("ag"), 3, minus=minus) == 3
    assert {mole for mole in oracle.moles(REDUCED, PRIVATE, H, K, P) if mole >= set("ag")} == sets(
        "ag afg abg"
    )


def test_example_4_the_difference_of_two_edges_overlaps_unless_made_disjoint() -> None:
    one, other = edge("ae", "adefg"), edge("ae", "ade")

    assert set(borders.difference(one, other)) == {edge("aef", "adefg"), edge("aeg", "adefg")}
    assert sum(borders.weigh(piece, 0, None) for piece in borders.difference(one, other)) == 8
    assert sum(borders.weigh(piece, 0, None) for piece in borders.disjoint_difference(one, other)) == 6


def test_the_scores_of_both_steps() -> None:
    edges = moles_after_observation_2().edges()
    nuggets = nuggets_after_observation_2().edges()
    first = [(borders.compute_delta(edges, 0, 3), borders.compute_delta(nuggets, 0, None))]
    step_1 = {v: (first[0][0][DATA.code_of[v]], first[0][1][DATA.code_of[v]]) for v in "abefg"}
    edges = borders.suppress(edges, DATA.code_of["a"])
    nuggets = borders.suppress(nuggets, DATA.code_of["a"])
    moles, kept = borders.compute_delta(edges, 0, 3), borders.compute_delta(nuggets, 0, None)
    step_2 = {v: (moles[DATA.code_of[v]], kept[DATA.code_of[v]]) for v in "befg"}

    assert step_1 == {"a": (8, 2), "b": (7, 3), "e": (6, 2), "f": (6, 3), "g": (5, 3)}
    assert step_2 == {"b": (4, 2), "e": (3, 2), "f": (2, 3), "g": (2, 3)}


@EVERY_SCORE
@EVERY_ENDING
def test_brute_force_and_borders_delete_c_and_d_and_suppress_a_then_b(score: Any, reinstate: bool) -> None:
    oracles = oracle.greedy(FIGURE_1, PRIVATE, H, K, P, MIN_SUPPORT, score=score, reinstate=reinstate)
    on_borders = border_greedy(DATA, LIMITS, MIN_SUPPORT, score=score, reinstate=reinstate)

    assert oracles == (["c", "d"], ["a", "b"])
    chosen = on_borders.infrequent, on_borders.greedy
    assert tuple([DATA.labels[item] for item in items] for items in chosen) == oracles


@EVERY_SCORE
@EVERY_ENDING
def test_protecting_withholds_c_and_d_then_a_then_b_and_keeps_5_of_9_nuggets(
    score: str, reinstate: bool
) -> None:
    answer = protected(score=score, reinstate=reinstate)

    assert answer.release.withheld.items == ("c", "d", "a", "b")
    assert answer.figures["infrequent_withheld"] == 2
    assert answer.figures["nuggets_kept"] == 5
    assert [(line.withheld, line.lost) for line in answer.ledger] == [("c", 0), ("d", 0), ("a", 2), ("b", 2)]
    kept = oracle.without(FIGURE_1, "abcd")
    assert set(oracle.nuggets(kept, MIN_SUPPORT)) == sets("e f g ef fg")
    assert oracle.coherent(kept, PRIVATE, H, K, P)


def test_the_ledger_counts_the_moles_that_the_score_charges_for() -> None:
    printed = protected(score="paper", reinstate=False).ledger
    minimal = protected(score="minimal").ledger

    assert [(line.withheld, line.removed, line.lost) for line in printed] == [
        ("c", 7, 0),
        ("d", 7, 0),
        ("a", 8, 2),
        ("b", 4, 2),
    ]
    assert [(line.withheld, line.removed) for line in minimal] == [("c", 1), ("d", 1), ("a", 3), ("b", 2)]


def test_two_items_are_the_least_to_withhold_and_no_release_keeps_more_than_5_nuggets() -> None:
    pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")

    answer = protected(exact=True)

    assert answer.figures["nuggets_kept"] == 5
    assert answer.figures["nuggets_upper_bound"] == 5
    assert answer.figures["optimal"] is True


def test_the_release_as_planned_is_measured_with_every_number() -> None:
    figures = measured().figures

    assert figures["transactions"] == 7
    assert figures["moles"] == 26
    assert figures["minimal_moles"] == 7
    assert figures["nuggets"] == 9
    assert figures["exposed_transactions"] == 6
    assert figures["smallest_support"] == 1
    assert figures["worst_breach"] == 1
    assert figures["breaking_point"] is None


def test_after_observation_2_twelve_moles_are_left_of_which_five_are_minimal() -> None:
    risk = measured("cd")

    assert risk.figures["moles"] == 12
    assert risk.figures["minimal_moles"] == 5
    assert {exposure.target for exposure in risk.exposures} == {
        ("a", "e"),
        ("a", "f"),
        ("a", "g"),
        ("b", "e"),
        ("b", "f", "g"),
    }
    assert risk.figures["breaking_point"] == 1


def test_the_protected_release_holds_no_mole() -> None:
    risk = measured("cdab")

    assert risk.figures["moles"] == 0
    assert risk.over == 0
    assert risk.share == 0
