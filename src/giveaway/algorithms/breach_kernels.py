"""The compiled search for the itemset that gives a private item away most: depth first, able to pause."""

from typing import NamedTuple

import numpy as np
from numba import njit

from giveaway.algorithms.mole_kernels import Data, Large, Number, Small, most_frequent_secret

DONE, PAUSED = range(2)

# Places in the array of scalars that survive a pause; COUNT of SUPPORT is the largest breach so far.
DEPTH, WORK, COUNT, SUPPORT = range(4)


class Walk(NamedTuple):
    """Working memory: for each depth the places of the sets still to be looked into."""

    places: Small
    firsts: Large
    lasts: Large
    waiting: Large
    support: Large
    many: Large
    cursor: Large
    seen: Small
    counted: Large
    secrets: Small


@njit(cache=True)
def _look(
    data: Data,
    state: Large,
    walk: Walk,
    depth: Number,
    places: Small,
    first: Number,
    last: Number,
    size: Number,
) -> None:
    """Try all one-item extensions of a set, and remember those whose own extensions may give away more."""
    seen = 0
    for at in range(first, last):
        row = data.row_of[places[at]]
        end = data.starts[row + 1]
        state[WORK] += end - places[at]
        for cell in range(places[at] + 1, end):
            item = data.cells[cell]
            if walk.many[item] == 0:
                walk.seen[seen] = item
                seen += 1
            walk.many[item] += 1
            walk.support[item] += data.weights[row]
    begin = np.int64(0)
    for i in range(seen):
        walk.cursor[walk.seen[i]] = begin
        begin += walk.many[walk.seen[i]]
    delivered = walk.places[depth]
    for at in range(first, last):
        for cell in range(places[at] + 1, data.starts[data.row_of[places[at]] + 1]):
            item = data.cells[cell]
            delivered[walk.cursor[item]] = cell
            walk.cursor[item] += 1
    end = np.int64(0)
    walk.waiting[depth] = 0
    for i in range(seen):
        item = walk.seen[i]
        begin = end
        end += walk.many[item]
        _weigh(data, state, walk, depth, delivered, begin, end, walk.support[item], size)
        walk.many[item] = 0
        walk.support[item] = 0


@njit(cache=True)
def _weigh(
    data: Data,
    state: Large,
    walk: Walk,
    depth: Number,
    places: Small,
    first: Number,
    last: Number,
    support: Number,
    size: Number,
) -> None:
    """Compare one set with the best so far; without a private item in its rows no extension has one either."""
    count, _ = most_frequent_secret(data, places, first, last, walk.counted, walk.secrets)
    if count * state[SUPPORT] > state[COUNT] * support:
        state[COUNT] = count
        state[SUPPORT] = support
    if depth + 1 < size and count > 0 and last - first > 1:
        walk.firsts[depth, walk.waiting[depth]] = first
        walk.lasts[depth, walk.waiting[depth]] = last
        walk.waiting[depth] += 1


@njit(cache=True)
def search(data: Data, state: Large, walk: Walk, size: Number, until: Number) -> Number:
    """Go on until the work is done, nothing can be worse, or the work exceeds `until`; fresh depth is -1."""
    if state[DEPTH] < 0:
        state[DEPTH] = 0
        walk.waiting[0] = 0
        for item in range(len(data.begins) - 1):
            support = np.int64(0)
            for at in range(data.begins[item], data.begins[item + 1]):
                support += data.weights[data.row_of[data.places[at]]]
            _weigh(
                data,
                state,
                walk,
                np.int64(0),
                data.places,
                data.begins[item],
                data.begins[item + 1],
                support,
                size,
            )
    while state[COUNT] < state[SUPPORT]:
        if state[WORK] >= until:
            return PAUSED
        depth = state[DEPTH]
        if walk.waiting[depth] == 0:
            if depth == 0:
                return DONE
            state[DEPTH] -= 1
            continue
        walk.waiting[depth] -= 1
        place = walk.waiting[depth]
        places = data.places if depth == 0 else walk.places[depth]
        state[DEPTH] += 1
        _look(data, state, walk, depth + 1, places, walk.firsts[depth, place], walk.lasts[depth, place], size)
    return DONE
