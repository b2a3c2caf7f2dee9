"""The search for minimal moles and for free sets, the sets that hold no mole: depth first, able to pause.

Items are ranks, rarest first. A set is a free set and one more item of higher rank, so the free sets are the nodes of
a tree whose root is the empty set, and a path from the root spells a set in ascending ranks.

State: `task.frames[depth]` is the free set whose children are being visited and the place of the next child; the
cells that hold each of these children are `task.places[depth]` from `firsts` to `lasts`. `state` has the depth and
what was counted. Nothing else is remembered, so the search returns after any node and goes on when it is called again.

Invariant: children are visited from the highest rank down, so every part of a set is decided before the set itself: a
part without the set's first items lies in a branch that was finished before, and the others are on the path. Each free
set knows its children (`ExtendingSets`), sorted by item, so that a part is looked up by walking down the tree.

Pruning: a set is looked at only when all its parts with one item less are free. Nothing is lost: a set with a part
that is not free holds a mole already, and is not minimal. What is looked at is a minimal mole when too few
transactions hold it or too many of them hold one private item, and is free otherwise. A set that no row holds is never
met.

Xu et al., Definition 1 and Proposition 1. Numbers are passed as np.int64 throughout: for any other type of an argument
numba would compile the function once more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, kernel

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

FREE_FULL, HARMFUL_FULL = 2, 3
"""What the search says besides `DONE` and `PAUSED`: an array must be enlarged before it goes on."""

# Places in the array of numbers that survive a pause.
DEPTH, FREE, HARMFUL, WORK, STAMP = range(5)

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


class SearchLimits(NamedTuple):
    """The largest size of a set, the least crowd, and the limit of a breach as numerator and denominator."""

    size: Number
    crowd: Number
    numerator: Number
    denominator: Number


class FreeSets(NamedTuple):
    """Sets, each a free set (`parent`, -1 for the empty one) and one more item of higher rank."""

    parent: Small
    item: Small
    support: Large
    holding: Large
    """How many of these transactions hold the most frequent private item among them, which is `secret`."""
    secret: Small


class ExtendingSets(NamedTuple):
    """The free sets that extend each free set by one item: `length` successive ones from `first`, by item."""

    first: Small
    length: Small


class HeldCells(NamedTuple):
    """The cells `places[first:last]`: in each row that holds a set, the cell of the set's last item."""

    places: Small
    first: Number
    last: Number


class SecretCounts(NamedTuple):
    """Working memory to count private items: all zero between two counts."""

    counted: Large
    seen: Small


class CellTally(NamedTuple):
    """Working memory to sort cells by item: all zero between two sorts except `seen`."""

    support: Large
    many: Large
    cursor: Large
    seen: Small


class MolesTask(NamedTuple):
    """What the search walks and what it writes."""

    data: Data
    limits: SearchLimits
    free: FreeSets
    groups: ExtendingSets
    harmful: FreeSets
    smallest: Small
    """For each row the size of its smallest mole, 0 when it holds none."""
    single_of: Small
    """The free set of each item alone, -1 for moles."""
    is_free: Large
    """1 for the items that are free as a set of one."""
    frames: Large
    parts: Large
    """For the set at each depth its parts with one item less, as free sets: part i lacks the i-th item from the front."""
    places: Small
    firsts: Large
    lasts: Large
    mark: Large
    """The items by which the set in hand may be extended have the current stamp."""
    tally: CellTally
    secrets: SecretCounts


@kernel
def most_frequent_secret(data: Data, held: HeldCells, secrets: SecretCounts) -> tuple[np.int64, np.int64]:
    """Return the largest count of a private item in the rows that hold a set, and which item it is."""
    counted = secrets.counted
    seen = 0
    for at in range(held.first, held.last):
        row = data.row_of[held.places[at]]
        weight = data.weights[row]
        for i in range(data.private_starts[row], data.private_starts[row + 1]):
            secret = data.private[i]
            if counted[secret] == 0:
                secrets.seen[seen] = secret
                seen += 1
            counted[secret] += weight
    best = np.int64(0)
    which = np.int64(-1)
    for i in range(seen):
        secret = secrets.seen[i]
        if counted[secret] > best or (counted[secret] == best and secret < which):
            best = counted[secret]
            which = np.int64(secret)
        counted[secret] = 0
    return best, which


