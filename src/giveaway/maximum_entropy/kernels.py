"""The inner loops of the maximum-entropy solver.

A side is one bound of a row; the profiles that the same sides cover are one class. The values of a kind (a set of
values) are `kind_values[kind_offsets[k]:kind_offsets[k + 1]]`. Every sum is taken in the order of the loops, so that
plain Python and machine code agree to the last bit. Zhu et al., Definition 4.1; the dual as in Boyd and Vandenberghe,
section 5.1.6.

Only `tighten` searches. State: which values are still possible for each profile. Invariant: no distribution that agrees
with all rows gives a chance to a value that was ruled out, and `some` and `every` fit the values that are left. Pruning:
an idle row is not looked at again, because what must count for it only grows, and what may only shrinks, within its
bounds. It is called until nothing changes: propagation of bounds, as in constraint programming.
"""

from math import exp, inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import kernel

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Number = int | np.int64


class ProfileLists(NamedTuple):
    """Rows over lists of profiles: row `i` takes list `group[i]` and the values of kind `kind[i]`."""

    offsets: Large
    members: Small
    group: Large
    kind: Large


class Problem(NamedTuple):
    """Classes with their share of the records and their possible values, and the sides that cover each."""

    mass: Floats
    alive: Flags
    cover_offsets: Large
    cover: Small
    kind: Large
    kind_offsets: Large
    kind_values: Small
    disjoint: Flags


class ProfilesLeft(NamedTuple):
    """What rows leave possible, brought up to date while values are ruled out: `alive`, the values of each profile.

    `forcing` marks rows that ruled values out, `idle` these and all others that hold whatever is decided. `some` and `every` tell for each kind and profile whether some, or every, value still possible is of the kind.
    """

    alive: Flags
    some: Flags
    every: Flags
    forcing: Flags
    idle: Flags


@kernel
def totals(lists: ProfileLists, amounts: Floats, sums: Floats) -> None:
    """Add up for each row the amounts that its members have of its kind."""
    for row in range(len(lists.group)):
        amount = amounts[lists.kind[row]]
        total = 0.0
        for at in range(lists.offsets[lists.group[row]], lists.offsets[lists.group[row] + 1]):
            total += amount[lists.members[at]]
        sums[row] = total


@kernel
def cover(offsets: Large, members: Small, group: Large, class_of: Large, first: Large) -> tuple[Large, Small]:
    """List for each class the sides that cover it, ascending; `first` is a profile of each class."""
    starts = np.zeros(len(first) + 1, np.int64)
    for side in range(len(group)):
        for at in range(offsets[group[side]], offsets[group[side] + 1]):
            profile = members[at]
            if first[class_of[profile]] == profile:
                starts[class_of[profile] + 1] += 1
    for place in range(len(first)):
        starts[place + 1] += starts[place]
    cursor = starts[:-1].copy()
    covering = np.empty(starts[-1], np.int32)
    for side in range(len(group)):
        for at in range(offsets[group[side]], offsets[group[side] + 1]):
            profile = members[at]
            if first[class_of[profile]] == profile:
                covering[cursor[class_of[profile]]] = side
                cursor[class_of[profile]] += 1
    return starts, covering


@kernel
def evaluate(problem: Problem, multipliers: Floats, chance: Floats, amount: Floats) -> float:
    """Work out the chances of each class and the amount of each side; return the mean log of the partition function.

    The multipliers of the sides that cover a class push its values; the chances are the exponentials of the pushes,
    scaled to add up to 1. The largest push is taken off first, so that no exponential overflows.
    """
    values = chance.shape[1]
    push = np.empty(values)
    amount[:] = 0
    mean = 0.0
    for place in range(len(problem.mass)):
        begin, end = problem.cover_offsets[place], problem.cover_offsets[place + 1]
        push[:] = 0
        for at in range(begin, end):
            side = problem.cover[at]
            kind = problem.kind[side]
            for v in range(problem.kind_offsets[kind], problem.kind_offsets[kind + 1]):
                push[problem.kind_values[v]] += multipliers[side]
        top = -inf
        for x in range(values):
            if problem.alive[place, x]:
                top = max(top, push[x])
        total = 0.0
        for x in range(values):
            chance[place, x] = exp(push[x] - top) if problem.alive[place, x] else 0.0
            total += chance[place, x]
        for x in range(values):
            chance[place, x] /= total
        mean += problem.mass[place] * (top + log(total))
        for at in range(begin, end):
            side = problem.cover[at]
            amount[side] += problem.mass[place] * _part(problem, chance[place], problem.kind[side])
    return mean


@kernel
def _part(problem: Problem, chance: Floats, kind: Number) -> float:
    """Return the chance that a value is of a kind."""
    part = 0.0
    for v in range(problem.kind_offsets[kind], problem.kind_offsets[kind + 1]):
        part += chance[problem.kind_values[v]]
    return part


