"""A table with blanks as counted groups of identical records, and entries hidden in it.

Conditions, the sensitive entry and what may be hidden are the same for all records of a group. A set of entries of a
record is a bitmask: bit `j` stands for condition `j`, bit `width` for the sensitive entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints

UNKNOWN = -1
"""The code of an entry that is missing or hidden."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PartialTable:
    """Groups of identical records with one sensitive column.

    A secret is a group whose sensitive entry is hidden and whose true value, `truth`, must not be inferred; `truth` is
    `UNKNOWN` for all others. A rule from a pattern of visible conditions to a value is unsafe when more than `least`
    records with the pattern show the value and they are more than `limit` of the records with the pattern.
    """

    conditions: Codes
    """The code of each condition, groups by conditions."""
    value: Codes
    """The visible sensitive value of each group."""
    truth: Codes
    """The true value of each secret group."""
    count: Ints
    """The number of records in each group."""
    may: Ints
    """The entries of each group that may be hidden, as a bitmask; only visible ones."""
    limit: Fraction
    least: int
    prices: tuple[int, ...] = ()
    """What hiding an entry of each condition costs, last of the sensitive column; empty where every entry costs 1."""

    @property
    def width(self) -> int:
        """The number of conditions."""
        return int(self.conditions.shape[1])

    @property
    def sensitive_bit(self) -> int:
        """The bitmask of the sensitive entry."""
        return 1 << self.width

    def price(self, entry: int) -> int:
        """Return what hiding one entry costs, given as a bitmask."""
        return self.prices[entry.bit_length() - 1] if self.prices else 1

    def cost(self, mask: int) -> int:
        """Return what hiding the entries of a bitmask costs."""
        if not self.prices:
            return mask.bit_count()
        return sum(price for bit, price in enumerate(self.prices) if mask >> bit & 1)

    def worth_considering(self, entries: Ints) -> Ints:
        """Return what of the entries of each record may be worth hiding.

        The sensitive entry takes a record from all rules that it shows and from no denominator, so that where it may be
        hidden no condition is worth hiding that does not cost less (Li et al., Lemma 1, record by record).
        """
        cheaper = sum(
            1 << place
            for place in range(self.width)
            if self.price(1 << place) < self.price(self.sensitive_bit)
        )
        by_value = (entries & self.sensitive_bit) != 0
        return np.where(by_value, entries & (self.sensitive_bit | cheaper), entries)

    @property
    def secrets(self) -> Ints:
        """The groups that are secret."""
        return np.flatnonzero(self.truth != UNKNOWN)

    def of_groups(self, groups: Ints | NDArray[np.bool_]) -> "PartialTable":
        """Return the table with some of the groups only."""
        return replace(
            self,
            conditions=self.conditions[groups],
            value=self.value[groups],
            truth=self.truth[groups],
            count=self.count[groups],
            may=self.may[groups],
        )

    def and_more(self, other: "PartialTable") -> "PartialTable":
        """Return the table with the groups of another at the end."""
        parts: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("conditions", "value", "truth", "count", "may")
        }
        return replace(self, **parts)


@dataclass(frozen=True, kw_only=True, eq=False)
class Hidden:
    """Entries hidden in groups: in `times[i]` records of group `group[i]` those of the bitmask `mask[i]`.

    A group may appear several times, for different records of it.
    """

    group: Ints
    mask: Ints
    times: Ints

    @classmethod
    def of(cls, moves: Sequence[tuple[int, int, int]]) -> "Hidden":
        """Make it of triples of group, bitmask and number of records."""
        columns = np.array(moves, np.int64).reshape(-1, 3)
        return cls(group=columns[:, 0], mask=columns[:, 1], times=columns[:, 2])

    @property
    def entries(self) -> int:
        """The number of hidden entries."""
        return int((np.bitwise_count(self.mask).astype(np.int64) * self.times).sum())

    def cost(self, prices: Sequence[int]) -> int:
        """Return what the hidden entries cost; each 1 where there are no prices."""
        if not prices:
            return self.entries
        bits = (self.mask[:, None] >> np.arange(len(prices))) & 1
        return int((bits @ np.array(prices, np.int64) * self.times).sum())


def hide(table: PartialTable, hidden: Hidden) -> tuple[PartialTable, Ints]:
    """Return the table with entries hidden, and for each of its groups the group of the given table it comes from.

    Groups that lose records stay, with the rest of their records; new groups come after them.
    """
    taken = np.zeros(len(table.count), np.int64)
    np.add.at(taken, hidden.group, hidden.times)
    if (taken > table.count).any() or (hidden.mask & ~table.may[hidden.group]).any():
        raise ValueError(f"more {nouns().records} than the group has, or an entry that must not be hidden")
    conditions = table.conditions[hidden.group]
    bits = (hidden.mask[:, None] >> np.arange(table.width)) & 1
    conditions = np.where(bits == 1, UNKNOWN, conditions).astype(np.int32)
    value = np.where(hidden.mask & table.sensitive_bit, UNKNOWN, table.value[hidden.group]).astype(np.int32)
    source = np.concatenate([np.arange(len(table.count)), hidden.group])
    count = np.concatenate([table.count - taken, hidden.times])
    used = count > 0
    changed = replace(
        table,
        conditions=np.concatenate([table.conditions, conditions])[used],
        value=np.concatenate([table.value, value])[used],
        truth=table.truth[source][used],
        count=count[used],
        may=np.concatenate([table.may, table.may[hidden.group] & ~hidden.mask])[used],
    )
    return changed, source[used]
