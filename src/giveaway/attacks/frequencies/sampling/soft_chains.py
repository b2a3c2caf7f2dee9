"""Random mappings for attackers who may be wrong, and for those who know which items are never together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Flags, Windows
from giveaway.attacks.frequencies.sampling.chains import BURN_IN, Blocks, blocks, names_of_places, started
from giveaway.model.data.arrays import Ints

SOFT_BURN_IN = 2_000

_PRICE = 0.05
_TRIES = 20


def soft_chain(
    windows: Windows, *, outside: float, draws: int, seed: int, burn_in: int = SOFT_BURN_IN
) -> Blocks:
    """Draw mappings of a soft belief, one sweep apart: each item outside its window makes them `outside` times as likely.

    Mappings exist whatever is believed; the chain begins with the true one. `outside` must be far below one in the number of items to mean a belief at all.
    """
    from giveaway.attacks.frequencies.sampling.kernels import Chain
    from giveaway.attacks.frequencies.sampling.soft_kernels import soft

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
class Apart:
    """Pairs of items that are known never to occur together, and the pairs of renamed items that do.

    A mapping is ruled out when it maps a pair of the first kind to one of the second. Both are rows of two numbers.
    """

    items: int
    never: Ints
    together: Ints

    def respected(self, drawn: Ints) -> Flags:
        """Tell which mappings put no such pair together."""
        from giveaway.attacks.frequencies.sampling.soft_kernels import broken_pairs

        return broken_pairs(self.never[:, 0], self.never[:, 1], *self.beside, drawn) == 0

    @cached_property
    def beside(self) -> tuple[Ints, Ints]:
        """The renamed items that each renamed item occurs together with."""
        return _neighbours(self.items, self.together)


def apart_chain(windows: Windows, apart: Apart, *, draws: int, seed: int, burn_in: int = BURN_IN) -> Blocks:
    """Draw mappings that put no pair together which is known to be apart; a mapping must exist.

    The chain may pass through mappings that do, at a price, so that it is not caught; these are not yielded. It gives
    up when few are left, so that fewer mappings than asked for may come.
    """
    from giveaway.attacks.frequencies.sampling.soft_kernels import apart as swap_apart

    random = np.random.default_rng(seed)
    chain = started(windows)
    partners = _neighbours(windows.items, apart.never)
    wanted = draws
    for skipped, block in blocks(windows.items, _TRIES * draws, burn_in):
        swap_apart(random, chain, *partners, *apart.beside, _PRICE, skipped, block)
        kept = block[apart.respected(block)][:wanted]
        wanted -= len(kept)
        yield kept
        if wanted == 0:
            return


def _neighbours(items: int, pairs: Ints) -> tuple[Ints, Ints]:
    """Return the other members of the pairs of each item, in ascending order, as rows of one array."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    keys = np.unique(both[:, 0] * items + both[:, 1])
    return np.searchsorted(keys, np.arange(items + 1) * items), keys % max(items, 1)
