"""How often pairs of items occur together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints, lengths
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import memory, tell

_PAIR_BYTES = 24
_AT_ONCE = 50_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class PairCounts:
    """Pairs of item codes that occur together, the smaller code first, in their order; and how often each does."""

    pairs: Ints
    counts: Ints

    def top(self, number: int) -> Ints:
        """Return the pairs that occur together most often, ties in item order."""
        return most_frequent(self.pairs, self.counts, number)


def most_frequent(pairs: Ints, counts: Ints, top: int) -> Ints:
    """Return the pairs that occur most often together, ties in the order of the item numbers."""
    members = np.sort(pairs, axis=1)
    order = np.lexsort((members[:, 1], members[:, 0], -counts))
    return members[order[:top]]


def pair_counts(transactions: Transactions) -> PairCounts:
    """Count all pairs of items that occur together; worked out once for the same data."""
    return transactions.remember("pair counts", None, lambda: _counted(transactions))


def _counted(transactions: Transactions) -> PairCounts:
    from scipy.sparse import csr_array, triu

    items = len(transactions.labels)
    _refuse_too_many(transactions)
    together = csr_array((items, items), dtype=np.int64)
    for rows in _blocks(transactions):
        begin, end = transactions.offsets[rows.start], transactions.offsets[rows.stop]
        codes = transactions.codes[begin:end]
        size = lengths(transactions.offsets)[rows]
        bounds = transactions.offsets[rows.start : rows.stop + 1] - begin
        shape = (len(size), items)
        held = csr_array((np.ones(len(codes), np.int64), codes, bounds), shape=shape)
        weighed = csr_array((np.repeat(transactions.weights[rows], size), codes, bounds), shape=shape)
        together = together + held.T @ weighed
    above = triu(together, k=1).tocoo()
    order = np.lexsort((above.col, above.row))
    pairs = np.stack([above.row[order], above.col[order]], axis=1).astype(np.int64)
    return PairCounts(pairs=pairs, counts=above.data[order].astype(np.int64))


def _blocks(transactions: Transactions) -> Iterator[slice]:
    """Cut the rows into parts that hold about as many pairs each."""
    square = np.cumsum(lengths(transactions.offsets) ** 2)
    total = int(square[-1]) if len(square) else 0
    begin = 0
    while begin < len(square):
        done = int(square[begin - 1]) if begin else 0
        tell("counting pairs", done, total)
        end = max(int(np.searchsorted(square, done + _AT_ONCE, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end


def _refuse_too_many(transactions: Transactions) -> None:
    """Refuse data whose pairs may not fit in memory."""
    items = len(transactions.labels)
    most = min(items**2, int((lengths(transactions.offsets) ** 2).sum()))
    if most * _PAIR_BYTES > memory():
        raise BudgetExceeded(
            f"The pairs of {items:,} {nouns().items} may be {most:,}, more than memory holds.",
            hint="allow more with --memory, or leave known_pairs out.",
        )
