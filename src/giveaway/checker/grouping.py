"""Rows of codes put into groups of equal ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_LARGEST = 1 << 62


def numbered(columns: Sequence[NDArray[np.integer]]) -> tuple[Ints, Ints]:
    """Number the distinct rows; return a row of each number, and the number of each row."""
    number = np.zeros(len(columns[0]), np.int64)
    many = 1
    for codes in columns:
        size = int(codes.max(initial=-1)) + 2
        if many * size > _LARGEST:
            number = np.unique(number, return_inverse=True)[1].reshape(-1)
            many = len(number)
        number, many = number * size + codes + 1, many * size
    _, first, group = np.unique(number, return_index=True, return_inverse=True)
    return first, group.reshape(-1)


def added(group: Ints, counts: Ints, groups: int) -> Ints:
    """Add up counts by group."""
    total = np.zeros(groups, np.int64)
    np.add.at(total, group, counts)
    return total
