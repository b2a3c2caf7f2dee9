"""One sensitive column with secrets as counted groups of alike records, and the rows behind the groups."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable, hide
from giveaway.attacks.attributes.unsafe_rules.search import BestRules, UnsafeRules
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.release.cells import Cells


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """One sensitive column with secrets: its partial table, and which rows its groups stand for.

    Groups are in the order of their labels, so that nothing depends on the order of rows.
    """

    columns: tuple[str, ...]
    """The condition columns and the sensitive column, as the bits of a mask count them."""
    table: PartialTable
    marked: Ints
    """The entries of each group that could be hidden if they were not marked to be published, as a bitmask."""
    rows: Ints
    """The secret rows, counted from 0 and ascending."""
    groups: Ints
    """The group of each secret row."""
    truth: Codes
    """The true value of each secret row, worth protecting or not."""
    record_of: Ints
    usual: Ints
    """The group of each published record, for rows that are in no way special."""
    special: Ints
    special_groups: Ints

    @property
    def column(self) -> str:
        """The sensitive column."""
        return self.columns[-1]

    @cached_property
    def best(self) -> BestRules:
        """The best trusted rule for each secret group."""
        return search.best(self.table)

    @cached_property
    def unsafe(self) -> UnsafeRules:
        """The rules over the limit."""
        return search.find(self.table)

    def chance(self, place: int) -> Fraction:
        """Return the confidence of the best trusted rule for a secret group; 0 when there is none."""
        matching = int(self.best.matching[place])
        return Fraction(int(self.best.showing[place]), matching) if matching else Fraction(0)

    @cached_property
    def _shown(self) -> Ints:
        visible = self.table.value != UNKNOWN
        shown = np.zeros(1 + max(self.table.value.max(), self.truth.max(), 0), np.int64)
        np.add.at(shown, self.table.value[visible], self.table.count[visible])
        return shown

    def share(self, value: int) -> Fraction:
        """Return the share of a value among the visible sensitive entries: what is guessed without any rule."""
        return Fraction(int(self._shown[value]), max(int(self._shown.sum()), 1))

    def cells(self, hidden: Hidden) -> Cells:
        """Return the entries that are hidden when some are hidden in groups, the lowest rows of a group first."""
        order = np.lexsort((hidden.mask, hidden.group))
        masks = np.repeat(hidden.mask[order], hidden.times[order])
        taken = np.zeros(len(self.table.count), np.int64)
        np.add.at(taken, hidden.group, hidden.times)
        group = self.usual[self.record_of]
        group[self.special] = self.special_groups
        rows = np.flatnonzero(taken[group] > 0)
        rows = rows[np.argsort(group[rows], kind="stable")]
        group = group[rows]
        place = np.arange(len(rows)) - np.searchsorted(group, group)
        rows = rows[place < taken[group]]
        return Cells.at({name: rows[(masks >> bit) & 1 == 1] for bit, name in enumerate(self.columns)})

    def without(self, cells: Cells) -> PartialTable:
        """Return the partial table with some entries hidden, whether that is allowed or not."""
        rows = np.unique(np.concatenate([cells.positions(name) for name in self.columns]))
        masks = np.zeros(len(rows), np.int64)
        for bit, name in enumerate(self.columns):
            masks[np.searchsorted(rows, cells.positions(name))] |= 1 << bit
        group = self.usual[self.record_of[rows]]
        _, place, found = np.intersect1d(rows, self.special, assume_unique=True, return_indices=True)
        group[place] = self.special_groups[found]
        classes, first = alike([group, masks])
        hidden = Hidden(group=group[first], mask=masks[first], times=np.bincount(classes))
        everything = np.full(len(self.table.count), 2 * self.table.sensitive_bit - 1, np.int64)
        return hide(replace(self.table, may=everything), hidden)[0]
