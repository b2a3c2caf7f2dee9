"""Rows of releases that can be joined: judged, and protected given what is out, against trying and listing everything."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.directory.together.small_tables import (
    NAMES,
    SIX,
    earlier,
    released,
    shown_rows,
    six,
    table,
)
from tests.oracles.composition import informed as worlds
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Row
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.question import ask
from giveaway.attacks.together import View
from giveaway.finding import Finding


def finding(release: ga.Release, attacker: ga.KnowsDirectory, crowd: int, *before: ga.Earlier) -> Finding:
    return ga.assess(release, attacker, ga.Tolerance(identity=Fraction(1, crowd)), earlier=before).findings[0]


def crowds(view: View, release: ga.Release | None = None) -> list[int]:
    """Return how many people each row of a view may be."""
    question = ask(release or view.release, view.attacker)
    found: list[int] = question.crowds.min(axis=1)[question.groups.group_of].tolist()
    return found


# The six people of the worked example.


def test_six_people_are_each_in_a_crowd_of_three_and_not_together() -> None:
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    found = finding(ga.Release(six("job", "illness")), knows, 3, earlier(ga.Release(six("age", "illness"))))
    (together,) = found.together
    assert found.risk is not None
    assert found.risk.over == 0
    assert crowds(together.view) == [1, 2, 2, 2, 2, 1]
    assert found.safe is False
    assert not together.given_away
    assert len(together.only_together) == 6
    assert [one.target for one in together.only_together[:2]] == [1, 6]
    assert found.reasons == ("With the file of 2025: For 6 of 6 records, fewer than 3 people fit.",)


@pytest.mark.parametrize("knows_method", [False, True])
def test_what_joined_rows_tell_of_the_illness(knows_method: bool) -> None:
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=knows_method)
    release, before = ga.Release(six("job", "illness")), earlier(ga.Release(six("age", "illness")))
    limits = ga.Tolerance(attribute=Fraction(1, 2))
    (together,) = ga.assess(release, knows, limits, earlier=before).findings[0].together
    believed = {(one.target, one.value): one.chance for one in together.risk.exposures}  # type: ignore[union-attr]
    assert believed[1, "flu"] == 1
    assert believed[6, "hiv"] == 1
    assert {believed[person, value] for person, value in believed if person in (2, 3, 4, 5)} == {
        Fraction(1, 2)
    }
    assert together.risk is not None
    assert together.risk.over == 2


def test_six_people_are_protected_given_their_ages() -> None:
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    release, before = ga.Release(six("job", "illness")), earlier(ga.Release(six("age", "illness")))
    found = ga.protect(release, knows, ga.Tolerance(identity="1/2"), earlier=before)
    assert found.verdict == "safe"
    assert list(found.release.withheld.cells) == [(1, "job"), (6, "job")]
    with pytest.raises(ga.NoSafeRelease, match="all values of job"):
        ga.protect(release, knows, ga.Tolerance(identity="1/3"), earlier=before)


def test_six_people_cannot_be_protected_from_whoever_knows_the_method() -> None:
    knows = ga.KnowsDirectory(columns=["age", "job"])
    with pytest.raises(ga.NoSafeRelease, match="all values of job"):
        ga.protect(
            ga.Release(six("job", "illness")),
            knows,
            ga.Tolerance(identity="1/2"),
            earlier=earlier(ga.Release(six("age", "illness"))),
        )


def test_a_blank_that_is_filled_in_still_tells_whom_an_earlier_plan_blanked() -> None:
    people = [("a", "b"), ("a", "a"), ("b", "b"), ("a", "c"), ("c", "a"), ("a", "b")]
    before = [("a", None), ("a", None), (None, None), (None, None), (None, None), ("a", None)]
    now = [("a", None), ("a", None), (None, None), ("a", None), (None, None), ("a", None)]
    wide = [(*person, None) for person in people]
    first = released(wide, [(*row, None) for row in before], (0, 1))
    second = released(wide, [(*row, None) for row in now], (0,))
    found = finding(second, ga.KnowsDirectory(), 2, earlier(first))
    assert crowds(found.together[0].view) == [3, 3, 2, 1, 2, 3]
    assert found.safe is False


def test_looks_that_read_the_same_are_two() -> None:
    """A row without "a" and "b" is not like one without "a and b"."""
    names = ("a", "b", "a and b")
    people = ga.Table.from_rows([dict.fromkeys(names, "x") for _ in range(2)])
    first = ga.Release(people, ga.Withheld(cells=[(1, "a"), (1, "b"), (2, "a and b")]))
    found = finding(ga.Release(people), ga.KnowsDirectory(), 2, earlier(first))
    assert crowds(found.together[0].view) == [1, 1]


# Against trying everything.

CELLS = st.lists(st.booleans(), min_size=3, max_size=3)


@st.composite
def given_twice(
    draw: Any, least: int = 2
) -> tuple[list[Row], list[Row], list[Row], tuple[tuple[int, ...], ...]]:
    """Give people, what two releases show of them, and the columns of each release."""
    size = draw(st.integers(least, 5))
    value = st.sampled_from("xy")
    people = [tuple(draw(value) for _ in NAMES) for _ in range(size)]
    columns = draw(
        st.sampled_from([((0, 1), (1, 2)), ((0,), (1, 2)), ((0, 1, 2), (0, 1)), ((0, 1), (0, 1, 2))])
    )
    shows = []
    for some in columns:
        kept = [[place for place, keep in enumerate(draw(CELLS)) if keep and place in some] for _ in people]
        shows.append([oracle.keep(row, frozenset(one)) for row, one in zip(people, kept, strict=True)])
    return people, shows[0], shows[1], columns


def looked_at(now: ga.Release) -> None:
    """Leave out releases that show nothing of what is compared."""
    assume(not now.is_empty)


@settings(max_examples=30, deadline=None)
@given(given_twice(), st.booleans())
def test_crowds_of_joined_rows_are_those_of_the_oracle(
    given_away: tuple[Any, ...], knows_method: bool
) -> None:
    people, before, now, columns = given_away
    release = released(people, now, columns[1])
    looked_at(release)
    (together,) = finding(
        release,
        ga.KnowsDirectory(knows_method=knows_method),
        2,
        earlier(released(people, before, columns[0])),
    ).together
    places = range(len(people))
    if knows_method:
        assert crowds(together.view) == [worlds.crowd_of_looks([before, now], row) for row in places]
    else:
        assert crowds(together.view) == [oracle.crowd_of_rows([before, now], people, row) for row in places]
        assert together.view.before is not None
        assert crowds(together.view, together.view.before) == [
            oracle.crowd_alone(before, people, row) for row in places
        ]


@settings(max_examples=25, deadline=None)
@given(given_twice(), st.integers(2, 3))
def test_as_much_is_shown_as_can_be_given_what_is_out(given_away: tuple[Any, ...], crowd: int) -> None:
    people, before, _, columns = given_away
    first, release = released(people, before, columns[0]), released(people, people, columns[1])
    knows, limits = ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity=Fraction(1, crowd))
    best = oracle.best_given_before(people, before, frozenset(columns[1]), crowd)
    try:
        found = ga.protect(release, knows, limits, earlier=earlier(first))
    except ga.NoSafeRelease:
        assert best is None or sum(best) == 0
        return
    assert found.verdict == "safe"
    assert best is not None
    kept = len(people) * len(columns[1]) - len(found.release.withheld.cells)
    out = [oracle.shown(row) for row in before]
    assert kept == sum(most for most in best), (
        "what is out is shown again without loss, so that the most that can be shown counts it"
    )
    assert out


@settings(max_examples=30, deadline=None)
@given(given_twice(3), st.integers(2, 3))
def test_nothing_safe_together_is_over_the_limit_for_whoever_knows_both_plans(
    given_away: tuple[Any, ...], crowd: int
) -> None:
    """Both releases are protected as the product does it; then all worlds are listed."""
    people, _, _, columns = given_away
    knows, limits = ga.KnowsDirectory(), ga.Tolerance(identity=Fraction(1, crowd))
    try:
        first = ga.protect(released(people, people, columns[0]), knows, limits).release
        second = ga.protect(released(people, people, columns[1]), knows, limits, earlier=earlier(first))
    except ga.NoSafeRelease:
        return
    assert second.verdict == "safe"
    shows = [shown_rows(first, columns[0]), shown_rows(second.release, columns[1])]
    assert max(worlds.chances_as_observed(people, shows).values()) <= Fraction(1, crowd)
    assert all(worlds.crowd_of_looks(shows, row) >= crowd for row in range(len(people)))


@settings(max_examples=30, deadline=None)
@given(given_twice(3), st.integers(2, 3))
def test_nothing_that_is_called_safe_is_over_the_limit_in_some_world(
    given_away: tuple[Any, ...], crowd: int
) -> None:
    """Files as they are, blanks made by hand."""
    people, before, now, columns = given_away
    release = released(people, now, columns[1])
    looked_at(release)
    found = finding(release, ga.KnowsDirectory(), crowd, earlier(released(people, before, columns[0])))
    chances = worlds.chances_as_observed(people, [before, now])
    if found.safe:
        assert max(chances.values()) <= Fraction(1, crowd)


# Properties.


@sized(30)
@given(given_twice(), st.booleans())
def test_properties_of_looking_at_releases_together(given_away: tuple[Any, ...], knows_method: bool) -> None:
    people, before, now, columns = given_away
    release = released(people, now, columns[1])
    looked_at(release)
    knows = ga.KnowsDirectory(knows_method=knows_method)
    alone = finding(release, knows, 2)
    assert alone.together == ()
    again = finding(release, knows, 2, earlier(release, "again"))
    assert again.safe == alone.safe
    assert again.together[0].safe == alone.safe
    first, second = earlier(released(people, before, columns[0]), "2024"), earlier(release, "2025")
    both, turned = finding(release, knows, 2, first, second), finding(release, knows, 2, second, first)
    of = {one.view.releases: crowds(one.view) for one in both.together}
    back = {tuple(sorted(one.view.releases)): crowds(one.view) for one in turned.together}
    assert of == back
    for one in of.values():
        assert all(more <= fewer for more, fewer in zip(of["2024", "2025"], one, strict=True))


# What is out already.


def test_what_is_out_already_is_refused_or_accepted() -> None:
    people: list[Row] = [("x", "x", "x"), ("y", "x", "x"), ("y", "x", "y"), ("y", "x", "y"), ("y", "x", "x")]
    first, release = released(people, people, (0, 1)), released(people, people, (2,))
    limits = ga.Tolerance(identity="1/2")
    for knows_method in (False, True):
        knows = ga.KnowsDirectory(knows_method=knows_method)
        found = finding(release, knows, 2, earlier(first))
        assert found.together[0].given_away
        assert found.together[0].before is not None
        assert found.together[0].before.over == 1
        with pytest.raises(ga.NoSafeRelease, match="already gave away") as error:
            ga.protect(release, knows, limits, earlier=earlier(first))
        assert error.value.proved
        accepted = ga.protect(release, knows, limits, earlier=earlier(first, already="accept"))
        assert accepted.verdict == "safe"
        # A lone blank tells whose it is by itself, to whoever knows the method.
        hidden = [(1, "c"), (3, "c"), (4, "c")] if knows_method else [(1, "c")]
        assert list(accepted.release.withheld.cells) == hidden
        assert accepted.findings[0].together[0].before is not None
        assert accepted.findings[0].together[0].before.over == 1
        # It adds nothing to what is out, and that alone does not make it safe.
        again = replace(accepted.release, earlier=())
        assert ga.assess(again, knows, limits, earlier=earlier(first)).verdict == "at risk"


# Who joined and who left.


def test_who_joined_is_not_hidden_among_those_who_stayed() -> None:
    people: list[Row] = [("x", "x", "x")] * 6
    first = released(people[:4], people[:4], (0,))
    release = released(people[:5], people[:5], (0, 1))
    rows = [1, 2, 3, 0]
    for knows_method in (False, True):
        knows = ga.KnowsDirectory(knows_method=knows_method)
        before = ga.Earlier(first, name="2025", linked="rows", rows=rows)
        found = finding(release, knows, 3, before)
        view = next(one.view for one in found.together if one.view.linked == "rows")
        assert crowds(view) == [3, 3, 3, 2, 2]
        assert view.figures == {"in_both": 3, "joined": 2, "left": 1}
        assert view.before is not None
        assert crowds(view, view.before) == [4, 4, 4, 4]


# What cannot be judged.


@pytest.mark.parametrize(
    ("attacker", "limits", "before", "said"),
    [
        (ga.KnowsDirectory(at_most=1), {"identity": "1/2"}, {}, "only some columns"),
        (ga.KnowsDirectory(), {"identity": "1/2"}, {"rows": None}, "may"),
        (ga.KnowsDirectory(knows_method=False), {"attribute": "1/2"}, {"rows": None}, "sensitive values"),
        (ga.KnowsDirectory(), {"attribute": "1/2"}, {"blank": True}, "chosen by sensitive values"),
    ],
)
def test_what_is_not_worked_out_cannot_be_judged(
    attacker: ga.KnowsDirectory, limits: dict[str, Any], before: dict[str, Any], said: str
) -> None:
    cells = [(1, "age"), (2, "age")] if before.get("blank") else []
    first = ga.Release(six("age", "illness"), ga.Withheld(cells=cells))
    rows = before.get("rows", range(1, 7))
    given = ga.Earlier(first, name="2025", linked="rows", rows=rows)
    release = ga.Release(six("job", "illness"))
    found = ga.assess(release, attacker, ga.Tolerance(**limits), earlier=given).findings[0]
    assert found.together[0].safe is None
    assert said in found.together[0].reasons[0]
    assert found.safe is not True
    if found.safe is None:
        protected = ga.protect(release, attacker, ga.Tolerance(**limits), earlier=given)
        assert protected.verdict != "safe"


def test_a_directory_of_other_people_is_judged_only_by_fit() -> None:
    people = ga.Table.from_rows(
        [{"name": str(n), "age": row[0], "job": row[1]} for n, row in enumerate([*SIX, *SIX])], id="name"
    )
    release, before = ga.Release(six("job", "illness")), earlier(ga.Release(six("age", "illness")))
    by_fit = finding(release, ga.KnowsDirectory(people=people, knows_method=False), 2, before)
    assert crowds(by_fit.together[0].view) == [2, 4, 4, 4, 4, 2]
    assert finding(release, ga.KnowsDirectory(people=people), 2, before).together[0].safe is None


def test_numbers_of_values_are_not_planned_next_to_earlier_releases() -> None:
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    with pytest.raises(ga.NoSafeRelease, match="not planned"):
        ga.protect(
            ga.Release(six("job", "illness")),
            knows,
            ga.Tolerance(identity="1/2"),
            need=ga.NeedsColumns(per_record=1),
            earlier=earlier(ga.Release(six("age", "illness"))),
        )


# Nobody knows whose row it was.


@settings(max_examples=25, deadline=None)
@given(given_twice())
def test_crowds_without_a_join_are_never_too_large(given_away: tuple[Any, ...]) -> None:
    people, before, now, columns = given_away
    release = released(people, now, columns[1])
    looked_at(release)
    names = [name if place in columns[0] else "" for place, name in enumerate(NAMES)]
    shown = released(people, before, columns[0]).published
    assert isinstance(shown, ga.Table)
    unknown = ga.Earlier(shown, name="2025", linked="rows", original=table(people, names))
    (together,) = finding(release, ga.KnowsDirectory(knows_method=False), 2, unknown).together
    assert together.view.bound
    assert crowds(together.view) == [
        oracle.crowd_without_join(before, now, people, row) for row in range(len(people))
    ]


def test_a_bound_is_called_one() -> None:
    shown = ga.Release(six("age", "illness")).published
    assert isinstance(shown, ga.Table)
    unknown = ga.Earlier(shown, name="2025", linked="rows", original=six("age", "illness"))
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    (together,) = finding(ga.Release(six("job", "illness")), knows, 2, unknown).together
    assert together.to_dict(3)["how"]["method"] == "bound"
    assert together.risk is not None
    assert together.risk.over == 2
