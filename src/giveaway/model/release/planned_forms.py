"""How everybody of a directory would be shown, planned before it is known who of them has a record."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.people import People

BLANK = -1
"""The level at which nothing is shown."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedForms:
    """The level at which each entry of a directory is shown in each column: 0 as it is, above coarser, -1 not at all.

    A plan sees the directory only. If it looked at which of its people have a record, the form of a record could tell.
    """

    people: People
    columns: tuple[str, ...]
    levels: NDArray[np.int8]
    """One row for each entry of the directory."""
