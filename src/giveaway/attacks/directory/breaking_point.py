"""How strong the attacker may be: how many of the columns they may compare before the release is over tolerance."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.inference.tally import AttributeTally, attribute_tally
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import Columns, DirectoryQuestion
from giveaway.attacks.directory.reporting import sentences
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import HoldsUpTo
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance

Measured = tuple[float, float]
"""The part of the records over the limit, or the risk: as counted, and as if everybody were listed."""

WORK = 40_000_000
"""How many values may be compared to find the breaking point."""
TOLD = 1_000_000
"""How many kinds of people may be looked at to find it for sensitive values, each once for each set of columns."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CompareStrength:
    """What an attacker finds who compares fewer columns: the part of the records or people over the limit, or the risk."""

    holds: HoldsUpTo
    order: tuple[int, ...]
    """The columns compared, the most identifying first."""
    identifies: tuple[float, ...]
    """The part of the mean chance that would go if a column were not compared, in the order of the columns."""
    worst: tuple[float, ...]
    """The largest that was found for each number of columns, from none on; with all it is that of the release."""
    if_listed: tuple[float, ...]
    """The same with records that nobody agrees with counted as if they were listed."""


def strength(
    question: DirectoryQuestion, tally: GroupsTally, guesses: AttributeTally | None
) -> CompareStrength:
    """Say how many columns may be compared before some limit is passed: of records, of the risk, or of what is told.

    Fewer columns may tell more of a sensitive value, so that all sets of one column are tried, of two, and so on; those
    that are too much work are left out.
    """
    tolerance, by_records = tally.tolerance, _of_records(question, tally)
    if guesses is None:
        return by_records
    shares = _shares_told(question, guesses)
    floats = np.array([float(share) for share in shares])
    records = tolerance.identity is not None
    worst, if_listed = (
        np.maximum(floats, of_records[: len(floats)]) if records else floats
        for of_records in (by_records.worst, by_records.if_listed)
    )
    holds = min(
        by_records.holds,
        _holds_told(shares, tolerance.share, by_records.holds, question.lookup.compared),
        key=lambda one: (one.value or 0, one.at_least),
    )
    return replace(by_records, holds=holds, worst=tuple(worst.tolist()), if_listed=tuple(if_listed.tolist()))


def _shares_told(question: DirectoryQuestion, guesses: AttributeTally) -> list[Fraction]:
    """Return the part of the people over the limit for the worst set of no column, of one, and so on.

    For somebody who knows at most this many, whichever they are, everybody counts who is over for some set.
    """
    width, any_set = question.lookup.compared, question.attacker.at_most is not None
    sets: list[Columns] = []
    kinds, left = sum(len(one.source.persons.alone) for one in guesses.directories), TOLD
    shares: list[Fraction] = []
    for size in range(width + 1):
        if size == width and not any_set:
            shares.append(guesses.share)
            break
        left -= kinds * comb(width, size)
        if left < 0:
            break
        tell("guessing with fewer columns", size, width)
        sets = [*(sets if any_set else ()), *combinations(range(width), size)]
        tried = (
            attribute_tally(question, guesses.tolerance, some) for some in ([sets] if any_set else zip(sets))
        )
        shares.append(max(one.share for one in tried if one is not None))
    return shares


def _holds_told(shares: list[Fraction], allowed: Fraction, records: HoldsUpTo, width: int) -> HoldsUpTo:
    """Say how many columns may be compared before too much is told, given what each number of them tells."""
    over = next((size for size, share in enumerate(shares) if share > allowed), None)
    if over is None:
        whole = len(shares) > width
        return HoldsUpTo(value=len(shares) - 1, unit="columns", at_least=True, whole_scale=whole)
    beside = None
    if len(shares) > width and shares[width] <= allowed and records.whole_scale:
        beside = (
            f"Knowing all {width} columns is within your limits, but fewer may tell more: with "
            f"{sentences.counted(over, 'columns')}, {sentences.percent(shares[over])} of the people are over."
        )
    return HoldsUpTo(value=over - 1 if over > 1 else None, unit="columns", beside=beside)


