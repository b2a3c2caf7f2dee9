"""Statements about parts of the people as files: one line a statement, columns as conditions."""

import csv
import re
from collections.abc import Hashable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction, ratio
from giveaway.model.release.rule import Score, Statement
from giveaway.sources.side_files.conditions import Wording, quoted
from giveaway.sources.side_files.lines import FileLine, PathLike, lines_of, nothing_in, write_csv

AMOUNTS = ("count", "share", "at_least", "at_most")

_WORDS = ("column", "value", *AMOUNTS)
_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*")
_NEEDS = "value, and count, share, at_least or at_most; every other column is a condition."


def read_statements(path: PathLike, table: Table) -> list[Statement]:
    """Read statements, such as the leaves of a decision tree, from a delimited file.

    `value` names a sensitive value and `count` says how many people have it (or `share`, `at_least`, `at_most`, as
    parts of them). Other columns are those of the table: empty for everybody, a value, several joined by commas, or a
    range `a..b`. `column` names the sensitive column where there are several.
    """
    names, lines = lines_of(path, _fits, needs=_NEEDS)
    wording = Wording(table)
    conditions = [name for name in names if name and name not in _WORDS]
    for name in conditions:
        wording.column(name)
    statements: dict[Hashable, tuple[FileLine, Statement]] = {}
    for line in lines:
        statement = _statement(line, conditions, table, wording)
        about = (
            tuple(statement.where.items()),
            statement.sensitive,
            statement.value,
            statement.count is None,
        )
        if about in statements:
            line.wrong(
                "The same people and value are listed twice.", hint=f"see {statements[about][0].where}."
            )
        statements[about] = line, statement
    if not statements:
        raise nothing_in(path, "holds no statement", "write one a line.")
    return [statement for _, statement in statements.values()]


def write_statements(statements: Sequence[Statement], table: Table, target: Path) -> Path:
    """Write statements so that `read_statements` understands them."""
    used = {column for statement in statements for column in statement.where}
    conditions = [column for column in table.columns if column in used]
    clash = next((column for column in conditions if column in _WORDS), None)
    if clash is not None:
        raise ScenarioError(
            f'A statement has a condition on "{clash}", a word of its own.', hint="rename the column."
        )
    if any(statement.rows is not None for statement in statements):
        raise ScenarioError(
            "A statement is about rows that no condition describes, and cannot be published.",
            hint="say where it holds.",
        )
    amounts = [name for name in AMOUNTS if any(getattr(one, name) is not None for one in statements)]
    several = ["column"] if len(table.sensitive) > 1 else []
    header = [*conditions, *several, "value", *amounts]
    rows = [
        [
            *(_words(one.where.get(column, ())) for column in conditions),
            *([one.sensitive or ""] if several else []),
            str(one.value),
            *(_number(getattr(one, name)) for name in amounts),
        ]
        for one in statements
    ]
    return write_csv(target, [header, *rows])


def _words(condition: Label) -> str:
    values = condition if isinstance(condition, list | tuple | set | frozenset) else (condition,)
    return ", ".join(quoted(str(value)) for value in values)


def _number(amount: Score | int | None) -> str:
    return "" if amount is None else ratio(amount) if isinstance(amount, Fraction) else str(amount)


def _fits(names: Sequence[str]) -> bool:
    return "value" in names and any(name in names for name in AMOUNTS)


def _statement(line: FileLine, conditions: Sequence[str], table: Table, wording: Wording) -> Statement:
    sensitive = _sensitive(line, table)
    value = line.checked(lambda: wording.label(sensitive, line.text("value")))
    where = {name: _where(line, name, wording) for name in conditions if line.text(name)}
    amounts: dict[str, Any] = {name: line.text(name) for name in AMOUNTS if line.text(name)}
    if "count" in amounts:
        count: Fraction = line.checked(lambda: fraction(amounts["count"], "count"))
        if count.denominator != 1 or not 0 <= count <= len(table):
            line.wrong(f"count = {amounts['count']} is no number of records.", exists=f"{len(table)} records")
        amounts["count"] = int(count)
    statement: Statement = line.checked(
        lambda: Statement(where=where, value=value, sensitive=sensitive, **amounts)
    )
    return statement


def _sensitive(line: FileLine, table: Table) -> str:
    named = line.text("column")
    if not named and len(table.sensitive) == 1:
        return table.sensitive[0]
    if named not in table.sensitive:
        line.wrong(
            f'"{named}" is not a sensitive column.' if named else "No sensitive column is named.",
            exists=", ".join(table.sensitive) or "no sensitive column",
            hint="name it in the column `column`.",
        )
    return named


def _where(line: FileLine, column: str, wording: Wording) -> Label:
    """Read a condition: a value, a range, or several values."""
    text = line.text(column)
    if wording.has(column, text):
        return wording.label(column, text)
    match = _RANGE.fullmatch(text)
    if match is not None:
        if Fraction(match[1]) > Fraction(match[2]):
            line.wrong(f"The range {text} ends before it begins.")
        return text
    values = next(csv.reader([text], skipinitialspace=True))
    labels: tuple[Label, ...] = line.checked(lambda: tuple(wording.label(column, value) for value in values))
    return labels if len(labels) > 1 else labels[0]
