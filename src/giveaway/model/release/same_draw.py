"""Whether two releases of the same data differ in nothing but who was drawn."""

from collections.abc import Sequence

import numpy as np

from giveaway.model.data.arrays import alike
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def differ_by_lot_only(one: Release, other: Release, columns: Sequence[str]) -> bool:
    """Tell whether as many people with the same values of some columns show the same of them in both releases.

    >>> import giveaway as ga
    >>> table = ga.Table.from_rows([{"job": "cook"}, {"job": "cook"}, {"job": "clerk"}])
    >>> first, second, third = (ga.Release(table, ga.Withheld(cells=[(row, "job")])) for row in (1, 2, 3))
    >>> differ_by_lot_only(first, second, ["job"]), differ_by_lot_only(first, third, ["job"])
    (True, False)
    """
    counts = []
    for release in (one, other):
        table, published = release.original, release.published
        if not isinstance(table, Table) or not isinstance(published, Table):
            return False
        own = [table.columns[name][table.record_of] for name in columns]
        shown = [published.columns[name][published.record_of] for name in columns]
        counts.append([*own, *shown])
    rows = len(one.original)
    if not columns or rows != len(other.original):
        return False
    kinds, _ = alike([np.concatenate(pair) for pair in zip(*counts, strict=True)])
    first, second = np.bincount(kinds[:rows], minlength=kinds.max() + 1), np.bincount(kinds[rows:])
    return bool(len(first) == len(second) and (first == second).all())
