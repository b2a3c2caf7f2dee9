from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

from giveaway.errors import BudgetExceeded, NoSafeRelease
from giveaway.papers.items import on_borders as borders
from giveaway.papers.items.on_borders import (
    Border,
    BorderEdge,
    Difference,
    ItemsetRows,
    MoleLimits,
    border_greedy,
    mole_border,
    nugget_border,
)

BOTH_DIFFERENCES = pytest.mark.parametrize("minus", [borders.difference, borders.disjoint_difference])
PRIVATE = ("y", "z")
quick = settings(max_examples=150, deadline=None, derandomize=True)

edges = st.builds(
    lambda one, other: BorderEdge(one & other, one | other), st.integers(0, 63), st.integers(0, 63)
)
some_edges = st.lists(edges, max_size=6)
lengths = st.sampled_from([0, 1, 2, 3, None])
some_rows = st.lists(st.sets(st.sampled_from("abcdefyz")), min_size=1, max_size=9)


def within(edge: BorderEdge) -> set[int]:
    free = borders.members(edge.most & ~edge.least)
    return {
        edge.least | borders.itemset(chosen)
        for size in range(len(free) + 1)
        for chosen in combinations(free, size)
    }


def covered(some: Iterable[BorderEdge]) -> set[int]:
    return {items for edge in some for items in within(edge)}


def chosen_from(itemsets: Iterable[int], having: int, longest: int | None) -> list[int]:
    return [
        items
        for items in itemsets
        if having & ~items == 0 and (longest is None or items.bit_count() <= longest)
    ]


@quick
@given(edge=edges, having=st.integers(0, 63), longest=lengths)
def test_the_weight_of_an_edge_is_the_number_of_its_itemsets(
    edge: BorderEdge, having: int, longest: int | None
) -> None:
    assert borders.weigh(edge, having, longest) == len(chosen_from(within(edge), having, longest))


@quick
@given(one=edges, other=edges)
def test_intersection_is_that_of_the_itemsets(one: BorderEdge, other: BorderEdge) -> None:
    shared = borders.intersection(one, other)

    assert (covered([shared]) if shared else set()) == within(one) & within(other)


@BOTH_DIFFERENCES
@quick
@given(one=edges, other=edges)
def test_difference_is_that_of_the_itemsets(minus: Difference, one: BorderEdge, other: BorderEdge) -> None:
    assert covered(minus(one, other)) == within(one) - within(other)


@quick
@given(one=edges, other=edges)
def test_the_disjoint_difference_covers_no_itemset_twice(one: BorderEdge, other: BorderEdge) -> None:
    pieces = borders.disjoint_difference(one, other)

    assert sum(len(within(piece)) for piece in pieces) == len(covered(pieces))


def test_the_printed_difference_may_cover_an_itemset_twice() -> None:
    pieces = borders.difference(BorderEdge(0b001, 0b111), BorderEdge(0b001, 0b001))

    assert sum(len(within(piece)) for piece in pieces) == len(covered(pieces)) + 1


@BOTH_DIFFERENCES
@sized(150)
@given(some=some_edges, having=st.integers(0, 7), longest=lengths)
def test_every_covered_itemset_is_counted_once(
    minus: Difference, some: list[BorderEdge], having: int, longest: int | None
) -> None:
    wanted = chosen_from(covered(some), having, longest)

    assert borders.count_covered(some, having, longest, minus=minus) == len(wanted)
    delta = Counter(item for items in wanted for item in borders.members(items & ~having))
    assert +borders.compute_delta(some, having, longest, minus=minus) == delta


@quick
@given(some=some_edges, item=st.integers(0, 5))
def test_suppressing_an_item_takes_the_itemsets_that_contain_it(some: list[BorderEdge], item: int) -> None:
    left = covered(borders.suppress(some, item))

    assert left == {items for items in covered(some) if not items >> item & 1}


