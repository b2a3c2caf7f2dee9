"""Minimal moles and free sets: which public itemsets single somebody out or give a private item away."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import DONE, PAUSED, Search, suited
from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import Ranked, below
from giveaway.model.answer.nouns import nouns
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import memory, tell
from giveaway.moles import kernels

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
    cells = arrays.positions(held + 1, tails)
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
    private = ranked.private[arrays.positions(ranked.private_starts[rows], sizes)]
    counts = arrays.added(private, np.repeat(ranked.weights[rows], sizes), len(ranked.private_codes))
    return int(counts.max()) * limit.denominator > limit.numerator * int(ranked.weights[rows].sum())


BUDGET = 15_000_000_000
"""Cells that a search may visit unless told otherwise: some minutes of one core."""

_HINT = "ask about a smaller at_most or a larger crowd, or withhold rare items first."
_BLOCK = 5_000_000
"""Steps of the kernel between two reports of progress: well below half a second."""
_LISTING = "listing combinations"
_BYTES_A_SET = 100
"""What a set takes in the end, in the search and in what is made of it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Moles:
    """The minimal moles of at most `size` items, and the free sets: those that hold no mole.

    `smallest` tells for each row the size of its smallest mole, 0 when it holds none. `everything` is set when the
    empty set is a mole: then every public itemset that occurs is one, and no set is free.
    """

    ranked: Ranked
    size: int
    free: kernels.FreeSets
    harmful: kernels.FreeSets
    smallest: Codes
    everything: bool
    work: int

    @cached_property
    def minimal(self) -> tuple[Ints, Codes]:
        """The minimal moles as rows of ascending item codes."""
        return self.decoded(self.harmful.parent, self.harmful.item)

    def decoded(self, parent: Codes, item: Codes) -> tuple[Ints, Codes]:
        """Spell out sets, each given by a free set and one more item, as rows of ascending item codes."""
        tell(_LISTING, 0)
        offsets, ranks = self.spelled(parent, item)
        tell(_LISTING, len(offsets))
        row = np.repeat(np.arange(len(parent), dtype=np.int64), np.diff(offsets))
        span = int(self.ranked.codes.max(initial=0)) + 1
        keys = row * span + self.ranked.codes[ranks]
        tell(_LISTING, len(keys))
        keys.sort()
        tell(_LISTING, len(keys))
        return offsets, (keys - row * span).astype(np.int32)

    def spelled(self, parent: Codes, item: Codes) -> tuple[Ints, Codes]:
        """Do the same with ranks, in descending order."""
        columns = [item]
        while len(parent) and (parent >= 0).any():
            columns.append(np.where(parent >= 0, self.free.item[parent], -1).astype(np.int32))
            parent = np.where(parent >= 0, self.free.parent[parent], -1).astype(np.int32)
        wide = np.stack(columns, axis=1)
        offsets = np.zeros(len(item) + 1, np.int64)
        np.cumsum((wide >= 0).sum(axis=1), out=offsets[1:])
        return offsets, wide[wide >= 0]

    def first_codes(self, parent: Codes, item: Codes) -> Codes:
        """Return the smallest item code of each set, given by a free set and one more item."""
        first = self.ranked.codes[item]
        while len(parent) and (parent >= 0).any():
            other = np.where(parent >= 0, self.ranked.codes[self.free.item[parent]], first)
            first = np.minimum(first, other)
            parent = np.where(parent >= 0, self.free.parent[parent], -1)
        return first

    def exposed(self, at_most: int) -> int:
        """Count the transactions that hold a mole of at most `at_most` items."""
        if self.everything:
            return int(self.ranked.weights.sum())
        holds = (self.smallest > 0) & (self.smallest <= at_most)
        return int(self.ranked.weights[holds].sum())


def empty_is_mole(ranked: Ranked, crowd: int, limit: Fraction) -> bool:
    """Say whether the empty set is a mole: too few transactions, or a private item above the limit in all of them."""
    total = int(ranked.weights.sum())
    most = int(ranked.private_supports.max(initial=0))
    return 0 < total < crowd or most * limit.denominator > limit.numerator * total


