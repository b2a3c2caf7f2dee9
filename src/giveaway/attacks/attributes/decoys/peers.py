"""Records that look the same in the conditions, in groups, and the blocks of blanks of the groups with secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.decoys.blocks import Block
from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.table import Table
from giveaway.model.release.lot import lots
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class Peers:
    """The groups with a secret in a sensitive column: blocks, and the rows behind their numbers.

    Groups are numbered in the order of the labels of their conditions, so that nothing depends on the order of rows.
    """

    blocks: tuple[Block, ...]
    secrets: Ints
    """The rows of the secrets that have a value, counted from 0 and ascending."""
    group_of_secret: Ints
    """The number of the block of each."""
    free: Ints
    """The rows of the entries that may be blanked, ordered by group, value and row."""
    free_starts: Mapping[tuple[int, int], tuple[int, int]]
    """Where those of a group with a value begin and end among them."""

    @cached_property
    def askers(self) -> Ints:
        """The number of secrets in each block."""
        return np.bincount(self.group_of_secret, minlength=len(self.blocks))

    def draw(self, group: int, decoys: Sequence[int], column: str) -> list[int]:
        """Draw the rows of decoys in a column, given their number by value."""
        rows = list[int]()
        for value, number in zip(self.blocks[group].values, decoys, strict=True):
            if number:
                start, end = self.free_starts[group, value]
                free = self.free[start:end]
                rows += lots("decoys", column, free, number).sample(free.tolist(), number)
        return rows


def peers(
    release: Release, conditions: Sequence[str], column: str, *, worth: Flags, at_least: int, may_blank: bool
) -> Peers:
    """Group the records that show the same conditions, and count the entries of the groups with a secret.

    `worth` tells which values are worth protecting. Groups have at least this many records: neighbours in the order of their
    labels are joined. That looks at conditions only, never at a value.
    """
    original, published = release.original, release.published
    if not isinstance(original, Table) or not isinstance(published, Table):
        raise TypeError("only published rows can be grouped")
    looks, _ = alike([published.columns[name] for name in conditions])
    if at_least > 1:
        records = np.zeros(int(looks.max(initial=-1)) + 1, np.int64)
        np.add.at(records, looks, published.weights)
        looks = joined(records, at_least)[looks]
    secrets = release.secrets.positions(column)
    secrets = secrets[original.columns[column][original.record_of[secrets]] != UNKNOWN]
    groups, group_of_secret = np.unique(looks[published.record_of[secrets]], return_inverse=True)
    number = np.full(int(looks.max(initial=-1)) + 1, UNKNOWN, np.int64)
    number[groups] = np.arange(len(groups))
    rows = np.flatnonzero((number[looks] != UNKNOWN)[published.record_of])
    value = original.columns[column][original.record_of[rows]]
    rows, value = rows[value != UNKNOWN], value[value != UNKNOWN]
    group = number[looks[published.record_of[rows]]]
    is_blank = published.columns[column][published.record_of[rows]] == UNKNOWN
    marked = np.isin(rows, release.must_publish.positions(column), assume_unique=True)
    is_free = ~is_blank & ~marked & may_blank
    order = np.lexsort((rows[is_free], value[is_free], group[is_free]))
    free = rows[is_free][order]
    return Peers(
        blocks=_blocks(
            group,
            value,
            [np.isin(rows, secrets, assume_unique=True), is_blank, is_free, ~is_blank],
            worth,
        ),
        secrets=secrets,
        group_of_secret=group_of_secret.reshape(-1),
        free=free,
        free_starts=_starts(group[is_free][order], value[is_free][order]),
    )


def joined(records: Ints, at_least: int) -> Ints:
    """Join neighbours until each group has enough records; what is left at the end joins the last.

    >>> joined(np.array([1, 1, 3, 1]), 2).tolist()
    [0, 0, 1, 1]
    """
    group = np.zeros(len(records), np.int64)
    current = held = 0
    for place, many in enumerate(records.tolist()):
        group[place] = current
        held += many
        if held >= at_least:
            current, held = current + 1, 0
    if held and current:
        group[group == current] = current - 1
    return group


def _blocks(group: Ints, value: Codes, counted: Sequence[Flags], worth: Flags) -> tuple[Block, ...]:
    """Count entries by group and value."""
    pairs, first = alike([group, value])
    counts = [np.bincount(pairs[flags], minlength=len(first)).tolist() for flags in counted]
    ends = np.searchsorted(group[first], np.arange(int(group.max(initial=-1)) + 1), side="right").tolist()
    values, limited = value[first].tolist(), worth[value[first]].tolist()
    return tuple(
        Block(*(tuple(part[start:end]) for part in (values, limited, *counts)))
        for start, end in zip([0, *ends], ends, strict=False)
    )


def _starts(group: Ints, value: Codes) -> dict[tuple[int, int], tuple[int, int]]:
    pairs, first = alike([group, value])
    ends = np.cumsum(np.bincount(pairs, minlength=len(first))).tolist()
    names = zip(group[first].tolist(), value[first].tolist(), strict=True)
    return dict(zip(names, zip([0, *ends], ends, strict=False), strict=True))
