"""How strong the attacker may be: how many of the columns they may compare before the release is over tolerance."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.question import Question
from giveaway.attacks.directory.tally import Tally, tallied
from giveaway.model.progress import tell
from giveaway.model.risk import HoldsUpTo
from giveaway.model.tolerance import Tolerance

WORK = 40_000_000
"""How many values may be compared to find the breaking point."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Strength:
    """What an attacker finds who compares fewer columns: the part of the records over the limit, or the risk."""

    holds: HoldsUpTo
    order: tuple[int, ...]
    """The columns compared, the most identifying first."""
    identifies: tuple[float, ...]
    """The part of the mean chance that would go if a column were not compared, in the order of the columns."""
    worst: tuple[float, ...]
    """The largest that was found for each number of columns, from none to all."""


def strength(question: Question, tally: Tally, tolerance: Tolerance) -> Strength:
    """Compare fewer columns: each alone, all but one, the most identifying ones together, and all sets while they hold.

    With fewer columns more people agree, so that the release holds for a number of columns if it does for every set of
    so many. A record that nobody agrees with counts as if it were listed, which keeps this true.
    """
    width = question.lookup.compared
    everything = list(range(width))
    single = [_with(question, tolerance, [column]) for column in everything]
    others = [
        _with(question, tolerance, [column for column in everything if column != left]) for left in everything
    ]
    whole = float(tally.identification_if_listed)
    identifies = tuple(max(0.0, 1 - float(found.identification_if_listed) / whole) for found in others)
    alone = [float(found.identification_if_listed) for found in single]
    order = tuple(sorted(everything, key=lambda column: (-identifies[column], -alone[column], column)))
    worst = [_measured(_with(question, tolerance, []))]
    for size in range(1, width):
        tell("comparing fewer columns", size, width)
        worst.append(_measured(_with(question, tolerance, list(order[:size]))))
    worst.append(_measured(tally))
    worst[1] = max(map(_measured, single))
    worst[width - 1] = max(map(_measured, others))
    if tally.within_if_listed:
        holds = HoldsUpTo(value=width, unit="columns", at_least=True)
    elif all(found.within_if_listed for found in others):
        holds = HoldsUpTo(value=width - 1 or None, unit="columns")
    elif not all(found.within_if_listed for found in single):
        holds = HoldsUpTo(value=None, unit="columns")
    else:
        holds = _searched(question, tolerance, order, worst)
    return Strength(holds=holds, order=order, identifies=identifies, worst=tuple(worst))


def _searched(
    question: Question, tolerance: Tolerance, order: tuple[int, ...], worst: list[float]
) -> HoldsUpTo:
    """Check all sets of two columns, three, and so on, as far as the work allows; add the worst ones found."""
    width = len(order)
    left = WORK
    lines = len(question.groups.count) + sum(len(m.people.alone) for m in question.lookup.matchings)
    for size in range(2, width - 1):
        left -= lines * size * comb(width, size)
        if left < 0:
            return HoldsUpTo(value=size - 1, unit="columns", at_least=True)
        for found in _sets(question, tolerance, order, size):
            worst[size] = max(worst[size], _measured(found))
            if not found.within_if_listed:
                return HoldsUpTo(value=size - 1, unit="columns")
    return HoldsUpTo(value=width - 2, unit="columns")


def _sets(question: Question, tolerance: Tolerance, order: tuple[int, ...], size: int) -> Iterator[Tally]:
    total = comb(len(order), size)
    for done, columns in enumerate(combinations(order, size)):
        tell(f"comparing any {size} columns", done, total)
        yield _with(question, tolerance, list(columns))


def _with(question: Question, tolerance: Tolerance, columns: list[int]) -> Tally:
    """Count what is given away to somebody who compares some columns only; what is disclosed stays the same."""
    marks: NDArray[np.bool_] = question.only(columns)
    crowds = question.lookup.crowds_of(question.groups, marks)
    return tallied(question.groups, crowds, question.phis, question.attacker.prior, tolerance)


def _measured(tally: Tally) -> float:
    """Return what the curve of strength shows: the part over the limit, or the risk, as if all were listed."""
    if tally.tolerance.identity is None:
        return float(tally.risk_if_listed)
    return tally.over_if_listed / max(tally.records, 1)
