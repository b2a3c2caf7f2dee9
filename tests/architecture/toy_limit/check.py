"""The check of the toy limits: how much stands in each row of the file as written."""

from dataclasses import replace

from tests.architecture.toy_attack.check import CHECK

from giveaway.checker import Promise, ReadBack
from giveaway.model.data.transactions import Transactions


def _keeps(opened: ReadBack, promise: Promise) -> bool:
    original, tolerance = opened.release.original, promise.tolerance
    assert isinstance(original, Transactions)
    items, rows = len(original.labels), opened.content.total()
    written = sum(len(row) * count for row, count in opened.content.items())
    if tolerance.filled is not None and written > tolerance.filled * items * rows:
        return False
    if tolerance.crowded is not None:
        full = sum(c for row, c in opened.content.items() if len(row) > tolerance.crowded * items)
        if full > tolerance.share * rows:
            return False
    return CHECK.keeps(opened, promise)


FULL_CHECK = replace(CHECK, limits=("identity", "crowded", "filled"), keeps=_keeps)
