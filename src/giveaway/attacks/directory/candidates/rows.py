"""Rows of keys with numbers of people, those with the same missing values together."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING
from giveaway.model.data.arrays import Codes, Ints, distinct
from giveaway.model.progress import tell

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
