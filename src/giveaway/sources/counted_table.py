"""Tables of which only numbers are wanted: distinct rows of some columns, counted where the data are."""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Numbers, Table, number_type
from giveaway.sources.elsewhere import HeldElsewhere, is_counted_there, opened
from giveaway.sources.encoding.counted import table_rows
from giveaway.sources.encoding.roles import check_names
from giveaway.sources.files import as_relation
from giveaway.sources.files.stored import stored
from giveaway.sources.frames.access import chosen
from giveaway.sources.reading import PathLike, data_at, read_table

MISSING = ("",)


class CountedTable(Table):
    """Distinct records that an engine counted; its rows, which nobody asked for, are taken record by record."""

    @classmethod
    def made(
        cls, columns: dict[str, Codes], labels: dict[str, tuple[Label, ...]], weights: Ints
    ) -> "CountedTable":
        """Make a table of records and how often each occurs."""
        table = cls.__new__(cls)
        plain = {"sensitive": (), "id": None, "ids": (), "origin": None, "rest": None, "combined": ()}
        counted = {"columns": columns, "labels": labels, "weights": weights, "classes": {}, "ladders": {}}
        vars(table).update(plain | counted)
        return table

    @cached_property
    def record_of(self) -> Numbers:
        """The record of each row."""
        return np.repeat(np.arange(len(self.weights), dtype=number_type(len(self.weights))), self.weights)


def counted_table(
    data: Any, columns: Sequence[str] | None = None, *, table: str | None = None, query: str | None = None
) -> Table:
    """Count the distinct rows of some columns, all when left out, of a file, a frame or what an engine holds.

    An address comes with `table` or `query`. Of files and engines nothing but these columns is read, and of engines
    nothing but the distinct rows with their numbers comes here.
    """
    if isinstance(data, str | os.PathLike):
        where = data_at(data, table, query)
        return _of_engine(where, columns) if isinstance(where, HeldElsewhere) else _of_file(where, columns)
    if is_counted_there(data):
        return _of_engine(opened(data, table=table, query=query), columns)
    if table is not None or query is not None:
        raise ScenarioError("table and query belong to an address.", hint="a frame is itself a table.")
    return Table.from_frame(data if columns is None else chosen(data, columns))


def _of_engine(held: HeldElsewhere, columns: Sequence[str] | None) -> Table:
    names = held.columns if columns is None else columns
    check_names(names, held.columns)
    return CountedTable.made(*held.distinct(names, MISSING))


def _of_file(path: PathLike, columns: Sequence[str] | None) -> Table:
    file = stored(path)
    if not file.has_columns:
        return read_table(path)
    with as_relation.opened(file, None, header=True) as source:
        names = source.columns if columns is None else columns
        check_names(names, source.columns)
        loaded = source.load([name for name in source.columns if name not in names])
        codes, labels, weights, record_of = table_rows(loaded, names, MISSING)
    return Table(columns=codes, labels=labels, weights=weights, record_of=record_of)
