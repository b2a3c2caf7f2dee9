"""Random mappings where none can be counted, and what they say about the number of cracks.

Samplers yield blocks of mappings, one mapping a row: the renamed item of each item, so that an item is cracked where
the row holds its own number. All randomness comes from a seed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.mappings import NO_MAPPING, Violation, groups_of_a_mapping
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats, Windows
from giveaway.attacks.frequencies.exact_chances.general import Shortage, columns_of_a_mapping
from giveaway.errors import BudgetExceeded, DataError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import memory, tell

if TYPE_CHECKING:
    from giveaway.attacks.frequencies.sampling.kernels import Chain, NumberLists

Blocks = Iterator[Ints]

BURN_IN = 200
SOFT_BURN_IN = 2_000
"""Sweeps before the first mapping of a chain is drawn; more for soft beliefs."""

_CELLS = 1 << 22
"""The cells of a block, at most: it is soon done."""

_BATCHES = 32
_STUDENT = 2.0395
"""The 97.5 % point of Student's distribution for one degree of freedom less than there are batches."""

_PRICE = 0.05
"""How likely a mapping becomes by a pair that it puts together although it is known to be apart."""

_TRIES = 20
"""How many times as many mappings as asked for are drawn before a chain gives up."""

_BYTES_A_PAIR = 24
"""What an item and a kind of renamed items take while they are counted."""

