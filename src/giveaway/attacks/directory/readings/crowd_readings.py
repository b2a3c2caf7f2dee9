"""What is read off the sizes of blocks: k, prosecutor, journalist and marketer risk, k-map, presence, uniques."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import ExactKeys
from giveaway.attacks.directory.candidates.count import Matching
from giveaway.attacks.directory.readings.shares import exceeds, largest, smallest
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import People


@dataclass(frozen=True, kw_only=True)
class CrowdReadings:
    """Readings of a table against itself; `limit` is the chance above which a row is at risk."""

    rows: int
    blocks: int
    k: int
    k_by_fit: int
    """The fewest rows that fit one, where blanks fit everything; in `k` a blank is a value of its own."""
    sample_uniques: int
    limit: Fraction
    prosecutor_highest: Fraction
    prosecutor_average: Fraction
    prosecutor_at_risk: Fraction
    """The part of the rows whose chance, one in the rows of their block, is above the limit."""


@dataclass(frozen=True, kw_only=True)
class RegisterReadings:
    """Readings of a table against a directory of people.

    Rows of blocks in which the directory has nobody are counted in `rows_without_people` and in no other reading: they
    are neither safe nor at risk.
    """

    people: int
    k_map: int | None
    rows_without_people: int
    population_uniques: int
    journalist_highest: Fraction | None
    journalist_average: Fraction | None
    journalist_at_risk: Fraction | None
    marketer: Fraction | None
    presence_least: Fraction
    presence_most: Fraction
    """The rows for each person of a block, over all blocks of the directory (delta-presence)."""


def crowd_readings(values: Codes, rows: Ints, limit: Fraction) -> CrowdReadings:
    """Read off what each block shows, -1 where blank, and its rows."""
    total = int(rows.sum())
    alone = np.ones(len(rows), np.int64)
    return CrowdReadings(
        rows=total,
        blocks=len(rows),
        k=int(rows.min(initial=total)),
        k_by_fit=_fewest_fitting(values, rows),
        sample_uniques=int((rows == 1).sum()),
        limit=limit,
        prosecutor_highest=largest(alone, rows),
        prosecutor_average=Fraction(len(rows), max(total, 1)),
        prosecutor_at_risk=Fraction(int(rows[exceeds(alone, rows, limit)].sum()), max(total, 1)),
    )


def _fewest_fitting(values: Codes, rows: Ints) -> int:
    """Return the fewest rows that agree with a block wherever both show something."""
    if (values >= 0).all():
        return int(rows.min(initial=int(rows.sum())))
    nobody = np.zeros(0, np.int64)
    codes = [np.arange(size, dtype=np.int32) for size in (values.max(axis=0) + 1).tolist()]
    names = tuple(map(str, range(len(codes))))
    themselves = People(
        columns=dict(zip(names, values.T, strict=True)),
        labels={name: tuple(known.tolist()) for name, known in zip(names, codes, strict=True)},
        alone=rows,
        several_person=nobody,
        several_entry=nobody,
    )
    agreements = tuple((ExactKeys(known, known),) for known in codes)
    matching = Matching(people=themselves, names=names, agreements=agreements, gaps="agree")
    # At least its own rows fit a block: larger ones need no look. Those that show most come first, since few fit them.
    fewest, left, size = int(rows.sum()), np.lexsort((rows, (values < 0).sum(axis=1))), 1
    while len(left):
        fewest = min(fewest, int(matching.candidates(values[left[:size]]).min()))
        left, size = left[size:][rows[left[size:]] < fewest], 8 * size
    return fewest


def register_readings(rows: Ints, people: Ints, limit: Fraction) -> RegisterReadings:
    """Read off the rows and the people of each block, of which there may be none on one side."""
    listed = (rows > 0) & (people > 0)
    some, crowd = rows[listed], people[listed]
    known = int(some.sum())
    average = Fraction(0)
    for size in np.unique(crowd).tolist():
        average += Fraction(int(some[crowd == size].sum()), size * known)
    chances = exceeds(np.ones(len(crowd), np.int64), crowd, limit)
    inhabited: NDArray[np.bool_] = people > 0
    return RegisterReadings(
        people=int(people.sum()),
        k_map=int(crowd.min()) if known else None,
        rows_without_people=int(rows.sum()) - known,
        population_uniques=int(((some == 1) & (crowd == 1)).sum()),
        journalist_highest=Fraction(1, int(crowd.min())) if known else None,
        journalist_average=average if known else None,
        journalist_at_risk=Fraction(int(some[chances].sum()), known) if known else None,
        marketer=average if known else None,
        presence_least=smallest(rows[inhabited], people[inhabited]),
        presence_most=largest(rows[inhabited], people[inhabited]),
    )
