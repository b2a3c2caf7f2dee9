"""Kinds of rows: rows that are equal in all that is asked of them, taken together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data.arrays import Ints


@dataclass(frozen=True, eq=False)
class Kinds:
    """How many rows are of each kind; which kind a row is of is found when it is asked.

    >>> kinds = Kinds(np.array([2, 1]), lambda: np.array([0, 1, 0]))
    >>> len(kinds), kinds.rows, kinds.counted(np.array([True, False])), kinds.of_row.tolist()
    (2, 3, 2, [0, 1, 0])
    """

    weights: Ints
    find: Callable[[], Ints]
    """Tells the kind of each row; rows that an engine holds come here for it."""
    each: bool = False
    """Whether every row is a kind of its own."""

    @classmethod
    def of_each(cls, rows: int) -> "Kinds":
        """Take every row as a kind of its own."""
        return cls(np.ones(rows, np.int64), lambda: np.arange(rows), each=True)

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.weights.sum())

    @cached_property
    def of_row(self) -> Ints:
        """The kind of each row."""
        return self.find()

    def counted(self, marks: NDArray[np.bool_]) -> int:
        """Count the rows of the kinds that are marked."""
        return int(self.weights[marks].sum())


class CountedTogether(NamedTuple):
    """Distinct joined rows of several tables, counted by the engine that holds the first."""

    weights: Ints
    now: Ints
    """The record of each in the first table."""
    also: Sequence[Ints]
    """Its record in further columns of the same rows."""
    earlier: Sequence[Ints]
    """Its record in each other table, -1 where that does not have it."""
    changed: Callable[[], DataError]
    """Makes the error for rows that are no longer those that were counted."""
