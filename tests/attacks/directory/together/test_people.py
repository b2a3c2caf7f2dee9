"""Rows that cannot be joined, of people who are in every release: against listing all ways to join them."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import informed as worlds
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Row
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together.beliefs import believed
from giveaway.attacks.directory.together.fitting import fitting
from giveaway.attacks.together import View
from giveaway.finding import Together

SIX: list[Row] = [
    ("30", "cook", "flu"),
    ("30", "smith", "flu"),
    ("30", "smith", "hiv"),
    ("40", "cook", "flu"),
    ("40", "cook", "ulcer"),
    ("40", "smith", "hiv"),
]
NAMES = ("age", "job", "illness")
KNOWS = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)


def released(people: Sequence[Row], shown: Sequence[Row], columns: Sequence[int]) -> ga.Release:
    rows = [{NAMES[at]: person[at] for at in columns} for person in people]
    cells = [(row, NAMES[at]) for row, line in enumerate(shown, 1) for at in columns if line[at] is None]
    return ga.Release(ga.Table.from_rows(rows, sensitive="illness"), ga.Withheld(cells=cells))


def earlier(release: ga.Release, name: str = "2025", **options: Any) -> ga.Earlier:
    rows = range(1, len(release.original) + 1)
    return ga.Earlier(release, name=name, **{"linked": "people", "rows": rows, **options})


def together(
    release: ga.Release, attacker: ga.KnowsDirectory, *before: ga.Earlier, **limits: Any
) -> list[Together]:
    found = ga.assess(release, attacker, ga.Tolerance(**limits), earlier=before).findings[0]
    return list(found.together)


def crowds(view: View) -> list[int]:
    question = ask(view.release, view.attacker)
    found: list[int] = question.crowds.min(axis=1)[question.groups.group_of].tolist()
    return found


def beliefs(release: ga.Release, before: ga.Earlier) -> list[dict[str, Fraction]]:
    found = fitting(release, KNOWS, [before])
    told = believed(found, "illness")
    return [
        {str(told.labels[value]): chance for value, chance in told.chances[kind].items()}
        for kind in found.profile_of.tolist()
    ]


def test_six_people() -> None:
    now, before = released(SIX, SIX, (1, 2)), earlier(released(SIX, SIX, (0, 2)))
    (found,) = together(now, KNOWS, before, identity="1/2", attribute="3/5")
    assert crowds(found.view) == [3, 3, 3, 3, 2, 3]
    fifths = Fraction(2, 5), Fraction(3, 5)
    assert beliefs(now, before) == [
        {"flu": 1},
        {"flu": fifths[0], "hiv": fifths[1]},
        {"flu": fifths[0], "hiv": fifths[1]},
        {"flu": fifths[0], "ulcer": fifths[1]},
        {"flu": fifths[0], "ulcer": fifths[1]},
        {"flu": Fraction(1, 4), "hiv": Fraction(3, 4)},
    ]
    assert found.risk is not None
    assert found.risk.over == 2
    assert found.risk.figures == {
        "exposed_people": 2,
        "certain_people": 2,
        "register_exposed_people": 2,
        "register_mean_belief": pytest.approx(2 / 3),
    }
    assert [(one.target, one.value, one.chance) for one in found.over] == [
        (1, "flu", 1),
        (6, "hiv", 1),
    ], "6 by their rows with 3/4, and for certain to somebody who knows everybody"
    assert found.before is not None
    assert [one.chance for one in found.before.exposures if one.chance > Fraction(3, 5)] == [
        Fraction(2, 3)
    ] * 3


def test_unknown_links_are_judged_both_ways() -> None:
    now, before = released(SIX, SIX, (1, 2)), earlier(released(SIX, SIX, (0, 2)), linked="unknown")
    ways = together(now, KNOWS, before, identity="1/2")
    assert [one.view.linked for one in ways] == ["rows", "people"]
    assert [one.safe for one in ways] == [False, True]
    assert together(now, KNOWS, earlier(released(SIX, SIX, (0, 2)), linked="nobody"), identity="1/2") == []


def test_rows_that_cannot_be_joined_are_protected() -> None:
    now, before = released(SIX, SIX, (1, 2)), earlier(released(SIX, SIX, (0, 2)))
    found = ga.protect(now, KNOWS, ga.Tolerance(identity="1/3"), earlier=before)
    assert found.verdict == "safe"
    assert list(found.release.withheld.cells) == [(5, "job")]


def test_whoever_knows_the_method_is_protected_from_by_rows_that_are_equal_in_all() -> None:
    people: list[Row] = [("x", "1", "f"), ("x", "2", "f"), ("y", "1", "f"), ("y", "2", "h"), ("y", "2", "h")]
    knows, limits = ga.KnowsDirectory(columns=["age", "job"]), ga.Tolerance(identity="1/2")
    now, before = released(people, people, (1, 2)), earlier(released(people, people, (0, 2)))
    (as_planned,) = together(now, knows, before, identity="1/2")
    assert as_planned.safe is None
    assert list(as_planned.over) == []
    found = ga.protect(now, knows, limits, earlier=before)
    assert found.verdict == "safe"
    shown = found.release.published
    assert isinstance(shown, ga.Table)
    assert shown.weights.min() >= 2


@st.composite
def never_blank(draw: Any, most: int = 5) -> tuple[list[Row], list[Row], list[Row]]:
    """Give people and two releases of them that show the last column of everybody."""
    size = draw(st.integers(2, most))
    people: list[Row] = [
        (draw(st.sampled_from("xy")), draw(st.sampled_from("12")), draw(st.sampled_from("fh")))
        for _ in range(size)
    ]
    shows = []
    for column in (0, 1):
        kept = [frozenset({2, *([column] if draw(st.integers(0, 2)) else [])}) for _ in people]
        shows.append([oracle.keep(row, one) for row, one in zip(people, kept, strict=True)])
    return people, shows[0], shows[1]


@sized(60)
@given(never_blank())
def test_crowds_and_beliefs_are_those_of_all_worlds(shows: tuple[list[Row], ...]) -> None:
    people, before, now = shows
    known = [(*person[:2], None) for person in people]
    release = released(people, now, (1, 2))
    given_before = earlier(released(people, before, (0, 2)), linked="unknown")
    found = {
        one.view.linked: crowds(one.view) for one in together(release, KNOWS, given_before, identity="1/2")
    }
    places = range(len(people))
    assert found["people"] == [oracle.crowd_of_people(before, now, known, row) for row in places]
    assert found["people"] == [oracle.crowd_of_worlds(before, now, known, row) for row in places]
    alone = [oracle.crowd_alone(now, known, row) for row in places]
    assert all(a <= b <= c for a, b, c in zip(found["rows"], found["people"], alone, strict=True))
    assert beliefs(release, given_before) == [
        oracle.belief_of_worlds([before, now], person, 2) for person in known
    ]


@settings(max_examples=20, deadline=None)
@given(never_blank(3))
def test_beliefs_of_three_releases(shows: tuple[list[Row], ...]) -> None:
    people, before, now = shows
    third = [oracle.keep(row, frozenset({2})) for row in people]
    release = released(people, now, (1, 2))
    several = [
        earlier(released(people, before, (0, 2)), "2024"),
        earlier(released(people, third, (2,)), "2025"),
    ]
    told = believed(fitting(release, KNOWS, several), "illness")
    found = fitting(release, KNOWS, several).profile_of.tolist()
    expected = [oracle.belief_of_worlds([third, before, now], (*person[:2], None), 2) for person in people]
    assert [
        {told.labels[value]: chance for value, chance in told.chances[kind].items()} for kind in found
    ] == expected


def test_a_sensitive_column_that_one_release_alone_has() -> None:
    """Where nothing is shared all joins are possible, and each release tells what it tells alone."""
    people: list[Row] = [("x", "1", "f"), ("x", "2", "h"), ("y", "1", "f")]
    release, before = (
        released(people, people, (1, 2)),
        ga.Earlier(
            ga.Table.from_rows([{"age": person[0]} for person in people]), rows=range(1, 4), linked="people"
        ),
    )
    found = fitting(release, KNOWS, [before])
    told = believed(found, "illness")
    chances = [told.chances[kind] for kind in found.profile_of.tolist()]
    assert [{told.labels[v]: c for v, c in one.items()} for one in chances] == [{"f": 1}, {"h": 1}, {"f": 1}]


def test_what_is_out_is_counted_among_all_people_where_nobody_knows_whose_row_is_whose() -> None:
    people: list[Row] = [("x", "1", "f"), ("x", "1", "f"), ("y", "1", "f"), ("z", "1", "f")]
    blank: list[Row] = [*people[:2], (None, "1", "f"), (None, "1", "f")]
    first = released(people, [blank[0], *blank[2:], blank[2]], (0, 2)).published
    assert isinstance(first, ga.Table)
    given_before = ga.Earlier(
        first, name="2025", linked="people", original=released(people, people, (0, 2)).original
    )
    (found,) = together(released(people, people, (1, 2)), KNOWS, given_before, identity="1/2")
    assert found.before is not None
    assert found.before.over == 0
    assert not found.given_away


@pytest.mark.parametrize("rows", [True, False])
def test_blanks_in_a_shared_column_are_judged_by_joined_rows_or_not(rows: bool) -> None:
    people: list[Row] = [("x", "1", "f"), ("x", "1", "f"), ("y", "1", "h"), ("y", "1", "h")]
    blank = [(*person[:2], None if row == 0 else person[2]) for row, person in enumerate(people)]
    release, first = released(people, blank, (1, 2)), released(people, people, (0, 2))
    before = earlier(first, rows=range(1, 5) if rows else None)
    (two,) = together(release, KNOWS, before, identity="1/2")
    assert two.safe is (True if rows else None)
    assert two.view.bound is rows
    (four,) = together(release, KNOWS, before, identity="1/4")
    assert four.safe is None
    (told,) = together(release, KNOWS, before, attribute="9/10")
    assert told.safe is None
    assert ga.protect(release, KNOWS, ga.Tolerance(attribute="9/10"), earlier=before).verdict != "safe"


@pytest.mark.parametrize(
    "attacker",
    [
        ga.KnowsDirectory(match={"job": ga.Jaro()}, knows_method=False),
        ga.KnowsDirectory(at_most=1, knows_method=False),
        ga.KnowsDirectory(
            people=ga.Table.from_rows([{"id": "1", "job": "cook"}, {"id": "2", "job": "smith"}], id="id"),
            knows_method=False,
        ),
    ],
)
def test_attackers_of_whom_nothing_is_known_cannot_be_judged(attacker: ga.KnowsDirectory) -> None:
    now, before = released(SIX, SIX, (1, 2)), earlier(released(SIX, SIX, (0, 2)))
    (found,) = together(now, attacker, before, identity="1/2")
    assert found.safe is None
    assert "not worked out" in found.reasons[0]


# Somebody who knows the method.


@settings(max_examples=40, deadline=None)
@given(never_blank(), st.integers(2, 3))
def test_whoever_knows_the_method_sees_rows_that_are_equal_in_all_that_is_shared(
    shows: tuple[list[Row], ...], crowd: int
) -> None:
    people, before, now = shows
    release = released(people, now, (1, 2))
    knows = ga.KnowsDirectory(columns=["age", "job"])
    given_before = earlier(released(people, before, (0, 2)))
    (found,) = together(release, knows, given_before, identity=Fraction(1, crowd))
    least = min(worlds.crowd_of_people(now, row) for row in range(len(people)))
    assert found.safe is (True if least >= crowd else None)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(*(st.sampled_from("xy") for _ in range(3))), min_size=4, max_size=5))
def test_nothing_safe_is_over_the_limit_for_whoever_knows_both_plans(people: list[Row]) -> None:
    """Both plans and all draws are listed; the shared column is known of nobody."""
    columns = frozenset({0}), frozenset({1})
    rules = (
        worlds.least(2, columns[0]),
        worlds.least(2, columns[1], values=lambda seen: seen[0]),
    )
    draws = list(worlds.drawn_twice([(Fraction(1), people)], columns, *rules))
    chances = worlds.chances_of_people(draws, frozenset({2}))
    knows = ga.KnowsDirectory(columns=["age", "job"])
    told = [oracle.keep(person, frozenset({2})) for person in people]
    for _, _, first, second in draws:
        if second is None:
            continue
        looks = [list(zip(rows, told, strict=True)) for rows in (first, second)]
        before, now = ([oracle.merged(look) for look in one] for one in looks)
        given_before = earlier(released(people, before, (0, 2)))
        (found,) = together(released(people, now, (1, 2)), knows, given_before, identity="1/2")
        if found.safe:
            seen = tuple(frozenset(Counter(one).items()) for one in reversed(looks))
            assert max(chances[seen].values()) <= Fraction(1, 2)
