"""The loops that count nuggets: a depth-first search that can pause, and the update after withholding.

Items are ranks here and chosen sets (heads) ascend in rank. Every loop counts the steps it takes, so that a budget stops
the same work at the same place on every machine.

State: `walk.path` is the set in hand. At each depth `walk.levels` says which `walk.candidates` extend it (from FIRST to
LAST, each with its support and, in lists of occurrences, where those begin and end), which of them comes next, and how
many perfect extensions are known. Candidates and occurrences are stacks: leaving a depth drops what it put on top. The
search returns between two sets and goes on when it is called again; where an array would overflow, that is said before
anything of the next set is written.

Invariant: all sets before the present path in the order of the search are written, and each nugget is in exactly one
of the intervals written or to come: an item that is perfect for an ancestor is not a candidate any more, as it would be
counted twice.

Pruning: a set that fewer than `min_support` transactions hold is not extended (Agrawal and Srikant 1994), and an item
that leaves the support as it is (a perfect extension) doubles the nuggets without a search (Borgelt 2012). With moles, a
set that holds one is left out with all its extensions.

Xu et al., Definition 2.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, kernel

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Number = int | np.int64

SETS_FULL, CELLS_FULL, CANDIDATES_FULL, OCCURRENCES_FULL = range(2, 6)
"""What the search says besides `DONE` and `PAUSED`: an array must be enlarged before it goes on."""

# Places in the array of numbers that survive a pause.
DEPTH, CANDIDATES, OCCURRENCES, SETS, CELLS, STEPS, WANTED, ALONE = range(8)

# Columns of the array of levels.
FIRST, LAST, NEXT, BUCKETS, KNOWN, PART = range(6)


class NuggetsAsked(NamedTuple):
    """What is searched.

    With `intervals` each node of the search yields the sets between its head and its head with all perfect extensions.
    Without, each set of public items that holds no mole is yielded, with the number of nuggets whose public part it is;
    ranks below `public` are public. `dense` says that rows are bitmaps, and not lists of occurrences.
    """

    dense: bool
    intervals: bool
    public: Number
    min_support: Number
    max_size: Number


class NuggetRows(NamedTuple):
    """Rows as ascending ranks, and how many transactions each stands for."""

    offsets: Large
    cells: Small
    weights: Large


class Bitmaps(NamedTuple):
    """The rows of each rank as bits; the rows of word `i` weigh 2 ** shift[i]."""

    bits: Words
    shift: Large


class RankedMoles(NamedTuple):
    """Moles sorted by their last rank and the last but one (-1 if none), each with its other ranks."""

    first: Large
    second: Small
    rest_offsets: Large
    rest: Small


class NuggetWalk(NamedTuple):
    """Working memory of the search."""

    levels: Large
    path: Small
    perfect: Small
    """The perfect extensions of the set in hand and all before it, one after the other."""
    is_perfect: Flags
    chosen: Flags
    tally: Large
    touched: Small
    slot: Large
    covers: Words
    """The rows that hold the set at each depth, as bits."""
    candidates: Large
    occurrence: Small
    """Pairs of a row and the place in it behind which it goes on, by candidate."""


class RoomForSets(NamedTuple):
    """Room for the sets that are found: `cells[offsets[i]:offsets[i + 1]]`, the first `heads[i]` of them the head.

    `weights[i]` is the support of an interval, and of a public part the number of nuggets that have it.
    """

    offsets: Large
    heads: Small
    weights: Large
    cells: Small


class NuggetsTask(NamedTuple):
    """What the search walks and what it writes."""

    asked: NuggetsAsked
    rows: NuggetRows
    bitmaps: Bitmaps
    moles: RankedMoles
    walk: NuggetWalk
    written: RoomForSets


class Shapes(NamedTuple):
    """How many nuggets intervals have by the sizes of head and extensions, in limbs: all, and those with an extension."""

    whole: Large
    holding: Large


@kernel
def _ones(word: np.uint64) -> np.int64:
    """Count the bits of a word."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _common(one: Words, other: Words, shift: Large) -> Number:
    """Add the weights of the rows in both bitmaps."""
    total = np.int64(0)
    for i in range(len(one)):
        total += _ones(one[i] & other[i]) << shift[i]
    return total


