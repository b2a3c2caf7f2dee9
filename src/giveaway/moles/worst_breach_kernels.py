"""The compiled search for the itemset that gives most away: depth first, able to pause.

A set counts for the transactions that agree on a private item, or for one when there are no private items: the largest
share of these among those that hold the set wins.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from giveaway.moles.kernels import Data, Large, Number, Small, most_frequent_secret

DONE, PAUSED = range(2)

# Places in the array of scalars that survive a pause. COUNT of SUPPORT is the largest share so far, found in a set of
# SIZE items (0 when none is found yet) for the private item SECRET; the search ends when it is 1 in ENOUGH or more, and
# never before all is seen when ENOUGH is 0.
DEPTH, WORK, COUNT, SUPPORT, SECRET, SIZE, ENOUGH = range(7)


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
    path: Small
    """The items of the set that is looked at, by ranks."""
    best: Small
    """The items of the worst set so far."""
    codes: Small
    """The code of each rank."""


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
    # In the order of items, so that the order of rows decides nothing.
    walk.seen[:seen].sort()
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
def _comes_first(state: Large, walk: Walk, size: Number, support: Number) -> bool:
    """Say whether a set of one or two items stands before an equally bad one: by size, crowd, then item order."""
    if state[SIZE] != size:
        return bool(size < state[SIZE])
    if state[SUPPORT] != support:
        return bool(support > state[SUPPORT])
    low, high = walk.codes[walk.path[0]], walk.codes[walk.path[size - 1]]
    best_low, best_high = walk.codes[walk.best[0]], walk.codes[walk.best[size - 1]]
    if min(low, high) != min(best_low, best_high):
        return bool(min(low, high) < min(best_low, best_high))
    return bool(max(low, high) < max(best_low, best_high))


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
    """Compare one set with the worst so far; without a private item in its rows no extension has one either."""
    count, secret = np.int64(1), np.int64(-1)
    if len(walk.counted):
        count, secret = most_frequent_secret(data, places, first, last, walk.counted, walk.secrets)
    walk.path[depth] = data.cells[places[first]]
    ahead = count * state[SUPPORT] - state[COUNT] * support
    if ahead > 0 or (ahead == 0 and state[ENOUGH] == 0 and _comes_first(state, walk, depth + 1, support)):
        state[COUNT] = count
        state[SUPPORT] = support
        state[SECRET] = secret
        state[SIZE] = depth + 1
        walk.best[: depth + 1] = walk.path[: depth + 1]
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
    while state[SIZE] == 0 or state[COUNT] * state[ENOUGH] < state[SUPPORT]:
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
        walk.path[depth] = data.cells[places[walk.firsts[depth, place]]]
        state[DEPTH] += 1
        _look(data, state, walk, depth + 1, places, walk.firsts[depth, place], walk.lasts[depth, place], size)
    return DONE
