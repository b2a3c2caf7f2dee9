"""A plan against people who know some of the columns, whichever they are: most rows can then be shown as they are.

Somebody knows the columns C of everybody, sees all published columns, and knows the rule. As long as the plan is a function
of how many people have which values, and lots are drawn among those with the same:

- A row that shows all its values in C is as likely of each of the n_{p_C} people with these values there, because nothing
  else is known of them: a chance of 1 / n_{p_C}, at most 1 / N_{x_C}.
- Rows that show the same in all columns are alike, so that none of them is somebody's with a chance above 1 / N_x. That is
  what a row needs that shows a blank or a coarser label. Others that look like it in C alone do not hide it: what they show
  elsewhere may tell by the rule whose values were withheld.

So rows that are shown as they are need a crowd in every set C of columns, and all others one in all columns together.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from giveaway.crowds.bounds import lower_bound
from giveaway.crowds.draw import open_forms
from giveaway.crowds.forms import BLANK, CrowdProfiles, Flags, Vectors
from giveaway.crowds.plan import Plan, in_order, plan
from giveaway.model.data.arrays import alike

Columns = tuple[int, ...]
"""The places of columns among those of the profiles."""

Known = tuple[Columns, int]
"""Columns that somebody knows, and how many people must look alike in them."""

_MANY = 5_000
"""Of more profiles than this, whoever might be left without a crowd is planned for at once, to save turns."""


def plan_for_some(
    profiles: CrowdProfiles,
    crowd: int,
    sets: Sequence[Known],
    *,
    split: bool = True,
    share: Fraction = Fraction(0),
    rounds: int = 0,
    seed: int = 0,
    apart: Flags | None = None,
) -> Plan:
    """Find a plan in which rows shown as they are have a crowd in every set of columns, and all others one in all columns.

    Profiles that stand `apart` need one in all columns in any case. The settings are those of `plan`, and the plan is never
    dearer than its own, which is safe in every set too.

    Rows aa ab ba bb look alike in each column, though not in both:

    >>> from giveaway.crowds.forms import ColumnForms
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> profiles, _ = CrowdProfiles.of_rows(rows, [ColumnForms(values=2), ColumnForms(values=2)])
    >>> plan(profiles, 2).blanks, plan_for_some(profiles, 2, [((0,), 2), ((1,), 2)]).blanks
    (4, 0)
    """
    whole = plan(profiles, crowd, split=split, share=share, rounds=rounds, seed=seed)
    home = _at_home(profiles, crowd)
    # State: `moved`, the profiles that a plan in all columns is made for; the others stay as they are, and those with a
    # crowd in all columns lend members. Each turn adds those who stay and are short of a crowd in some set, so that it ends.
    planned, moved = home, np.zeros(len(profiles.counts), np.bool_)
    while (new := _profiles(planned, short(planned, sets, apart)) & ~moved).any():
        moved |= new
        if len(moved) > _MANY:
            moved = _not_held(home, sets, moved, apart)
        planned = _moving(home, moved, split=split)
    again = _moving(home, moved, split=split, rounds=rounds, seed=seed)
    safe = [one for one in (again, planned) if not short(one, sets, apart).any()]
    safe += [whole] if whole.below <= share * profiles.rows else []
    best = min(safe, key=lambda one: one.cost, default=whole)
    least = bound_for_some(profiles, crowd, sets)
    return replace(best, optimal=best.cost - _before(profiles) <= least)


def _at_home(profiles: CrowdProfiles, crowd: int) -> Plan:
    """Let everybody show all that they may."""
    return Plan(
        profiles=profiles,
        crowd=crowd,
        profile=np.arange(len(profiles.counts)),
        vectors=profiles.home,
        members=profiles.counts,
        optimal=False,
    )


def _moving(home: Plan, moved: Flags, *, split: bool, rounds: int = 0, seed: int = 0) -> Plan:
    """Plan in all columns for some profiles, with those that have a crowd there as they are; the others stay."""
    profiles = home.profiles
    taken = np.flatnonzero(moved | _has_crowd(home, home.crowd))
    others = np.setdiff1d(home.profile, taken)
    inner = plan(profiles.some(taken), home.crowd, split=split, rounds=rounds, seed=seed)
    return in_order(
        profiles,
        home.crowd,
        np.concatenate([taken[inner.profile], others]),
        np.concatenate([inner.vectors, profiles.home[others]]),
        np.concatenate([inner.members, profiles.counts[others]]),
        optimal=False,
    )


def short(plan: Plan, sets: Sequence[Known], apart: Flags | None = None) -> Flags:
    """Tell which lines of a plan are short of a crowd: in some set where they show all as it is, else in all columns.

    A column in which nobody has a value is left out of account. Profiles that stand `apart` need a crowd in all columns.
    """
    profiles, labels = plan.profiles, plan.labels
    values = profiles.codes[plan.profile] + 1
    known = (profiles.codes + 1 != BLANK).any(axis=0)
    as_it_is = ((labels == values) & (labels != BLANK) | ~known).all(axis=1)
    if apart is not None:
        as_it_is &= ~apart[plan.profile]
    enough = np.ones(len(labels), np.bool_)
    for columns, crowd in sets:
        enough &= _has_crowd(plan, crowd, columns)
    return ~np.where(as_it_is, enough, _has_crowd(plan, plan.crowd))


def _has_crowd(plan: Plan, crowd: int, columns: Columns | None = None) -> Flags:
    """Tell which lines look in some columns, or in all, as enough rows do."""
    labels = plan.labels if columns is None else plan.labels[:, list(columns)]
    form, first = alike(list(labels.T))
    rows = np.bincount(form, weights=plan.members)
    most = np.zeros(len(first), np.int64)
    np.maximum.at(most, form, plan.profiles.needs(crowd)[plan.profile])
    return (rows >= most)[form]


def _profiles(plan: Plan, line: Flags) -> Flags:
    """Mark the profiles of some lines."""
    marks = np.zeros(len(plan.profiles.counts), np.bool_)
    marks[plan.profile[line]] = True
    return marks


def _not_held(home: Plan, sets: Sequence[Known], moved: Flags, apart: Flags | None) -> Flags:
    """Mark who is short of a crowd when all marked ones are gone too, until all others hold each other."""
    moved = moved.copy()
    while True:
        left = np.flatnonzero(~moved)
        stays = replace(home, profile=left, vectors=home.vectors[left], members=home.members[left])
        weak = left[short(stays, sets, apart)]
        if not len(weak):
            return moved
        moved[weak] = True


def bound_for_some(profiles: CrowdProfiles, crowd: int, sets: Sequence[Known]) -> Fraction:
    """Return what no such plan costs less than, above what must be blank.

    >>> from giveaway.crowds.forms import ColumnForms
    >>> rows = np.array([[0, 0], [0, 1], [0, 1], [0, 1]])
    >>> bound_for_some(CrowdProfiles.of_rows(rows, [ColumnForms(values=1), ColumnForms(values=2)])[0], 2, [((0,), 2), ((1,), 2)])
    Fraction(2, 1)
    """
    home = _at_home(profiles, crowd)
    return lower_bound(profiles, crowd, ~short(home, sets)) - _before(profiles)


def _before(profiles: CrowdProfiles) -> Fraction:
    """Return the costs of what must be blank."""
    return Fraction(int(profiles.prices_at(profiles.home) @ profiles.counts), profiles.scale)


def open_for_some(plan: Plan, profiles: CrowdProfiles, sets: Sequence[Known]) -> Vectors:
    """Return the levels at which profiles that a plan does not hold have a crowd of it: as they are, or the cheapest.

    All is blank where there is none.
    """
    vectors = open_forms(plan, profiles)[0]
    both = CrowdProfiles(
        codes=np.concatenate([plan.profiles.codes, profiles.codes]),
        counts=np.concatenate([plan.profiles.counts, 0 * profiles.counts]),
        levels=plan.profiles.levels,
    )
    new = len(plan.profiles.codes) + np.arange(len(profiles.codes))
    shown = Plan(
        profiles=both,
        crowd=plan.crowd,
        profile=np.concatenate([plan.profile, new]),
        vectors=np.concatenate([plan.vectors, np.zeros_like(vectors)]),
        members=np.concatenate([plan.members, 0 * profiles.counts]),
        optimal=False,
    )
    vectors[~short(shown, sets)[len(plan.profile) :]] = 0
    return vectors
