"""The readings of a table in one line of Python."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np

from giveaway.attacks.directory.candidates.agreement import exact
from giveaway.attacks.directory.readings.crowd_readings import (
    RegisterReadings,
    crowd_readings,
    register_readings,
)
from giveaway.attacks.directory.readings.named import Readings, ValueReadings, value_readings_of
from giveaway.attacks.directory.readings.shares import block_shares, blocks
from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction


def readings(
    table: Any,
    *,
    columns: Iterable[str] | None = None,
    sensitive: str | None = None,
    people: Any = None,
    hierarchy: Hierarchy | Mapping[Label, Sequence[Label]] | None = None,
    limit: Number = "1/5",
) -> Readings:
    """Read k, l, t and the like off a table: a pandas, polars or Arrow frame, or a `Table`.

    Rows are in one block if they are equal in `columns`, by default all but the sensitive one; a blank is a value of its
    own. `people` is a directory, with the same columns, for the journalist's readings. `hierarchy` belongs to the
    sensitive column. Rows are at risk above `limit`. Fractions are exact.

    >>> import giveaway as ga, polars as pl
    >>> clinic = pl.DataFrame({"age": ["30-39", "30-39", "40-49", "40-49", "40-49"],
    ...                        "sex": ["f", "f", "m", "m", "m"], "illness": ["flu", "cold", "flu", "flu", "cold"]})
    >>> found = ga.readings(clinic, columns=["age", "sex"], sensitive="illness")
    >>> found.k, found.l_distinct, found.alpha, found.t_equal
    (2, 2, Fraction(2, 3), Fraction(1, 10))
    >>> ga.readings(clinic, columns=["age"])
    rows                  5
    blocks                2
    k                     2
    sample uniques        0
    limit               1/5
    prosecutor highest  1/2
    prosecutor average  2/5
    prosecutor at risk    1

    These are readings, not verdicts: distinct l = 5 allows a chance of 99 %. `assess` judges chances.
    """
    named = None if columns is None else _columns(columns)
    held = _table(table, named, sensitive)
    compared = named or tuple(name for name in held.columns if name != sensitive)
    for name in (*compared, *(() if sensitive is None else (sensitive,))):
        held.checked(name)
    if sensitive in compared:
        raise ScenarioError(
            f'The sensitive column "{sensitive}" is among the columns compared.',
            hint="who knows it learns nothing.",
        )
    if not len(held):
        raise DataError("The table has no records.", hint="there is nothing to read off.")
    if hierarchy is not None and sensitive is None:
        raise ScenarioError(
            "hierarchy is given without a sensitive column.", hint="it belongs to that column."
        )
    above = fraction(limit, "limit")
    block = blocks([held.columns[name] for name in compared], len(held.weights))
    rows = np.bincount(block, weights=held.weights).astype(np.int64)
    return Readings(
        crowd_readings(rows, above),
        None if people is None else _register(held, compared, _people(people, compared), above),
        None if sensitive is None else _values(held, block, sensitive, hierarchy),
    )


def _columns(given: Iterable[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise ScenarioError("columns is empty.", hint="name the columns that somebody knows.")
    return names


def _table(given: Any, columns: tuple[str, ...] | None, sensitive: str | None) -> Table:
    """Take a table as it is, and of a frame only what is read."""
    if isinstance(given, Table):
        return given
    chosen = None if columns is None else (*columns, *(() if sensitive is None else (sensitive,)))
    frame = given if chosen is None else import_module("giveaway.sources.frames.access").chosen(given, chosen)
    return Table.from_frame(frame)


def _people(given: Any, columns: tuple[str, ...]) -> People:
    people: People = (
        import_module("giveaway.sources.side_files.people").read_people(given, columns=columns)
        if not isinstance(given, People)
        else given
    )
    absent = [name for name in columns if name not in people.columns]
    if absent:
        raise ScenarioError(
            f'The directory has no column "{absent[0]}".',
            exists=", ".join(people.columns),
            hint="it must have all columns.",
        )
    return people


def _register(table: Table, columns: tuple[str, ...], people: People, limit: Fraction) -> RegisterReadings:
    """Count the rows and the people of each block of both."""
    both = []
    for name in columns:
        agreement = exact(table.labels[name], people.labels[name])
        fresh = np.arange(len(agreement.of_records)) + len(agreement.of_people)
        of_records = np.where(agreement.of_records < 0, fresh, agreement.of_records)
        both.append(
            np.concatenate(
                [
                    np.append(of_records, -1)[table.columns[name]],
                    np.append(agreement.of_people, -1)[people.columns[name]],
                ]
            )
        )
    entries = people.alone + np.bincount(people.several_entry, minlength=len(people.alone))
    block = blocks(both, len(table.weights) + len(entries))
    many = int(block.max(initial=-1)) + 1
    rows = np.bincount(block[: len(table.weights)], weights=table.weights, minlength=many).astype(np.int64)
    listed = np.bincount(block[len(table.weights) :], weights=entries, minlength=many).astype(np.int64)
    return replace(register_readings(rows, listed, limit), people=len(people))


def _values(
    table: Table, block: Ints, sensitive: str, hierarchy: Hierarchy | Mapping[Label, Sequence[Label]] | None
) -> ValueReadings:
    labels = table.labels[sensitive]
    shares = block_shares(block, table.columns[sensitive], table.weights, values=len(labels))
    if not shares.total:
        raise DataError(f"Every value of {sensitive} is missing.", hint="there is nothing to read off.")
    levels = None
    if hierarchy is not None:
        known = hierarchy if isinstance(hierarchy, Hierarchy) else Hierarchy(hierarchy)
        known.check(sensitive, labels)
        levels = [known.codes(labels, level) for level in range(1, known.depth + 1)]
        if not levels or len(known.groups(known.depth)) > 1:
            levels.append(np.zeros(len(labels), np.int32))
    return value_readings_of(shares, sensitive, order=_ranks(labels), labels=levels)


def _ranks(labels: Sequence[Label]) -> Ints | None:
    """Return the rank of each label by its value; None unless all are numbers, or are written as numbers."""
    numbers = []
    for label in labels:
        try:
            numbers.append(fraction(label.item() if isinstance(label, np.generic) else label))
        except ScenarioError:
            return None
    place = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    return np.array([place[number] for number in numbers], np.int64)
