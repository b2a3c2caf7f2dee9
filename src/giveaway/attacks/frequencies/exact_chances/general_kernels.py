"""The compiled parts of general crack graphs: counting by subsets, and a chain that mixes on any graph.

Imported only when they are needed.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from giveaway.attacks.frequencies.sampling.kernels import Random, below

Large = NDArray[np.int64]
Number = int | np.int64


@njit(cache=True)
def _members(number: Number) -> Number:
    found = 0
    while number:
        number &= number - 1
        found += 1
    return found


@njit(cache=True)
def by_subsets(candidates: Large) -> tuple[Large, Number]:
    """Count the mappings of each item to each renamed item, and all; candidates are bits, of at most 20 items.

    Items are mapped in turn, so that the set of renamed items used tells how many were.
    """
    items = len(candidates)
    full = (1 << items) - 1
    before, after = np.zeros(full + 1, np.int64), np.zeros(full + 1, np.int64)
    before[0] = after[full] = 1
    for used in range(full):
        free = candidates[_members(used)] & ~used if before[used] else 0
        while free:
            bit = free & -free
            before[used | bit] += before[used]
            free ^= bit
    counts = np.zeros((items, items), np.int64)
    for used in range(full - 1, -1, -1):
        item = _members(used)
        free = candidates[item] & ~used
        for renamed in range(items):
            if free >> renamed & 1:
                rest = after[used | 1 << renamed]
                after[used] += rest
                counts[item, renamed] += before[used] * rest
    return counts, before[full]


@njit(cache=True)
def loops(
    random: Random,
    row_of: Large,
    begin: Large,
    upto: Large,
    start: Large,
    names: Large,
    place: Large,
    holder: Large,
    path: Large,
    spacing: Number,
    skipped: Number,
    drawn: Large,
) -> Number:
    """Free a random item, let it push another out of a random candidate, and so on until the first place is taken.

    Going back the same way is as likely, so that all mappings are equally likely in the end, and every alternating
    cycle is possible. Edge e of a row leads to `upto[e] - upto[e - 1]` places from `start[e]` on. A loop that would
    be longer than `path` is undone. Mappings are `spacing` loops apart, a number that must not depend on their lengths;
    the sum of the lengths is returned.
    """
    items = len(row_of)
    moved = 0
    for row in range(-skipped, len(drawn)):
        for _ in range(spacing):
            free = below(random, items)
            hole = place[free]
            length = 0
            while True:
                first, last = begin[row_of[free]], begin[row_of[free] + 1] - 1
                pick = below(random, upto[last])
                low, high = first, last
                while low < high:
                    middle = (low + high) >> 1
                    if upto[middle] > pick:
                        high = middle
                    else:
                        low = middle + 1
                chosen = start[low] + pick - (upto[low - 1] if low > first else 0)
                if chosen == hole:
                    place[free] = hole
                    holder[hole] = free
                    break
                if length == len(path):
                    for step in range(length - 1, -1, -1):
                        back = holder[path[step]]
                        place[free] = path[step]
                        holder[path[step]] = free
                        free = back
                    place[free] = hole
                    holder[hole] = free
                    break
                path[length] = chosen
                length += 1
                pushed = holder[chosen]
                place[free] = chosen
                holder[chosen] = free
                free = pushed
            moved += length + 1
        if row >= 0:
            for item in range(items):
                drawn[row, item] = names[place[item]]
    return moved
