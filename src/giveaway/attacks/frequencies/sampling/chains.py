"""Random mappings, all equally likely, and what they say about the number of cracks.

Samplers yield blocks of mappings, one mapping a row: the renamed item of each item, so that an item is cracked where
the row holds its own number. All randomness comes from a seed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giveaway.attacks.frequencies.crack_graph.mappings import NO_MAPPING, Violation, groups_of_a_mapping
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats, Windows
from giveaway.attacks.frequencies.exact_chances.items import BUDGET
from giveaway.attacks.frequencies.exact_chances.messages import Messages
from giveaway.attacks.frequencies.exact_chances.plan import best_plan, part_of
from giveaway.errors import DataError
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

if TYPE_CHECKING:
    from giveaway.attacks.frequencies.sampling.kernels import Chain, Pools, Steps

Blocks = Iterator[Ints]

BURN_IN = 200
"""Sweeps before the first mapping of a chain is drawn."""

_CELLS = 1 << 22
_BATCHES = 32
_STUDENT = 2.0395
"""The 97.5 % point of Student's distribution for one degree of freedom less than there are batches."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """What mappings say: the mean number of cracks within `low` and `high` (95 %), and how often each item was cracked.

    `cracks` is the number of cracks in each mapping and `effective` how many independent mappings they are worth.
    """

    mean: float
    low: float
    high: float
    effective: float
    frequencies: Floats
    cracks: Ints

    @property
    def margin(self) -> float:
        """Half of the width of the interval."""
        return self.high - self.mean


def summary(drawn: Iterable[Ints], keep: Callable[[Ints], Flags] | None = None) -> Sample | None:
    """Summarise mappings, or those that `keep` marks; None when there are fewer than the interval needs."""
    cracks: list[Ints] = []
    times: Ints | int = 0
    for block in drawn:
        kept = block if keep is None else block[keep(block)]
        right = kept == np.arange(block.shape[1])
        cracks.append(right.sum(axis=1))
        times = times + right.sum(axis=0)
    counted = np.concatenate(cracks) if cracks else np.zeros(0, np.int64)
    if len(counted) < 2 * _BATCHES:
        return None
    mean = float(counted.mean())
    batches = np.array([batch.mean() for batch in np.array_split(counted, _BATCHES)])
    error = float(batches.std(ddof=1)) / _BATCHES**0.5
    spread = float(counted.std(ddof=1))
    return Sample(
        mean=mean,
        low=mean - _STUDENT * error,
        high=mean + _STUDENT * error,
        effective=min((spread / error) ** 2, len(counted)) if error else float(len(counted)),
        frequencies=np.asarray(times / len(counted)),
        cracks=counted,
    )


def local_chain(windows: Windows, *, draws: int, seed: int, burn_in: int = BURN_IN) -> Blocks:
    """Draw mappings by swaps within windows, one sweep apart; a mapping must exist."""
    from giveaway.attacks.frequencies.sampling import kernels

    random = np.random.default_rng(seed)
    chain = started(windows)
    for skipped, block in blocks(windows.items, draws, burn_in):
        kernels.local(random, chain, skipped, block)
        yield block


def paper_chain(
    windows: Windows,
    *,
    draws: int,
    seed: int,
    burn_in: int = 100_000,
    spacing: int = 10_000,
    restart: int = 250,
) -> Blocks:
    """Draw mappings as the paper does, by swaps along random permutations, beginning anew after `restart` mappings.

    Every item must be believed rightly. Lakshmanan et al., Section 6.1.
    """
    from giveaway.attacks.frequencies.sampling import kernels

    random = np.random.default_rng(seed)
    partner = np.empty(windows.items, np.int64)
    for done in range(0, draws, restart):
        chain = started(windows)
        for skipped, block in blocks(windows.items, min(restart, draws - done), burn_in, sweeps=spacing):
            kernels.by_permutations(random, chain, skipped, spacing, partner, block)
            yield block


def independent(windows: Windows, *, draws: int, seed: int, budget: int = BUDGET) -> Blocks | None:
    """Draw independent mappings with the dynamic program; None when that takes more than `budget` transitions."""
    made = []
    by_class = np.argsort(windows.classes.of, kind="stable")
    upto = np.concatenate([[0], np.cumsum(windows.classes.many)])
    names = names_of_places(windows)
    for number, piece in enumerate(windows.pieces):
        tell("counting mappings", number, len(windows.pieces))
        plan = best_plan(part_of(windows, piece), budget)
        if plan is None:
            return None
        budget -= plan.work
        items = by_class[upto[piece.head] : upto[piece.tail]]
        inner = windows.classes.of[items] - piece.head
        places = windows.before[piece.begin : piece.end]
        made.append(_Drawer(Messages(plan), items, inner, places, names))
    return _drawn(windows, made, draws, np.random.default_rng(seed))


def _drawn(windows: Windows, made: list["_Drawer"], draws: int, random: np.random.Generator) -> Blocks:
    for _, block in blocks(windows.items, draws, 0):
        for drawer in made:
            drawer.draw(random, block)
        yield block


class _Drawer:
    """Draws the part of a mapping that is in one component: its items, their classes there, and its places."""

    def __init__(self, messages: Messages, items: Ints, inner: Ints, places: Ints, names: Ints) -> None:
        from giveaway.attacks.frequencies.sampling import kernels

        self._kernels = kernels
        self._factorial = messages.factorial
        part = messages.plan.part
        groups = len(part.sizes)
        order = np.argsort(part.first[inner], kind="stable")
        self._items = items[order]
        self._opens = np.searchsorted(part.first[inner[order]], np.arange(groups + 1))
        self._last = part.last[inner[order]]
        self._places = places[::-1].copy() if part.backwards else places
        self._names = names
        ending = np.bincount(self._last, minlength=groups)
        self._pools: Pools = kernels.Pools(
            np.concatenate([[0], np.cumsum(ending)]),
            np.empty(len(items), np.int64),
            np.zeros(groups, np.int64),
            np.empty(int(part.sizes.max()), np.int64),
        )
        self._steps = _in_one_piece(messages)

    def draw(self, random: np.random.Generator, block: Ints) -> None:
        """Fill the columns of this component."""
        self._kernels.independent(
            random,
            self._steps,
            self._factorial,
            self._opens,
            self._items,
            self._last,
            self._places,
            self._names,
            self._pools,
            block,
        )


def _in_one_piece(messages: Messages) -> "Steps":
    from giveaway.attacks.frequencies.sampling import kernels

    steps = messages.steps
    inverse = [np.argsort(step.origin).astype(np.int32) for step in steps]
    return kernels.Steps(
        at=np.array(messages.plan.at, np.int64),
        last=np.array([step.last for step in steps], np.int64),
        states_from=_starts([len(step.open) for step in steps]),
        open=_together([step.open for step in steps], np.int32),
        sorted_at=_together(inverse, np.int32),
        runs_from=_starts([len(step.low) for step in steps]),
        begin=_together([step.begin[:-1] for step in steps], np.int64),
        low=_together([step.low for step in steps], np.int64),
        high=_together([step.high for step in steps], np.int64),
        target=_together([step.target for step in steps], np.int64),
        ahead_from=_starts([len(message) for message in messages.ahead]),
        ahead=np.concatenate(messages.ahead),
    )


def started(windows: Windows) -> "Chain":
    """Begin a chain with the true mapping if it is possible, otherwise with any."""
    from giveaway.attacks.frequencies.sampling.kernels import Chain

    group = groups_of_a_mapping(windows)
    if isinstance(group, Violation):
        raise DataError(NO_MAPPING)
    holder = np.argsort(group, kind="stable")
    place = np.empty_like(holder)
    place[holder] = np.arange(len(holder))
    return Chain(
        windows.before[windows.first],
        windows.before[windows.last + 1],
        names_of_places(windows),
        place,
        holder,
    )


def names_of_places(windows: Windows) -> Ints:
    """Return which renamed item stands in each place, sorted by group."""
    return np.argsort(windows.own, kind="stable")


def blocks(items: int, draws: int, burn_in: int, *, sweeps: int = 1) -> Iterator[tuple[int, Ints]]:
    """Cut the sweeps to skip, then the mappings to draw, into parts that are soon done; tell how far they have come."""
    few = max(1, _CELLS // max(items, 1))
    for done in range(0, burn_in, few):
        tell("drawing mappings", 0, draws)
        yield min(few, burn_in - done), np.empty((0, items), np.int64)
    rows = max(1, few // sweeps)
    for done in range(0, draws, rows):
        tell("drawing mappings", done, draws)
        yield 0, np.empty((min(rows, draws - done), items), np.int64)


def _starts(lengths: list[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _together(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate(arrays).astype(kind) if arrays else np.zeros(0, kind)