@kernel
def _looks_for_mole(item: Number, depth: Number, walk: NuggetWalk, moles: RankedMoles) -> tuple[bool, Number]:
    """Tell whether the chosen items hold a mole together with `item`, its last one, and how many steps it took.

    The moles of an item are sorted by their last but one: only those that have it chosen are looked at.
    """
    second = moles.second
    begin, end = moles.first[item], moles.first[item + 1]
    if begin < end and second[begin] < 0:
        return True, np.int64(1)
    steps = np.int64(1)
    for i in range(depth):
        low, high = begin, end
        while low < high:
            middle = (low + high) // 2
            if second[middle] < walk.path[i]:
                low = middle + 1
            else:
                high = middle
        while low < end and second[low] == walk.path[i]:
            held = True
            for place in range(moles.rest_offsets[low], moles.rest_offsets[low + 1]):
                if not walk.chosen[moles.rest[place]]:
                    held = False
                    break
            steps += 1
            if held:
                return True, steps
            low += 1
    return False, steps


@kernel
def _deliver(begin: Number, end: Number, rows: NuggetRows, walk: NuggetWalk) -> tuple[Number, Number]:
    """Add up weights and numbers of the rows behind each item that follows in the occurrences of a set.

    Returns how many items were touched and how many steps it took.
    """
    occurrence, tally = walk.occurrence, walk.tally
    seen = np.int64(0)
    steps = np.int64(0)
    for i in range(begin, end):
        row = occurrence[i, 0]
        weight = rows.weights[row]
        for place in range(rows.offsets[row] + occurrence[i, 1], rows.offsets[row + 1]):
            item = rows.cells[place]
            if tally[item, 1] == 0:
                walk.touched[seen] = item
                seen += 1
            tally[item, 0] += weight
            tally[item, 1] += 1
            steps += 1
    return seen, steps


@kernel
def _fill(begin: Number, end: Number, rows: NuggetRows, walk: NuggetWalk) -> None:
    """Write the occurrences of every extended set into its bucket."""
    occurrence, slot = walk.occurrence, walk.slot
    for i in range(begin, end):
        row = occurrence[i, 0]
        for place in range(rows.offsets[row] + occurrence[i, 1], rows.offsets[row + 1]):
            into = slot[rows.cells[place]]
            if into >= 0:
                occurrence[into, 0] = row
                occurrence[into, 1] = place + 1 - rows.offsets[row]
                slot[rows.cells[place]] = into + 1


