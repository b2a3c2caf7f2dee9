"""The checker's own count of mappings, against lists of all of them."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import sized

from giveaway.checker.attacks.frequencies import itemsets, mappings
from giveaway.checker.attacks.frequencies.chances import Between, Kind, MappingGraph
from giveaway.checker.attacks.frequencies.mappings import ItemCode, Window

GROUPS = 4

some_items = st.lists(
    st.tuples(*(st.integers(0, most) for most in (GROUPS - 1, 2, 2, 3, 3))),
    min_size=1,
    max_size=6,
)
"""Items by their group, how far below and above it they may be, what they are bound to, and the marks of their code."""

windows_anywhere = st.tuples(st.integers(0, GROUPS - 1), st.integers(0, GROUPS - 1))


def candidates(kinds: Sequence[Kind]) -> list[set[int]]:
    """Return the codes that may be each item."""
    return [
        {
            place
            for place, (_, code) in enumerate(kinds)
            if window.first <= code.group <= window.last and bits(window.bound) <= bits(code.marked)
        }
        for window, _ in kinds
    ]


def bits(number: int) -> set[int]:
    return {place for place in range(4) if number >> place & 1}


def around(items: Sequence[tuple[int, ...]], *, pairs: bool) -> list[Kind]:
    return [
        (
            Window(max(group - below, 0), min(group + above, GROUPS - 1), bound=bound if pairs else 0),
            ItemCode(group, marked=marked if pairs else 0),
        )
        for group, below, above, bound, marked in items
    ]


def soft_chance(some: Sequence[set[int]], members: Sequence[int]) -> Fraction:
    """Return the chance of a set when every mapping is possible, and unlikely for each item outside its candidates."""
    items = range(len(some))
    outside, hit, total = Fraction(1, 10 * len(some)), Fraction(0), Fraction(0)
    for one in oracle.mappings([set(items)] * len(some)):
        weight = outside ** sum(one[item] not in some[item] for item in items)
        total += weight
        hit += weight * ({one[item] for item in members} == set(members))
    return hit / total


def exactly(some: Sequence[set[int]], members: Sequence[int]) -> Fraction:
    possible = next(oracle.mappings(some), None) is not None
    return oracle.set_chance(some, members) if possible else soft_chance(some, members)


@sized(1000)
@given(items=some_items, pairs=st.booleans(), size=st.integers(1, 3))
def test_chances_are_those_of_all_mappings_with_and_without_bound_items(
    items: list[tuple[int, ...]], pairs: bool, size: int
) -> None:
    kinds = around(items, pairs=pairs)
    some, graph = candidates(kinds), MappingGraph(Counter(kinds), GROUPS)

    assert graph.possible == (next(oracle.mappings(some), None) is not None)
    if not graph.possible:
        return
    for members in combinations(range(len(kinds)), min(size, len(kinds))):
        chance = oracle.set_chance(some, members)
        assert graph.chance([kinds[item] for item in members]) == Between(chance, chance)


@sized(300)
@given(
    items=st.lists(st.tuples(st.integers(0, GROUPS - 1), windows_anywhere), min_size=1, max_size=5),
    size=st.integers(1, 2),
)
def test_wrong_beliefs_are_counted_when_a_mapping_exists_and_weighed_when_none_does(
    items: list[tuple[int, tuple[int, int]]], size: int
) -> None:
    kinds = [(Window(*ends), ItemCode(group)) for group, ends in items]
    some, graph = candidates(kinds), MappingGraph(Counter(kinds), GROUPS)

    for members in combinations(range(len(kinds)), min(size, len(kinds))):
        chance = exactly(some, members)
        assert graph.chance([kinds[item] for item in members]) == Between(chance, chance)


@settings(max_examples=200)
@given(items=some_items, pairs=st.booleans(), size=st.integers(1, 3))
def test_what_cannot_be_counted_is_bounded(items: list[tuple[int, ...]], pairs: bool, size: int) -> None:
    kinds = around(items, pairs=pairs)
    some = candidates(kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mappings, "WORK", 0)
        graph = MappingGraph(Counter(kinds), GROUPS)
        for members in combinations(range(len(kinds)), min(size, len(kinds))):
            found = graph.chance([kinds[item] for item in members])
            assert found.low == 0
            if next(oracle.mappings(some), None) is not None:
                assert oracle.set_chance(some, members) <= found.high <= 1


def test_bounds_count_what_looks_alike_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mappings, "WORK", 0)
    same_codes = [
        (Window(0, 1), ItemCode(0)),
        (Window(0, 2), ItemCode(0)),
        (Window(0, 2), ItemCode(1)),
        (Window(1, 2), ItemCode(2)),
    ]
    graph = MappingGraph(Counter(same_codes), 3)

    assert graph.chance(same_codes[:1]) == Between(Fraction(0), Fraction(1, 2))
    assert graph.chance(same_codes[2:3]) == Between(Fraction(0), Fraction(1, 2))
    assert graph.chance(same_codes[3:]) == Between(Fraction(0), Fraction(1))


@sized(300)
@given(
    items=some_items,
    pairs=st.booleans(),
    size=st.integers(1, 4),
    limit=fractions("1/9", 1, max_denominator=9),
)
def test_sets_are_counted_by_kinds_as_if_one_by_one(
    items: list[tuple[int, ...]], pairs: bool, size: int, limit: Fraction
) -> None:
    kinds = around(items, pairs=pairs)
    some, graph = candidates(kinds), MappingGraph(Counter(kinds), GROUPS)
    if size > len(kinds) or not graph.possible:
        return
    sets = list(combinations(range(len(kinds)), size))
    chances = [oracle.set_chance(some, one) for one in sets]

    for knows_method in (True, False):
        over = sum(chance > limit or (not knows_method and chance == limit) for chance in chances)
        share = Fraction(over, len(sets))
        line = itemsets.over_limit(limit, {"knows_method": knows_method})
        assert itemsets.over_in(graph, kinds, size, line) == Between(share, share)


def test_sets_of_too_many_kinds_are_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [(Window(max(g - 1, 0), min(g + 1, 7)), ItemCode(g)) for g in range(8)]
    graph = MappingGraph(Counter(kinds), 8)
    exact = itemsets.over_in(graph, kinds, 3, Fraction(1, 4).__le__)
    monkeypatch.setattr(itemsets, "MOST", 10)
    found = itemsets.over_in(graph, kinds, 3, Fraction(1, 4).__le__)

    assert 0 < exact.low < 1
    assert found.high - found.low < 0.02
    assert found.low - Fraction(1, 100) < exact.low < found.high + Fraction(1, 100)


@pytest.mark.parametrize(("hits", "draws"), [(0, 50), (3, 50), (50, 50), (900, 4000)])
def test_the_interval_of_a_share_ends_where_its_own_error_reaches_what_was_seen(
    hits: int, draws: int
) -> None:
    found = interval = itemsets.interval(hits, draws)

    assert 0 <= found.low <= Fraction(hits, draws) <= found.high <= 1
    for end in (float(interval.low), float(interval.high)):
        if 1e-12 < end < 1 - 1e-12:
            reach = 1.96 * (end * (1 - end) / draws) ** 0.5
            assert abs(hits / draws - end) == pytest.approx(reach)


@pytest.mark.parametrize(
    "kinds",
    [
        [
            (Window(0, 1, bound=1), ItemCode(0, marked=1)),
            (Window(0, 1), ItemCode(0)),
            (Window(0, 2), ItemCode(1, marked=1)),
            (Window(1, 2), ItemCode(2)),
            (Window(2, 2), ItemCode(2)),
        ],
        [
            (Window(0, 0, bound=1), ItemCode(0, marked=1)),
            (Window(0, 1, bound=2), ItemCode(0, marked=2)),
            (Window(0, 1), ItemCode(0, marked=3)),
            (Window(0, 1), ItemCode(1, marked=2)),
        ],
    ],
)
def test_drawn_mappings_are_equally_likely(kinds: list[Kind]) -> None:
    graph = MappingGraph(Counter(kinds), 3)
    items: dict[Window, list[int]] = {}
    codes: dict[ItemCode, list[int]] = {}
    for place, (window, code) in enumerate(kinds):
        items.setdefault(window, []).append(place)
        codes.setdefault(code, []).append(place)
    random, seen = Random(7), Counter[tuple[int, ...]]()  # noqa: S311 # draws that repeat
    for _ in range(4000):
        one = graph.draw(random, items, codes)
        assert one is not None
        seen[tuple(one[item] for item in range(len(kinds)))] += 1
    everything = list(oracle.mappings(candidates(kinds)))

    assert set(seen) == set(everything)
    for number in seen.values():
        assert number == pytest.approx(4000 / len(everything), rel=0.35)


def estimated(kinds: Sequence[Kind]) -> tuple[Fraction, Fraction]:
    """Return the total of chances, counted, and as it is bounded where nothing can be counted."""
    groups = len({code.group for _, code in kinds})
    exact = MappingGraph(Counter(kinds), groups)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mappings, "WORK", 0)
        most = MappingGraph(Counter(kinds), groups).estimated_total
    assert most is not None
    return sum((exact.chance([kind]).low for kind in kinds), Fraction(0)), most


@sized(300)
@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=14),
    st.booleans(),
)
def test_an_estimated_total_is_not_below_the_true_one(items: list[tuple[int, int, int]], alike: bool) -> None:
    taken = sorted({group for group, _, _ in items})
    kinds = [
        (
            Window(
                max(taken.index(g) - below, 0),
                min(taken.index(g) + (below if alike else above), len(taken) - 1),
            ),
            ItemCode(taken.index(g)),
        )
        for g, below, above in items
    ]
    exact, most = estimated(kinds)

    assert exact <= most * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("width", [1, 2, 3])
def test_an_estimated_total_is_near_the_true_one(width: int) -> None:
    """A band of single codes is what scaling estimates worst."""
    kinds = [(Window(max(g - width, 0), min(g + width, 11)), ItemCode(g)) for g in range(12)]
    exact, most = estimated(kinds)

    assert exact < most < exact * (1 + Fraction(1, 2 * width + 1))
