"""The compiled count of the mappings of a few items, by subsets.

Imported only when mappings are counted so.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import native

Large = NDArray[np.int64]
Number = int | np.int64


@native
def _members(number: Number) -> Number:
    many = 0
    while number:
        number &= number - 1
        many += 1
    return many


@native
def by_subsets(candidates: Large) -> tuple[Large, Number]:
    """Count the mappings of each item to each renamed item, and all; candidates are bits, of at most 20 items.

    State: the set of renamed items used, as bits. Items are mapped in turn, so that it tells how many were. Invariant:
    `before[used]` counts the ways to get there and `after[used]` those to go on from there to a mapping of all items.
    Sets that no way leads to are passed over. The dynamic program over subsets of Bellman, Held and Karp; counts of 20 items fit into 64 bits.
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
