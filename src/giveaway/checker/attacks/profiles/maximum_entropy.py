"""The distribution of maximum entropy under linear bounds, with the proof that it is the one.

Of the shares p(q, x) of people with profile q and value x, those of each profile add up to a known number, and rows
bound sums over some profiles and values. The dual is minimised by a general optimiser and finished by Newton's method;
what it leaves of violation and of the duality gap is the certificate. Zhu et al., section 5.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.grouping import Flags, Ints
from giveaway.checker.promise import disagree
from giveaway.model.progress import tell

Floats = NDArray[np.float64]

_ROUGHLY = (40, 400, 4000)
"""How many steps the general optimiser takes before Newton's, each time that these do not come to an end."""
_NEAR = 1e-10
_STEPS = 200
_DONE = 1e-14
_LEAST_DAMPING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundRows:
    """Rows that bound numbers of people: `low[k]` to `high[k]` of the `members[k]` have one of the `values[k]`."""

    members: Any
    """Which profiles a row is about: a sparse matrix of rows by profiles."""
    values: Flags
    low: list[Fraction]
    high: list[Fraction]

    def __len__(self) -> int:
        return len(self.low)


@dataclass(frozen=True, kw_only=True, eq=False)
class Certified:
    """The chance of each value given each profile, and how far it may be from the true optimum."""

    chance: Floats
    violation: float
    gap: float
    error: float
    """How much a chance may still change."""
    multipliers: Floats


def solve(weights: Ints, bounds: BoundRows, start: Floats | None = None) -> Certified:
    """Find the distribution; `weights` are the numbers of people of each profile, `start` are multipliers of rows."""
    possible = _possible(weights, bounds)
    first, group, size = _classes(weights, bounds, possible)
    dual = _dual(bounds, weights, first, size, possible)
    pushes = np.zeros(len(bounds)) if start is None else start
    multipliers = dual.signed(pushes[dual.rows])
    for steps in _ROUGHLY:
        multipliers = dual.finished(dual.begun(multipliers, steps))
        if dual.left(multipliers) < _NEAR:
            break
    chance, sums = dual.at(multipliers)
    nearer, _ = dual.at(multipliers + dual.step(multipliers, _LEAST_DAMPING))
    return Certified(
        chance=chance[group],
        violation=float(np.where(dual.sign == 0, abs(sums), -dual.sign * sums).max(initial=0.0)),
        gap=float(abs(multipliers @ sums)),
        error=2 * float(np.abs(nearer - chance).max(initial=0.0)),
        multipliers=dual.pushes(multipliers),
    )


def _possible(weights: Ints, bounds: BoundRows) -> Flags:
    """Tell which values a profile may have at all: rows that leave no choice rule others out.

    Otherwise the optimum would lie at infinite multipliers.
    """
    possible = np.ones((len(weights), bounds.values.shape[1]), np.bool_)
    rows = [bounds.members.indices[a:b] for a, b in _slices(bounds.members.indptr)]
    changed = True
    while changed:
        changed = False
        for row, members in enumerate(rows):
            values = bounds.values[row]
            may = possible[members][:, values].any(axis=1)
            must = ~possible[members][:, ~values].any(axis=1)
            most, least = int(weights[members[may]].sum()), int(weights[members[must]].sum())
            if bounds.low[row] > most or bounds.high[row] < least:
                raise disagree("What is published contradicts itself.")
            if bounds.low[row] == most and (may & ~must).any():
                possible[np.ix_(members[may], ~values)] = False
                changed = True
            elif bounds.high[row] == least and (may & ~must).any():
                possible[np.ix_(members[~must], values)] = False
                changed = True
    return possible


def _slices(offsets: Ints) -> list[tuple[int, int]]:
    return list(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True))


def _classes(weights: Ints, bounds: BoundRows, possible: Flags) -> tuple[Ints, Ints, Ints]:
    """Put profiles together that the same rows are about: one of each class, each profile's class, their sizes."""
    draw = np.random.default_rng(0)
    rows = draw.integers(0, 1 << 62, len(bounds), np.int64)
    cells = draw.integers(0, 1 << 62, possible.shape[1], np.int64)
    key = bounds.members.T.astype(np.int64) @ rows + possible.astype(np.int64) @ cells  # wraps around
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    size = np.zeros(len(first), np.int64)
    np.add.at(size, group, weights)
    return first, group, size


