"""Released rows that an engine stores: in Parquet files, whole or in parts, or in a table of a database."""

import datetime as dt
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giveaway.model.data.origin import Origin, StoredTable
from giveaway.model.layout import Layout
from giveaway.model.progress import memory
from giveaway.scratch import scratch_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Written = Path | StoredTable
"""A release as it was written: its main file, the folder of its parts, or a table."""

Value = str | tuple[Any, str | None] | None
"""A written text, or a written value with the text that it is known by; None where there is nothing."""

QUOTED = object()
"""What stands for the value of a text in quotes."""

_AT_ONCE = 10_000

Rows = Iterator[tuple[list[str], tuple[Any, ...]]]
Blocks = Iterator[dict[str, Sequence[Value]]]


def layout_of(written: Written, origin: Origin | None) -> Layout:
    """Return how the rows stand in a release."""
    if isinstance(written, StoredTable):
        return written.layout
    assert origin is not None  # noqa: S101 # data without a form cannot have been written
    return origin.layout


def rows_of(written: Written, *, by: str | None = None) -> Rows:
    """Give the names of the columns with each row; `by` sorts the rows by a column."""
    if isinstance(written, Path):
        return _parquet(written, f"SELECT * FROM read_parquet(?){_ordered(by)}")  # noqa: S608 # quoted
    return {"duckdb": _duckdb, "postgres": _postgres, "spark": _spark}[written.kind](written, by)


def blocks_of(written: Written) -> Blocks:
    """Give the columns, many rows at a time."""
    if isinstance(written, Path):
        return _spelled_blocks(lambda query: _parquet(written, query), "read_parquet(?)")
    if written.kind == "duckdb":
        return _spelled_blocks(lambda query: _asked(written.connection, query), written.quoted)
    return _blocks(rows_of(written))


def rows_by_file(file: Path) -> dict[str, int]:
    """Count the rows of each part of a release, by their names in its folder."""
    query = "SELECT count(*) FROM read_parquet(?)"
    return {f"{file.name}/{part.name}": next(_parquet(part, query))[1][0] for part in _parts(file)}


# Parquet ----------------------------------------------------------------------------------------------------


def _parts(file: Path) -> list[Path]:
    return sorted(file.iterdir()) if file.is_dir() else [file]


def _parquet(file: Path, query: str) -> Rows:
    with _engine() as connection:
        yield from _asked(connection, query, [[str(part) for part in _parts(file)]])


@contextmanager
def _engine() -> "Iterator[DuckDBPyConnection]":
    import duckdb

    with (
        scratch_folder() as folder,
        duckdb.connect(config={"memory_limit": f"{memory()}B", "temp_directory": str(folder)}) as connection,
    ):
        yield connection


def _spelled_blocks(ask: Callable[[str], Rows], source: str) -> Blocks:
    """Let DuckDB spell the values: text and whole numbers as text, anything else as value and text."""
    types = {cells[0]: str(cells[1]) for _, cells in ask(f"DESCRIBE SELECT * FROM {source}")}  # noqa: S608 # quoted
    texts = [f"CAST({_quoted(name)} AS VARCHAR)" for name in types]
    others = [name for name, kind in types.items() if kind != "VARCHAR" and not kind.endswith("INT")]
    rows = ask(f"SELECT {', '.join([*texts, *map(_quoted, others)])} FROM {source}")  # noqa: S608 # quoted
    while some := list(islice(rows, _AT_ONCE)):
        columns = list(zip(*(cells for _, cells in some), strict=True))
        block: dict[str, Sequence[Value]] = dict(zip(types, columns, strict=False))
        for name, raw in zip(others, columns[len(types) :], strict=True):
            pairs = zip(map(plain, raw), columns[list(types).index(name)], strict=True)
            block[name] = [None if value is None else (value, text) for value, text in pairs]
        yield block


# Tables -----------------------------------------------------------------------------------------------------


def _duckdb(table: StoredTable, by: str | None) -> Rows:
    return _asked(table.connection, f"SELECT * FROM {table.quoted}{_ordered(by)}")  # noqa: S608 # quoted


def _asked(connection: Any, query: str, values: Sequence[Any] = ()) -> Rows:
    connection.execute(query, values)
    names = [column[0] for column in connection.description or ()]
    while part := connection.fetchmany(_AT_ONCE):
        yield from ((names, cells) for cells in part)


def _postgres(table: StoredTable, by: str | None) -> Rows:
    with table.connection.cursor(name="giveaway_check") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(f"SELECT * FROM {table.quoted}{_ordered(by)}")  # noqa: S608 # quoted
        names = [column.name for column in cursor.description]
        yield from ((names, cells) for cells in cursor)


def _spark(table: StoredTable, by: str | None) -> Rows:
    stored = table.connection.table(table.quoted)
    names = {name: f"`{name.replace('`', '``')}`" for name in stored.columns}
    # Short floats would arrive with the digits of long ones.
    longer = {
        name: f"CAST(CAST({names[name]} AS STRING) AS DOUBLE)"
        for name, kind in stored.dtypes
        if kind == "float"
    }
    frame = stored.selectExpr(*(f"{longer.get(name, quoted)} AS {quoted}" for name, quoted in names.items()))
    rows = frame if by is None else frame.orderBy(names[by])
    yield from ((stored.columns, tuple(cells)) for cells in rows.toLocalIterator())


def _blocks(rows: Rows) -> Blocks:
    while some := list(islice(rows, _AT_ONCE)):
        columns = zip(*(cells for _, cells in some), strict=True)
        yield {name: list(map(as_value, cells)) for name, cells in zip(some[0][0], columns, strict=True)}


def _ordered(by: str | None) -> str:
    return "" if by is None else f" ORDER BY {_quoted(by)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# Values -----------------------------------------------------------------------------------------------------


def as_value(value: Any) -> Value:
    """Return a value with its text, or a text alone."""
    if value is None or isinstance(value, str):
        return value
    return plain(value), _text(value)


def plain(value: Any) -> Any:
    """Return a value that can be looked up; numbers that are none differ from themselves, but not in their bits."""
    if isinstance(value, float) and value != value:  # noqa: PLR0124 # only they do
        return struct.pack("d", value)
    return str(value) if isinstance(value, list | dict) else value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        here = value.astimezone()
        return _text(here.replace(tzinfo=None)) + here.isoformat()[-len("+00:00") :].removesuffix(":00")
    if isinstance(value, dt.datetime | dt.time):
        whole, dot, fraction = str(value).partition(".")
        return f"{whole}.{fraction.rstrip('0')}" if dot else whole
    return str(value)
