"""Counting who agrees with many disclosures of the same columns: by groups of equal keys, or one by one."""

import numpy as np

from giveaway.attacks.directory.candidates import plain
from giveaway.attacks.directory.candidates.columns import Columns, WantedKeys
from giveaway.attacks.directory.candidates.rows import KeyRows, numbered
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import tell

_AT_ONCE = 20_000_000
_FEW = 50_000
"""To group this many entries costs less than to find out what is quickest."""
_CALL = 10_000
"""To compare rows with numpy costs, however few they are, as much as to go through this many entries."""
_STEP = 4
"""To visit an entry somewhere costs as much as to go through this many entries in order."""
_SEVERAL = 10
"""To count somebody's several entries once costs as much as to go through this many entries for each."""


def counted(columns: Columns, chosen: Ints, wanted: Codes) -> Ints:
    """Count the people who agree with each disclosure, whose keys in the chosen columns are `wanted[:, disclosure]`."""
    if len(chosen) == 0:
        return np.full(wanted.shape[1], len(columns.people), np.int64)
    if _are_few(columns, chosen, wanted.shape[1]):
        totals = _grouped(columns, chosen, wanted, [np.zeros(1, np.int64)])
        if totals is not None:
            return totals
    group, first = numbered(wanted)
    distinct = wanted[:, first]
    agreeing = columns.agreeing(chosen, distinct)
    telling = np.argsort(agreeing.sum(axis=1), kind="stable")
    chosen, distinct, agreeing = chosen[telling], distinct[telling], agreeing[telling]
    kinds = _kinds_worth_grouping(columns, chosen, distinct.shape[1], int(agreeing.min(axis=0).sum()))
    totals = None if kinds is None else _grouped(columns, chosen, distinct, kinds)
    return (_visited(columns, chosen, distinct, agreeing) if totals is None else totals)[group]


def _are_few(columns: Columns, chosen: Ints, disclosures: int) -> bool:
    """Tell whether all entries are so few that nothing is quicker than to group them, and equal keys alone agree."""
    entries = len(chosen) * (len(columns.alone) + len(columns.several_entry) + disclosures)
    return 0 < entries <= _FEW and not columns.has_missing and not columns.has_near(chosen)


def _kinds_worth_grouping(columns: Columns, chosen: Ints, disclosures: int, steps: int) -> list[Ints] | None:
    """Return the kinds of missing values if counting by groups is possible and quicker than visiting this many entries."""
    cost = _STEP * steps
    rows = len(columns.alone) + _SEVERAL * len(columns.several_entry)
    if columns.has_near(chosen) or cost <= rows:
        return None
    if columns.has_missing and len(columns.several_entry) and steps <= plain.MOST:
        # To count somebody once whose entries agree in different ways is compiled only, visiting them is not.
        return None
    kinds = columns.rows.kinds(chosen)
    return kinds if rows + len(kinds) * disclosures < cost else None


def _visited(columns: Columns, chosen: Ints, wanted: Codes, agreeing: Ints) -> Ints:
    """Count for each disclosure by going through the entries that agree in the column where fewest do."""
    sought = WantedKeys(chosen, wanted, np.argmin(agreeing, axis=0))
    steps = np.cumsum(agreeing.min(axis=0))
    if columns.plainly(len(chosen) * int(steps[-1:].sum())):
        return plain.visited(columns, sought)
    from giveaway.attacks.directory.candidates.kernels import visited

    part = steps // _AT_ONCE
    totals = np.empty(len(part), np.int64)
    stamp = np.full(columns.people.several, -1, np.int64)
    end = 0
    while end < len(part):
        begin, end = end, int(np.searchsorted(part, part[end], "right"))
        visited(columns.entries, columns.index, columns.holders, sought, begin, totals[begin:end], stamp)
        if end < len(part):
            tell("comparing entries", end, len(part))
    return totals


def _grouped(columns: Columns, chosen: Ints, wanted: Codes, kinds: list[Ints]) -> Ints | None:
    """Count for all disclosures at once, by groups of equal rows; None where somebody has too many entries for that."""
    totals = np.zeros(wanted.shape[1], np.int64)
    if columns.alone.any():
        _add_up(columns, columns.rows, chosen, kinds, wanted, totals)
    if len(columns.several_entry):
        several = _several(columns, chosen)
        if several is None:
            return None
        places = np.arange(len(chosen))
        _add_up(columns, several, places, several.kinds(places), wanted, totals)
    return totals


def _add_up(
    columns: Columns, rows: KeyRows, places: Ints, kinds: list[Ints], wanted: Codes, totals: Ints
) -> None:
    """Add to each wanted row the people whose rows agree with it."""
    work = len(places) * (rows.keys.shape[1] + len(kinds) * wanted.shape[1]) + (len(kinds) - 1) * _CALL
    rows.add_up(places, kinds, wanted, totals, plainly=columns.plainly(work))


def _several(columns: Columns, chosen: Ints) -> KeyRows | None:
    """Return the rows of people with several entries, each person counted once; None where somebody has too many."""
    if columns.plainly(len(chosen) * len(columns.several_entry)):
        rows = plain.once(columns.keys[np.ix_(chosen, columns.several_entry)], columns.people.several_person)
        if rows is not None:
            return KeyRows(rows, np.ones(rows.shape[1], np.int64))
    from giveaway.attacks.directory.candidates.kernels import once

    keys, signs = once(columns.keys, chosen, columns.several_entry, columns.starts)
    return KeyRows.ordered(keys, signs) if signs.all() else None
