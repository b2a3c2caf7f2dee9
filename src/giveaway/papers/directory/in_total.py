"""How many values each record discloses when they add up to a given total (the paper's rule Delta1)."""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum, inf, isfinite

import numpy as np

from giveaway.attacks.directory.disclosure.budget import (
    WORK,
    MovedSizes,
    ValueNumbers,
    hull_of,
    losses_at,
    settled,
)
from giveaway.attacks.directory.disclosure.problem import Floats
from giveaway.attacks.directory.protecting.alike_records import Lots
from giveaway.attacks.directory.protecting.choose import ChosenColumns, Curves, disclosing, filled
from giveaway.errors import BudgetExceeded, Help, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints


def by_total(curves_of: Sequence[tuple[Lots, Curves]], values: int) -> list[ChosenColumns]:
    """Disclose this many values in all, with the least sum of losses (Delta1), by each of several curves."""
    rules = [rule for lots, curves in curves_of if (rule := _in_total(curves, lots, values)) is not None]
    if not rules:
        lots, curves = curves_of[0]
        most = filled(curves, lots, None)
        assert most is not None  # noqa: S101 # without a budget there is always a choice
        reached = min(int(np.bitwise_count(most.masks).sum()), values - 1)
        proved = most.most is not None and most.most < values
        raise NoSafeRelease(
            f"Within the limit of identity {reached:,} values can be disclosed, and {values:,} are needed."
            if proved
            else f"No way was found to disclose more than {reached:,} values within the limit of identity, and {values:,} are needed.",
            helps=(Help(f"Ask for needs.columns.total={reached}.", {"needs.columns.total": reached}),),
            proved=proved,
        )
    return rules


def _in_total(curves: Curves, lots: Lots, values: int) -> ChosenColumns | None:
    """Disclose this many values by one of the curves; None if the limit does not allow it."""
    rows = lots.order
    shares = total(curves.of(rows), values)
    if shares is None:
        return None
    sizes = np.empty(len(rows), np.int64)
    sizes[rows] = shares.sizes
    known = curves.is_known and isfinite(shares.bound)
    return replace(disclosing(curves, sizes), least=shares.bound / len(rows) if known else None)


def total(curves: Floats, k: int, *, work: int = WORK) -> ValueNumbers | None:
    """Return the sizes that add up to `k` with the least sum of losses (Delta1); None when no sizes do.

    A record gets an infinite loss only when there is no other way; sum and bound are then infinite.
    """
    shares = _total(np.where(np.isfinite(curves), curves, np.nan), k, work)
    if shares is not None or not np.isinf(curves).any():
        return shares
    finite = np.where(np.isfinite(curves), curves, 0.0)
    huge = 1.0 + float(finite.max(axis=1, initial=0.0).sum())
    shares = _total(np.where(np.isinf(curves), huge, curves), k, work)
    return None if shares is None else ValueNumbers(shares.sizes, inf, inf, proved=True)


def _total(points: Floats, k: int, work: int) -> ValueNumbers | None:
    if np.isnan(points).all(axis=1).any():
        return None
    hull = hull_of(points)
    over = np.cumsum(hull.length)
    needed = k - int(hull.first.sum())
    if needed < 0 or needed > (over[-1] if len(over) else 0):
        return None
    taken = int(np.searchsorted(over, needed, side="right"))
    rule = hull.rule(taken)
    rest = k - int(rule.sum())
    loss = fsum(losses_at(points, rule))
    if rest == 0:
        return ValueNumbers(rule, loss, loss, proved=True)
    steep = float(hull.slope[taken])
    bound = loss + rest * steep

    def pick(moved: MovedSizes) -> Ints | None:
        return moved.sizes(rest) if moved.costs[moved.band + rest] < inf else None

    def slack(sizes: Ints | None, least: float) -> float:
        return inf if sizes is None else fsum(losses_at(points, sizes)) - steep * k - least

    sizes, complete = settled(points, rule, steep, pick, slack, work)
    if sizes is None:
        if complete:
            return None
        raise BudgetExceeded(
            f"No way to share {k:,} values among {len(points):,} {nouns().records} was found within {work:,} steps.",
            hint=f"ask for another total, or allow each {nouns().record} any number of values.",
        )
    loss = fsum(losses_at(points, sizes))
    return ValueNumbers(sizes, loss, loss if complete else min(bound, loss), proved=complete)
