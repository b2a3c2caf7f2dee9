"""The count of the itemsets that occur: depth first with closed forms for small cohorts, able to pause.

All sums are taken modulo `modulus`, so that a count beyond 64 bits can be put together from several runs.

State: at each depth `walk.rows` are the rows that hold the set in hand, with the places behind which they go on, those
of one extending item after those of the other (`things`, `ends`); `walk.waiting` of these items are still to be looked
into, and `walk.sums` adds up the sets that extend the set in hand. `state` has the depth. The count returns between
two sets and goes on when it is called again.

Invariant: a set is tallied by size and support when the set that it extends is opened. By item it is tallied when it
is left: then the number of its extensions is known, each of which contains the item too.

Pruning: what one row or two rows hold is counted by binomial numbers and not searched, and sets of the largest size are
counted by their last item. A set that no row holds is never met.

The number of all moles, |M(v)| of Xu et al., Figure 2, is this count less that of the free sets.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, kernel

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

# Places in the array of numbers that survive a pause.
DEPTH, WORK, LEAST = range(3)

RARE = 64
"""Supports below this have a counter of their own; the last counter is for all others."""


class RankRows(NamedTuple):
    """Rows as ascending ranks, and how many transactions each stands for."""

    cells: Small
    starts: Large
    weights: Large


class BinomialTables(NamedTuple):
    """Binomial numbers and their sums, modulo `modulus`.

    `choose[i, t]` is the number of ways to take i of t, `upto[r, t]` that of taking 1 to r, `having[r, t]` that of
    taking 1 to r with a given one among them.
    """

    choose: Large
    upto: Large
    having: Large
    modulus: Number


class Tallies(NamedTuple):
    """What is counted: sets by size, by support, and sets that contain each item."""

    sizes: Large
    supports: Large
    items: Large


class OccurringWalk(NamedTuple):
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


class CountTask(NamedTuple):
    """What is counted, up to which size, and where."""

    rows: RankRows
    size: Number
    tables: BinomialTables
    tallies: Tallies
    walk: OccurringWalk


@kernel
def _add(at: Large, place: Number, more: Number, modulus: Number) -> None:
    summed = at[place] + more
    at[place] = summed - modulus if summed >= modulus else summed


@kernel
def _add_support(task: CountTask, state: Large, support: Number, sets: Number) -> None:
    _add(task.tallies.supports, np.int64(min(support, RARE)), sets, task.tables.modulus)
    state[LEAST] = min(state[LEAST], support)


@kernel
def _one(task: CountTask, begin: Number, end: Number, depth: Number) -> Number:
    """Count the sets that extend a set by what one row holds, their supports left out."""
    tables, tallies = task.tables, task.tallies
    tail, left = end - begin, task.size - depth
    each = tables.having[left, tail]
    for cell in range(begin, end):
        _add(tallies.items, np.int64(task.rows.cells[cell]), each, tables.modulus)
    for more in range(1, min(left, tail) + 1):
        _add(tallies.sizes, depth + more, tables.choose[more, tail], tables.modulus)
    return tables.upto[left, tail]


@kernel
def _two(
    task: CountTask,
    state: Large,
    begins: tuple[Number, Number],
    ends: tuple[Number, Number],
    weights: tuple[Number, Number],
    depth: Number,
) -> Number:
    """Count the sets that extend a set held by two rows, by inclusion and exclusion."""
    cells, tables, tallies = task.rows.cells, task.tables, task.tallies
    left = task.size - depth
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
        held = _one(task, begins[side], ends[side], depth)
        alone = held - both if held >= both else held - both + modulus
        if ends[side] - begins[side] > common:
            _add_support(task, state, weights[side], alone)
        sets = sets + alone - modulus if sets + alone >= modulus else sets + alone
    if common == 0:
        return sets
    # What both rows hold was counted twice in sizes and items.
    _add_support(task, state, weights[0] + weights[1], both)
    each = tables.having[left, common]
    i, j = begins
    while i < ends[0] and j < ends[1]:
        if cells[i] < cells[j]:
            i += 1
        elif cells[i] > cells[j]:
            j += 1
        else:
            _add(tallies.items, np.int64(cells[i]), modulus - each, modulus)
            i += 1
            j += 1
    for more in range(1, min(left, common) + 1):
        _add(tallies.sizes, depth + more, modulus - tables.choose[more, common], modulus)
    return sets


@kernel
def _tally(rows: RankRows, walk: OccurringWalk, depth: Number, first: Number, last: Number) -> Number:
    """Add up rows and weights of each item behind some places of a depth; return how many items there are."""
    seen = 0
    things = walk.things[depth]
    for at in range(first, last):
        row = walk.rows[depth, at]
        for cell in range(walk.places[depth, at], rows.starts[row + 1]):
            item = rows.cells[cell]
            if walk.many[item] == 0:
                things[seen] = item
                seen += 1
            walk.many[item] += 1
            walk.weight[item] += rows.weights[row]
    return seen


@kernel
def _open(task: CountTask, state: Large, depth: Number, first: Number, last: Number) -> Number:
    """Count the sets that extend one set; where that needs a closer look, return how many items to look at."""
    rows, walk, tallies, modulus = task.rows, task.walk, task.tallies, task.tables.modulus
    starts, left = rows.starts, task.size - depth
    walk.sums[depth] = 0
    if last - first == 1:
        row = walk.rows[depth, first]
        begin = np.int64(walk.places[depth, first])
        sets = _one(task, begin, starts[row + 1], depth)
        walk.sums[depth] = sets
        if starts[row + 1] > begin:
            _add_support(task, state, rows.weights[row], sets)
        state[WORK] += starts[row + 1] - begin + 1
        return 0
    if last - first == 2 and left > 1:
        one, other = walk.rows[depth, first], walk.rows[depth, first + 1]
        begins = (np.int64(walk.places[depth, first]), np.int64(walk.places[depth, first + 1]))
        ends = (starts[one + 1], starts[other + 1])
        walk.sums[depth] = _two(task, state, begins, ends, (rows.weights[one], rows.weights[other]), depth)
        state[WORK] += 2 * (ends[0] - begins[0] + ends[1] - begins[1]) + 1
        return 0
    seen = _tally(rows, walk, depth, first, last)
    for at in range(first, last):
        state[WORK] += starts[walk.rows[depth, at] + 1] - walk.places[depth, at] + 1
    end = np.int64(0)
    for i in range(seen):
        item = np.int64(walk.things[depth, i])
        _add_support(task, state, walk.weight[item], np.int64(1))
        walk.weight[item] = 0
        if left == 1:
            _add(tallies.items, item, np.int64(1), modulus)
            walk.many[item] = 0
        else:
            walk.cursor[item] = end
            end += walk.many[item]
            walk.ends[depth, i] = end
            walk.many[item] = 0
    _add(tallies.sizes, depth + 1, seen, modulus)
    if left == 1:
        walk.sums[depth] = seen
        return 0
    for at in range(first, last):
        row = walk.rows[depth, at]
        for cell in range(walk.places[depth, at], starts[row + 1]):
            item = np.int64(rows.cells[cell])
            walk.rows[depth + 1, walk.cursor[item]] = row
            walk.places[depth + 1, walk.cursor[item]] = cell + 1
            walk.cursor[item] += 1
    return seen


@kernel
def count(task: CountTask, state: Large, until: Number) -> Number:
    """Go on counting until all is counted or `until` steps are taken; a fresh state has depth -1.

    Each turn of the loop opens the set of the last item that waits at the present depth; where none waits it leaves
    the set in hand, whose extensions are all counted then, and goes one depth up.
    """
    rows, walk, modulus = task.rows, task.walk, task.tables.modulus
    if state[DEPTH] < 0:
        for row in range(len(rows.weights)):
            walk.rows[0, row] = row
            walk.places[0, row] = rows.starts[row]
        state[DEPTH] = 0
        # A literal 0 would have numba compile the function a second time.
        root = np.int64(0)
        walk.waiting[0] = _open(task, state, root, root, np.int64(len(rows.weights)))
    while state[WORK] < until:
        depth = state[DEPTH]
        if walk.waiting[depth] == 0:
            if depth == 0:
                return DONE
            state[DEPTH] -= 1
            item = np.int64(walk.things[depth - 1, walk.waiting[depth - 1]])
            sets = walk.sums[depth] + 1
            sets = sets - modulus if sets >= modulus else sets
            _add(task.tallies.items, item, sets, modulus)
            _add(walk.sums, depth - 1, sets, modulus)
            continue
        walk.waiting[depth] -= 1
        place = walk.waiting[depth]
        first = walk.ends[depth, place - 1] if place > 0 else np.int64(0)
        state[DEPTH] += 1
        walk.waiting[depth + 1] = _open(task, state, depth + 1, first, walk.ends[depth, place])
    return PAUSED
