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
from giveaway.model.data.arrays import Codes, Ints, distinct
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import tell

EVERYBODY = -1
"""In place of a column: everybody agrees."""

_FLAGS = 31
_TELL = 16


class KeyRows:
    """Rows of keys, `keys[column, row]`, with the signed number of people that each stands for.

    Rows with the same missing values must follow one another.
    """

    def __init__(self, keys: Codes, weights: Ints) -> None:
        self.keys, self.weights = keys, weights

    @classmethod
    def ordered(cls, keys: Codes, weights: Ints) -> "KeyRows":
        """Put rows with the same missing values together."""
        order = together(keys)
        return cls(np.ascontiguousarray(keys[:, order]), weights[order])

    @cached_property
    def _begins(self) -> Ints:
        """Where the missing values change, and where the rows end."""
        changes = np.zeros(self.keys.shape[1], np.bool_)
        changes[:1] = True
        for keys in self.keys:
            lacks = keys == MISSING
            changes[1:] |= lacks[1:] != lacks[:-1]
        return np.append(np.flatnonzero(changes), len(changes))

    @cached_property
    def _lacks(self) -> NDArray[np.bool_]:
        """Which columns are missing in each run of rows."""
        lacks: NDArray[np.bool_] = self.keys[:, self._begins[:-1]] == MISSING
        return lacks

    def kinds(self, columns: Ints) -> list[Ints]:
        """Return the runs of rows that miss the same ones of some columns, together."""
        lacks = self._lacks[columns]
        kind, first = numbered(_packed([lack for lack in lacks if lack.any()], lacks.shape[1]))
        return split(kind, len(first))

    def add_up(self, columns: Ints, kinds: list[Ints], wanted: Codes, totals: Ints) -> None:
        """Add to each wanted row, given in some columns, the people whose rows agree with it."""
        for done, runs in enumerate(kinds):
            if done % _TELL == _TELL - 1:
                tell("comparing entries", done, len(kinds))
            known = np.flatnonzero(~self._lacks[columns, runs[0]])
            begins, ends = self._begins[runs], self._begins[runs + 1]
            if len(runs) == 1:
                here = slice(int(begins[0]), int(ends[0]))
                people, weights = self.keys[columns[known], here], self.weights[here]
            else:
                at = spread(begins, ends - begins)[1]
                people, weights = self.keys[np.ix_(columns[known], at)], self.weights[at]
            group, first = numbered(np.concatenate([people, wanted[known]], axis=1))
            sums = np.zeros(len(first), np.int64)
            np.add.at(sums, group[: len(weights)], weights)
            totals += sums[group[len(weights) :]]


def numbered(table: Codes) -> tuple[Ints, Ints]:
    """Return for each row the number of the distinct row that it is, and for each of these its first row.

    Rows are given column by column.
    """
    # Keys are -3 or more, and -1 is the least that `distinct` knows.
    codes = table + np.int32(2)
    first, group = distinct(codes.T, [int(column.max(initial=-1)) + 1 for column in codes])
    return group, first


def together(keys: Codes) -> Ints:
    """Return an order of rows in which those with the same missing values follow one another."""
    lacks = (column == MISSING for column in keys)
    kind, first = numbered(_packed([lack for lack in lacks if lack.any()], keys.shape[1]))
    return np.argsort(kind.astype(np.min_scalar_type(len(first))), kind="stable")


def split(kind: Ints, kinds: int) -> list[Ints]:
    """Return the rows of each kind, ascending."""
    order = np.argsort(kind.astype(np.min_scalar_type(kinds)), kind="stable")
    ends = np.cumsum(np.bincount(kind, minlength=kinds)).tolist()
    return [order[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def spread(begins: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return every place of some ranges, each with the number of its range."""
    of = np.repeat(np.arange(len(begins)), sizes)
    before = np.cumsum(sizes) - sizes
    return of, np.arange(len(of)) - before[of] + begins[of]


def _packed(flags: Sequence[NDArray[np.bool_]], rows: int) -> Codes:
    """Pack flags, given column by column, into few whole numbers for each row."""
    words = np.zeros((-(-len(flags) // _FLAGS), rows), np.int32)
    for place, flag in enumerate(flags):
        words[place // _FLAGS] |= flag.astype(np.int32) << np.int32(place % _FLAGS)
    return words


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
