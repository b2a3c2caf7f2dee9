"""The search for itemsets of profiles that many records have: depth first, able to pause.

A set is extended by a value of a later column, so every set is met once, its items in the order of their columns.

State: at each depth from 1 on, `walk.first` and `walk.last` bound the profiles of the set in hand among those sorted one
depth above; `walk.sorted` has them sorted by their value in `walk.column`, and `walk.group` is the value that is looked at
of `walk.groups` different ones. `state` has the depth and how much was written. The search returns between two values
and goes on when it is called again; where the room for what is found is full, that is said before anything is written.

Invariant: all sets are written that come before the present path, in the order of the search.

Pruning: a set that fewer than `least` records have is not extended, as no extension has more (Agrawal and Srikant 1994).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, kernel

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

FULL = 2
"""What the search says besides `DONE` and `PAUSED`: there is no room for what is found next."""

# Places in the array of numbers that survive a pause; the last three count what was written so far.
DEPTH, WORK, SETS, ITEMS, MEMBERS = range(5)


class ItemsetsAsked(NamedTuple):
    """Profiles with their records, and from how many records on a set counts; with `border` rarer ones are written too."""

    codes: Small
    weights: Large
    least: Number
    border: bool


class ProfileWalk(NamedTuple):
    """Working memory: for each depth the sorted profiles, their column and the values still to be looked into."""

    sorted: Small
    column: Large
    group: Large
    groups: Large
    first: Large
    last: Large
    values: Small
    """The values that are looked at, ascending; the profiles of one end where `ends` says."""
    ends: Large
    weight: Large
    many: Large
    cursor: Large


class ItemsetRoom(NamedTuple):
    """Room for the itemsets: items, records and profiles of each."""

    offsets: Large
    columns: Small
    codes: Small
    support: Large
    profiles: Large
    member_offsets: Large
    members: Small


@kernel
def _sort(asked: ItemsetsAsked, walk: ProfileWalk, depth: Number) -> Number:
    """Sort the profiles of a depth by their value in its column; return how many values are worth a look.

    Profiles without a value, and unless the border is wanted those of rare values, are left out. The order among
    profiles of the same value stays.
    """
    codes, weights = asked.codes, asked.weights
    column = walk.column[depth]
    held = walk.sorted[depth - 1]
    first, last = walk.first[depth], walk.last[depth]
    seen = 0
    for at in range(first, last):
        code = codes[held[at], column]
        if code >= 0:
            if walk.many[code] == 0:
                walk.values[depth, seen] = code
                seen += 1
            walk.many[code] += 1
            walk.weight[code] += weights[held[at]]
    kept = 0
    for i in range(seen):
        code = walk.values[depth, i]
        if asked.border or walk.weight[code] >= asked.least:
            walk.values[depth, kept] = code
            kept += 1
        else:
            walk.cursor[code] = -1
            walk.many[code] = 0
            walk.weight[code] = 0
    walk.values[depth, :kept].sort()
    end = np.int64(0)
    for i in range(kept):
        code = walk.values[depth, i]
        walk.cursor[code] = end
        end += walk.many[code]
        walk.ends[depth, i] = end
        walk.many[code] = 0
        walk.weight[code] = 0
    for at in range(first, last):
        code = codes[held[at], column]
        if code >= 0 and walk.cursor[code] >= 0:
            walk.sorted[depth, walk.cursor[code]] = held[at]
            walk.cursor[code] += 1
    return kept


@kernel
def _write(
    walk: ProfileWalk, state: Large, room: ItemsetRoom, depth: Number, support: Number, frequent: bool
) -> bool:
    """Write down the set in hand, its profiles too if it is frequent; tell whether there was room."""
    begin = walk.ends[depth, walk.group[depth] - 1] if walk.group[depth] > 0 else np.int64(0)
    end = walk.ends[depth, walk.group[depth]]
    sets, items, members = state[SETS], state[ITEMS], state[MEMBERS]
    more = end - begin if frequent else np.int64(0)
    if sets >= len(room.support) or items + depth > len(room.codes) or members + more > len(room.members):
        return False
    for level in range(1, depth + 1):
        room.columns[items] = walk.column[level]
        room.codes[items] = walk.values[level, walk.group[level]]
        items += 1
    for at in range(more):
        room.members[members + at] = walk.sorted[depth, begin + at]
    room.support[sets] = support
    room.profiles[sets] = end - begin
    room.offsets[sets + 1] = items
    room.member_offsets[sets + 1] = members + more
    state[SETS], state[ITEMS], state[MEMBERS] = sets + 1, items, members + more
    return True


@kernel
def search(asked: ItemsetsAsked, walk: ProfileWalk, room: ItemsetRoom, state: Large, until: Number) -> Number:
    """Go on until all sets are written, `until` steps are taken, or the room is full; a fresh state has depth 0.

    Each turn of the loop takes the next value at the present depth, writes the set that it makes and enters it if it
    is frequent; without a further value it goes on to the next column, and without a further column one depth up.
    """
    weights = asked.weights
    width = asked.codes.shape[1]
    if state[DEPTH] == 0:
        for profile in range(len(weights)):
            walk.sorted[0, profile] = profile
        state[DEPTH] = 1
        walk.first[1], walk.last[1] = 0, len(weights)
        walk.column[1], walk.group[1], walk.groups[1] = -1, 0, 0
    while state[WORK] < until:
        depth = state[DEPTH]
        if walk.group[depth] == walk.groups[depth]:
            walk.column[depth] += 1
            if walk.column[depth] == width:
                if depth == 1:
                    return DONE
                state[DEPTH] -= 1
                walk.group[depth - 1] += 1
                continue
            walk.group[depth] = 0
            walk.groups[depth] = _sort(asked, walk, depth)
            state[WORK] += walk.last[depth] - walk.first[depth] + 1
            continue
        group = walk.group[depth]
        begin = walk.ends[depth, group - 1] if group > 0 else np.int64(0)
        end = walk.ends[depth, group]
        support = np.int64(0)
        for at in range(begin, end):
            support += weights[walk.sorted[depth, at]]
        frequent = support >= asked.least
        if not _write(walk, state, room, depth, support, bool(frequent)):
            return FULL
        state[WORK] += end - begin + 1
        if frequent and walk.column[depth] + 1 < width:
            state[DEPTH] += 1
            walk.first[depth + 1], walk.last[depth + 1] = begin, end
            walk.column[depth + 1] = walk.column[depth]
            walk.group[depth + 1], walk.groups[depth + 1] = 0, 0
        else:
            walk.group[depth] += 1
    return PAUSED


@kernel
def sums(member_offsets: Large, members: Small, values: Large, added: Large) -> None:
    """Add up the rows of `values` over the members of each list."""
    for row in range(len(member_offsets) - 1):
        for at in range(member_offsets[row], member_offsets[row + 1]):
            for x in range(values.shape[1]):
                added[row, x] += values[members[at], x]
