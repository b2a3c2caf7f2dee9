"""The readings of a table in one line of Python."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any, get_args

import numpy as np

from giveaway.attacks.directory.candidates.agreement import exact
from giveaway.attacks.directory.readings.crowd_readings import (
    CrowdReadings,
    RegisterReadings,
    crowd_readings,
    register_readings,
)
from giveaway.attacks.directory.readings.named import Readings, ValueReadings, value_readings_of
from giveaway.attacks.directory.readings.shares import block_shares, blocks
from giveaway.attacks.directory.readings.special_uniques import Score, Suda, uniques_of
from giveaway.attacks.directory.readings.weighted import weighted_readings
from giveaway.errors import DataError, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction


def readings(
    data: Any,
    /,
    *,
    columns: Iterable[str] | None = None,
    sensitive: str | None = None,
    people: Any = None,
    hierarchy: Hierarchy | Mapping[Label, Sequence[Label]] | None = None,
    limit: Number = "1/5",
    weight: str | None = None,
    table: str | None = None,
    query: str | None = None,
) -> Readings:
    """Read k, l, t and the like off a table: a pandas, polars or Arrow frame, a `Table`, a file, or what an engine holds.

    A DuckDB relation, a Spark frame, a table of Ibis, or an address with `table` or `query` is counted where it is: its
    distinct rows of these columns come here with their numbers, and nothing else.

    Rows are in one block if they are equal in `columns`, by default all but the sensitive one; a blank is a value of its
    own. `people` is a directory, with the same columns, for the journalist's readings. `hierarchy` belongs to the
    sensitive column. Rows are at risk above `limit`. Fractions are exact. `weight` is a column that says how many people
    each row of a survey stands for; what is read off it is an estimate, and has its own names.

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
    k by fit              2
    sample uniques        0
    limit               1/5
    prosecutor highest  1/2
    prosecutor average  2/5
    prosecutor at risk    1

    These are readings, not verdicts: distinct l = 5 allows a chance of 99 %. `assess` judges chances.
    """
    named = None if columns is None else _columns(columns)
    if weight is not None and weight in (*(named or ()), sensitive):
        raise ScenarioError(
            f'The weight "{weight}" is among the columns that are read.', hint="it only counts people."
        )
    further = tuple(name for name in (sensitive, weight) if name is not None)
    held = _table(data, named, further, table, query)
    compared = named or tuple(name for name in held.columns if name not in further)
    for name in (*compared, *further):
        held.checked(name)
    if sensitive in compared:
        raise ScenarioError(
            f'The sensitive column "{sensitive}" is among the columns compared.',
            hint="who knows it learns nothing.",
        )
    if not len(held):
        raise DataError(f"The table has no {nouns().records}.", hint="there is nothing to read off.")
    if hierarchy is not None and sensitive is None:
        raise ScenarioError(
            "hierarchy is given without a sensitive column.", hint="it belongs to that column."
        )
    above = fraction(limit, "limit")
    known = Hierarchy(hierarchy) if isinstance(hierarchy, Mapping) else hierarchy
    return Readings(
        crowds_of(held, compared, above),
        None if people is None else register_of(held, compared, _people(people, compared), above),
        None if sensitive is None else values_of(held, compared, sensitive, known),
        None if weight is None else weighted_readings(held, compared, weight, sensitive),
    )


def suda(
    table: Any,
    *,
    columns: Iterable[str] | None = None,
    at_most: int = 3,
    score: Score = "elliot",
    sampled: Number = "1/100",
) -> Suda:
    """Find the special uniques of a table (SUDA): the smallest sets of columns in which a row is the only one.

    `at_most` is the largest size of such a set. `score` says how they become the score of a row: "elliot" as in sdcMicro
    unless told otherwise, "ihsn" as in its option `original_scores = FALSE`. The table is a sample, `sampled` its part of
    the population. Blanks never make a row unique.

    >>> import giveaway as ga, polars as pl
    >>> clinic = pl.DataFrame({"age": ["30", "30", "40", "40", "50"], "sex": ["f", "f", "m", "f", "m"]})
    >>> found = ga.suda(clinic, at_most=2)
    >>> found.by_size, found.scores
    ((1, 2), [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1), Fraction(1, 1), Fraction(1, 1)])
    >>> found.contributions
    {'age': Fraction(3, 1), 'sex': Fraction(2, 1)}

    Scores are readings, not chances: nothing is judged by them. BudgetExceeded is raised where the sets are too many.
    """
    named = None if columns is None else _columns(columns)
    held = _table(table, named)
    compared = named or tuple(held.columns)
    for name in compared:
        held.checked(name)
    if not len(held):
        raise DataError(f"The table has no {nouns().records}.", hint="there is nothing to read off.")
    if at_most < 1:
        raise ScenarioError(f"at_most = {at_most} must be at least 1.")
    if score not in get_args(Score):
        raise ScenarioError(f"score = {score!r} is unknown.", exists=", ".join(get_args(Score)))
    part = fraction(sampled, "sampled")
    if not 0 < part <= 1:
        raise ScenarioError(f"sampled = {sampled} must be above 0 and at most 1.")
    return uniques_of(held, compared, at_most=at_most, score=score, sampled=part)


def _columns(columns: Iterable[str]) -> tuple[str, ...]:
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names:
        raise ScenarioError("columns is empty.", hint="name the columns that somebody knows.")
    return names


def _table(
    source: Any,
    columns: tuple[str, ...] | None,
    further: tuple[str, ...] = (),
    table: str | None = None,
    query: str | None = None,
) -> Table:
    """Take a table as it is, and of anything else only what is read."""
    if isinstance(source, Table):
        if table is not None or query is not None:
            raise ScenarioError("table and query belong to an address.", hint="a Table is read already.")
        return source
    chosen = None if columns is None else (*columns, *further)
    counted: Table = import_module("giveaway.sources.counted_table").counted_table(
        source, chosen, table=table, query=query
    )
    return counted


def _people(source: Any, columns: tuple[str, ...]) -> People:
    people: People = (
        import_module("giveaway.sources.side_files.people").read_people(source, columns=columns)
        if not isinstance(source, People)
        else source
    )
    absent = [name for name in columns if name not in people.columns]
    if absent:
        raise ScenarioError(
            f'The directory has no column "{absent[0]}".',
            exists=", ".join(people.columns),
            hint="it must have all columns.",
        )
    return people


def crowds_of(table: Table, columns: Sequence[str], limit: Fraction) -> CrowdReadings:
    """Count the rows of each block."""
    shown = [table.columns[name] for name in columns]
    block = blocks(shown, len(table.weights))
    first = np.unique(block, return_index=True)[1]
    rows = np.bincount(block, weights=table.weights).astype(np.int64)
    return crowd_readings(np.array([codes[first] for codes in shown]).T, rows, limit)


def register_of(table: Table, columns: Sequence[str], people: People, limit: Fraction) -> RegisterReadings:
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


def values_of(
    table: Table, columns: Sequence[str], sensitive: str, hierarchy: Hierarchy | None
) -> ValueReadings:
    """Count the values of a sensitive column in each block."""
    labels = table.labels[sensitive]
    block = blocks([table.columns[name] for name in columns], len(table.weights))
    shares = block_shares(block, table.columns[sensitive], table.weights, values=len(labels))
    if not shares.total:
        raise DataError(f"Every value of {sensitive} is missing.", hint="there is nothing to read off.")
    levels = None
    if hierarchy is not None:
        hierarchy.check(sensitive, labels)
        levels = [hierarchy.codes(labels, level) for level in range(1, hierarchy.depth + 1)]
        if not levels or len(hierarchy.groups(hierarchy.depth)) > 1:
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
