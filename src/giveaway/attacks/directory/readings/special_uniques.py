"""Special uniques (SUDA): the smallest sets of columns in which a row is the only one, and the scores made of them.

Elliot, Manning, Ford 2002; Manning, Haglin, Keane 2008. A minimal sample unique is a minimal mole of a crowd of two, when
rows are baskets of their values. Scores are readings: nothing is judged by them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.itemsets.ranked import rank
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.transactions import Transactions
from giveaway.moles.search import BUDGET, mine

Score = Literal["elliot", "ihsn"]
Floats = NDArray[np.float64]

USUAL = Fraction(1, 100)
"""The sampling fraction that sdcMicro takes unless told otherwise."""
_STEEP, _COLUMNS = 20, 8
"""DIS-SUDA raises scores to the power 1 + (8 - columns) / 20."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SpecialUniques:
    """The minimal sample uniques of a table: `row[i]` is the only one in the columns marked in `columns[i]`."""

    row: Ints
    columns: NDArray[np.bool_]
    at_most: int
    rows: int
    alone: int
    """The rows that no other one equals in all columns, none of them blank."""
    in_pairs: int
    """The rows that one other equals."""

    @cached_property
    def size(self) -> Ints:
        """The number of columns of each."""
        size: Ints = self.columns.sum(axis=1)
        return size

    def parts(self, score: Score) -> list[Fraction]:
        """Return what each minimal sample unique adds to the score of its row."""
        width = self.columns.shape[1]
        of_size = [Fraction(0)]
        for size in range(1, width + 1):
            if score == "elliot":
                of_size.append(
                    Fraction(prod(width - i for i in range(size, min(self.at_most, width - 1) + 1)))
                )
            else:
                of_size.append(Fraction(2 ** (width - size) - 1, comb(width, size)))
        return [of_size[size] for size in self.size.tolist()]

    def scores(self, score: Score = "elliot") -> list[Fraction]:
        """Return the score of each row: the sum over its minimal sample uniques."""
        scores = [Fraction(0)] * self.rows
        for row, part in zip(self.row.tolist(), self.parts(score), strict=True):
            scores[row] += part
        return scores

    def contributions(self, score: Score = "elliot") -> list[Fraction]:
        """Return the scores of the minimal sample uniques that hold each column."""
        parts = self.parts(score)
        return [
            sum((part for part, held in zip(parts, column.tolist(), strict=True) if held), Fraction(0))
            for column in self.columns.T
        ]

    def dis(self, sampled: Fraction = USUAL) -> Fraction:
        """Return how likely a row that is the only one in the sample is the only one in the population."""
        alone = self.alone * sampled
        return alone / (alone + self.in_pairs * (1 - sampled)) if self.alone else Fraction(0)

    def dis_suda(self, score: Score = "ihsn", sampled: Fraction = USUAL) -> Floats:
        """Return DIS spread over the rows by their scores, a heuristic; the published example uses the scores of IHSN."""
        points = np.array([float(one) for one in self.scores(score)])
        spread = np.zeros(self.rows)
        scored = points > 0
        if not scored.any() or not self.alone:
            return spread
        power = 1 + (_COLUMNS - self.columns.shape[1]) / _STEEP
        unlike = self.alone / float(self.dis(sampled)) - self.alone
        weighed = points[scored] ** power * float((points[scored] ** -power).sum())
        spread[scored] = 1 / (1 + unlike / weighed)
        return spread


def special_uniques(values: Codes, count: Ints, at_most: int, *, budget: int = BUDGET) -> SpecialUniques:
    """Find the minimal sample uniques of at most so many columns; `values` are different rows, -1 where blank.

    Rows that appear several times, as `count` says, are never unique. BudgetExceeded is raised when the search takes
    more than `budget` steps.
    """
    rows, width = values.shape
    sizes = values.max(axis=0, initial=-1) + 1
    first = np.append(0, np.cumsum(sizes))
    shown = values >= 0
    items = (values + first[:-1])[shown].astype(np.int32)
    baskets = Transactions(
        offsets=np.append(0, np.cumsum(shown.sum(axis=1))),
        codes=items,
        weights=count,
        labels=tuple(range(int(first[-1]))),
    )
    starts, sets = mine(rank(baskets), at_most, 2, Fraction(1), budget=budget).minimal
    marks = np.zeros((len(starts) - 1, width), np.bool_)
    wanted = np.full((len(starts) - 1, width), -1, np.int32)
    place = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    column = np.searchsorted(first, sets, side="right") - 1
    marks[place, column] = True
    wanted[place, column] = sets - first[column]
    complete = shown.all(axis=1)
    alone = int((complete & (count == 1)).sum())
    return SpecialUniques(
        row=_holders(values, marks, wanted),
        columns=marks,
        at_most=at_most,
        rows=rows,
        alone=alone,
        in_pairs=int(count[complete & (count == 2)].sum()),
    )


def _holders(values: Codes, columns: NDArray[np.bool_], wanted: Codes) -> Ints:
    """Return the only row that has the wanted values in the columns of each set."""
    holder = np.zeros(len(columns), np.int64)
    if not len(columns):
        return holder
    kind, first = alike(list(columns.T))
    for number, one in enumerate(first.tolist()):
        here = np.flatnonzero(kind == number)
        chosen = np.flatnonzero(columns[one])
        both = np.concatenate([values[:, chosen], wanted[np.ix_(here, chosen)]])
        block = alike(list(both.T))[0]
        row_of = np.zeros(int(block.max()) + 1, np.int64)
        row_of[block[: len(values)]] = np.arange(len(values))
        holder[here] = row_of[block[len(values) :]]
    return holder
