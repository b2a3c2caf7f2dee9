"""The worked examples of Lakshmanan, Ng and Ramesh, as an owner would ask them."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from tests.attacks.frequencies.cases import papers_attacker
from tests.oracles import cracks as oracle

import giveaway as ga
from giveaway.attacks.frequencies.exact_chances.closed_forms import exact_expected
from giveaway.model.answer.risk import Risk

BIG_MART = ["123", "1234", "46", "3456", "56", "6", "12", "134", "135", "246"]
"""Figure 1."""

H = {"1": (0, 1), "2": (0.4, 0.5), "3": (0.5, 0.5), "4": (0.4, 0.6), "5": (0.1, 0.4), "6": (0.5, 0.5)}
K = {"1": (0.1, 0.4), "2": (0.5, 0.5), "3": (0.1, 0.3), "4": (0.4, 0.6), "5": (0.1, 0.4), "6": (0.5, 0.5)}
"""Figure 2."""


def shop(rows: list[str] = BIG_MART) -> ga.Release:
    return ga.Release(ga.Transactions.from_lists([list(row) for row in rows]))


def measured(attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance, rows: list[str] = BIG_MART) -> Risk:
    risk = ga.assess(shop(rows), attacker, tolerance).findings[0].risk
    assert risk is not None
    return risk


def items(belief: ga.Belief, **more: Any) -> Risk:
    return measured(papers_attacker(belief=belief, **more), ga.Tolerance(average="1/10"))


def one_set(belief: ga.Belief, *members: str) -> Any:
    attacker = papers_attacker(belief=belief, targets=[members])
    return measured(attacker, ga.Tolerance(identity="1/2")).exposures[0].chance


def test_figure_2_f_knows_every_frequency() -> None:
    risk = items(ga.Belief.exact())

    assert risk.figures["groups"] == 3
    assert risk.figures["expected_cracks"] == risk.figures["point_valued_cracks"] == 3
    chances = {exposure.target: exposure.chance for exposure in risk.exposures}
    assert chances == {"2": 1, "5": 1, **dict.fromkeys("1346", Fraction(1, 4))}
    assert one_set(ga.Belief.exact(), "2", "3", "4") == Fraction(1, 6)


def test_figure_2_g_knows_nothing() -> None:
    risk = items(ga.Belief.ignorant())

    assert risk.figures["expected_cracks"] == 1
    assert risk.average == Fraction(1, 6)
    assert one_set(ga.Belief.ignorant(), "1", "2") == Fraction(48, 720)


def test_figure_2_h_knows_ranges() -> None:
    risk = items(ga.Belief.intervals(H))

    assert risk.figures["compliance"] == 1
    assert risk.figures["o_estimate_plain"] == Fraction(1, 6) + 2 * Fraction(1, 5) + 2 * Fraction(
        1, 4
    ) + Fraction(1, 2)
    by_figure_3 = [{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 6}, {1, 3, 4, 6}, {1, 2, 3, 4, 6}, {2, 5}, {1, 3, 4, 6}]
    some = [{code - 1 for code in few} for few in by_figure_3]
    assert risk.how.method == "exact"
    assert risk.figures["expected_cracks"] == sum(oracle.crack_chances(some)) == Fraction(29, 16)


def test_figure_2_k_is_half_right_and_no_mapping_agrees_with_it() -> None:
    risk = items(ga.Belief.intervals(K))

    assert risk.figures["compliance"] == Fraction(1, 2)
    assert risk.reasons[0] == (
        "No one-to-one mapping agrees with what is believed: 1, 3 and 5 compete for 2 codes."
    )
    assert risk.figures["o_estimate"] is None
    assert "soft" in risk.how.detail
    assert risk.how.margin is not None


def test_figure_6_a_everything_is_forced() -> None:
    rows = ["4", "34", "234", "1234"]
    ranges = {"1": (0.25, 0.25), "2": (0.25, 0.5), "3": (0.25, 0.75), "4": (0.25, 1)}
    attacker = papers_attacker(belief=ga.Belief.intervals(ranges))
    risk = measured(attacker, ga.Tolerance(average="1/10"), rows)

    assert risk.figures["o_estimate_plain"] == Fraction(25, 12)
    assert risk.figures["o_estimate"] == risk.figures["expected_cracks"] == 4
    assert risk.exposures[3].because.endswith("they must have other codes: recognised for certain.")


def test_figure_6_b_a_candidate_that_no_mapping_uses() -> None:
    rows = ["4", "34", "234", "1234"]
    ranges = {"1": (0.25, 0.5), "2": (0.25, 0.5), "3": (0.5, 1), "4": (0.75, 1)}
    belief = ga.Belief.intervals(ranges)
    pairs = measured(papers_attacker(belief=belief, targets="pairs"), ga.Tolerance(identity="1/2"), rows)
    chances = {exposure.target: exposure.chance for exposure in pairs.exposures}

    assert chances["1", "2"] == 1
    assert chances["1", "3"] == chances["2", "3"] == Fraction(1, 4)
    risk = measured(papers_attacker(belief=belief), ga.Tolerance(average="1/10"), rows)
    assert risk.figures["expected_cracks"] == 2
    assert risk.figures["o_estimate_plain"] == Fraction(1, 2) * 3 + Fraction(1, 3)


def test_lemma_3_5_four_groups_of_25_and_sets_of_three() -> None:
    rows = [
        [f"{group}-{item}" for group in range(4) for item in range(25) if place >= group]
        for place in range(4)
    ]
    release = ga.Release(ga.Transactions.from_lists(rows))
    some = [[f"0-{item}" for item in range(3)]]
    attacker = papers_attacker(belief=ga.Belief.exact(), targets=some)
    risk = ga.assess(release, attacker, ga.Tolerance(identity="1/2")).findings[0].risk

    assert risk is not None
    assert risk.exposures[0].chance == Fraction(1, 2300)
    assert exact_expected([25] * 4, 3) == 20


def test_section_7_1_a_pair_that_is_known_to_occur_together() -> None:
    together = ["12", "12", "12", "34", "3", "4", "5", "5", "56", "6"]
    plain = measured(papers_attacker(belief=ga.Belief.around("1/10")), ga.Tolerance(average="1/10"), together)
    known = papers_attacker(belief=ga.Belief.around("1/10"), known_pairs=ga.KnownPairs(pairs=[("1", "2")]))
    risk = measured(known, ga.Tolerance(average="1/10"), together)

    chances = {exposure.target: exposure.chance for exposure in risk.exposures}
    assert chances["1"] == chances["2"] == Fraction(1, 2)
    assert risk.figures["adjusted_o_estimate_plain"] > risk.figures["o_estimate_plain"]
    assert risk.figures["expected_cracks"] > plain.figures["expected_cracks"]
    assert risk.figures["o_estimate_plain"] == plain.figures["o_estimate_plain"]


def test_section_7_1_the_pair_1_and_2_is_identified() -> None:
    identified = ga.KnownPairs(pairs=[("1", "2")], candidate_pairs=[("1", "2")])

    assert items(ga.Belief.exact(), known_pairs=identified).figures["expected_cracks"] == 4
    risk = items(ga.Belief.intervals(H), known_pairs=identified)
    assert items(ga.Belief.intervals(H)).figures["expected_cracks"] == Fraction(29, 16)
    assert risk.figures["expected_cracks"] == 3
    pairs = papers_attacker(belief=ga.Belief.intervals(H), known_pairs=identified, targets=[("1", "2")])
    assert measured(pairs, ga.Tolerance(identity="1/2")).exposures[0].chance == 1


@pytest.mark.papers
def test_section_8_1_john_mary_and_bob() -> None:
    people = {"John": ("Chinese", 32), "Mary": ("Greek", 33), "Bob": ("Chinese", 51), "Ann": ("Greek", 34)}
    edges = [("John", other) for other, (origin, _) in people.items() if origin == "Chinese"]
    edges += [("Mary", other) for other, (_, age) in people.items() if 30 <= age <= 35]
    edges += [(who, other) for who in ("Bob", "Ann") for other in people]
    found = ga.cracks(edges=edges)

    mappings = [
        dict(zip(people, order, strict=True))
        for order in _permutations(list(people))
        if all((person, record) in set(edges) for person, record in zip(people, order, strict=True))
    ]
    assert found.chances == {
        person: Fraction(sum(one[person] == person for one in mappings), len(mappings)) for person in people
    }


def _permutations(names: list[str]) -> list[tuple[str, ...]]:
    if len(names) < 2:
        return [tuple(names)]
    return [
        (first, *rest) for first in names for rest in _permutations([name for name in names if name != first])
    ]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_lemma_3_2_guessing_cracks_one_set_of_every_size(size: int) -> None:
    attacker = papers_attacker(belief=ga.Belief.ignorant(), targets=ga.Itemsets(size=size))
    risk = measured(attacker, ga.Tolerance(identity="1/2"))

    assert risk.figures["mean_probability"] * len(list(combinations(range(6), size))) == 1
