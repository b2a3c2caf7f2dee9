"""Distinct profiles, and the itemsets of their columns that many records have."""

from dataclasses import dataclass

import numpy as np

from giveaway.compiling import DONE, PAUSED, Search, suited
from giveaway.errors import BudgetExceeded
from giveaway.itemsets import profile_kernels as kernels
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import memory, tell

OCCURRING_BUDGET = 2_000_000_000
"""Cells that the count of all itemsets may visit before it gives up: some seconds of one core."""

_BLOCK = 10_000_000
_FIRST_ROOM = 1 << 12


@dataclass(frozen=True, kw_only=True, eq=False)
class Profiles:
    """Distinct profiles in the order of their codes, with the number of records and of each sensitive value.

    `codes[q, j]` is the value of profile `q` in column `j`, -1 where it is missing; `weights[q]` counts its records,
    those of unknown value included, and `values[q, x]` those with value `x`.
    """

    codes: Codes
    weights: Ints
    values: Ints

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.weights.sum())


@dataclass(frozen=True, kw_only=True, eq=False)
class ProfileItemsets:
    """Itemsets: set `i` has the items `(columns[p], codes[p])` for p from `offsets[i]` to `offsets[i + 1]`.

    `support[i]` counts its records and `profiles[i]` its profiles; those are
    `members[member_offsets[i]:member_offsets[i + 1]]`, ascending.
    """

    offsets: Ints
    columns: Codes
    codes: Codes
    support: Ints
    profiles: Ints
    member_offsets: Ints
    members: Codes

    def __len__(self) -> int:
        return len(self.support)

    def sums(self, values: Ints) -> Ints:
        """Add up the rows of a matrix, one row for each profile, over the members of each itemset."""
        added = np.zeros((len(self), values.shape[1]), np.int64)
        add = suited(kernels.sums, len(self.members) * values.shape[1])
        add(self.member_offsets, self.members, values, added)
        return added


def group(codes: Codes, weights: Ints, value: Codes, domain: int) -> Profiles:
    """Merge records of the same codes into profiles.

    `value` is the sensitive value of each record, -1 where it is unknown.
    """
    profile_of, first = arrays.alike([np.zeros(len(codes), np.int32), *codes.T])  # there may be no column
    values = np.zeros((len(first), domain), np.int64)
    known = value >= 0
    np.add.at(values, (profile_of[known], value[known]), weights[known])
    return Profiles(codes=codes[first], weights=arrays.added(profile_of, weights, len(first)), values=values)


def frequent(profiles: Profiles, least: int, *, border: bool = False) -> ProfileItemsets:
    """Find every itemset that at least `least` records have; the empty one is left out.

    With `border` those rarer ones are added, without their profiles, that have one item more, in a later column, than
    a frequent one.
    """
    asked = kernels.ItemsetsAsked(profiles.codes, profiles.weights, max(least, 1), border)
    walk = _walk(profiles)
    room = _room(_FIRST_ROOM, _FIRST_ROOM, _FIRST_ROOM)
    state = np.zeros(5, np.int64)
    search = Search(kernels.search, state, kernels.WORK, block=_BLOCK, least=profiles.codes.size)
    status = PAUSED if len(profiles.weights) else DONE
    while status != DONE:
        tell("finding frequent profiles", search.work)
        if status == kernels.FULL:
            room = _grown(room, state, profiles)
        status = search.go_on(asked, walk, room, state)
    sets, items, members = (int(state[place]) for place in (kernels.SETS, kernels.ITEMS, kernels.MEMBERS))
    return ProfileItemsets(
        offsets=room.offsets[: sets + 1],
        columns=room.columns[:items],
        codes=room.codes[:items],
        support=room.support[:sets],
        profiles=room.profiles[:sets],
        member_offsets=room.member_offsets[: sets + 1],
        members=room.members[:members],
    )


def occurring(profiles: Profiles, *, budget: int = OCCURRING_BUDGET) -> int | None:
    """Count the itemsets that some record has, or give up with None when they are too many to count."""
    from giveaway.itemsets.occurring import Counter

    present = profiles.codes >= 0
    first = np.concatenate([[0], np.cumsum(profiles.codes.max(axis=0, initial=-1) + 1)])
    starts = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    cells = (profiles.codes + first[:-1])[present].astype(np.int32)
    width = max(profiles.codes.shape[1], 1)
    try:
        counter = Counter(starts, cells, profiles.weights, int(first[-1]), width, budget=budget)
        return counter.count().total
    except BudgetExceeded:
        tell("counting combinations", budget)
        return None


def _walk(profiles: Profiles) -> kernels.ProfileWalk:
    many, width = profiles.codes.shape
    most = int(profiles.codes.max(initial=0)) + 1
    depths = width + 2
    if 4 * depths * (many + 3 * most) > memory():
        raise _too_much()
    return kernels.ProfileWalk(
        sorted=np.empty((depths, many), np.int32),
        column=np.zeros(depths, np.int64),
        group=np.zeros(depths, np.int64),
        groups=np.zeros(depths, np.int64),
        first=np.zeros(depths, np.int64),
        last=np.zeros(depths, np.int64),
        values=np.empty((depths, most), np.int32),
        ends=np.empty((depths, most), np.int64),
        weight=np.zeros(most, np.int64),
        many=np.zeros(most, np.int64),
        cursor=np.zeros(most, np.int64),
    )


def _room(sets: int, items: int, members: int) -> kernels.ItemsetRoom:
    return kernels.ItemsetRoom(
        offsets=np.zeros(sets + 1, np.int64),
        columns=np.empty(items, np.int32),
        codes=np.empty(items, np.int32),
        support=np.empty(sets, np.int64),
        profiles=np.empty(sets, np.int64),
        member_offsets=np.zeros(sets + 1, np.int64),
        members=np.empty(members, np.int32),
    )


def _grown(room: kernels.ItemsetRoom, state: Ints, profiles: Profiles) -> kernels.ItemsetRoom:
    """Double the room for what is nearly full, with the itemsets found so far in it."""
    many, width = profiles.codes.shape
    sizes = [len(room.support), len(room.codes), len(room.members)]
    needs = [
        int(state[kernels.SETS]) + 1,
        int(state[kernels.ITEMS]) + width,
        int(state[kernels.MEMBERS]) + many,
    ]
    sets, items, members = (
        2 * need if need > size else size for size, need in zip(sizes, needs, strict=True)
    )
    if 32 * sets + 8 * items + 4 * members > memory():
        raise _too_much()
    larger = _room(sets, items, members)
    for name, old in room._asdict().items():
        getattr(larger, name)[: len(old)] = old
    return larger


def _too_much() -> BudgetExceeded:
    return BudgetExceeded(
        "The frequent profiles do not fit in the memory allowed.",
        hint="raise min_support, name fewer columns, or allow more with --memory.",
    )
