"""The search for the itemset that gives most away: depth first, able to pause.

A set counts for the transactions that agree on a private item, or for one when there are no private items: the largest
share of these among those that hold the set wins. Shares are compared as products of whole numbers.

State: `walk.path` is the set in hand, by ranks. For each depth `walk.firsts` and `walk.lasts` bound the cells of the
sets that are weighed but not yet extended, `walk.waiting` of them; `state` has the depth and the best set so far. The
search returns between two sets and goes on when it is called again.

Invariant: every set of up to `walk.size` items that occurs is either weighed, or extends one that waits.

Pruning: a set is not extended when no row of it has a private item, as then no extension has one, nor when one row
holds it, as then its extensions have the same share. The search ends when the best share is 1 in ENOUGH or more, which
nothing exceeds.

This goes beyond Xu et al., who stop at a mole: a set that holds one can give more away.
"""

from typing import NamedTuple

import numpy as np

from giveaway.compiling import DONE, PAUSED, kernel
from giveaway.moles.kernels import (
    CellTally,
    Data,
    HeldCells,
    Large,
    Number,
    SecretCounts,
    Small,
    deliver,
    most_frequent_secret,
)

# Places in the array of numbers that survive a pause. COUNT of SUPPORT is the largest share so far, found in a set of
# SIZE items (0 when none is found yet) for the private item SECRET; the search ends when it is 1 in ENOUGH or more, and
# never before all is seen when ENOUGH is 0.
DEPTH, WORK, COUNT, SUPPORT, SECRET, SIZE, ENOUGH = range(7)


class BreachWalk(NamedTuple):
    """What the search walks, and for each depth the places of the sets that wait to be extended."""

    data: Data
    size: Number
    places: Small
    firsts: Large
    lasts: Large
    waiting: Large
    tally: CellTally
    secrets: SecretCounts
    path: Small
    """The items of the set that is looked at, by ranks."""
    best: Small
    """The items of the worst set so far."""
    codes: Small
    """The code of each rank."""
    every: Large
    """The stamp of each rank, which is 0: sets are extended by all."""


@kernel
def _comes_first(state: Large, walk: BreachWalk, size: Number, support: Number) -> bool:
    """Say whether a set of one or two items comes before an equally bad one: by size, crowd, then item order."""
    if state[SIZE] != size:
        return bool(size < state[SIZE])
    if state[SUPPORT] != support:
        return bool(support > state[SUPPORT])
    low, high = walk.codes[walk.path[0]], walk.codes[walk.path[size - 1]]
    best_low, best_high = walk.codes[walk.best[0]], walk.codes[walk.best[size - 1]]
    if min(low, high) != min(best_low, best_high):
        return bool(min(low, high) < min(best_low, best_high))
    return bool(max(low, high) < max(best_low, best_high))


@kernel
def _weigh(walk: BreachWalk, state: Large, depth: Number, held: HeldCells, support: Number) -> None:
    """Compare one set with the worst so far, and let it wait if its extensions may give away more."""
    count, secret = np.int64(1), np.int64(-1)
    if len(walk.secrets.counted):
        count, secret = most_frequent_secret(walk.data, held, walk.secrets)
    walk.path[depth] = walk.data.cells[held.places[held.first]]
    ahead = count * state[SUPPORT] - state[COUNT] * support
    if ahead > 0 or (ahead == 0 and state[ENOUGH] == 0 and _comes_first(state, walk, depth + 1, support)):
        state[COUNT] = count
        state[SUPPORT] = support
        state[SECRET] = secret
        state[SIZE] = depth + 1
        # Item by item: to copy a slice, numba compiles checks of shapes, which takes longer than all the rest.
        for i in range(depth + 1):
            walk.best[i] = walk.path[i]
    if depth + 1 < walk.size and count > 0 and held.last - held.first > 1:
        walk.firsts[depth, walk.waiting[depth]] = held.first
        walk.lasts[depth, walk.waiting[depth]] = held.last
        walk.waiting[depth] += 1


@kernel
def _extend(walk: BreachWalk, state: Large, depth: Number, held: HeldCells) -> None:
    """Weigh all sets that extend a set by one item of higher rank; `depth` is theirs."""
    tally, delivered = walk.tally, walk.places[depth]
    seen, work = deliver(walk.data, tally, held, delivered, walk.every, np.int64(0))
    state[WORK] += work
    end = np.int64(0)
    walk.waiting[depth] = 0
    for i in range(seen):
        item = tally.seen[i]
        begin = end
        end += tally.many[item]
        _weigh(walk, state, depth, HeldCells(delivered, begin, end), tally.support[item])
        tally.many[item] = 0
        tally.support[item] = 0


@kernel
def search(walk: BreachWalk, state: Large, until: Number) -> Number:
    """Go on until all is seen, nothing can be worse, or `until` steps are taken; a fresh depth is -1.

    Each turn of the loop takes the last set that waits at the present depth and weighs its extensions, which wait one
    depth below; where none waits it goes one depth up.
    """
    data = walk.data
    if state[DEPTH] < 0:
        state[DEPTH] = 0
        walk.waiting[0] = 0
        for item in range(len(data.begins) - 1):
            held = HeldCells(data.places, data.begins[item], data.begins[item + 1])
            support = np.int64(0)
            for at in range(held.first, held.last):
                support += data.weights[data.row_of[data.places[at]]]
            _weigh(walk, state, np.int64(0), held, support)
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
        held = HeldCells(places, walk.firsts[depth, place], walk.lasts[depth, place])
        walk.path[depth] = data.cells[places[held.first]]
        state[DEPTH] += 1
        _extend(walk, state, depth + 1, held)
    return DONE
