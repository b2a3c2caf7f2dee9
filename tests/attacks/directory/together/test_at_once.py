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
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protect import protect
from giveaway.attacks.directory.together.at_once import at_once
from giveaway.model.release.same_people import SamePeople

KNOWS = ga.KnowsDirectory(knows_method=False)
TABLES = st.lists(st.tuples(*(st.sampled_from("xy") for _ in NAMES)), min_size=3, max_size=6)
COLUMNS = st.sampled_from([((0, 1), (1, 2)), ((0,), (1, 2)), ((0, 1, 2), (0, 1)), ((0,), (1,), (0, 2))])


def planned(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int, knows: ga.KnowsDirectory
) -> dict[str, ga.Release]:
    """Return the releases of some columns each, planned at once."""
    releases = {name: released(people, people, some) for name, some in zip("ABC", columns, strict=False)}
    limits = ga.Tolerance(identity=Fraction(1, crowd))
    joint = at_once(SamePeople.of(releases), knows, limits, None)
    found = protect(joint.release, joint.attacker, limits, None, ga.Effort(), DirectoryOptions())
    return dict(joint.back(found.release))


def test_six_people_may_show_age_or_job() -> None:
    releases = {"A": ga.Release(six("age", "illness")), "B": ga.Release(six("job", "illness"))}
    knows = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    found = ga.protect_together(releases, knows, ga.Tolerance(identity="1/3"))
    (matrix,) = found.matrix
    counted = {some: (count.over, count.alone) for some, count in matrix.before.items()}
    assert counted == {("A",): (0, 0), ("B",): (0, 0), ("A", "B"): (6, 2)}
    assert {(count.over, count.alone) for count in matrix.after.values()} == {(0, 0)}
    assert sum(len(one.withheld.cells) for one in found.assessments.values()) == 6
    assert found.verdict == "safe"
    assert found["A"].safe


@settings(max_examples=25, deadline=None)
@given(TABLES, COLUMNS, st.integers(2, 3))
def test_as_much_is_shown_in_all_as_can_be(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int
) -> None:
    best = oracle.best_at_once(people, [frozenset(some) for some in columns], crowd)
    assert best is not None
    releases = planned(people, columns, crowd, KNOWS)
    entries = len(people) * sum(map(len, columns))
    assert sum(best) == entries - sum(len(one.withheld.cells) for one in releases.values())


@settings(max_examples=12, deadline=None)
@given(TABLES, COLUMNS, st.integers(2, 3))
def test_at_once_is_never_dearer_than_one_after_the_other(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int
) -> None:
    releases = planned(people, columns, crowd, KNOWS)
    limits = ga.Tolerance(identity=Fraction(1, crowd))
    out: list[ga.Earlier] = []
    known: dict[str, None] = {}
    cost = 0
    for name, some in zip("ABC", columns, strict=False):
        known |= dict.fromkeys(NAMES[place] for place in some)
        knows = ga.KnowsDirectory(columns=tuple(known), knows_method=False)
        try:
            found = ga.protect(released(people, people, some), knows, limits, earlier=out)
        except ga.NoSafeRelease:
            return
        if not found.safe:
            return
        cost += len(found.withheld.cells)
        out.append(earlier(found.release, name))
    assert sum(len(one.withheld.cells) for one in releases.values()) <= cost


@settings(max_examples=20, deadline=None)
@given(TABLES, COLUMNS, st.integers(2, 3))
def test_plans_hold_for_whoever_knows_the_method(
    people: list[Row], columns: tuple[tuple[int, ...], ...], crowd: int
) -> None:
    releases = planned(people, columns, crowd, ga.KnowsDirectory())
    shows = [shown_rows(one, some) for one, some in zip(releases.values(), columns, strict=True)]
    assert all(worlds.crowd_of_looks(shows, row) >= crowd for row in range(len(people)))


@pytest.mark.parametrize(
    ("knows", "limits", "what"),
    [
        (ga.KnowsDirectory(at_most=1), ga.Tolerance(identity="1/3"), "at_most"),
        (ga.KnowsDirectory(), ga.Tolerance(average="1/3"), "average"),
    ],
)
def test_what_is_not_planned_at_once(knows: ga.KnowsDirectory, limits: ga.Tolerance, what: str) -> None:
    releases = {"A": ga.Release(six("age", "illness")), "B": ga.Release(six("job", "illness"))}
    with pytest.raises(ga.NothingToJudge, match=f"{what}.*one after the other"):
        ga.protect_together(releases, knows, limits)


def test_fewer_people_than_a_crowd_have_no_release() -> None:
    releases = {"A": ga.Release(six("age", "illness")), "B": ga.Release(six("job", "illness"))}
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect_together(releases, KNOWS, ga.Tolerance(identity="1/7"))
    assert isinstance(refused.value.assessment, ga.Recipients)
    assert refused.value.assessment.verdict == "at risk"
