"""Which rows fit each person, and what they show of a sensitive column.

A row fits somebody if every column compared agrees: equal, covered by the row's coarser label, or one of them missing.
Rows are grouped by which columns they show, and at which level: by their mask. The rows of one mask fit by equality of
what they show, so that each mask costs one group-by, and each person one look-up in it, projected onto the columns that
are known of the person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING as ANYBODY
from giveaway.attacks.directory.candidates.agreement import ExactKeys
from giveaway.attacks.directory.readings.shares import GroupValues, counted
from giveaway.model.data.arrays import Codes, Ints, alike, summed
from giveaway.model.data.people import Gaps
from giveaway.model.progress import tell

_MOST = 4_000_000
"""So many counts are kept before they are added up."""

_BLANK = -1
"""The level, in a mask, of a column that a row does not show."""
_NO_ROW = -3
"""The key of a value of somebody that no row has; rows without people have another one."""
_BLANKS = 2
"""The codes below 0 of a sensitive value: missing and hidden."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class FittingRows:
    """Released rows: codes of the columns compared at their levels, -1 where blank, and of a sensitive column.

    The code of a sensitive value is -1 where it is missing in the data and -2 where it was hidden to protect somebody.
    """

    values: Codes
    levels: NDArray[np.int8]
    sensitive: Codes
    count: Ints
    totals: Ints
    """How many rows show each sensitive value."""

    @classmethod
    def of(
        cls,
        values: Codes,
        sensitive: Codes,
        count: Ints,
        *,
        different: int,
        levels: NDArray[np.int8] | None = None,
    ) -> "FittingRows":
        """Take rows with a sensitive column of `different` values; without levels all show the values themselves."""
        shown = sensitive >= 0
        return cls(
            values=values,
            levels=np.zeros(values.shape, np.int8) if levels is None else levels,
            sensitive=sensitive,
            count=count,
            totals=np.bincount(sensitive[shown], weights=count[shown], minlength=different).astype(np.int64),
        )


def fitting_shares(
    rows: FittingRows,
    people: Codes,
    agreements: Sequence[Sequence[ExactKeys | None]] | None = None,
    *,
    gaps: Gaps = "agree",
) -> GroupValues:
    """Count what the rows that fit each person show; `people` are rows of value codes, -1 where nothing is known.

    `agreements[column][level]` translates codes of rows and of people into keys that are equal where they agree; without
    it both use the same codes, at level 0. With gaps apart, a missing value of somebody agrees with blanks only. Equal
    people should be given once.
    """
    width = len(rows.totals) + _BLANKS
    keys, counts = [_NONE], [_NONE]
    for person, value, count in _fits(rows, people, agreements, gaps):
        keys.append(person * width + value + _BLANKS)
        counts.append(count)
        if sum(map(len, counts)) > _MOST:
            keys, counts = _added(keys, counts, len(people) * width)
    (different,), (sums,) = _added(keys, counts, len(people) * width)
    person = different // width
    return counted(person, different - person * width - _BLANKS, sums, groups=len(people), totals=rows.totals)


def _added(keys: list[Ints], counts: list[Ints], size: int) -> tuple[list[Ints], list[Ints]]:
    different, sums = summed(np.concatenate(keys), np.concatenate(counts), size)
    return [different], [sums]


def _fits(
    rows: FittingRows, people: Codes, agreements: Sequence[Sequence[ExactKeys | None]] | None, gaps: Gaps
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Give people, sensitive values and counts of the rows that fit, each row and person once, mask by mask."""
    keys, masks = _row_keys(rows, agreements)
    mask_of, first = (
        alike(list(masks.T)) if masks.shape[1] else (np.zeros(len(keys), np.int64), np.zeros(1, np.int64))
    )
    for number, row in enumerate(first[: len(keys)].tolist()):
        tell("counting the rows that fit each person", number, len(first))
        here = np.flatnonzero(mask_of == number)
        shown = np.flatnonzero(masks[row] != _BLANK)
        theirs = np.empty((len(people), len(shown)), np.int64)
        for place, column in enumerate(shown.tolist()):
            level = int(masks[row, column])
            theirs[:, place] = _person_keys(people[:, column], agreements, column, level)
        ours = keys[np.ix_(here, shown)]
        for persons, known in _by_gaps(theirs, gaps):
            yield from _joined(ours[:, known], theirs[np.ix_(persons, known)], here, persons, rows)


def _row_keys(
    rows: FittingRows, agreements: Sequence[Sequence[ExactKeys | None]] | None
) -> tuple[Ints, NDArray[np.int64]]:
    """Return the keys of what rows show, and the level of each entry, `_BLANK` where everybody agrees."""
    keys = rows.values.astype(np.int64)
    masks = np.where(keys < 0, _BLANK, rows.levels.astype(np.int64))
    for column, levels in enumerate(agreements or ()):
        for level, agreement in enumerate(levels):
            here = masks[:, column] == level
            if agreement is None:
                masks[here, column] = _BLANK
            else:
                keys[here, column] = agreement.of_records[keys[here, column]]
    masks[keys == ANYBODY] = _BLANK
    return keys, masks


def _person_keys(
    codes: Codes, agreements: Sequence[Sequence[ExactKeys | None]] | None, column: int, level: int
) -> Ints:
    """Return the keys of people in a column at a level, -1 where nothing is known, below where no row agrees."""
    if agreements is None:
        return codes.astype(np.int64)
    agreement = agreements[column][level]
    if agreement is None:
        return np.full(len(codes), ANYBODY, np.int64)
    keys = np.append(agreement.of_people, 0).astype(np.int64)[codes]
    keys[keys < 0] = _NO_ROW
    keys[codes < 0] = ANYBODY
    return keys


def _by_gaps(theirs: Ints, gaps: Gaps) -> Iterator[tuple[Ints, Ints]]:
    """Split people by the columns that are known of them; give the people and the columns in which they must agree."""
    known = theirs != ANYBODY
    if gaps == "apart" or known.all():
        yield np.flatnonzero(known.all(axis=1)), np.arange(theirs.shape[1])
        return
    kind, first = alike(list(known.T))
    for number, person in enumerate(first.tolist()):
        yield np.flatnonzero(kind == number), np.flatnonzero(known[person])


def _joined(
    ours: Ints, theirs: Ints, here: Ints, persons: Ints, rows: FittingRows
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Join rows and people by equal keys; give people, sensitive values and counts."""
    both = np.concatenate([ours, theirs])
    both -= both.min(initial=0)  # some keys are below -1, and `alike` takes codes from -1 on
    place = alike(list(both.T))[0] if both.shape[1] else np.zeros(len(both), np.int64)
    groups = int(place.max(initial=-1)) + 1
    width = len(rows.totals) + _BLANKS
    keys, counts = summed(
        place[: len(ours)] * width + rows.sensitive[here] + _BLANKS, rows.count[here], groups * width
    )
    of_group = np.searchsorted(keys, np.arange(groups + 1) * width)
    begin, size = of_group[:-1][place[len(ours) :]], np.diff(of_group)[place[len(ours) :]]
    ends = np.cumsum(size)
    cuts = np.searchsorted(ends, np.arange(0, int(size.sum()), _MOST))
    for start, stop in pairwise(np.unique([0, *cuts, len(persons)]).tolist()):
        many = size[start:stop]
        chosen = np.arange(int(many.sum())) + np.repeat(begin[start:stop] - (np.cumsum(many) - many), many)
        yield np.repeat(persons[start:stop], many), keys[chosen] % width - _BLANKS, counts[chosen]
