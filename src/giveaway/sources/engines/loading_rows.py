"""The rows of written files as batches of Arrow, as they are loaded into a table."""

import gzip
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giveaway.model.origin import Layout
from giveaway.model.release import Release
from giveaway.model.table import Table
from giveaway.sources.engine import Engine, engine, exact_path, identifier, told_as_data_errors
from giveaway.sources.engines.working import BATCH
from giveaway.sources.files import StoredFile
from giveaway.sources.relation import relation

if TYPE_CHECKING:
    import pyarrow as pa

_TRANSACTION, _ITEM = "transaction", "item"
_TOO_LARGE = 1 << 63


@dataclass(frozen=True)
class Rows:
    """Rows to be loaded, and how they stand in the table."""

    schema: "pa.Schema"
    batches: "Iterable[pa.RecordBatch]"
    total: int
    layout: Layout


@contextmanager
def released_rows(release: Path, of: Release) -> Iterator[Rows]:
    """Open the written files of a release; lists that are no column of a table get one row for each item."""
    assert of.original.origin is not None  # noqa: S101 # data without a form cannot have been written
    layout = of.original.origin.layout
    stored = replace(layout, format="table", header=True)
    if layout.format == "parquet":
        with _parquet(release) as (schema, batches, total):
            yield Rows(schema, batches, total, stored)
    elif layout.format == "csv":
        with _delimited(release, layout, of) as (schema, batches, total):
            yield Rows(schema, batches, total, stored)
    elif layout.shape == "baskets" or (layout.shape == "lists" and layout.item is None):
        long = replace(stored, shape="long", id=_TRANSACTION, item=_ITEM)
        yield Rows(_long_schema(), _long(_lists(release, layout)), len(of.original), long)
    else:
        schema = _json_schema(release, layout)
        yield Rows(schema, _records(_json_lines(release), schema), len(of.original), stored)


_Opened = Iterator[tuple["pa.Schema", "Iterable[pa.RecordBatch]", int]]


@contextmanager
def _parquet(release: Path) -> _Opened:
    parts = sorted(release.iterdir()) if release.is_dir() else [release]
    stored = f"read_parquet([{', '.join(map(exact_path, parts))}], hive_partitioning = false)"
    with told_as_data_errors(StoredFile(parts[0])), engine() as opened:
        total = int(opened.value(f"SELECT count(*) FROM {stored}"))  # noqa: S608 # quoted
        found = _reader(opened, f"SELECT * FROM {stored}")  # noqa: S608 # quoted
        yield found.schema, found, total


@contextmanager
def _delimited(release: Path, layout: Layout, of: Release) -> _Opened:
    """Read every column as text; an empty field is nothing, unless it is a value of its own."""
    with relation(StoredFile(release), layout.separator, header=layout.header) as given:
        names = given.columns if layout.header else _numbered(layout, of)
        shown = "nullif({}, '')" if "" in layout.missing else "{}"
        cells = ", ".join(
            f"{shown.format(f'c{place}')} AS {identifier(name)}" for place, name in enumerate(names)
        )
        found = _reader(given.engine, f"SELECT {cells} FROM given ORDER BY n")  # noqa: S608 # quoted
        yield found.schema, found, given.rows


def _reader(opened: Engine, query: str) -> "pa.RecordBatchReader":
    found: Any = opened.connection.execute(query)
    read = getattr(found, "to_arrow_reader", None) or found.fetch_record_batch  # the older name
    return read(BATCH)


def _numbered(layout: Layout, of: Release) -> list[str]:
    """Name the columns of a file without header: by the numbers that they had in the original."""
    table = of.original
    judged = tuple(table.columns) if isinstance(table, Table) else (str(layout.id), str(layout.item))
    return sorted({*judged, *layout.others}, key=lambda name: int(name.removeprefix("c")))


# Lists and JSON -------------------------------------------------------------------------------------------


def _lines(release: Path) -> Iterator[str]:
    with gzip.open(release, "rb") if release.suffix == ".gz" else release.open("rb") as file:
        for line in file:
            yield line.decode()


def _json_lines(release: Path) -> Iterator[Any]:
    return map(json.loads, _lines(release))


def _lists(release: Path, layout: Layout) -> Iterator[list[Any]]:
    return map(str.split, _lines(release)) if layout.format == "baskets" else _json_lines(release)


def _long_schema() -> "pa.Schema":
    import pyarrow as pa

    return pa.schema([(_TRANSACTION, pa.int64()), (_ITEM, pa.string())])


def _long(lists: Iterable[list[Any]]) -> "Iterator[pa.RecordBatch]":
    """Give one row for each item of each list, a bare one for an empty list."""
    import pyarrow as pa

    rows = (
        (number, None if item is None else _text(item))
        for number, items in enumerate(lists, start=1)
        for item in items or (None,)
    )
    while some := list(islice(rows, BATCH)):
        numbers, items = zip(*some, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(numbers), pa.array(items, pa.string())], schema=_long_schema()
        )


def _json_schema(release: Path, layout: Layout) -> "pa.Schema":
    """Return the columns of JSON lines: truth, whole numbers or floats where there is nothing else, lists, text."""
    import pyarrow as pa

    kinds: dict[str, set[str]] = {}
    for record in _json_lines(release):
        for name, value in record.items():
            kinds.setdefault(name, set()).add(_kind(value))
    types = {
        frozenset({"bool"}): pa.bool_(),
        frozenset({"int"}): pa.int64(),
        frozenset({"float"}): pa.float64(),
    }
    columns = {name: types.get(frozenset(found - {"NoneType"}), pa.string()) for name, found in kinds.items()}
    if layout.shape == "lists":
        columns[str(layout.item)] = pa.list_(pa.string())
    return pa.schema(list(columns.items()))


def _kind(value: Any) -> str:
    return "large" if isinstance(value, int) and abs(value) >= _TOO_LARGE else type(value).__name__


def _records(records: Iterable[dict[str, Any]], schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa

    found = iter(records)
    while some := list(islice(found, BATCH)):
        columns = [[_cell(record.get(field.name), field.type) for record in some] for field in schema]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _cell(value: Any, kind: "pa.DataType") -> Any:
    import pyarrow as pa

    if value is None or pa.types.is_primitive(kind):
        return value
    return [_text(item) for item in value] if pa.types.is_list(kind) else _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
