"""Special uniques (SUDA): the smallest sets of columns in which a row is the only one, and the scores made of them.

Elliot, Manning, Ford 2002; Manning, Haglin, Keane 2008. A minimal sample unique is a minimal mole of a crowd of two, when
rows are baskets of their values. Scores are readings: nothing is judged by them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.readings.named import aligned
from giveaway.itemsets.ranked import rank
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.moles.search import BUDGET, mine

Score = Literal["elliot", "ihsn"]
Floats = NDArray[np.float64]

USUAL = Fraction(1, 100)
"""The sampling fraction that sdcMicro takes unless told otherwise."""
_STEEP, _COLUMNS = 20, 8
"""DIS-SUDA raises scores to the power 1 + (8 - columns) / 20."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Suda:
    """The special uniques of a table: its minimal sample uniques, and the scores made of them.

    A minimal sample unique is a row with a set of columns: there it is the only one, and in no part of the set.
    """

    columns: tuple[str, ...]
    at_most: int
    """The most columns of a set."""
    score: Score
    sampled: Fraction
    blocks: int
    block_of: Ints
    """The block of each row, whose rows are equal in all columns."""
    unique: Ints
    """The block of each minimal sample unique."""
    marks: NDArray[np.bool_]
    """The columns of each."""
    alone: int
    """The rows that no other one equals in all columns, none of them blank."""
    in_pairs: int
    """The rows that one other equals."""

    @property
    def minimal_uniques(self) -> int:
        """The number of minimal sample uniques."""
        return len(self.unique)

    @cached_property
    def by_size(self) -> tuple[int, ...]:
        """How many of them have one column, two columns and so on."""
        sizes = np.bincount(self.marks.sum(axis=1), minlength=min(self.at_most, len(self.columns)) + 1)
        return tuple(sizes[1:].tolist())

    @cached_property
    def rows_unique(self) -> int:
        """The rows that have one."""
        return len(np.unique(self.unique))

    @cached_property
    def _parts(self) -> list[Fraction]:
        """What each minimal sample unique adds to the score of its row."""
        width = len(self.columns)
        of_size = [Fraction(0)]
        for size in range(1, width + 1):
            if self.score == "elliot":
                of_size.append(
                    Fraction(prod(width - i for i in range(size, min(self.at_most, width - 1) + 1)))
                )
            else:
                of_size.append(Fraction(2 ** (width - size) - 1, comb(width, size)))
        return [of_size[size] for size in self.marks.sum(axis=1).tolist()]

    @cached_property
    def _of_blocks(self) -> list[Fraction]:
        """The score of each block: the sum over its minimal sample uniques."""
        scores = [Fraction(0)] * self.blocks
        for block, part in zip(self.unique.tolist(), self._parts, strict=True):
            scores[block] += part
        return scores

    @cached_property
    def scores(self) -> list[Fraction]:
        """The score of each row."""
        return [self._of_blocks[block] for block in self.block_of.tolist()]

    @cached_property
    def total_score(self) -> Fraction:
        """The sum of the scores."""
        return sum(self._parts, Fraction(0))

    @property
    def dis(self) -> Fraction:
        """How likely a row that is the only one in the sample is the only one in the population."""
        alone = self.alone * self.sampled
        return alone / (alone + self.in_pairs * (1 - self.sampled)) if self.alone else Fraction(0)

    @cached_property
    def dis_suda(self) -> Floats:
        """DIS spread over the rows by their scores, a heuristic; the published example uses the scores of IHSN."""
        points = np.array([float(one) for one in self._of_blocks])
        spread = np.zeros(len(points))
        scored = points > 0
        if scored.any() and self.alone:
            power = 1 + (_COLUMNS - len(self.columns)) / _STEEP
            unlike = self.alone / float(self.dis) - self.alone
            weighed = points[scored] ** power * float((points[scored] ** -power).sum())
            spread[scored] = 1 / (1 + unlike / weighed)
        return spread[self.block_of]

    @cached_property
    def contributions(self) -> dict[str, Fraction]:
        """The scores of the minimal sample uniques that hold each column."""
        return {
            name: sum(
                (part for part, held in zip(self._parts, marks.tolist(), strict=True) if held), Fraction(0)
            )
            for name, marks in zip(self.columns, self.marks.T, strict=True)
        }

    def as_dict(self) -> dict[str, Any]:
        """Return what is read off the whole table, by name."""
        return {
            "at_most": self.at_most,
            "minimal_uniques": self.minimal_uniques,
            "by_size": self.by_size,
            "rows_unique": self.rows_unique,
            "alone": self.alone,
            "in_pairs": self.in_pairs,
            "total_score": self.total_score,
            "sampled": self.sampled,
            "dis": self.dis,
        }

    def __repr__(self) -> str:
        by_size = ", ".join(f"{size:,}" for size in self.by_size)
        return aligned({**self.as_dict(), "by_size": by_size})


def uniques_of(
    table: Table,
    columns: Sequence[str],
    *,
    at_most: int,
    score: Score = "elliot",
    sampled: Fraction = USUAL,
    budget: int = BUDGET,
) -> Suda:
    """Find the special uniques of a table, of at most so many columns; blanks never make a row unique.

    BudgetExceeded is raised when the search takes more than `budget` steps.
    """
    block, distinct = alike([table.columns[name] for name in columns])
    values = np.stack([table.columns[name][distinct] for name in columns], axis=1)
    count = np.bincount(block, weights=table.weights).astype(np.int64)
    sizes = values.max(axis=0, initial=-1) + 1
    first = np.append(0, np.cumsum(sizes))
    shown = values >= 0
    baskets = Transactions(
        offsets=np.append(0, np.cumsum(shown.sum(axis=1))),
        codes=(values + first[:-1])[shown].astype(np.int32),
        weights=count,
        labels=tuple(range(int(first[-1]))),
    )
    starts, sets = mine(rank(baskets), at_most, 2, Fraction(1), budget=budget).minimal
    marks = np.zeros((len(starts) - 1, len(columns)), np.bool_)
    wanted = np.full(marks.shape, -1, np.int32)
    place = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    column = np.searchsorted(first, sets, side="right") - 1
    marks[place, column] = True
    wanted[place, column] = sets - first[column]
    complete = shown.all(axis=1)
    return Suda(
        columns=tuple(columns),
        at_most=at_most,
        score=score,
        sampled=sampled,
        blocks=len(values),
        block_of=block[table.record_of],
        unique=_holders(values, marks, wanted),
        marks=marks,
        alone=int((complete & (count == 1)).sum()),
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