@sized(150)
@given(rows=some_rows, k=st.integers(1, 4), p=st.integers(1, 4), h=st.sampled_from(["1/3", "1/2", "1"]))
def test_the_border_of_moles_covers_exactly_the_moles_of_known_length(
    rows: list[set[str]], k: int, p: int, h: str
) -> None:
    data = transactions(rows, PRIVATE)
    border = mole_border(ItemsetRows.of(data), MoleLimits(attribute=Fraction(h), crowd=k, at_most=p))
    moles = oracle.moles(rows, PRIVATE, Fraction(h), k, p)
    assume(not oracle.empty_set_is_mole(rows, PRIVATE, Fraction(h), k))

    found = chosen_from(covered(border.edges()), 0, p)

    assert {frozenset(data.labels[i] for i in borders.members(items)) for items in found} == set(moles)


@quick
@given(rows=some_rows, min_support=st.integers(1, 4))
def test_the_border_of_nuggets_covers_exactly_the_nuggets(rows: list[set[str]], min_support: int) -> None:
    data = transactions(rows, PRIVATE)

    found = covered(nugget_border(ItemsetRows.of(data), min_support).edges())

    labels = {frozenset(data.labels[i] for i in borders.members(items)) for items in found}
    assert labels == set(oracle.nuggets(rows, min_support))


@sized(400)
@given(
    rows=some_rows,
    h=st.sampled_from(["1/3", "1/2", "2/3", "1"]),
    k=st.integers(1, 4),
    p=st.integers(1, 4),
    min_support=st.integers(1, 5),
    max_size=st.sampled_from([1, 2, 3, None]),
    score=st.sampled_from(["paper", "minimal"]),
    reinstate=st.booleans(),
    keep_infrequent=st.booleans(),
    minus=st.sampled_from([borders.difference, borders.disjoint_difference]),
)
def test_the_border_method_suppresses_what_brute_force_does_in_the_same_order(
    rows: list[set[str]],
    h: str,
    k: int,
    p: int,
    min_support: int,
    max_size: int | None,
    score: Literal["paper", "minimal"],
    reinstate: bool,
    keep_infrequent: bool,
    minus: Difference,
) -> None:
    data = transactions(rows, PRIVATE)
    limits = MoleLimits(attribute=Fraction(h), crowd=k, at_most=p)
    assume(not oracle.empty_set_is_mole(rows, PRIVATE, Fraction(h), k))

    found = border_greedy(
        data,
        limits,
        min_support,
        max_size,
        score=score,
        reinstate=reinstate,
        keep_infrequent=keep_infrequent,
        minus=minus,
    )

    chosen = found.infrequent, found.greedy
    assert tuple([data.labels[item] for item in items] for items in chosen) == oracle.greedy(
        rows,
        PRIVATE,
        Fraction(h),
        k,
        p,
        min_support,
        max_size,
        score=score,
        reinstate=reinstate,
        observation2="k only" if keep_infrequent else True,
    )


def test_the_empty_set_as_a_mole_leaves_no_safe_release() -> None:
    limits = MoleLimits(attribute=Fraction(1, 2), crowd=1, at_most=1)

    with pytest.raises(NoSafeRelease) as refused:
        border_greedy(transactions([{"a", "y"}, {"b", "y"}], ["y"]), limits, 1)
    assert refused.value.proved


def test_a_border_of_too_many_edges_is_refused() -> None:
    singles = frozenset(1 << i for i in range(40))
    border = Border(
        upper=singles, lower=frozenset(borders.itemset({i, j}) for i in range(40) for j in range(i))
    )

    with pytest.raises(BudgetExceeded, match="edges"):
        border.edges()


def test_rows_too_many_to_be_looked_at_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = MoleLimits(attribute=Fraction(1), crowd=2, at_most=2)
    rows = [set("ab"), set("bc"), set("ac"), set("abc"), set("cd"), set("d")]
    for looks in (23, 43):
        monkeypatch.setattr(borders, "_MOST_LOOKS", looks)
        with pytest.raises(BudgetExceeded, match="looks at rows"):
            border_greedy(transactions(rows), limits, 1)
    monkeypatch.setattr(borders, "_MOST_LOOKS", 1_000)
    border_greedy(transactions(rows), limits, 1)


def test_edges_that_overlap_in_too_many_pieces_are_refused() -> None:
    tangled = [BorderEdge(1 << i, (1 << 40) - 1 & ~(1 << (i + 20))) for i in range(20)]

    with pytest.raises(BudgetExceeded, match="overlap"):
        borders.count_covered(tangled)
