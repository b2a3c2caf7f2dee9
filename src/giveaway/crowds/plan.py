"""The plan: how many members of each profile carry which form, so that enough rows carry every form, at little cost.

It becomes cheaper as members are sent to cheaper forms, and parts of it are made anew.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from giveaway.crowds.forms import CrowdProfiles, Flags, Vectors
from giveaway.crowds.greedy import Draw, greedy
from giveaway.crowds.split import Split
from giveaway.crowds.state import HOME, Space, State
from giveaway.errors import ScenarioError
from giveaway.linear_programs import OPTIMAL, whole
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.progress import spare, tell, telling

_RUIN = (0.01, 0.12)
"""The least and the largest part of the blocks that a round of repair dissolves."""

_IDLE = 15
"""So many rounds in a row, or a tenth of all if these are more, may gain nothing; then no more are made."""


def shed(state: State) -> None:
    """Move members to cheaper open forms while crowds allow it, and dissolve blocks whose members are cheaper elsewhere."""
    while True:
        before = state.cost
        _move_down(state)
        _dissolve(state)
        state.compress()
        if state.cost == before:
            return


def _move_down(state: State) -> None:
    space = state.space
    dear = np.flatnonzero((state.members[: state.entries] > 0) & (state.price[: state.entries] > 0))
    for vector in space.each(np.argsort(space.nominal, kind="stable").tolist()):
        dear = dear[state.members[dear] > 0]
        if not len(dear):
            return
        ready = dear[state.lendable(dear) > 0]
        target, price = _targets(state, vector, ready)
        better = np.flatnonzero((target >= 0) & (price < state.price[ready]))
        saved = state.price[ready[better]] - price[better]
        for at in better[np.argsort(-saved, kind="stable")].tolist():
            entry, block = int(ready[at]), int(target[at])
            many = int(state.lendable(ready[at : at + 1])[0])
            if many and state.block_size[block] + many >= space.needs[state.profile[entry]]:
                state.move(entry, block, vector, many, int(price[at]))


def _targets(state: State, vector: int, entry: Ints) -> tuple[Ints, Ints]:
    """Return the open block that each entry could join at a vector, -1 where there is none, and its price there."""
    space = state.space
    profile = state.profile[entry]
    block = state.look_up(space.keys(vector, profile))
    closed = (state.size_of(block) == 0) | (block == state.block[entry])
    if space.profiles.is_marked:
        closed |= ~space.allows(vector, profile)
    return np.where(closed, -1, block), space.prices(vector, profile)


def _dissolve(state: State) -> None:
    """Dissolve blocks, those that save most first, if what all their members pay elsewhere is less."""
    space = state.space
    entry = np.flatnonzero(
        (state.members[: state.entries] > 0) & (state.block[: state.entries] >= state.homes)
    )
    if not len(entry):
        return
    best = np.full(len(entry), np.inf)
    to, by = np.full(len(entry), -1), np.zeros(len(entry), np.int64)
    for vector in space.each(np.argsort(space.nominal, kind="stable").tolist()):
        target, price = _targets(state, vector, entry)
        better = (target >= 0) & (price < best)
        if not space.same_need:
            better &= state.size_of(target) >= space.needs[state.profile[entry]]
        best[better], to[better], by[better] = price[better], target[better], vector
        if space.nominal[vector] >= state.price[entry].max() and np.isfinite(best).all():
            break
    block = state.block[entry]
    saved = np.bincount(
        block, weights=state.members[entry] * (state.price[entry] - best), minlength=state.blocks
    )
    order = np.argsort(-saved, kind="stable")
    by_block = np.argsort(block, kind="stable")
    bounds = np.searchsorted(block[by_block], np.arange(state.blocks + 1))
    joined: set[int] = set()
    for one in telling("planning crowds", order[: int((saved > 0).sum())].tolist(), every=1_000):
        mine = by_block[bounds[one] : bounds[one + 1]]
        if one in joined or not state.block_size[to[mine]].all():
            continue
        for at in mine.tolist():
            many = int(state.members[entry[at]])
            state.move(int(entry[at]), int(to[at]), int(by[at]), many, int(best[at]))
            joined.add(int(to[at]))


def like_each_other(state: State, draw: Draw) -> Flags:
    """Choose some blocks that are like each other, around one that is likelier to be dear; homes are left out."""
    gone = np.zeros(state.blocks, np.bool_)
    entry = np.flatnonzero(state.members[: state.entries] * state.price[: state.entries])
    entry = entry[state.block[entry] >= state.homes]
    if not len(entry):
        return gone
    paid = state.members[entry] * state.price[entry]
    codes = state.space.profiles.codes
    middle = codes[state.profile[draw.choice(entry, p=paid / paid.sum())]]
    like = (codes[state.profile[entry]] == middle).sum(axis=1)
    likest = np.full(state.blocks, -1)
    np.maximum.at(likest, state.block[entry], like)
    blocks = np.flatnonzero(likest >= 0)
    order = np.argsort(-likest[blocks] - draw.random(len(blocks)) * draw.integers(1, 3), kind="stable")
    chosen = max(2, int(len(blocks) * draw.uniform(*_RUIN)))
    gone[blocks[order[:chosen]]] = True
    return gone


def release(state: State, gone: Flags) -> None:
    """Free the members of blocks; those with a home that is still open go there."""
    entry = np.flatnonzero(state.members[: state.entries])
    entry = entry[gone[state.block[entry]]]
    profile, members = state.profile[entry], state.members[entry]
    home = state.home_of[profile]
    back = (state.size_of(home) > 0) & ~gone[home]
    state.members[entry] = 0
    state.block_size[: state.blocks][gone] = 0
    np.add.at(state.free, profile[~back], members[~back])
    state.place(profile[back], home[back], HOME, members[back], np.zeros(int(back.sum()), np.int64))
    state.compress()


def excepted(state: State, many: int) -> None:
    """Let up to `many` members have no crowd: those without a form first, then those that save most by it.

    First whole blocks, the dearest for each member that is then without a crowd: those lent to them go home. Then
    entries that leave a block which has enough others.
    """
    many -= state.left
    if many <= 0:
        return
    entry = np.flatnonzero(state.members[: state.entries])
    entry = entry[state.block[entry] >= state.homes]
    block, members = state.block[entry], state.members[entry]
    rare = state.size_of(state.home_of[state.profile[entry]]) == 0
    paid = np.bincount(block, weights=members * state.price[entry], minlength=state.blocks)
    bare = np.bincount(block[rare], weights=members[rare], minlength=state.blocks)
    gone = np.zeros(state.blocks, np.bool_)
    for one in np.argsort(-paid / np.maximum(bare, 1), kind="stable").tolist():
        if paid[one] and bare[one] <= many:
            gone[one] = True
            many -= int(bare[one])
    waiting = state.free.copy()
    release(state, gone)
    state.alone += state.free - waiting
    state.free = waiting
    leaving = np.flatnonzero(state.price[: state.entries] * state.members[: state.entries])
    leaving = leaving[state.size_of(state.home_of[state.profile[leaving]]) == 0]
    for one in leaving[np.argsort(-state.price[leaving], kind="stable")].tolist():
        block_of, number = int(state.block[one]), int(state.members[one])
        if number <= min(many, int(state.block_size[block_of] - state.block_need[block_of])):
            state.alone[state.profile[one]] += number
            state.block_size[block_of] -= number
            state.members[one] = 0
            many -= number
    shed(state)


def repaired(state: State, rounds: int, draw: Draw) -> State:
    """Dissolve and rebuild parts of a plan, and keep what is not worse, until rounds gain nothing or time gets short.

    Schrimpf, Schneider, Stamm-Wilbrandt, Dueck: Record breaking optimization results using the ruin and recreate
    principle, 2000.
    """
    best, until = state, monotonic() + spare(inf)
    idle, most_idle = 0, max(_IDLE, rounds // 10)
    for done in range(rounds):
        tell("planning crowds", done, rounds)
        if not best.cost or idle == most_idle or monotonic() > until:
            break
        trial = best.copy()
        release(trial, like_each_other(trial, draw))
        greedy(trial, draw)
        shed(trial)
        idle += 1
        if trial.left <= best.left and trial.cost <= best.cost:
            idle = idle if trial.left == best.left and trial.cost == best.cost else 0
            best = trial
    return best


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
