"""What every node must lose at least, from counts of small sets of columns.

Blocks only merge going up, so that rows in blocks without a crowd at a node are in such blocks at every finer one. A node
with all columns blank but those of a set C is counted over C alone. Hence a node suppresses at least the rows S_C that its
levels in C suppress, and each of them loses in the columns of C what it does there, and in another column at least the
least that a blank loses more than a label of the node's level.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from giveaway.attacks.directory.levels.counting import NodeCounts
from giveaway.attacks.directory.levels.lattice import Lattice
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

WIDTH = 3
"""The largest sets of columns that are counted."""


@dataclass(frozen=True, eq=False)
class SetCounts:
    """The rows that each combination of levels of a set of columns suppresses, and what they lose in these columns."""

    columns: tuple[int, ...]
    rows: Ints
    units: Ints


def set_counts(counting: NodeCounts, width: int = WIDTH) -> Iterator[SetCounts]:
    """Count all sets of at most so many columns, at all levels but the last, where a column says nothing."""
    lattice = counting.lattice
    every = range(len(lattice.columns))
    sets = [chosen for size in range(1, width + 1) for chosen in combinations(every, size)]
    for done, columns in enumerate(sets):
        tell("bounding what levels must lose", done, len(sets))
        yield _set_counts(counting, columns)


def _set_counts(counting: NodeCounts, columns: tuple[int, ...]) -> SetCounts:
    lattice = counting.lattice
    finest = tuple(0 if place in columns else height for place, height in enumerate(lattice.top))
    blocks = counting.once(finest)
    values = counting.values[blocks.profile][:, columns]
    shape = tuple(lattice.shape[column] for column in columns)
    rows, units = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for node in product(*(range(size - 1) for size in shape)):
        size, key = 1, np.zeros(len(values), np.int64)
        for place, (column, level) in enumerate(zip(columns, node, strict=True)):
            many = lattice.sizes[column][level]
            key = key * many + lattice.columns[column].labels[level][values[:, place]]
            size *= many
        if size > 8 * len(values):
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
            size = int(key.max(initial=-1)) + 1
        crowd = np.bincount(key, weights=blocks.crowd, minlength=size)
        small = crowd[key] < counting.smallest
        lost = np.zeros(int(small.sum()), np.int64)
        for place, (column, level) in enumerate(zip(columns, node, strict=True)):
            lost += lattice.full[column] - lattice.cost[column][level][values[small, place]]
        rows[node] = blocks.rows[small].sum()
        units[node] = blocks.rows[small] @ lost
    return SetCounts(columns, rows, units)


def spread(lattice: Lattice, each: list[Ints]) -> Ints:
    """Add numbers for the levels of each column over all nodes."""
    total = np.zeros(lattice.shape, np.int64)
    for place, numbers in enumerate(each):
        total += numbers.reshape([-1 if place == other else 1 for other in range(len(lattice.shape))])
    return total


def lowest(counting: NodeCounts, counts: list[SetCounts]) -> tuple[Ints, Ints]:
    """Return for every node the fewest rows that it can suppress, and the least that this loses on top of the labels."""
    lattice = counting.lattice
    present = [
        np.unique(counting.values[counting.all.profile][:, column]) for column in range(len(lattice.columns))
    ]
    least = [
        np.array(
            [
                lattice.full[column] - int(cost[present[column]].max(initial=0))
                for cost in lattice.cost[column]
            ]
        )
        for column in range(len(lattice.columns))
    ]
    elsewhere = spread(lattice, least)
    rows, units = np.zeros(lattice.shape, np.int64), np.zeros(lattice.shape, np.int64)
    for one in counts:
        shape = [size if place in one.columns else 1 for place, size in enumerate(lattice.shape)]
        inside = np.zeros(one.rows.shape, np.int64)
        for place, column in enumerate(one.columns):
            inside += least[column].reshape(
                [-1 if place == other else 1 for other in range(len(one.columns))]
            )
        fewest = one.rows.reshape(shape)
        np.maximum(rows, fewest, out=rows)
        np.maximum(units, (one.units - one.rows * inside).reshape(shape) + fewest * elsewhere, out=units)
    return rows, units
