"""Releases read back: the records of files and tables, one after the other."""

import csv
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from giveaway.checker.stored import Value, Written, as_value, blocks_of, rows_of
from giveaway.model.origin import Layout

_AT_ONCE = 10_000


def is_stored(layout: Layout) -> bool:
    """Tell whether an engine reads the rows, which can then sort them."""
    return layout.format in ("parquet", "table")


def records(written: Written, layout: Layout, *, by: str | None = None) -> Iterator[Any]:
    """Give the records of a release: mappings of column to value, or lists; stored ones sorted by a column."""
    if not isinstance(written, Path) or layout.format == "parquet":
        return (dict(zip(names, cells, strict=True)) for names, cells in rows_of(written, by=by))
    return _jsonl(written, layout) if layout.format == "jsonl" else _csv(written, layout)


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


# Tables, column by column ---------------------------------------------------------------------------------------


def blocks(
    written: Written, layout: Layout, names: list[str] | None = None
) -> Iterator[dict[str, Sequence[Value]]]:
    """Give the columns of a table, many rows at a time; `names` are those of a file without header."""
    if not isinstance(written, Path) or layout.format == "parquet":
        return blocks_of(written)
    return _jsonl_blocks(written, layout) if layout.format == "jsonl" else _csv_blocks(written, layout, names)


def _csv_blocks(file: Path, layout: Layout, names: list[str] | None) -> Iterator[dict[str, Sequence[Value]]]:
    found = rows(file, layout.separator, layout.encoding)
    header = _once(next(found) if names is None else names)
    while some := list(islice(found, _AT_ONCE)):
        yield dict(zip(header, zip(*some, strict=True), strict=True))


def _jsonl_blocks(file: Path, layout: Layout) -> Iterator[dict[str, Sequence[Value]]]:
    found = _jsonl(file, layout)
    while some := list(islice(found, _AT_ONCE)):
        header = dict.fromkeys(name for record in some for name in record)
        yield {name: [as_value(record.get(name)) for record in some] for name in header}


def _once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("a column stands twice")
    return names
