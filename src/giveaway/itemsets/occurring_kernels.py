"""The compiled count of the itemsets that occur: depth first with closed forms for small cohorts, able to pause.

Imported only when itemsets are counted. All sums are taken modulo `modulus`, so that a count beyond 64 bits can be put
together from several runs. `choose[i, t]` is the number of ways to take i of t, `upto[r, t]` that of taking 1 to r,
`having[r, t]` that of taking 1 to r with a given one among them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

DONE, PAUSED = range(2)

# Places in the array of scalars that survive a pause.
DEPTH, WORK, LEAST = range(3)

RARE = 64
"""Supports below this have a counter of their own; the last counter is for all others."""


class Tables(NamedTuple):
    """Binomial numbers and their sums, modulo `modulus`."""

    choose: Large
    upto: Large
    having: Large
    modulus: Number


class Tallies(NamedTuple):
    """What is counted: sets by size, by support, and sets that contain each item."""

    sizes: Large
    supports: Large
    items: Large


class Walk(NamedTuple):
    """Working memory: for each depth the rows, the places behind which they go on, and their items."""

    rows: Small
    places: Small
    waiting: Large
    things: Small
    ends: Large
    sums: Large
    many: Large
    weight: Large
    cursor: Large


@njit(cache=True)
def _add(at: Large, place: Number, more: Number, modulus: Number) -> None:
    summed = at[place] + more
    at[place] = summed - modulus if summed >= modulus else summed


@njit(cache=True)
def _add_support(tallies: Tallies, state: Large, support: Number, sets: Number, modulus: Number) -> None:
    _add(tallies.supports, min(support, RARE), sets, modulus)
    state[LEAST] = min(state[LEAST], support)


@njit(cache=True)
def _one(
    cells: Small, begin: Number, end: Number, depth: Number, left: Number, tables: Tables, tallies: Tallies
) -> Number:
    """Count the sets that extend a set by what one row holds, their supports left out."""
    tail = end - begin
    each = tables.having[left, tail]
    for cell in range(begin, end):
        _add(tallies.items, cells[cell], each, tables.modulus)
    for more in range(1, min(left, tail) + 1):
        _add(tallies.sizes, depth + more, tables.choose[more, tail], tables.modulus)
    return tables.upto[left, tail]


@njit(cache=True)
def _two(
    cells: Small,
    begins: tuple[Number, Number],
    ends: tuple[Number, Number],
    weights: tuple[Number, Number],
    depth: Number,
    left: Number,
    tables: Tables,
    tallies: Tallies,
    state: Large,
) -> Number:
    """Count the sets that extend a set held by two rows, by inclusion and exclusion."""
    i, j = begins
    common = 0
    while i < ends[0] and j < ends[1]:
        if cells[i] < cells[j]:
            i += 1
        elif cells[i] > cells[j]:
            j += 1
        else:
            common += 1
            i += 1
            j += 1
    modulus = tables.modulus
    both = tables.upto[left, common]
    sets = both
    for side in range(2):
        held = _one(cells, begins[side], ends[side], depth, left, tables, tallies)
        alone = held - both if held >= both else held - both + modulus
        if ends[side] - begins[side] > common:
            _add_support(tallies, state, weights[side], alone, modulus)
        sets = sets + alone - modulus if sets + alone >= modulus else sets + alone
    if common == 0:
        return sets
    # What both rows hold was counted twice in sizes and items.
    _add_support(tallies, state, weights[0] + weights[1], both, modulus)
    each = tables.having[left, common]
    i, j = begins
    while i < ends[0] and j < ends[1]:
        if cells[i] < cells[j]:
            i += 1
        elif cells[i] > cells[j]:
            j += 1
        else:
            _add(tallies.items, cells[i], modulus - each, modulus)
            i += 1
            j += 1
    for size in range(1, min(left, common) + 1):
        _add(tallies.sizes, depth + size, modulus - tables.choose[size, common], modulus)
    return sets


@njit(cache=True)
def _tally(
    cells: Small, starts: Large, weights: Large, walk: Walk, depth: Number, first: Number, last: Number
) -> Number:
    """Add up rows and weights of each item behind some places of a depth; return how many items there are."""
    seen = 0
    things = walk.things[depth]
    for at in range(first, last):
        row = walk.rows[depth, at]
        for cell in range(walk.places[depth, at], starts[row + 1]):
            item = cells[cell]
            if walk.many[item] == 0:
                things[seen] = item
                seen += 1
            walk.many[item] += 1
            walk.weight[item] += weights[row]
    return seen


@njit(cache=True)
def _open(
    cells: Small,
    starts: Large,
    weights: Large,
    walk: Walk,
    depth: Number,
    first: Number,
    last: Number,
    size: Number,
    tables: Tables,
    tallies: Tallies,
    state: Large,
) -> Number:
    """Count the sets that extend one set; where that needs a closer look, return how many items to look at."""
    left = size - depth
    walk.sums[depth] = 0
    if last - first == 1:
        row = walk.rows[depth, first]
        begin = np.int64(walk.places[depth, first])
        sets = _one(cells, begin, starts[row + 1], depth, left, tables, tallies)
        walk.sums[depth] = sets
        if starts[row + 1] > begin:
            _add_support(tallies, state, weights[row], sets, tables.modulus)
        state[WORK] += starts[row + 1] - begin + 1
        return 0
    if last - first == 2 and left > 1:
        one, other = walk.rows[depth, first], walk.rows[depth, first + 1]
        begins = (np.int64(walk.places[depth, first]), np.int64(walk.places[depth, first + 1]))
        ends = (starts[one + 1], starts[other + 1])
        walk.sums[depth] = _two(
            cells, begins, ends, (weights[one], weights[other]), depth, left, tables, tallies, state
        )
        state[WORK] += 2 * (ends[0] - begins[0] + ends[1] - begins[1]) + 1
        return 0
    seen = _tally(cells, starts, weights, walk, depth, first, last)
    for at in range(first, last):
        state[WORK] += starts[walk.rows[depth, at] + 1] - walk.places[depth, at] + 1
    end = np.int64(0)
    for i in range(seen):
        item = walk.things[depth, i]
        _add_support(tallies, state, walk.weight[item], np.int64(1), tables.modulus)
        walk.weight[item] = 0
        if left == 1:
            _add(tallies.items, item, np.int64(1), tables.modulus)
            walk.many[item] = 0
        else:
            walk.cursor[item] = end
            end += walk.many[item]
            walk.ends[depth, i] = end
            walk.many[item] = 0
    _add(tallies.sizes, depth + 1, seen, tables.modulus)
    if left == 1:
        walk.sums[depth] = seen
        return 0
    for at in range(first, last):
        row = walk.rows[depth, at]
        for cell in range(walk.places[depth, at], starts[row + 1]):
            item = cells[cell]
            walk.rows[depth + 1, walk.cursor[item]] = row
            walk.places[depth + 1, walk.cursor[item]] = cell + 1
            walk.cursor[item] += 1
    return seen


@njit(cache=True)
def count(
    cells: Small,
    starts: Large,
    weights: Large,
    size: Number,
    tables: Tables,
    tallies: Tallies,
    state: Large,
    walk: Walk,
    until: Number,
) -> Number:
    """Go on counting until done or until the work exceeds `until`; a fresh state has depth -1."""
    if state[DEPTH] < 0:
        for row in range(len(weights)):
            walk.rows[0, row] = row
            walk.places[0, row] = starts[row]
        state[DEPTH] = 0
        # A literal 0 would have numba compile the function a second time.
        root = np.int64(0)
        walk.waiting[0] = _open(
            cells, starts, weights, walk, root, root, len(weights), size, tables, tallies, state
        )
    while state[WORK] < until:
        depth = state[DEPTH]
        if walk.waiting[depth] == 0:
            if depth == 0:
                return DONE
            state[DEPTH] -= 1
            item = walk.things[depth - 1, walk.waiting[depth - 1]]
            sets = walk.sums[depth] + 1
            sets = sets - tables.modulus if sets >= tables.modulus else sets
            _add(tallies.items, item, sets, tables.modulus)
            _add(walk.sums, depth - 1, sets, tables.modulus)
            continue
        walk.waiting[depth] -= 1
        place = walk.waiting[depth]
        first = walk.ends[depth, place - 1] if place > 0 else np.int64(0)
        state[DEPTH] += 1
        walk.waiting[depth + 1] = _open(
            cells,
            starts,
            weights,
            walk,
            depth + 1,
            first,
            walk.ends[depth, place],
            size,
            tables,
            tallies,
            state,
        )
    return PAUSED
