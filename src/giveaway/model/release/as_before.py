"""What earlier releases withheld, withheld again: nothing is shown that was not shown before."""

from functools import reduce
from typing import Literal

import numpy as np

from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

Prefer = Literal["least", "as before"]
"""Whether as little as can be is withheld, or first what was withheld before and as little more."""


def as_before(release: Release) -> Release:
    """Return a release that withholds what each earlier one withheld of the same people, items or rules.

    >>> import giveaway as ga
    >>> shop = ga.Transactions.from_lists([["bread", "jam"], ["bread"]])
    >>> then = ga.Earlier(ga.Release(shop, ga.Withheld(items=["jam"])), name="2025")
    >>> as_before(ga.Release(shop, earlier=[then])).withheld.items
    ('jam',)
    """
    return reduce(lambda now, one: now.withholding(_withheld(now, one)), release.earlier, release)


def _withheld(now: Release, one: Earlier) -> Withheld:
    table, then = now.original, one.shown
    if one.rules is not None and now.rules is not None:
        listed = set(one.rules.rules)
        return Withheld(rules=[rule for rule in now.rules.rules if rule not in listed])
    if isinstance(table, Transactions) and isinstance(then, Transactions):
        return Withheld(items=[item for item in table.labels if item not in then.code_of])
    if isinstance(table, Table) and isinstance(then, Table):
        return Withheld(cells=_blank(now, table, one, then))
    return Withheld()


def _blank(now: Release, table: Table, one: Earlier, then: Table) -> Cells:
    """Return the entries of people in both that the earlier release did not show."""
    rows, _ = one.row_now(now)
    if rows is None:
        return Cells()
    here = rows >= 0
    blanks = {}
    for name in then.columns:
        if name in table.columns and name not in one.changes:
            blank = (then.columns[name][then.record_of] < 0)[here]
            there = table.columns[name][table.record_of[rows[here]]] >= 0
            blanks[name] = np.sort(rows[here][blank & there])
    return Cells.at(blanks) - now.must_publish