def mine(
    ranked: Ranked, at_most: int, crowd: int, limit: Fraction, *, budget: int = BUDGET, seed: int = 0
) -> Moles:
    """Find the minimal moles of at most `at_most` items and the free sets.

    An itemset is a mole when fewer than `crowd` transactions hold it or when it, or a part of it, predicts a private
    item with a probability above `limit`. The work is estimated first, which takes the seed: BudgetExceeded is raised
    when it is surely above `budget` cells, later when it proves to be, and when the sets would not fit in memory.

    Xu et al., Definition 1, on itemsets that occur.
    """
    everything = empty_is_mole(ranked, crowd, limit)
    total = int(ranked.weights.sum())
    size = 1 if everything else min(at_most, max(ranked.longest, 1))
    crowd = total + 1 if everything else min(crowd, total + 1)
    refuse_blow_up(ranked, size, crowd, limit, budget=budget, seed=seed)
    task = _task(ranked, kernels.SearchLimits(size, crowd, *below(limit, max(total, 1))))
    state = np.zeros(5, np.int64)
    tell("judging single items", 0, None)
    suited(kernels.judge_singles, len(ranked.cells) + len(ranked.private))(task, state)
    search = Search(kernels.search, state, kernels.WORK, block=_BLOCK, least=len(ranked.cells))
    status = PAUSED
    while status != DONE:
        if status == kernels.FREE_FULL:
            _check_room(2 * len(task.free.item) + len(task.harmful.item), task)
            groups = kernels.ExtendingSets(*(_longer(part) for part in task.groups))
            task = task._replace(free=_doubled(task.free), groups=groups)
        elif status == kernels.HARMFUL_FULL:
            _check_room(len(task.free.item) + 2 * len(task.harmful.item), task)
            task = task._replace(harmful=_doubled(task.harmful))
        tell("searching combinations that give something away", search.work)
        if search.work > budget:
            raise BudgetExceeded(
                f"The combinations of up to {at_most} {nouns().items} are too many: {search.work:,} steps did not suffice.",
                hint=_HINT,
            )
        status = search.go_on(task, state)
    return Moles(
        ranked=ranked,
        size=at_most,
        free=_trimmed(task.free, int(state[kernels.FREE])),
        harmful=_trimmed(task.harmful, int(state[kernels.HARMFUL])),
        smallest=task.smallest,
        everything=everything,
        work=search.work,
    )


def data_of(ranked: Ranked) -> kernels.Data:
    """Bring ranked transactions into the form of the kernels."""
    begins, places = ranked.holders
    return kernels.Data(
        ranked.cells,
        ranked.starts,
        ranked.row_of,
        ranked.weights,
        begins,
        places,
        ranked.private_starts,
        ranked.private,
    )


def _task(ranked: Ranked, limits: kernels.SearchLimits) -> kernels.MolesTask:
    """Make room for a search; free sets and moles get more when it is needed."""
    items, cells, secrets, size = (
        ranked.items,
        len(ranked.cells),
        len(ranked.private_codes),
        int(limits.size),
    )
    return kernels.MolesTask(
        data=data_of(ranked),
        limits=limits,
        free=_sets(2 * items),
        groups=kernels.ExtendingSets(np.zeros(2 * items, np.int32), np.zeros(2 * items, np.int32)),
        harmful=_sets(2 * items),
        smallest=np.zeros(len(ranked.weights), np.int32),
        single_of=np.empty(items, np.int32),
        is_free=np.zeros(items, np.int64),
        frames=np.full((size + 1, 2), -1, np.int64),
        parts=np.zeros((size + 1, size + 1), np.int64),
        places=np.empty((size, cells), np.int32),
        firsts=np.empty((size, items), np.int64),
        lasts=np.empty((size, items), np.int64),
        mark=np.zeros(items, np.int64),
        tally=tally_of(items),
        secrets=secrets_of(secrets),
    )


def tally_of(items: int) -> kernels.CellTally:
    """Make room to sort cells by item."""
    return kernels.CellTally(
        support=np.zeros(items, np.int64),
        many=np.zeros(items, np.int64),
        cursor=np.zeros(items, np.int64),
        seen=np.empty(items, np.int32),
    )


def secrets_of(secrets: int) -> kernels.SecretCounts:
    """Make room to count private items."""
    return kernels.SecretCounts(counted=np.zeros(secrets, np.int64), seen=np.empty(secrets, np.int32))


def _sets(room: int) -> kernels.FreeSets:
    small, large = np.empty(room, np.int32), np.empty(room, np.int64)
    return kernels.FreeSets(small, small.copy(), large, large.copy(), small.copy())


def _doubled(sets: Iterable[NDArray[Any]]) -> kernels.FreeSets:
    return kernels.FreeSets(*map(_longer, sets))


def _trimmed(sets: Iterable[NDArray[Any]], many: int) -> kernels.FreeSets:
    return kernels.FreeSets(*(part[:many] for part in sets))


def _longer(part: NDArray[Any]) -> NDArray[Any]:
    longer = np.zeros(2 * len(part), part.dtype)
    longer[: len(part)] = part
    return longer


def _check_room(sets: int, task: kernels.MolesTask) -> None:
    if sets * _BYTES_A_SET + task.places.nbytes > memory() or sets >= 1 << 31:
        raise BudgetExceeded(
            f"{sets // 2:,} combinations do not fit in the memory allowed.",
            hint=f"allow more with --memory, or {_HINT}",
        )
