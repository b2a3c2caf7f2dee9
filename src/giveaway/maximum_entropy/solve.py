"""The distribution of maximum entropy that agrees with rows.

Lazy: the dual is minimised over equations and a few inequalities, those that are violated most join them, and so on
until none is violated. Profiles that the same sides cover are one class, so that each of these problems is small. They
are minimised by projected Newton steps.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import suited
from giveaway.maximum_entropy import kernels
from giveaway.maximum_entropy.constraints import ConstraintRows, Flags, Floats, classes
from giveaway.maximum_entropy.kernels import ProfilesLeft, tighten
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


SLACK = 1e-7
"""Part of a record by which a bound may miss a whole number because of rounding."""


class Contradiction(Exception):
    """No distribution agrees with all rows, not even with those of `rows` alone."""

    def __init__(self, rows: Ints) -> None:
        self.rows = rows
        super().__init__("no distribution agrees with all rows")


def possible(weights: Ints, domain: int, rows: ConstraintRows) -> ProfilesLeft:
    """Rule out values until nothing changes.

    A row that demands all the records that may count for it, or no more than those that must, decides for all of its
    profiles. Raises `Contradiction` when a row cannot hold.
    """
    if (rows.low > rows.high).any():
        raise Contradiction(np.flatnonzero(rows.low > rows.high)[:1])
    sets = rows.kinds[0]
    left = ProfilesLeft(
        alive=np.ones((len(weights), domain), np.bool_),
        some=np.repeat(sets.any(axis=1, keepdims=True), len(weights), axis=1),
        every=np.repeat(sets.all(axis=1, keepdims=True), len(weights), axis=1),
        forcing=np.zeros(len(rows), np.bool_),
        idle=np.zeros(len(rows), np.bool_),
    )
    bounds = (rows.low, rows.high)
    ruled_out = total = 1
    while ruled_out > 0:
        tell("ruling values out", total)
        look = suited(tighten, 2 * rows.cells)
        ruled_out = int(look(rows.in_kernels, sets, bounds, weights, left, SLACK))
        total += ruled_out
    if ruled_out < 0:
        raise Contradiction(np.union1d(np.flatnonzero(left.forcing), -ruled_out - 1))
    return left


_PART_OF_A_RECORD = 1e-8
_AT_BOUND = 1e-6
_FINEST = 1e-13
_JOINING = 30
_DROPPING_ROUNDS = 50
_ROUNDS = 1_000
_SEED = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """The distribution, and numbers that show how near to the maximum and how feasible it is.

    `chance[q, x]` is the chance of value `x` given profile `q`. `multipliers[i]` says how strongly row `i` pushes: above
    0 towards its values, below 0 away from them, 0 not at all; `forcing[i]` marks rows that make some chances exactly 0
    or 1, which no multiplier expresses. `active` counts the rows that force, or reach a bound that they could miss.
    `entropy` is that of `chance`, in nats, and `gap` its distance from the dual, a bound on the entropy of any
    distribution that agrees with the rows. `violation` is the largest of all rows, as a share of the records.
    """

    chance: Floats
    multipliers: Floats
    forcing: Flags
    active: int
    entropy: float
    gap: float
    violation: float
    rounds: int
    detail: str


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sides:
    """The bounds of rows, as shares of the records: an equation is one side, an interval two."""

    row: Ints
    sense: Ints
    bound: Floats


def solve(
    weights: Ints, domain: int, rows: ConstraintRows, *, start: Floats | None = None, tolerance: float = 1e-10
) -> Solution:
    """Find the distribution of `domain` values given each profile that has maximum entropy under the rows.

    `weights` are the records of each profile, none of them 0; `start` are multipliers of a similar problem, one for
    each row; `tolerance` is the violation allowed as a share of the records, which is undercut as far as rounding
    lets it. Raises `Contradiction` when no distribution agrees with the rows.
    """
    left = possible(weights, domain, rows)
    live = np.flatnonzero(~left.idle)
    task = _Task(weights, rows.take(live), left.alive)
    sides = task.sides
    multipliers = np.zeros(len(sides.row))
    if start is not None:
        before = start[live][sides.row]
        multipliers = np.where(sides.sense * before >= 0, before, 0.0)
    working = np.flatnonzero((sides.sense == 0) | (multipliers != 0))
    goal = min(tolerance, max(_PART_OF_A_RECORD / float(weights.sum()), _FINEST))
    rounds, steps, quick = 0, 0, True
    while True:
        tell("working out what a reader would believe", rounds)
        rounds += 1
        dual, class_of = task.dual(working)
        reached = minimise(dual, multipliers[working], goal, tolerance)
        steps, quick = steps + reached.steps, quick and reached.quick
        multipliers[:] = 0
        multipliers[working] = reached.point.multipliers
        if reached.point.impossible:
            pushing = live[sides.row[multipliers != 0]]
            raise Contradiction(np.union1d(pushing, np.flatnonzero(left.forcing)))
        chance = reached.point.chance[class_of]
        joining = task.violated(chance, working, 2 * goal)
        if len(joining) == 0 or rounds == _ROUNDS:
            break
        if rounds < _DROPPING_ROUNDS:
            working = working[(sides.sense[working] == 0) | (multipliers[working] != 0)]
        working = np.union1d(working, joining)
    pushes = np.zeros(len(rows))
    np.add.at(pushes, live[sides.row], multipliers)
    detail = _detail(rounds, steps, quick=quick)
    return _solution(weights, rows, left, chance, pushes, reached.point.value, rounds, detail)


class _Task:
    """The rows of one problem that are not idle, and what its rounds share."""

    def __init__(self, weights: Ints, rows: ConstraintRows, alive: Flags) -> None:
        self.sides = _sides(rows, float(weights.sum()))
        self._mass, self._rows, self._alive = weights / weights.sum(), rows, alive
        self._apart = _apart(alive)
        sets = rows.kinds[0]
        self._kind_offsets = np.concatenate([[0], np.cumsum(sets.sum(axis=1))])
        self._kind_values = np.nonzero(sets)[1].astype(np.int32)
        self._disjoint = sets.astype(np.int64) @ sets.T.astype(np.int64) == 0

    def dual(self, working: Ints) -> tuple[Dual, Ints]:
        """Make the problem of some sides, and the class of each profile in it."""
        rows, row = self._rows, self.sides.row[working]
        class_of, first = classes(rows, row, self._apart)
        lists = rows.lists[row]
        covering = suited(kernels.cover, 2 * int(np.diff(rows.offsets)[lists].sum()))
        cover_offsets, cover = covering(rows.offsets, rows.members, lists, class_of, first)
        mass = np.zeros(len(first))
        np.add.at(mass, class_of, self._mass)
        problem = kernels.Problem(
            mass=mass,
            alive=self._alive[first],
            cover_offsets=cover_offsets,
            cover=cover,
            kind=rows.kinds[1][row],
            kind_offsets=self._kind_offsets,
            kind_values=self._kind_values,
            disjoint=self._disjoint,
        )
        return Dual(
            problem=problem, bound=self.sides.bound[working], sense=self.sides.sense[working]
        ), class_of

    def violated(self, chance: Floats, working: Ints, tolerance: float) -> Ints:
        """Return the sides that are violated most, those at work left out."""
        sides = self.sides
        total = self._rows.totals(chance * self._mass[:, None])[sides.row]
        excess = np.where(sides.sense > 0, sides.bound - total, total - sides.bound)
        excess[working] = 0
        worst = np.argsort(-excess, kind="stable")[:_JOINING]
        return worst[excess[worst] > tolerance]


def _solution(
    weights: Ints,
    rows: ConstraintRows,
    left: ProfilesLeft,
    chance: Floats,
    pushes: Floats,
    dual: float,
    rounds: int,
    detail: str,
) -> Solution:
    """Judge the distribution by all rows, whether they were at work or not."""
    records = float(weights.sum())
    total = rows.totals(chance * weights[:, None])
    excess = np.maximum(rows.low - total, total - rows.high)
    at_bound = (excess >= -_AT_BOUND) & ~left.idle
    logs = np.log(chance, where=chance > 0, out=np.zeros_like(chance))
    entropy = 0.0 - float(weights @ (chance * logs).sum(axis=1)) / records
    return Solution(
        chance=chance,
        multipliers=pushes,
        forcing=left.forcing,
        active=int((at_bound | left.forcing).sum()),
        entropy=entropy,
        gap=abs(dual - entropy),
        violation=max(float(excess.max(initial=0.0)) / records, 0.0),
        rounds=rounds,
        detail=detail,
    )


def _sides(rows: ConstraintRows, records: float) -> _Sides:
    equal = rows.low == rows.high
    lower, upper = (np.isfinite(end) & ~equal for end in (rows.low, rows.high))
    row = np.concatenate([np.flatnonzero(marked) for marked in (equal, lower, upper)])
    sense = np.repeat([0, 1, -1], [equal.sum(), lower.sum(), upper.sum()])
    bound = np.where(sense < 0, rows.high[row], rows.low[row]) / records
    return _Sides(row=row, sense=sense, bound=bound)


def _apart(alive: Flags) -> NDArray[np.uint64]:
    """Return for each profile a number that is nearly always different for different possible values."""
    keys = np.random.default_rng(_SEED).integers(1, 1 << 63, alive.shape[1], np.uint64)
    apart: NDArray[np.uint64] = (alive * keys).sum(axis=1, dtype=np.uint64)
    return apart


def _detail(rounds: int, steps: int, *, quick: bool) -> str:
    how = "projected Newton steps" if quick else "projected Newton steps, then L-BFGS-B"
    return f"maximum entropy by {how} on the dual (rounds: {rounds}, steps: {steps})"
