"""Sets of items against brute force over all mappings."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    baskets,
    beliefs,
    candidates,
    chances_of,
    counts_of_items,
    intervals,
    measured,
    papers_attacker,
)
from tests.drawing import fractions
from tests.oracles import cracks as oracle

import giveaway as ga

HALF = ga.Tolerance(identity="1/2", share="1/10")


def named(members: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"i{item}" for item in members)


@settings(max_examples=60)
@given(counts=counts_of_items, data=st.data(), size=st.integers(1, 4))
def test_sets_are_cracked_as_often_as_mappings_put_them_onto_themselves(
    counts: list[int], data: st.DataObject, size: int
) -> None:
    ranges = data.draw(beliefs(counts, right=True))
    assume(ranges and size <= len(counts))
    some = candidates(counts, ranges)
    targets = "pairs" if size == 2 else ga.Itemsets(size=size)
    risk = measured(baskets(counts), papers_attacker(belief=intervals(ranges), targets=targets), HALF)
    sets = list(combinations(range(len(counts)), size))
    exact = {one: oracle.set_chance(some, one) for one in sets}
    by_os = [oracle.os_estimate(some, one) for one in sets]

    assert chances_of(risk) == {named(one): chance for one, chance in exact.items()}
    over = sum(chance >= Fraction(1, 2) for chance in exact.values())
    assert risk.share == risk.figures["vulnerable_share"] == Fraction(over, len(sets))
    assert risk.figures["mean_probability"] == sum(exact.values()) / len(sets)
    assert risk.figures["os_mean"] == pytest.approx(float(sum(by_os) / len(sets)))
    assert risk.figures["os2_mean"] == pytest.approx(
        float(sum(oracle.os2_estimate(some, one) for one in sets) / len(sets))
    )
    assert risk.figures["os_vulnerable_share"] == Fraction(sum(x >= Fraction(1, 2) for x in by_os), len(sets))
    exactly = [oracle.set_chance(oracle_groups(counts), one) for one in sets]
    assert risk.figures["point_valued_cracks"] == sum(exactly)
    falling = [exposure.chance for exposure in risk.exposures]
    assert falling == sorted(falling, reverse=True)


def oracle_groups(counts: list[int]) -> list[set[int]]:
    return [{j for j, other in enumerate(counts) if other == count} for count in counts]


@settings(max_examples=40)
@given(counts=counts_of_items, data=st.data(), share=fractions(0, "9/10", max_denominator=10))
def test_listed_sets_of_any_size_and_how_many_items_may_be_believed_correctly(
    counts: list[int], data: st.DataObject, share: Fraction
) -> None:
    items = len(counts)
    everything = [one for size in (1, 2, 3) for one in combinations(range(items), size)]
    chosen = data.draw(st.lists(st.sampled_from(everything), min_size=1, max_size=6, unique=True))
    tolerance = ga.Tolerance(identity="1/3", share=share)
    attacker = papers_attacker(belief=ga.Belief.exact(), targets=[named(one) for one in chosen])
    risk = measured(baskets(counts), attacker, tolerance)
    vulnerable = [one for one in chosen if oracle.set_chance(oracle_groups(counts), one) >= Fraction(1, 3)]

    def at(right: int) -> Fraction:
        return sum(
            (Fraction(comb(right, len(one)), comb(items, len(one))) for one in vulnerable), Fraction(0)
        ) / len(chosen)

    assert chances_of(risk).keys() == {named(one) for one in chosen}
    assert risk.share == at(items)
    holds = max(right for right in range(items + 1) if at(right) <= share)
    assert risk.figures["breaking_point_exact_risk"] == Fraction(holds, items)
    worst = risk.figures["breaking_point_worst"] * items
    for right in combinations(range(items), int(worst)):
        inside = sum(set(one) <= set(right) for one in vulnerable)
        assert Fraction(inside, len(chosen)) <= share
    half = papers_attacker(belief=ga.Belief.exact(), compliance="1/2", targets=[named(one) for one in chosen])
    assert measured(baskets(counts), half, tolerance).share == at(-(-items // 2))


@settings(max_examples=40)
@given(counts=counts_of_items, data=st.data(), compliance=fractions("1/10", 1, max_denominator=10))
def test_mean_chances_are_those_over_all_choices_of_the_items_believed_correctly(
    counts: list[int], data: st.DataObject, compliance: Fraction
) -> None:
    items = len(counts)
    everything = [one for size in (1, 2, 3) for one in combinations(range(items), size)]
    chosen = data.draw(st.lists(st.sampled_from(everything), min_size=1, max_size=6, unique=True))
    wanted = [named(one) for one in chosen]
    attacker = papers_attacker(belief=ga.Belief.exact(), compliance=compliance, targets=wanted)
    risk = measured(baskets(counts), attacker, HALF)
    groups = oracle_groups(counts)
    choices = [set(right) for right in combinations(range(items), ceil(compliance * items))]

    def over_choices(chance: Callable[[Sequence[set[int]], tuple[int, ...]], Fraction]) -> Fraction:
        each = [chance(groups, one) for right in choices for one in chosen if set(one) <= right]
        return sum(each, Fraction(0)) / (len(choices) * len(chosen))

    assert risk.figures["mean_probability"] == over_choices(oracle.set_chance)
    assert risk.figures["os_mean"] == pytest.approx(float(over_choices(oracle.os_estimate)))
    assert risk.figures["os2_mean"] == pytest.approx(float(over_choices(oracle.os2_estimate)))
    curves = {curve.name: dict(zip(curve.x, curve.y, strict=True)) for curve in risk.curves}
    assert curves["mean_chance"][float(compliance)] == pytest.approx(float(risk.figures["mean_probability"]))
    assert curves["os"][float(compliance)] == pytest.approx(risk.figures["os_mean"])


@settings(max_examples=60)
@given(
    counts=counts_of_items,
    size=st.integers(1, 3),
    interest=st.sets(st.integers(0, 6)),
    asked=st.sets(st.integers(0, 6)),
)
def test_sets_of_items_of_interest_with_at_least_one_of_some_items(
    counts: list[int], size: int, interest: set[int], asked: set[int]
) -> None:
    items = range(len(counts))
    kept, wanted = sorted(interest & {*items}), sorted(asked & {*items})
    sets = [one for one in combinations(kept or items, size) if not wanted or {*one} & {*wanted}]
    assume(sets and (not kept or any(counts[item] for item in kept)))
    plain = size == 2 and not wanted
    attacker = papers_attacker(
        belief=ga.Belief.exact(),
        targets="pairs" if plain else ga.Itemsets(size=size, with_any=named(tuple(wanted))),
        of_interest=named(tuple(kept)),
    )
    risk = measured(baskets(counts), attacker, HALF)
    exact = {named(one): oracle.set_chance(oracle_groups(counts), one) for one in sets}

    assert chances_of(risk) == exact
    assert risk.figures["targets"] == len(sets)
    assert risk.figures["point_valued_cracks"] == sum(exact.values())


def test_a_sample_of_sets_with_one_of_some_items_holds_no_other() -> None:
    data = baskets([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    attacker = papers_attacker(targets=ga.Itemsets(size=3, with_any=["i3"], sample=20))
    risk = measured(data, attacker, HALF)

    assert risk.figures["targets"] == len({exposure.target for exposure in risk.exposures}) == 20
    assert all("i3" in exposure.target for exposure in risk.exposures)
    # Whichever items are believed correctly: at worst every set of them is one of the 55 with the item.
    assert risk.figures["breaking_point_worst"] * 12 == max(n for n in range(13) if comb(n, 3) <= 55 / 10)


def test_the_most_frequent_items_are_left_out_ties_by_label() -> None:
    data = baskets([9, 3, 5, 9, 1, 2, 3, 9, 4, 4])
    targets = ga.Itemsets(size=2, without_top="1/4")
    risk = measured(data, papers_attacker(targets=targets), HALF)

    assert risk.figures["targets"] == comb(8, 2)
    assert not {"i0", "i3"} & {label for exposure in risk.exposures for label in exposure.target}
    assert "i7" in {label for exposure in risk.exposures for label in exposure.target}


def test_a_sample_of_sets_repeats_with_its_seed_and_carries_a_margin() -> None:
    data = baskets([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    attacker = papers_attacker(targets=ga.Itemsets(size=3, sample=50))
    first, again, other = (measured(data, attacker, HALF, seed=seed) for seed in (1, 1, 2))

    assert first.figures["targets"] == 50
    assert len({exposure.target for exposure in first.exposures}) == 50
    assert chances_of(first) == chances_of(again) != chances_of(other)
    assert first.how.method == "simulated"
    assert first.how.margin is not None
    assert first.how.margin > 0
    whole = measured(data, papers_attacker(targets=ga.Itemsets(size=3)), HALF)
    assert {**chances_of(whole), **chances_of(first)} == chances_of(whole)


def test_sets_of_a_contradictory_belief_are_simulated() -> None:
    data = baskets([1, 2, 9])
    belief = ga.Belief.intervals({"i0": ("1/12", "1/12"), "i1": ("1/12", "1/12")})
    risk = measured(data, papers_attacker(belief=belief, targets="pairs"), HALF)
    some = candidates([1, 2, 9], {0: (Fraction(1, 12),) * 2, 1: (Fraction(1, 12),) * 2})
    weights = {
        one: Fraction(1, 30) ** sum(one[i] not in some[i] for i in range(3))
        for one in oracle.mappings([{0, 1, 2}] * 3)
    }
    softly = sum(w for one, w in weights.items() if {one[0], one[1]} == {0, 1}) / sum(weights.values())

    assert "soft" in risk.how.detail
    assert float(chances_of(risk)["i0", "i1"]) == pytest.approx(float(softly), abs=0.05)


def test_sets_that_cost_too_much_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    from giveaway.attacks.frequencies.exact_chances import itemsets
    from giveaway.attacks.frequencies.itemsets import chances

    counts = [1, 2, 3, 4, 5, 6]
    attacker = papers_attacker(targets="pairs")
    exact = measured(baskets(counts), attacker, HALF)
    monkeypatch.setattr(chances, "SetChances", lambda windows: itemsets.SetChances(windows, budget=0))
    risk = measured(baskets(counts), attacker, HALF)

    assert (exact.how.method, risk.how.method) == ("exact", "estimate")
    assert risk.how.margin is not None
    near = chances_of(exact)
    assert all(float(near[one]) <= 2 * float(chance) + 1e-9 for one, chance in chances_of(risk).items())


@pytest.mark.parametrize(
    ("attacker", "tolerance", "said"),
    [
        (papers_attacker(targets="pairs"), ga.Tolerance(average="1/10"), "judged by identity"),
        (papers_attacker(targets="pairs", compliance="1/2", order="worst"), HALF, "is for items"),
        (papers_attacker(targets=ga.Itemsets(size=21)), HALF, "too large"),
        (papers_attacker(targets=[["i0", "i99"]]), HALF, "i99"),
    ],
)
def test_what_is_not_defined_for_sets_is_refused(
    attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance, said: str
) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.assess(ga.Release(baskets([1, 2, 3] * 8)), attacker, tolerance)


def test_too_many_sets_are_refused_with_a_hint() -> None:
    rows = [[str(item) for item in range(place, 200)] for place in range(200)]
    attacker = papers_attacker(targets=ga.Itemsets(size=4))

    with pytest.raises(ga.ScenarioError, match="sample = 10000"):
        ga.assess(ga.Release(ga.Transactions.from_lists(rows)), attacker, HALF)