@kernel
def _judge(
    task: MolesTask,
    state: Large,
    held: HeldCells,
    parent: Number,
    item: Number,
    support: Number,
    size: Number,
) -> bool:
    """Store a set whose proper parts are all free as free or as a minimal mole; say whether it is free."""
    count, secret = most_frequent_secret(task.data, held, task.secrets)
    limits = task.limits
    is_free = support >= limits.crowd and count * limits.denominator <= limits.numerator * support
    into = task.free if is_free else task.harmful
    at = state[FREE] if is_free else state[HARMFUL]
    into.parent[at] = parent
    into.item[at] = item
    into.support[at] = support
    into.holding[at] = count
    into.secret[at] = secret
    if is_free:
        state[FREE] += 1
    else:
        state[HARMFUL] += 1
        smallest = task.smallest
        for i in range(held.first, held.last):
            row = task.data.row_of[held.places[i]]
            if smallest[row] == 0 or size < smallest[row]:
                smallest[row] = size
    return bool(is_free)


@kernel
def judge_singles(task: MolesTask, state: Large) -> None:
    """Decide every single item, the children of the root, and get the search ready to visit them."""
    data = task.data
    for item in range(len(data.begins) - 1):
        held = HeldCells(data.places, data.begins[item], data.begins[item + 1])
        support = np.int64(0)
        for at in range(held.first, held.last):
            support += data.weights[data.row_of[data.places[at]]]
        task.single_of[item] = -1
        number = state[FREE]
        if _judge(task, state, held, np.int64(-1), np.int64(item), support, np.int64(1)):
            task.single_of[item] = number
            task.is_free[item] = 1
    task.frames[0, NEXT] = state[FREE] - 1 if task.limits.size > 1 else -1


@kernel
def _child(free: FreeSets, groups: ExtendingSets, node: Number, item: Number) -> Number:
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


@kernel
def _mark_candidates(task: MolesTask, state: Large, depth: Number, place: Number) -> Number:
    """Mark the items by which a set of two or more may be extended so that all its parts stay free.

    They are items of later siblings (the part without the last item must be free) which extend all other parts too.
    """
    free, groups, parts = task.free, task.groups, task.parts
    parent = parts[depth, depth - 1]
    begin = groups.first[parent]
    marked = 0
    for sibling in range(begin + place + 1, begin + groups.length[parent]):
        item = free.item[sibling]
        fits = True
        for i in range(depth - 1):
            if _child(free, groups, parts[depth, i], item) < 0:
                fits = False
                break
        if fits:
            task.mark[item] = state[STAMP]
            marked += 1
    state[WORK] += (groups.length[parent] - place) * depth
    return marked


@kernel
def deliver(
    data: Data, tally: CellTally, held: HeldCells, delivered: Small, mark: Large, stamp: Number
) -> tuple[Number, Number]:
    """Sort the cells behind those of a set by item into the places of a depth; return how many items there are, and the work.

    Only items with the stamp count. The cells of an item are then those of the set extended by it.
    """
    cells, starts, row_of = data.cells, data.starts, data.row_of
    seen, work = np.int64(0), np.int64(0)
    for at in range(held.first, held.last):
        place = held.places[at]
        row = row_of[place]
        weight = data.weights[row]
        end = starts[row + 1]
        work += end - place
        for cell in range(place + 1, end):
            item = cells[cell]
            if mark[item] != stamp:
                continue
            if tally.many[item] == 0:
                tally.seen[seen] = item
                seen += 1
            tally.many[item] += 1
            tally.support[item] += weight
    # In the order of items, so that the order of rows decides nothing.
    tally.seen[:seen].sort()
    begin = np.int64(0)
    for i in range(seen):
        item = tally.seen[i]
        tally.cursor[item] = begin
        begin += tally.many[item]
    for at in range(held.first, held.last):
        place = held.places[at]
        for cell in range(place + 1, starts[row_of[place] + 1]):
            item = cells[cell]
            if mark[item] == stamp:
                delivered[tally.cursor[item]] = cell
                tally.cursor[item] += 1
    return seen, work