def _dual(bounds: BoundRows, weights: Ints, first: Ints, size: Ints, possible: Flags) -> "_Dual":
    """Put the dual together, with one multiplier for each bound that says something."""
    people = int(weights.sum())
    rows: list[int] = []
    sign: list[int] = []
    bound: list[float] = []
    for row, (low, high) in enumerate(zip(bounds.low, bounds.high, strict=True)):
        most = int(weights[bounds.members.indices[slice(*bounds.members.indptr[row : row + 2])]].sum())
        for one, side, says in ((low, 1, low > 0), (high, -1, high < most and low < high)):
            if says:
                rows.append(row)
                sign.append(0 if low == high else side)
                bound.append(float(one / people))
    return _Dual(
        members=bounds.members[:, first],
        values=bounds.values,
        possible=possible[first],
        size=size / people,
        rows=np.array(rows, np.int64),
        sign=np.array(sign, np.int64),
        bound=np.array(bound, np.float64),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Dual:
    """The dual: a multiplier for each bound of a row, not negative for a lower one, not positive for an upper one."""

    members: Any
    values: Flags
    possible: Flags
    size: Floats
    rows: Ints
    sign: Ints
    """1 for a lower bound, -1 for an upper one, 0 where both are the same."""
    bound: Floats

    def pushes(self, multipliers: Floats) -> Floats:
        """Add up the multipliers of each row."""
        added = np.zeros(len(self.values))
        np.add.at(added, self.rows, multipliers)
        return added

    def _chances(self, multipliers: Floats) -> tuple[Floats, Floats]:
        """Return the chances that multipliers stand for, and the logarithm of their sum before scaling."""
        pushes = self.pushes(multipliers)
        exponent = np.where(self.possible, self.members.T @ (pushes[:, None] * self.values), -np.inf)
        top = exponent.max(axis=1, keepdims=True)
        raised = np.exp(exponent - top)
        total = raised.sum(axis=1, keepdims=True)
        return raised / total, (np.log(total) + top)[:, 0]

    def _slope(self, chance: Floats) -> Floats:
        """Return how far above their bounds the sums are: the gradient of the dual."""
        sums = ((self.members @ (chance * self.size[:, None])) * self.values).sum(axis=1)
        slope: Floats = sums[self.rows] - self.bound
        return slope

    def at(self, multipliers: Floats) -> tuple[Floats, Floats]:
        """Return the chances that multipliers stand for, and how far the sums are above their bounds."""
        chance, _ = self._chances(multipliers)
        return chance, self._slope(chance)

    def value(self, multipliers: Floats) -> tuple[float, Floats]:
        """Return the dual function and its gradient."""
        tell("checking the written files", 0)
        chance, logarithm = self._chances(multipliers)
        return float(self.size @ logarithm - multipliers @ self.bound), self._slope(chance)

    def begun(self, start: Floats, steps: int) -> Floats:
        """Come near the optimum with a general optimiser."""
        from scipy.optimize import minimize

        if not len(start):
            return start
        ends = [(None if sign < 1 else 0, None if sign > -1 else 0) for sign in self.sign.tolist()]
        options = {"maxiter": steps, "maxfun": 2 * steps, "ftol": 1e-15, "gtol": 1e-10}
        optimum = minimize(self.value, start, jac=True, method="L-BFGS-B", bounds=ends, options=options)
        return np.asarray(optimum.x, np.float64)

    def finished(self, multipliers: Floats) -> Floats:
        """Take Newton's steps until nothing is left to gain."""
        damping = _LEAST_DAMPING
        left = self.left(multipliers)
        for _ in range(_STEPS):
            if left < _DONE or damping > 1:
                break
            better = self._better(multipliers, self.step(multipliers, damping), left)
            if better is None:
                damping *= 100
            else:
                multipliers, left = better
                damping = max(damping / 10, _LEAST_DAMPING)
        return multipliers

    def _better(self, multipliers: Floats, step: Floats, left: float) -> tuple[Floats, float] | None:
        """Return the end of a step, or of a part of it, that comes nearer to the optimum."""
        value, slope = self.value(multipliers)
        for length in (1, 0.5, 0.25, 0.1, 0.01):
            tried = self.signed(multipliers + length * step)
            now = self.left(tried)
            gained = value - self.value(tried)[0] > -0.01 * float(slope @ (tried - multipliers)) > _DONE
            if gained or now < 0.9 * left:
                return tried, now
        return None

    def step(self, multipliers: Floats, damping: float) -> Floats:
        """Return Newton's step for the multipliers that are free to move."""
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        _, slope = self.value(multipliers)
        free = np.flatnonzero((self.sign == 0) | (multipliers != 0) | (self.sign * slope < -_DONE))
        step = np.zeros(len(multipliers))
        if len(free):
            curved = self._curvature(multipliers, self.rows[free])
            steep = max(float(curved.diagonal().max()), _DONE)
            for more in (damping, 1e-10, 1e-6, 1e-2):
                try:
                    factor = cho_factor(curved + np.diag(np.full(len(free), more * steep)))
                except LinAlgError:
                    continue
                step[free] = -cho_solve(factor, slope[free])
                break
        return step

    def _curvature(self, multipliers: Floats, rows: Ints) -> Floats:
        """Return the second derivatives for some rows."""
        from scipy import sparse

        chance, _ = self._chances(multipliers)
        members, values = self.members[rows], self.values[rows].astype(np.float64)
        whole = np.zeros((len(rows), len(rows)))
        for value in range(values.shape[1]):
            having = sparse.diags_array(values[:, value]) @ members
            whole += (having @ sparse.diags_array(chance[:, value] * self.size) @ having.T).toarray()
        row, profile = members.nonzero()
        chances = (values[row] * chance[profile]).sum(axis=1)
        by_row = sparse.csr_array((chances, (row, profile)), shape=members.shape)
        curved: Floats = whole - (by_row @ sparse.diags_array(self.size) @ by_row.T).toarray()
        return curved

    def signed(self, multipliers: Floats) -> Floats:
        """Return multipliers of the right sign."""
        return np.where(self.sign * multipliers < 0, 0.0, multipliers)

    def left(self, multipliers: Floats) -> float:
        """Return how far the conditions of the optimum are from being met."""
        _, slope = self.value(multipliers)
        wrong = np.where((self.sign == 0) | (multipliers != 0), abs(slope), -self.sign * slope)
        return float(wrong.max(initial=0.0))
