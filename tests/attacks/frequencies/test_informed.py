"""Somebody who knows how giveaway chooses: the likeliest code of every item counts, true or not."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    TOTAL,
    baskets,
    beliefs,
    candidates,
    chances_of,
    counts_of_items,
    intervals,
    measured,
    papers_attacker,
    supports,
)
from tests.attacks.frequencies.crack_cases import Case, candidates_of, possible_cases
from tests.attacks.frequencies.test_general_graphs import graph_of, left, possible_candidates
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import first, long, sized

import giveaway as ga
from giveaway.attacks.frequencies.chances import SINGLE_MARGIN
from giveaway.attacks.frequencies.crack_chances import SOFTNESS, cracked
from giveaway.attacks.frequencies.exact_chances import general, items
from giveaway.attacks.frequencies.exact_chances.itemsets import SetChances
from giveaway.model.data.supports import Supports

AVERAGE = ga.Tolerance(average="1/100")
LIMIT = Fraction(2, 3)


# Chances -----------------------------------------------------------------------------------------------------------


@given(case=possible_cases, fractions=st.sampled_from([items.FRACTIONS, 0]))
def test_the_likeliest_code_is_the_one_that_most_mappings_have(case: Case, fractions: int) -> None:
    found = items.chances(case.usable, fractions=fractions, likeliest=True)

    assert found is not None
    truth = oracle.likeliest_chances(case.candidates)
    of = case.usable.classes.of.tolist()
    assert [found.chances[kind] for kind in of] == pytest.approx([float(chance) for chance in truth])
    if fractions:
        assert [found.fractions[kind] for kind in of] == truth


@given(given=possible_candidates)
def test_the_likeliest_code_of_a_general_graph(given: list[set[int]]) -> None:
    found = general.chances(left(graph_of(given)), likeliest=True)

    assert found.likeliest == oracle.likeliest_chances(given)


@settings(max_examples=60)
@given(case=possible_cases, data=st.data())
def test_the_likeliest_codes_of_a_set(case: Case, data: st.DataObject) -> None:
    members = data.draw(st.sets(st.integers(0, len(case.counts) - 1), min_size=1, max_size=3))
    kind = [int(case.usable.classes.of[item]) for item in members]

    assert SetChances(case.usable).likeliest(kind) == oracle.likeliest_set_chance(
        candidates_of(case.usable), members
    )
    as_float = SetChances(case.usable, fractions=0).likeliest(kind)
    assert float(as_float or 0) == pytest.approx(float(oracle.likeliest_set_chance(case.candidates, members)))


@settings(max_examples=60)
@given(counts=counts_of_items, data=st.data())
def test_items_that_are_believed_wrongly_count_like_the_others(
    counts: list[int], data: st.DataObject
) -> None:
    ranges = data.draw(beliefs(counts, right=False))
    some = candidates(counts, ranges)
    assume(ranges and next(oracle.mappings(some), None) is not None)
    risk = measured(supports(counts), ga.KnowsFrequencies(belief=intervals(ranges)), AVERAGE)
    truth = oracle.likeliest_chances(some)

    assert chances_of(risk) == {f"i{item}": chance for item, chance in enumerate(truth)}
    assert risk.average == sum(truth) / len(truth)
    assert risk.figures["compliance"] == Fraction(
        sum(item in codes for item, codes in enumerate(some)), len(some)
    )


def test_a_contradictory_belief_is_drawn_softly() -> None:
    counts = [1, 2, 3, 4]
    once = (Fraction(1, TOTAL), Fraction(1, TOTAL))
    ranges = {0: once, 1: once, 2: (Fraction(3, TOTAL), Fraction(4, TOTAL))}
    risk = measured(supports(counts), ga.KnowsFrequencies(belief=intervals(ranges)), AVERAGE)
    truth = oracle.soft_likeliest_chances(candidates(counts, ranges), Fraction(SOFTNESS) / len(counts))

    assert risk.how.method == "simulated"
    for item, chance in enumerate(truth):
        assert float(chances_of(risk)[f"i{item}"]) == pytest.approx(float(chance), abs=0.03)


def test_pairs_known_to_be_apart_rule_codes_out_for_guesses_too() -> None:
    never = [("a", "c"), ("b", "c"), ("c", "d")]
    data = ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["c"], ["c"], ["d"], ["d"]])
    attacker = ga.KnowsFrequencies(belief=ga.Belief.exact(), known_pairs=ga.KnownPairs(never=never))
    mapped = [dict(zip("abcd", one, strict=True)) for one in permutations("abcd")]
    everything = [one for one in mapped if not any({one[x], one[y]} == {"a", "b"} for x, y in never)]
    risk = measured(data, attacker, AVERAGE)

    assert risk.how.method == "simulated"
    for item in "abcd":
        most = max(Counter(one[item] for one in everything).values())
        assert float(chances_of(risk)[item]) == pytest.approx(most / len(everything), abs=0.03)


@sized(40)
@given(counts=counts_of_items, data=st.data())
def test_pairs_of_items_are_judged_by_their_likeliest_codes(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=False))
    some = candidates(counts, ranges)
    assume(ranges and len(counts) > 1 and next(oracle.mappings(some), None) is not None)
    attacker = ga.KnowsFrequencies(belief=intervals(ranges), targets="pairs")
    risk = measured(baskets(counts), attacker, ga.Tolerance(identity="1/2", share="1/10"))
    truth = {
        (f"i{one}", f"i{other}"): oracle.likeliest_set_chance(some, (one, other))
        for one, other in combinations(range(len(counts)), 2)
    }

    assert chances_of(risk) == truth
    assert risk.share == Fraction(sum(chance > Fraction(1, 2) for chance in truth.values()), len(truth))


def test_sets_that_cannot_be_counted_are_not_judged() -> None:
    once = (Fraction(1, TOTAL), Fraction(1, TOTAL))
    attacker = ga.KnowsFrequencies(belief=intervals({0: once, 1: once}), targets="pairs")
    tolerance = ga.Tolerance(identity="1/2", share="1/10")
    found = ga.assess(ga.Release(baskets([1, 2, 3])), attacker, tolerance)

    assert found.verdict == "cannot judge"
    assert any("knows_method = false" in reason for reason in found.findings[0].reasons)


def test_sets_chosen_by_true_counts_are_not_judged() -> None:
    attacker = ga.KnowsFrequencies(targets=ga.Itemsets(size=2, without_top="1/3"))
    found = ga.assess(ga.Release(baskets([1, 2, 3])), attacker, ga.Tolerance(identity="1/2"))

    assert found.verdict == "cannot judge"


# Compliance and margins --------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    counts=counts_of_items,
    share=fractions("1/9", 1, max_denominator=9),
    order=st.sampled_from(["random", "best", "frequency", "worst"]),
)
def test_the_most_exposed_items_are_taken_to_be_the_ones_believed_rightly(
    counts: list[int], share: Fraction, order: Any
) -> None:
    # Nobody has exactly this chance, so that it does not matter whether it may be reached.
    tolerance = ga.Tolerance(average="1/3", identity="49/100")
    worst = papers_attacker(belief=ga.Belief.exact(), compliance=share, order="worst")
    informed = ga.KnowsFrequencies(belief=ga.Belief.exact(), compliance=share, order=order)
    # With exact beliefs all codes that an item may have are equally likely.
    first, second = (measured(supports(counts), attacker, tolerance) for attacker in (worst, informed))

    assert (second.average, second.share) == (first.average, first.share)
    assert second.holds_up_to == first.holds_up_to


@sized(100)
@given(case=possible_cases)
def test_estimates_stay_within_their_margins(case: Case) -> None:
    effort = ga.Effort()
    exact = cracked(case.beliefs, effort, likeliest=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("giveaway.attacks.frequencies.exact_chances.items.BUDGET", 0)
        estimate = cracked(case.beliefs, effort, likeliest=True)
    everything = range(len(case.counts))
    whole = case.windows.own * 0 + list(everything)

    assert hasattr(exact, "floats")
    assert hasattr(estimate, "floats")
    for item in everything:
        assert float(exact.of(item)) <= SINGLE_MARGIN * float(estimate.of(item)) + 1e-6
    total = float(estimate.total(whole)) + estimate.margin(whole)
    assert float(exact.total(whole)) <= total + 1e-6


# What the verdict and the choice tell ------------------------------------------------------------------------------


def shuffled(counts: Sequence[int], ranges: Any) -> Iterator[tuple[int, ...]]:
    """Give all ways to give the items these counts that agree with what is believed."""
    for one in sorted(set(permutations(counts))):
        if all(low <= Fraction(one[item], TOTAL) <= high for item, (low, high) in ranges.items()):
            yield one


@settings(max_examples=40)
@given(counts=st.lists(st.integers(1, 4), min_size=2, max_size=5), data=st.data())
def test_the_numbers_do_not_depend_on_which_code_is_whose(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=True))
    assume(ranges)
    attacker, tolerance = (
        ga.KnowsFrequencies(belief=intervals(ranges)),
        ga.Tolerance(identity="2/3", average="1/2"),
    )
    risks = [measured(supports(one), attacker, tolerance) for one in shuffled(counts, ranges)]

    assert len({(risk.share, risk.average) for risk in risks}) == 1
    assert all(chances_of(risk) == chances_of(risks[0]) for risk in risks)


def graphs(items: int, most: int) -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, ...]]]]:
    """Give the ranges of some items over up to so many groups of codes, and every mapping of items to groups."""
    for groups in range(1, most + 1):
        ranges = [(first, last) for first in range(groups) for last in range(first, groups)]
        for sizes in product(range(1, items + 1), repeat=groups):
            if sum(sizes) != items:
                continue
            codes = [group for group, size in enumerate(sizes) for _ in range(size)]
            for believed in combinations_with_replacement(ranges, items):
                both = [
                    one
                    for one in sorted(set(permutations(codes)))
                    if all(low <= group <= high for group, (low, high) in zip(one, believed, strict=True))
                ]
                if both:
                    yield list(believed), both


def releases(
    tolerance: ga.Tolerance, *, knows_method: bool
) -> Iterator[tuple[tuple[int, ...], list[list[Fraction]]]]:
    """Give every safe release of four items, as the items left and, for each, the chances of the codes it may have.

    They are those of somebody who runs giveaway on every mapping. He knows all counts, so that of withheld items he sees
    more than is published.
    """
    for believed, mappings in graphs(4, 3):
        belief = ga.Belief.intervals(
            {
                f"i{item}": (Fraction(low + 1, TOTAL), Fraction(high + 1, TOTAL))
                for item, (low, high) in enumerate(believed)
            }
        )
        attacker = ga.KnowsFrequencies(belief=belief, knows_method=knows_method)
        alike = defaultdict(list)
        for one in mappings:
            data = Supports.from_counts(
                {f"i{item}": group + 1 for item, group in enumerate(one)}, transactions=TOTAL
            )
            try:
                safe = ga.protect(ga.Release(data), attacker, tolerance)
            except ga.NoSafeRelease:
                continue
            left = tuple(item for item in range(4) if f"i{item}" not in safe.withheld.items)
            alike[left, tuple(sorted(one[item] for item in left))].append(one)
        for (left, codes), some in alike.items():
            yield (
                left,
                [
                    [
                        Fraction(times, len(some) * codes.count(group))
                        for group, times in Counter(one[item] for one in some).items()
                    ]
                    for item in left
                ],
            )


def informed_chances(*, knows_method: bool) -> list[tuple[Fraction, bool]]:
    """Return the chance of every item and code, and whether anything is withheld."""
    return [
        (chance, len(left) < 4)
        for left, items_left in releases(ga.Tolerance(identity=LIMIT), knows_method=knows_method)
        for chances in items_left
        for chance in chances
    ]


@long
def test_running_giveaway_on_every_mapping_tells_the_codes_that_were_judged_as_true() -> None:
    found = informed_chances(knows_method=False)

    assert len(found) == 1_010
    assert sum(chance >= LIMIT for chance, _ in found) == 9
    assert sum(chance >= LIMIT and withheld for chance, withheld in found) == 1
    assert max(found)[0] == 1


def test_running_giveaway_on_every_mapping_tells_nothing_once_the_likeliest_codes_are_judged() -> None:
    found = informed_chances(knows_method=True)

    assert len(found) == 1_004
    assert max(found)[0] <= LIMIT
    assert any(chance == LIMIT for chance, _ in found), "at the limit is within it"


@pytest.mark.parametrize(("knows_method", "over", "number"), first(0, [(False, 17, 81), (True, 0, 72)]))
def test_an_average_is_kept_by_somebody_who_guesses_the_likeliest_codes(
    knows_method: bool, over: int, number: int
) -> None:
    limit = Fraction(2, 5)
    averages = [
        sum(max(chances) for chances in items_left) / len(left)
        for left, items_left in releases(ga.Tolerance(average=limit), knows_method=knows_method)
    ]

    assert (sum(average > limit for average in averages), len(averages)) == (over, number)


@settings(max_examples=60)
@given(counts=counts_of_items, data=st.data(), limit=fractions("1/4", 1, max_denominator=6))
def test_a_safe_release_is_within_the_limits_whichever_code_is_guessed(
    counts: list[int], data: st.DataObject, limit: Fraction
) -> None:
    ranges = data.draw(beliefs(counts, right=data.draw(st.booleans())))
    some = candidates(counts, ranges)
    assume(ranges and limit < 1 and next(oracle.mappings(some), None) is not None)
    attacker = ga.KnowsFrequencies(belief=intervals(ranges))
    try:
        safe = ga.protect(ga.Release(supports(counts)), attacker, ga.Tolerance(identity=limit))
    except ga.NoSafeRelease:
        return
    left = [item for item in range(len(counts)) if f"i{item}" not in safe.withheld.items]
    kept = [{left.index(code) for code in some[item] if code in left} for item in left]

    if next(oracle.mappings(kept), None) is not None:
        assert safe.verdict == "safe"
        assert all(chance <= limit for chance in oracle.likeliest_chances(kept))


def test_what_is_not_judged_is_said_whether_or_not_anything_is_withheld() -> None:
    data, tolerance = supports([3, 3, 3, 9]), ga.Tolerance(identity="1/2")
    told = [
        [entry["says"] for entry in found.to_dict()["not_judged"]]
        for found in (
            ga.assess(ga.Release(data), ga.KnowsFrequencies(belief=ga.Belief.exact()), tolerance),
            ga.protect(ga.Release(data), ga.KnowsFrequencies(belief=ga.Belief.exact()), tolerance),
        )
    ]

    assert told[0] == told[1]
    assert "what a removed code tells" in told[0]
