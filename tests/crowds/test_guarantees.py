"""Theorems 1 to 3 and the directory from outside, against all worlds of tiny tables."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.crowds.building import LETTERS, codes_of, forms_of, profiles_of, search_only
from tests.crowds.theorems import (
    chances_of,
    guarantee,
    informed_chance,
    mean_chance,
    people_over,
    views,
    worst,
    worst_chance,
)
from tests.oracles import crowds as oracle
from tests.oracles.crowds import Forms, Row
from tests.sizes import long, sized

from giveaway.crowds.draw import deal
from giveaway.crowds.forms import ColumnForms, CrowdProfiles
from giveaway.crowds.lists import failures, lower_end
from giveaway.crowds.plan import plan
from giveaway.crowds.split import Split, ValuesHeld
from giveaway.model.data.arrays import Ints, alike

VALUES = [tuple(letters) for letters in product("ab", "ab")]
TABLES = st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=2, max_size=5)


def alike_to_all(listed: Collection[int]) -> Fraction:
    """The belief that nobody is likelier to have a record than anybody else."""
    return Fraction(1)


def planned(crowd: int, rounds: int = 0) -> Callable[[Sequence[Row]], Forms]:
    """The rule that everybody knows: the plan of a multiset of profiles."""

    @cache
    def forms(people: tuple[Row, ...]) -> Forms:
        return forms_of(plan(profiles_of(people)[0], crowd, rounds=rounds))

    return lambda people: forms(tuple(sorted(people)))


@settings(max_examples=60)
@given(TABLES, st.integers(2, 3))
def test_chances_are_those_of_all_worlds_when_every_profile_is_known(people: list[Row], crowd: int) -> None:
    found = plan(profiles_of(people)[0], crowd)
    chances = oracle.informed_chances([(Fraction(1), people)], planned(crowd))

    ((seen, of_people),) = chances.items()
    crowds = dict(seen)
    letters = [
        tuple(None if label == 0 else LETTERS[label - 1] for label in line) for line in found.labels.tolist()
    ]
    rows = [tuple(LETTERS[code] for code in codes) for codes in found.profiles.codes.tolist()]
    lines = zip(found.profile.tolist(), letters, chances_of(found.split), strict=True)
    stated = {(rows[profile], form): chance for profile, form, chance in lines}
    assert of_people == {
        (person, form): chance
        for person, row in enumerate(people)
        for (profile, form), chance in stated.items()
        if profile == row
    }
    assert all(chance <= Fraction(1, crowds[form]) for (_, form), chance in of_people.items())
    assert worst_chance(found.split) == max(of_people.values()) <= guarantee(found.split)
    whole = len(found.profile) == len(found.profiles.counts)
    mean, forms = mean_chance(found.split), Fraction(len(crowds), len(people))
    assert mean == forms if whole else mean < forms


@sized(15)
@given(st.lists(st.sampled_from(VALUES), min_size=4, max_size=4), st.integers(0, 3), st.booleans(), st.data())
def test_nobody_who_knows_less_is_surer(
    people: list[Row], known: int, search: bool, data: st.DataObject
) -> None:
    """The attacker knows the profiles of some people and holds any belief about the others, alike for each of them."""
    belief = data.draw(st.lists(st.integers(1, 9), min_size=len(VALUES), max_size=len(VALUES)))
    worlds = []
    for others in product(range(len(VALUES)), repeat=len(people) - known):
        weight = Fraction(1)
        for other in others:
            weight *= belief[other]
        worlds.append((weight, (*people[:known], *(VALUES[other] for other in others))))
    with pytest.MonkeyPatch.context() as patch:
        if search:
            search_only(patch)
        chances = oracle.informed_chances(worlds, planned(2))

    for seen, of_people in chances.items():
        crowds = dict(seen)
        assert all(many >= 2 for many in crowds.values())
        assert all(chance <= Fraction(1, crowds[form]) for (_, form), chance in of_people.items())


def test_the_least_choice_is_undone_by_matching_where_crowds_are_not_counted() -> None:
    """Rows ax ay by: three blanks satisfy the count of agreeing people, and one record is somebody's for certain."""
    people = oracle.rows_of("ax ay by")
    forms = dict(zip(people, ([form] for form in oracle.rows_of("a- -y -y")), strict=True))

    ((_, chances),) = oracle.informed_chances([(Fraction(1), people)], lambda _: forms).items()

    assert chances[0, ("a", None)] == 1
    assert chances[1, (None, "y")] == chances[2, (None, "y")] == Fraction(1, 2)
    assert plan(profiles_of(people)[0], 2).blanks == 6


