"""By which rows are known again in other data: a number for each, the same for the same values."""

from dataclasses import dataclass

import numpy as np

from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.data.texts import Prints, Texts
from giveaway.model.data.transactions import HeldTransactions, Transactions

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, kw_only=True, eq=False)
class RowNumbers:
    """The numbers of rows: of what is judged of them, and of their identifiers; None where they are elsewhere, or have none."""

    rows: Prints | None = None
    ids: Prints | None = None
    source: str | None = None
    """The hash of the file that they come from: of the same one other columns may be judged."""

    def in_both(self, other: "RowNumbers") -> tuple[int, int, str]:
        """Count what is in both, of how many in the smaller of the two, and say what was compared: ids where both have some."""
        pairs = {"ids": (self.ids, other.ids), "rows": (self.rows, other.rows)}
        for what, (one, two) in pairs.items():
            if one is not None and two is not None:
                return _common(one, two), min(len(one), len(two)), what
        return 0, 0, "rows"


def rows_of(data: Transactions | Supports | Table) -> RowNumbers:
    """Work out the numbers of the rows of data that are here."""
    return data.remember("numbers of rows", None, lambda: _rows_of(data))


def _rows_of(data: Transactions | Supports | Table) -> RowNumbers:
    source = None if data.origin is None else data.origin.sha256
    if isinstance(data, Table):
        total = np.zeros(len(next(iter(data.columns.values()), ())), np.uint64)
        for name in sorted(data.columns):
            of_value = Texts.of([*(f"{name}={label}" for label in data.labels[name]), name]).prints
            total = (total ^ of_value[data.columns[name]]) * _FACTOR
        ids = Texts.of(map(str, data.ids)).prints if data.id else None
        return RowNumbers(rows=total[data.record_of], ids=ids, source=source)
    if not isinstance(data, Transactions) or isinstance(data, HeldTransactions):
        return RowNumbers(source=source)
    sums = np.zeros(len(data.codes) + 1, np.uint64)
    np.cumsum(Texts.of(map(str, data.labels)).prints[data.codes], out=sums[1:])
    each = sums[data.offsets[1:]] - sums[data.offsets[:-1]]
    rows = np.repeat(each, data.weights) if data.record_of is None else each[data.record_of]
    return RowNumbers(rows=rows, source=source)


def _common(one: Prints, other: Prints) -> int:
    """Count what two lists have in common, as often as it is in both."""
    (first, often), (second, there) = (np.unique(numbers, return_counts=True) for numbers in (one, other))
    _, here, then = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    return int(np.minimum(often[here], there[then]).sum())
