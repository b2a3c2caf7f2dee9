"""Records that are equal in what they disclose, taken together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.table import Table

HIDDEN = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Groups:
    """Groups of records that disclose the same and weigh the same, in the order of their labels.

    `values[i, j]` is the code of group i in attribute j, in the labels of the level that `levels` says, 0 for the
    values themselves; -1 where nothing is disclosed.
    """

    values: Codes
    levels: NDArray[np.int8]
    classes: Ints
    """The class of weights of each group."""
    count: Ints
    group_of: Ints
    """The group of each row of the original."""

    @property
    def shown(self) -> NDArray[np.bool_]:
        """What each group discloses, coarser or not."""
        is_shown: NDArray[np.bool_] = self.values != HIDDEN
        return is_shown

    def part(self, chosen: NDArray[np.integer]) -> "Groups":
        """Return some of the groups, without their rows."""
        return replace(
            self,
            values=self.values[chosen],
            levels=self.levels[chosen],
            classes=self.classes[chosen],
            count=self.count[chosen],
            group_of=np.zeros(0, np.int64),
        )


def group(
    published: Table,
    original: Table,
    attributes: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    classes: Ints | None,
) -> Groups:
    """Group the rows of a published table by what they disclose of some columns, and by their class of weights."""
    columns = [published.columns[name] for name in attributes]
    kinds, first = (
        alike(columns) if columns else (np.zeros(len(published.weights), np.int64), np.zeros(1, np.int64))
    )
    group_of = kinds[published.record_of]
    kind_of, class_of = np.arange(len(first)), np.zeros(len(first), np.int64)
    if classes is not None:
        group_of, row = alike([group_of, classes])
        kind_of, class_of = kinds[published.record_of[row]], classes[row]
    shape = (len(kind_of), len(attributes))
    values, levels = np.empty(shape, np.int32), np.zeros(shape, np.int8)
    for place, name in enumerate(attributes):
        codes = published.columns[name][first][kind_of]
        values[:, place], levels[:, place] = _by_level(codes, original, name, hierarchies.get(name))
    return Groups(
        values=values,
        levels=levels,
        classes=class_of,
        count=np.bincount(group_of, minlength=len(kind_of)),
        group_of=group_of,
    )


def _by_level(
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
