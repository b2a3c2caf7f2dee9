"""Xu, Fung, Wang, Fu, Pei: borders, W, Theorems 2 and 3 and Compute-delta by the public names, for users."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

import giveaway as ga

FIGURE_1 = ["a b e f s1", "c e f g s2", "a b g s3", "a b f g s2", "a b d g s2", "e f g s1", "b e f g s3"]
RELEASE = ga.Release(ga.Transactions.from_lists(map(str.split, FIGURE_1), private=["s1", "s2", "s3"]))
ASKED = RELEASE, ga.KnowsItems(at_most=3), ga.Tolerance(identity="1/3", attribute="1/2")
NEED = ga.NeedsItemsets(min_support=4)
PRIVATE = ("y", "z")

some_sets = st.sets(st.sampled_from("abcdef"))
edges = st.builds(lambda one, other: ga.Edge(one & other, one | other), some_sets, some_sets)
some_rows = st.lists(st.sets(st.sampled_from("abcdefyz")), min_size=1, max_size=9)


def within(edge: ga.Edge) -> set[frozenset[Any]]:
    free = sorted(edge.most - edge.least)
    return {edge.least | set(more) for size in range(len(free) + 1) for more in combinations(free, size)}


def letters(itemsets: Any) -> set[str]:
    return {"".join(sorted(items)) for items in itemsets}


def test_figure_3_and_the_border_of_nuggets() -> None:
    found = ga.borders(*ASKED, need=NEED)

    assert found.infrequent == ("c", "d")
    assert letters(found.moles.upper) == {"ae", "af", "ag", "be", "bfg"}
    assert letters(found.moles.lower) == {"abef", "abfg", "befg"}
    assert len(found.moles.edges) == 8
    assert found.nuggets is not None
    assert letters(found.nuggets.upper) == {"a", "b", "e", "f", "g"}
    assert letters(found.nuggets.lower) == {"ab", "bg", "ef", "fg"}


def test_example_2_the_mole_aef_not_ae_is_covered_by_both_edges() -> None:
    """The paper says ae, which is not between af and abef."""
    moles = ga.borders(*ASKED).moles

    assert set(moles.covering([*"aef"])) == {ga.Edge([*"ae"], [*"abef"]), ga.Edge([*"af"], [*"abef"])}
    assert moles.covering([*"ae"]) == (ga.Edge([*"ae"], [*"abef"]),)
    assert moles.covering([*"abef"])
    assert moles.count([*"abef"]) == 0


def test_example_3_three_moles_contain_ag() -> None:
    moles = ga.borders(*ASKED).moles

    assert moles.count([*"ag"]) == 3
    assert moles.count() == 12
    assert moles.count([*"c"]) == 0
    assert moles.counts([*"c"]) == {}


def test_example_4_the_printed_difference_counts_aefg_and_adefg_twice() -> None:
    one, other = ga.Edge([*"ae"], [*"adefg"]), ga.Edge([*"ae"], [*"ade"])

    assert set(one.difference(other)) == {ga.Edge([*"aef"], [*"adefg"]), ga.Edge([*"aeg"], [*"adefg"])}
    assert sum(part.count() for part in one.difference(other)) == 8
    assert (
        sum(part.count() for part in one.difference(other, disjoint=True)) == 6 == one.count() - other.count()
    )


def test_section_4_the_scores_step_by_step_and_the_losers_of_section_6() -> None:
    found = ga.borders(*ASKED, need=NEED)

    first, second = found.steps
    assert first.counts == {"a": (8, 2), "b": (7, 3), "e": (6, 2), "f": (6, 3), "g": (5, 3)}
    assert second.counts == {"b": (4, 2), "e": (3, 2), "f": (2, 3), "g": (2, 3)}
    assert found.suppressed == ("c", "d", "a", "b")
    losers = found.moles.counts([*"a"])
    assert {item: first.counts[item][0] - count for item, count in losers.items()} == {
        item: moles for item, (moles, _) in second.counts.items()
    }


def test_an_algorithm_that_deletes_every_public_item_is_returned_here() -> None:
    rows = [["a", "z"], ["a", "z"], ["a"], ["b"], [], []]
    release = ga.Release(ga.Transactions.from_lists(rows, private=["z"]))
    asked = release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2", attribute="1/2")

    assert ga.borders(*asked, need=ga.NeedsItemsets(min_support=1)).suppressed == ("b", "a")
    with pytest.raises(ga.NoSafeRelease, match="a cohesion"):
        ga.protect(*asked, need=ga.NeedsItemsets(min_support=1), items={"score": "paper", "reinstate": False})


@sized(150)
@given(
    one=edges, other=edges, having=st.sets(st.sampled_from("abcdefx"), max_size=2), longest=st.integers(0, 6)
)
def test_edges_are_the_sets_of_their_itemsets(
    one: ga.Edge, other: ga.Edge, having: set[str], longest: int
) -> None:
    assert one.count(having, longest) == sum(having <= s and len(s) <= longest for s in within(one))
    shared = one.intersection(other)
    assert (set() if shared is None else within(shared)) == within(one) & within(other)
    for disjoint in (False, True):
        parts = one.difference(other, disjoint=disjoint)
        assert set().union(*map(within, parts)) == within(one) - within(other)
    assert sum(part.count() for part in parts) == len(within(one) - within(other))
    assert all((items in one) == (items in within(one)) for items in within(other))


@sized(150)
@given(rows=some_rows, crowd=st.integers(2, 4), at_most=st.integers(1, 4), min_support=st.integers(1, 4))
def test_borders_count_the_moles_and_nuggets_of_brute_force(
    rows: list[set[str]], crowd: int, at_most: int, min_support: int
) -> None:
    private = [item for item in PRIVATE if any(item in row for row in rows)]
    if not set().union(*rows) - set(PRIVATE) or oracle.empty_set_is_mole(
        rows, private, Fraction(1, 2), crowd
    ):
        return
    tolerance = ga.Tolerance(identity=Fraction(1, crowd), attribute="1/2")
    data = transactions(rows, private)
    found = ga.borders(
        ga.Release(data),
        ga.KnowsItems(at_most=at_most),
        tolerance,
        need=ga.NeedsItemsets(min_support=min_support),
    )

    left = oracle.without(rows, found.infrequent)
    moles = oracle.moles(left, private, Fraction(1, 2), crowd, at_most)
    nuggets = oracle.nuggets(left, min_support)
    assert found.nuggets is not None
    assert (found.moles.count(), found.nuggets.count()) == (len(moles), len(nuggets))
    for item in data.labels:
        with_it = [mole for mole in moles if item in mole]
        assert found.moles.count([item]) == len(with_it)
        assert found.moles.counts([item]) == {
            other: number
            for other in data.labels
            if other != item and (number := sum(other in mole for mole in with_it))
        }
    wanted = oracle.greedy(
        rows, private, Fraction(1, 2), crowd, at_most, min_support, score="paper", reinstate=False
    )
    assert found.suppressed == (*wanted[0], *wanted[1])


def test_a_text_is_not_an_itemset() -> None:
    with pytest.raises(ga.ScenarioError, match="'milk' is a text"):
        ga.borders(*ASKED).moles.count("milk")
