"""JSON lines read strictly, and written."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from giveaway.errors import DataError
from giveaway.model.layout import Layout
from giveaway.sources.files.first_look import look_at_records
from giveaway.sources.files.read_records import read_records_table, read_records_transactions
from giveaway.sources.files.record_values import Record, WrittenFloat, write_json_lines
from giveaway.sources.files.record_values import lines_of as written_lines_of
from giveaway.sources.files.stored import BLANKS, TextPass, lines_of
from giveaway.sources.formats.format import FormatWork, Rows


def _values(text: TextPass) -> Iterator[tuple[int, Any]]:
    """Give the number and the value of each line that is not blank."""
    file, some = text.file, False
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(
                line, parse_float=WrittenFloat, parse_constant=_no_constant, object_pairs_hook=_no_repetition
            )
        except _RepeatedKey as error:
            raise DataError(
                f'The column name "{error}" appears twice in line {number} of "{file.name}".',
                hint="give each column its own name.",
            ) from None
        except (ValueError, RecursionError):
            raise DataError(
                f'Line {number} of "{file.name}" is not JSON.',
                hint="each line is one JSON object or one list.",
            ) from None
        if not isinstance(value, dict | list):
            raise DataError(
                f'Line {number} of "{file.name}" is neither an object nor a list.',
                hint="each line is one JSON object or one list.",
            )
        some = True
        yield number, value
    if not some:
        raise DataError(f'The file "{file.name}" holds no rows.', hint="check where it was exported.")


class _RepeatedKey(Exception):
    """A name that appears twice in one object."""


def _no_repetition(pairs: list[tuple[str, Any]]) -> Record:
    record = {name.strip(BLANKS): value for name, value in pairs}
    if len(record) != len(pairs):
        names = [name.strip(BLANKS) for name, _ in pairs]
        raise _RepeatedKey(next(name for name in names if names.count(name) > 1))
    return record


def _no_constant(text: str) -> float:
    raise ValueError(text)


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    """Return the columns of a released file and its rows; of lists, each row is its list."""
    values = map(json.loads, written_lines_of(file))
    if layout.shape == "lists":
        return [], ((value if layout.item is None else value[layout.item],) for value in values)
    first: dict[str, Any] = next(values, {})
    names = list(first)
    return names, (tuple(value[name] for name in names) for value in chain([first], values) if value)


def _write(target: Path, names: Sequence[str], rows: Rows, layout: Layout) -> None:
    del layout
    write_json_lines(target, (dict(zip(names, row, strict=True)) for row in rows))


WORK = FormatWork(
    transactions=read_records_transactions,
    table=read_records_table,
    look=look_at_records,
    values=_values,
    rows=_rows,
    write=_write,
    write_lists=write_json_lines,
)
