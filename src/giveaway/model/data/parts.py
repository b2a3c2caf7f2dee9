"""A part of the rows of a table."""

from dataclasses import replace

import numpy as np

from giveaway.model.data.arrays import Ints
from giveaway.model.data.table import Table


def only_rows(table: Table, rows: Ints) -> Table:
    """Return the table of some rows, counted from 0; it cannot be written any more.

    >>> people = Table.from_rows([{"sex": "f"}, {"sex": "m"}, {"sex": "f"}])
    >>> only_rows(people, np.array([0, 2])).weights.tolist()
    [2]
    """
    record, group = np.unique(table.record_of[rows], return_inverse=True)
    return replace(
        table,
        columns={column: held[record] for column, held in table.columns.items()},
        weights=np.bincount(group, minlength=len(record)).astype(np.int64),
        record_of=group.reshape(-1),
        ids=[table.ids[row] for row in rows.tolist()] if table.id is not None else (),
        origin=None,
    )
