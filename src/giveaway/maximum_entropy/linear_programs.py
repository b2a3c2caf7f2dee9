"""What rows prove: which contradict each other, and what is certain of one profile, by linear programs with HiGHS."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from giveaway.errors import BudgetExceeded
from giveaway.linear_programs import OPTIMAL, linear
from giveaway.maximum_entropy.constraints import ConstraintRows, Flags, Floats, classes
from giveaway.maximum_entropy.solve import Contradiction, solve
from giveaway.model.data.arrays import Ints, positions

_TOLERANCE = 1e-10
_SHARE, _PART_OF_A_RECORD = 1e-10, 1e-8
"""Up to this share of the records, and this part of one, rows count as holding together."""
_PRESSURE = 1e-9
_NEARLY = 1e-9
"""How near to what is certain a range is, as a share of the records."""


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
    row = np.repeat(np.arange(len(rows)), size)
    return row, rows.members[positions(rows.offsets[rows.lists], size)].astype(np.int64)


def conflict(weights: Ints, domain: int, rows: ConstraintRows) -> Ints | None:
    """Return rows that cannot all hold, while without any one of them the others can; None if all rows can hold.

    The maximum-entropy solver tells whether they can and, if not, some rows that cannot; elastic linear programs and a
    deletion filter leave as few of these as possible.
    """
    try:
        if solve(weights, domain, rows).violation <= _SHARE:
            return None
        suspects = np.arange(len(rows))
    except Contradiction as found:
        suspects = found.rows
    guilty = _guilty(weights, domain, rows, suspects)
    if guilty is None and len(suspects) < len(rows):
        guilty = _guilty(weights, domain, rows, np.arange(len(rows)))
    return None if guilty is None else _fewest(weights, domain, rows, guilty)


def _fewest(weights: Ints, domain: int, rows: ConstraintRows, guilty: Ints) -> Ints:
    """Leave out one row after another as long as the rest still contradicts itself."""
    for row in guilty.tolist():
        if row in guilty:
            fewer = _guilty(weights, domain, rows, guilty[guilty != row])
            guilty = guilty if fewer is None else fewer
    return guilty


def _guilty(weights: Ints, domain: int, rows: ConstraintRows, suspects: Ints) -> Ints | None:
    """Return the suspects that press against the least violation: they contradict each other without the others."""
    if len(suspects) == 0:
        return None
    violation = LinearProgram.of(weights, domain, rows.take(suspects)).least_violation()
    if violation.cost <= _PART_OF_A_RECORD + _SHARE * float(weights.sum()):
        return None
    return suspects[violation.pressure > _PRESSURE]


def certain_range(
    weights: Ints,
    domain: int,
    rows: ConstraintRows,
    profile: int,
    values: Ints,
    *,
    start: Floats | None = None,
) -> tuple[float, float]:
    """Return the least and the greatest chance that a profile has one of some values.

    All distributions that agree with the rows lie between them, and some reach them, give or take 1e-9 of all
    records. The rows must not contradict each other; `start` are their multipliers if known, which saves time.
    """
    wanted = np.zeros(domain, np.bool_)
    wanted[values] = True
    start = np.append(np.zeros(len(rows)) if start is None else start, 0.0)
    most, others = (_most(weights, rows, profile, marked, start) for marked in (wanted, ~wanted))
    return 1 - others / int(weights[profile]), most / int(weights[profile])


def _most(weights: Ints, rows: ConstraintRows, profile: int, wanted: Flags, start: Floats) -> float:
    """Return the greatest number of records of the profile with a wanted value.

    A linear program over a few rows bounds it; the maximum-entropy solver tells whether the bound is reached and, if
    not, which further rows forbid it. Together they are much quicker than a linear program over all rows.
    """
    if not wanted.any():
        return 0.0
    most, nearly = float(weights[profile]), float(weights[profile])
    working = np.zeros(0, np.int64)
    while True:
        fresh = np.setdiff1d(_forbidding(weights, rows, profile, wanted, nearly, start), working)
        if len(fresh) == 0:
            return most
        working = np.union1d(working, fresh)
        program = LinearProgram.of(weights, len(wanted), rows.take(working), apart=profile)
        cost = np.zeros((len(program.weights), len(wanted)))
        cost[program.class_of[profile], wanted] = -1.0
        most = min(max(-program.least(cost.reshape(-1)).cost, 0.0), most)
        nearly = max(most - _NEARLY * float(weights.sum()), 0.0)


def _forbidding(
    weights: Ints, rows: ConstraintRows, profile: int, wanted: Flags, least: float, start: Floats
) -> Ints:
    """Return rows that forbid at least `least` records of the profile with a wanted value; none when they are allowed."""
    asked = ConstraintRows(
        offsets=np.array([0, 1]),
        members=np.array([profile], np.int32),
        values=wanted[None],
        low=np.array([least]),
        high=np.array([np.inf]),
    )
    try:
        reached = solve(weights, len(wanted), rows.joined(asked), start=start).violation <= _NEARLY
    except Contradiction as found:
        return found.rows[found.rows < len(rows)]
    return np.arange(0 if reached else len(rows))