@kernel
def _common(problem: Problem, chance: Floats, one: Number, other: Number) -> float:
    """Return the chance that a value is of both of two kinds, whose values ascend."""
    common = 0.0
    i, j = problem.kind_offsets[one], problem.kind_offsets[other]
    while i < problem.kind_offsets[one + 1] and j < problem.kind_offsets[other + 1]:
        if problem.kind_values[i] < problem.kind_values[j]:
            i += 1
        elif problem.kind_values[i] > problem.kind_values[j]:
            j += 1
        else:
            common += chance[problem.kind_values[i]]
            i += 1
            j += 1
    return common


@kernel
def curvature(problem: Problem, chance: Floats, place_of: Large, hessian: Floats) -> None:
    """Fill the lower half of the second derivatives; `place_of` is the place of a side in it, -1 for sides left out.

    What two sides add for a class is the covariance of their values, which depends on their kinds only. Sides that
    cover a class ascend, and so do their places, so that every pair lands in the lower half.
    """
    hessian[:] = 0
    longest = 0
    for place in range(len(problem.mass)):
        longest = max(longest, problem.cover_offsets[place + 1] - problem.cover_offsets[place])
    where, kinds = np.empty(longest, np.int64), np.empty(longest, np.int64)
    many_kinds = len(problem.disjoint)
    seen, met_in = np.empty(many_kinds, np.int64), np.full(many_kinds, -1, np.int64)
    added = np.empty((many_kinds, many_kinds))
    for place in range(len(problem.mass)):
        many, many_seen = 0, 0
        for at in range(problem.cover_offsets[place], problem.cover_offsets[place + 1]):
            side = problem.cover[at]
            if place_of[side] >= 0:
                where[many] = place_of[side]
                kinds[many] = problem.kind[side]
                if met_in[kinds[many]] != place:
                    met_in[kinds[many]] = place
                    seen[many_seen] = kinds[many]
                    many_seen += 1
                many += 1
        _by_kinds(problem, chance[place], problem.mass[place], seen[:many_seen], added)
        for i in range(many):
            row, more = hessian[where[i]], added[kinds[i]]
            for j in range(i + 1):
                row[where[j]] += more[kinds[j]]


@kernel
def _by_kinds(problem: Problem, chance: Floats, mass: float, seen: Large, added: Floats) -> None:
    """Work out what a pair of sides of each two kinds adds to the second derivatives."""
    for one in seen:
        for other in seen:
            shared = 0.0 if problem.disjoint[one, other] else _common(problem, chance, one, other)
            parts = _part(problem, chance, one) * _part(problem, chance, other)
            added[one, other] = mass * (shared - parts)


@kernel
def tighten(
    lists: ProfileLists,
    sets: Flags,
    bounds: tuple[Floats, Floats],
    weights: Large,
    left: ProfilesLeft,
    slack: float,
) -> Number:
    """Look once at every row for values that it rules out; return how many were ruled out, or -1 - row if a row cannot hold.

    A row that demands all that may count for it leaves its profiles no other value, and one that allows only what must
    count leaves them none of its values. Either way it holds from then on and is idle, like every row that holds
    whatever is decided.
    """
    ruled_out = np.int64(0)
    low, high = bounds
    some, every, idle = left.some, left.every, left.idle
    for row in range(len(lists.group)):
        if idle[row]:
            continue
        begin, end = lists.offsets[lists.group[row]], lists.offsets[lists.group[row] + 1]
        kind = lists.kind[row]
        least, most = np.int64(0), np.int64(0)
        for at in range(begin, end):
            member = lists.members[at]
            least += weights[member] if every[kind, member] else 0
            most += weights[member] if some[kind, member] else 0
        if low[row] > most + slack or high[row] < least - slack:
            return np.int64(-1 - row)
        idle[row] = low[row] <= least + slack and high[row] >= most - slack
        lower, upper = low[row] >= most - slack, high[row] <= least + slack
        if least == most or not (lower or upper):
            continue
        left.forcing[row] = idle[row] = True
        for at in range(begin, end):
            profile = lists.members[at]
            if some[kind, profile] and not every[kind, profile]:
                for x in range(left.alive.shape[1]):
                    if left.alive[profile, x] and sets[kind, x] != lower:
                        left.alive[profile, x] = False
                        ruled_out += 1
                _look_again(sets, left.alive[profile], some[:, profile], every[:, profile])
    return ruled_out


@kernel
def _look_again(sets: Flags, alive: Flags, some: Flags, every: Flags) -> None:
    """Bring `some` and `every` of one profile up to date."""
    for kind in range(len(sets)):
        some[kind], every[kind] = False, True
        for x in range(len(alive)):
            if alive[x]:
                some[kind] |= sets[kind, x]
                every[kind] &= sets[kind, x]
