"""Small files beside the data, lists of rules, entries or statements: their lines with the names of the columns."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from giveaway.errors import DataError, Mistake, WrongQuestion
from giveaway.model.data.table import Table
from giveaway.sources.files.record_values import records_of
from giveaway.sources.files.stored import BLANKS, StoredFile, TextPass, stored
from giveaway.sources.formats.delimited.text import SEPARATORS, csv_text, records

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class FileLine:
    """One line of a file, or one object of a JSON file: its fields by the names of the columns."""

    where: str
    fields: dict[str, Any]

    def text(self, column: str) -> str:
        """Return a field as trimmed text, empty where it is missing."""
        value = self.fields.get(column)
        return "" if value is None else str(value).strip(BLANKS)

    def wrong(self, fact: str, *, exists: str | None = None, hint: str | None = None) -> NoReturn:
        """Refuse the line."""
        raise DataError([Mistake(fact, exists, hint, self.where)])

    def checked(self, work: Callable[[], Any]) -> Any:
        """Do something with the line, and tell where it stands if that is refused."""
        try:
            return work()
        except WrongQuestion as error:
            mistake = error.mistakes[0]
            self.wrong(mistake.fact, exists=mistake.exists, hint=mistake.hint)


def lines_of(
    path: PathLike, fits: Callable[[Sequence[str]], bool], *, needs: str
) -> tuple[list[str], Iterator[FileLine]]:
    """Return the columns of a delimited file and its lines.

    `fits` tells whether a header is the wanted one, which finds the separator too; `needs` says what it must have.
    """
    file = stored(path)
    text = TextPass(file)
    headers = {separator: _header(text, separator) for separator in (*SEPARATORS, " ")}
    separator = next((cut for cut, names in headers.items() if fits(names)), None)
    if separator is None:
        names = max(headers.values(), key=len)
        raise DataError(
            f'The first line of "{file.name}" does not name the columns needed.',
            exists=", ".join(names),
            hint=needs,
        )
    names = headers[separator]
    named = [name for name in names if name]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise DataError(
            f'The column name "{twice}" appears twice in "{file.name}".',
            hint="give each column its own name.",
        )
    return names, _lines(text, separator, names)


def lines_by_record(
    path: PathLike, table: Table, needed: Sequence[str], joined: str
) -> tuple[str, list[str], Iterator[FileLine]]:
    """Return the column that names records, by their ids or row numbers, the names of all columns, and the lines."""
    by_id = "row" if table.id is None else str(table.id)
    key = "row" if table.id is None else f"{by_id} (the id) or row"
    names, lines = lines_of(
        path,
        lambda names: bool({"row", by_id} & {*names}) and {*needed} <= {*names},
        needs=joined.join([key, *needed]) + ".",
    )
    return by_id if by_id in names else "row", names, lines


def row_of(line: FileLine, key: str, table: Table) -> int:
    """Return the row, from 0, of the record that a line names in a column: by its id, or by its row number from 1."""
    text = line.text(key)
    if key == str(table.id):
        whole = text.isdecimal() and not isinstance(table.ids[0], str)
        row: int = line.checked(lambda: table.row(int(text) if whole else text))
        return row
    number = int(text) if text.isdecimal() and len(text) <= len(str(len(table))) else 0
    if not 1 <= number <= len(table):
        line.wrong(
            f'There is no row "{text}".', exists=f"rows 1 to {len(table)}", hint="rows are counted from 1."
        )
    return number - 1


def nothing_in(
    path: PathLike, lacks: str, hint: str = "write one a line, or leave the file out."
) -> DataError:
    """Make the error for a file without any line of what it is for."""
    return DataError(f'"{Path(path).name}" {lacks}.', hint=hint)


def json_lines_of(path: PathLike) -> Iterator[FileLine]:
    """Give the objects of a JSON file, a list of objects or one a line; broken numbers stay text."""
    file = stored(path)
    if not file.has_columns:
        for number, record in records_of(TextPass(file)):
            texts = {name: getattr(value, "text", value) for name, value in record.items()}
            yield FileLine(f'Line {number} of "{file.name}"', texts)
        return
    try:
        values = json.loads(b"".join(file.clean()), parse_float=str)
    except (ValueError, RecursionError):
        raise DataError(f'The file "{file.name}" is not JSON.', hint="write a list of objects.") from None
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise DataError(f'The file "{file.name}" is no list of objects.', hint="write one object a rule.")
    for number, value in enumerate(values, 1):
        yield FileLine(f'Rule {number} of "{file.name}"', value)


def is_json(path: PathLike) -> bool:
    """Tell whether the ending of a file says that it holds JSON."""
    file = StoredFile(Path(path))
    return file.ending == ".json" or not file.has_columns


def write_csv(target: Path, rows: Iterable[Sequence[str]]) -> Path:
    """Write rows of text, quoted where needed."""
    target.write_text(csv_text(rows), encoding="utf-8", newline="")
    return target


def _header(text: TextPass, separator: str) -> list[str]:
    try:
        first = next(records(text.file, separator, text.start()), None)
    except DataError:
        if separator == SEPARATORS[0]:
            raise
        return []
    return [] if first is None else [name.strip(BLANKS) for name in first[1]]


def _lines(text: TextPass, separator: str, names: Sequence[str]) -> Iterator[FileLine]:
    file, rows = text.file, records(text.file, separator, text.chunks())
    next(rows)
    for number, fields in rows:
        line = FileLine(f'Line {number} of "{file.name}"', dict(zip(names, fields, strict=False)))
        if len(fields) != len(names):
            line.wrong(
                f"It has {len(fields)} fields instead of {len(names)}.",
                hint="put quotes around values that hold the separator.",
            )
        yield line
