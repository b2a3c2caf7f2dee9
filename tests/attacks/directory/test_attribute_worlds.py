"""The attribute limit means what it says: chances by its definitions, against all worlds that look like the release."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.directory.attribute_oracle import Case, chance
from tests.oracles import crowds
from tests.oracles.crowds import Forms, Row
from tests.sizes import sized

from giveaway.attacks.directory.losses import informed

COLUMNS = ("a", "b")
VALUES = "uvw"
HIDDEN = "hidden"
MISSING = "missing"

profiles = st.tuples(*[st.sampled_from("xy")] * 2)
masks = st.tuples(st.booleans(), st.booleans())


@st.composite
def released(draw: st.DrawFn) -> tuple[list[Row], Forms, list[Row], list[str]]:
    """People, the forms that members of each profile carry, who was dealt which form, and values."""
    members = draw(st.lists(st.tuples(profiles, masks), min_size=2, max_size=5))
    people = [profile for profile, _ in members]
    form = [crowds.blanked(profile, mask) for profile, mask in members]
    forms: dict[Row, list[Row]] = {}
    for profile, one in zip(people, form, strict=True):
        forms.setdefault(profile, []).append(one)
    values = draw(st.lists(st.sampled_from(VALUES), min_size=len(people), max_size=len(people)))
    return people, forms, form, values


def case_of(
    people: Sequence[Row],
    form: Sequence[Row],
    values: Sequence[str],
    shown: Sequence[str],
    fail: Fraction = Fraction(1),
) -> Case:
    def row(known: Row, value: str) -> dict[str, str | None]:
        return {**dict(zip(COLUMNS, known, strict=True)), "s": value if value in VALUES else None}

    return Case(
        rows=[row(known, value) for known, value in zip(people, values, strict=True)],
        shown=[row(known, value) for known, value in zip(form, shown, strict=True)],
        columns=COLUMNS,
        targets={},
        earlier_plans_fail=fail,
    )


def chance_of(case: Case, person: int, target: Sequence[str]) -> Fraction:
    """Return the chance of one target."""
    return chance(replace(case, targets={"s": [target]}), case.rows[person], "s", COLUMNS)


def arranged(values: str, people: int) -> list[list[str]]:
    return [list(one) for one in product(values.split(), repeat=people)]


@sized(300)
@given(released())
def test_chances_are_those_of_all_worlds(
    release: tuple[list[Row], Forms, list[Row], list[str]],
) -> None:
    """Theorem 2, for every value and every class of values."""
    people, forms, form, values = release
    worlds = crowds.value_chances(people, [forms], Fraction(1), arranged("u v w", len(people)))
    exact = worlds[0, frozenset(Counter(zip(form, values, strict=True)).items())]
    case = case_of(people, form, values, values)

    for person in range(len(people)):
        for target in (target for size in (1, 2, 3) for target in combinations(VALUES, size)):
            in_worlds = sum((exact.get((person, value), Fraction(0)) for value in target), Fraction(0))
            assert chance_of(case, person, target) == in_worlds


@sized(300)
@given(released(), st.data())
def test_hidden_values_are_never_likelier_than_is_said(
    release: tuple[list[Row], Forms, list[Row], list[str]], data: st.DataObject
) -> None:
    """Whatever rule hides values, by form and value, as long as every form shows some."""
    people, forms, form, values = release
    every = sorted({*zip(form, values, strict=True)}, key=str)
    hides = data.draw(st.sets(st.sampled_from([*every, *((one, value) for one in form for value in VALUES)])))

    def published(one: Row, value: str) -> str:
        return HIDDEN if (one, value) in hides else value

    shown = [published(one, value) for one, value in zip(form, values, strict=True)]
    assume({one for one, value in zip(form, shown, strict=True) if value != HIDDEN} == {*form})
    worlds = crowds.value_chances(people, [forms], Fraction(1), arranged("u v w", len(people)), published)
    exact = worlds[0, frozenset(Counter(zip(form, shown, strict=True)).items())]
    case = case_of(people, form, values, shown)

    for (person, value), in_worlds in exact.items():
        assert in_worlds <= chance_of(case, person, [value])


@sized(300)
@given(released(), st.sets(st.integers(0, 3)))
def test_missing_values_are_left_out_on_the_safe_side(
    release: tuple[list[Row], Forms, list[Row], list[str]], gone: set[int]
) -> None:
    """For somebody who does not know whether the person has a value."""
    people, forms, form, values = release
    values = [MISSING if at in gone else value.replace("w", "v") for at, value in enumerate(values)]
    assume({one for one, value in zip(form, values, strict=True) if value != MISSING} == {*form})
    worlds = crowds.value_chances(people, [forms], Fraction(1), arranged("u v missing", len(people)))
    exact = worlds[0, frozenset(Counter(zip(form, values, strict=True)).items())]
    case = case_of(people, form, values, values)

    for (person, value), in_worlds in exact.items():
        assert value == MISSING or in_worlds <= chance_of(case, person, [value])


@settings(max_examples=40)
@given(
    st.lists(st.tuples(profiles, masks), min_size=3, max_size=4),
    st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)]),
)
def test_a_second_plan_tells_no_more_than_the_quotient(
    members: list[tuple[Row, tuple[bool, bool]]], limit: Fraction
) -> None:
    """Theorem 3: first everything is shown, then, where that is over the limit, some columns are blank."""
    people = [profile for profile, _ in members]
    first: dict[Row, list[Row]] = {profile: [profile] * people.count(profile) for profile in people}
    second: dict[Row, list[Row]] = {profile: [] for profile in people}
    for profile, mask in members:
        second[profile].append(crowds.blanked(profile, mask))
    form = [crowds.blanked(profile, mask) for profile, mask in members]
    every = arranged("u v", len(people))
    worlds = crowds.value_chances(people, [first, second], limit, every)

    for values in every:
        exact = worlds.get((1, frozenset(Counter(zip(form, values, strict=True)).items())), {})
        fail = crowds.failing(people, [first], form, values, limit) if exact else Fraction(1)
        case = case_of(people, form, values, values, fail)
        for (person, value), in_worlds in exact.items():
            assert in_worlds <= chance_of(case, person, [value])


def test_a_failure_tells_whose_record_it_is_and_no_more_than_the_quotient() -> None:
    """Two, two and three people with the same values; if one of their groups has one value alone, all are blank."""
    group = [0, 0, 1, 1, 2, 2, 2]
    held = [one for one in product("uv", repeat=7) if one.count("u") == 3]
    failed = [
        one
        for one in held
        if any(len({v for v, g in zip(one, group, strict=True) if g == at}) == 1 for at in range(3))
    ]
    fail = Fraction(len(failed), len(held))
    chances = [
        Fraction(sum(one[person] == value for one in failed), len(failed) * rows)
        for person in range(7)
        for value, rows in (("u", 3), ("v", 4))
    ]
    assert Fraction(1, 7) < max(chances) <= informed(Fraction(1, 7), fail)
