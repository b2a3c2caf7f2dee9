"""Baskets given away twice against all worlds, and two years by hand."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import items
from tests.oracles.composition import baskets as oracle

YEARS = ["1", "2"]
HALF = Fraction(1, 2)
BASKETS = st.lists(st.frozensets(st.sampled_from("abcs")), min_size=2, max_size=5)
PAIRS = BASKETS.flatmap(
    lambda first: st.tuples(
        st.just(first),
        st.lists(st.frozensets(st.sampled_from("abcs")), min_size=len(first), max_size=len(first)),
    )
)


def baskets(text: str) -> list[set[str]]:
    return [set(word) - {"-"} for word in text.split()]


def test_two_years() -> None:
    first, second = baskets("a a b b"), baskets("c d c d")

    assert not oracle.moles_together([first], ["1"], "", Fraction(1), 2, 2)
    assert not oracle.moles_together([second], ["2"], "", Fraction(1), 2, 2)
    joint = oracle.tagged([first, second], YEARS)
    assert set(items.occurring(joint, (), 2).values()) == {1, 2}
    assert items.exposed_rows(joint, (), Fraction(1), 2, 2) == [0, 1, 2, 3]
    assert {items.support(joint, [f"{a}@1", f"{b}@2"]) for a in "ab" for b in "cd"} == {1}


def test_who_cannot_join_rows_of_another_period_learns_nothing_more() -> None:
    first, second = baskets("a a b b"), baskets("c d c d")

    assert oracle.row_chances([first, second], ["a", "c"]) == {0: HALF, 2: HALF}


@settings(max_examples=50)
@given(PAIRS, st.integers(1, 4))
def test_t4_no_tagged_identity_mole_no_untagged_one(drawn: tuple[list[frozenset[str]], ...], k: int) -> None:
    """The cohort of somebody who does not know when only grows."""
    tagged, untagged = oracle.tagged(drawn, YEARS), oracle.untagged(drawn)
    if not items.moles(tagged, (), Fraction(1), k, 2):
        assert not items.moles(untagged, (), Fraction(1), k, 2)


def test_t4_not_so_for_attributes() -> None:
    """Milk in either year: half of the buyers are ill; milk at some time: 4 of 6."""
    first = [{"milk"} if person in {1, 2, 5, 6} else set() for person in range(1, 9)]
    second = [{"milk"} if person in {3, 4, 5, 6} else set() for person in range(1, 9)]
    ill = [{"ill"} if person <= 4 else set() for person in range(1, 9)]
    years = [*YEARS, "now"]
    releases = [first, second, ill]
    private = {"ill@now"}

    assert items.own_breach(oracle.tagged(releases, years), private, ["milk@1"]) == HALF
    assert items.own_breach(oracle.tagged(releases, years), private, ["milk@2"]) == HALF
    assert not items.moles(oracle.tagged(releases, years), private, HALF, 1, 2)
    whole = oracle.at_any_time(releases, years)
    assert items.own_breach(whole, private, ["milk@any"]) == Fraction(4, 6)
    assert frozenset(["milk@any"]) in items.moles(whole, private | {"ill@any"}, HALF, 1, 2)


@settings(max_examples=50)
@given(PAIRS, st.integers(1, 4), st.sampled_from([HALF, Fraction(2, 3), Fraction(1)]))
def test_t5_moles_of_each_release_are_moles_together(
    drawn: tuple[list[frozenset[str]], ...], k: int, h: Fraction
) -> None:
    joint = oracle.moles_together(drawn, YEARS, "s", h, k, 2)
    for rows, year in zip(drawn, YEARS, strict=True):
        for mole, support in items.moles(rows, "s", h, k, 2).items():
            assert joint[frozenset(f"{item}@{year}" for item in mole)] == support


@settings(max_examples=50)
@given(PAIRS, st.data())
def test_t6_another_period_without_joined_rows(
    drawn: tuple[list[frozenset[str]], ...], data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(drawn[0]) - 1))
    known = [
        data.draw(st.frozensets(st.sampled_from(sorted(rows[target])))) if rows[target] else frozenset()
        for rows in drawn
    ]
    now = drawn[1]

    chances = oracle.row_chances(drawn, known)

    support = items.support(now, known[1])
    fitting = [row for row, basket in enumerate(now) if known[1] <= basket]
    assert chances == dict.fromkeys(fitting, Fraction(1, support))


@settings(max_examples=60)
@given(BASKETS, st.frozensets(st.sampled_from("abcs")), st.frozensets(st.sampled_from("abcs")), st.data())
def test_t2_and_t6_same_baskets(
    rows: list[frozenset[str]], gone: frozenset[str], gone_now: frozenset[str], data: st.DataObject
) -> None:
    """Pairs by blocks; and who knows common items only learns nothing more."""
    earlier, now = ([row - items for row in rows] for items in (gone, gone_now))
    both = set("abcs") - gone - gone_now
    target = data.draw(st.integers(0, len(rows) - 1))
    knowing = [data.draw(st.frozensets(st.sampled_from("abcs"))) & one[target] for one in (earlier, now)]

    by_worlds = oracle.same_baskets(earlier, now, *knowing, both)

    assert by_worlds == oracle.same_baskets_by_blocks(earlier, now, *knowing, both)
    common = frozenset(both) & rows[target]
    chances = dict.fromkeys(range(len(now)), Fraction(0))
    for (_, row), chance in oracle.same_baskets(earlier, now, common, common, both).items():
        chances[row] += chance
    support = items.support(now, common)
    assert chances == {row: Fraction(common <= now[row], support) for row in chances}


@settings(max_examples=60)
@given(BASKETS, st.integers(0, 4))
def test_t8_newcomers_are_the_difference(rows: list[frozenset[str]], stayed: int) -> None:
    joined = rows[min(stayed, len(rows)) :]
    assert oracle.joined_rows(rows, rows[:stayed], "abcs") == sorted(joined, key=sorted)


@settings(max_examples=60)
@given(
    BASKETS, st.frozensets(st.sampled_from("abcs")), st.frozensets(st.sampled_from("abcs")), st.integers(1, 3)
)
def test_t9_replay(rows: list[frozenset[str]], gone: frozenset[str], more: frozenset[str], k: int) -> None:
    earlier, now = items.without(rows, gone), items.without(rows, gone | more)

    assert oracle.untagged([earlier, now]) == [set(row) for row in earlier]
    assert items.moles(oracle.untagged([earlier, now]), "s", HALF, k, 2) == items.moles(
        earlier, "s", HALF, k, 2
    )


def test_a_rare_item_that_is_out_forces_common_ones_to_be_withheld() -> None:
    first, second = baskets("a a - - -"), baskets("c cd cd cd d")

    assert oracle.best_given_before(first, second, "", Fraction(1), 2, 2) == (
        4,
        [frozenset("d")],
    )
    assert items.coherent(second, "", Fraction(1), 2, 2)


@settings(max_examples=25)
@given(PAIRS, st.integers(1, 3))
def test_at_once_is_never_dearer_than_one_after_the_other(
    drawn: tuple[list[frozenset[str]], ...], k: int
) -> None:
    first, second = (items.without(rows, "s") for rows in drawn)
    at_once = oracle.best_at_once(first, second, "", Fraction(1), k, 2)
    empty: list[set[items.Item]] = [set() for _ in first]
    alone = oracle.best_given_before(empty, first, "", Fraction(1), k, 2)
    assert (at_once is None) == (alone is None)
    if at_once and alone:
        for chosen in alone[1]:
            rest = oracle.best_given_before(items.without(first, chosen), second, "", Fraction(1), k, 2)
            assert rest is not None
            assert at_once[0] <= alone[0] + rest[0]


@pytest.mark.parametrize("k", [2, 3])
def test_a_mole_of_earlier_items_alone_is_already_given_away(k: int) -> None:
    assert oracle.best_given_before(baskets("a b b b b"), baskets("c c c c c"), "", Fraction(1), k, 2) is None
