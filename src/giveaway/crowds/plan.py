"""The plan: how many members of each profile carry which form, so that enough rows carry every form, at little cost."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from giveaway.crowds.forms import CrowdProfiles, Vectors
from giveaway.crowds.greedy import greedy
from giveaway.crowds.repair import excepted, repaired, shed
from giveaway.crowds.split import Split
from giveaway.crowds.state import HOME, Space, State
from giveaway.errors import ScenarioError
from giveaway.linear_programs import OPTIMAL, whole
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.progress import tell


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """How many members of each profile carry which form: one line for each pair, in the order of profiles and forms.

    It says nothing about who of them does: that is drawn by lot (`crowds.draw`).
    """

    profiles: CrowdProfiles
    crowd: int
    profile: Ints
    vectors: Vectors
    """The level of each column, for each line."""
    members: Ints
    optimal: bool
    """Whether no plan costs less, for certain."""

    @cached_property
    def labels(self) -> Ints:
        """What is published for each line: a label for each column."""
        return self.profiles.labels_of(self.profile, self.vectors)

    @cached_property
    def split(self) -> Split:
        """The members of profiles by forms, which are numbered in the order of their labels."""
        form = alike(list(self.labels.T))[0] if len(self.profile) else self.profile
        return Split(profile=self.profile, form=form, members=self.members)

    @property
    def blanks(self) -> int:
        """How many values are blank."""
        return int(self.profiles.blanks_of(self.profile, self.vectors) @ self.members)

    @cached_property
    def prices(self) -> Ints:
        """What a member pays in each line, times the scale of the costs."""
        prices = self.profiles.prices
        every = zip(prices, self.vectors.T, strict=True)
        return sum(
            (price[level, self.profile] for price, level in every), np.zeros(len(self.profile), np.int64)
        )

    @property
    def cost(self) -> Fraction:
        """The costs of all entries that are not shown as they are."""
        return Fraction(int(self.prices @ self.members), self.profiles.scale)

    @property
    def below(self) -> int:
        """How many rows have a form that too few rows have, where some are allowed or no crowd was found for them."""
        needed = self.profiles.needs(self.crowd)[self.profile]
        return int(self.members[self.split.crowds[self.split.form] < needed].sum())

    @property
    def lent(self) -> int:
        """How many members show less than they could, since their profile is a crowd by itself."""
        profiles = self.profiles
        home = profiles.prices_at(profiles.home)[self.profile]
        forms = alike(list(profiles.labels_of(np.arange(len(profiles.counts)), profiles.home).T))[0]
        alone = np.bincount(forms, weights=profiles.counts)[forms] >= profiles.needs(self.crowd)
        return int(self.members[alone[self.profile] & (self.prices > home)].sum())


def plan(
    profiles: CrowdProfiles,
    crowd: int,
    *,
    split: bool = True,
    share: Fraction = Fraction(0),
    rounds: int = 0,
    seed: int = 0,
) -> Plan:
    """Find a plan in which at least `crowd` rows carry every form.

    Whatever is found is a function of the profiles and of these settings; the order of rows has no part in it. `split`:
    members of one profile may carry different forms, so that a large profile lends members to small ones. `share`:
    this part of the rows may stay below the crowd. `rounds`: how often a part of the plan is made anew, in the hope of
    a cheaper one, and `seed` what these rounds draw. Members for whom no crowd is allowed keep what they may show, and
    `Plan.below` counts them.

    Rows aa bb bc bc ca cc:

    >>> from giveaway.crowds.forms import ColumnForms
    >>> rows = np.array([[0, 0], [1, 1], [1, 2], [1, 2], [2, 0], [2, 2]])
    >>> profiles, _ = CrowdProfiles.of_rows(rows, [ColumnForms(values=3), ColumnForms(values=3)])
    >>> best = plan(profiles, 2)
    >>> best.blanks, best.split.smallest_crowd, best.optimal
    (6, 2, True)
    """
    if crowd < 1:
        raise ScenarioError(f"A crowd of {crowd} is not a crowd.")
    if not 0 <= share <= 1:
        raise ScenarioError("The share of rows that may stay below the crowd is between 0 and 1.")
    tell("planning crowds", 0)
    space = Space(profiles, crowd)
    if not share and (exact := _least(space, split=split)) is not None:
        vectors = space.vectors[exact.vector]
        return in_order(profiles, crowd, exact.profile, vectors, exact.members, optimal=exact.optimal)
    state = State(space, split=split)
    greedy(state)
    shed(state)
    excepted(state, int(share * profiles.rows))
    state = repaired(state, rounds, np.random.default_rng(seed))
    used = np.flatnonzero(state.members[: state.entries])
    rest = np.flatnonzero(state.free + state.alone)
    profile = np.concatenate([state.profile[used], rest])
    number = np.concatenate([state.vector[used], np.full(len(rest), HOME)])
    members = np.concatenate([state.members[used], (state.free + state.alone)[rest]])
    vectors = np.where((number == HOME)[:, None], profiles.home[profile], space.vectors[number])
    return in_order(profiles, crowd, profile, vectors, members, optimal=state.cost == 0 and not len(rest))


def in_order(
    profiles: CrowdProfiles, crowd: int, profile: Ints, vectors: Vectors, members: Ints, *, optimal: bool
) -> Plan:
    """Merge lines with the same profile and form, and put all in the order of profiles and labels."""
    labels = profiles.labels_of(profile, vectors)
    line, first = alike([profile, *labels.T])
    together = np.bincount(line, weights=members, minlength=len(first)).astype(np.int64)
    return Plan(
        profiles=profiles,
        crowd=crowd,
        profile=profile[first],
        vectors=vectors[first],
        members=together,
        optimal=optimal,
    )


_PROFILES = 40
_CHOICES = 2_000
_NODES = 2_000


class Carried(NamedTuple):
    """How many members of a profile carry the form that they have at a vector: one line for each."""

    profile: Ints
    vector: Ints
    members: Ints
    optimal: bool


def _least(space: Space, *, split: bool) -> Carried | None:
    """Return a plan of the least cost for everybody; None where the table is not small, or none was found.

    Variables: members f(p, x) of p that carry x, in steps of n_p where profiles are not split, and y(x), 1 where x is
    open. Constraints: sum over x of f(p, x) = n_p; f(p, x) <= n_p y(x); sum over p of f(p, x) >= k y(x).
    """
    if len(space.count) > _PROFILES or not space.same_need:
        return None
    profile, vector, price, form = _choices(space)
    many, forms = len(profile), int(form.max(initial=-1)) + 1
    if not many or many > _CHOICES or len(np.unique(profile)) < len(space.count):
        return None
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import coo_array

    count = space.count[profile]
    step = np.ones(many, np.int64) if split else count
    every, opens = np.arange(many), many + form

    def rows(data: Any, row: Any, column: Any, number: int) -> Any:
        return coo_array(
            (np.concatenate(data), (np.concatenate(row), np.concatenate(column))), (number, many + forms)
        )

    everybody = rows([step], [profile], [every], len(space.count))
    is_open = rows([step, -count], [every, every], [every, opens], many)
    crowds = rows(
        [step, np.full(forms, -space.crowd)],
        [form, np.arange(forms)],
        [every, many + np.arange(forms)],
        forms,
    )
    answer = whole(
        "planning crowds",
        np.concatenate([price * step, np.zeros(forms)]),
        nodes=_NODES,
        integrality=np.ones(many + forms),
        bounds=Bounds(0, np.concatenate([count // step, np.ones(forms)])),
        constraints=[
            LinearConstraint(everybody, space.count, space.count),
            LinearConstraint(is_open, -np.inf, 0),
            LinearConstraint(crowds, 0, np.inf),
        ],
    )
    if answer.x is None:
        return None
    members: Ints = np.rint(answer.x[:many]).astype(np.int64) * step
    carried = np.bincount(form, weights=members)
    placed = np.bincount(profile, weights=members)
    if (
        (members < 0).any()
        or (placed != space.count).any()
        or ((carried > 0) & (carried < space.crowd)).any()
    ):
        return None
    used = members > 0
    return Carried(profile[used], vector[used], members[used], answer.status == OPTIMAL)


def _choices(space: Space) -> tuple[Ints, Ints, Ints, Ints]:
    """Return profile, vector, price and form of whatever could be carried: each form at the first vector that gives it."""
    parts = []
    for vector in range(len(space.vectors)):
        here = space.allowed(vector, np.arange(len(space.count)))
        parts.append((here, np.full(len(here), vector), space.prices(vector, here), space.keys(vector, here)))
    profile, number, price, keys = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    forms, form = np.unique(keys, return_inverse=True)
    form = form.reshape(-1)
    people = np.zeros(len(forms), np.int64)
    _, first = np.unique(profile * len(forms) + form, return_index=True)
    np.add.at(people, form[first], space.count[profile[first]])
    first = first[people[form[first]] >= space.crowd]
    _, form = np.unique(form[first], return_inverse=True)
    return profile[first], number[first], price[first], form.reshape(-1)
