"""The entries of a directory and the values of records in common keys, ready for the compiled comparison."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates import plain
from giveaway.attacks.directory.candidates.agreement import (
    MISSING,
    NO_RECORD,
    NOBODY,
    Agreement,
    ExactKeys,
    Near,
)
from giveaway.attacks.directory.candidates.rows import KeyRows, together
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import Gaps, People

EVERYBODY = -1
"""In place of a column: everybody agrees."""


class Nears(NamedTuple):
    """Columns compared by similarity: those with `first[column] >= 0`.

    The codes of people that agree with a code of records stand, ascending, in
    `people[starts[first[column] + code]:starts[first[column] + code + 1]]`.
    """

    first: Ints
    starts: Ints
    people: Codes


class PeopleEntries(NamedTuple):
    """The entries of people, `keys[column, entry]`, and the columns that are compared by similarity."""

    keys: Codes
    nears: Nears


class WantedKeys(NamedTuple):
    """Rows of keys that are looked up: `keys[at, row]` is asked for in `columns[at]`.

    `lead[row]` is the place of the column whose entries are gone through.
    """

    columns: Ints
    keys: Codes
    lead: Ints


class Index(NamedTuple):
    """The entries of each column in the order of their keys.

    Those with a key begin at `starts[first[column] + key + 1]`, those where it is missing at `starts[first[column]]`.
    """

    entries: Codes
    first: Ints
    starts: Ints


class Holders(NamedTuple):
    """How many people have each entry and no other, and who has it among others."""

    alone: Ints
    starts: Ints
    people: Ints


class Columns:
    """The entries of people in one column for each attribute and level that the directory can be compared in.

    `keys[column, entry]` is the key of an entry, -1 where it is missing and agrees with everything; two keys agree when
    they are equal, or as `nears` says. The entries are in an order of their own, in which those with the same missing values stand together.
    """

    def __init__(
        self,
        people: People,
        names: Sequence[str | None],
        agreements: Sequence[Sequence[Agreement]],
        gaps: Gaps,
    ) -> None:
        self.people = people
        self._of: list[list[int]] = []
        self._compared: list[ExactKeys | Near] = []
        keys: list[Codes] = []
        for name, levels in zip(names, agreements, strict=True):
            self._of.append([])
            for agreement in levels:
                if name is None or agreement is None:
                    self._of[-1].append(EVERYBODY)
                else:
                    self._of[-1].append(len(keys))
                    self._compared.append(agreement)
                    keys.append(_keys(people.columns[name], agreement, gaps, len(people.labels[name])))
        matrix = np.stack(keys) if keys else np.zeros((0, len(people.alone)), np.int32)
        order = together(matrix)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        self.keys: Codes = np.ascontiguousarray(matrix[:, order])
        self.alone = people.alone[order]
        self.several_entry = place[people.several_entry]
        self._gone_through = 0

    def plainly(self, entries: int) -> bool:
        """Tell whether to go through this many entries with numpy alone: not if they are many, nor if many were before.

        To compile a step, or to load what was compiled, pays once it is done often enough.
        """
        self._gone_through += entries
        return entries <= plain.MOST and self._gone_through <= plain.MOST_IN_ALL

    def finest(self) -> Ints:
        """Return the column of the values themselves for each attribute, `EVERYBODY` where there is none."""
        return np.array([columns[0] for columns in self._of], np.int64)

    def disclosed(self, values: Codes, levels: NDArray[np.int8] | None) -> tuple[Codes, Codes]:
        """Return the keys of disclosed values and the columns they are looked up in, each a row for every attribute.

        Where nothing is disclosed or everybody agrees, both are -1.
        """
        shape = values.shape[::-1]
        keys, columns = np.full(shape, MISSING, np.int32), np.full(shape, EVERYBODY, np.int32)
        for j, choices in enumerate(self._of):
            compared = max(choices) != EVERYBODY
            for level, rows in _by_level(levels, j) if compared else ():
                if choices[level] != EVERYBODY:
                    keys[j, rows] = known = self._keys(choices[level], values[rows, j])
                    columns[j, rows] = np.where(known == MISSING, EVERYBODY, choices[level])
        return keys, columns

    def _keys(self, column: int, values: Codes) -> Codes:
        """Translate values of records."""
        agreement = self._compared[column]
        return values if isinstance(agreement, Near) else _or_missing(agreement.of_records)[values]

    @cached_property
    def has_missing(self) -> bool:
        """Whether some entry agrees with everything in a column, because its value is missing."""
        return bool((self.keys == MISSING).any())

    def has_near(self, columns: Ints) -> bool:
        """Tell whether one of the columns is compared by similarity."""
        return any(isinstance(self._compared[column], Near) for column in columns.tolist())

    def agreeing(self, columns: Ints, wanted: Codes) -> Ints:
        """Return how many entries agree in each column alone with each wanted key."""
        counts = [self._agreeing[column][keys] for column, keys in zip(columns.tolist(), wanted, strict=True)]
        return np.stack(counts)

    @cached_property
    def widest(self) -> int:
        """One more than the largest code of people in a column compared by similarity."""
        near = [at for at, agreement in enumerate(self._compared) if isinstance(agreement, Near)]
        return max((len(self._sizes[at]) - 2 for at in near), default=0)

    def agree(self, column: int, wanted: Codes, known: Codes) -> NDArray[np.bool_]:
        """Tell for pairs of a key of records and a key of people whether they agree in a column."""
        agreement = self._compared[column]
        if not isinstance(agreement, Near):
            return (known == MISSING) | (known == wanted)
        pairs = self._near_pairs[column]
        pair = wanted.astype(np.int64) * self.widest + known
        at = np.minimum(np.searchsorted(pairs, pair), max(len(pairs) - 1, 0))
        return (known == MISSING) | (pairs[at] == pair if len(pairs) else False)

    def codes_agreeing(self, column: int, wanted: Codes) -> tuple[Ints, Ints]:
        """Return the codes of people that agree with keys of records, each with the place of its key."""
        agreement = self._compared[column]
        if not isinstance(agreement, Near):
            there = np.flatnonzero(wanted >= 0)
            return there, wanted[there].astype(np.int64)
        of, at = plain.spread(agreement.starts[wanted], np.diff(agreement.starts)[wanted])
        return of, agreement.people[at].astype(np.int64)

    @cached_property
    def nears(self) -> Nears:
        """The agreements by similarity, one after the other."""
        first = np.full(len(self._compared), -1, np.int64)
        starts, people = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
        for column, agreement in enumerate(self._compared):
            if isinstance(agreement, Near):
                first[column] = sum(map(len, starts))
                starts.append(agreement.starts + sum(map(len, people)))
                people.append(agreement.people)
        return Nears(first, np.concatenate(starts), np.concatenate(people))

    @cached_property
    def entries(self) -> PeopleEntries:
        """The entries as the compiled comparison takes them."""
        return PeopleEntries(self.keys, self.nears)

    @cached_property
    def _near_pairs(self) -> dict[int, Ints]:
        """The codes of records and of people that agree in each column compared by similarity, as ascending numbers."""
        pairs = {}
        for column, agreement in enumerate(self._compared):
            if isinstance(agreement, Near):
                of_records = np.repeat(np.arange(len(agreement.starts) - 1), np.diff(agreement.starts))
                pairs[column] = of_records * self.widest + agreement.people
        return pairs

    @cached_property
    def index(self) -> Index:
        """The entries of each column in the order of their keys."""
        starts = [np.concatenate([[0], np.cumsum(sizes)[:-1]]) for sizes in self._sizes]
        entries = [_ordered(keys, begins) for keys, begins in zip(self.keys, starts, strict=True)]
        first = np.cumsum([0, *map(len, starts)])[:-1]
        return Index(np.stack(entries), first, np.concatenate(starts))

    @cached_property
    def holders(self) -> Holders:
        """Who has each entry."""
        order = np.argsort(self.several_entry, kind="stable")
        starts = np.zeros(len(self.alone) + 1, np.int64)
        np.cumsum(np.bincount(self.several_entry, minlength=len(self.alone)), out=starts[1:])
        return Holders(self.alone, starts, self.people.several_person[order])

    @cached_property
    def starts(self) -> Ints:
        """Where the entries of each person with several of them begin, and where those of the last one end."""
        return np.append(
            np.flatnonzero(np.diff(self.people.several_person, prepend=-1)), len(self.several_entry)
        )

    @cached_property
    def rows(self) -> KeyRows:
        """The entries as rows, with the number of people who have no other."""
        return KeyRows(self.keys, self.alone)

    @cached_property
    def _sizes(self) -> list[Ints]:
        """The number of entries of each column without a key, with each key, and with one that no record has."""
        counts = []
        for keys, agreement in zip(self.keys, self._compared, strict=True):
            both = (
                (agreement.people,)
                if isinstance(agreement, Near)
                else (agreement.of_records, agreement.of_people)
            )
            largest = max(int(part.max(initial=-1)) for part in (keys, *both))
            sizes = np.bincount(keys[keys >= MISSING] + 1, minlength=largest + 2)
            counts.append(np.append(sizes, np.count_nonzero(keys < MISSING)))
        return counts

    @cached_property
    def _agreeing(self) -> list[Ints]:
        """The number of entries of each column that agree with each key; the last but one is for a key of nobody's."""
        agreeing = []
        for sizes, agreement in zip(self._sizes, self._compared, strict=True):
            counts = sizes[1:-1]
            if isinstance(agreement, Near):
                total = np.concatenate([[0], np.cumsum(counts[agreement.people])])
                counts = np.diff(total[agreement.starts])
            agreeing.append(np.concatenate([counts, [0, 0]]) + sizes[0])
        return agreeing


