"""A public list of plans of which the first one is published that is within a limit: what that choice tells (theorem 3)."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from giveaway.crowds.split import Held, Split, surely_over
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

DOUBT = Fraction(1, 20)
"""How often a lower end may be above the truth."""

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
    draw = np.random.default_rng(seed)
    by_form = np.argsort(form_of_row, kind="stable")
    counted = 0
    for done in range(draws):
        tell("drawing worlds", done, draws)
        values = np.empty_like(value_of_row)
        values[_shuffled(form_of_row, draw)] = value_of_row[by_form]
        counted += all(_fails(plan, profile_of_row, values, limit, draw) for plan in earlier)
    return counted


def _fails(
    plan: Split, profile_of_row: Ints, values: NDArray[np.integer], limit: Fraction, draw: np.random.Generator
) -> bool:
    lines = np.argsort(plan.profile, kind="stable")
    form = np.empty(len(profile_of_row), np.int64)
    form[_shuffled(profile_of_row, draw)] = np.repeat(plan.form[lines], plan.members[lines])
    return surely_over(plan, Held.observed(form, values), limit)


def _shuffled(group_of_row: Ints, draw: np.random.Generator) -> Ints:
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


def informed_chance(view: Fraction, failed: int, draws: int, doubt: Fraction = DOUBT) -> Fraction:
    """Return what a chance is at most for somebody who knows that all earlier plans have failed (theorem 3).

    It is 1 where that may be arbitrarily unlikely.

    >>> round(float(informed_chance(Fraction(409, 1000), 200, 200)), 4)
    0.4152
    """
    least = lower_end(failed, draws, doubt)
    return min(Fraction(1), view / least) if least else Fraction(1)
