"""Columns that turn out to have no role, once the attackers are known."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from giveaway.model.data import arrays
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.files.write_records import RecordsFile
from giveaway.sources.files.write_tables import EngineFile
from giveaway.sources.frames.lists import CodedRows
from giveaway.sources.frames.read import FrameOrigin
from giveaway.sources.other_formats import InFormat

Kept = EngineFile | RecordsFile | FrameOrigin | CodedRows
"""Where a table came from whose rows are here."""


class CountedAgain(ABC):
    """Where a table came from whose rows are not here."""

    @abstractmethod
    def rested(self, table: Table, columns: Sequence[str]) -> Table:
        """Count the rows again without some columns."""


def rested(table: Table, columns: Sequence[str]) -> Table:
    """Return a table without some columns, which are published unjudged or left out, as its `rest` says."""
    origin: object = table.origin
    if isinstance(origin, CountedAgain):
        return origin.rested(table, columns)
    kept = _merged(table, [name for name in table.columns if name not in columns])
    if origin is None:
        return kept
    if isinstance(origin, InFormat):
        return replace(kept, origin=replace(origin, inner=_rested(cast(Kept, origin.inner), table, columns)))
    return replace(kept, origin=_rested(cast(Kept, origin), table, columns))


def _rested(origin: Kept, table: Table, columns: Sequence[str]) -> Kept:
    if table.rest == "leave_out":
        return replace(origin, leave_out=(*origin.leave_out, *columns))
    return replace(origin, others={**origin.others, **looked_at({c: _first(table, c) for c in columns})})


def _first(table: Table, column: str) -> list[Label]:
    codes = table.columns[column][table.record_of[:MOST]]
    return [table.labels[column][code] for code in codes[codes >= 0].tolist()]


def _merged(table: Table, columns: Sequence[str]) -> Table:
    """Return the table with some of its columns, records that are then alike merged."""
    matrix = np.stack([table.columns[name] for name in columns], axis=1)
    first, became = arrays.distinct(matrix, [len(table.labels[name]) for name in columns])
    return replace(
        table,
        columns={name: table.columns[name][first] for name in columns},
        labels={name: table.labels[name] for name in columns},
        weights=arrays.added(became, table.weights, len(first)),
        record_of=became.astype(table.record_of.dtype)[table.record_of],
    )
