"""The compiled inner loops of the maximum-entropy solver.

Imported only when a problem is solved. A side is one bound of a row; the profiles that the same sides cover are one
class. The values of a kind (a set of values) are `kind_values[kind_offsets[k]:kind_offsets[k + 1]]`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Keys = NDArray[np.uint64]
Number = int | np.int64

_SUMS = {"reassoc", "contract"}
_PANEL = 32
_STRIP = 256


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


@njit(cache=True)
def totals(offsets: Large, members: Small, group: Large, kind: Large, amounts: Floats, found: Floats) -> None:
    """Add up for each row the amounts that its members have of its kind."""
    for row in range(len(group)):
        amount = amounts[kind[row]]
        total = 0.0
        for at in range(offsets[group[row]], offsets[group[row] + 1]):
            total += amount[members[at]]
        found[row] = total


@njit(cache=True)
def sign(offsets: Large, members: Small, used: Large, keys: Keys, signature: Keys) -> None:
    """Add the key of each list used to the signature of its members."""
    for place in range(len(used)):
        for at in range(offsets[used[place]], offsets[used[place] + 1]):
            signature[members[at]] += keys[place]


@njit(cache=True)
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


@njit(cache=True)
def evaluate(problem: Problem, multipliers: Floats, chance: Floats, amount: Floats) -> float:
    """Work out the chances of each class and the amount of each side; return the mean log of the partition function."""
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
        top = -np.inf
        for x in range(values):
            if problem.alive[place, x]:
                top = max(top, push[x])
        total = 0.0
        for x in range(values):
            chance[place, x] = np.exp(push[x] - top) if problem.alive[place, x] else 0.0
            total += chance[place, x]
        for x in range(values):
            chance[place, x] /= total
        mean += problem.mass[place] * (top + np.log(total))
        for at in range(begin, end):
            side = problem.cover[at]
            amount[side] += problem.mass[place] * _part(problem, chance[place], problem.kind[side])
    return mean


@njit(cache=True)
def _part(problem: Problem, chance: Floats, kind: Number) -> float:
    part = 0.0
    for v in range(problem.kind_offsets[kind], problem.kind_offsets[kind + 1]):
        part += chance[problem.kind_values[v]]
    return part


@njit(cache=True)
def _common(problem: Problem, chance: Floats, one: Number, other: Number) -> float:
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


@njit(cache=True)
def curvature(problem: Problem, chance: Floats, place_of: Large, hessian: Floats) -> None:
    """Fill the lower half of the second derivatives; `place_of` is the place of a side in it, -1 for sides left out.

    What two sides add for a class depends on their kinds only.
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


@njit(cache=True)
def _by_kinds(problem: Problem, chance: Floats, mass: float, seen: Large, added: Floats) -> None:
    """Work out what a pair of sides of each two kinds adds to the second derivatives."""
    for one in seen:
        for other in seen:
            shared = 0.0 if problem.disjoint[one, other] else _common(problem, chance, one, other)
            parts = _part(problem, chance, one) * _part(problem, chance, other)
            added[one, other] = mass * (shared - parts)


@njit(cache=True, fastmath=_SUMS)
def _subtract(matrix: Floats, i: Number, j: Number, begin: Number, end: Number) -> None:
    """Subtract a tile of four rows and two columns of the product of strips."""
    a = b = c = d = e = f = g = h = 0.0
    for k in range(begin, end):
        one, two = matrix[j, k], matrix[j + 1, k]
        a += matrix[i, k] * one
        b += matrix[i, k] * two
        c += matrix[i + 1, k] * one
        d += matrix[i + 1, k] * two
        e += matrix[i + 2, k] * one
        f += matrix[i + 2, k] * two
        g += matrix[i + 3, k] * one
        h += matrix[i + 3, k] * two
    matrix[i, j] -= a
    matrix[i, j + 1] -= b
    matrix[i + 1, j] -= c
    matrix[i + 1, j + 1] -= d
    matrix[i + 2, j] -= e
    matrix[i + 2, j + 1] -= f
    matrix[i + 3, j] -= g
    matrix[i + 3, j + 1] -= h