@kernel
def search(task: NuggetsTask, state: Large, until: Number) -> Number:
    """Go on with the search until it is done, has taken `until` steps, or an array is full.

    Each turn of the loop takes the next candidate of the present depth, finds what extends it, writes it down and
    enters it; without a further candidate it goes one depth up.
    """
    asked, walk, written = task.asked, task.walk, task.written
    intervals, max_size = asked.intervals, asked.max_size
    levels, candidates, tally, perfect = walk.levels, walk.candidates, walk.tally, walk.perfect
    while state[DEPTH] >= 0:
        if state[STEPS] >= until:
            return PAUSED
        depth = state[DEPTH]
        level = levels[depth]
        if level[NEXT] == level[LAST]:
            state[CANDIDATES] = level[FIRST]
            state[OCCURRENCES] = level[BUCKETS]
            state[DEPTH] -= 1
            if depth > 0:
                walk.chosen[walk.path[depth - 1]] = False
                for i in range(levels[depth - 1, KNOWN], level[KNOWN]):
                    walk.is_perfect[perfect[i]] = False
            continue
        if state[SETS] + 1 >= len(written.offsets):
            return SETS_FULL
        if state[CELLS] + depth + 1 + len(perfect) > len(written.cells):
            return CELLS_FULL
        if state[CANDIDATES] + len(perfect) > len(candidates):
            return CANDIDATES_FULL
        this = level[NEXT]
        item = candidates[this, 0]
        support = candidates[this, 1]
        if not intervals and item < asked.public:
            held, steps = _looks_for_mole(item, depth, walk, task.moles)
            state[STEPS] += steps
            if held:
                level[NEXT] += 1
                continue
        size = depth + 1
        top = state[CANDIDATES]
        known = level[KNOWN]
        buckets = state[OCCURRENCES]
        if size < max_size and asked.dense:
            covers, bits = walk.covers, task.bitmaps.bits
            for i in range(covers.shape[1]):
                covers[size, i] = covers[depth, i] & bits[item, i]
            for other in range(this + 1, level[LAST]):
                extension = candidates[other, 0]
                count = _common(covers[size], bits[extension], task.bitmaps.shift)
                if intervals and count == support:
                    perfect[known] = extension
                    known += 1
                elif count >= asked.min_support:
                    candidates[top, 0] = extension
                    candidates[top, 1] = count
                    top += 1
            state[STEPS] += (level[LAST] - this) * covers.shape[1]
        elif size < max_size:
            begin, end = candidates[this, 2], candidates[this, 3]
            seen, steps = _deliver(begin, end, task.rows, walk)
            wanted = np.int64(0)
            for i in range(seen):
                touched = walk.touched[i]
                if tally[touched, 0] >= asked.min_support and not walk.is_perfect[touched]:
                    wanted += tally[touched, 1]
            state[WANTED] = buckets + wanted
            room = state[WANTED] <= len(walk.occurrence)
            for i in range(seen):
                touched = walk.touched[i]
                count, number = tally[touched, 0], tally[touched, 1]
                tally[touched, 0] = 0
                tally[touched, 1] = 0
                if not room or walk.is_perfect[touched]:
                    continue
                if intervals and count == support:
                    perfect[known] = touched
                    known += 1
                elif count >= asked.min_support:
                    candidates[top, 0] = touched
                    candidates[top, 1] = count
                    candidates[top, 2] = buckets
                    walk.slot[touched] = buckets
                    buckets += number
                    candidates[top, 3] = buckets
                    top += 1
            if not room:
                return OCCURRENCES_FULL
            if size + 1 < max_size and top > state[CANDIDATES]:
                _fill(begin, end, task.rows, walk)
                steps *= 2
            for i in range(state[CANDIDATES], top):
                walk.slot[candidates[i, 0]] = -1
            state[STEPS] += steps
        level[NEXT] += 1
        walk.path[depth] = item
        walk.chosen[item] = True
        state[STEPS] += size
        part = level[PART]
        if intervals or item < asked.public:
            part = state[SETS]
            place = state[CELLS]
            for i in range(size):
                written.cells[place + i] = walk.path[i]
            place += size
            if intervals and size < max_size:
                for i in range(known):
                    written.cells[place + i] = perfect[i]
                place += known
            written.heads[part] = size
            written.weights[part] = support if intervals else 1
            state[SETS] += 1
            state[CELLS] = place
            written.offsets[state[SETS]] = place
        elif part >= 0:
            written.weights[part] += 1
        else:
            state[ALONE] += 1
        below = levels[size]
        below[FIRST] = state[CANDIDATES]
        below[LAST] = top
        below[NEXT] = state[CANDIDATES]
        below[BUCKETS] = state[OCCURRENCES]
        below[KNOWN] = known
        below[PART] = part
        for i in range(level[KNOWN], known):
            walk.is_perfect[perfect[i]] = True
        state[CANDIDATES] = top
        state[OCCURRENCES] = buckets
        state[DEPTH] = size
    return DONE


@kernel
def tally_sets(sets: RoomForSets, shapes: Shapes, counters: Large, begin: Number, end: Number) -> None:
    """Add to each item the nuggets of some intervals that contain it, limb by limb."""
    for one in range(begin, end):
        head = sets.heads[one]
        start = sets.offsets[one]
        free = sets.offsets[one + 1] - start - head
        for i in range(head + free):
            value = shapes.whole if i < head else shapes.holding
            for limb in range(counters.shape[1]):
                counters[sets.cells[start + i], limb] += value[head, free, limb]


@kernel
def withhold(
    item: Number,
    mentions: Large,
    sets: RoomForSets,
    free: Small,
    gone: Flags,
    shapes: Shapes,
    counters: Large,
) -> None:
    """Delete the intervals with `item` in the head, halve those with it among the perfect extensions.

    `free` is the number of perfect extensions still there, -1 for a deleted interval; `mentions` are the places of the
    item as 2 * interval, plus 1 when it is among the perfect extensions.
    """
    gone[item] = True
    limbs = counters.shape[1]
    for mention in mentions:
        one = mention >> 1
        before = free[one]
        if before < 0:
            continue
        head = sets.heads[one]
        after = before - 1 if mention & 1 else -1
        free[one] = after
        for place in range(sets.offsets[one], sets.offsets[one + 1]):
            other = sets.cells[place]
            if gone[other]:
                continue
            value = shapes.whole if place - sets.offsets[one] < head else shapes.holding
            for limb in range(limbs):
                counters[other, limb] -= value[head, before, limb]
                if after >= 0:
                    counters[other, limb] += value[head, after, limb]
    for limb in range(limbs):
        counters[item, limb] = 0
