"""Somebody who knows everybody's values, where rows cannot be joined: against listing all worlds, and a solver of maximum entropy."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.directory.together.test_people import KNOWS, SIX, earlier, released, together
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Row

import giveaway as ga
from giveaway.attacks.directory.together import register as module
from giveaway.attacks.directory.together.fitting import Fitting, fitting
from giveaway.attacks.directory.together.register import Register, register
from giveaway.maximum_entropy.constraints import ConstraintRows
from giveaway.maximum_entropy.solve import solve

PEOPLE = st.lists(
    st.tuples(st.sampled_from("xy"), st.sampled_from("pq"), st.sampled_from("stu")), min_size=2, max_size=4
)
HIDDEN = st.lists(st.booleans(), min_size=4, max_size=4)


def releases(people: list[Row], hidden: tuple[list[bool], list[bool]]) -> list[list[Row]]:
    """Age and illness, then job and illness; age and job are blank in some rows."""
    ages, jobs = hidden
    return [
        [(None if gone else age, None, ill) for (age, _, ill), gone in zip(people, ages, strict=False)],
        [(None, None if gone else job, ill) for (_, job, ill), gone in zip(people, jobs, strict=False)],
    ]


def told(people: list[Row], shown: list[list[Row]]) -> tuple[Fitting, Register]:
    before = earlier(released(people, shown[0], (0, 2)))
    found = fitting(released(people, shown[1], (1, 2)), KNOWS, [before])
    known = register(found, ["illness"])
    assert known is not None
    return found, known


@settings(max_examples=60, deadline=None)
@given(PEOPLE, HIDDEN, HIDDEN)
def test_what_is_ruled_out_is_ruled_out_in_every_world(
    people: list[Row], ages: list[bool], jobs: list[bool]
) -> None:
    shown = releases(people, (ages, jobs))
    found, known = told(people, shown)
    everybody = [oracle.keep(row, frozenset([0, 1])) for row in people]
    labels = found.labels["illness"]
    for person, kind in enumerate(found.profile_of.tolist()):
        worlds = oracle.belief_of_register(shown, everybody, person, 2)
        left = {str(labels[value]) for value in known.values[0][known.alive[kind]].tolist()}
        assert worlds.keys() <= left
        certain = int(known.certain(0)[kind])
        assert certain < 0 or worlds == {labels[certain]: 1}


@settings(max_examples=60, deadline=None)
@given(PEOPLE, HIDDEN, HIDDEN)
def test_the_estimate_is_that_of_maximum_entropy(
    people: list[Row], ages: list[bool], jobs: list[bool]
) -> None:
    found, known = told(people, releases(people, (ages, jobs)))
    kinds = {"illness": known.values[0]}
    rows = [module._tells(found, one, kinds).rows for one in found.releases]  # type: ignore[union-attr]
    exact = solve(found.people, known.alive.shape[1], reduce(ConstraintRows.joined, rows))
    assert known.chance is not None
    assert np.allclose(known.chance, exact.chance, atol=2e-2)


def test_six_people_are_believed_as_by_listing_all_worlds() -> None:
    found, known = told(SIX, releases(SIX, ([False] * 6, [False] * 6)))
    labels = [found.labels["illness"][value] for value in known.values[0].tolist()]
    assert known.chance is not None
    worlds = [
        oracle.belief_of_register_by_values(
            (frozenset([0]), frozenset([1])), [row[:2] for row in SIX], [row[2] for row in SIX], person
        )
        for person in range(6)
    ]
    for person, kind in enumerate(found.profile_of.tolist()):
        chances = dict(zip(labels, known.chance[kind].tolist(), strict=True))
        assert {value: chance for value, chance in chances.items() if chance} == pytest.approx(
            {value: float(chance) for value, chance in worlds[person].items()}
        )
    assert known.above(0.9) == 2


def test_nothing_is_safe_that_the_estimate_puts_over_the_limit() -> None:
    """Nobody is known with more than 2/3 by their rows, and some with 5/7 to somebody who knows everybody."""
    words = ["bxv", "byu", "bxv", "ayu", "bxv", "axu", "ayv", "bxu", "ayv", "axv"]
    people: list[Row] = [tuple(row) for row in words]
    now, before = released(people, people, (1, 2)), earlier(released(people, people, (0, 2)))
    (seen,) = together(now, KNOWS, before, attribute="2/3")
    assert seen.risk is not None
    assert (seen.safe, seen.risk.over, seen.risk.worst.worst) == (None, 0, Fraction(2, 3))
    assert "Somebody who knows everybody's values" in seen.reasons[0]
    columns, values = (frozenset([0]), frozenset([1])), [row[2] for row in people]
    everybody = [row[:2] for row in people]
    worlds = [oracle.belief_of_register_by_values(columns, everybody, values, at) for at in (1, 5)]
    assert max(max(one.values()) for one in worlds) > Fraction(2, 3), "and so it is in all worlds"
    (wide,) = together(now, KNOWS, before, attribute="4/5")
    assert wide.safe


def test_who_is_certain_to_somebody_with_a_register_is_exposed() -> None:
    now, before = released(SIX, SIX, (1, 2)), earlier(released(SIX, SIX, (0, 2)))
    (seen,) = together(now, KNOWS, before, attribute="4/5")
    assert seen.risk is not None
    assert seen.safe is False
    told = {
        one.target["row"] if isinstance(one.target, dict) else one.target: one.because
        for one in seen.risk.exposures[:2]
    }
    assert all("In all ways to give everybody a row that fits them" in one for one in told.values())
    assert isinstance(ga.assess(now, KNOWS, ga.Tolerance(attribute="4/5"), earlier=before).to_dict(), dict)
