"""The public itemsets that give most away: the rarest one, and the one that tells most about a private item."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from giveaway.compiling import DONE, PAUSED, Search
from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import Ranked
from giveaway.model.answer.nouns import nouns
from giveaway.model.progress import tell
from giveaway.moles import worst_breach_kernels as kernels
from giveaway.moles.search import BUDGET, data_of, secrets_of, tally_of

_BLOCK = 5_000_000

_SMALL = 2
"""Sets of at most this many items are all looked at, and the first in order is taken: elsewhere they can be counted only."""


class Combination(NamedTuple):
    """A public itemset by ascending item codes, and what the transactions that hold it say.

    `holding` of the `support` transactions hold the private item that is most frequent among them, which is the one at
    the place `secret` of the private items, -1 for none.
    """

    codes: tuple[int, ...]
    support: int
    holding: int = 0
    secret: int = -1

    @property
    def breach(self) -> Fraction:
        """The probability with which it gives a private item away."""
        return Fraction(self.holding, self.support)


def most_telling(ranked: Ranked, size: int, above: Fraction, *, budget: int = BUDGET) -> Combination | None:
    """Return the set of at most `size` items with the largest breach, None when no breach exceeds `above`.

    Of equal ones of one or two items the smaller comes first, then the one that more transactions hold, then the one
    whose items come first. Of larger ones the first that is found is taken, and the search ends when a breach is certain.
    """
    secrets = len(ranked.private_codes)
    return _search(ranked, size, above, enough=1, secrets=secrets, budget=budget) if secrets else None


def rarest(ranked: Ranked, size: int, least: int, *, budget: int = BUDGET) -> Combination | None:
    """Return a set of at most `size` items that only `least` transactions hold, None when there is none.

    Of equal ones it is chosen as `most_telling` does; its private items are not looked at.
    """
    return _search(ranked, size, Fraction(1, least + 1), enough=least, secrets=0, budget=budget)


def worst_of_first(
    ranked: Ranked, first: int, size: int, *, secrets: bool, budget: int = BUDGET
) -> Combination | None:
    """Return the worst set of at most `size` items that holds one of the `first` ranks, None when no such set is bad.

    With `secrets` it is the one with the largest breach, and otherwise the one that the fewest transactions hold.
    """
    private = len(ranked.private_codes) if secrets else 0
    if secrets and not private:
        return None
    return _search(ranked, size, Fraction(0), enough=1, secrets=private, budget=budget, first=first)


def _search(
    ranked: Ranked,
    size: int,
    above: Fraction,
    *,
    enough: int,
    secrets: int,
    budget: int,
    first: int | None = None,
) -> Combination | None:
    """Search sets by how many of their transactions agree on a private item, or by few transactions without secrets.

    Sets are extended by items of higher rank, so that those that hold one of the `first` ranks begin with one.
    """
    size = min(size, ranked.longest)
    if size == 0 or first == 0:
        return None
    walk = _walk(ranked, size, secrets, first)
    state = np.zeros(7, np.int64)
    state[kernels.DEPTH] = -1
    state[[kernels.COUNT, kernels.SUPPORT]] = above.numerator, above.denominator
    state[kernels.ENOUGH] = 0 if size <= _SMALL else enough
    search = Search(kernels.search, state, kernels.WORK, block=_BLOCK, least=len(ranked.cells))
    status = PAUSED
    while status != DONE:
        tell("searching the worst combination", search.work)
        if search.work > budget:
            raise BudgetExceeded(
                f"The worst combination of up to {size} {nouns().items} was not found within {search.work:,} steps.",
                hint=f"ask about a smaller at_most, or withhold rare {nouns().items} first.",
            )
        status = search.go_on(walk, state)
    if state[kernels.SIZE] == 0:
        return None
    codes = sorted(ranked.codes[walk.best[: state[kernels.SIZE]]].tolist())
    count, support, secret = (int(state[at]) for at in (kernels.COUNT, kernels.SUPPORT, kernels.SECRET))
    return Combination(tuple(codes), support, count if secrets else 0, secret)


def _walk(ranked: Ranked, size: int, secrets: int, first: int | None) -> kernels.BreachWalk:
    items, data = ranked.items, data_of(ranked)
    return kernels.BreachWalk(
        data=data if first is None else data._replace(begins=data.begins[: first + 1]),
        size=size,
        places=np.empty((size, len(ranked.cells)), np.int32),
        firsts=np.empty((size, items), np.int64),
        lasts=np.empty((size, items), np.int64),
        waiting=np.zeros(size, np.int64),
        tally=tally_of(items),
        secrets=secrets_of(secrets),
        path=np.zeros(size, np.int32),
        best=np.zeros(size, np.int32),
        codes=ranked.codes,
        every=np.zeros(items, np.int64),
    )
