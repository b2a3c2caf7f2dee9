"""Released files read back: records of a delimited, JSON or Parquet file, one after the other."""

import csv
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from giveaway.model.origin import Layout

Value = str | tuple[Any, str | None] | None
"""A written text, or a written value with the text that it is known by; None where there is nothing."""

_AT_ONCE = 10_000


def records(file: Path, layout: Layout) -> Iterator[Any]:
    """Give the records of a file: mappings of column to value, or lists."""
    if layout.format == "parquet":
        return _parquet(file)
    return _jsonl(file, layout) if layout.format == "jsonl" else _csv(file, layout)


def lines(file: Path) -> Iterator[bytes]:
    """Give the lines of a file."""
    with _open(file) as found:
        yield from found


def rows(file: Path, separator: str = ",", encoding: str = "utf-8") -> Iterator[list[str]]:
    """Give the rows of a delimited file; blank lines are none."""
    with _open(file) as raw:
        csv.field_size_limit(sys.maxsize)
        # A file opened for text would take other characters for ends of lines too.
        found = csv.reader((line.decode(encoding) for line in raw), delimiter=separator, strict=True)
        yield from (cells for cells in found if cells)


def _open(file: Path) -> IO[bytes]:
    return gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb")  # type: ignore[return-value] # a GzipFile reads like a file


def _csv(file: Path, layout: Layout) -> Iterator[dict[str, Any]]:
    names: list[str] | None = None
    for cells in rows(file, layout.separator, layout.encoding):
        if names is None:
            names = cells if layout.header else [f"c{place}" for place in range(1, len(cells) + 1)]
            if layout.header:
                continue
        yield dict(zip(names, cells, strict=True))


def _jsonl(file: Path, layout: Layout) -> Iterator[Any]:
    for line in lines(file):
        if line.strip():
            yield json.loads(line.decode(layout.encoding))


def _parquet(file: Path) -> Iterator[dict[str, Any]]:
    for names, cells in _stored(file, "SELECT * FROM read_parquet(?)"):
        yield dict(zip(names, cells, strict=True))


def _stored(file: Path, query: str) -> Iterator[tuple[list[str], tuple[Any, ...]]]:
    """Give the names of the columns with each row of an answer about a Parquet file."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(query, [str(file)])
        names = [column[0] for column in connection.description or ()]
        while part := connection.fetchmany(_AT_ONCE):
            yield from ((names, cells) for cells in part)


# Tables, column by column ---------------------------------------------------------------------------------------


def blocks(
    file: Path, layout: Layout, names: list[str] | None = None
) -> Iterator[dict[str, Sequence[Value]]]:
    """Give the columns of a table, many rows at a time; `names` are those of a file without header."""
    if layout.format == "parquet":
        return _stored_blocks(file)
    return _jsonl_blocks(file, layout) if layout.format == "jsonl" else _csv_blocks(file, layout, names)


def _csv_blocks(file: Path, layout: Layout, names: list[str] | None) -> Iterator[dict[str, Sequence[Value]]]:
    found = rows(file, layout.separator, layout.encoding)
    header = _once(next(found) if names is None else names)
    while some := list(islice(found, _AT_ONCE)):
        yield dict(zip(header, zip(*some, strict=True), strict=True))


def _jsonl_blocks(file: Path, layout: Layout) -> Iterator[dict[str, Sequence[Value]]]:
    found = _jsonl(file, layout)
    while some := list(islice(found, _AT_ONCE)):
        header = dict.fromkeys(name for record in some for name in record)
        yield {name: [_as_value(record.get(name)) for record in some] for name in header}


def _stored_blocks(file: Path) -> Iterator[dict[str, Sequence[Value]]]:
    """Give the columns of a Parquet file: text and whole numbers as text, anything else as value and text."""
    types = {cells[0]: str(cells[1]) for _, cells in _stored(file, "DESCRIBE SELECT * FROM read_parquet(?)")}
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in types}
    texts = [f"CAST({name} AS VARCHAR)" for name in quoted.values()]
    others = [name for name, kind in types.items() if kind != "VARCHAR" and not kind.endswith("INT")]
    query = f"SELECT {', '.join([*texts, *(quoted[name] for name in others)])} FROM read_parquet(?)"  # noqa: S608 # quoted
    found = _stored(file, query)
    while some := list(islice(found, _AT_ONCE)):
        columns = list(zip(*(cells for _, cells in some), strict=True))
        made: dict[str, Sequence[Value]] = dict(zip(types, columns, strict=False))
        for name, raw in zip(others, columns[len(types) :], strict=True):
            made[name] = list(zip(map(_plain, raw), columns[list(types).index(name)], strict=True))
        yield made


def _once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("a column stands twice")
    return names


def _as_value(value: Any) -> Value:
    if value is None:
        return None
    return _plain(value), str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    """Return a value that can be looked up."""
    return str(value) if isinstance(value, list | dict) else value
