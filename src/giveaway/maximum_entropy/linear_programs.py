"""Rows as linear programs over the records of classes of profiles, solved with HiGHS."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from giveaway.errors import BudgetExceeded
from giveaway.linear_programs import OPTIMAL, linear
from giveaway.maximum_entropy.constraints import ConstraintRows, Floats, classes
from giveaway.model.data.arrays import Ints

_TOLERANCE = 1e-10


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearAnswer:
    """The least cost, and how strongly each row keeps it up."""

    cost: float
    pressure: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearProgram:
    """Rows over one variable for each class and value: how many of its records have the value.

    `matrix` adds up the variables that count for each row, `partition` those of each class.
    """

    rows: ConstraintRows
    weights: Ints
    class_of: Ints
    matrix: Any
    partition: Any

    @classmethod
    def of(
        cls, weights: Ints, domain: int, rows: ConstraintRows, *, apart: int | None = None
    ) -> "LinearProgram":
        """Merge the profiles that the same rows cover, except one that is kept apart."""
        from scipy.sparse import coo_array

        alone = np.zeros(len(weights), np.uint64)
        if apart is not None:
            alone[apart] = 1
        class_of, first = classes(rows, np.arange(len(rows)), alone)
        row, member = _pairs(rows)
        chosen = first[class_of[member]] == member
        row, place = row[chosen], class_of[member[chosen]]
        pair, value = np.nonzero(rows.values[row])
        shape = (len(rows), len(first) * domain)
        counted = coo_array((np.ones(len(pair)), (row[pair], place[pair] * domain + value)), shape)
        variable = np.arange(shape[1])
        return cls(
            rows=rows,
            weights=np.bincount(class_of, weights, len(first)).astype(np.int64),
            class_of=class_of,
            matrix=counted.tocsr(),
            partition=coo_array((np.ones(shape[1]), (variable // domain, variable))).tocsr(),
        )

    def least(self, cost: Floats) -> LinearAnswer:
        """Minimise a cost of the variables."""
        less, most, same, amount = self._constraints()
        return self._answer(cost, less, most, same, amount)

    def least_violation(self) -> LinearAnswer:
        """Minimise the number of records by which the rows are violated in all."""
        from scipy.sparse import coo_array, hstack

        less, most, same, amount = self._constraints()
        sides, equations = len(most), len(amount) - len(self.weights)
        place = np.arange(equations)
        over = coo_array((np.ones(equations), (place, place)), (len(amount), equations))
        place = np.arange(sides)
        short = coo_array((-np.ones(sides), (place, place)), (sides, sides + 2 * equations))
        nothing = coo_array((len(amount), sides))
        cost = np.concatenate([np.zeros(less.shape[1]), np.ones(sides + 2 * equations)])
        return self._answer(cost, hstack([less, short]), most, hstack([same, nothing, over, -over]), amount)

    def _sides(self) -> tuple[Ints, Ints]:
        """Return the rows of each inequality, lower bounds first, and those of each equation."""
        equal = self.rows.low == self.rows.high
        lower, upper = (np.isfinite(end) & ~equal for end in (self.rows.low, self.rows.high))
        return np.concatenate([np.flatnonzero(lower), np.flatnonzero(upper)]), np.flatnonzero(equal)

    def _constraints(self) -> tuple[Any, Floats, Any, Floats]:
        from scipy.sparse import diags_array, vstack

        rows = self.rows
        sided, equal = self._sides()
        lower = int((np.isfinite(rows.low) & (rows.low != rows.high)).sum())
        sign = np.where(np.arange(len(sided)) < lower, -1.0, 1.0)
        most = sign * np.where(sign < 0, rows.low[sided], rows.high[sided])
        same = vstack([self.matrix[equal], self.partition])
        return (
            diags_array(sign) @ self.matrix[sided],
            most,
            same,
            np.concatenate([rows.low[equal], self.weights]),
        )

    def _answer(self, cost: Floats, less: Any, most: Floats, same: Any, amount: Floats) -> LinearAnswer:
        limits = {"A_ub": less, "b_ub": most} if len(most) else {}
        fine = {"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE}
        answer = linear("solving a linear program", cost, A_eq=same, b_eq=amount, options=fine, **limits)
        if answer.status != OPTIMAL:
            raise BudgetExceeded(
                f"A linear program of {len(self.rows):,} constraints was not solved.",
                hint="ask about fewer rules.",
            )
        sided, equal = self._sides()
        pressure = np.zeros(len(self.rows))
        pressure[equal] = np.abs(answer.eqlin.marginals[: len(equal)])
        if len(most):
            np.add.at(pressure, sided, np.abs(answer.ineqlin.marginals))
        return LinearAnswer(cost=float(answer.fun), pressure=pressure)


def _pairs(rows: ConstraintRows) -> tuple[Ints, Ints]:
    """Return all pairs of a row and a member of its list."""
    size = np.diff(rows.offsets)[rows.lists]
    ends = np.cumsum(size)
    row = np.repeat(np.arange(len(rows)), size)
    place = np.arange(len(row)) + np.repeat(rows.offsets[rows.lists] - (ends - size), size)
    return row, rows.members[place].astype(np.int64)
