"""What the rows prove about one profile."""

import numpy as np

from giveaway.maximum_entropy.constraints import ConstraintRows, Flags, Floats
from giveaway.maximum_entropy.linear_programs import LinearProgram
from giveaway.maximum_entropy.solve import Contradiction, solve
from giveaway.model.data.arrays import Ints

_SHARE = 1e-9


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
        nearly = max(most - _SHARE * float(weights.sum()), 0.0)


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
        reached = solve(weights, len(wanted), rows.joined(asked), start=start).violation <= _SHARE
    except Contradiction as found:
        return found.rows[found.rows < len(rows)]
    return np.arange(0 if reached else len(rows))