@kernel
def search(task: MolesTask, state: Large, until: Number) -> Number:
    """Decide the sets of two and more items until all are decided, `until` steps are taken, or an array is full.

    Each turn of the loop takes the next child of the set at the present depth, decides all sets that extend that child
    by one item, and enters it; without a further child it goes one depth up. Between two turns everything is in the
    arrays, so a pause is a return, and the next call goes on with the next child.
    """
    data, tally, free, groups, parts = task.data, task.tally, task.free, task.groups, task.parts
    items = len(task.single_of)
    while True:
        if state[WORK] >= until:
            return PAUSED
        if state[FREE] + items > len(free.item):
            return FREE_FULL
        if state[HARMFUL] + items > len(task.harmful.item):
            return HARMFUL_FULL
        depth = state[DEPTH]
        place = task.frames[depth, NEXT]
        if place < 0:
            if depth == 0:
                return DONE
            state[DEPTH] -= 1
            continue
        task.frames[depth, NEXT] -= 1
        state[WORK] += 1
        if depth == 0:
            node = place
            item = free.item[node]
            held = HeldCells(data.places, data.begins[item], data.begins[item + 1])
        else:
            parent = task.frames[depth, NODE]
            node = groups.first[parent] + place
            item = free.item[node]
            held = HeldCells(task.places[depth], task.firsts[depth, place], task.lasts[depth, place])
            for i in range(depth):
                if depth == 1:
                    parts[2, 0] = task.single_of[item]
                else:
                    parts[depth + 1, i] = _child(free, groups, parts[depth, i], item)
            parts[depth + 1, depth] = parent
        depth += 1
        groups.first[node] = state[FREE]
        groups.length[node] = 0
        if depth == 1:
            seen, work = deliver(data, tally, held, task.places[depth], task.is_free, np.int64(1))
        else:
            state[STAMP] += 1
            if _mark_candidates(task, state, depth, place) == 0:
                continue
            seen, work = deliver(data, tally, held, task.places[depth], task.mark, state[STAMP])
        state[WORK] += work
        end = np.int64(0)
        for i in range(seen):
            item = tally.seen[i]
            begin = end
            end += tally.many[item]
            support = tally.support[item]
            tally.many[item] = 0
            tally.support[item] = 0
            larger = HeldCells(task.places[depth], begin, end)
            if _judge(task, state, larger, node, np.int64(item), support, depth + 1):
                task.firsts[depth, groups.length[node]] = begin
                task.lasts[depth, groups.length[node]] = end
                groups.length[node] += 1
        task.frames[depth, NODE] = node
        task.frames[depth, NEXT] = groups.length[node] - 1 if depth + 1 < task.limits.size else -1
        state[DEPTH] = depth


class Spelled(NamedTuple):
    """Sets as rows of descending ranks, and a step of each, 1 and more."""

    offsets: Large
    ranks: Small
    step: Small


@kernel
def last_steps(
    data: Data, sets: Spelled, order: Large, last: Small, place: Number, until: Number
) -> tuple[Number, Number]:
    """Raise `last` of each row to the largest step of the sets it holds; return where to go on, and the work.

    The sets are taken in an order of falling steps, so the first one that a row holds decides about it, and a row that
    is decided is not looked at again. The rows that may hold a set are those of its rarest item.
    """
    work = np.int64(0)
    offsets, ranks = sets.offsets, sets.ranks
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
                last[row] = sets.step[chosen]
        place += 1
    return place, work
