"""Releases read back as they stand, untrimmed and with their types: the records of files and tables, one after the other."""

import csv
import gzip
import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from giveaway.checker.files.stored import QUOTED, Value, Written, as_value, blocks_of, rows_of
from giveaway.checker.promise import disagree
from giveaway.model.data.origin import Layout

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
    with _open(file) as opened:
        yield from opened


def rows(file: Path, separator: str = ",", encoding: str = "utf-8") -> Iterator[list[str]]:
    """Give the rows of a delimited file; blank lines are none."""
    with _open(file) as raw:
        csv.field_size_limit(sys.maxsize)
        # A file opened for text would take other characters for ends of lines too.
        reader = csv.reader((line.decode(encoding) for line in raw), delimiter=separator, strict=True)
        yield from (cells for cells in reader if cells)


def _open(file: Path) -> IO[bytes]:
    return gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb")  # type: ignore[return-value] # a GzipFile reads like a file


def _fields(file: Path, layout: Layout) -> Iterator[list[Value]]:
    """Give the fields of each row as they stand: text, or text in quotes."""
    cut = re.escape(layout.separator)
    field = re.compile(f'"(?:[^"]|"")*"|[^"\r\n{cut}]*')
    waiting, is_open = [], False
    with _open(file) as raw:
        for line in raw:
            text = line.decode(layout.encoding)
            waiting.append(text)
            is_open ^= bool(text.count('"') % 2)
            if not is_open:
                yield _cut("".join(waiting), field, layout.separator)
                waiting = []
    if waiting:
        raise ValueError("a quote is never closed")


def _cut(row: str, field: re.Pattern[str], separator: str) -> list[Value]:
    fields: list[Value] = []
    at = -1
    while at < 0 or row[at : at + 1] == separator:
        match = field.match(row, at + 1)
        assert match is not None  # noqa: S101 # it may match nothing
        text, at = match.group(), match.end()
        fields.append((QUOTED, text[1:-1].replace('""', '"')) if text.startswith('"') else text)
    if row[at:] != "\n":
        raise ValueError("a row does not end as others do")
    return fields


def _text(value: Value) -> str:
    return str(value[1] if isinstance(value, tuple) else value)


def _csv(file: Path, layout: Layout) -> Iterator[dict[str, Any]]:
    names: list[str] | None = None
    for cells in _fields(file, layout):
        if names is None:
            names = [*map(_text, cells)] if layout.header else [f"c{at}" for at in range(1, len(cells) + 1)]
            if layout.header:
                continue
        yield dict(zip(names, cells, strict=True))


def _jsonl(file: Path, layout: Layout) -> Iterator[Any]:
    """Give the value of each line; equal values stand in equal letters, and all records have the same columns."""
    names: list[str] | None = None
    for line in lines(file):
        value = json.loads(line)
        # What cannot be encoded can stand in the escapes of JSON, and only there.
        plain = (json.dumps(value, ensure_ascii=False) + "\n").encode(layout.encoding, "backslashreplace")
        if plain != line:
            raise disagree(f"A line of {file.name} is not written as others are.")
        if isinstance(value, dict):
            names = names or list(value)
            if list(value) != names:
                raise disagree(f"The records of {file.name} do not have the same columns in the same order.")
        yield value


# Tables, column by column ---------------------------------------------------------------------------------------


def blocks(
    written: Written, layout: Layout, names: list[str] | None = None
) -> Iterator[dict[str, Sequence[Value]]]:
    """Give the columns of a table, many rows at a time; `names` are those of a file without header."""
    if not isinstance(written, Path) or layout.format == "parquet":
        return blocks_of(written)
    return _jsonl_blocks(written, layout) if layout.format == "jsonl" else _csv_blocks(written, layout, names)


def _csv_blocks(file: Path, layout: Layout, names: list[str] | None) -> Iterator[dict[str, Sequence[Value]]]:
    fields = _fields(file, layout)
    header = _once([*map(_text, next(fields))] if names is None else names)
    while some := list(islice(fields, _AT_ONCE)):
        yield dict(zip(header, zip(*some, strict=True), strict=True))


def _jsonl_blocks(file: Path, layout: Layout) -> Iterator[dict[str, Sequence[Value]]]:
    values = _jsonl(file, layout)
    while some := list(islice(values, _AT_ONCE)):
        header = dict.fromkeys(name for record in some for name in record)
        yield {name: [as_value(record.get(name)) for record in some] for name in header}


def _once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("a column appears twice")
    return names
