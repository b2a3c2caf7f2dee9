"""Dealing the forms of a plan to rows, by lot."""

from random import Random

import numpy as np

from giveaway.crowds.forms import CrowdProfiles, Flags, Vectors
from giveaway.crowds.plan import Plan
from giveaway.crowds.state import Space
from giveaway.errors import DataError
from giveaway.model.data.arrays import Ints
from giveaway.model.release.lot import lots


def deal(plan: Plan, profile_of_row: Ints, *names: object) -> Vectors:
    """Deal the forms of each profile to its rows by lot, and return the level of each column in each row.

    `names` tell apart what would be dealt alike.

    Rows must be those that were planned, or fewer. Whoever can repeat the draw knows who carries what.

    Of three rows aa and one ab, one of the three is shown as a-, like ab:

    >>> from giveaway.crowds.forms import ColumnForms
    >>> from giveaway.crowds.plan import plan
    >>> rows = np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    >>> profiles, profile_of = CrowdProfiles.of_rows(rows, [ColumnForms(values=1), ColumnForms(values=2)])
    >>> levels = deal(plan(profiles, 2), profile_of)
    >>> levels[:3].sum(axis=0).tolist(), levels[3].tolist()
    ([0, 1], [0, 1])
    """
    source = lots("crowds", names, profile_of_row, plan.profile, plan.vectors, plan.members)
    return plan.vectors[_lines(plan, profile_of_row, source)]


def open_forms(plan: Plan, profiles: CrowdProfiles) -> tuple[Vectors, Flags]:
    """Return the levels at which each profile has the cheapest form of a plan with a crowd, and whether there is one."""
    space = Space(profiles, plan.crowd)
    at_line = plan.profiles.parts
    key = sum(
        (part[level, plan.profile] for part, level in zip(at_line, plan.vectors.T, strict=True)),
        0 * plan.profile,
    )
    crowds = np.unique(key[_with_crowd(plan)])
    last = np.array([one.last for one in profiles.levels], np.int8)
    levels, waiting = np.tile(last, (len(profiles.codes), 1)), np.arange(len(profiles.codes))
    for number, vector in enumerate(space.vectors):
        might = space.allowed(number, waiting)
        here = might[np.isin(space.keys(number, might), crowds)]
        levels[here] = vector
        waiting = np.setdiff1d(waiting, here)
    return levels, ~np.isin(np.arange(len(levels)), waiting)


def _with_crowd(plan: Plan) -> Flags:
    """Tell which lines of a plan have a form with a crowd."""
    enough: Flags = plan.split.crowds[plan.split.form] >= plan.crowd
    return enough


def _lines(plan: Plan, profile_of_row: Ints, source: Random) -> Ints:
    """Deal a line of the plan to each row."""
    order = np.argsort(profile_of_row, kind="stable")
    starts = np.searchsorted(profile_of_row[order], np.arange(len(plan.profiles.counts) + 1)).tolist()
    first = np.searchsorted(plan.profile, np.arange(len(plan.profiles.counts) + 1)).tolist()
    line_of = np.full(len(profile_of_row), -1)
    for profile in np.unique(profile_of_row).tolist():
        rows = order[starts[profile] : starts[profile + 1]]
        lines = np.arange(first[profile], first[profile + 1])
        hand = np.repeat(lines, plan.members[lines])
        if len(rows) > len(hand):
            raise DataError("There are more rows of a profile than the plan has members.")
        if len(lines) > 1:
            hand = np.array(source.sample(hand.tolist(), len(rows)))
        line_of[rows] = hand[: len(rows)]
    return line_of
