"""The compiled comparison of whole rows of keys: which are equal, and how many people equal rows stand for.

Imported only when many people are counted. Rows are given column by column: `table[column, row]` is a key.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import native

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64


# A hash table with open addressing (Knuth, The Art of Computer Programming 3, section 6.4, Algorithm L).
#
# State: `slots`, a power of two of places, each empty (negative) or the number of a distinct row; `first`, the first row
#   of each number; `prints`, 64 bits for each row.
# Invariant: at most half of the places are taken, so that every search ends at an empty one; a row with a number is
#   found from the place of its print on, without an empty place between. Numbers are in the order of the first rows.
# Pruning: rows are compared key by key only where their prints are equal; what decides is the keys, never the print.


@native
def _prints(table: Small) -> NDArray[np.uint64]:
    """Return a number for each row, equal for equal rows and nearly always different for others."""
    mixed = np.zeros(table.shape[1], np.uint64)
    for column in range(table.shape[0]):
        for row in range(table.shape[1]):
            one = (mixed[row] ^ np.uint64(table[column, row] + 4)) * np.uint64(0x9E3779B97F4A7C15)
            mixed[row] = one ^ (one >> np.uint64(32))
    return mixed


@native
def _equal(one: Small, row: Number, other: Small, twin: Number) -> bool:
    for column in range(one.shape[0]):  # noqa: SIM110 # compiled
        if one[column, row] != other[column, twin]:
            return False
    return True


@native
def _slots(rows: Number) -> Small:
    size = 16
    while size < 2 * rows:
        size *= 2
    return np.full(size, -1, np.int32)


@native
def _numbered(table: Small, prints: NDArray[np.uint64], slots: Small) -> tuple[Large, Large]:
    """Number the distinct rows as `numbered` does; `slots`, empty where negative, lead from prints to numbers."""
    group = np.empty(len(prints), np.int64)
    first = np.empty(len(prints), np.int64)
    wrap = np.uint64(len(slots) - 1)
    found = 0
    for row in range(len(prints)):
        at = prints[row] & wrap
        while True:
            number = slots[at]
            if number < 0:
                slots[at] = found
                first[found] = row
                group[row] = found
                found += 1
                break
            twin = first[number]
            if prints[twin] == prints[row] and _equal(table, row, table, twin):
                group[row] = number
                break
            at = (at + np.uint64(1)) & wrap
    return group, first[:found]


@native
def numbered(table: Small) -> tuple[Large, Large]:
    """Return for each row the number of the distinct row that it is, and for each of these its first row."""
    return _numbered(table, _prints(table), _slots(table.shape[1]))


@native
def _found(table: Small, rows: Small) -> tuple[Large, Large]:
    """Number the distinct rows of a table; return the numbers of its rows, and of other rows, -1 for those not in it."""
    prints, slots = _prints(table), _slots(table.shape[1])
    group, first = _numbered(table, prints, slots)
    wrap = np.uint64(len(slots) - 1)
    wanted = _prints(rows)
    place = np.full(len(wanted), -1, np.int64)
    for row in range(len(wanted)):
        at = wanted[row] & wrap
        while slots[at] >= 0:
            twin = first[slots[at]]
            if prints[twin] == wanted[row] and _equal(rows, row, table, twin):
                place[row] = slots[at]
                break
            at = (at + np.uint64(1)) & wrap
    return group, place


@native
def gathered(keys: Small, weights: Large, columns: Large, begins: Large, ends: Large) -> tuple[Small, Large]:
    """Return some columns and the weights of the rows of all ranges from `begins` to `ends`."""
    total = (ends - begins).sum()
    rows, numbers = np.empty((len(columns), total), np.int32), np.empty(total, np.int64)
    filled = 0
    for begin, end in zip(begins, ends):  # noqa: B905 # compiled
        numbers[filled : filled + end - begin] = weights[begin:end]
        for at in range(len(columns)):
            rows[at, filled : filled + end - begin] = keys[columns[at], begin:end]
        filled += end - begin
    return rows, numbers


@native
def add_up(people: Small, weights: Large, wanted: Small, found: Large) -> None:
    """Add to each wanted row the weights of the rows of people that are equal to it."""
    sums = np.zeros(min(people.shape[1], wanted.shape[1]), np.int64)
    # The table that rows are looked up in is the smaller one, which stays in the nearest memory.
    if people.shape[1] < wanted.shape[1]:
        group, place = _found(people, wanted)
        for row in range(len(group)):
            sums[group[row]] += weights[row]
        for row in range(len(place)):
            if place[row] >= 0:
                found[row] += sums[place[row]]
    else:
        group, place = _found(wanted, people)
        for row in range(len(place)):
            if place[row] >= 0:
                sums[place[row]] += weights[row]
        for row in range(len(group)):
            found[row] += sums[group[row]]
