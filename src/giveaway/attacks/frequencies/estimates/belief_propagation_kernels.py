"""The compiled sweeps of belief propagation.

Imported only when chances are estimated. Rows are items and columns are renamed items; those that look alike are one
row or one column, with how `many` they are. The edges of row r are `begin[r]` to `begin[r + 1]`.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Large = NDArray[np.int64]
Floats = NDArray[np.float64]

_OLD_PART = 0.3
_LEAST = 1e-12


@njit(cache=True)
def sweep(
    begin: Large,
    column: Large,
    many_rows: Large,
    many_columns: Large,
    to_column: Floats,
    to_row: Floats,
    sums: Floats,
) -> None:
    """Send messages from all rows, then from all columns, keeping a part of the old ones."""
    sums[:] = 0
    for row in range(len(many_rows)):
        total = 0.0
        for edge in range(begin[row], begin[row + 1]):
            total += many_columns[column[edge]] * to_row[edge]
        for edge in range(begin[row], begin[row + 1]):
            fresh = 1 / max(total - to_row[edge], _LEAST)
            to_column[edge] = _OLD_PART * to_column[edge] + (1 - _OLD_PART) * fresh
            sums[column[edge]] += many_rows[row] * to_column[edge]
    for edge in range(len(column)):
        fresh = 1 / max(sums[column[edge]] - to_column[edge], _LEAST)
        to_row[edge] = _OLD_PART * to_row[edge] + (1 - _OLD_PART) * fresh