_LONGEST_LOOP = 50
"""The longest loop that is followed, in numbers of all items."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MappingSample:
    """What mappings say: the mean number of cracks within `low` and `high` (95 %), and how often each item was cracked.

    `cracks` is the number of cracks in each mapping and `effective` how many independent mappings they are worth.
    """

    mean: float
    low: float
    high: float
    effective: float
    frequencies: Floats
    cracks: Floats

    @property
    def margin(self) -> float:
        """Half of the width of the interval."""
        return self.high - self.mean


@dataclass(frozen=True, kw_only=True, eq=False)
class KindGuess:
    """A kind of renamed items that look the same for each item, of which any may be its own.

    `kind_of` is the kind of each renamed item, `kind` the one that is guessed for each item and `part` one in its number.
    """

    kind_of: Ints
    kind: Ints
    part: Floats


def guessed_summary(
    draw: Callable[[], Blocks], kind_of: Ints, keep: Callable[[Ints], Flags] | None = None
) -> MappingSample | None:
    """Draw mappings twice: find the likeliest renamed item of each item, and summarise how often it is the one mapped to.

    Both times they are the same mappings, so that chances are rather too large.
    """
    items, kinds = len(kind_of), int(kind_of.max(initial=0)) + 1
    if items * kinds * _BYTES_A_PAIR > memory():
        raise BudgetExceeded(
            f"The codes that {items:,} {nouns().items} may have are too many to count in random mappings.",
            hint="allow more with --memory, or set knows_method = false.",
        )
    hits = np.zeros(items * kinds, np.int64)
    for block in _kept(draw(), keep):
        hits += np.bincount((np.arange(items) * kinds + kind_of[block]).ravel(), minlength=items * kinds)
    sizes = np.bincount(kind_of, minlength=kinds)
    kind = np.argmax(hits.reshape(items, kinds) / sizes, axis=1)
    return summary(draw(), keep, KindGuess(kind_of=kind_of, kind=kind, part=1 / sizes[kind]))


def _kept(drawn: Iterable[Ints], keep: Callable[[Ints], Flags] | None) -> Iterator[Ints]:
    return (block if keep is None else block[keep(block)] for block in drawn)


def summary(
    drawn: Iterable[Ints], keep: Callable[[Ints], Flags] | None = None, guess: KindGuess | None = None
) -> MappingSample | None:
    """Summarise mappings, or those that `keep` marks; None when there are fewer than the interval needs.

    What counts as a crack is that an item is mapped to itself, or to what is guessed.
    """
    cracks: list[Floats] = []
    times: Floats | int = 0
    for block in _kept(drawn, keep):
        right = (
            (block == np.arange(block.shape[1])).astype(np.float64)
            if guess is None
            else (guess.kind_of[block] == guess.kind) * guess.part
        )
        cracks.append(right.sum(axis=1))
        times = times + right.sum(axis=0)
    counted = np.concatenate(cracks) if cracks else np.zeros(0)
    if len(counted) < 2 * _BATCHES:
        return None
    mean = float(counted.mean())
    batches = np.array([batch.mean() for batch in np.array_split(counted, _BATCHES)])
    error = float(batches.std(ddof=1)) / _BATCHES**0.5
    spread = float(counted.std(ddof=1))
    return MappingSample(
        mean=mean,
        low=mean - _STUDENT * error,
        high=mean + _STUDENT * error,
        effective=min((spread / error) ** 2, len(counted)) if error else float(len(counted)),
        frequencies=np.asarray(times / len(counted)),
        cracks=counted,
    )


def soft_chain(
    windows: Windows, *, outside: float, draws: int, seed: int, burn_in: int = SOFT_BURN_IN
) -> Blocks:
    """Draw mappings of a soft belief, one sweep apart: each item outside its window makes them `outside` times as likely.

    Mappings exist whatever is believed; the chain begins with the true one. `outside` must be far below one in the
    number of items to mean a belief at all.
    """
    from giveaway.attacks.frequencies.sampling.kernels import Chain, soft

    random = np.random.default_rng(seed)
    names = names_of_places(windows)
    place = np.empty_like(names)
    place[names] = np.arange(windows.items)
    empty = windows.last < windows.first
    begin, end = windows.before[windows.first], windows.before[windows.last + 1]
    chain = Chain(begin, np.where(empty, begin, end), names, place, names.copy())
    for skipped, block in blocks(windows.items, draws, burn_in):
        soft(random, chain, outside, skipped, block)
        yield block


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsApart:
    """Pairs of items that are known never to occur together, and the pairs of renamed items that do.

    A mapping is ruled out when it maps a pair of the first kind to one of the second. Both are rows of two numbers.
    """

    items: int
    never: Ints
    together: Ints

    def respected(self, drawn: Ints) -> Flags:
        """Tell which mappings put no such pair together."""
        from giveaway.attacks.frequencies.sampling.kernels import broken_pairs

        return broken_pairs(self.never[:, 0], self.never[:, 1], self.occurring, drawn) == 0

    @cached_property
    def occurring(self) -> "NumberLists":
        """The renamed items that each renamed item occurs together with."""
        return _neighbours(self.items, self.together)


def apart_chain(
    windows: Windows, apart: PairsApart, *, draws: int, seed: int, burn_in: int = BURN_IN
) -> Blocks:
    """Draw mappings that put no pair together which is known to be apart; a mapping must exist.

    The chain may pass through mappings that do, at a price, so that it is not caught; these are not yielded. It gives
    up when few are left, so that fewer mappings than asked for may come.
    """
    from giveaway.attacks.frequencies.sampling.kernels import apart as swap_apart

    random = np.random.default_rng(seed)
    chain = started(windows)
    partners = _neighbours(windows.items, apart.never)
    wanted = draws
    for skipped, block in blocks(windows.items, _TRIES * draws, burn_in):
        swap_apart(random, chain, partners, apart.occurring, _PRICE, skipped, block)
        kept = block[apart.respected(block)][:wanted]
        wanted -= len(kept)
        yield kept
        if wanted == 0:
            return


def loop_chain(graph: CrackGraph, *, draws: int, seed: int, burn_in: int = BURN_IN) -> Blocks:
    """Draw mappings by random alternating cycles, which reach every mapping of any graph; one must exist."""
    from giveaway.attacks.frequencies.sampling.kernels import Loops, loops

    column = columns_of_a_mapping(graph)
    if isinstance(column, Shortage):
        raise DataError(NO_MAPPING)
    names, holder = np.argsort(graph.column_of, kind="stable"), np.argsort(column, kind="stable")
    place = np.empty_like(holder)
    place[holder] = np.arange(graph.items)
    upto = np.cumsum(graph.many_columns[graph.column])
    before_row = np.concatenate([[0], upto])[graph.begin[graph.row]]
    start = (np.cumsum(graph.many_columns) - graph.many_columns)[graph.column]
    path = np.empty(_LONGEST_LOOP * graph.items, np.int64)
    random = np.random.default_rng(seed)
    chain = Loops(graph.row_of, graph.begin, upto - before_row, start, names, place, holder, path)
    moved = loops(random, chain, 1, graph.items, np.empty((0, graph.items), np.int64))
    spacing = -(-(graph.items**2) // moved)
    for skipped, block in blocks(graph.items, draws, burn_in):
        loops(random, chain, spacing, skipped, block)
        yield block


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


def blocks(items: int, draws: int, burn_in: int) -> Iterator[tuple[int, Ints]]:
    """Cut the sweeps to skip, then the mappings to draw, into parts that are soon done; tell how far they have come."""
    few = max(1, _CELLS // max(items, 1))
    for done in range(0, burn_in, few):
        tell("drawing mappings", 0, draws)
        yield min(few, burn_in - done), np.empty((0, items), np.int64)
    for done in range(0, draws, few):
        tell("drawing mappings", done, draws)
        yield 0, np.empty((min(few, draws - done), items), np.int64)


def _neighbours(items: int, pairs: Ints) -> "NumberLists":
    """Return the other members of the pairs of each item, in ascending order."""
    from giveaway.attacks.frequencies.sampling.kernels import NumberLists

    both = np.concatenate([pairs, pairs[:, ::-1]])
    keys = np.unique(both[:, 0] * items + both[:, 1])
    return NumberLists(np.searchsorted(keys, np.arange(items + 1) * items), keys % max(items, 1))
