"""Dealing the forms of a plan to rows, by lot."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from secrets import SystemRandom
from typing import Any

import numpy as np

from giveaway.crowds.forms import Flags, Profiles, Vectors
from giveaway.crowds.plan import Plan
from giveaway.crowds.state import Space
from giveaway.errors import DataError
from giveaway.model.data.arrays import Ints, alike


@dataclass(frozen=True, eq=False)
class Dealt:
    """The level of each column in each row, as dealt: to be kept by the owner, and used again for the same data."""

    levels: Vectors

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data: the different vectors of levels, and which of them each row has."""
        vectors, number = np.unique(self.levels, axis=0, return_inverse=True)
        return {"levels": vectors.tolist(), "rows": number.reshape(-1).tolist()}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> "Dealt":
        """Restore what `to_plain` gave.

        >>> dealt = Dealt(np.array([[0, 1], [0, 0], [0, 1]], np.int8))
        >>> dealt.to_plain()
        {'levels': [[0, 0], [0, 1]], 'rows': [1, 0, 1]}
        >>> (Dealt.from_plain(dealt.to_plain()).levels == dealt.levels).all()
        np.True_
        """
        vectors, rows = data["levels"], np.array(data["rows"], np.int64)
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(vectors):
            raise DataError("What was dealt to rows names a form that it does not hold.")
        return cls(np.array(vectors, np.int8)[rows])

    def form_of_row(self, profiles: Profiles, profile_of_row: Ints) -> Ints:
        """Number the published forms in the order of their labels, and return that of each row."""
        return alike(list(profiles.labels_of(profile_of_row, self.levels).T))[0]


def deal(plan: Plan, profile_of_row: Ints, random: Random | None = None) -> Dealt:
    """Deal the forms of each profile to its rows by lot, from the entropy of the operating system.

    Rows must be those that were planned, or fewer. `random` is for tests only: whoever can repeat the draw knows who
    carries what.

    Of three rows aa and one ab, one of the three is shown as a-, like ab:

    >>> from giveaway.crowds.forms import Levels
    >>> from giveaway.crowds.plan import plan
    >>> rows = np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    >>> profiles, profile_of = Profiles.of_rows(rows, [Levels(values=1), Levels(values=2)])
    >>> dealt = deal(plan(profiles, 2), profile_of)
    >>> dealt.levels[:3].sum(axis=0).tolist(), dealt.levels[3].tolist()
    ([0, 1], [0, 1])
    """
    line_of = _lines(plan, profile_of_row, SystemRandom() if random is None else random)
    if (line_of < 0).any():
        raise DataError("There are more rows of a profile than the plan has members.")
    return Dealt(plan.vectors[line_of])


def deal_records(
    plan: Plan, records: Profiles, profile_of_record: Ints, random: Random | None = None
) -> tuple[Dealt, Flags]:
    """Deal forms to records of people in a directory that was planned; tell too which records got one with a crowd.

    Every record gets the form of somebody of its profile, nobody's twice. Where nobody is listed, or too few, it gets
    the cheapest form that enough listed people carry; a record without any is left blank in all columns. A record is
    then somebody's with a chance of at most 1 / N_x, counted in the directory, for whoever believes that having a record
    does not go with the profile. The plan must not have looked at which profiles have records.

    A directory of three people aa and one ab, and a record ac, whose profile nobody has:

    >>> from giveaway.crowds.forms import Levels
    >>> from giveaway.crowds.plan import plan
    >>> levels = [Levels(values=1), Levels(values=3)]
    >>> people, _ = Profiles.of_rows(np.array([[0, 0], [0, 0], [0, 0], [0, 1]]), levels)
    >>> dealt, has_one = deal_records(plan(people, 2), *Profiles.of_rows(np.array([[0, 1], [0, 2]]), levels))
    >>> dealt.levels.tolist(), has_one.tolist()
    ([[0, 1], [0, 1]], [True, True])
    """
    both = np.concatenate([plan.profiles.codes, records.codes])
    number = alike(list(both.T))[0]
    listed = np.full(int(number.max(initial=-1)) + 1, -1)
    listed[number[: len(plan.profiles.codes)]] = np.arange(len(plan.profiles.codes))
    profile_of = listed[number[len(plan.profiles.codes) :]][profile_of_record]
    line_of = np.full(len(profile_of), -1)
    known = np.flatnonzero(profile_of >= 0)
    line_of[known] = _lines(plan, profile_of[known], SystemRandom() if random is None else random)
    vectors, has_one = open_forms(plan, records)
    dealt = np.where((line_of >= 0)[:, None], plan.vectors[line_of], vectors[profile_of_record])
    enough = _with_crowd(plan)
    return Dealt(dealt), np.where(line_of >= 0, enough[line_of], has_one[profile_of_record])


def open_forms(plan: Plan, profiles: Profiles) -> tuple[Vectors, Flags]:
    """Return the levels at which each profile has the cheapest form of a plan with a crowd, and whether there is one."""
    space = Space(profiles, plan.crowd)
    at_line = plan.profiles.parts
    key = sum(
        (part[level, plan.profile] for part, level in zip(at_line, plan.vectors.T, strict=True)),
        0 * plan.profile,
    )
    crowds = np.unique(key[_with_crowd(plan)])
    last = np.array([one.last for one in profiles.levels], np.int8)
    found, waiting = np.tile(last, (len(profiles.codes), 1)), np.arange(len(profiles.codes))
    for number, vector in enumerate(space.vectors):
        might = space.allowed(number, waiting)
        here = might[np.isin(space.keys(number, might), crowds)]
        found[here] = vector
        waiting = np.setdiff1d(waiting, here)
    return found, ~np.isin(np.arange(len(found)), waiting)


def _with_crowd(plan: Plan) -> Flags:
    """Tell which lines of a plan have a form with a crowd."""
    enough: Flags = plan.split.crowds[plan.split.form] >= plan.crowd
    return enough


def _lines(plan: Plan, profile_of_row: Ints, source: Random) -> Ints:
    """Deal a line of the plan to each row; -1 to rows of a profile that are more than its members."""
    order = np.argsort(profile_of_row, kind="stable")
    starts = np.searchsorted(profile_of_row[order], np.arange(len(plan.profiles.counts) + 1)).tolist()
    first = np.searchsorted(plan.profile, np.arange(len(plan.profiles.counts) + 1)).tolist()
    line_of = np.full(len(profile_of_row), -1)
    for profile in np.unique(profile_of_row).tolist():
        rows = order[starts[profile] : starts[profile + 1]]
        lines = np.arange(first[profile], first[profile + 1])
        hand = np.repeat(lines, plan.members[lines])
        if len(lines) > 1 or len(rows) > len(hand):
            held = hand.tolist() + [-1] * (len(rows) - len(hand))
            hand = np.array(source.sample(held, len(rows)))
        line_of[rows] = hand[: len(rows)]
    return line_of
