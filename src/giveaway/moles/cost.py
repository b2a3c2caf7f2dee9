"""What a search for moles will cost, before it is begun."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import Ranked
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

Floats = NDArray[np.float64]

PROBES = 400
_CELLS = 200_000_000
"""Cells that all probes together may look at."""

_LEAST_PROBES = 40
_DOUBT = 2
"""How many standard errors an estimate must lie above the budget to be believed."""

_FAR = 20
"""How many times the budget is beyond doubt: an unbiased estimate is 20 times too high once in 20 times at most."""


@dataclass(frozen=True, kw_only=True)
class CostEstimate:
    """The cells that the search visits at each size of the sets it extends, with their standard errors."""

    work: tuple[float, ...]
    error: tuple[float, ...]

    def surely_above(self, budget: int, size: int) -> bool:
        """Say whether a search for sets of up to `size` items surely exceeds a budget."""
        least = np.cumsum(self.work[:size]) - _DOUBT * np.cumsum(self.error[:size])
        return bool(sum(self.work[:size]) > _FAR * budget or (least > budget).any())


def most_work(ranked: Ranked, size: int) -> float:
    """Return what a search can cost at most: each row once for every part of it that is extended."""
    lengths, rows = np.unique(np.diff(ranked.starts), return_counts=True)
    chosen = np.ones(len(lengths))
    total = np.zeros(len(lengths))
    for known in range(size):
        total += chosen * np.maximum(lengths - known, 0)
        chosen = chosen * np.maximum(lengths - known, 0) / (known + 1)
    return float((total * rows).sum())


def refuse_blow_up(ranked: Ranked, size: int, crowd: int, limit: Fraction, *, budget: int, seed: int) -> None:
    """Raise BudgetExceeded when a search for moles of up to `size` items would surely exceed its budget.

    Nothing is probed when the bound of `most_work` is within the budget already.
    """
    if most_work(ranked, size) <= budget:
        return
    estimate = probe(ranked, size, crowd, limit, seed=seed)
    if not estimate.surely_above(budget, size):
        return
    within = [known for known in range(1, size) if not estimate.surely_above(budget, known)]
    ask = f"at_most = {within[-1]}" if within else "a smaller at_most"
    raise BudgetExceeded(
        f"The combinations of up to {size} {nouns().items} are too many: about {sum(estimate.work):.1e} steps, "
        f"and {budget:.0e} are allowed.",
        hint=f"ask about {ask} or a larger crowd, or withhold rare {nouns().items} first.",
    )


def probe(ranked: Ranked, size: int, crowd: int, limit: Fraction, *, seed: int) -> CostEstimate:
    """Estimate the work of a search from random descents into its tree, heavier branches more often.

    Each descent weighs what it meets by the inverse of its chance (Knuth 1975), so that the mean is not biased.
    Combinations with a mole among their parts are met too, so the estimate is high rather than low.
    """
    draw = np.random.default_rng(seed)
    met = np.zeros((PROBES, size))
    looked = 0
    for done in range(PROBES):
        tell("estimating the work", done, PROBES)
        met[done], cells = _descend(ranked, size, crowd, limit, draw)
        looked += cells
        if looked > _CELLS and done >= _LEAST_PROBES:
            met = met[: done + 1]
            break
    error = met.std(axis=0) / np.sqrt(len(met))
    return CostEstimate(work=tuple(met.mean(axis=0).tolist()), error=tuple(error.tolist()))


def _descend(
    ranked: Ranked, size: int, crowd: int, limit: Fraction, draw: np.random.Generator
) -> tuple[Floats, int]:
    """Go down one random branch; return the weighted work at each size, and the cells looked at."""
    met = np.zeros(size)
    met[0] = len(ranked.cells)
    begins, places = ranked.holders
    cells, starts = _large(ranked, places.astype(np.int64), begins, crowd)
    weight, looked = 1.0, 0
    for known in range(1, size):
        if not len(cells):
            break
        chance = np.diff(starts) / len(cells)
        picked = int(draw.choice(len(chance), p=chance))
        weight /= float(chance[picked])
        held = cells[starts[picked] : starts[picked + 1]]
        if _gives_away(ranked, held, limit):
            break
        tails = ranked.starts[ranked.row_of[held] + 1] - held - 1
        looked += int(tails.sum())
        met[known] = weight * float(tails.sum())
        cells, starts = _behind(ranked, held, tails, crowd)
    return met, looked


def _behind(ranked: Ranked, held: Ints, tails: Ints, crowd: int) -> tuple[Ints, Ints]:
    """Return the cells behind some cells by the item they hold, and where those of each item begin."""
    ends = np.cumsum(tails)
    cells = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(held + 1 - (ends - tails), tails)
    cells = cells[np.argsort(ranked.cells[cells], kind="stable")]
    items = ranked.cells[cells]
    starts = np.flatnonzero(np.append(items[1:] != items[:-1], True)) + 1 if len(items) else items
    return _large(ranked, cells, np.append(0, starts).astype(np.int64), crowd)


def _large(ranked: Ranked, cells: Ints, starts: Ints, crowd: int) -> tuple[Ints, Ints]:
    """Keep the items that enough transactions hold."""
    support = np.append(0, np.cumsum(ranked.weights[ranked.row_of[cells]]))[starts]
    enough = np.diff(support) >= crowd
    sizes = np.diff(starts)
    return cells[np.repeat(enough, sizes)], np.append(0, np.cumsum(sizes[enough])).astype(np.int64)


def _gives_away(ranked: Ranked, held: Ints, limit: Fraction) -> bool:
    """Say whether the rows of some cells hold a private item more often than the limit allows."""
    rows = ranked.row_of[held]
    sizes = ranked.private_starts[rows + 1] - ranked.private_starts[rows]
    if not int(sizes.sum()):
        return False
    ends = np.cumsum(sizes)
    private = ranked.private[
        np.arange(int(ends[-1])) + np.repeat(ranked.private_starts[rows] - (ends - sizes), sizes)
    ]
    counts = np.zeros(len(ranked.private_codes), np.int64)
    np.add.at(counts, private, np.repeat(ranked.weights[rows], sizes))
    return int(counts.max()) * limit.denominator > limit.numerator * int(ranked.weights[rows].sum())
