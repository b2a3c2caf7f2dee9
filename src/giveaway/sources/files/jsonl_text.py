"""JSON lines as values: parsing them strictly, and their text as it was written."""

import json
from collections.abc import Collection, Iterable, Iterator
from math import inf
from typing import Any

from giveaway.errors import DataError
from giveaway.sources.files.stored import BLANKS, TextPass, lines_of

Record = dict[str, Any]


class _WrittenFloat(float):
    """A number that remembers how it was written, so that its label is that text."""

    text: str


def values_of(text: TextPass) -> Iterator[tuple[int, Any]]:
    """Give the number and the value of each line that is not blank."""
    file, some = text.file, False
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(
                line, parse_float=_float, parse_constant=_no_constant, object_pairs_hook=_no_repetition
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


def records_of(text: TextPass) -> Iterator[tuple[int, Record]]:
    """Give the number and the object of each line."""
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
    elif isinstance(value, _WrittenFloat):
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
    if not (kinds <= {bool} or kinds <= {int, _WrittenFloat}):
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


class _RepeatedKey(Exception):
    """A name that appears twice in one object."""


def _no_repetition(pairs: list[tuple[str, Any]]) -> Record:
    made = {name.strip(BLANKS): value for name, value in pairs}
    if len(made) != len(pairs):
        names = [name.strip(BLANKS) for name, _ in pairs]
        raise _RepeatedKey(next(name for name in names if names.count(name) > 1))
    return made


def _float(text: str) -> float:
    made = _WrittenFloat(text)
    made.text = text
    return made


def _no_constant(text: str) -> float:
    raise ValueError(text)
