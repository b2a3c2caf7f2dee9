"""Conditions such as `sex=f, job=cook` as text, read with the help of the columns and values of a table."""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from giveaway.errors import DataError
from giveaway.model.data.labels import Label, near_labels
from giveaway.model.data.table import Table
from giveaway.sources.files.stored import BLANKS

Condition = tuple[tuple[str, Label], ...]

_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_SHOWN = 8


def joined(parts: Iterable[tuple[str, Label]]) -> str:
    """Write a condition: parts `column=value` joined by `, `, in quotes where a part could be misread.

    >>> joined([("city", "Paris, France"), ("sex", "f")])
    '"city=Paris, France", sex=f'
    """
    return ", ".join(quoted(f"{column}={value}") for column, value in parts)


def quoted(text: str) -> str:
    """Put quotes around a text that holds a comma or quotes, or that blanks begin or end."""
    plain = "," not in text and '"' not in text and text == text.strip(BLANKS)
    return text if plain else '"' + text.replace('"', '""') + '"'


class Wording:
    """The columns and values of a table by their text."""

    def __init__(self, table: Table) -> None:
        self._columns = {str(name): name for name in table.columns}
        self._labels = {
            name: {str(label): label for label in labels} for name, labels in table.labels.items()
        }
        self._classes = table.classes

    def column(self, text: str) -> str:
        """Find a column by its text."""
        if text not in self._columns:
            raise DataError(f'There is no column "{text}".', exists=", ".join(self._columns))
        return self._columns[text]

    def has(self, column: str, text: str) -> bool:
        """Tell whether a value occurs in a column, itself or by its class."""
        return self._known(column, text) is not None

    def _known(self, column: str, text: str) -> Label | None:
        """Find a value of a column by its text, or the class that it falls into."""
        labels = self._labels[column]
        if text not in labels and column in self._classes:
            met = self._classes[column].agreeing(text) or ()
            text = met[0] if len(met) == 1 else text
        return labels.get(text)

    def label(self, column: str, text: str) -> Label:
        """Find a value of a column by its text."""
        labels, known = self._labels[column], self._known(column, text)
        if known is None:
            near = near_labels(text, labels) or list(labels)[:_SHOWN]
            shown = ", ".join(f'"{label}"' for label in near)
            raise DataError(f'The value "{text}" does not occur in the column "{column}".', exists=shown)
        return known

    def condition(self, stated: Any) -> Condition:
        """Read the parts of a condition: text, a collection of texts `column=value`, or a mapping."""
        readings = self._readings(stated)
        if not readings:
            raise self._unreadable(stated)
        if len(readings) > 1:
            raise DataError(
                f"The condition {stated} can be read in two ways.",
                hint="put quotes around each of its parts.",
            )
        return readings[0]

    def _readings(self, stated: Any) -> list[Condition]:
        """Return all ways to read a condition; two are enough."""
        if isinstance(stated, Mapping):
            return self._of_parts([f"{column}={value}" for column, value in stated.items()])
        if isinstance(stated, list | tuple | set | frozenset):
            return self._of_parts([str(part) for part in stated])
        readings = self._of_text(str(stated))
        if readings:
            return readings
        inside = _unwrapped(str(stated))
        return self._of_text(inside) if isinstance(inside, str) else self._of_parts(inside)

    def _of_parts(self, parts: Sequence[str]) -> list[Condition]:
        readings: list[Condition] = [()]
        for part in parts:
            readings = [
                (*before, reading)
                for before in readings
                for reading in self._part(part)
                if reading[0] not in dict(before)
            ]
        return _distinct(readings)

    def _of_text(self, text: str) -> list[Condition]:
        """Read parts joined by commas; where a value holds commas itself, whatever gives known values."""
        readings: list[Condition] = []
        waiting: list[tuple[int, Condition]] = [(0, ())]
        while waiting and len(_distinct(readings)) < 2:  # noqa: PLR2004 # more ways do not matter
            at, before = waiting.pop()
            if at >= len(text):
                readings.append(before)
                continue
            for piece, end in _pieces(text, at):
                waiting.extend(
                    (end, (*before, reading))
                    for reading in self._part(piece)
                    if reading[0] not in dict(before)
                )
        return _distinct(readings)

    def _part(self, text: str) -> list[tuple[str, Label]]:
        """Return the ways to read one `column=value`; either may hold further equals signs."""
        readings = []
        for match in re.finditer("=", text):
            column = self._columns.get(text[: match.start()].strip(BLANKS))
            if column is None:
                continue
            for value in dict.fromkeys((text[match.end() :], text[match.end() :].strip(BLANKS))):
                known = self._known(column, value)
                if known is not None:
                    readings.append((column, known))
                    break
        return readings

    def _unreadable(self, stated: Any) -> DataError:
        """Say what is wrong with the first part that cannot be read."""
        inside = stated if not isinstance(stated, str) else _unwrapped(stated)
        if isinstance(inside, Mapping):
            inside = [f"{column}={value}" for column, value in inside.items()]
        pieces = inside.split(",") if isinstance(inside, str) else [str(part) for part in inside]
        bad = next(
            (piece.strip(BLANKS) for piece in pieces if not self._part(piece.strip(BLANKS))), str(stated)
        )
        column, equals, value = bad.partition("=")
        if not equals:
            return DataError(f'"{bad}" is not of the form column=value.')
        try:
            self.label(self.column(column.strip(BLANKS)), value.strip(BLANKS))
        except DataError as error:
            return error
        return DataError(f"The condition {stated} names a column twice.", hint="name each column once.")


def _pieces(text: str, at: int) -> list[tuple[str, int]]:
    """Return what may be the next part of a joined text, with the place after it and its comma."""
    match = _QUOTED.match(text, at)
    pieces = []
    if match is not None:
        rest = text[match.end() :].lstrip(BLANKS)
        if not rest or rest.startswith(","):
            pieces.append((match[1].replace('""', '"'), _after(text, match.end())))
    ends = [comma.start() for comma in re.finditer(",", text) if comma.start() > at]
    return pieces + [(text[at:end].strip(BLANKS), _after(text, end)) for end in (*ends, len(text))]


def _after(text: str, at: int) -> int:
    """Return the place after the blanks and the comma that follow a part."""
    rest = text[at:].lstrip(BLANKS)
    return len(text) - len(rest.removeprefix(",").lstrip(BLANKS))


def _unwrapped(text: str) -> str | list[str]:
    """Return what stands in `frozenset({'a=b'})` as texts, and what stands in `{a=b,c=d}` as one text."""
    bare = text.strip(BLANKS)
    literal = bare.removeprefix("frozenset(").removesuffix(")") if bare.startswith("frozenset(") else bare
    if not literal:
        return []
    if literal[0] in "{[(":
        try:
            parts = ast.literal_eval(literal)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            parts = None
        if isinstance(parts, list | tuple | set | dict):
            return [str(part) for part in parts]
    return bare[1:-1] if bare.startswith("{") and bare.endswith("}") else bare


def _distinct(conditions: Sequence[Condition]) -> list[Condition]:
    """Return conditions that say different things, in their order."""
    seen: dict[frozenset[tuple[str, Label]], Condition] = {}
    for condition in conditions:
        seen.setdefault(frozenset(condition), condition)
    return list(seen.values())
