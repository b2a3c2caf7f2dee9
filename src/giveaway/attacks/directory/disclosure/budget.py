"""How many values each record discloses, so that as many are disclosed in all as a budget of loss allows.

Each record is given by its curve: the least loss for each number of values (nan: not allowed). Going along the lower
convex hulls of the curves, the flattest pieces first, gives a bound that no rule can beat, and a rule that reaches it
except for the last piece, which does not fit. A dynamic program over what is moved from that rule settles the rest. It is
exact when all moves are open to it; moves that cost more than a rule already found is above the bound are closed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import Floats
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

WORK = 300_000_000
"""The most steps of a dynamic program, and the most bytes that it remembers."""
_NEAR = 64
"""How far sums of moves may stray from the rule when not all can be looked at."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class ValueNumbers:
    """A number of values for each record."""

    sizes: Ints
    loss: float
    """The sum of the losses."""
    bound: float
    """What no rule can beat: for a budget the most values, for a total the least loss."""
    proved: bool
    """No rule is better."""


def most(curves: Floats, budget: float, *, work: int = WORK) -> ValueNumbers | None:
    """Return the sizes that add up to the most with a sum of losses within `budget`; None when even the least is above.

    The sum of the losses is rounded once.
    """
    points = _without_detours(np.where(np.isfinite(curves), curves, np.nan))
    if np.isnan(points).all(axis=1).any():
        return None
    hull = hull_of(points)
    loss = fsum(losses_at(points, hull.first))
    if loss > budget:
        return None
    rises = np.cumsum(hull.slope * hull.length)
    taken = int(np.searchsorted(loss + rises, budget, side="right"))
    while fsum(losses_at(points, rule := hull.rule(taken))) > budget:
        taken -= 1
    if taken == len(hull.slope):
        return ValueNumbers(rule, fsum(losses_at(points, rule)), float(rule.sum()), proved=True)
    steep = float(hull.slope[taken])
    bound = int(rule.sum()) + floor((budget - fsum(losses_at(points, rule))) / steep + _ROUNDING)
    if rule.sum() == bound:
        return ValueNumbers(rule, fsum(losses_at(points, rule)), float(bound), proved=True)

    def pick(moved: MovedSizes) -> Ints | None:
        for sum_of_moves in np.flatnonzero(moved.costs <= budget + _ROUNDING * budget)[::-1] - moved.band:
            if fsum(losses_at(points, sizes := moved.sizes(int(sum_of_moves)))) <= budget:
                return sizes
        return None

    def slack(sizes: Ints | None, least: float) -> float:
        values = rule.sum() if sizes is None else sizes.sum()
        return budget - steep * (int(values) + 1) - least

    improved, complete = settled(points, rule, steep, pick, slack, work)
    sizes = rule if improved is None else improved
    values = int(sizes.sum())
    complete |= values == bound
    return ValueNumbers(
        sizes, fsum(losses_at(points, sizes)), float(values if complete else bound), proved=complete
    )


class Hull(NamedTuple):
    """Where the curves begin, and the pieces of their lower hulls, the flattest first."""

    first: Ints
    record: Ints
    end: Ints
    length: Ints
    slope: Floats

    def rule(self, taken: int) -> Ints:
        """Return the sizes once this many pieces are taken."""
        sizes = self.first.copy()
        np.maximum.at(sizes, self.record[:taken], self.end[:taken])
        return sizes


def hull_of(points: Floats) -> Hull:
    """Return the lower convex hulls of all curves."""
    from giveaway.attacks.directory.disclosure import budget_kernels as kernels

    first = np.argmin(np.isnan(points), axis=1)
    pieces = kernels.segments(points)
    order = np.lexsort((pieces.start, pieces.record, pieces.slope))
    length = pieces.end - pieces.start
    return Hull(first, pieces.record[order], pieces.end[order], length[order], pieces.slope[order])


def _without_detours(points: Floats) -> Floats:
    """Leave out the sizes below the largest one that has the least loss."""
    places = np.arange(points.shape[1])
    with np.errstate(invalid="ignore"):
        least = np.fmin.reduce(points, axis=1, keepdims=True)
        start = np.where(points == least, places, -1).max(axis=1, keepdims=True)
    return np.where(places < start, np.nan, points)


def losses_at(points: Floats, sizes: Ints) -> list[float]:
    """Return the loss of each record at its size."""
    losses: list[float] = points[np.arange(len(points)), sizes].tolist()
    return losses


class MovedSizes(NamedTuple):
    """The least sum of losses for each sum of moves from a rule between -band and band."""

    costs: Floats
    band: int
    rule: Ints
    records: Ints
    begins: Ints
    moves: Ints
    choices: NDArray[np.uint8]

    def sizes(self, sum_of_moves: int) -> Ints:
        """Return the sizes that lead to a sum of moves."""
        sizes = self.rule.copy()
        at = self.band + sum_of_moves
        for place in range(len(self.records) - 1, -1, -1):
            move = self.moves[self.begins[place] + self.choices[place, at]]
            sizes[self.records[place]] += move
            at -= move
        return sizes


def _moved(points: Floats, rule: Ints, open_: NDArray[np.bool_], work: int) -> tuple[MovedSizes, bool]:
    """Look at all sums of open moves, or at small ones if that is too much work; say whether it was all."""
    from giveaway.attacks.directory.disclosure import budget_kernels as kernels

    open_[np.arange(len(rule)), rule] = True
    several = open_.sum(axis=1) > 1
    place, size = np.nonzero(open_[several])
    moves = size - rule[several][place]
    begins = np.searchsorted(place, np.arange(several.sum() + 1))
    band = _NEAR
    if len(moves):
        up, down = np.maximum.reduceat(moves, begins[:-1]), np.minimum.reduceat(moves, begins[:-1])
        band = max(band, int(up.sum()), int(-down.sum()))
    complete = (2 * band + 1) * len(moves) <= work
    if not complete:
        band = _NEAR
    tell(f"sharing values among {nouns().records}", 0, None)
    choices = np.zeros((int(several.sum()), 2 * band + 1), np.uint8)
    options = kernels.TotalOptions(begins, moves, points[several][place, size])
    costs = kernels.shift(options, band, choices)
    costs += fsum(points[~several, rule[~several]].tolist())
    return MovedSizes(costs, band, rule, np.flatnonzero(several), begins, moves, choices), complete


def settled(
    points: Floats,
    rule: Ints,
    steep: float,
    pick: Callable[[MovedSizes], Ints | None],
    slack: Callable[[Ints | None, float], float],
    work: int,
) -> tuple[Ints | None, bool]:
    """Return the best sizes that `pick` finds, and whether all were looked at.

    `slack` says how much a rule that is better than the sizes found may lose above the least sum of the losses less
    `steep` times the values.
    """
    moved, complete = _moved(points, rule, ~np.isnan(points), work)
    picked = pick(moved)
    if complete:
        return picked, True
    tilted = points - steep * np.arange(points.shape[1])
    lows = np.fmin.reduce(tilted, axis=1)
    above = slack(picked, fsum(lows.tolist()))
    open_ = tilted - lows[:, None] <= above + _ROUNDING * abs(above)
    moved, complete = _moved(points, rule, open_, work)
    both = [sizes for sizes in (pick(moved), picked) if sizes is not None]
    return max(both, key=np.sum, default=None), complete
