"""Two older ways to choose items to suppress, for comparison of the nuggets they keep.

Both suppress the item with the most minimal moles for each item occurrence lost (MM/IL), as in Xu, Wang, Fu, Yu,
Anonymizing transaction databases for publication, KDD 2008. Plain k^m anonymity (Terrovitis, Mamoulis, Kalnis, VLDB
2008) is reached the same way when every item counts as public and nothing is said about private items: a different,
weaker guarantee. The minimal moles come from the engine of the product; the choice is made here.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.nuggets import counts as nuggets
from giveaway.itemsets.ranked import rank
from giveaway.model.data.transactions import Transactions
from giveaway.moles import search


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What a comparator keeps, and how many minimal moles its release still holds under the tolerance."""

    nuggets_kept: int
    moles_left: int


def kdd08(data: Transactions, limit: Fraction, crowd: int, at_most: int, min_support: int) -> Compared:
    """Suppress by MM/IL until no mole is left."""
    offsets, codes = _minimal(data, limit, crowd, at_most)
    return _judged(data, _most_moles_per_occurrence(data, offsets, codes), limit, crowd, at_most, min_support)


def k_to_the_m(data: Transactions, limit: Fraction, crowd: int, at_most: int, min_support: int) -> Compared:
    """Suppress public and private items by MM/IL until every combination has its crowd, whatever it predicts."""
    offsets, codes = _minimal(replace(data, private=frozenset()), Fraction(1), crowd, at_most)
    return _judged(data, _most_moles_per_occurrence(data, offsets, codes), limit, crowd, at_most, min_support)


def _minimal(
    data: Transactions, limit: Fraction, crowd: int, at_most: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    return search.mine(rank(data), at_most, crowd, limit).minimal


def _judged(
    data: Transactions, suppressed: list[int], limit: Fraction, crowd: int, at_most: int, min_support: int
) -> Compared:
    released = data.without([data.labels[code] for code in suppressed])
    return Compared(
        nuggets_kept=nuggets.count(released, min_support).total,
        moles_left=len(_minimal(released, limit, crowd, at_most)[0]) - 1,
    )


def _most_moles_per_occurrence(
    data: Transactions, offsets: NDArray[np.int64], codes: NDArray[np.int32]
) -> list[int]:
    """Suppress greedily; ties go to the item in more moles, then of less support, then first in order."""
    supports = data.supports
    sizes = np.diff(offsets)
    mole = np.repeat(np.arange(len(sizes)), sizes)
    order = np.argsort(codes, kind="stable")
    first = np.searchsorted(codes[order], np.arange(len(supports) + 1))
    moles_of = mole[order]
    alive = np.ones(len(sizes), np.bool_)
    counts = np.bincount(codes, minlength=len(supports))
    chosen: list[int] = []
    while counts.any():
        scores = counts / np.maximum(supports, 1)
        near = np.flatnonzero(scores >= scores.max() * (1 - 1e-9))
        best = max(
            near.tolist(),
            key=lambda v: (Fraction(int(counts[v]), int(supports[v])), counts[v], -supports[v], -v),
        )
        chosen.append(best)
        gone = moles_of[first[best] : first[best + 1]]
        gone = gone[alive[gone]]
        alive[gone] = False
        size = sizes[gone]
        places = np.repeat(offsets[gone] - np.cumsum(size) + size, size) + np.arange(int(size.sum()))
        counts -= np.bincount(codes[places], minlength=len(supports))
    return chosen
