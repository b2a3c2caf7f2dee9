"""How often the values of a sensitive column appear in groups of rows: blocks of equal rows, or the rows that fit somebody."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Codes, Ints, alike, summed

MISSING, HIDDEN = -1, -2
"""The codes of a sensitive value that is missing in the data, and of one that was hidden to protect somebody."""

_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupValues:
    """How many rows of each group show each value of a sensitive column.

    Of group `g`, `count[i]` rows show `value[i]` for i from `starts[g]` to `starts[g + 1]`, values ascending and counts
    above 0. `totals` counts the rows of the whole table that show each value.
    """

    starts: Ints
    value: Ints
    count: Ints
    missing: Ints
    hidden: Ints
    totals: Ints

    @property
    def groups(self) -> int:
        """The number of groups."""
        return len(self.missing)

    @cached_property
    def group(self) -> Ints:
        """The group of each count."""
        return np.repeat(np.arange(self.groups), np.diff(self.starts))

    @cached_property
    def shown(self) -> Ints:
        """The rows of each group that show a value."""
        before = np.append(0, np.cumsum(self.count))
        rows: Ints = before[self.starts[1:]] - before[self.starts[:-1]]
        return rows

    @property
    def rows(self) -> Ints:
        """The rows of each group."""
        return self.shown + self.missing + self.hidden

    @cached_property
    def total(self) -> int:
        """The rows of the table that show a value."""
        return int(self.totals.sum())

    def renumbered(self, number: Codes | Ints, values: int) -> "GroupValues":
        """Give values other numbers; those of one number become one value, those below 0 are left out.

        Rows that show a value left out are no longer counted as showing one: keep `shown` of the shares before.
        """
        new = number.astype(np.int64)[self.value]
        stays = new >= 0
        known = number >= 0
        totals = np.bincount(number[known], weights=self.totals[known], minlength=values).astype(np.int64)
        return replace(
            self,
            **_grouped(self.group[stays], new[stays], self.count[stays], self.groups, values),
            totals=totals,
        )


def counted(group: Ints, value: Codes | Ints, count: Ints, *, groups: int, totals: Ints) -> GroupValues:
    """Count the values of rows by the group that they are in; a row is given by a group, a value and how often it appears."""
    values = len(totals)
    shown = value >= 0
    blank = {
        name: np.bincount(group[value == code], weights=count[value == code], minlength=groups).astype(
            np.int64
        )
        for name, code in (("missing", MISSING), ("hidden", HIDDEN))
    }
    parts = _grouped(group[shown], value[shown].astype(np.int64), count[shown], groups, values)
    return GroupValues(**parts, **blank, totals=totals)


def _grouped(group: Ints, value: Ints, count: Ints, groups: int, values: int) -> dict[str, Ints]:
    keys, sums = summed(group * values + value, count, groups * values)
    number = keys // max(values, 1)
    return {
        "starts": np.searchsorted(number, np.arange(groups + 1)),
        "value": keys - number * values,
        "count": sums,
    }


def block_shares(block: Ints, value: Codes, count: Ints, *, values: int) -> GroupValues:
    """Count the values of a sensitive column in the blocks of a table, numbered from 0."""
    shown = value >= 0
    totals = np.bincount(value[shown], weights=count[shown], minlength=values).astype(np.int64)
    return counted(block, value, count, groups=int(block.max(initial=-1)) + 1, totals=totals)


def blocks(columns: Sequence[NDArray[np.generic]], length: int) -> Ints:
    """Number the blocks of rows that are equal in some columns, a blank being a value of its own."""
    return alike(columns)[0] if columns else np.zeros(length, np.int64)


def largest(above: Ints, below: Ints) -> Fraction:
    """Return the largest of some ratios exactly, 0 if there is none; floats only rule out what is far below it."""
    return _extreme(above, below, largest=True)


def smallest(above: Ints, below: Ints) -> Fraction:
    """Return the smallest of some ratios exactly, 0 if there is none."""
    return _extreme(above, below, largest=False)


def _extreme(above: Ints, below: Ints, *, largest: bool) -> Fraction:
    if not len(above):
        return Fraction(0)
    near = above.astype(np.float64) / below.astype(np.float64)
    close = near >= near.max() * (1 - _CLOSE) if largest else near <= near.min() * (1 + _CLOSE)
    pairs = set(zip(above[close].tolist(), below[close].tolist(), strict=True))
    return (max if largest else min)(Fraction(one, other) for one, other in pairs)


def exceeds(above: Ints, below: Ints, limit: Fraction) -> NDArray[np.bool_]:
    """Tell which ratios exceed a limit, exactly; a ratio of nothing to nothing does not."""
    most = int(max(below.max(initial=1), above.max(initial=1)))
    if most < 1 << 31 and limit.denominator < 1 << 31 and limit.numerator < 1 << 31:
        over: NDArray[np.bool_] = above * limit.denominator > limit.numerator * below
        return over
    products = above.astype(object) * limit.denominator > below.astype(object) * limit.numerator
    return products.astype(np.bool_)
