"""What is believed where rows cannot be joined by somebody who knows what is compared of everybody, not of one person alone.

Each release tells how many people of each block, those whom the same rows fit, have each value. What they tell together of
one person is a count of three-way tables with given margins, which nobody can do in general; so it is estimated by the
distribution of maximum entropy under these counts, fitted to one release after the other until all agree. Values that the counts rule out are ruled out in every world: where one is
left, that is proved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from giveaway.attacks.directory.together.fitting import Fitting, RowsShown
from giveaway.maximum_entropy.constraints import ConstraintRows, Flags, Floats
from giveaway.maximum_entropy.solve import Contradiction, possible
from giveaway.model.data.arrays import Ints, alike

_MOST_CHANCES = 3_000_000
"""The most chances, of kinds of people and values, that are worked out."""
_MOST_PAIRS = 20_000_000
"""The most pairs of kinds of people and blocks that are compared."""
_SWEEPS = 300
"""After so many sweeps the estimate is good enough; further ones move little."""
_MET, _NEARLY = 1e-7, 1e-2
"""The part of the people by which counts are missed: with the first a sweep is the last, above the second nothing is told."""
_PRECISION = 1e-6
"""By how much a chance must be above a limit to count as above it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Register:
    """What is believed of each kind of people."""

    columns: Sequence[str]
    values: Sequence[Ints]
    """For each column its value in each kind of value that the releases show together."""
    people: Ints
    alive: Flags
    """For each kind of people the kinds of values that the counts leave."""
    chance: Floats | None
    """How likely each is, estimated; None where the estimate is too far from the counts."""

    def certain(self, column: int) -> Ints:
        """Return for each kind of people the only value of a column that is left, -1 where several are."""
        values = self.values[column]
        least = np.where(self.alive, values, np.iinfo(np.int64).max).min(axis=1)
        most = np.where(self.alive, values, -1).max(axis=1)
        return np.where(least == most, most, -1)

    @cached_property
    def largest(self) -> Floats | None:
        """The largest estimated chance of each kind of people, of any value of any column."""
        if self.chance is None:
            return None
        largest = np.zeros(len(self.people))
        for values in self.values:
            one_of = np.zeros((len(values), int(values.max(initial=0)) + 1))
            one_of[np.arange(len(values)), values] = 1
            largest = np.maximum(largest, (self.chance @ one_of).max(axis=1))
        return largest

    def above(self, limit: float) -> int:
        """Count the people of whom more than a limit is believed, by the estimate."""
        return 0 if self.largest is None else int(self.people[self.largest > limit + _PRECISION].sum())

    @property
    def mean(self) -> float | None:
        """The mean over all people of the largest chance."""
        return None if self.largest is None else float(self.people @ self.largest / self.people.sum())


def register(fitting: Fitting, columns: Sequence[str]) -> Register | None:
    """Work out what is believed of sensitive columns; None where that is not worked out."""
    facts = [name for name in dict.fromkeys((*fitting.shared, *columns)) if name not in fitting.profiles]
    whole = next((one for one in fitting.releases if _shows(one, facts)), None)
    if whole is None:
        return None
    _, first = alike([whole.codes[name] for name in facts])
    kinds = {name: whole.codes[name][first].astype(np.int64) for name in facts}
    if len(fitting.people) * len(first) > _MOST_CHANCES:
        return None
    tells = [_tells(fitting, one, kinds) for one in fitting.releases]
    counts = [one for one in tells if one is not None]
    if len(counts) < len(tells):
        return None
    first_counts, *others = (one.rows for one in counts)
    try:
        rows = reduce(ConstraintRows.joined, others, first_counts)
        alive = possible(fitting.people, len(first), rows).alive
    except Contradiction:
        return None
    return Register(
        columns=columns,
        values=[kinds[name] for name in columns],
        people=fitting.people,
        alive=alive,
        chance=_fitted(fitting.people, alive, [part for one in counts for part in one.parts]),
    )


def _shows(one: RowsShown, facts: Sequence[str]) -> bool:
    return all(name in one.codes and bool((one.codes[name] >= 0).all()) for name in facts)


@dataclass(frozen=True, kw_only=True, eq=False)
class _RegisterBlocks:
    """Blocks that are apart: for each kind of people the number of its block, and the bounds of each block and class."""

    block_of: Ints
    class_of: Ints
    """For each kind of values how it looks in the release."""
    least: Floats
    most: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class _ReleaseTells:
    """What a release tells, as rows of linear bounds and as blocks that are apart."""

    rows: ConstraintRows
    parts: Sequence[_RegisterBlocks]


