"""Choose what each record discloses: least risk for the need, and then as much as the tolerance allows."""

from dataclasses import dataclass
from math import fsum

import numpy as np

from giveaway.attacks.directory.disclosure.best import Best
from giveaway.attacks.directory.disclosure.budget import most
from giveaway.attacks.directory.protecting.alike_records import Lots, Masks
from giveaway.model.data.arrays import Ints
from giveaway.model.question.tolerance import Tolerance


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves:
    """For each row a line with the least loss for every number of values, and what is disclosed then."""

    losses: np.ndarray
    masks: Masks
    proved: np.ndarray
    line_of: Ints
    """The line of each row."""
    stuck: int
    """How many rows are over the limit of identity whatever they disclose of what is needed."""
    allowed: int
    """How many rows may be over it."""
    adds_up: bool
    """Whether the sum of the losses is part of the risk."""

    @property
    def certain(self) -> bool:
        """Whether what is proved of the lines is proved of the whole: nobody is allowed over the limit."""
        return self.allowed == 0

    @property
    def is_known(self) -> bool:
        """Whether the least sums of the losses bound the risk of every choice."""
        return bool(self.proved[self.line_of].all()) and self.certain and self.adds_up

    def of(self, rows: Ints) -> np.ndarray:
        """Return the losses of some rows."""
        losses: np.ndarray = self.losses[self.line_of[rows]]
        return losses


@dataclass(frozen=True, kw_only=True, eq=False)
class ChosenColumns:
    """What each row discloses."""

    masks: Masks
    proved: int
    """For how many rows no disclosure of as many values has a smaller loss, for certain."""
    most: int | None = None
    """No safe release discloses more values than this, where that is known."""
    least: float | None = None
    """No choice that serves the need within the limit of identity has a smaller risk than this, where that is known."""
    together: bool = False
    """Whether what is proved is proved of all rows together, not of each by itself."""


def exceptions(lots: Lots, tolerance: Tolerance) -> int:
    """Return how many rows may be over the limit of identity; none where nobody can be."""
    allowed = tolerance.share * len(lots.lot_of)
    return 0 if tolerance.smallest_crowd == 1 else allowed.numerator // allowed.denominator


def curves(
    lots: Lots, tolerance: Tolerance, floor: Ints, *, fill: bool, sizes: range | None = None
) -> Curves:
    """Find the best disclosures of each lot within the limit of identity; some rows may be allowed over it.

    Those are the rows that are over it in any case, then those that gain most: values that they may disclose more,
    or, where their number is fixed by `sizes`, loss that they save.
    """
    if fill and tolerance.average is None:
        best = _with_easy_ones(lots, tolerance)
    else:
        best = lots.best(tolerance.identity, sizes=sizes)
    losses, masks, proved = _from(best.losses, floor), best.masks, best.proved
    stuck = np.isnan(losses).all(axis=1)
    many = exceptions(lots, tolerance)
    line_of = lots.lot_of.copy()
    over = int(lots.count[stuck].sum())
    if many and over <= many:
        gain = _gain(lots, losses, None if sizes is None else floor)
        gain[stuck] = np.inf
        order = lots.order[np.argsort(-gain[lots.lot_of[lots.order]], kind="stable")]
        exempt = order[:many][gain[lots.lot_of[order[:many]]] > 0]
        chosen, again = np.unique(lots.lot_of[exempt], return_inverse=True)
        free = lots.best(None, chosen=chosen)
        line_of[exempt] = len(losses) + again.reshape(-1)
        losses = np.concatenate([losses, _from(free.losses, floor[chosen])])
        masks = np.concatenate([masks, free.masks])
        proved = np.concatenate([proved, free.proved])
    return Curves(
        losses=losses,
        masks=masks,
        proved=proved,
        line_of=line_of,
        stuck=over,
        allowed=many,
        adds_up=lots.adds_up,
    )


def exactly(curves: Curves, lots: Lots, floor: Ints) -> ChosenColumns:
    """Disclose as many values of each row as it must, with the least loss."""
    return disclosing(curves, floor[lots.lot_of], least=True)


