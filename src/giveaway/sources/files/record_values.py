"""Records one after the other: the text of their values as it was written."""

import gzip
import json
from collections.abc import Collection, Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Any

from giveaway.errors import DataError, ScenarioError
from giveaway.sources.files.stored import BLANKS, TextPass, opened

Record = dict[str, Any]


class WrittenFloat(float):
    """A number that remembers how it was written, so that its label is that text."""

    def __init__(self, text: str) -> None:
        self.text = text


def values_of(text: TextPass) -> Iterator[tuple[int, Any]]:
    """Give each record or list of a file with the number of its first line."""
    row = text.file.format
    values = None if row is None else row.work().values
    assert values is not None  # noqa: S101 # only files of records are read so
    return values(text)


def records_of(text: TextPass) -> Iterator[tuple[int, Record]]:
    """Give each record with its line."""
    return as_records(text, values_of(text))


def as_records(text: TextPass, values: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Record]]:
    """Give numbered values, and refuse those that are not objects."""
    for number, value in values:
        if not isinstance(value, dict):
            raise DataError(
                f'Line {number} of "{text.file.name}" is a list, not an object with columns.',
                hint="a file of lists is read without id and item.",
            )
        yield number, value


def text_of(value: object, missing: Collection[str], where: str) -> str | None:
    """Return a value as trimmed text, None when it is missing."""
    if value is None:
        return None
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, WrittenFloat):
        text = value.text
    elif isinstance(value, list | dict):
        raise DataError(
            f"{where} holds a list or an object where one value is expected.", hint="flatten it first."
        )
    else:
        text = str(value).strip(BLANKS)
    return None if text in missing else text


def are_plain(kinds: set[type], texts: Iterable[str]) -> bool:
    """Tell whether a column of these texts is written as the numbers or truth values that it holds, else it is text.

    Numbers that are equal but are spelled otherwise, such as 1.5 and 1.50, are different labels, as are 10 and "10".
    """
    if not (kinds <= {bool} or kinds <= {int, WrittenFloat}):
        return False
    values = [json.loads(text) for text in texts]
    return len(set(values)) == len(values) and not {inf, -inf} & set(values)


def items_of(value: object, missing: Collection[str], where: str) -> list[str]:
    """Return the items of a list as text; nothing is an empty list."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise DataError(
            f"{where} holds no list.", hint="say id too, the column that names the transaction of a row."
        )
    texts = (text_of(element, missing, where) for element in value)
    return [text for text in texts if text is not None]


def plain_text(value: Any, name: str) -> str:
    """Return a value of a column as text that has one form whatever it came from; nothing is an empty text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float | list | dict):
        raise ScenarioError(
            f"The column {name} holds numbers with decimals, or lists, which another format would write in another way.",
            hint="leave format out, or write parquet or jsonl from such a file.",
        )
    return str(value)


def write_json_lines(target: Path, values: Iterable[Any]) -> None:
    """Write values as JSON, one a line."""
    with opened(target) as out:
        out.writelines(json_line(value) for value in values)


def json_line(value: Any) -> bytes:
    """Return a value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


def lines_of(file: Path) -> Iterator[bytes]:
    """Give the lines of a file that was just written."""
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        yield from lines
