"""Counting who agrees with many disclosures of the same columns: by groups of equal keys, or one by one."""

import numpy as np

from giveaway.attacks.directory.candidates.columns import Columns
from giveaway.attacks.directory.candidates.rows import Rows
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import tell

_AT_ONCE = 20_000_000
_STEP = 4
"""To visit an entry somewhere costs as much as to go through so many entries in order."""
_SEVERAL = 10
"""To count somebody's several entries once costs as much as to go through so many entries for each."""


def counted(columns: Columns, chosen: Ints, wanted: Codes) -> Ints:
    """Count the people who agree with each disclosure, whose keys in the chosen columns are `wanted[:, disclosure]`."""
    from giveaway.attacks.directory.candidates.rows_kernels import numbered

    if len(chosen) == 0:
        return np.full(wanted.shape[1], len(columns.people), np.int64)
    group, first = numbered(wanted)
    distinct = wanted[:, first]
    agreeing = columns.agreeing(chosen, distinct)
    telling = np.argsort(agreeing.sum(axis=1), kind="stable")
    chosen, distinct, agreeing = chosen[telling], distinct[telling], agreeing[telling]
    kinds = _kinds_worth_grouping(columns, chosen, distinct.shape[1], int(agreeing.min(axis=0).sum()))
    found = None if kinds is None else _grouped(columns, chosen, distinct, kinds)
    return (_visited(columns, chosen, distinct, agreeing) if found is None else found)[group]


def _kinds_worth_grouping(columns: Columns, chosen: Ints, disclosures: int, steps: int) -> list[Ints] | None:
    """Return the kinds of missing values if counting by groups is possible and quicker than visiting so many entries."""
    cost = _STEP * steps
    rows = len(columns.alone) + _SEVERAL * len(columns.several_entry)
    if columns.has_near(chosen) or cost <= rows:
        return None
    kinds = columns.rows.kinds(chosen)
    return kinds if rows + len(kinds) * disclosures < cost else None


def _visited(columns: Columns, chosen: Ints, wanted: Codes, agreeing: Ints) -> Ints:
    """Count for each disclosure by going through the entries that agree in the column where fewest do."""
    from giveaway.attacks.directory.candidates.kernels import visited

    lead = np.argmin(agreeing, axis=0)
    part = np.cumsum(agreeing.min(axis=0)) // _AT_ONCE
    found = np.empty(len(lead), np.int64)
    stamp = np.full(columns.people.several, -1, np.int64)
    end = 0
    while end < len(lead):
        begin, end = end, int(np.searchsorted(part, part[end], "right"))
        visited(
            columns.keys,
            columns.nears,
            columns.index,
            columns.holders,
            chosen,
            wanted,
            lead,
            begin,
            found[begin:end],
            stamp,
        )
        if end < len(lead):
            tell("comparing entries", end, len(lead))
    return found


def _grouped(columns: Columns, chosen: Ints, wanted: Codes, kinds: list[Ints]) -> Ints | None:
    """Count for all disclosures at once, by groups of equal rows; None where somebody has too many entries for that."""
    from giveaway.attacks.directory.candidates.kernels import once

    found = np.zeros(wanted.shape[1], np.int64)
    if columns.alone.any():
        columns.rows.add_up(chosen, kinds, wanted, found)
    if len(columns.several_entry):
        keys, signs = once(columns.keys, chosen, columns.several_entry, columns.starts)
        if not signs.all():
            return None
        several, places = Rows.ordered(keys, signs), np.arange(len(chosen))
        several.add_up(places, several.kinds(places), wanted, found)
    return found
