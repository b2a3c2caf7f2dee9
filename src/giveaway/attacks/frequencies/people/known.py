"""What is known of people: values, lists of values or ranges of some of their columns."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Flags
from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Codes
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction


class OneOf(NamedTuple):
    """The value is one of these."""

    values: tuple[Label, ...]

    def fits(self, label: Label, column: str) -> bool:  # noqa: ARG002 - a range tells which column is not a number
        """Tell whether a value agrees, also where one of the two is a text."""
        return any(label == value or str(label) == str(value) for value in self.values)


class Range(NamedTuple):
    """The value is a number between two others, both included."""

    low: Fraction
    high: Fraction

    def fits(self, label: Label, column: str) -> bool:
        """Tell whether a value agrees; what is not a number is refused."""
        return self.low <= fraction(label, column) <= self.high


Known = OneOf | Range
Knowledge = tuple[tuple[str, Known], ...]
"""What is known of one person, in the order of the columns; nothing where it is empty."""

People = tuple[tuple[Label, Knowledge], ...]


def of_people(people: Mapping[Label, Mapping[str, Any]] | Table) -> People:
    """Put what is known into one form; in a table a gap is nothing known, and `a..b` a range."""
    if isinstance(people, Table):
        return tuple((person, _knowledge(row)) for person, row in _rows(people))
    if not isinstance(people, Mapping) or not all(isinstance(row, Mapping) for row in people.values()):
        raise ScenarioError(
            "What is known of people is not a mapping of each person to what is known of their columns.",
            hint='write {"Mary": {"age": (30, 35)}}, or give a table with an id.',
        )
    return tuple((person, _knowledge(row.items())) for person, row in people.items())


def _knowledge(row: Iterable[tuple[str, Any]]) -> Knowledge:
    return tuple(sorted((column, _known(value, column)) for column, value in row))


def _known(value: Any, column: str) -> Known:
    if isinstance(value, tuple):
        if len(value) != 2:  # noqa: PLR2004 - the two ends of a range
            raise ScenarioError(f"{value!r} is not a range of {column}.", hint="write (30, 35).")
        low, high = (fraction(end, column) for end in value)
        if low > high:
            raise ScenarioError(
                f"A range of {column} goes from {value[0]} to {value[1]}, which is lower.",
                hint="write the lower end first.",
            )
        return Range(low, high)
    values = tuple(sorted(value, key=str)) if isinstance(value, list | set | frozenset) else (value,)
    if not values:
        raise ScenarioError(f"A list of values of {column} is empty.", hint="leave out what is not known.")
    return OneOf(values)


def _rows(table: Table) -> Iterable[tuple[Label, list[tuple[str, Any]]]]:
    if table.id is None or not table.names_once:
        raise ScenarioError(
            "What is known names nobody, or somebody twice.",
            hint="read it with the id of the table, one row a person.",
        )
    for row, person in enumerate(table.ids):
        record = int(table.record_of[row])
        codes = ((column, int(values[record])) for column, values in table.columns.items())
        yield person, [(column, _entry(table.labels[column][code])) for column, code in codes if code >= 0]


def _entry(label: Label) -> Any:
    ends = str(label).split("..")
    return (ends[0], ends[1]) if len(ends) == 2 and all(ends) else label  # noqa: PLR2004 - the two ends of a range


def agreeing(table: Table, knowledge: Knowledge) -> Flags:
    """Tell which records agree with all that is known of somebody; a record without a value does."""
    some = np.ones(len(table.weights), np.bool_)
    for column, known in knowledge:
        fits = np.array(
            [known.fits(label, column) for label in table.labels[table.checked(column)]], np.bool_
        )
        codes: Codes = table.columns[column]
        some &= np.where(codes < 0, True, fits[np.maximum(codes, 0)] if len(fits) else True)
    return some


def exactly(table: Table, columns: Iterable[str]) -> People:
    """Return what somebody knows who knows every value of some columns of everybody."""
    names = [*columns]
    people = []
    for row, person in enumerate(table.ids):
        record = int(table.record_of[row])
        codes = ((column, int(table.columns[column][record])) for column in names)
        people.append(
            (
                person,
                tuple((column, OneOf((table.labels[column][code],))) for column, code in codes if code >= 0),
            )
        )
    return tuple(people)
