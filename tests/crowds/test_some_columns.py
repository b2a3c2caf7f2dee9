"""Plans against people who know some of the columns: all worlds that they can think of, and all plans of tiny tables."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.crowds.building import forms_of, profiles_of, search_only, table_profiles
from tests.oracles import crowds as oracle
from tests.oracles.crowds import Forms, Row
from tests.sizes import sized

from giveaway.crowds import some_columns
from giveaway.crowds.plan import Plan, plan
from giveaway.crowds.some_columns import Columns, Known, bound_for_some, plan_for_some, short


def sets_of(width: int, known: int) -> list[Columns]:
    return list(combinations(range(width), known))


def for_all(sets: Sequence[Columns], crowd: int) -> list[Known]:
    return [(columns, crowd) for columns in sets]


@cache
def planned(people: tuple[Row, ...], crowd: int, known: int) -> Forms | None:
    """The rule that everybody knows, for people in order; None where some have no crowd."""
    sets = sets_of(len(people[0]), known)
    plan = plan_for_some(profiles_of(people)[0], crowd, for_all(sets, crowd))
    return None if short(plan, for_all(sets, crowd)).any() else forms_of(plan)


def worlds(known: Sequence[Row], columns: Columns, width: int) -> list[tuple[Fraction, list[Row]]]:
    """Everything that people may have in the other columns, who are known in some."""
    others = [column for column in range(width) if column not in columns]

    def row(mine: Row, rest: Row) -> Row:
        value = dict(zip((*columns, *others), (*mine, *rest), strict=True))
        return tuple(value[column] for column in range(width))

    every = list(product(product("ab", repeat=len(others)), repeat=len(known)))
    return [
        (Fraction(1, len(every)), [row(mine, rest) for mine, rest in zip(known, world, strict=True)])
        for world in every
    ]


@st.composite
def known_people(draw: st.DrawFn) -> tuple[list[Row], Columns, int]:
    width, many = draw(st.sampled_from([(2, 4), (2, 5), (3, 3)]))
    columns = draw(st.sampled_from(sets_of(width, draw(st.integers(1, width - 1)))))
    people = st.lists(st.tuples(*[st.sampled_from("abc")] * len(columns)), min_size=2, max_size=many)
    return draw(people), columns, width


@sized(40)
@given(known_people(), st.integers(2, 3))
def test_no_chance_is_above_the_limit_in_all_worlds_for_whoever_sees_all_columns(
    people: tuple[list[Row], Columns, int], crowd: int
) -> None:
    known, columns, width = people

    def rule(world: Sequence[Row]) -> Forms | None:
        return planned(tuple(sorted(world)), crowd, len(columns))

    safe = [(prior, world) for prior, world in worlds(known, columns, width) if rule(world) is not None]
    for seen, chances in oracle.informed_chances(safe, rule).items():
        assert max(chances.values()) <= Fraction(1, crowd), seen


def test_rows_that_look_alike_in_the_known_column_only_do_not_hide_each_other() -> None:
    """The rare u is blank, and a v with it, of the same second value where there is one: two blanks in the known column.

    Where the two show other second values, no v had that of u, and so it is certain which is u.
    """

    def rule(people: Sequence[Row]) -> Forms:
        rare = next(row for row in people if row[0] == "u")
        others = sorted((row for row in people if row[0] == "v"), key=lambda row: row[1] != rare[1])
        forms: dict[Row, list[Row]] = {rare: [(None, rare[1])]}
        for at, row in enumerate(others):
            forms.setdefault(row, []).append((None, row[1]) if at == 0 else row)
        return forms

    every = worlds([("u",), ("v",), ("v",), ("v",)], (0,), 2)
    seen = oracle.released([(None, "b"), (None, "a"), ("v", "a"), ("v", "a")])
    assert oracle.informed_chances(every, rule)[seen][0, (None, "b")] == 1


def test_a_row_with_a_blank_and_one_that_stands_apart_need_a_crowd_in_all_columns() -> None:
    """Two blanks hide each other in the first column, and in both columns nobody looks like either of them."""
    profiles, _ = profiles_of([tuple(word) for word in ("ax", "ax", "ay", "bx", "by", "by")])
    vectors = np.array([[1, 0], [0, 0], [0, 0], [0, 0], [0, 0], [1, 0]], np.int8)
    made = Plan(
        profiles=profiles,
        crowd=2,
        profile=np.array([0, 0, 1, 2, 3, 3]),
        vectors=vectors,
        members=np.ones(6, np.int64),
        optimal=False,
    )
    sets = for_all(sets_of(2, 1), 2)
    assert short(made, sets).tolist() == [True, False, False, False, False, True]
    apart = np.array([False, True, False, False])
    assert short(made, sets, apart).tolist() == [True, False, True, False, False, True]


def _is_safe(people: Sequence[Row], forms: Sequence[Row], crowd: int, sets: Sequence[Columns]) -> bool:
    """Tell by the definition whether all rows have their crowds."""

    def alike(one: Row, columns: Sequence[int]) -> int:
        return sum(all(one[at] == other[at] for at in columns) for other in forms)

    every = range(len(people[0]))
    return all(
        min(alike(form, columns) for columns in (sets if own == form and None not in own else [every]))
        >= crowd
        for own, form in zip(people, forms, strict=True)
    )


def _least(people: Sequence[Row], crowd: int, sets: Sequence[Columns]) -> int | None:
    """The fewest blanks of all ways to blank rows."""
    options = [oracle.by_masks()(row) for row in people]
    costs = [
        sum(price for _, price in chosen)
        for chosen in product(*options)
        if _is_safe(people, [form for form, _ in chosen], crowd, sets)
    ]
    return min(costs, default=None)


@st.composite
def tables(draw: st.DrawFn, missing: str = "") -> tuple[list[Row], int]:
    width, many = draw(st.sampled_from([(2, 6), (3, 4)]))
    value = st.sampled_from([*"abc", *([None] if missing else [])])
    return draw(st.lists(st.tuples(*[value] * width), min_size=2, max_size=many)), draw(
        st.integers(1, width - 1)
    )


@sized(150)
@given(tables(missing="yes"), st.integers(2, 3), st.booleans(), st.booleans())
def test_tiny_tables_against_all_ways_to_blank_them(
    table: tuple[list[Row], int], crowd: int, searched: bool, at_once: bool
) -> None:
    people, known = table
    profiles, sets = profiles_of(people)[0], sets_of(len(people[0]), known)
    with pytest.MonkeyPatch.context() as patch:
        if searched:
            search_only(patch)
        patch.setattr(some_columns, "_MANY", 0 if at_once else 100)
        found = plan_for_some(profiles, crowd, for_all(sets, crowd), rounds=3)
        whole = plan(profiles, crowd, rounds=3)
    least = _least(people, crowd, sets)
    assert (least is None) == bool(short(found, for_all(sets, crowd)).any())
    if least is None:
        return
    carried = [(own, form) for own, forms in forms_of(found).items() for form in forms]
    assert _is_safe([own for own, _ in carried], [form for _, form in carried], crowd, sets)
    assert bound_for_some(profiles, crowd, for_all(sets, crowd)) <= least <= found.blanks
    assert found.blanks <= whole.blanks
    assert not found.optimal or found.blanks == least


@pytest.mark.parametrize(("known", "most"), [(1, 0), (2, 335), (3, 1547), (4, 2234)])
def test_adult(known: int, most: int) -> None:
    columns = ["decade", "sex", "race", "education", "marital-status"]
    profiles, _ = table_profiles(oracle.census(), columns)
    sets = for_all(sets_of(5, known), 5)
    found = plan_for_some(profiles, 5, sets)
    assert found.blanks <= most < 2321
    assert not short(found, sets).any()
    assert bound_for_some(profiles, 5, sets) <= found.blanks
