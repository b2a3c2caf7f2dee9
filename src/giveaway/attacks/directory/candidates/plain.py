"""Counting who agrees with numpy alone: the same numbers as the compiled steps, without the seconds of compiling them.

Taken where there is little to go through. What is compiled under the same name says the same.
"""

from typing import TYPE_CHECKING

import numpy as np

from giveaway.attacks.directory.candidates.agreement import MISSING, NO_RECORD
from giveaway.model.data.arrays import Codes, Ints, distinct

if TYPE_CHECKING:
    from giveaway.attacks.directory.candidates.columns import Columns, WantedKeys

MOST = 1_000_000
"""The most entries of tables that are gone through in one step without compiling it: less than a tenth of a second."""
MOST_IN_ALL = 100 * MOST
"""The most that are gone through in all steps together: then as much time has gone by as compiled code takes to load."""


def numbered(table: Codes) -> tuple[Ints, Ints]:
    """Return for each row the number of the distinct row that it is, and for each of these its first row."""
    # Keys are -3 or more, and -1 is the least that `distinct` knows.
    codes = table + np.int32(2)
    sizes = [int(column.max(initial=-1)) + 1 for column in codes]
    first, group = distinct(codes.T, sizes)
    return group, first


def add_up(people: Codes, weights: Ints, wanted: Codes, totals: Ints) -> None:
    """Add to each wanted row the weights of the rows of people that are equal to it."""
    group, first = numbered(np.concatenate([people, wanted], axis=1))
    sums = np.zeros(len(first), np.int64)
    np.add.at(sums, group[: len(weights)], weights)
    totals += sums[group[len(weights) :]]


def once(rows: Codes, person: Ints) -> Codes | None:
    """Return the different rows of each person, to be counted once each; None where a missing value makes two agree."""
    if (rows == MISSING).any():
        return None
    _, first = numbered(np.concatenate([rows, person[None].astype(np.int32)]))
    return np.ascontiguousarray(rows[:, first])


def ordered(keys: Codes) -> Codes:
    """Return the entries of a column in the order of their keys, those that no record has last."""
    last = np.where(keys == NO_RECORD, np.iinfo(np.int32).max, keys)
    return np.argsort(last, kind="stable").astype(np.int32)


def visited(columns: "Columns", wanted: "WantedKeys") -> Ints:
    """Count the people who agree with wanted rows, going through the entries that agree in their leading column."""
    rows = len(wanted.lead)
    row, entry = _leading(columns, wanted)
    for column, keys in zip(wanted.columns.tolist(), wanted.keys, strict=True):
        agrees = columns.agree(column, keys[row], columns.keys[column, entry])
        row, entry = row[agrees], entry[agrees]
    totals = np.zeros(rows, np.int64)
    np.add.at(totals, row, columns.alone[entry])
    if len(columns.several_entry):
        begins = columns.holders.starts[entry]
        place, at = spread(begins, columns.holders.starts[entry + 1] - begins)
        people = np.unique(row[place] * columns.people.several + columns.holders.people[at])
        totals += np.bincount(people // columns.people.several, minlength=rows)
    return totals


def _leading(columns: "Columns", wanted: "WantedKeys") -> tuple[Ints, Ints]:
    """Return pairs of a wanted row and an entry that agrees with it in its leading column."""
    pairs = []
    for at, column in enumerate(wanted.columns.tolist()):
        here = np.flatnonzero(wanted.lead == at)
        row, code = columns.codes_agreeing(column, wanted.keys[at, here])
        starts = columns.index.starts[columns.index.first[column] :]
        begins = np.concatenate([np.full(len(here), starts[0]), starts[code + 1]])
        ends = np.concatenate([np.full(len(here), starts[1]), starts[code + 2]])
        place, entry = spread(begins, ends - begins)
        pairs.append(
            (here[np.append(np.arange(len(here)), row)[place]], columns.index.entries[column, entry])
        )
    rows, entries = zip(*pairs, strict=True)
    return np.concatenate(rows), np.concatenate(entries)


def spread(begins: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return every place of some ranges, each with the number of its range."""
    of = np.repeat(np.arange(len(begins)), sizes)
    before = np.cumsum(sizes) - sizes
    return of, np.arange(len(of)) - before[of] + begins[of]
