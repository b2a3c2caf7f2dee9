"""Releases that are planned at once, and recipients who may collude."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.directory.together.small_tables import NAMES, earlier, released, shown_rows, six
from tests.oracles.composition import informed as worlds
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Row

import giveaway as ga
from giveaway.attacks.directory.together.at_once import people_below, plan_at_once

KNOWS = ga.KnowsDirectory(knows_method=False)


def test_six_people_may_show_age_or_job() -> None:
    releases = {"A": ga.Release(six("age", "illness")), "B": ga.Release(six("job", "illness"))}
    limits = ga.Tolerance(identity="1/3")
    assert people_below(releases, KNOWS, limits) == {("A",): (0, 0), ("B",): (0, 0), ("A", "B"): (6, 2)}
    planned = plan_at_once(releases, KNOWS, limits)
    hidden = [len(one.withheld.cells) for one in planned.values()]
    assert sum(hidden) == 6
    assert people_below(planned, KNOWS, limits)["A", "B"] == (0, 0)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(*(st.sampled_from("xy") for _ in NAMES)), min_size=3, max_size=6),
    st.sampled_from([((0, 1), (1, 2)), ((0,), (1, 2)), ((0, 1, 2), (0, 1))]),
    st.integers(2, 3),
)
def test_as_much_is_shown_in_all_as_can_be(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int
) -> None:
    releases = {name: released(people, people, some) for name, some in zip("AB", columns, strict=True)}
    limits = ga.Tolerance(identity=Fraction(1, crowd))
    best = oracle.best_at_once(people, [frozenset(some) for some in columns], crowd)
    assert best is not None
    planned = plan_at_once(releases, KNOWS, limits)
    entries = len(people) * sum(map(len, columns))
    assert sum(best) == entries - sum(len(one.withheld.cells) for one in planned.values())
    assert {over for over, _ in people_below(planned, KNOWS, limits).values()} == {0}
    if not planned["B"].is_empty:
        found = ga.assess(planned["B"], KNOWS, limits, earlier=earlier(planned["A"])).findings[0]
        assert found.together[0].safe


def test_what_is_not_planned_at_once() -> None:
    releases = {"A": ga.Release(six("age", "illness")), "B": ga.Release(six("job", "illness"))}
    with pytest.raises(ga.NothingToJudge, match="at_most"):
        plan_at_once(releases, ga.KnowsDirectory(at_most=1), ga.Tolerance(identity="1/3"))
    with pytest.raises(ga.NoSafeRelease, match="fewer than 7 people"):
        plan_at_once(releases, KNOWS, ga.Tolerance(identity="1/7"))


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(*(st.sampled_from("xy") for _ in NAMES)), min_size=3, max_size=6),
    st.sampled_from([((0, 1), (1, 2)), ((0,), (1, 2)), ((0, 1, 2), (0, 1))]),
    st.integers(2, 3),
)
def test_plans_hold_for_whoever_knows_the_method(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int
) -> None:
    releases = {name: released(people, people, some) for name, some in zip("AB", columns, strict=True)}
    knows, limits = ga.KnowsDirectory(), ga.Tolerance(identity=Fraction(1, crowd))
    planned = plan_at_once(releases, knows, limits)
    shows = [shown_rows(planned[name], some) for name, some in zip("AB", columns, strict=True)]
    assert all(worlds.crowd_of_looks(shows, row) >= crowd for row in range(len(people)))
    assert {over for over, _ in people_below(planned, knows, limits).values()} == {0}
