"""The rows of a file with classes in the place of values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from giveaway.sources.encoding.grouping import Labels
from giveaway.sources.files.as_relation import Relation


def value_counts(given: Relation, column: str, missing: Sequence[str]) -> dict[str, int]:
    """Count the values of a column by their texts."""
    text = given.present(column, missing)
    found = given.engine.parts(
        f"SELECT {text} AS text, count(*) AS n FROM given WHERE {text} IS NOT NULL GROUP BY text ORDER BY text",  # noqa: S608 # quoted
        given.rows,
    )
    return {
        str(text): int(count) for texts, counts in found for text, count in zip(texts, counts, strict=True)
    }


def classed(given: Relation, labels: Labels, missing: Sequence[str]) -> Relation:
    """Replace the values of some columns by their classes, as texts; missing values become null.

    Each value is looked up, so that whatever the engine thinks of numbers and dates does not matter.
    """
    there = {column: of for column, of in labels.items() if column not in given.leave_out}
    if not there:
        return given
    names = [given.raw(name) for name in given.columns if name not in given.leave_out]
    cells, joins = dict(zip(names, names, strict=True)), ""
    for column, of in there.items():
        raw = given.raw(column)
        _put(given, f"classes_{raw}", of)
        cells[raw] = f"class_{raw} AS {raw}"
        joins += f" LEFT JOIN classes_{raw} ON value_{raw} = {given.present(column, missing)}"
    given.engine.run(
        f"CREATE TABLE classed AS SELECT n, {', '.join(cells.values())} FROM given{joins} ORDER BY n",  # noqa: S608 # quoted
        given.rows,
    )
    for statement in (
        "DROP TABLE given",
        "ALTER TABLE classed RENAME TO given",
        *(f"DROP TABLE classes_{given.raw(column)}" for column in there),
    ):
        given.engine.run(statement)
    types = (
        "VARCHAR" if name in there else kind for name, kind in zip(given.columns, given.types, strict=True)
    )
    return replace(given, types=tuple(types))


def _put(given: Relation, table: str, of: Mapping[str, str]) -> None:
    raw = table.removeprefix("classes_")
    given.engine.run(f"CREATE TABLE {table}(value_{raw} VARCHAR, class_{raw} VARCHAR)")
    if of:
        arrays = {"value": np.array([*of], object), "class": np.array([*of.values()], object)}
        given.engine.connection.register("put", arrays)
        given.engine.run(f"INSERT INTO {table} SELECT * FROM put")  # noqa: S608 # our own
        given.engine.connection.unregister("put")