@njit(cache=True, fastmath=_SUMS)
def factor(matrix: Floats) -> bool:
    """Replace the lower half of a matrix by its Cholesky factor; tell whether it is positive definite.

    One thread and blocks that fit the cache: threads of a linear algebra library cost more than they give at these sizes.
    """
    size = len(matrix)
    for start in range(0, size, _PANEL):
        stop = min(start + _PANEL, size)
        for begin in range(0, start, _STRIP):
            end = min(begin + _STRIP, start)
            for i in range(start, size, 4):
                j = start
                while j < stop and j < i + 4:
                    if i + 4 <= size and j + 2 <= stop:
                        _subtract(matrix, i, j, begin, end)
                        j += 2
                    else:
                        for row in range(i, min(i + 4, size)):
                            total = 0.0
                            for k in range(begin, end):
                                total += matrix[row, k] * matrix[j, k]
                            matrix[row, j] -= total
                        j += 1
        for j in range(start, stop):
            for i in range(j, size):
                total = matrix[i, j]
                for k in range(start, j):
                    total -= matrix[i, k] * matrix[j, k]
                if i > j:
                    matrix[i, j] = total / matrix[j, j]
                elif total > 0:
                    matrix[j, j] = np.sqrt(total)
                else:
                    return False
    return True


@njit(cache=True, fastmath=_SUMS)
def substitute(matrix: Floats, vector: Floats) -> None:
    """Solve with a Cholesky factor, in place."""
    size = len(vector)
    for i in range(size):
        total = vector[i]
        for k in range(i):
            total -= matrix[i, k] * vector[k]
        vector[i] = total / matrix[i, i]
    for i in range(size - 1, -1, -1):
        vector[i] /= matrix[i, i]
        for k in range(i):
            vector[k] -= matrix[i, k] * vector[i]


@njit(cache=True)
def tighten(
    offsets: Large,
    members: Small,
    group: Large,
    kind: Large,
    sets: Flags,
    bounds: tuple[Floats, Floats],
    weights: Large,
    alive: Flags,
    some: Flags,
    every: Flags,
    forcing: Flags,
    idle: Flags,
    slack: float,
) -> Number:
    """Look once at every row for values that it rules out; return how many were ruled out, or -1 - row if a row cannot hold.

    `some` and `every` tell for each kind and profile whether some, or every, value still possible is of the kind.
    """
    ruled_out = np.int64(0)
    low, high = bounds
    for row in range(len(group)):
        if idle[row]:
            continue
        begin, end = offsets[group[row]], offsets[group[row] + 1]
        least, most = np.int64(0), np.int64(0)
        for at in range(begin, end):
            least += weights[members[at]] if every[kind[row], members[at]] else 0
            most += weights[members[at]] if some[kind[row], members[at]] else 0
        if low[row] > most + slack or high[row] < least - slack:
            return -1 - row
        idle[row] = low[row] <= least + slack and high[row] >= most - slack
        lower, upper = low[row] >= most - slack, high[row] <= least + slack
        if least == most or not (lower or upper):
            continue
        forcing[row] = idle[row] = True
        for at in range(begin, end):
            profile = members[at]
            if some[kind[row], profile] and not every[kind[row], profile]:
                for x in range(alive.shape[1]):
                    if alive[profile, x] and sets[kind[row], x] != lower:
                        alive[profile, x] = False
                        ruled_out += 1
                _look_again(sets, alive[profile], some[:, profile], every[:, profile])
    return ruled_out


@njit(cache=True)
def _look_again(sets: Flags, alive: Flags, some: Flags, every: Flags) -> None:
    for kind in range(len(sets)):
        some[kind], every[kind] = False, True
        for x in range(len(alive)):
            if alive[x]:
                some[kind] |= sets[kind, x]
                every[kind] &= sets[kind, x]
