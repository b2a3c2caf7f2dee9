"""The entries of a directory and the values of records in common keys, ready to be compared."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import (
    MISSING,
    NO_RECORD,
    NOBODY,
    Agreement,
    ExactKeys,
    Near,
)
from giveaway.attacks.directory.candidates.rows import KeyRows, spread, together
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import Gaps, People

EVERYBODY = -1
"""In place of a column: everybody agrees."""


class Columns:
    """The entries of people in one column for each attribute and level that the directory can be compared in.

    `keys[column, entry]` is the key of an entry, -1 where it is missing and agrees with everything; two keys agree when
    they are equal, or listed as near. The entries are in an order of their own, in which those with the same missing values stand together.
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
        agrees: NDArray[np.bool_] = known == MISSING
        if not isinstance(self._compared[column], Near):
            agrees |= known == wanted
        elif len(pairs := self._near_pairs[column]):
            pair = wanted.astype(np.int64) * self.widest + known
            agrees |= pairs[np.minimum(np.searchsorted(pairs, pair), len(pairs) - 1)] == pair
        return agrees

    def entries_agreeing(self, column: int, wanted: int) -> NDArray[np.bool_]:
        """Tell for every entry whether it agrees in a column with one key of records."""
        known = self.keys[column]
        agrees: NDArray[np.bool_] = known == MISSING
        if isinstance(self._compared[column], Near):
            marks = np.zeros(len(self._sizes[column]), np.bool_)
            marks[self.codes_agreeing(column, np.array([wanted]))[1]] = True
            agrees |= marks[known]
        else:
            agrees |= known == wanted
        return agrees

    def codes_agreeing(self, column: int, wanted: Codes) -> tuple[Ints, Ints]:
        """Return the codes of people that agree with keys of records, each with the place of its key."""
        agreement = self._compared[column]
        if not isinstance(agreement, Near):
            there = np.flatnonzero(wanted >= 0)
            return there, wanted[there].astype(np.int64)
        of, at = spread(agreement.starts[wanted], np.diff(agreement.starts)[wanted])
        return of, agreement.people[at].astype(np.int64)

    @cached_property
    def _near_pairs(self) -> dict[int, Ints]:
        """The codes of records and of people that agree in each column compared by similarity, as ascending numbers."""
        pairs = {}
        for column, agreement in enumerate(self._compared):
            if isinstance(agreement, Near):
                of_records = np.repeat(np.arange(len(agreement.starts) - 1), np.diff(agreement.starts))
                pairs[column] = of_records * self.widest + agreement.people
        return pairs

    def by_key(self, column: int) -> tuple[Codes, Ints]:
        """Return the entries of a column in the order of their keys, those that no record has last.

        Those with a key begin at `starts[key + 1]`, those where it is missing at `starts[0]`.
        """
        return self._by_key[column], np.concatenate([[0], np.cumsum(self._sizes[column])[:-1]])

    @cached_property
    def _by_key(self) -> list[Codes]:
        ordered = []
        for keys, sizes in zip(self.keys, self._sizes, strict=True):
            last = np.where(keys == NO_RECORD, len(sizes), keys + 1).astype(np.min_scalar_type(len(sizes)))
            ordered.append(np.argsort(last, kind="stable").astype(np.int32))
        return ordered

    @cached_property
    def holders(self) -> tuple[Ints, Ints]:
        """Who has each entry among others: those of an entry stand from `starts[entry]` to `starts[entry + 1]`."""
        order = np.argsort(self.several_entry, kind="stable")
        starts = np.zeros(len(self.alone) + 1, np.int64)
        np.cumsum(np.bincount(self.several_entry, minlength=len(self.alone)), out=starts[1:])
        return starts, self.people.several_person[order]

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
