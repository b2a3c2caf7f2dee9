"""Blanks that say nothing: the fewest decoys, and what they tell, against every world that fits."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import blanks as oracle
from tests.sizes import sized

from giveaway.attacks.attributes.decoys.asking_known import largest_share
from giveaway.attacks.attributes.decoys.blocks import Block, cap, least_decoys, least_limit
from giveaway.attacks.attributes.decoys.peers import joined

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), Fraction(2, 3), Fraction(3, 4)])


def block(have: tuple[int, ...], asked: tuple[int, ...], limited: tuple[bool, ...] | None = None) -> Block:
    """Make a block whose secrets alone are blank."""
    free = tuple(h - a for h, a in zip(have, asked, strict=True))
    return Block(tuple(range(len(have))), limited or (True,) * len(have), asked, asked, free, free)


def with_decoys(plain: Block, decoys: tuple[int, ...]) -> Block:
    """Blank the decoys of a block."""
    blank = tuple(a + d for a, d in zip(plain.asked, decoys, strict=True))
    free = tuple(f - d for f, d in zip(plain.free, decoys, strict=True))
    return plain._replace(blank=blank, free=free, visible=free)


# By hand ------------------------------------------------------------------------------------------------------


def test_a_teacher_among_fourteen_gets_the_only_engineer() -> None:
    plain = block((1, 14), (0, 1))
    assert least_decoys(plain, Fraction("0.6")) == (1, 0)
    assert plain.chance() == 1
    made = with_decoys(plain, (1, 0))
    assert made.chance() == Fraction(1, 2)
    assert largest_share(made, Fraction("0.6")) == Fraction(14, 15)


def test_three_teachers_among_thirty_seven_rows_get_two_decoys() -> None:
    plain = block((12, 12, 13), (0, 0, 3))
    assert least_decoys(plain, Fraction("0.6")) == (1, 1, 0)
    assert with_decoys(plain, (1, 1, 0)).chance() == Fraction(3, 5)


def test_who_asked_can_tell_all_when_it_is_known() -> None:
    """Cell t t t e e n, limit 1/2: the decoy of n is a t, while a t who asks gets an e."""
    plain = block((2, 1, 3), (0, 1, 0))
    assert least_decoys(plain, Fraction(1, 2)) == (0, 0, 1)
    assert least_decoys(block((2, 1, 3), (0, 0, 1)), Fraction(1, 2)) == (1, 0, 0)
    assert largest_share(with_decoys(plain, (0, 0, 1)), Fraction(1, 2)) == 1


def test_a_block_may_have_to_be_larger() -> None:
    plain = block((5, 5), (1, 0))
    assert least_decoys(plain, Fraction(1, 2)) == (0, 1)
    assert least_decoys(plain, Fraction(1, 2), smallest=3) == (1, 2)
    assert least_decoys(plain, Fraction(1, 2), smallest=11) is None
    assert largest_share(with_decoys(plain, (1, 2)), Fraction(1, 2)) == Fraction(1, 2)


def test_decoys_that_the_rule_would_not_choose_are_not_weighed() -> None:
    assert largest_share(with_decoys(block((5, 5, 1), (1, 0, 0)), (0, 0, 1)), Fraction(1, 2)) is None


def test_values_that_need_no_protection_may_be_frequent() -> None:
    assert least_decoys(block((3, 1), (1, 0), (True, False)), Fraction(1, 2)) == (0, 1)
    assert least_decoys(block((1, 3), (0, 2), (True, False)), Fraction(1, 2)) == (0, 0)
    assert block((1, 3), (0, 2), (True, False)).chance() == 0


def test_neighbours_are_joined_until_there_are_enough() -> None:
    assert joined(np.array([1, 1, 1, 5, 1]), 2).tolist() == [0, 0, 1, 1, 1]
    assert joined(np.array([1]), 2).tolist() == [0]


# Against all choices ------------------------------------------------------------------------------------------

COUNTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.booleans()), min_size=1, max_size=4
).filter(lambda counts: any(asked for asked, _, _ in counts))


@sized(1000)
@given(counts=COUNTS, limit=LIMITS, smallest=st.integers(0, 6))
def test_no_fewer_decoys_will_do(counts: list[tuple[int, int, bool]], limit: Fraction, smallest: int) -> None:
    asked, free, limited = (tuple(part) for part in zip(*counts, strict=True))
    plain = Block(tuple(range(len(asked))), limited, asked, asked, free, free)  # type: ignore[arg-type]
    decoys = least_decoys(plain, limit)
    best = oracle.fewest(asked, free, limited, limit)  # type: ignore[arg-type]
    assert (None if decoys is None else sum(decoys)) == best
    for made in (decoys, least_decoys(plain, limit, smallest)):
        if made is not None:
            assert with_decoys(plain, made).chance() <= limit
            assert all(0 <= d <= f for d, f in zip(made, free, strict=True))
    larger = least_decoys(plain, limit, smallest)
    assert larger is None or sum(asked) + sum(larger) >= smallest


@settings(max_examples=300)
@given(counts=COUNTS)
def test_the_least_limit_is_the_first_at_which_there_is_a_block(counts: list[tuple[int, int, bool]]) -> None:
    asked, free, _ = (tuple(part) for part in zip(*counts, strict=True))
    plain = Block(tuple(range(len(asked))), (True,) * len(asked), asked, asked, free, free)
    least = least_limit(plain)
    assert least_decoys(plain, least) is not None
    assert least_decoys(plain, least - Fraction(1, 10_000)) is None


# Against all worlds -------------------------------------------------------------------------------------------


def answer(values: oracle.Values, asked: oracle.Rows, kinds: int, limit: Fraction) -> tuple[int, ...] | None:
    have = oracle.counts(values, range(len(values)), kinds)
    return least_decoys(block(have, oracle.counts(values, asked, kinds)), limit)


@pytest.mark.parametrize(("rows", "kinds"), [(5, 2), (4, 3)])
@sized(25)
@given(data=st.data(), limit=LIMITS)
def test_theorem_4_nobody_who_does_not_know_who_asked_has_a_better_chance_than_the_limit(
    rows: int, kinds: int, data: st.DataObject, limit: Fraction
) -> None:
    """Whatever somebody believes of values and of who asks, if people with the same value are alike to them."""
    weights: dict[object, int] = {}
    worlds = {}
    for values, asked in oracle.everybody(rows, kinds):
        key = oracle.counts(values, range(rows), kinds), oracle.counts(values, asked, kinds)
        if key not in weights:
            weights[key] = data.draw(st.integers(0, 9), label=str(key))
        worlds[values, asked] = Fraction(weights[key])
    channel = lambda values, asked: oracle.draws(values, asked, answer(values, asked, kinds, limit))  # noqa: E731
    for (blank, _), seen in oracle.releases(worlds, channel).items():
        assert oracle.largest_chance(seen, lambda _, blank=blank: blank) <= limit


@sized(25)
@given(data=st.data(), limit=LIMITS, odds=st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(4)]))
def test_theorem_5_nor_somebody_to_whom_the_records_of_a_group_differ_by_some_odds(
    data: st.DataObject, limit: Fraction, odds: Fraction
) -> None:
    rows, kinds, part = 5, 2, cap(limit, odds)
    tastes = data.draw(st.lists(st.sampled_from([Fraction(1), odds]), min_size=rows, max_size=rows))
    by_value = data.draw(st.lists(st.integers(1, 9), min_size=kinds, max_size=kinds))
    worlds = {
        (values, asked): oracle.taste(values, tastes)
        * Fraction(by_value[0]) ** oracle.counts(values, asked, kinds)[0]
        * Fraction(by_value[1]) ** oracle.counts(values, asked, kinds)[1]
        for values, asked in oracle.everybody(rows, kinds)
    }
    channel = lambda values, asked: oracle.draws(values, asked, answer(values, asked, kinds, part))  # noqa: E731
    for (blank, _), seen in oracle.releases(worlds, channel).items():
        assert oracle.largest_chance(seen, lambda _, blank=blank: blank) <= limit


def test_theorem_5_is_needed_where_records_differ() -> None:
    """With the cap of theorem 4 the same attacker is over the limit."""
    rows, kinds, limit, odds = 4, 2, Fraction(1, 2), Fraction(4)
    tastes = [odds, Fraction(1), odds, Fraction(1)]
    worlds = {
        (values, asked): oracle.taste(values, tastes) for values, asked in oracle.everybody(rows, kinds)
    }
    channel = lambda values, asked: oracle.draws(values, asked, answer(values, asked, kinds, limit))  # noqa: E731
    found = oracle.releases(worlds, channel)
    assert (
        max(oracle.largest_chance(seen, lambda _, b=blank: b) for (blank, _), seen in found.items()) > limit
    )


@settings(max_examples=150, deadline=None)
@given(
    values=st.lists(st.integers(0, 2), min_size=2, max_size=6).map(tuple),
    asked=st.sets(st.integers(0, 5), min_size=1, max_size=2),
    limit=LIMITS,
)
def test_who_knows_who_asked_is_right_as_often_as_is_said(
    values: tuple[int, ...], asked: set[int], limit: Fraction
) -> None:
    """All orders of the known values are equally likely; who asked is known, and has nothing to do with the value."""
    rows, kinds = len(values), 3
    known = frozenset(row % rows for row in asked)
    decoys = answer(values, known, kinds, limit)
    if decoys is None or not sum(decoys):
        return
    have = oracle.counts(values, range(rows), kinds)
    worlds = {
        (other, known): Fraction(1)
        for other in product(range(kinds), repeat=rows)
        if oracle.counts(other, range(rows), kinds) == have
    }
    channel = lambda other, asked: oracle.draws(other, asked, answer(other, asked, kinds, limit))  # noqa: E731
    found = oracle.releases(worlds, channel)
    blank = next(oracle.drawn(values, known, decoys))
    shown = tuple((row, value) for row, value in enumerate(values) if row not in blank)
    made = with_decoys(block(have, oracle.counts(values, known, kinds)), decoys)
    assert largest_share(made, limit) == oracle.largest_chance(found[blank, shown], lambda asked: asked)