def filled(curves: Curves, lots: Lots, budget: float | None) -> ChosenColumns | None:
    """Disclose as many values as a budget for the sum of losses allows, all where there is none; None if it does not."""
    rows = lots.order
    sizes = np.empty(len(rows), np.int64)
    if budget is None:
        largest = _largest(curves)
        sizes[rows] = largest[curves.line_of[rows]]
        return disclosing(curves, sizes, bound=_bound(curves))
    shares = most(curves.of(rows), budget)
    if shares is None:
        return None
    sizes[rows] = shares.sizes
    return disclosing(curves, sizes, bound=int(shares.bound) if curves.is_known else None)


def risk_of(curves: Curves, floor: Ints, lots: Lots) -> float:
    """Return the least risk with as many values of each row as it must disclose at least."""
    line = curves.losses[curves.line_of]
    places = np.arange(line.shape[1])
    line = np.where(places < floor[lots.lot_of][:, None], np.nan, line)
    return fsum(np.fmin.reduce(line, axis=1).tolist()) / max(len(line), 1)


def _with_easy_ones(lots: Lots, tolerance: Tolerance) -> Best:
    """Find the best disclosures where only a limit of identity holds: who may disclose everything need not be searched."""
    everything = lots.question.tally_of(tolerance, count=lots.count, classes=lots.classes, values=lots.values)
    easy = ~everything.over_groups_if_listed
    easy &= (lots.available & lots.prized) == 0
    shape = (len(easy), lots.width + 1)
    combined = Best(np.full(shape, np.nan), np.zeros(shape, np.uint64), np.ones(shape, np.bool_))
    size = np.bitwise_count(lots.available)
    combined.losses[easy, size[easy]] = 0.0
    combined.masks[easy, size[easy]] = lots.available[easy]
    hard = np.flatnonzero(~easy)
    best = lots.best(tolerance.identity, chosen=hard)
    combined.losses[hard], combined.masks[hard], combined.proved[hard] = best.losses, best.masks, best.proved
    return combined


def _from(losses: np.ndarray, floor: Ints) -> np.ndarray:
    """Leave out disclosures of fewer values than must be."""
    return np.where(np.arange(losses.shape[1]) < floor[:, None], np.nan, losses)


def _gain(lots: Lots, losses: np.ndarray, sizes: Ints | None) -> np.ndarray:
    """Return what each lot gains by being allowed over the limit: values, or loss where their number is fixed."""
    if sizes is None:
        top = np.where(np.isfinite(losses), np.arange(losses.shape[1]), -1).max(axis=1)
        roomy = np.bitwise_count(lots.available & (~lots.prized | lots.always))
        gain: np.ndarray = (roomy - top).astype(np.float64)
        return gain
    free = lots.best(None).losses
    here = np.arange(len(losses)), sizes
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(losses[here] - free[here], nan=0.0, posinf=np.inf)


def disclosing(
    curves: Curves, sizes: Ints, *, bound: int | None = None, least: bool = False
) -> ChosenColumns:
    """Return what rows disclose when each discloses the best so many values; with `least` no others lose less in all."""
    lines = curves.line_of
    proved = curves.proved[lines, sizes]
    losses = curves.losses[lines, sizes]
    known = least and curves.is_known and bool(np.isfinite(losses).all())
    return ChosenColumns(
        masks=curves.masks[lines, sizes],
        proved=int(proved.sum()),
        most=bound,
        least=fsum(losses.tolist()) / max(len(losses), 1) if known else None,
    )


def _largest(curves: Curves) -> Ints:
    """Return the largest number of values of each line, without infinite loss where that can be."""
    places = np.arange(curves.losses.shape[1])
    top = np.where(np.isfinite(curves.losses), places, -1).max(axis=1)
    lowest = np.argmin(np.isnan(curves.losses), axis=1)
    sizes: Ints = np.where(top >= 0, top, lowest)
    return sizes


def _bound(curves: Curves) -> int | None:
    """Return the most values that any choice within the limit of identity discloses, without infinite losses."""
    if not curves.certain:
        return None
    places = np.arange(curves.losses.shape[1])
    open_ = np.isfinite(curves.losses) | (np.isnan(curves.losses) & ~curves.proved)
    top = np.maximum(np.where(open_, places, -1).max(axis=1), _largest(curves))
    return int(top[curves.line_of].sum())
