"""The levels of each column, what publishing a label costs, the nodes: one level for each column, and rows to publish."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Literal

import numpy as np

from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label

Loss = Literal["labels", "cells", "precision"]
Node = tuple[int, ...]

_LARGEST = 1 << 60


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedRows:
    """Rows of codes, -1 where blank, each with how many there are of it."""

    values: Codes
    count: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnLevels:
    """The labels of a column, level by level: first the values themselves, last one label for all, the blank.

    `labels[level][code]` is the label of a value and `leaves[level][code]` how many values of the hierarchy it stands for.
    The last entry of each is for missing values, code -1: they are a label of their own below the last level.
    """

    labels: tuple[Codes, ...]
    leaves: tuple[Ints, ...]

    @classmethod
    def of(
        cls, values: Sequence[Label], hierarchy: Hierarchy | None = None, *, name: str = "a column"
    ) -> "ColumnLevels":
        """Take the values of a column with its hierarchy; without one, a value is published or blank.

        Every value must have a line in the hierarchy, also those of a register; that levels nest was checked when the
        hierarchy was made.
        """
        labels = [np.arange(len(values), dtype=np.int32)]
        leaves = [np.ones(len(values), np.int64)]
        lines = len(values)
        if hierarchy is not None:
            hierarchy.check(name, values)
            lines = len(hierarchy.of)
            every = tuple(hierarchy.of)
            for level in range(1, hierarchy.depth + 1):
                codes = hierarchy.codes(values, level)
                sizes = np.bincount(hierarchy.codes(every, level))
                labels.append(codes)
                leaves.append(sizes[codes])
        if len(labels) == 1 or lines > int(leaves[-1].min(initial=lines + 1)):
            labels.append(np.zeros(len(values), np.int32))
            leaves.append(np.full(len(values), lines))
        ends = [int(level.max(initial=-1)) + 1 for level in labels[:-1]]
        return cls(
            labels=tuple(
                np.append(level, end).astype(np.int32) for level, end in zip(labels, [*ends, 0], strict=True)
            ),
            leaves=tuple(np.append(level, lines if level is leaves[-1] else 1) for level in leaves),
        )

    @property
    def height(self) -> int:
        """The last level, at which the column is blank."""
        return len(self.labels) - 1

    def losses(self, loss: Loss) -> list[list[Fraction]]:
        """Return what it costs to publish the label of each value at each level, from 0 to 1.

        A missing value costs nothing below the last level: it is blank anyway.
        """
        lines = int(self.leaves[-1][-1])
        costs = []
        for level, leaves in enumerate(self.leaves):
            if loss == "labels":
                each = {many: Fraction(many - 1, max(lines - 1, 1)) for many in set(leaves.tolist())}
                costs.append([each[many] for many in leaves.tolist()])
            else:
                cost = Fraction(level, self.height) if loss == "precision" else Fraction(level > 0)
                costs.append([cost] * len(leaves))
            if level == self.height:
                costs[-1] = [Fraction(1)] * len(leaves)
            else:
                costs[-1][-1] = Fraction(0)
        return costs


@dataclass(frozen=True, eq=False)
class Lattice:
    """All nodes of some columns, with whole numbers for what is lost.

    `cost[column][level][code]` is what a published label loses, in units of which a blank loses `full[column]`: exact
    unless the common unit of the columns would overflow; then labels lose a little less, by less than a millionth.
    """

    columns: tuple[ColumnLevels, ...]
    cost: tuple[tuple[Ints, ...], ...]
    full: tuple[int, ...]

    @classmethod
    def of(
        cls,
        columns: Sequence[ColumnLevels],
        rows: int,
        *,
        loss: Loss = "labels",
        importance: Sequence[Fraction] | None = None,
    ) -> "Lattice":
        """Prepare the search among the levels of columns; `importance` weighs them, all alike by default."""
        weights = [Fraction(1)] * len(columns) if importance is None else list(importance)
        losses = [column.losses(loss) for column in columns]
        unit = lcm(
            *(weight.denominator for weight in weights),
            *(
                (weight * cost).denominator
                for weight, column in zip(weights, losses, strict=True)
                for level in column
                for cost in set(level)
            ),
        )
        most = _LARGEST // max(rows, 1)
        scale = min(Fraction(unit), most / (sum(weights) or Fraction(1)))
        return cls(
            columns=tuple(columns),
            cost=tuple(
                tuple(np.array([int(weight * cost * scale) for cost in level], np.int64) for level in column)
                for weight, column in zip(weights, losses, strict=True)
            ),
            full=tuple(int(weight * scale) for weight in weights),
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The number of levels of each column."""
        return tuple(column.height + 1 for column in self.columns)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return prod(self.shape)

    @property
    def top(self) -> Node:
        """The node at which every column is blank."""
        return tuple(column.height for column in self.columns)

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many labels each column has at each level."""
        return tuple(tuple(int(level.max()) + 1 for level in column.labels) for column in self.columns)

    def loss(self, units: int, rows: int) -> Fraction:
        """Return a loss in whole numbers as the mean over rows and columns."""
        return Fraction(units, max(rows * sum(self.full), 1))
