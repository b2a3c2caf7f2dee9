"""Records that are equal in what they disclose, taken together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.table import Table
from giveaway.model.data.table_of_kinds import by_kind

HIDDEN = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class DisclosedGroups:
    """Groups of records that disclose the same and weigh the same, in the order of their labels.

    `values[i, j]` is the code of group i in attribute j, in the labels of the level that `levels` says, 0 for the
    values themselves; -1 where nothing is disclosed.
    """

    values: Codes
    levels: NDArray[np.int8]
    classes: Ints
    """The class of weights of each group."""
    count: Ints
    of_record: Ints | None
    """The group of each record of the original; None where equal rows may be in several."""
    of_published: Ints | None
    """The group of each published record; None where equal ones may be in several."""
    rows: Callable[[], Ints]
    """Tells the group of each row; rows that an engine holds come here for it."""

    @cached_property
    def group_of(self) -> Ints:
        """The group of each row of the original."""
        return self.rows()

    @property
    def shown(self) -> NDArray[np.bool_]:
        """What each group discloses, coarser or not."""
        is_shown: NDArray[np.bool_] = self.values != HIDDEN
        return is_shown

    def part(self, chosen: NDArray[np.integer]) -> "DisclosedGroups":
        """Return some of the groups, without their rows."""
        return replace(
            self,
            values=self.values[chosen],
            levels=self.levels[chosen],
            classes=self.classes[chosen],
            count=self.count[chosen],
            of_record=None,
            of_published=None,
            rows=lambda: np.zeros(0, np.int64),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordPairs:
    """Rows that are of the same record and published as the same one: each pair once, with its number of rows."""

    record: Ints
    """The record of the original."""
    published: Ints
    """The record of the published table."""
    group: Ints
    count: Ints
    rows: Callable[[], Ints]
    """Tells the line of each row."""


def lines(published: Table, original: Table, groups: DisclosedGroups) -> RecordPairs:
    """Merge rows; those that an engine holds do not come here where nothing is withheld."""
    if groups.of_record is not None:
        every = np.arange(len(original.weights))
        return RecordPairs(
            record=every,
            published=every,
            group=groups.of_record,
            count=original.weights,
            rows=lambda: original.record_of.astype(np.int64),
        )
    if groups.of_published is None:
        kinds, (record, shown) = Kinds.of_each(len(original)), [t.record_of for t in (original, published)]
        group = groups.group_of
    else:
        kinds, (record, shown) = by_kind(original, published)
        group = groups.of_published[shown]
    line, first = alike([record, shown, group])
    return RecordPairs(
        record=record[first].astype(np.int64),
        published=shown[first].astype(np.int64),
        group=group[first],
        count=np.bincount(line, weights=kinds.weights, minlength=len(first)).astype(np.int64),
        rows=lambda: line[kinds.of_row],
    )


def group(
    published: Table,
    original: Table,
    attributes: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    classes: Ints | None,
) -> DisclosedGroups:
    """Group the rows of a published table by what they disclose of some columns, and by their class of weights."""
    columns = [published.columns[name] for name in attributes]
    kinds, first = (
        alike(columns) if columns else (np.zeros(len(published.weights), np.int64), np.zeros(1, np.int64))
    )
    kind_of, class_of = np.arange(len(first)), np.zeros(len(first), np.int64)
    of_row: Ints | None = None
    if classes is None:
        count = np.bincount(kinds, weights=published.weights, minlength=len(first)).astype(np.int64)
    else:
        of_row, row = alike([kinds[published.record_of], classes])
        kind_of, class_of, count = kinds[published.record_of[row]], classes[row], np.bincount(of_row)
    shape = (len(kind_of), len(attributes))
    values, levels = np.empty(shape, np.int32), np.zeros(shape, np.int8)
    for place, name in enumerate(attributes):
        codes = published.columns[name][first][kind_of]
        values[:, place], levels[:, place] = by_level(codes, original, name, hierarchies.get(name))
    return DisclosedGroups(
        values=values,
        levels=levels,
        classes=class_of,
        count=count,
        of_record=kinds if classes is None and published is original else None,
        of_published=kinds if classes is None else None,
        rows=lambda: kinds[published.record_of] if of_row is None else of_row,
    )


def by_level(
    codes: Codes, original: Table, name: str, hierarchy: Hierarchy | None
) -> tuple[Codes, NDArray[np.int8]]:
    """Split published codes into a level and a code of that level: coarser labels stand after the column's own."""
    values, levels = codes.copy(), np.zeros(len(codes), np.int8)
    if hierarchy is None:
        return values, levels
    start = len(original.labels[name])
    for level in range(1, hierarchy.depth + 1):
        size = len(hierarchy.groups(level))
        here = (codes >= start) & (codes < start + size)
        values[here], levels[here] = codes[here] - start, level
        start += size
    return values, levels
