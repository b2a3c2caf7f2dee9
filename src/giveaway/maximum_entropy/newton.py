"""The dual of a maximum-entropy problem on a few sides, minimised by projected Newton steps."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from giveaway.compiling import suited
from giveaway.maximum_entropy import kernels
from giveaway.maximum_entropy.constraints import Flags, Floats
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import memory, tell

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

_STEPS = 300
_GENTLEST, _HARDEST = 1e-12, 1e8
_ENOUGH = 1e-4
_ROUNDING = 1e-14
_SHORTER, _LONGEST = 6, 64
_DOUBT = 1e-11
_FLAT = 1e-15
_SMALL = 64
"""Matrices up to this size are solved in less time than it takes to load what is quicker for larger ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Point:
    """Multipliers with the value of the dual there, its slope and the chances of each class."""

    multipliers: Floats
    value: float
    slope: Floats
    chance: Floats
    impossible: bool
    """Whether no distribution agrees with the rows that push: the value bounds its entropy, and is below 0."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Dual:
    """Minimise over multipliers: at least 0 where `sense` is 1, at most 0 where it is -1, free where it is 0."""

    problem: kernels.Problem
    bound: Floats
    sense: Ints

    def at(self, multipliers: Floats) -> Point:
        """Evaluate."""
        chance = np.empty(self.problem.alive.shape)
        amount = np.empty(len(multipliers))
        evaluate = suited(kernels.evaluate, 2 * len(self.problem.cover) + 2 * chance.size)
        mean = evaluate(self.problem, multipliers, chance, amount)
        value = float(mean - multipliers @ self.bound)
        doubt = _DOUBT * (1 + float(np.abs(multipliers) @ np.abs(self.bound)))
        return Point(
            multipliers=multipliers,
            value=value,
            slope=amount - self.bound,
            chance=chance,
            impossible=value < -doubt,
        )

    @cached_property
    def pairs(self) -> int:
        """How often two sides cover the same class, counted both ways."""
        return int((np.diff(self.problem.cover_offsets) ** 2).sum())

    def error(self, point: Point) -> float:
        """Return the largest violation of a side, or of the rule that sides with room do not push."""
        return float(np.abs(point.slope[~self.stuck(point)]).max(initial=0.0))

    def stuck(self, point: Point) -> Flags:
        """Tell which multipliers are 0 and would go beyond it."""
        stuck: Flags = (point.multipliers == 0) & (self.sense * point.slope > 0)
        return stuck

    def projected(self, multipliers: Floats) -> Floats:
        """Return the nearest multipliers of the right sense."""
        wrong = self.sense * multipliers < 0
        return np.where(wrong, 0.0, multipliers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Minimum:
    """The minimum, the number of Newton steps, and whether they alone led there."""

    point: Point
    steps: int
    quick: bool


def minimise(dual: Dual, start: Floats, goal: float, tolerance: float) -> Minimum:
    """Minimise by Newton steps, and by L-BFGS-B where they stall.

    They go on until the error is within `goal`, or within `tolerance` when rounding lets them go no further.
    Newton steps damped as by Levenberg and Marquardt, because sides that depend on each other make the second
    derivatives singular, and projected: multipliers of the wrong sense are 0. They stop where the value is impossible.
    """
    # A start from a different problem can be worse than none.
    point = min(dual.at(dual.projected(start)), dual.at(np.zeros(len(start))), key=lambda at: at.value)
    damping = 1e-10
    steps = 0
    error = dual.error(point)
    while error > goal and not point.impossible and steps < _STEPS and 16 * len(start) ** 2 < memory():
        tell("working out what a reader would believe", steps)
        following, damping = _step(dual, point, error, damping)
        if following is None:
            break
        point, error = following, dual.error(following)
        steps += 1
    if error <= tolerance or point.impossible:
        return Minimum(point=point, steps=steps, quick=True)
    return Minimum(point=_slowly(dual, point, tolerance), steps=steps, quick=False)


def _step(dual: Dual, point: Point, error: float, damping: float) -> tuple[Point | None, float]:
    """Return the next point and the damping for the step after it; no point when no step leads down."""
    moving = np.flatnonzero(~dual.stuck(point))
    place_of = np.full(len(point.slope), -1, np.int64)
    place_of[moving] = np.arange(len(moving))
    hessian = np.empty((len(moving), len(moving)))
    suited(kernels.curvature, dual.pairs)(dual.problem, point.chance, place_of, hessian)
    while damping < _HARDEST:
        direction = np.zeros(len(point.slope))
        step = _direction(
            hessian, point.slope[moving], point.multipliers[moving], dual.sense[moving], damping
        )
        if step is not None:
            direction[moving] = step
            following = _along(dual, point, direction, error)
            if following is not None:
                return following, max(damping / 10, _GENTLEST)
        damping *= 100
    return None, damping


def _direction(
    hessian: Floats, slope: Floats, multipliers: Floats, sense: Ints, damping: float
) -> Floats | None:
    """Return a damped Newton step; multipliers that it would lead beyond 0 go to 0, and the others allow for it."""
    direction = np.zeros(len(slope))
    free = np.arange(len(slope))
    while len(free):
        ended = np.setdiff1d(np.arange(len(slope)), free)
        direction[ended] = -multipliers[ended]
        part = hessian[np.ix_(free, free)]
        np.fill_diagonal(part, part.diagonal() * (1 + damping) + _FLAT)
        wanted = _solved(part, -slope[free] - _symmetric(hessian, free, ended) @ direction[ended])
        if wanted is None:
            return None
        direction[free] = wanted
        beyond = sense[free] * (multipliers[free] + wanted) < 0
        if not beyond.any():
            break
        free = free[~beyond]
    else:
        direction = -multipliers
    return direction


def _solved(matrix: Floats, wanted: Floats) -> Floats | None:
    """Solve equations with a matrix of which the lower half is filled; None when it is not positive definite."""
    try:
        if len(matrix) > _SMALL:
            from scipy.linalg import cho_factor, cho_solve

            factor = cho_factor(matrix, lower=True, check_finite=False)
            solution: Floats = cho_solve(factor, wanted, check_finite=False)
            return solution
        np.linalg.cholesky(matrix)  # reads the lower half
    except np.linalg.LinAlgError:
        return None
    lower = np.tril(matrix)
    return np.linalg.solve(lower + np.tril(lower, -1).T, wanted).astype(np.float64, copy=False)


def _symmetric(lower: Floats, rows: Ints, columns: Ints) -> Floats:
    """Return a part of a symmetric matrix of which only the lower half is filled."""
    whole: Floats = np.where(
        rows[:, None] >= columns, lower[np.ix_(rows, columns)], lower[np.ix_(columns, rows)].T
    )
    return whole


def _along(dual: Dual, point: Point, direction: Floats, error: float) -> Point | None:
    """Go along a direction as far as it leads down enough."""
    length = 1.0
    for _ in range(_SHORTER):
        following = dual.at(dual.projected(point.multipliers + length * direction))
        promised = float(point.slope @ (point.multipliers - following.multipliers))
        down = point.value - following.value
        better = dual.error(following) < 0.9 * error
        if down >= max(_ENOUGH * promised, _ROUNDING) or (down >= -_ROUNDING and better):
            return _further(dual, point, direction, following) if length == 1 and better else following
        length /= 3
    return None


def _further(dual: Dual, point: Point, direction: Floats, reached: Point) -> Point:
    """Go on twice as far while that leads down.

    A chance that must be 0 has its multipliers at infinity; Newton steps alone approach it by a factor e each.
    """
    length = 2.0
    while length <= _LONGEST:
        following = dual.at(dual.projected(point.multipliers + length * direction))
        if following.value > reached.value + _ROUNDING or dual.error(following) > 0.5 * dual.error(reached):
            break
        reached = following
        length *= 2
    return reached


def _slowly(dual: Dual, point: Point, tolerance: float) -> Point:
    """Go on with L-BFGS-B where Newton steps stall."""
    from scipy.optimize import minimize

    ends = {1: (0, None), -1: (None, 0), 0: (None, None)}

    def value_and_slope(multipliers: Floats) -> tuple[float, Floats]:
        there = dual.at(multipliers)
        return there.value, there.slope

    def watch(intermediate_result: "OptimizeResult") -> None:
        tell("working out what a reader would believe", 0)
        if dual.at(intermediate_result.x).impossible:
            raise StopIteration

    reached = minimize(
        value_and_slope,
        point.multipliers,
        jac=True,
        callback=watch,
        method="L-BFGS-B",
        bounds=[ends[int(sense)] for sense in dual.sense],
        options={"maxiter": 10_000, "maxfun": 20_000, "maxcor": 30, "ftol": 0.0, "gtol": tolerance},
    )
    following = dual.at(dual.projected(reached.x))
    return following if following.impossible else min(point, following, key=dual.error)
