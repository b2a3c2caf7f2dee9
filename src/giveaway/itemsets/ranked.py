"""Transactions in the form the searches walk: public items as ranks, rarest first, with the rows that hold each."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import BudgetExceeded
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import memory

Flags = NDArray[np.bool_]

_MOST = 3_000_000_000
"""The product of two supports must fit in 63 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranked:
    """Public items that occur, numbered by ascending (support, code), and the rows as ascending ranks.

    Some items may come before all others. Rows are those of the transactions, in their order.
    `cells[starts[i]:starts[i + 1]]` are the ranks of row `i`, `private[private_starts[i]:private_starts[i + 1]]` its
    private items as places in `private_codes`.
    """

    codes: Codes
    starts: Ints
    cells: Codes
    weights: Ints
    private_codes: Codes
    private_starts: Ints
    private: Codes

    @property
    def items(self) -> int:
        """The number of public items that occur."""
        return len(self.codes)

    @property
    def longest(self) -> int:
        """The largest number of public items in a row."""
        return int(np.diff(self.starts).max(initial=0))

    @cached_property
    def row_of(self) -> Codes:
        """The row of each cell."""
        return np.repeat(np.arange(len(self.weights), dtype=np.int32), np.diff(self.starts))

    @cached_property
    def holders(self) -> tuple[Ints, Codes]:
        """The places in `cells` of each rank, row by row: where a rank's places begin, and the places."""
        begins = np.zeros(self.items + 1, np.int64)
        np.cumsum(np.bincount(self.cells, minlength=self.items), out=begins[1:])
        return begins, np.argsort(self.cells, kind="stable").astype(np.int32)

    @cached_property
    def supports(self) -> Ints:
        """The support of each rank."""
        return self._summed(self.cells, self.starts, self.items)

    @cached_property
    def private_supports(self) -> Ints:
        """The support of each private item."""
        return self._summed(self.private, self.private_starts, len(self.private_codes))

    @cached_property
    def rank_of(self) -> dict[int, int]:
        """The rank of each public code that occurs."""
        return {int(code): rank for rank, code in enumerate(self.codes)}

    def _summed(self, cells: Codes, starts: Ints, size: int) -> Ints:
        return arrays.added(cells, np.repeat(self.weights, np.diff(starts)), size)


def rank(transactions: Transactions, *, first: Flags | None = None) -> Ranked:
    """Rank the public items of transactions, `first` before all others, and split every row into public and private."""
    occurs = transactions.supports > 0
    if len(transactions.codes) * 40 > memory() or len(transactions.codes) >= 1 << 31:
        raise BudgetExceeded(
            f"{len(transactions.codes):,} item occurrences in distinct transactions do not fit in the memory allowed.",
            hint="allow more with --memory, or withhold rare items first.",
        )
    if len(transactions) > _MOST:
        raise BudgetExceeded(
            f"{len(transactions):,} transactions are more than can be compared exactly in 64 bits.",
            hint=f"give at most {_MOST:,} transactions.",
        )
    private = transactions.is_private
    public = np.flatnonzero(occurs & ~private)
    later = np.zeros(len(public), np.bool_) if first is None else ~first[public]
    codes = public[np.lexsort((public, transactions.supports[public], later))].astype(np.int32)
    starts, cells = arrays.drop(transactions.offsets, transactions.codes, private)
    private_starts, private_cells = arrays.drop(transactions.offsets, transactions.codes, ~private)
    private_codes = np.flatnonzero(occurs & private).astype(np.int32)
    return Ranked(
        codes=codes,
        starts=starts,
        cells=sorted_rows(starts, _numbering(codes, len(occurs))[cells]),
        weights=transactions.weights,
        private_codes=private_codes,
        private_starts=private_starts,
        private=_numbering(private_codes, len(occurs))[private_cells],
    )


def _numbering(codes: Codes, size: int) -> Codes:
    number = np.full(size, -1, np.int32)
    number[codes] = np.arange(len(codes), dtype=np.int32)
    return number


def sorted_rows(offsets: Ints, cells: Codes) -> Codes:
    """Sort the cells of every row."""
    first = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) * (int(cells.max(initial=0)) + 1)
    keys = first + cells
    keys.sort()
    return (keys - first).astype(np.int32)


def index(offsets: Ints, values: Codes, size: int) -> tuple[Ints, Codes]:
    """Turn rows of values into, for each value, the rows that have it: where a value's rows begin, and the rows."""
    row = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    begins = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(values, minlength=size), out=begins[1:])
    return begins, row[np.argsort(values, kind="stable")]


def below(limit: Fraction, largest: int) -> tuple[int, int]:
    """Return the largest fraction up to `limit` whose denominator is at most `largest`.

    A count out of at most `largest` transactions exceeds `limit` exactly when it exceeds this fraction, whose
    products with counts stay small.
    """
    near = limit.limit_denominator(largest)
    if near > limit:
        least = pow(near.numerator, -1, near.denominator)
        down = least + (largest - least) // near.denominator * near.denominator
        near = Fraction(near.numerator * down - 1, near.denominator * down)
    return near.numerator, near.denominator
