"""A public list of plans of which the first one is published that is within a limit: what that choice tells (theorem 3)."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from giveaway.crowds.split import Split, ValuesHeld, surely_over
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

DOUBT = Fraction(1, 20)
"""How often a lower end may be above the truth."""

_FIRST = 20
"""If all earlier plans fail in none of so many worlds, no more are drawn."""

_STEPS = 1_000_000
"""A lower end is a whole number of these parts."""


def failures(
    earlier: Sequence[Split],
    *,
    profile_of_row: Ints,
    form_of_row: Ints,
    value_of_row: NDArray[np.integer],
    limit: Fraction,
    draws: int,
    seed: int,
) -> int:
    """Count in how many of some random worlds that look like the release all earlier plans would have failed.

    A world deals the values of each published form to its rows anew, and the forms of an earlier plan to the members of
    each profile. A plan fails when a view (theorem 2) is over the limit; one that is hardly over it does not count,
    which makes the answer lower, and so more cautious.
    """

    def fails(draw: np.random.Generator) -> bool:
        values = value_of_row[dealt_anew(form_of_row, draw)]
        return all(_fails(plan, profile_of_row, values, limit, draw) for plan in earlier)

    return failing_worlds(fails, draws=draws, seed=seed)


def failing_worlds(fails: Callable[[np.random.Generator], bool], *, draws: int, seed: int) -> int:
    """Count in how many of some random worlds all earlier plans fail; 0 once that is so in none of the first."""
    draw = np.random.default_rng(seed)
    counted = 0
    for done in range(draws):
        tell("drawing worlds", done, draws)
        counted += fails(draw)
        if done + 1 == _FIRST and not counted:
            break
    return counted


def dealt_anew(group_of_row: Ints, draw: np.random.Generator) -> Ints:
    """Return for each row a row of its group whose value it gets, each once, at random."""
    other = np.empty(len(group_of_row), np.int64)
    other[shuffled(group_of_row, draw)] = np.argsort(group_of_row, kind="stable")
    return other


def _fails(
    plan: Split, profile_of_row: Ints, values: NDArray[np.integer], limit: Fraction, draw: np.random.Generator
) -> bool:
    lines = np.argsort(plan.profile, kind="stable")
    form = np.empty(len(profile_of_row), np.int64)
    form[shuffled(profile_of_row, draw)] = np.repeat(plan.form[lines], plan.members[lines])
    return surely_over(plan, ValuesHeld.observed(form, values), limit)


def shuffled(group_of_row: Ints, draw: np.random.Generator) -> Ints:
    """Return the rows group by group, those of a group in random order."""
    return np.lexsort((draw.random(len(group_of_row)), group_of_row))


def lower_end(failed: int, draws: int, doubt: Fraction = DOUBT) -> Fraction:
    """Return what a chance surely exceeds when something was seen this often: the exact (Clopper-Pearson) lower end.

    It is one-sided and rounded down: the truth is below it at most as often as `doubt` says.

    >>> float(lower_end(200, 200)), lower_end(0, 200)
    (0.985132, Fraction(0, 1))
    """
    low, high = 0, _STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _tail(failed, draws, middle) <= doubt else (low, middle)
    return Fraction(low, _STEPS) if failed else Fraction(0)


def _tail(failed: int, draws: int, parts: int) -> Fraction:
    """Return the chance of at least this many failures, where each has a chance of `parts`, in whole numbers."""
    rest = _STEPS - parts
    term = comb(draws, failed) * parts**failed * rest ** (draws - failed)
    total = 0
    for many in range(failed, draws + 1):
        total += term
        term = term * (draws - many) * parts // ((many + 1) * rest)
    return Fraction(total, _STEPS**draws)