def _ordered(keys: Codes, starts: Ints) -> Codes:
    """Return the entries of a column in the order of their keys, which begin at `starts[key + 1]`."""
    if len(keys) <= plain.MOST:
        return plain.ordered(keys)
    from giveaway.attacks.directory.candidates.kernels import ordered

    return ordered(keys, starts)


def _by_level(levels: NDArray[np.int8] | None, attribute: int) -> list[tuple[int, slice | Ints]]:
    """Return the levels at which an attribute is disclosed, each with its rows."""
    if levels is None:
        return [(0, slice(None))]
    level_of = levels[:, attribute]
    return [(level, np.flatnonzero(level_of == level)) for level in np.unique(level_of).tolist()]


def _keys(codes: Codes, agreement: ExactKeys | Near, gaps: Gaps, values: int) -> Codes:
    """Return the keys of entries; a value of people that agrees with nothing differs from one of records that does.

    Where gaps are apart, a missing value is one more value, which no record has and none is like.
    """
    if isinstance(agreement, Near):
        return codes if gaps == "agree" else np.where(codes == MISSING, np.int32(values), codes)
    of_people = np.where(agreement.of_people == NOBODY, NO_RECORD, agreement.of_people).astype(np.int32)
    return _or_missing(of_people, MISSING if gaps == "agree" else NO_RECORD)[codes]


def _or_missing(keys: Codes, missing: int = MISSING) -> Codes:
    """Append what a missing code stands for, since it is -1."""
    return np.append(keys, np.int32(missing))