def _tells(fitting: Fitting, shown: RowsShown, kinds: dict[str, Ints]) -> _ReleaseTells | None:
    """Return what a release tells of each block: at least the rows with a value that fit nobody else have it, and at most those that fit one of them.

    There are blocks by all columns that it compares, and by each set of them that some row shows. Blocks by the same columns
    are apart; where nothing is blank, the two bounds are the same number.
    """
    known = [name for name in fitting.profiles if name in shown.codes]
    people, size, number = len(fitting.people), len(shown.signature), len(next(iter(kinds.values())))
    both, _ = alike(
        [np.zeros(number + size, np.int32)]
        + [np.concatenate([kinds[name], shown.codes[name]]) for name in kinds if name in shown.codes]
    )
    classes, class_of = np.unique(both[:number], return_inverse=True)
    value = np.searchsorted(classes, both[number:])
    visible = np.array([shown.codes[name] >= 0 for name in known]).reshape(len(known), size)
    blocks, counts = [], []
    for pattern in np.unique(np.column_stack([visible, np.ones(len(known), np.bool_)]), axis=1).T:
        rows = np.flatnonzero((visible == pattern[:, None]).all(axis=0))
        names = [name for name, there in zip(known, pattern.tolist(), strict=True) if there]
        key, _ = alike(
            [np.zeros(people + len(rows), np.int32)]
            + [np.concatenate([fitting.profiles[name], shown.codes[name][rows]]) for name in names]
        )
        block_of, first = alike([key[:people]])
        place = np.full(int(key.max()) + 1, -1, np.int64)
        place[key[:people][first]] = np.arange(len(first))
        many = np.zeros((len(first), len(classes)))
        np.add.at(many, (place[key[people:]], value[rows]), 1)
        blocks.append(block_of.astype(np.int64))
        counts.append(many)
    ends = np.cumsum([0, *map(len, counts)])
    if int(ends[-1]) * people > _MOST_PAIRS:
        return None
    fits = np.zeros((int(ends[-1]), people), np.bool_)
    for block_of, begin in zip(blocks, ends, strict=False):
        fits[begin + block_of, np.arange(people)] = True
    least, most = _bounds(fits, np.concatenate(counts))
    class_of = class_of.reshape(-1)
    parts = [
        _RegisterBlocks(block_of=block_of, class_of=class_of, least=least[begin:end], most=most[begin:end])
        for block_of, begin, end in zip(blocks, ends, ends[1:], strict=False)
    ]
    return _ReleaseTells(rows=_rows(fits, class_of, least, most), parts=parts)


def _bounds(fits: Flags, counts: Floats) -> tuple[Floats, Floats]:
    """Return for each block and class the least and the most people."""
    from scipy.sparse import csr_array

    member = csr_array(fits.astype(np.int64))
    common = (member @ member.T).tocoo()
    block, other = common.coords
    inside = common.data == fits.sum(axis=1)[other]
    shape = (len(fits), len(fits))
    within = csr_array((np.ones(int(inside.sum())), (block[inside], other[inside])), shape=shape)
    touching = csr_array((np.ones(len(block)), (block, other)), shape=shape)
    return within @ counts, touching @ counts


def _rows(fits: Flags, class_of: Ints, least: Floats, most: Floats) -> ConstraintRows:
    block, member = np.nonzero(fits)
    blocks, classes = least.shape
    return ConstraintRows(
        offsets=np.searchsorted(block, np.arange(blocks + 1)),
        members=member.astype(np.int32),
        values=np.tile(class_of[None, :] == np.arange(classes)[:, None], (blocks, 1)),
        low=least.reshape(-1),
        high=most.reshape(-1),
        group=np.repeat(np.arange(blocks), classes),
    )


def _fitted(people: Ints, alive: Flags, parts: Sequence[_RegisterBlocks]) -> Floats | None:
    """Return the chances of maximum entropy; None where they do not settle.

    Bregman's method: each part in turn scales what it counts into its bounds, and takes back what it scaled before as far as
    its bounds allow; where both ends are the same that is iterative proportional fitting. Each step is a projection by
    relative entropy, so that the scalings converge to the distribution next to the uniform one.
    """
    amounts = alive * (people / alive.sum(axis=1))[:, None]
    scaled = [np.zeros_like(part.least) for part in parts]
    missed = np.inf
    for _ in range(_SWEEPS):
        missed = 0.0
        for part, log in zip(parts, scaled, strict=True):
            amounts, away = _projected(amounts, part, log)
            missed += away
        amounts = amounts * (people / amounts.sum(axis=1))[:, None]
        if missed <= _MET * float(people.sum()):
            break
    return amounts / people[:, None] if missed <= _NEARLY * float(people.sum()) else None


def _projected(amounts: Floats, part: _RegisterBlocks, log: Floats) -> tuple[Floats, float]:
    """Scale the amounts of each block and class into its bounds; return too how far they were from these.

    `log` holds by how much each was scaled so far.
    """
    blocks, classes = part.least.shape
    key = (part.block_of[:, None] * classes + part.class_of[None, :]).reshape(-1)
    total = np.bincount(key, weights=amounts.reshape(-1), minlength=blocks * classes)
    total = total.reshape(blocks, classes)
    some = total > 0
    with np.errstate(divide="ignore"):
        low, high = (
            np.log(bound, where=some, out=np.full_like(total, -np.inf))
            - np.log(total, where=some, out=np.zeros_like(total))
            for bound in (part.least, part.most)
        )
    step = np.where(some, np.clip(-log, low, np.maximum(low, high)), 0.0)
    log += step
    changed = amounts * np.exp(step).reshape(-1)[key].reshape(amounts.shape)
    away = np.maximum(np.maximum(part.least - total, total - part.most), 0)
    return changed, float(away.sum())
