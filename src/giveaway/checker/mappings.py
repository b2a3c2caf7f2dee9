"""Chances that renamed items are recognised, worked out from the most frequent items down.

Groups of equally frequent codes are numbered from the most frequent one, and an item may be any code of a range of groups.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

import numpy as np

Range = tuple[int, int]
Kind = tuple[Range, int]
"""The range of groups of an item, and its own group."""

WORK = 300_000
"""Steps that the chances of one component may take; those of larger ones are estimated by scaling."""

_SWEEPS = 200


def chances(
    sizes: Sequence[int], kinds: Mapping[Kind, int]
) -> tuple[dict[Kind, Fraction], dict[Kind, float]]:
    """Return the chance of each kind of item, exactly where the work allows and estimated elsewhere.

    `sizes` are the codes of each group and `kinds` counts the items of each kind; the true mapping must be possible.
    """
    exact: dict[Kind, Fraction] = {}
    guessed: dict[Kind, float] = {}
    for begin, end in _components(sizes, kinds):
        inside = {kind: many for kind, many in kinds.items() if begin <= kind[0][0] < end}
        found = _counted(sizes[begin:end], inside, begin)
        if found is None:
            guessed |= _scaled(sizes[begin:end], inside, begin)
        else:
            exact |= found
    return exact, guessed


def _components(sizes: Sequence[int], kinds: Mapping[Kind, int]) -> list[Range]:
    """Cut the groups where no range goes across."""
    reach = list(range(len(sizes)))
    for (first, last), _ in kinds:
        reach[first] = max(reach[first], last)
    found, begin, furthest = [], 0, 0
    for group, last in enumerate(reach):
        furthest = max(furthest, last)
        if furthest == group:
            found.append((begin, group + 1))
            begin = furthest = group + 1
    return found


def _counted(sizes: Sequence[int], kinds: Mapping[Kind, int], begin: int) -> dict[Kind, Fraction] | None:
    """Count the mappings that are left when an item and its code are taken out; None when that takes too long."""
    if len(sizes) == 1:
        return {kind: Fraction(1, sizes[0]) for kind in kinds}
    many: Counter[Range] = Counter()
    for ((first, last), _), number in kinds.items():
        many[first - begin, last - begin] += number
    left = [WORK]
    whole = _ways(sizes, many, left)
    found = {}
    for (first, last), own in kinds:
        shrunk = [size - (group == own - begin) for group, size in enumerate(sizes)]
        rest = _ways(shrunk, many - Counter({(first - begin, last - begin): 1}), left)
        if whole is None or rest is None:
            return None
        found[(first, last), own] = Fraction(rest, whole * sizes[own - begin])
    return found


def _ways(sizes: Sequence[int], many: Mapping[Range, int], left: list[int]) -> int | None:
    """Count the ways to fill groups with items; None when more steps are needed than are left.

    Going down the groups, a state is how many items wait for each last group that they may still be placed in.
    """
    states: dict[tuple[tuple[int, int], ...], int] = {(): 1}
    for now, size in enumerate(sizes):
        starting = Counter({last: number for (first, last), number in many.items() if first == now})
        following: dict[tuple[tuple[int, int], ...], int] = {}
        for state, count in states.items():
            waiting = Counter(dict(state)) + starting
            due = waiting.pop(now, 0)
            for taken, ways in _taken(sorted(waiting.items()), size - due):
                left[0] -= 1
                if left[0] < 0:
                    return None
                target = tuple((last, number) for last, number in taken if number)
                following[target] = following.get(target, 0) + count * ways
        states = following
    return states.get((), 0)


def _taken(waiting: Sequence[tuple[int, int]], places: int) -> list[tuple[list[tuple[int, int]], int]]:
    """Take so many of the waiting items in every way: who still waits, and in how many ways they can be chosen."""
    if places < 0 or places > sum(number for _, number in waiting):
        return []
    if not waiting:
        return [([], 1)]
    (last, number), *others = waiting
    rest = sum(more for _, more in others)
    return [
        ([(last, number - here), *others_left], comb(number, here) * ways)
        for here in range(max(0, places - rest), min(number, places) + 1)
        for others_left, ways in _taken(others, places - here)
    ]


def _scaled(sizes: Sequence[int], kinds: Mapping[Kind, int], begin: int) -> dict[Kind, float]:
    """Estimate chances by scaling rows and columns by turns until both add up to one."""
    first = np.array([kind[0][0] - begin for kind in kinds])
    last = np.array([kind[0][1] - begin for kind in kinds])
    own = np.array([kind[1] - begin for kind in kinds])
    many = np.array(list(kinds.values()), np.float64)
    groups, codes = len(sizes), np.array(sizes, np.float64)
    by_group = np.ones(groups)
    by_kind = np.ones(len(many))
    for _ in range(_SWEEPS):
        upto = np.concatenate([[0.0], np.cumsum(by_group * codes)])
        by_kind = 1 / (upto[last + 1] - upto[first])
        change = np.bincount(first, many * by_kind, groups + 1) - np.bincount(
            last + 1, many * by_kind, groups + 1
        )
        by_group = 1 / np.cumsum(change)[:groups]
    found: list[float] = (by_kind * by_group[own]).tolist()
    return dict(zip(kinds, found, strict=True))
