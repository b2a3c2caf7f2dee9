"""Random mappings by swaps of two items: the chain of the paper, and one within windows."""

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Windows
from giveaway.attacks.frequencies.sampling.chains import BURN_IN, Blocks, blocks, started


def local_chain(windows: Windows, *, draws: int, seed: int, burn_in: int = BURN_IN) -> Blocks:
    """Draw mappings by swaps within windows, one sweep apart; a mapping must exist."""
    from giveaway.papers.frequencies.explore import swaps_kernels as kernels

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

    A mapping must exist; the chain begins with the true one where that is possible. Lakshmanan et al., Section 6.1.
    """
    from giveaway.papers.frequencies.explore import swaps_kernels as kernels

    random = np.random.default_rng(seed)
    partner = np.empty(windows.items, np.int64)
    for done in range(0, draws, restart):
        chain = started(windows)
        for skipped, block in blocks(windows.items, min(restart, draws - done), burn_in):
            kernels.by_permutations(random, chain, skipped, spacing, partner, block)
            yield block
