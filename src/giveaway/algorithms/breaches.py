"""The largest probability with which a public itemset gives a private item away."""

from fractions import Fraction

import numpy as np

from giveaway.algorithms.moles import BUDGET, data_of
from giveaway.algorithms.ranked import Ranked
from giveaway.errors import BudgetExceeded
from giveaway.model.progress import tell

_BLOCK = 20_000_000


def worst_breach(ranked: Ranked, size: int, at_least: Fraction, *, budget: int = BUDGET) -> Fraction:
    """Return the largest breach of all occurring public itemsets of at most `size` items, or `at_least` if larger.

    The search ends at once when a breach is certain; a good `at_least` does not shorten it otherwise.
    """
    from giveaway.algorithms import breach_kernels as kernels

    size = min(size, ranked.longest)
    if size == 0 or len(ranked.private_codes) == 0:
        return at_least
    items, secrets = ranked.items, len(ranked.private_codes)
    walk = kernels.Walk(
        places=np.empty((size, len(ranked.cells)), np.int32),
        firsts=np.empty((size, items), np.int64),
        lasts=np.empty((size, items), np.int64),
        waiting=np.zeros(size, np.int64),
        support=np.zeros(items, np.int64),
        many=np.zeros(items, np.int64),
        cursor=np.zeros(items, np.int64),
        seen=np.empty(items, np.int32),
        counted=np.zeros(secrets, np.int64),
        secrets=np.empty(secrets, np.int32),
    )
    data = data_of(ranked)
    state = np.array([-1, 0, at_least.numerator, at_least.denominator], np.int64)
    status: int | np.int64 = kernels.PAUSED
    while status != kernels.DONE:
        work = int(state[kernels.WORK])
        tell("searching the worst inference", work)
        if work > budget:
            raise BudgetExceeded(
                f"The worst inference from up to {size} items was not found within {work:,} steps.",
                hint="ask about a smaller at_most, or withhold rare items first.",
            )
        status = kernels.search(data, state, walk, size, work + _BLOCK)
    return Fraction(int(state[kernels.COUNT]), int(state[kernels.SUPPORT]))