def _of_records(question: DirectoryQuestion, tally: GroupsTally) -> CompareStrength:
    """Compare fewer columns: each alone, all but one, the most identifying ones together, and all sets while they hold.

    With fewer columns more people agree, so that the release holds for a number of columns if it does for every set of
    this many. A record that nobody agrees with counts as if it were listed, which keeps this true.
    """
    width, tolerance = question.lookup.compared, tally.tolerance
    everything = list(range(width))
    every = tally if question.attacker.at_most is None else _with(question, tolerance, everything)
    single = [_with(question, tolerance, [column]) for column in everything]
    others = [
        _with(question, tolerance, [column for column in everything if column != left]) for left in everything
    ]
    whole = float(every.identification_if_listed)
    identifies = tuple(max(0.0, 1 - float(one.identification_if_listed) / whole) for one in others)
    alone = [float(one.identification_if_listed) for one in single]
    order = tuple(sorted(everything, key=lambda column: (-identifies[column], -alone[column], column)))
    measured = {0: [_measured(_with(question, tolerance, []))], width: [_measured(every)]}
    for size in range(1, width):
        tell("comparing fewer columns", size, width)
        measured[size] = [_measured(_with(question, tolerance, list(order[:size])))]
    if width > 1:
        measured[1] += map(_measured, single)
        measured[width - 1] += map(_measured, others)
    stated = min(question.attacker.at_most or width, width)
    measured[stated].append(_measured(tally))
    if every.within_if_listed:
        holds = HoldsUpTo(value=width, unit="columns", at_least=True, whole_scale=True)
    elif all(one.within_if_listed for one in others):
        holds = HoldsUpTo(value=width - 1 or None, unit="columns")
    elif not all(one.within_if_listed for one in single):
        holds = HoldsUpTo(value=None, unit="columns")
    else:
        holds = _searched(question, tolerance, order, measured)
    if not tally.within_if_listed and (holds.value or 0) >= stated:
        holds = HoldsUpTo(value=stated - 1 or None, unit="columns")
    sizes = range(width + 1)
    # More columns never let more people agree, so that what fewer of them give away, more do too.
    if_listed = np.maximum.accumulate([max(listed for _, listed in measured[at]) for at in sizes])
    worst = [max(counted for counted, _ in measured[at]) for at in sizes]
    everybody = not every.missing_somewhere
    return CompareStrength(
        holds=holds if everybody else replace(holds, beside=_beside(every, holds, if_listed)),
        order=order,
        identifies=identifies,
        worst=tuple(if_listed.tolist() if everybody else worst),
        if_listed=tuple(if_listed.tolist()),
    )


def _searched(
    question: DirectoryQuestion,
    tolerance: Tolerance,
    order: tuple[int, ...],
    measured: dict[int, list[Measured]],
) -> HoldsUpTo:
    """Check all sets of two columns, three, and so on, as far as the work allows; add what was found."""
    width = len(order)
    left = WORK
    lines = len(question.groups.count) + sum(len(m.people.alone) for m in question.lookup.matchings)
    for size in range(2, width - 1):
        left -= lines * size * comb(width, size)
        if left < 0:
            return HoldsUpTo(value=size - 1, unit="columns", at_least=True)
        for one in _sets(question, tolerance, order, size):
            measured[size].append(_measured(one))
            if not one.within_if_listed:
                return HoldsUpTo(value=size - 1, unit="columns")
    return HoldsUpTo(value=width - 2, unit="columns")


def _sets(
    question: DirectoryQuestion, tolerance: Tolerance, order: tuple[int, ...], size: int
) -> Iterator[GroupsTally]:
    total = comb(len(order), size)
    for done, columns in enumerate(combinations(order, size)):
        tell(f"comparing any {size} columns", done, total)
        yield _with(question, tolerance, list(columns))


def _with(question: DirectoryQuestion, tolerance: Tolerance, columns: list[int]) -> GroupsTally:
    """Count what is given away to somebody who compares some columns only; what is disclosed stays the same."""
    marks: NDArray[np.bool_] = question.only(columns)
    return question.tallied(tolerance, question.crowds_comparing(marks), question.likely_comparing(marks))


def _measured(tally: GroupsTally) -> Measured:
    """Return what the curve of strength shows: the part over the limit, or the risk."""
    if tally.tolerance.identity is None:
        listed = float(tally.risk_if_listed)
        return float(tally.risk) if tally.missing_somewhere else listed, listed
    many = max(tally.records, 1)
    return tally.over / many, tally.over_if_listed / many


def _beside(tally: GroupsTally, holds: HoldsUpTo, if_listed: NDArray[np.float64]) -> str:
    """Say how the breaking point counts records that nobody agrees with, and what breaks it then."""
    some = sentences.counted(tally.missing_somewhere, "records fit", "record fits")
    if holds.at_least:
        return (
            f"{some} nobody in the directory; for how far it holds they count as if their people were listed."
        )
    columns = int(holds.value or 0) + 1
    over = float(if_listed[columns])
    what = (
        f"the mean loss would be {sentences.amount(over)}"
        if tally.tolerance.identity is None
        else f"{sentences.percent(Fraction(over))} of the {nouns().records} would be over the limit"
    )
    return f"{some} nobody in the directory; if their people were listed, {what} with {sentences.counted(columns, 'columns')}."
