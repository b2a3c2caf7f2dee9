"""A plan in the making: the vectors that may be tried, who carries what, and how many carry it."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, islice, product
from math import lcm, prod

import numpy as np

from giveaway.crowds.forms import ColumnForms, CrowdProfiles, Flags, Vectors
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

Vector = tuple[int, ...]

MOST = 1 << 14
"""All vectors are tried where there are no more than this many."""

_CHAINS = 64
_SEED = 1


def vectors(levels: Sequence[ColumnForms], most: int = MOST) -> Vectors:
    """Return the vectors of levels in the order of their costs, the vector of all values first, that of blanks last.

    Where there are more than `most`, those that change the fewest columns and those that show the fewest, and between
    them chains from one to the other: columns with many values are blanked early in most of them.

    >>> vectors([ColumnForms(values=2), ColumnForms(values=3, costs=(2,))]).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    if prod(one.last + 1 for one in levels) <= most:
        chosen = set(product(*(range(one.last + 1) for one in levels)))
    else:
        chosen = _some(levels, most)
    every = np.array(sorted(chosen, reverse=True), np.int8).reshape(len(chosen), len(levels))
    scale = lcm(*(Fraction(cost).denominator for one in levels for cost in one.costs))
    price = sum(
        (
            np.array([0, *(int(cost * scale) for cost in one.costs)])[level]
            for one, level in zip(levels, every.T, strict=True)
        ),
        np.zeros(len(every), np.int64),
    )
    return every[np.argsort(price, kind="stable")]


def _some(levels: Sequence[ColumnForms], most: int) -> set[Vector]:
    """Choose among too many vectors, without a look at the data."""
    every = tuple(one.last for one in levels)
    none = (0,) * len(levels)
    vectors = {none, every}
    for base, steps in _near(levels, none, every):
        more = {_changed(base, chosen) for chosen in islice(steps, most)}
        if len(vectors) + len(more) > most // 2:
            break
        vectors |= more
    draw = np.random.default_rng(_SEED)
    sizes = np.array([one.values for one in levels])
    for number in range(_CHAINS):
        noise = draw.gumbel(size=len(levels)) * (number > 0)
        vector = list(none)
        for at in np.argsort(-(np.log(sizes + 1.0) + noise), kind="stable").tolist():
            vector[at] = every[at]
            vectors.add(tuple(vector))
            if len(vectors) >= most:
                return vectors
    return vectors


def _near(
    levels: Sequence[ColumnForms], none: Vector, every: Vector
) -> Iterator[tuple[Vector, Iterable[dict[int, int]]]]:
    """Give the changes of 1, 2, ... columns, from nothing blank up and from everything blank down."""
    for number in range(1, len(levels)):
        up = (
            dict(zip(chosen, to, strict=True))
            for chosen in combinations(range(len(levels)), number)
            for to in product(*(range(1, every[at] + 1) for at in chosen))
        )
        yield none, up
        yield every, (dict.fromkeys(chosen, 0) for chosen in combinations(range(len(levels)), number))


def _changed(base: Vector, to: dict[int, int]) -> Vector:
    return tuple(to.get(at, level) for at, level in enumerate(base))


HOME = -1
"""The vector of members who show all that they may, whatever that is for their profile."""

_ROOM = 256
_REMEMBERED = 1 << 26
"""Up to this many pairs of a vector and a profile it is remembered which are allowed."""
_WORK = 1_000_000
"""How many profiles are looked at between two reports of progress: well below half a second."""
_LEAST = 500
"""What a vector takes besides, as if so many more profiles were looked at."""


