"""The compiled search for minimal moles and for the sets that are none: depth first, able to pause.

Imported only when moles are searched. Items are ranks; a set is extended by items of higher rank, and the children of
a set are visited from the highest rank down, so that all parts of a set are decided before the set itself. Numbers are
passed as np.int64 throughout: for any other type of an argument numba would compile the function once more.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

DONE, PAUSED, FREE_FULL, FOUND_FULL = range(4)

# Places in the array of scalars that survive a pause.
DEPTH, FREE, FOUND, WORK, STAMP = range(5)

# Columns of the array of frames.
NODE, NEXT = range(2)


class Data(NamedTuple):
    """Rows as ranks, the cells of each rank, and the private items of each row."""

    cells: Small
    starts: Large
    row_of: Small
    weights: Large
    begins: Large
    places: Small
    private_starts: Large
    private: Small


class Limits(NamedTuple):
    """The largest size of a set, the least crowd, and the limit of a breach as numerator and denominator."""

    size: Number
    crowd: Number
    numerator: Number
    denominator: Number


class Sets(NamedTuple):
    """Sets, each a free set (`parent`, -1 for the empty one) and one more item of higher rank."""

    parent: Small
    item: Small
    support: Large
    holding: Large
    """How many of these transactions hold the most frequent private item among them, which is `secret`."""
    secret: Small


class Groups(NamedTuple):
    """The free sets that extend each free set by one item: `length` successive ones from `first`."""

    first: Small
    length: Small


class Scratch(NamedTuple):
    """Working memory, sized once."""

    frames: Large
    parts: Large
    places: Small
    firsts: Large
    lasts: Large
    is_free: Large
    """1 for the items that are free as a set of one."""
    mark: Large
    support: Large
    many: Large
    cursor: Large
    seen: Small
    counted: Large
    secrets: Small


@njit(cache=True)
def most_frequent_secret(
    data: Data, places: Small, first: Number, last: Number, counted: Large, secrets: Small
) -> tuple[Number, Number]:
    """Return the largest count of a private item in the rows of some places, and which item it is."""
    seen = 0
    for at in range(first, last):
        row = data.row_of[places[at]]
        weight = data.weights[row]
        for i in range(data.private_starts[row], data.private_starts[row + 1]):
            secret = data.private[i]
            if counted[secret] == 0:
                secrets[seen] = secret
                seen += 1
            counted[secret] += weight
    best = np.int64(0)
    which = np.int64(-1)
    for i in range(seen):
        secret = secrets[i]
        if counted[secret] > best or (counted[secret] == best and secret < which):
            best = counted[secret]
            which = np.int64(secret)
        counted[secret] = 0
    return best, which


@njit(cache=True)
def _judge(
    data: Data,
    limits: Limits,
    free: Sets,
    found: Sets,
    state: Large,
    smallest: Small,
    scratch: Scratch,
    places: Small,
    first: Number,
    last: Number,
    parent: Number,
    item: Number,
    support: Number,
    size: Number,
) -> bool:
    """Store a set whose proper parts are all free as free or as a minimal mole; say whether it is free."""
    count, secret = most_frequent_secret(data, places, first, last, scratch.counted, scratch.secrets)
    is_free = support >= limits.crowd and count * limits.denominator <= limits.numerator * support
    into = free if is_free else found
    at = state[FREE] if is_free else state[FOUND]
    into.parent[at] = parent
    into.item[at] = item
    into.support[at] = support
    into.holding[at] = count
    into.secret[at] = secret
    if is_free:
        state[FREE] += 1
    else:
        state[FOUND] += 1
        for i in range(first, last):
            row = data.row_of[places[i]]
            if smallest[row] == 0 or size < smallest[row]:
                smallest[row] = size
    return bool(is_free)


@njit(cache=True)
def judge_singles(
    data: Data,
    limits: Limits,
    free: Sets,
    found: Sets,
    state: Large,
    smallest: Small,
    single_of: Small,
    scratch: Scratch,
) -> None:
    """Decide every single item; `single_of` becomes the free set of each item, -1 for moles."""
    for item in range(len(data.begins) - 1):
        first, last = data.begins[item], data.begins[item + 1]
        support = np.int64(0)
        for at in range(first, last):
            support += data.weights[data.row_of[data.places[at]]]
        single_of[item] = -1
        number = state[FREE]
        if _judge(
            data,
            limits,
            free,
            found,
            state,
            smallest,
            scratch,
            data.places,
            first,
            last,
            np.int64(-1),
            item,
            support,
            np.int64(1),
        ):
            single_of[item] = number
            scratch.is_free[item] = 1
    scratch.frames[0, NEXT] = state[FREE] - 1 if limits.size > 1 else -1


@njit(cache=True)
def _child(free: Sets, groups: Groups, node: Number, item: Number) -> Number:
    """Return the free set that extends another one by an item, -1 when there is none."""
    low = groups.first[node]
    end = low + groups.length[node]
    high = end
    while low < high:
        middle = (low + high) // 2
        if free.item[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low if low < end and free.item[low] == item else -1


@njit(cache=True)
def _mark_candidates(
    free: Sets, groups: Groups, scratch: Scratch, state: Large, depth: Number, place: Number
) -> Number:
    """Mark the items by which a set of two or more may be extended so that all its parts stay free."""
    parent = scratch.parts[depth, depth - 1]
    begin = groups.first[parent]
    marked = 0
    for sibling in range(begin + place + 1, begin + groups.length[parent]):
        item = free.item[sibling]
        fits = True
        for i in range(depth - 1):
            if _child(free, groups, scratch.parts[depth, i], item) < 0:
                fits = False
                break
        if fits:
            scratch.mark[item] = state[STAMP]
            marked += 1
    state[WORK] += (groups.length[parent] - place) * depth
    return marked


@njit(cache=True)
def _deliver(
    data: Data,
    scratch: Scratch,
    state: Large,
    depth: Number,
    places: Small,
    first: Number,
    last: Number,
    mark: Large,
    stamp: Number,
) -> Number:
    """Sort the marked cells behind some places by item into the places of a level; return how many items."""
    seen = 0
    for at in range(first, last):
        place = places[at]
        row = data.row_of[place]
        weight = data.weights[row]
        end = data.starts[row + 1]
        state[WORK] += end - place
        for cell in range(place + 1, end):
            item = data.cells[cell]
            if mark[item] != stamp:
                continue
            if scratch.many[item] == 0:
                scratch.seen[seen] = item
                seen += 1
            scratch.many[item] += 1
            scratch.support[item] += weight
    scratch.seen[:seen].sort()
    begin = np.int64(0)
    for i in range(seen):
        item = scratch.seen[i]
        scratch.cursor[item] = begin
        begin += scratch.many[item]
    delivered = scratch.places[depth]
    for at in range(first, last):
        place = places[at]
        for cell in range(place + 1, data.starts[data.row_of[place] + 1]):
            item = data.cells[cell]
            if mark[item] == stamp:
                delivered[scratch.cursor[item]] = cell
                scratch.cursor[item] += 1
    return seen


@njit(cache=True)
def search(
    data: Data,
    limits: Limits,
    free: Sets,
    groups: Groups,
    found: Sets,
    state: Large,
    smallest: Small,
    single_of: Small,
    scratch: Scratch,
    until: Number,
) -> Number:
    """Decide the sets of two and more items until the work is done, exceeds `until`, or an array is full."""
    items = len(single_of)
    while True:
        if state[WORK] >= until:
            return PAUSED
        if state[FREE] + items > len(free.item):
            return FREE_FULL
        if state[FOUND] + items > len(found.item):
            return FOUND_FULL
        depth = state[DEPTH]
        place = scratch.frames[depth, NEXT]
        if place < 0:
            if depth == 0:
                return DONE
            state[DEPTH] -= 1
            continue
        scratch.frames[depth, NEXT] -= 1
        state[WORK] += 1
        if depth == 0:
            node = place
            item = free.item[node]
            places, first, last = data.places, data.begins[item], data.begins[item + 1]
        else:
            parent = scratch.frames[depth, NODE]
            node = groups.first[parent] + place
            item = free.item[node]
            places = scratch.places[depth]
            first, last = scratch.firsts[depth, place], scratch.lasts[depth, place]
            for i in range(depth):
                if depth == 1:
                    scratch.parts[2, 0] = single_of[item]
                else:
                    scratch.parts[depth + 1, i] = _child(free, groups, scratch.parts[depth, i], item)
            scratch.parts[depth + 1, depth] = parent
        depth += 1
        groups.first[node] = state[FREE]
        groups.length[node] = 0
        if depth == 1:
            seen = _deliver(data, scratch, state, depth, places, first, last, scratch.is_free, np.int64(1))
        else:
            state[STAMP] += 1
            if _mark_candidates(free, groups, scratch, state, depth, place) == 0:
                continue
            seen = _deliver(data, scratch, state, depth, places, first, last, scratch.mark, state[STAMP])
        delivered = scratch.places[depth]
        end = np.int64(0)
        for i in range(seen):
            item = scratch.seen[i]
            begin = end
            end += scratch.many[item]
            support = scratch.support[item]
            scratch.many[item] = 0
            scratch.support[item] = 0
            if _judge(
                data,
                limits,
                free,
                found,
                state,
                smallest,
                scratch,
                delivered,
                begin,
                end,
                node,
                np.int64(item),
                support,
                depth + 1,
            ):
                scratch.firsts[depth, groups.length[node]] = begin
                scratch.lasts[depth, groups.length[node]] = end
                groups.length[node] += 1
        scratch.frames[depth, NODE] = node
        scratch.frames[depth, NEXT] = groups.length[node] - 1 if depth + 1 < limits.size else -1
        state[DEPTH] = depth


@njit(cache=True)
def last_steps(
    data: Data,
    offsets: Large,
    ranks: Small,
    step: Small,
    order: Large,
    last: Small,
    place: Number,
    until: Number,
) -> tuple[Number, Number]:
    """Raise `last` of each row to the largest step of the sets it holds; return where to go on, and the work.

    Sets are rows of descending ranks, taken in an order of falling steps.
    """
    work = 0
    while place < len(order) and work < until:
        chosen = order[place]
        rarest = offsets[chosen + 1] - 1
        item = ranks[rarest]
        work += data.begins[item + 1] - data.begins[item] + 1
        for at in range(data.begins[item], data.begins[item + 1]):
            cell = data.places[at]
            row = data.row_of[cell]
            if last[row] > 0:
                continue
            end = data.starts[row + 1]
            known = rarest - 1
            while known >= offsets[chosen] and cell < end:
                if data.cells[cell] == ranks[known]:
                    known -= 1
                cell += 1
                work += 1
            if known < offsets[chosen]:
                last[row] = step[chosen]
        place += 1
    return place, work
