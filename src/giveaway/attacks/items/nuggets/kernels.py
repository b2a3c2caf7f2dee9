"""The compiled loops that count nuggets: a depth-first search that can pause, and the update after withholding.

Imported only when nuggets are counted. Items are ranks here, chosen sets (heads) ascend in rank, and every loop
counts the steps it takes, so that a budget stops the same work at the same place on every machine.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

DONE, PAUSED, SETS_FULL, CELLS_FULL, CANDIDATES_FULL, OCCURRENCES_FULL = range(6)

# Places in the array of scalars that survive a pause.
DEPTH, CANDIDATES, OCCURRENCES, SETS, CELLS, STEPS, WANTED, ALONE, PERFECT = range(9)

# Columns of the array of levels.
FIRST, LAST, NEXT, BUCKETS, KNOWN, PART = range(6)


@njit(cache=True)
def _ones(word: np.uint64) -> np.int64:
    """Count the bits of a word."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def _common(one: NDArray[np.uint64], other: NDArray[np.uint64], shift: NDArray[np.int64]) -> np.int64:
    """Add the weights of the rows in both bitmaps; the rows of word `i` weigh 2 ** shift[i]."""
    total = np.int64(0)
    for i in range(len(one)):
        total += _ones(one[i] & other[i]) << shift[i]
    return total


@njit(cache=True)
def _looks_for_mole(
    item: int,
    path: NDArray[np.int32],
    depth: int,
    chosen: NDArray[np.bool_],
    moles: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]],
) -> tuple[bool, int]:
    """Tell whether the chosen items hold a mole together with `item`, its last one, and how many steps it took.

    The moles of an item are sorted by their last but one: only those that have it chosen are looked at.
    """
    first, second, rest_offsets, rest = moles
    begin, end = first[item], first[item + 1]
    if begin < end and second[begin] < 0:
        return True, 1
    steps = 1
    for i in range(depth):
        low, high = begin, end
        while low < high:
            middle = (low + high) // 2
            if second[middle] < path[i]:
                low = middle + 1
            else:
                high = middle
        while low < end and second[low] == path[i]:
            held = True
            for place in range(rest_offsets[low], rest_offsets[low + 1]):
                if not chosen[rest[place]]:
                    held = False
                    break
            steps += 1
            if held:
                return True, steps
            low += 1
    return False, steps


@njit(cache=True)
def _deliver(
    begin: int,
    end: int,
    rows: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]],
    occurrence: NDArray[np.int32],
    tally: NDArray[np.int64],
    touched: NDArray[np.int32],
) -> tuple[int, int]:
    """Add up weights and numbers of the rows behind each item that follows in the occurrences of a set.

    Returns how many items were touched and how many steps it took.
    """
    offsets, codes, weights = rows
    seen = 0
    steps = 0
    for i in range(begin, end):
        row = occurrence[i, 0]
        weight = weights[row]
        for place in range(offsets[row] + occurrence[i, 1], offsets[row + 1]):
            item = codes[place]
            if tally[item, 1] == 0:
                touched[seen] = item
                seen += 1
            tally[item, 0] += weight
            tally[item, 1] += 1
            steps += 1
    return seen, steps


@njit(cache=True)
def _fill(
    begin: int,
    end: int,
    rows: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]],
    occurrence: NDArray[np.int32],
    slot: NDArray[np.int64],
) -> None:
    """Write the occurrences of every extended set into its bucket."""
    offsets, codes, _ = rows
    for i in range(begin, end):
        row = occurrence[i, 0]
        for place in range(offsets[row] + occurrence[i, 1], offsets[row + 1]):
            into = slot[codes[place]]
            if into >= 0:
                occurrence[into, 0] = row
                occurrence[into, 1] = place + 1 - offsets[row]
                slot[codes[place]] = into + 1


