"""Disclose a coarser label where a value is withheld, as fine as the tolerance allows (the paper's future work)."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.losses import chance_of, hurt_of
from giveaway.attacks.directory.protecting.alike_records import Lots, Masks, spread
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.levels import Levels


@dataclass(kw_only=True, eq=False)
class _RowsState:
    """What each kind of row discloses, while labels are added."""

    values: Codes
    levels: NDArray[np.int8]
    classes: Ints
    count: Ints
    loss: np.ndarray
    over: NDArray[np.bool_]
    """The kinds that are over the limit of identity, as is tolerated."""
    left: float
    """What may still be lost, in all."""


def coarsen(
    question: DirectoryQuestion, lots: Lots, masks: Masks, tolerance: Tolerance, budget: float | None
) -> Levels:
    """Add to what rows disclose, column by column, the finest labels that are within tolerance, the cheapest first."""
    columns = [
        place for place, name in enumerate(question.attributes) if name in question.release.hierarchies
    ]
    if not columns:
        return Levels()
    kind_of, row = alike([question.groups.group_of, np.unique(masks, return_inverse=True)[1].reshape(-1)])
    group = question.groups.group_of[row]
    shown = spread(masks[row], lots.width)
    state = _RowsState(
        values=np.where(shown, question.groups.values[group], HIDDEN).astype(np.int32),
        levels=np.zeros(shown.shape, np.int8),
        classes=question.groups.classes[group],
        count=np.bincount(kind_of),
        loss=np.zeros(len(row)),
        over=np.zeros(len(row), np.bool_),
        left=np.inf,
    )
    _, state.loss, state.over = _judged(question, tolerance, state, np.arange(len(row)))
    if budget is not None:
        state.left = budget - float(state.loss @ state.count)
    levels = {}
    for done, column in enumerate(columns):
        tell("looking for coarser labels", done, len(columns))
        hierarchy = question.release.hierarchies[question.attributes[column]]
        for level in range(1, hierarchy.depth + 1):
            _add(question, tolerance, state, column, hierarchy, level, group)
        rows = np.flatnonzero(state.levels[kind_of, column] > 0)
        levels[question.attributes[column]] = (rows, state.levels[kind_of[rows], column].astype(np.int64))
    return Levels.at(levels)


def _add(
    question: DirectoryQuestion,
    tolerance: Tolerance,
    state: _RowsState,
    column: int,
    hierarchy: Hierarchy,
    level: int,
    group: Ints,
) -> None:
    """Disclose one level of one column where nothing finer is and the tolerance holds."""
    codes = _at_level(question, column, hierarchy, level)[group]
    places = np.flatnonzero((state.values[:, column] == HIDDEN) & (codes != HIDDEN))
    if not len(places):
        return
    before = state.values[places, column], state.levels[places, column]
    state.values[places, column], state.levels[places, column] = codes[places], level
    fits, loss, _ = _judged(question, tolerance, state, places)
    finite = np.isfinite(loss)
    more = np.zeros(len(places))
    more[finite] = (loss[finite] - state.loss[places[finite]]) * state.count[places[finite]]
    fits = (fits | state.over[places]) & finite
    order = np.lexsort((np.arange(len(places)), more))
    order = order[fits[order]]
    order = order[: int(np.searchsorted(np.cumsum(more[order]), state.left, "right"))]
    taken = np.zeros(len(places), np.bool_)
    taken[order] = True
    state.left -= float(more[taken].sum())
    state.loss[places[taken]] = loss[taken]
    back = places[~taken]
    state.values[back, column], state.levels[back, column] = before[0][~taken], before[1][~taken]


def _judged(
    question: DirectoryQuestion, tolerance: Tolerance, state: _RowsState, places: Ints
) -> tuple[NDArray[np.bool_], np.ndarray, NDArray[np.bool_]]:
    """Tell which kinds are within the limit of identity, their losses as if listed, and which are over it."""
    crowds = question.lookup.crowds(state.values[places], state.levels[places])
    kinds, first = alike(list(crowds.T))
    prior = question.attacker.prior
    chances = [chance_of(line, prior, listed=True) for line in crowds[first].tolist()]
    limit = Fraction(1) if tolerance.identity is None else tolerance.identity
    fits = np.array([chance <= limit for chance in chances], np.bool_)[kinds]
    phis = question.weighing.phis(state.classes[places], state.values[places] != HIDDEN)
    lost = [hurt_of(line, prior, phis.wrong, listed=True) for line in crowds[first].tolist()]
    return fits, phis.floats * np.array([float(part) for part in lost])[kinds], ~fits


def _at_level(question: DirectoryQuestion, column: int, hierarchy: Hierarchy, level: int) -> Codes:
    """Return the label of a level that each group may disclose in a column, -1 where that is too fine or unknown."""
    groups, labels = question.groups, question.original.labels[question.attributes[column]]
    values, levels = groups.values[:, column], groups.levels[:, column]
    wanted = hierarchy.codes(labels, level)
    codes = np.full(len(values), HIDDEN, np.int32)
    for now in np.unique(levels[values != HIDDEN]).tolist():
        if now > level:
            continue
        own = np.arange(len(labels)) if now == 0 else hierarchy.codes(labels, now)
        becomes = np.full(int(own.max(initial=-1)) + 1, HIDDEN, np.int32)
        becomes[own] = wanted
        here = (levels == now) & (values != HIDDEN)
        codes[here] = becomes[values[here]]
    return codes
