"""Somebody who knows at most so many of the columns, whichever they are: who is over a limit for some set of them.

What is known of fewer columns never singles out more, so that for crowds sets of exactly that size suffice. What they tell
of a sensitive value is another matter: less may say more. A row or a person with a blank in a set is not counted there:
the blank is one column less.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from tests.oracles.attribute_risk import above_limit, likeliest

from giveaway.attacks.directory.levels.lattice import CountedRows
from giveaway.attacks.directory.readings.attribute_chances import Flags, ValueTargets
from giveaway.attacks.directory.readings.shares import counted
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.progress import tell


def smallest_crowds(rows: CountedRows, at_most: int, people: CountedRows | None = None) -> Ints:
    """Return for each row the fewest people that some set of at most so many columns leaves, 0 where it leaves nobody.

    Without people the rows are their own. The counts of rows below a crowd, or alone, are sums over this.
    """
    crowd = np.full(len(rows.values), np.iinfo(np.int64).max)
    whole = people is None and bool((rows.values >= 0).all())
    for columns in _sets(rows.values.shape[1], at_most, exactly=whole):
        ours, theirs, block = _blocks(rows, people or rows, columns)
        size = np.bincount(
            block[len(ours) :],
            weights=(people or rows).count[theirs],
            minlength=int(block.max(initial=-1)) + 1,
        )
        crowd[ours] = np.minimum(crowd[ours], size[block[: len(ours)]].astype(np.int64))
    return crowd


def over_for_some_columns(
    rows: CountedRows,
    sensitive: Codes,
    targets: ValueTargets,
    limit: Fraction,
    at_most: int,
    people: CountedRows | None = None,
) -> Flags:
    """Tell whose chance of a target is above a limit for some set of at most so many columns, the empty one included.

    The answer is about the people, or without them about the rows.
    """
    known = people or rows
    shown = sensitive >= 0
    totals = np.bincount(sensitive[shown], weights=rows.count[shown], minlength=len(targets.single)).astype(
        np.int64
    )
    over = np.zeros(len(known.values), np.bool_)
    for columns in _sets(rows.values.shape[1], at_most, exactly=False):
        ours, theirs, block = _blocks(rows, known, columns)
        groups = int(block.max(initial=-1)) + 1
        shares = counted(block[: len(ours)], sensitive[ours], rows.count[ours], groups=groups, totals=totals)
        over[theirs] |= above_limit(likeliest(shares, targets), limit)[block[len(ours) :]]
    return over


def _sets(columns: int, at_most: int, *, exactly: bool) -> Iterator[NDArray[np.int64]]:
    """Give the sets of at most so many columns, or of exactly so many."""
    most = min(at_most, columns)
    sizes = range(most if exactly else 0, most + 1)
    total, done = sum(comb(columns, size) for size in sizes), 0
    for size in sizes:
        for chosen in combinations(range(columns), size):
            tell("trying sets of columns", done, total)
            done += 1
            yield np.array(chosen, np.int64)


def _blocks(rows: CountedRows, people: CountedRows, columns: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the rows and the people without a blank in some columns, and the block of each, rows first."""
    ours, theirs = (np.flatnonzero((one.values[:, columns] >= 0).all(axis=1)) for one in (rows, people))
    both = np.concatenate([rows.values[np.ix_(ours, columns)], people.values[np.ix_(theirs, columns)]])
    block = alike(list(both.T))[0] if len(columns) and len(both) else np.zeros(len(both), np.int64)
    return ours, theirs, block
