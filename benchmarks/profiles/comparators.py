"""The same maximum-entropy problem in CVXPY with Clarabel."""

import time
from dataclasses import dataclass

import cvxpy as cp
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from giveaway.maximum_entropy.constraints import ConstraintRows, classes
from giveaway.model.data.arrays import Ints


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What the comparator took and found; `seconds` is its own account of solving, `wall` includes modelling."""

    seconds: float
    wall: float
    violation: float
    entropy: float
    chance: NDArray[np.float64]


def compressed(weights: Ints, rows: ConstraintRows) -> tuple[Ints, ConstraintRows, Ints]:
    """Merge the profiles that the same rows cover; return weights and rows of the classes, and who is in which."""
    class_of, first = classes(rows, np.arange(len(rows)), np.zeros(len(weights), np.uint64))
    merged = np.bincount(class_of, weights, len(first)).astype(np.int64)
    lists = [
        np.unique(class_of[rows.members[a:b]])
        for a, b in zip(rows.offsets[:-1], rows.offsets[1:], strict=True)
    ]
    used = {group: lists[group] for group in np.unique(rows.lists).tolist()}
    offsets = np.cumsum([0, *map(len, used.values())])
    smaller = ConstraintRows(
        offsets=offsets,
        members=np.concatenate(list(used.values())).astype(np.int32),
        values=rows.values,
        low=rows.low,
        high=rows.high,
        group=np.searchsorted(list(used), rows.lists),
    )
    return merged, smaller, class_of


def clarabel(weights: Ints, domain: int, rows: ConstraintRows) -> Compared:
    """Model and solve; the joint entropy has its maximum where the conditional one has it."""
    started = time.perf_counter()
    mass = weights / weights.sum()
    joint = cp.Variable(len(weights) * domain)
    matrix = _matrix(rows, len(weights), domain)
    equal = np.flatnonzero(rows.low == rows.high)
    lower = np.flatnonzero(np.isfinite(rows.low) & (rows.low < rows.high))
    upper = np.flatnonzero(np.isfinite(rows.high) & (rows.low < rows.high))
    records = float(weights.sum())
    limits = [cp.sum(cp.reshape(joint, (len(weights), domain), order="C"), axis=1) == mass]
    if len(equal):
        limits.append(matrix[equal] @ joint == rows.low[equal] / records)
    if len(lower):
        limits.append(matrix[lower] @ joint >= rows.low[lower] / records)
    if len(upper):
        limits.append(matrix[upper] @ joint <= rows.high[upper] / records)
    problem = cp.Problem(cp.Maximize(cp.sum(cp.entr(joint))), limits)
    problem.solve(solver=cp.CLARABEL)
    wall = time.perf_counter() - started
    found = np.asarray(joint.value).reshape(len(weights), domain)
    total = matrix @ found.reshape(-1)
    excess = np.maximum(rows.low / records - total, total - rows.high / records)
    uneven = np.abs(found.sum(axis=1) - mass).max()
    return Compared(
        seconds=float(problem.solver_stats.solve_time),
        wall=wall,
        violation=float(max(excess.max(), uneven, -found.min())),
        entropy=float(problem.value + (mass * np.log(mass)).sum()),
        chance=found / mass[:, None],
    )


def _matrix(rows: ConstraintRows, profiles: int, domain: int) -> csr_array:
    """Return the matrix that adds up what counts for each row."""
    places, columns = [], []
    for row, group in enumerate(rows.lists.tolist()):
        members = rows.members[rows.offsets[group] : rows.offsets[group + 1]].astype(np.int64)
        found = (members[:, None] * domain + np.flatnonzero(rows.values[row])).reshape(-1)
        places.append(np.full(len(found), row))
        columns.append(found)
    entries = (np.concatenate(places), np.concatenate(columns))
    return csr_array((np.ones(len(entries[0])), entries), (len(rows), profiles * domain))