@njit(cache=True)
def search(
    dense: bool,
    intervals: bool,
    public: int,
    min_support: int,
    max_size: int,
    quantum: int,
    rows: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]],
    bitmaps: tuple[NDArray[np.uint64], NDArray[np.int64]],
    moles: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]],
    at: NDArray[np.int64],
    levels: NDArray[np.int64],
    path: NDArray[np.int32],
    perfect: NDArray[np.int32],
    is_perfect: NDArray[np.bool_],
    chosen: NDArray[np.bool_],
    tally: NDArray[np.int64],
    touched: NDArray[np.int32],
    slot: NDArray[np.int64],
    covers: NDArray[np.uint64],
    candidates: NDArray[np.int64],
    occurrence: NDArray[np.int32],
    set_offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    weights: NDArray[np.int64],
    cells: NDArray[np.int32],
) -> int:
    """Go on with the search until it is done, has taken `quantum` steps, or an array is full.

    With `intervals` each node of the search yields the sets between its head and its head with all perfect
    extensions (items that leave the support as it is); the intervals are disjoint and cover all nuggets. An item
    that is perfect for an ancestor is no extension any more: it would be counted twice.
    Without, each set of public items that holds no mole is yielded, with the number of nuggets whose public part it is;
    ranks below `public` are public.
    """
    bits, shift = bitmaps
    stop = at[STEPS] + quantum
    while at[DEPTH] >= 0:
        if at[STEPS] > stop:
            return PAUSED
        depth = at[DEPTH]
        level = levels[depth]
        if level[NEXT] == level[LAST]:
            at[CANDIDATES] = level[FIRST]
            at[OCCURRENCES] = level[BUCKETS]
            at[DEPTH] -= 1
            if depth > 0:
                chosen[path[depth - 1]] = False
                for i in range(levels[depth - 1, KNOWN], level[KNOWN]):
                    is_perfect[perfect[i]] = False
            continue
        if at[SETS] + 1 >= len(set_offsets):
            return SETS_FULL
        if at[CELLS] + depth + 1 + len(perfect) > len(cells):
            return CELLS_FULL
        if at[CANDIDATES] + len(perfect) > len(candidates):
            return CANDIDATES_FULL
        this = level[NEXT]
        item = candidates[this, 0]
        support = candidates[this, 1]
        if not intervals and item < public:
            held, steps = _looks_for_mole(item, path, depth, chosen, moles)
            at[STEPS] += steps
            if held:
                level[NEXT] += 1
                continue
        size = depth + 1
        top = at[CANDIDATES]
        known = level[KNOWN]
        buckets = at[OCCURRENCES]
        if size < max_size and dense:
            for i in range(covers.shape[1]):
                covers[size, i] = covers[depth, i] & bits[item, i]
            for other in range(this + 1, level[LAST]):
                extension = candidates[other, 0]
                count = _common(covers[size], bits[extension], shift)
                if intervals and count == support:
                    perfect[known] = extension
                    known += 1
                elif count >= min_support:
                    candidates[top, 0] = extension
                    candidates[top, 1] = count
                    top += 1
            at[STEPS] += (level[LAST] - this) * covers.shape[1]
        elif size < max_size:
            begin, end = candidates[this, 2], candidates[this, 3]
            seen, steps = _deliver(begin, end, rows, occurrence, tally, touched)
            wanted = 0
            for i in range(seen):
                extension = touched[i]
                if tally[extension, 0] >= min_support and not is_perfect[extension]:
                    wanted += tally[extension, 1]
            at[WANTED] = buckets + wanted
            room = at[WANTED] <= len(occurrence)
            for i in range(seen):
                extension = touched[i]
                count, number = tally[extension, 0], tally[extension, 1]
                tally[extension, 0] = 0
                tally[extension, 1] = 0
                if not room or is_perfect[extension]:
                    continue
                if intervals and count == support:
                    perfect[known] = extension
                    known += 1
                elif count >= min_support:
                    candidates[top, 0] = extension
                    candidates[top, 1] = count
                    candidates[top, 2] = buckets
                    slot[extension] = buckets
                    buckets += number
                    candidates[top, 3] = buckets
                    top += 1
            if not room:
                return OCCURRENCES_FULL
            if size + 1 < max_size and top > at[CANDIDATES]:
                _fill(begin, end, rows, occurrence, slot)
                steps *= 2
            for i in range(at[CANDIDATES], top):
                slot[candidates[i, 0]] = -1
            at[STEPS] += steps
        level[NEXT] += 1
        path[depth] = item
        chosen[item] = True
        at[STEPS] += size
        part = level[PART]
        if intervals or item < public:
            part = at[SETS]
            place = at[CELLS]
            for i in range(size):
                cells[place + i] = path[i]
            place += size
            if intervals and size < max_size:
                for i in range(known):
                    cells[place + i] = perfect[i]
                place += known
            heads[part] = size
            weights[part] = 1
            at[SETS] += 1
            at[CELLS] = place
            set_offsets[at[SETS]] = place
        elif part >= 0:
            weights[part] += 1
        else:
            at[ALONE] += 1
        below = levels[size]
        below[FIRST] = at[CANDIDATES]
        below[LAST] = top
        below[NEXT] = at[CANDIDATES]
        below[BUCKETS] = at[OCCURRENCES]
        below[KNOWN] = known
        below[PART] = part
        for i in range(level[KNOWN], known):
            is_perfect[perfect[i]] = True
        at[CANDIDATES] = top
        at[OCCURRENCES] = buckets
        at[DEPTH] = size
    return DONE


@njit(cache=True)
def tally_sets(
    set_offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    cells: NDArray[np.int32],
    whole: NDArray[np.int64],
    holding: NDArray[np.int64],
    counters: NDArray[np.int64],
    begin: int,
    end: int,
) -> None:
    """Add to each item the nuggets of some intervals that contain it, limb by limb."""
    for one in range(begin, end):
        head = heads[one]
        start = set_offsets[one]
        free = set_offsets[one + 1] - start - head
        for i in range(head + free):
            value = whole if i < head else holding
            for limb in range(counters.shape[1]):
                counters[cells[start + i], limb] += value[head, free, limb]


@njit(cache=True)
def withhold(
    item: int,
    mentions: NDArray[np.int64],
    set_offsets: NDArray[np.int64],
    heads: NDArray[np.int32],
    cells: NDArray[np.int32],
    free: NDArray[np.int32],
    gone: NDArray[np.bool_],
    whole: NDArray[np.int64],
    holding: NDArray[np.int64],
    counters: NDArray[np.int64],
) -> None:
    """Delete the intervals with `item` in the head, halve those with it among the perfect extensions.

    `free` is the number of perfect extensions still there, -1 for a deleted interval; `mentions` are the places of the
    item as 2 * interval, plus 1 when it stands among the perfect extensions.
    """
    gone[item] = True
    limbs = counters.shape[1]
    for mention in mentions:
        one = mention >> 1
        before = free[one]
        if before < 0:
            continue
        head = heads[one]
        after = before - 1 if mention & 1 else -1
        free[one] = after
        for place in range(set_offsets[one], set_offsets[one + 1]):
            other = cells[place]
            if gone[other]:
                continue
            value = whole if place - set_offsets[one] < head else holding
            for limb in range(limbs):
                counters[other, limb] -= value[head, before, limb]
                if after >= 0:
                    counters[other, limb] += value[head, after, limb]
    for limb in range(limbs):
        counters[item, limb] = 0