@settings(max_examples=40)
@given(TABLES, st.integers(1, 3))
def test_records_of_people_in_a_directory_are_no_surer_than_its_crowds(
    people: list[Row], records: int
) -> None:
    forms = planned(2)(people)
    crowds = Counter(form for hand in forms.values() for form in hand)

    chances = oracle.journalist_chances(people, forms, alike_to_all, min(records, len(people)))

    for of_people in chances.values():
        assert all(chance <= Fraction(1, crowds[form]) for (_, form), chance in of_people.items())


def test_who_knows_that_some_profiles_are_likelier_to_have_records_is_surer() -> None:
    """The limit of the guarantee for a directory: having a record must not go with the profile."""
    people = oracle.rows_of("aa ab")

    def prior(listed: Collection[int]) -> Fraction:
        return Fraction(2 if 0 in listed else 1)

    ((_, chances),) = oracle.journalist_chances(people, planned(2)(people), prior, 1).items()

    assert chances[0, ("a", None)] == Fraction(2, 3)


def test_a_plan_that_looks_at_who_has_records_gives_one_away() -> None:
    """Directory ay ax ax, one record: lending an ax only when none of them has a record publishes a- for ay alone."""
    people = oracle.rows_of("ay ax ax")
    looks = {("a", "y"): [("a", None)], ("a", "x"): [("a", "x"), ("a", "x")]}

    chances = oracle.journalist_chances(people, looks, alike_to_all, 1)
    planned_chances = oracle.journalist_chances(people, planned(2)(people), alike_to_all, 1)

    assert max(chance for of_people in chances.values() for chance in of_people.values()) == 1
    assert max(chance for of_people in planned_chances.values() for chance in of_people.values()) <= Fraction(
        1, 2
    )


@settings(max_examples=40)
@given(TABLES, st.data())
def test_rows_of_one_person_need_a_larger_crowd(people: list[Row], data: st.DataObject) -> None:
    """A row is any of a person's rows, so the chances of those add up."""
    owner = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(people), max_size=len(people))))
    profiles, profile_of = CrowdProfiles.of_rows(codes_of(people), [ColumnForms(values=26)] * 2, person=owner)
    found = plan(profiles, 2)

    split = found.split
    chance = {
        (p, x): one
        for p, x, one in zip(split.profile.tolist(), split.form.tolist(), chances_of(split), strict=True)
    }
    needs = profiles.rows_each * 2
    enough = split.crowds[split.form] >= needs[split.profile]
    for form in set(split.form[enough].tolist()):
        for one in set(owner.tolist()):
            mine = profile_of[owner == one].tolist()
            together = sum(chance.get((profile, form), Fraction(0)) for profile in mine)
            assert together <= Fraction(1, 2) or not enough[split.form == form].all()
    assert found.below == split.members[~enough].sum()


def coded(forms: Forms, people: Sequence[Row]) -> tuple[Split, Ints]:
    """Return a plan in letters as a split, with the profile of each person."""
    profiles = sorted(set(people))
    every = sorted({form for hand in forms.values() for form in hand}, key=str)
    lines = [(profile, form) for profile in profiles for form in forms[profile]]
    profile_of = np.array([profiles.index(profile) for profile, _ in lines])
    form_of = np.array([every.index(form) for _, form in lines])
    return Split.observed(profile_of, form_of), np.array([profiles.index(person) for person in people])


@settings(max_examples=40)
@given(
    st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=3, max_size=4),
    st.lists(st.sampled_from("uvw"), min_size=3, max_size=4),
)
def test_views_are_the_chances_of_values(people: list[Row], values: list[str]) -> None:
    values = [*values, "u"][: len(people)]
    forms = planned(2)(people)
    arranged = [list(one) for one in product("uvw", repeat=len(people))]
    chances = oracle.value_chances(people, [forms], Fraction(1), arranged)

    split, profile_of = coded(forms, people)
    _, form = next(oracle.deals(people, forms))
    every = sorted({one for hand in forms.values() for one in hand}, key=str)
    held = ValuesHeld.observed(
        np.array([every.index(one) for one in form]), np.array(["uvw".index(one) for one in values])
    )
    seen = views(split, held)

    exact = chances[0, frozenset(Counter(zip(form, values, strict=True)).items())]
    for person, profile in enumerate(profile_of.tolist()):
        of_person = {value: chance for (who, value), chance in exact.items() if who == person}
        assert seen.chances[profile] == max(of_person.values())
        assert of_person["uvw"[seen.values[profile]]] == seen.chances[profile]


def two_plans(people: Sequence[Row], first: int, second: int) -> list[Forms]:
    return [planned(crowd)(people) for crowd in (first, second)]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=4, max_size=4),
    st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)]),
)
def test_a_list_of_plans_tells_no_more_than_the_quotient(people: list[Row], limit: Fraction) -> None:
    plans = two_plans(people, 1, 3)
    every = [list(one) for one in product("uv", repeat=len(people))]

    for (number, seen), chances in oracle.value_chances(people, plans, limit, every).items():
        rows = [pair for pair, many in seen for _ in range(many)]
        if number == 0:
            continue
        form, values = _one_world(people, plans[1], rows)
        fails = oracle.failing(people, plans[:1], form, values, limit)
        for (person, value), chance in chances.items():
            assert chance <= oracle.view(person, value, people, plans[1], form, values) / fails


