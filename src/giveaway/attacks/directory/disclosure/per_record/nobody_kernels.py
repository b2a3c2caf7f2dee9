"""The compiled search for the fewest attributes that nobody is consistent with.

Imported only when a record has more attributes than can be tried all.
"""

import numpy as np
from numba import njit

from giveaway.attacks.directory.disclosure.problem import Masks, Rows

NONE, FOUND, STOPPED = range(3)


@njit(cache=True)
def _ones(mask: np.uint64) -> int:
    many = 0
    while mask:
        mask &= mask - np.uint64(1)
        many += 1
    return many


@njit(cache=True)
def _fullest(masks: Masks, rows: Rows, begin: int, end: int) -> np.uint64:
    best, most = np.uint64(0), -1
    for at in range(begin, end):
        ones = _ones(masks[rows[at]])
        if ones > most:
            best, most = masks[rows[at]], ones
    return best


@njit(cache=True)
def _reach(masks: Masks, rows: Rows, begin: int, end: int, open_bits: np.uint64, bits: int) -> int:
    """Return the most masks that one attribute leaves behind."""
    lacking = np.zeros(bits, np.int64)
    for at in range(begin, end):
        mask = masks[rows[at]]
        for bit in range(bits):
            lacking[bit] += np.int64((~mask >> np.uint64(bit)) & np.uint64(1))
    most = 0
    for bit in range(bits):
        if (open_bits >> np.uint64(bit)) & np.uint64(1):
            most = max(most, lacking[bit])
    return most


@njit(cache=True)
def empty(masks: Masks, bits: int, most: int, nodes: int) -> tuple[int, np.uint64, int]:
    """Search for at most `most` attributes that no mask has all of: whether there are, which, and the nodes used.

    A mask with the most attributes must lack one of those chosen: each that it lacks is tried in turn, and is closed to
    the tries after it.
    """
    rows = np.empty((most + 1) * len(masks), np.int32)
    for row in range(len(masks)):
        rows[row] = row
    ends = np.zeros(most + 1, np.int64)
    chosen = np.zeros(most + 1, np.uint64)
    closed = np.zeros(most + 1, np.uint64)
    tries = np.zeros(most + 1, np.uint64)
    every = ~np.uint64(0) >> np.uint64(64 - bits)
    ends[0] = len(masks)
    depth, used, fresh = 0, 0, True
    while depth >= 0:
        begin = ends[depth - 1] if depth else 0
        if fresh:
            if used >= nodes:
                return STOPPED, np.uint64(0), used
            used += 1
            left = ends[depth] - begin
            if left == 0:
                return FOUND, chosen[depth], used
            usable = every & ~closed[depth]
            if _reach(masks, rows, begin, ends[depth], usable, bits) * (most - depth) < left:
                depth -= 1
                fresh = False
                continue
            tries[depth] = ~_fullest(masks, rows, begin, ends[depth]) & usable
        if tries[depth] == 0:
            depth -= 1
            fresh = False
            continue
        one = tries[depth] & (~tries[depth] + np.uint64(1))
        tries[depth] ^= one
        end = ends[depth]
        for at in range(begin, ends[depth]):
            if masks[rows[at]] & one:
                rows[end] = rows[at]
                end += 1
        ends[depth + 1] = end
        chosen[depth + 1] = chosen[depth] | one
        closed[depth + 1] = closed[depth]
        closed[depth] |= one
        depth += 1
        fresh = True
    return NONE, np.uint64(0), used
