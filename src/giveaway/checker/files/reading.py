"""Releases read back as they stand, untrimmed and with their types: the records of files and tables, one after the other."""

import csv
import gzip
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from giveaway.checker.files.stored import QUOTED, Blocks, Value, Written, as_value, blocks_of, rows_of
from giveaway.checker.promise import disagree
from giveaway.errors import NotConfirmed
from giveaway.model.layout import Layout

_AT_ONCE = 10_000

Texts = tuple[list[str], list[list[str]]]
"""The columns of a file, and the texts of each row."""


@dataclass(frozen=True, kw_only=True)
class Reader:
    """How releases in one format are read back."""

    format: str
    records: Callable[[Path, Layout], Iterator[Any]] | None
    """Gives mappings of column to value, or lists; refuses what is written otherwise. None: an engine reads them."""
    blocks: Callable[[Path, Layout, list[str] | None], Blocks] | None = None
    """Gives the columns of a table, many rows at a time; without it they are those of the records."""
    loosely: Callable[[Path, Layout], Iterable[Mapping[str, Any]]] | None = None
    """Gives the records of a file that may have been written elsewhere, where it may differ from ours."""
    earlier: Callable[[Path, Sequence[str]], Texts] | None = None
    """Reads the columns asked for of an earlier release; without it they are those of delimited text."""


def reader_of(layout: Layout) -> Reader:
    """Return what reads a format back."""
    if layout.format not in READERS:
        raise NotConfirmed(
            f"Nothing reads a {layout.format} file back.", hint="name its reader in the table of the checker."
        )
    return READERS[layout.format]


def is_stored(layout: Layout) -> bool:
    """Tell whether an engine reads the rows, which can then sort them."""
    return reader_of(layout).records is None


def records(written: Written, layout: Layout, *, by: str | None = None) -> Iterator[Any]:
    """Give the records of a release: mappings of column to value, or lists; stored ones sorted by a column."""
    read = reader_of(layout).records
    if read is None or not isinstance(written, Path):
        return (dict(zip(names, cells, strict=True)) for names, cells in rows_of(written, by=by))
    return read(written, layout)


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


def _csv_records(file: Path, layout: Layout) -> Iterator[dict[str, Any]]:
    names: list[str] | None = None
    for cells in _fields(file, layout):
        if names is None:
            names = [*map(_text, cells)] if layout.header else [f"c{at}" for at in range(1, len(cells) + 1)]
            if layout.header:
                continue
        yield dict(zip(names, cells, strict=True))


def _json_records(file: Path, layout: Layout) -> Iterator[Any]:
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


def blocks(written: Written, layout: Layout, names: list[str] | None = None) -> Blocks:
    """Give the columns of a table, many rows at a time; `names` are those of a file without header."""
    reader = reader_of(layout)
    if reader.records is None or not isinstance(written, Path):
        return blocks_of(written)
    if reader.blocks is not None:
        return reader.blocks(written, layout, names)
    return _record_blocks(reader.records(written, layout))


def _csv_blocks(file: Path, layout: Layout, names: list[str] | None) -> Blocks:
    fields = _fields(file, layout)
    header = _once([*map(_text, next(fields))] if names is None else names)
    while some := list(islice(fields, _AT_ONCE)):
        yield dict(zip(header, zip(*some, strict=True), strict=True))


def _record_blocks(records: Iterator[Mapping[str, Any]]) -> Blocks:
    while some := list(islice(records, _AT_ONCE)):
        header = dict.fromkeys(name for record in some for name in record)
        yield {name: [as_value(record.get(name)) for record in some] for name in header}


def _once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("a column appears twice")
    return names


# Files that may have been written elsewhere -----------------------------------------------------------------


def _csv_loosely(file: Path, layout: Layout) -> Iterator[dict[str, str]]:
    """Give the records of a delimited file, whatever ends its lines and stands in quotes."""
    names: list[str] | None = None
    for cells in rows(file, layout.separator, layout.encoding):
        if names is None:
            names = cells if layout.header else [f"c{at}" for at in range(1, len(cells) + 1)]
            if layout.header:
                continue
        yield dict(zip(names, cells, strict=True))


def stored_texts(file: Path, wanted: Sequence[str]) -> Texts:
    """Return the columns and texts of Parquet, in one file or in parts."""
    stored = list(rows_of(file))
    names = stored[0][0] if stored else list(wanted)
    return names, [["" if cell is None else str(cell) for cell in row] for _, row in stored]


def _json_texts(file: Path, wanted: Sequence[str]) -> Texts:
    text = b"".join(lines(file)).decode("utf-8")
    return texts_of((json.loads(line) for line in text.split("\n") if line), wanted)


def texts_of(records: Iterable[Mapping[str, Any]], wanted: Sequence[str]) -> Texts:
    """Return the texts of records in some columns, empty where there is nothing."""
    rows = [["" if record.get(n) is None else str(record[n]) for n in wanted] for record in records]
    return list(wanted), rows


READERS: dict[str, Reader] = {
    reader.format: reader
    for reader in (
        Reader(format="csv", records=_csv_records, blocks=_csv_blocks, loosely=_csv_loosely),
        Reader(format="jsonl", records=_json_records, earlier=_json_texts),
        Reader(format="parquet", records=None, earlier=stored_texts),
        Reader(format="table", records=None),
    )
}
"""The judge's own table: a new format is read back as soon as its reader stands here; baskets are read by their shape."""