def _one_world(
    people: Sequence[Row], forms: Forms, rows: Sequence[tuple[Row, str]]
) -> tuple[list[Row], list[str]]:
    """Return forms and values of people that look like the release."""
    left = Counter(rows)
    _, form = next(oracle.deals(people, forms))
    values = []
    for one in form:
        value = next(value for (shown, value), many in left.items() if shown == one and many)
        left[one, value] -= 1
        values.append(value)
    return list(form), values


def test_never_merge_because_of_what_is_inside() -> None:
    """Blocks of two and three with values uuuvv, merged when one is over 2/3: the merged share is 3/5, the chance 3/4."""
    people = oracle.rows_of("a a b b b")
    apart = {("a",): [("a",)] * 2, ("b",): [("b",)] * 3}
    merged: Forms = {("a",): [(None,)] * 2, ("b",): [(None,)] * 3}
    worlds = [list(one) for one in product("uv", repeat=5) if one.count("u") == 3]

    chances = oracle.value_chances(people, [apart, merged], Fraction(2, 3), worlds)

    worst = max(chance for (number, _), of in chances.items() if number == 1 for chance in of.values())
    assert worst == Fraction(3, 4)


@pytest.mark.parametrize("values", ["uuuvv", "uvuvu", "uuuuv"])
def test_failures_of_earlier_plans_are_simulated(values: str) -> None:
    people = oracle.rows_of("ax ay bx by by")
    plans = [planned(2)(people), {person: [(None, None)] * people.count(person) for person in people}]
    exact = oracle.failing(people, plans[:1], [(None, None)] * 5, values, Fraction(2, 3))
    earlier, profile_of = coded(plans[0], people)

    draws = 2_000
    counted = failures(
        [earlier],
        profile_of_row=profile_of,
        form_of_row=np.zeros(5, np.int64),
        value_of_row=np.array(["uv".index(value) for value in values]),
        limit=Fraction(2, 3),
        draws=draws,
        seed=4,
    )

    assert abs(Fraction(counted, draws) - exact) < Fraction(1, 20)
    assert lower_end(counted, draws) <= exact


def test_the_lower_end_is_the_exact_one() -> None:
    """At the lower end something is seen this often at most once in twenty times, just above it more often."""
    for failed, draws in [(1, 10), (7, 10), (10, 10), (150, 200)]:
        low = lower_end(failed, draws)
        tails = [
            sum(
                comb(draws, many) * part**many * (1 - part) ** (draws - many)
                for many in range(failed, draws + 1)
            )
            for part in (low, low + Fraction(1, 1_000_000))
        ]
        assert tails[0] <= Fraction(1, 20) < tails[1]
    assert informed_chance(Fraction(1, 3), 0, 100) == 1
    assert informed_chance(Fraction(9, 10), 10, 100) == 1


@long
def test_a_jump_on_a_real_table_has_a_verdict() -> None:
    """Crowds of 5 fail in all draws, and those of 640 are within one half: the quotient is hardly above the view."""
    table = oracle.census()
    columns = ["decade", "sex", "race", "education", "marital-status"]
    parts = [np.unique(np.array(table[name]), return_inverse=True) for name in columns]
    rows = np.stack([codes for _, codes in parts], axis=1)
    profiles, profile_of = CrowdProfiles.of_rows(
        rows, [ColumnForms(values=len(values)) for values, _ in parts]
    )
    value_of = np.unique(np.array(table["occupation"]), return_inverse=True)[1]
    plans = [plan(profiles, crowd) for crowd in (5, 640)]
    dealt = [deal(one, profile_of) for one in plans]
    forms = [alike(list(profiles.labels_of(profile_of, levels).T))[0] for levels in dealt]

    over = [
        people_over(views(one.split, ValuesHeld.observed(form, value_of)), Fraction(1, 2), profiles.counts)
        for one, form in zip(plans, forms, strict=True)
    ]
    surest = worst(views(plans[1].split, ValuesHeld.observed(forms[1], value_of)))
    counted = failures(
        [plans[0].split],
        profile_of_row=profile_of,
        form_of_row=forms[1],
        value_of_row=value_of,
        limit=Fraction(1, 2),
        draws=100,
        seed=1,
    )

    assert over[0] > 1_500
    assert over[1] == 0
    assert counted == 100
    assert surest < informed_chance(surest, counted, 100) < Fraction(1, 2)
    assert alike([forms[1]])[0].max() + 1 == len(plans[1].split.crowds)
