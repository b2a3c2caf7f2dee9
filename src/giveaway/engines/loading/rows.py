"""The rows of written files as Parquet, as they are loaded into a table."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.engines.connections.working import BATCH
from giveaway.model.data.table import Table
from giveaway.model.layout import Layout
from giveaway.model.release.release import Release
from giveaway.sources.files import as_relation
from giveaway.sources.files.duckdb import (
    DuckDBEngine,
    engine,
    exact_path,
    identifier,
    literal,
    told_as_data_errors,
)
from giveaway.sources.files.record_values import values_of
from giveaway.sources.files.stored import StoredFile, TextPass
from giveaway.sources.formats import format_in
from giveaway.sources.formats.jsonl import JSONL
from giveaway.sources.formats.parquet import PARQUET

if TYPE_CHECKING:
    import pyarrow as pa

_TRANSACTION, _ITEM = "transaction", "item"
_TOO_LARGE = 1 << 63
_TYPES = {frozenset({"bool"}): "BOOLEAN", frozenset({"int"}): "BIGINT", frozenset({"float"}): "DOUBLE"}
_LISTS = "VARCHAR[]"


@dataclass(frozen=True)
class RowsToLoad:
    """Rows to be loaded, and how they stand in the table."""

    opened: DuckDBEngine
    stored: str
    """SQL for the Parquet files that hold them."""
    layout: Layout

    @property
    def total(self) -> int:
        """The number of rows."""
        return int(self.opened.value(f"SELECT count(*) FROM {self.stored}"))  # noqa: S608 # quoted

    def arrow(self) -> "pa.RecordBatchReader":
        """Read them as batches of Arrow."""
        answer: Any = self.opened.connection.execute(f"SELECT * FROM {self.stored}")  # noqa: S608 # quoted
        read = getattr(answer, "to_arrow_reader", None) or answer.fetch_record_batch  # the older name
        return read(BATCH)


@contextmanager
def released_rows(release: Path, of: Release) -> Iterator[RowsToLoad]:
    """Open the written files of a release; lists that are no column of a table get one row for each item."""
    assert of.original.origin is not None  # noqa: S101 # data without a form cannot have been written
    layout = of.original.origin.layout
    stored = replace(layout, format="table", nothing=None, header=True)
    if format_in(layout).separator is not None:
        with as_relation.opened(StoredFile(release), layout.separator, header=layout.header) as source:
            loaded = source.load()
            names = loaded.columns if layout.header else _numbered(layout, of)
            yield RowsToLoad(loaded.engine, _delimited(loaded.engine, names, layout), stored)
        return
    with told_as_data_errors(StoredFile(release)), engine() as opened:
        if layout.format == PARQUET.name:
            parts = sorted(release.iterdir()) if release.is_dir() else [release]
            yield RowsToLoad(opened, _parquet(*parts), stored)
        elif layout.shape == "baskets" or (layout.shape == "lists" and layout.item is None):
            long = replace(stored, shape="long", id=_TRANSACTION, item=_ITEM)
            types = {_TRANSACTION: "BIGINT", _ITEM: "VARCHAR"}
            yield RowsToLoad(opened, _put(opened, types, lambda: _long(_lists(release, layout))), long)
        else:
            types = _json_types(release, layout)
            yield RowsToLoad(opened, _put(opened, types, lambda: _records(release, layout, types)), stored)


def _parquet(*parts: Path) -> str:
    return f"read_parquet([{', '.join(map(exact_path, parts))}], hive_partitioning = false)"


def _copied(opened: DuckDBEngine, query: str) -> str:
    """Write the answer to a query as Parquet; return SQL for the file."""
    file = opened.folder / "rows.parquet"
    opened.run(f"COPY ({query}) TO {literal(str(file))} (FORMAT parquet, ROW_GROUP_SIZE {opened.row_group})")
    return _parquet(file)


def _delimited(opened: DuckDBEngine, names: Iterable[str], layout: Layout) -> str:
    """Take every column as text; an empty field is nothing, unless it is a value of its own."""
    shown = "nullif({}, '')" if "" in layout.missing else "{}"
    cells = ", ".join(
        f"{shown.format(f'c{place}')} AS {identifier(name)}" for place, name in enumerate(names)
    )
    return _copied(opened, f"SELECT {cells} FROM given ORDER BY n")  # noqa: S608 # quoted


def _numbered(layout: Layout, of: Release) -> list[str]:
    """Name the columns of a file without header: by the numbers that they had in the original."""
    table = of.original
    judged = tuple(table.columns) if isinstance(table, Table) else (str(layout.id), str(layout.item))
    return sorted({*judged, *layout.others}, key=lambda name: int(name.removeprefix("c")))


# Lists and JSON -------------------------------------------------------------------------------------------


def _put(
    opened: DuckDBEngine, types: Mapping[str, str], rows: Callable[[], Iterator[tuple[str | None, ...]]]
) -> str:
    """Write rows of texts as Parquet with columns of some types; return SQL for the file."""
    columns_put = [f"c{place}" for place in range(len(types))]
    opened.run(f"CREATE TABLE texts ({', '.join(f'{name} VARCHAR' for name in columns_put)})")
    coming = rows()
    while some := list(islice(coming, BATCH)):
        columns = np.empty((len(columns_put), len(some)), object)
        columns[:] = list(zip(*some, strict=True))
        opened.connection.register("put", dict(zip(columns_put, columns, strict=True)))
        opened.run("INSERT INTO texts SELECT * FROM put")
        opened.connection.unregister("put")
    cells = ", ".join(
        f"{_read(name, kind)} AS {identifier(column)}"
        for name, (column, kind) in zip(columns_put, types.items(), strict=True)
    )
    return _copied(opened, f"SELECT {cells} FROM texts")  # noqa: S608 # quoted


def _read(cell: str, kind: str) -> str:
    """Return SQL for a value that was put as text."""
    return f"from_json({cell}, '[\"VARCHAR\"]')" if kind == _LISTS else f"CAST({cell} AS {kind})"


def _lines(release: Path) -> Iterator[str]:
    with gzip.open(release, "rb") if release.suffix == ".gz" else release.open("rb") as file:
        for line in file:
            yield line.decode()


def _values(release: Path, layout: Layout) -> Iterator[Any]:
    if layout.format == JSONL.name:
        return map(json.loads, _lines(release))
    return (value for _, value in values_of(TextPass(StoredFile(release))))


def _lists(release: Path, layout: Layout) -> Iterator[list[Any]]:
    return map(str.split, _lines(release)) if layout.shape == "baskets" else _values(release, layout)


def _long(lists: Iterable[list[Any]]) -> Iterator[tuple[str | None, ...]]:
    """Give one row for each item of each list, a bare one for an empty list."""
    for number, items in enumerate(lists, start=1):
        for item in items or (None,):
            yield str(number), None if item is None else _text(item)


def _json_types(release: Path, layout: Layout) -> dict[str, str]:
    """Return the columns of JSON lines: truth, whole numbers or floats where there is nothing else, lists, text."""
    kinds: dict[str, set[str]] = {}
    for record in _values(release, layout):
        for name, value in record.items():
            kinds.setdefault(name, set()).add(_kind(value))
    types = {name: _TYPES.get(frozenset(seen - {"NoneType"}), "VARCHAR") for name, seen in kinds.items()}
    return types | ({str(layout.item): _LISTS} if layout.shape == "lists" else {})


def _kind(value: Any) -> str:
    return "large" if isinstance(value, int) and abs(value) >= _TOO_LARGE else type(value).__name__


def _records(release: Path, layout: Layout, types: Mapping[str, str]) -> Iterator[tuple[str | None, ...]]:
    for record in _values(release, layout):
        yield tuple(_cell(record.get(name), kind) for name, kind in types.items())


def _cell(value: Any, kind: str) -> str | None:
    if value is None:
        return None
    return json.dumps([_text(item) for item in value]) if kind == _LISTS else _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
