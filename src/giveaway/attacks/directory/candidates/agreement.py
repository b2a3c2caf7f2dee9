"""Which values of records agree with which values of people, one column at a time."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.errors import DataError
from giveaway.model.classes.numbers import number
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.progress import tell

MISSING = -1
"""The key of a missing value, which agrees with everything."""
NOBODY = -2
"""The key of a value that the other side does not have: only a missing value agrees with it."""
NO_RECORD = -3
"""The key of a value of people that no record has; it differs from `NOBODY`, so that equal keys always agree."""

_PAIRS = 4_000_000
_ROUNDING = 1e-13
_CUTOFF_ROUNDING = 1e-3
"""The scorer compares its own cutoff in less than double precision: 0.8 is dropped at a cutoff of 0.799999999."""


@dataclass(frozen=True, eq=False)
class ExactKeys:
    """Equal keys agree; `of_records` and `of_people` give the key of each code, `NOBODY` where none is in common.

    A level of a hierarchy is an `ExactKeys` whose keys are the labels of that level.
    """

    of_records: Codes
    of_people: Codes


@dataclass(frozen=True, eq=False)
class Near:
    """The codes of people that agree with each code of records, ascending: `people[starts[code]:starts[code + 1]]`."""

    starts: Ints
    people: Codes


ANYTHING = None
"""The agreement of a column that the directory does not have: everybody agrees."""

Agreement = ExactKeys | Near | None


def exact(records: Sequence[Label], people: Sequence[Label]) -> ExactKeys:
    """Let values agree that are equal or written the same, so that the number 7 in a frame is the text 7 in a file."""
    written: dict[str, int] = {}
    equal: dict[Label, int] = {}
    of_people = np.empty(len(people), np.int32)
    for code, label in enumerate(people):
        of_people[code] = equal[label] = written.setdefault(str(label), code)
    of_records = [written.get(str(label), equal.get(label, NOBODY)) for label in records]
    return ExactKeys(np.array(of_records, np.int32), of_people)


def listed(agreeing: Sequence[Collection[int]], records: int) -> Near:
    """Let each code of people agree with the codes of records that are listed for it."""
    codes = np.array([code for each in agreeing for code in each], np.int64)
    people = np.repeat(np.arange(len(agreeing), dtype=np.int32), [len(each) for each in agreeing])
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=records)
    return Near(np.concatenate([[0], np.cumsum(sizes)]), people[order])


def within(records: Sequence[Label], people: Sequence[Label], distance: Fraction) -> Near:
    """Let numbers agree that differ by at most so much, exactly."""
    ours, theirs = _numbers(records), _numbers(people)
    order = sorted(range(len(ours)), key=ours.__getitem__)
    ascending = [ours[code] for code in order]
    agreeing = [
        order[bisect_left(ascending, value - distance) : bisect_right(ascending, value + distance)]
        for value in theirs
    ]
    return listed(agreeing, len(ours))


def _numbers(labels: Sequence[Label]) -> list[Fraction]:
    numbers = [number(str(label)) for label in labels]
    wrong = [str(label) for label, value in zip(labels, numbers, strict=True) if value is None]
    if wrong:
        raise DataError(
            f'{len(wrong):,} values that are compared by distance are not numbers, such as "{wrong[0]}".',
            hint="leave out the match of this column.",
        )
    return [Fraction(value) for value in numbers if value is not None]


def near(records: Sequence[Label], people: Sequence[Label], at_least: Fraction) -> Near:
    """Let values agree whose Jaro similarity, as text and with half transpositions rounded down, is at least this.

    A similarity that reaches the limit may be computed a little below it: 7 of 10 letters in common are 0.8, computed
    as 0.7999999999999999. Similarities are fractions of small numbers, so that nothing else lies that close.
    """
    from rapidfuzz.distance import Jaro
    from rapidfuzz.process import cdist

    limit = float(at_least) - _ROUNDING
    well_below = max(limit - _CUTOFF_ROUNDING, 0)
    ours, theirs = [str(label) for label in records], [str(label) for label in people]
    step = max(1, _PAIRS // max(1, len(theirs)))
    sizes, agreeing = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    for begin in range(0, len(ours), step):
        tell("comparing values", begin, len(ours))
        some = ours[begin : begin + step]
        scores = cdist(some, theirs, scorer=Jaro.similarity, score_cutoff=well_below, dtype=np.float64)
        row, column = np.nonzero(scores >= limit)
        sizes.append(np.bincount(row, minlength=len(some)))
        agreeing.append(column.astype(np.int32))
    return Near(np.cumsum(np.concatenate(sizes)), np.concatenate(agreeing))
