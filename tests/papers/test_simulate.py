"""The crack space as a list, and the simulation of the paper, against all mappings."""

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    TOTAL,
    baskets,
    beliefs,
    candidates,
    counts_of_items,
    intervals,
    labels,
    papers_attacker,
)
from tests.oracles import cracks as oracle
from tests.sizes import sized

import giveaway as ga

ROWS = ["123", "1234", "46", "3456", "56", "6", "12", "134", "135", "246"]
H = {"1": (0, 1), "2": (0.4, 0.5), "3": (0.5, 0.5), "4": (0.4, 0.6), "5": (0.1, 0.4), "6": (0.5, 0.5)}
"""BigMart and the belief h, Figures 1 and 2."""


def shop() -> ga.Release:
    return ga.Release(ga.Transactions.from_lists(map(list, ROWS)))


def test_figure_3_a_lists_the_codes_that_may_stand_for_each_item() -> None:
    by_f = ga.crack_space(shop(), papers_attacker(belief=ga.Belief.exact()))
    by_h = ga.crack_space(shop(), papers_attacker(belief=ga.Belief.intervals(H)))

    assert {item: "".join(codes) for item, codes in by_f.candidates.items()} == {
        "1": "1346", "2": "2", "3": "1346", "4": "1346", "5": "5", "6": "1346"
    }  # fmt: skip
    assert {item: "".join(codes) for item, codes in by_h.candidates.items()} == {
        "1": "123456", "2": "12346", "3": "1346", "4": "12346", "5": "25", "6": "1346"
    }  # fmt: skip
    assert (by_f.edges, by_h.edges) == (18, 26)
    with pytest.raises(KeyError):
        by_h.candidates["7"]


def test_figure_3_b_puts_items_and_codes_into_groups() -> None:
    space = ga.crack_space(shop(), papers_attacker(belief=ga.Belief.intervals(H)))

    assert [(group.frequency, "".join(group.codes)) for group in space.groups] == [
        (Fraction(3, 10), "5"), (Fraction(2, 5), "2"), (Fraction(1, 2), "1346")
    ]  # fmt: skip
    assert {("".join(row.items), row.groups) for row in space.rows} == {
        ("1", (0, 1, 2)), ("24", (1, 2)), ("36", (2,)), ("5", (0, 1))
    }  # fmt: skip


def test_the_crack_space_is_filtered_by_known_pairs() -> None:
    identified = ga.KnownPairs(pairs=[("1", "2")], candidate_pairs=[("1", "2")])
    space = ga.crack_space(shop(), papers_attacker(belief=ga.Belief.intervals(H), known_pairs=identified))

    assert space.candidates["1"] == space.candidates["2"] == ("1", "2")
    assert space.candidates["3"] == ("1", "3", "4", "6")


@sized(60)
@given(counts=counts_of_items, data=st.data())
def test_the_crack_space_holds_the_codes_in_each_range(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=False)) or {0: (Fraction(0), Fraction(1))}
    space = ga.crack_space(ga.Release(baskets(counts)), papers_attacker(belief=intervals(ranges)))
    names = labels(len(counts))

    assert dict(space.candidates) == {
        names[item]: tuple(names[code] for code in sorted(some))
        for item, some in enumerate(candidates(counts, ranges))
    }
    assert [group.frequency for group in space.groups] == [Fraction(n, TOTAL) for n in sorted({*counts})]


@pytest.mark.parametrize("chain", ["local", "paper"])
def test_mappings_crack_as_many_items_as_are_expected(chain: Any) -> None:
    attacker = papers_attacker(belief=ga.Belief.intervals(H))
    found = ga.simulate(shop(), attacker, draws=4_000 if chain == "local" else 100, chain=chain)
    exact = ga.assess(shop(), attacker, ga.Tolerance(average="1/3")).findings[0].risk

    assert exact is not None
    assert found.mean == pytest.approx(29 / 16, abs=2 * (found.high - found.low))
    assert len(found.cracks) == (4_000 if chain == "local" else 100)
    assert found.mean == pytest.approx(sum(found.cracks) / len(found.cracks))
    near = 0.05 if chain == "local" else 0.25
    for exposure in exact.exposures:
        assert found.chances[exposure.target] == pytest.approx(float(exposure.chance), abs=near)
    assert found.more_than("1/3") == sum(number > 2 for number in found.cracks) / len(found.cracks)


def test_count_match_counts_the_mappings_that_crack_each_set() -> None:
    attacker = papers_attacker(belief=ga.Belief.intervals(H), targets=ga.Itemsets(size=3))
    found = ga.simulate(shop(), attacker, draws=4_000)
    some = [{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 5}, {0, 2, 3, 5}, {0, 1, 2, 3, 5}, {1, 4}, {0, 2, 3, 5}]

    assert len(found.chances) == comb(6, 3)
    for one in combinations(range(6), 3):
        target = tuple(str(item + 1) for item in one)
        assert found.chances[target] == pytest.approx(float(oracle.set_chance(some, one)), abs=0.05)


@pytest.mark.parametrize(
    "known",
    [
        ga.KnownPairs(pairs=[("1", "2")], candidate_pairs=[("1", "2")]),
        ga.KnownPairs(never=[("1", "6")]),
        ga.KnownPairs(pairs=[("1", "2")], candidate_pairs=[("1", "3"), ("2", "5")], never=[("1", "6")]),
    ],
)
def test_known_pairs_rule_mappings_out(known: ga.KnownPairs) -> None:
    attacker = papers_attacker(belief=ga.Belief.intervals(H), known_pairs=known)
    exact = ga.assess(shop(), attacker, ga.Tolerance(average="1/3")).findings[0].risk

    assert exact is not None
    assert ga.simulate(shop(), attacker).mean == pytest.approx(float(exact.average) * 6, abs=0.2)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"attacker": papers_attacker(compliance=0.5)}, "compliance is below 1"),
        ({"draws": 0}, "whole number from 1"),
        ({"chain": "quick"}, "unknown"),
    ],
)
def test_what_cannot_be_simulated_is_refused(known: dict[str, Any], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.simulate(shop(), **{"attacker": papers_attacker(), **known})