class Space:
    """Profiles and the vectors that may be tried on them, with fast keys and prices."""

    def __init__(self, profiles: CrowdProfiles, crowd: int) -> None:
        """Prepare the vectors; `crowd` rows must carry each form."""
        self.profiles = profiles
        self._allowed: dict[int, Flags] = {}
        self._work = 0
        self.vectors: Vectors = vectors(profiles.levels)
        self.count = profiles.counts
        self.needs = profiles.needs(crowd)
        self.same_need = profiles.rows_each is None
        self.crowd = crowd
        self.base = profiles.prices_at(profiles.home)
        """What each member pays at least, for what must be blank."""
        self._full = profiles.keys_at(np.zeros_like(profiles.home))
        dearest = [price.max(axis=1, initial=0) for price in profiles.prices]
        self.nominal: Ints = sum(
            (price[level] for price, level in zip(dearest, self.vectors.T, strict=True)),
            np.zeros(len(self.vectors), np.int64),
        )
        """What each vector costs a member who has all values."""
        self._plain = not self.base.any() and all(
            (price == price[:, :1]).all() for price in profiles.prices if price.shape[1]
        )

    def each(
        self, vectors: Sequence[int], stage: str = "planning crowds", total: int | None = None
    ) -> Iterator[int]:
        """Go through vectors, with each of which all profiles are looked at, and tell so whenever that was much."""
        return chain.from_iterable(self._in_batches(vectors, stage, total))

    def _in_batches(self, vectors: Sequence[int], stage: str, total: int | None) -> Iterator[Sequence[int]]:
        work = len(self.count) + _LEAST
        size = max(_WORK // work, 1)
        for begin in range(0, len(vectors), size):
            batch = vectors[begin : begin + size]
            self._work += work * len(batch)
            if self._work >= _WORK:
                tell(stage, begin, total)
                self._work = 0
            yield batch

    def allowed(self, vector: int, profile: Ints) -> Ints:
        """Return those of some profiles that may be published at a vector."""
        if not self.profiles.is_marked:
            return profile
        return profile[self.allows(vector, profile)]

    def allows(self, vector: int, profile: Ints) -> Flags:
        """Tell which of some profiles may be published at a vector; worked out once for each vector."""
        if len(self.vectors) * len(self.count) > _REMEMBERED:
            return self.profiles.allows(self.vectors[vector], profile)
        if vector not in self._allowed:
            every = np.arange(len(self.count))
            self._allowed[vector] = self.profiles.allows(self.vectors[vector], every)
        return self._allowed[vector][profile]

    def keys(self, vector: int, profile: Ints) -> Ints:
        """Return the keys of the forms of some profiles at a vector."""
        changed = self._changed[vector]
        keys = self._full[profile]
        for at, level in changed:
            keys += self._steps[at][level][profile]
        return keys

    def prices(self, vector: int, profile: Ints) -> Ints:
        """Return what a member of each of some profiles pays at a vector above what it pays in any case."""
        if self._plain:
            return np.full(len(profile), self.nominal[vector])
        prices = -self.base[profile]
        for at, level in self._changed[vector]:
            prices += self.profiles.prices[at][level][profile]
        return prices

    @cached_property
    def _changed(self) -> list[list[tuple[int, int]]]:
        return [[(at, level) for at, level in enumerate(one) if level] for one in self.vectors.tolist()]

    @cached_property
    def _steps(self) -> list[Ints]:
        """For each column and level what changes in the key when a value gives way to its label."""
        return [part - part[0] for part in self.profiles.parts]


class State:
    """A plan in the making: entries say that members of a profile carry a form; blocks are forms with their crowds.

    Invariant: every member of a profile is in one entry or free; a block is open when it has members, and an open block
    has at least the members that it needs.
    """

    def __init__(self, space: Space, *, split: bool) -> None:
        """Leave everybody at home whose form there is carried by enough, and the others free."""
        self.space, self.split = space, split
        profiles = space.profiles
        keys = profiles.keys_at(profiles.home)
        forms, form_of = np.unique(keys, return_inverse=True)
        people = np.bincount(form_of, weights=space.count, minlength=len(forms)).astype(np.int64)
        need = np.zeros(len(forms), np.int64)
        np.maximum.at(need, form_of, space.needs)
        kept = (people >= need)[form_of]
        number = np.cumsum(people >= need) - 1
        self.home_of: Ints = np.where(kept, number[form_of], -1)
        """The block in which the members of a profile show all that they may, where it is a crowd by itself."""
        self.blocks = int((people >= need).sum())
        self.block_key = forms[people >= need]
        self.block_size = people[people >= need]
        self.block_need = need[people >= need]
        stay = np.flatnonzero(kept)
        self.entries = len(stay)
        self.profile = stay.copy()
        self.block = self.home_of[stay]
        self.vector = np.full(len(stay), HOME)
        self.members = space.count[stay].copy()
        self.price = np.zeros(len(stay), np.int64)
        self.free = np.where(kept, 0, space.count)
        self.alone = np.zeros(len(space.count), np.int64)
        """Members who are allowed to have no crowd: nobody joins them, and they stay as they are."""
        self.homes = self.blocks
        self._sorted, self._ids = self.block_key.copy(), np.arange(self.blocks)

    def copy(self) -> "State":
        """Return a state that can be changed without a change in this one."""
        twin = object.__new__(State)
        for name, value in vars(self).items():
            setattr(twin, name, value.copy() if isinstance(value, np.ndarray) else value)
        return twin

    @property
    def cost(self) -> int:
        """What all members pay above what they pay in any case."""
        return int(self.members[: self.entries] @ self.price[: self.entries])

    @property
    def left(self) -> int:
        """How many members have no form."""
        return int(self.free.sum())

    def look_up(self, keys: Ints) -> Ints:
        """Return the block of each key, open or closed, or -1."""
        if not len(self._sorted):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._sorted, keys), len(self._sorted) - 1)
        return np.where(self._sorted[at] == keys, self._ids[at], -1)

    def opened(self, keys: Ints, block: Ints) -> Ints:
        """Return the blocks of different keys; those that have none (-1) get one."""
        new = np.flatnonzero(block < 0)
        if len(new):
            number = self.blocks + np.arange(len(new))
            at = np.searchsorted(self._sorted, keys[new])
            order = np.argsort(keys[new], kind="stable")
            self._sorted = np.insert(self._sorted, at[order], keys[new][order])
            self._ids = np.insert(self._ids, at[order], number[order])
            zeros = np.zeros(len(new), np.int64)
            self.block_key = _extended(self.block_key, self.blocks, keys[new])
            self.block_size = _extended(self.block_size, self.blocks, zeros)
            self.block_need = _extended(self.block_need, self.blocks, zeros)
            self.blocks += len(new)
            block = block.copy()
            block[new] = number
        return block

    def place(self, profile: Ints, block: Ints, vector: int, members: Ints, price: Ints) -> None:
        """Add entries; whoever was free or elsewhere must have been taken from there."""
        at = self.entries
        self.profile = _extended(self.profile, at, profile)
        self.block = _extended(self.block, at, block)
        self.vector = _extended(self.vector, at, np.full(len(profile), vector))
        self.members = _extended(self.members, at, members)
        self.price = _extended(self.price, at, price)
        self.entries += len(profile)
        np.add.at(self.block_size, block, members)
        np.maximum.at(self.block_need, block, self.space.needs[profile])

    def move(self, entry: int, block: int, vector: int, members: int, price: int) -> None:
        """Let members of an entry carry another form."""
        self.members[entry] -= members
        self.block_size[self.block[entry]] -= members
        one = self.profile[entry : entry + 1]
        self.place(one, np.array([block]), vector, np.array([members]), np.array([price]))

    def size_of(self, block: Ints) -> Ints:
        """Return how many members each block has; none where there is no block (-1)."""
        sizes = np.zeros(len(block), np.int64)
        sizes[block >= 0] = self.block_size[block[block >= 0]]
        return sizes

    def surplus(self, block: Ints) -> Ints:
        """Return how many members each block could lose."""
        return self.block_size[block] - self.block_need[block]

    def lendable(self, entry: Ints) -> Ints:
        """Return how many members of each entry could leave now."""
        block, members = self.block[entry], self.members[entry]
        spare = self.surplus(block)
        if self.split:
            return np.minimum(members, spare)
        whole = (members <= spare) | (members == self.block_size[block])
        return np.where(whole, members, 0)

    def compress(self) -> None:
        """Drop empty entries, merge those of the same profile and block, and count blocks anew."""
        live = np.flatnonzero(self.members[: self.entries] > 0)
        _, first, again = np.unique(
            self.profile[live] * (self.blocks + 1) + self.block[live], return_index=True, return_inverse=True
        )
        members = np.bincount(again.reshape(-1), weights=self.members[live]).astype(np.int64)
        live = live[first]
        self.profile, self.block, self.vector = self.profile[live], self.block[live], self.vector[live]
        self.members, self.price, self.entries = members, self.price[live], len(live)
        self.block_need[: self.blocks] = 0
        np.maximum.at(self.block_need, self.block, self.space.needs[self.profile])


def _extended(array: Ints, used: int, more: Ints) -> Ints:
    """Write more numbers behind those in use, in a larger array where there is no room."""
    if used + len(more) > len(array):
        array = np.concatenate([array, np.zeros(_ROOM + len(array) // 2 + len(more), np.int64)])
    array[used : used + len(more)] = more
    return array
