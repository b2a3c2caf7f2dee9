"""Known pairs against brute force over all mappings."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import chances_of, measured, papers_attacker
from tests.drawing import fractions
from tests.oracles import cracks as oracle

import giveaway as ga
from giveaway.attacks.frequencies.known_pairs.counts import pair_counts

AVERAGE = ga.Tolerance(average="1/10")
ITEMS = 6

baskets_of_items = st.lists(st.sets(st.integers(0, ITEMS - 1)), min_size=3, max_size=10).filter(
    lambda rows: len(set().union(*rows)) >= 2
)


def transactions(rows: list[set[int]]) -> ga.Transactions:
    return ga.Transactions.from_lists([[f"i{item}" for item in sorted(row)] for row in rows])


def counted(rows: list[set[int]]) -> tuple[list[int], dict[int, int], Counter[tuple[int, int]]]:
    """Return the items that occur, their counts, and those of their pairs."""
    counts = Counter(item for row in rows for item in row)
    together = Counter(pair for row in rows for pair in combinations(sorted(row), 2))
    return sorted(counts), counts, together


def around(rows: list[set[int]], width: Fraction) -> list[set[int]]:
    items, counts, _ = counted(rows)
    return [
        {j for j, other in enumerate(items) if abs(counts[other] - counts[item]) <= width} for item in items
    ]


def top(rows: list[set[int]], number: int) -> list[tuple[int, int]]:
    _, _, together = counted(rows)
    return sorted(together, key=lambda pair: (-together[pair], pair))[:number]


@given(rows=baskets_of_items)
def test_pairs_are_counted_with_the_weights_of_rows(rows: list[set[int]]) -> None:
    data = transactions([*rows, *rows[:2]])
    _, _, together = counted([*rows, *rows[:2]])
    found = pair_counts(data)

    labels = [(data.labels[one], data.labels[other]) for one, other in found.pairs.tolist()]
    assert dict(zip(labels, found.counts.tolist(), strict=True)) == {
        (f"i{one}", f"i{other}"): number for (one, other), number in together.items()
    }


@settings(max_examples=60)
@given(rows=baskets_of_items, number=st.integers(1, 4), more=st.integers(0, 2))
def test_the_items_of_known_pairs_have_no_candidates_but_those_of_frequent_pairs(
    rows: list[set[int]], number: int, more: int
) -> None:
    items, _, together = counted(rows)
    assume(together)
    known = {item for pair in top(rows, number) for item in pair}
    allowed = {items.index(item) for pair in top(rows, number + more) for item in pair}
    width = Fraction(1, 4) * len(rows)
    some = [
        few & allowed if item in known else few for item, few in zip(items, around(rows, width), strict=True)
    ]
    attacker = papers_attacker(
        belief=ga.Belief.around("1/4"), known_pairs=ga.KnownPairs(top=number, candidates=number + more)
    )
    risk = measured(transactions(rows), attacker, AVERAGE)

    assert list(chances_of(risk).values()) == sorted(oracle.crack_chances(some), reverse=True)
    assert risk.figures["adjusted_o_estimate_plain"] == oracle.o_estimate(some)
    assert risk.figures["adjusted_o_estimate"] == oracle.o_estimate(oracle.propagated(some))
    assert risk.figures["o_estimate_plain"] == oracle.o_estimate(around(rows, width))
    assert risk.figures["compliance"] == 1


@settings(max_examples=60)
@given(
    rows=baskets_of_items,
    data=st.data(),
    size=st.integers(1, 3),
    knows_method=st.booleans(),
    own=st.booleans(),
)
def test_known_pairs_with_candidates_filter_items_and_sets(
    rows: list[set[int]], data: st.DataObject, size: int, knows_method: bool, own: bool
) -> None:
    items, _, together = counted(rows)
    assume(together and size <= len(items))
    pair = st.sampled_from(list(combinations(items, 2)))
    known = data.draw(st.lists(pair, min_size=1, max_size=2, unique=True))
    least = None if own else data.draw(st.none() | fractions("1/10", 1, max_denominator=10))
    among = data.draw(st.lists(pair, min_size=1, max_size=3))
    second = data.draw(st.lists(pair, min_size=1, max_size=3)) if own else among
    if least is not None:
        among = [one for one, times in together.items() if times >= least * len(rows)]
    some = around(rows, Fraction(1, 4) * len(rows))
    for one, codes in zip(known, (among, second), strict=False):
        for item in one:
            some[items.index(item)] &= {items.index(code) for pair in codes for code in pair}
    assume(next(oracle.mappings(some), None) is not None)
    candidates = {"candidates_at_least": least} if least else {"candidate_pairs": map(names, among)}
    stated = (
        ga.KnownPairs(
            candidate_pairs={
                names(one): [*map(names, codes)] for one, codes in zip(known, (among, second), strict=False)
            }
        )
        if own
        else ga.KnownPairs(pairs=map(names, known), **candidates)
    )
    sets = list(combinations(range(len(items)), size))
    attacker = ga.KnowsFrequencies(
        belief=ga.Belief.around("1/4"),
        known_pairs=stated,
        targets=[tuple(f"i{items[place]}" for place in one) for one in sets],
        knows_method=knows_method,
    )
    risk = measured(transactions(rows), attacker, ga.Tolerance(identity="1/2", share="1/10"))
    chance = oracle.likeliest_set_chance if knows_method else oracle.set_chance

    assert sorted(chances_of(risk).values()) == sorted(chance(some, one) for one in sets)
    assert risk.figures["os_mean"] == pytest.approx(
        float(sum(oracle.os_estimate(some, one) for one in sets) / len(sets))
    )
    assert risk.figures["os2_mean"] == pytest.approx(
        float(sum(oracle.os2_estimate(some, one) for one in sets) / len(sets))
    )
    single = papers_attacker(belief=ga.Belief.around("1/4"), known_pairs=stated)
    alone = measured(transactions(rows), single, AVERAGE)
    assert list(chances_of(alone).values()) == sorted(oracle.crack_chances(some), reverse=True)


def names(pair: tuple[int, int]) -> tuple[str, str]:
    return f"i{pair[0]}", f"i{pair[1]}"


@settings(max_examples=60)
@given(rows=baskets_of_items, least=fractions("1/3", 1, max_denominator=6))
def test_items_that_imply_each_other_are_believed_alike_until_nothing_changes(
    rows: list[set[int]], least: Fraction
) -> None:
    items, counts, together = counted(rows)
    implying = [
        pair for pair, number in sorted(together.items()) if all(number >= least * counts[x] for x in pair)
    ]
    width = Fraction(1, 5) * len(rows)
    ranges = {item: (counts[item] - width, counts[item] + width) for item in items}
    changed = True
    while changed:
        changed = False
        for one, other in implying:
            low, high = max(ranges[one][0], ranges[other][0]), min(ranges[one][1], ranges[other][1])
            if low <= high and {ranges[one], ranges[other]} != {(low, high)}:
                ranges[one] = ranges[other] = low, high
                changed = True
    some = [
        {j for j, other in enumerate(items) if ranges[item][0] <= counts[other] <= ranges[item][1]}
        for item in items
    ]
    known = ga.KnownPairs(use="refine", at_least=least)
    attacker = papers_attacker(belief=ga.Belief.around("1/5"), known_pairs=known)
    risk = measured(transactions(rows), attacker, AVERAGE)

    assert risk.figures["adjusted_o_estimate_plain"] == oracle.o_estimate(some)
    if next(oracle.mappings(some), None) is not None:
        assert list(chances_of(risk).values()) == sorted(oracle.crack_chances(some), reverse=True)
    else:
        assert "soft" in risk.how.detail


def apart(rows: list[set[int]], some: list[set[int]], never: list[tuple[int, int]]) -> list[Fraction]:
    """Return the chances over the mappings that put no pair together which is known to be apart."""
    items, _, together = counted(rows)
    found = {frozenset((items.index(a), items.index(b))) for a, b in together}
    pairs = [(items.index(a), items.index(b)) for a, b in never]
    left = [
        one
        for one in oracle.mappings(some)
        if not any(frozenset((one[a], one[b])) in found for a, b in pairs)
    ]
    return [Fraction(sum(one[i] == i for one in left), len(left)) for i in range(len(items))]


@pytest.mark.parametrize("known", [{}, {"pairs": [("i0", "i1")], "candidates": 2}])
def test_pairs_that_are_never_together_rule_mappings_out(known: dict[str, object]) -> None:
    rows = [{0, 1}, {0, 1}, {0, 1, 2}, {2, 3}, {2, 3}, {3, 4}, {4}, {4, 5}, {5, 0}, {5}]
    items, _, _ = counted(rows)
    some = around(rows, Fraction(1))
    if known:
        allowed = {items.index(item) for pair in top(rows, 2) for item in pair}
        some = [few & allowed if item in (0, 1) else few for item, few in enumerate(some)]
    never = [(0, 3), (1, 4)]
    attacker = papers_attacker(
        belief=ga.Belief.around("1/10"),
        known_pairs=ga.KnownPairs(**known, never=[(f"i{a}", f"i{b}") for a, b in never]),
    )
    risk = measured(transactions(rows), attacker, AVERAGE)
    exact = apart(rows, some, never)

    assert risk.how.method == "simulated"
    assert "ours" in risk.how.detail
    assert risk.how.margin is not None
    for label, chance in chances_of(risk).items():
        assert float(chance) == pytest.approx(float(exact[int(label[1:])]), abs=0.06)
    assert risk.figures["expected_cracks"] == pytest.approx(float(sum(exact)), abs=0.15)


def test_pairs_that_contradict_are_left_out_and_leave_no_verdict_of_safety() -> None:
    rows = [{0, 1, 2}, {0, 1}, {0, 1}, {2, 3}, {3}, {4, 5}, {4}, {5}, {5}]
    attacker = papers_attacker(
        belief=ga.Belief.exact(), known_pairs=ga.KnownPairs(pairs=[("i4", "i5")], candidates=1)
    )
    found = ga.assess(ga.Release(transactions(rows)), attacker, ga.Tolerance(average="999/1000"))

    assert found.safe is None
    assert "the known pairs" in " ".join(found.findings[0].reasons)
    assert found.findings[0].risk.figures["adjusted_o_estimate"] is None


def test_a_pair_said_never_to_be_together_that_is_gets_named() -> None:
    rows = [{0, 1}, {0}, {1}, {2}, {3}, {2}, {3}]
    attacker = papers_attacker(known_pairs=ga.KnownPairs(never=[("i0", "i1")]))
    found = ga.assess(ga.Release(transactions(rows)), attacker, AVERAGE)

    assert "1 pair said never to occur together occurs together." in found.findings[0].reasons


@pytest.mark.parametrize("targets", ["items", "pairs"])
def test_pairs_apart_that_no_mapping_agrees_with_leave_no_verdict_of_safety(targets: str) -> None:
    """What is believed is taken as soft then, without the pairs, and the risk may be larger."""
    rows = [{0, 1}, {0}, {1}, {2}, {3}, {2}, {3}]
    attacker = papers_attacker(
        belief=ga.Belief.intervals({"i0": (0, 0)}),
        known_pairs=ga.KnownPairs(never=[("i0", "i2")]),
        targets=targets,
    )
    tolerance = ga.Tolerance(identity=1, share="9/10")
    found = ga.assess(ga.Release(transactions(rows)), attacker, tolerance)

    assert found.safe is None
    assert "left out" in " ".join(found.findings[0].reasons)


@pytest.mark.papers
@settings(max_examples=60)
@example(rows=[{0, 1}, {2, 3}, {4}])
@example(rows=[{0, 1, 2}, {0, 1, 2}, {3}, {4}])
@given(rows=baskets_of_items)
def test_who_knows_every_pair_is_held_between_what_nothing_tells_apart_and_what_may_change_places(
    rows: list[set[int]],
) -> None:
    from giveaway.papers.frequencies.explore.every_pair import every_pair

    items, counts, together = counted(rows)
    occurs = {
        (one, other): together[min(one, other), max(one, other)] for one, other in permutations(items, 2)
    }
    agree = [
        dict(zip(items, mapped, strict=True))
        for mapped in permutations(items)
        if all(counts[one] == counts[code] for one, code in zip(items, mapped, strict=True))
        and all(
            occurs[items[a], items[b]] == occurs[mapped[a], mapped[b]]
            for a, b in combinations(range(len(items)), 2)
        )
    ]
    chance = {item: Fraction(sum(one[item] == item for one in agree), len(agree)) for item in items}
    places = [{one for one in items if mapping[one] != one} for mapping in agree]
    found = every_pair(ga.Release(transactions(rows)), papers_attacker())

    for group in found:
        assert all(group.least <= chance[int(str(item)[1:])] <= group.most for item in group.items)
    assert {pair for pair in combinations(items, 2) if set(pair) in places} == {
        tuple(int(str(item)[1:]) for item in pair)
        for group in found
        for pair in combinations(sorted(group.items), 2)
    }


@pytest.mark.papers
def test_who_knows_every_pair_is_told_exactly_where_both_bounds_meet() -> None:
    from giveaway.papers.frequencies.explore.every_pair import every_pair

    # Two couples may change places, which no single change of two items shows; the trio and the lone item are exact.
    rows = [{0, 1}, {0, 1}, {2, 3}, {2, 3}, {4, 5, 6}, {4, 5, 6}, {7}, {7}]
    told = every_pair(ga.Release(transactions(rows)), papers_attacker())
    assert [(len(one.items), str(one.least), str(one.most)) for one in told] == [
        (2, "1/4", "1/2"),
        (2, "1/4", "1/2"),
        (3, "1/3", "1/3"),
        (1, "1", "1"),
    ]
