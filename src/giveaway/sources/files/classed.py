"""The rows of a file with classes in the place of values."""

from collections.abc import Sequence
from dataclasses import replace

from giveaway.sources.encoding.grouping import Labels
from giveaway.sources.files.as_relation import Relation


def value_counts(loaded: Relation, column: str, missing: Sequence[str]) -> dict[str, int]:
    """Count the values of a column by their texts."""
    text = loaded.present(column, missing)
    groups = loaded.engine.parts(
        f"SELECT {text} AS text, count(*) AS n FROM given WHERE {text} IS NOT NULL GROUP BY text ORDER BY text",  # noqa: S608 # quoted
        loaded.rows,
    )
    return {
        str(text): int(count) for texts, counts in groups for text, count in zip(texts, counts, strict=True)
    }


def classed(loaded: Relation, labels: Labels, missing: Sequence[str]) -> Relation:
    """Replace the values of some columns by their classes, as texts; missing values become null.

    Each value is looked up, so that whatever the engine thinks of numbers and dates does not matter.
    """
    there = {column: of for column, of in labels.items() if column not in loaded.leave_out}
    if not there:
        return loaded
    names = [loaded.raw(name) for name in loaded.columns if name not in loaded.leave_out]
    cells, joins = dict(zip(names, names, strict=True)), ""
    for column, of in there.items():
        raw = loaded.raw(column)
        loaded.engine.put(f"classes_{raw}", {f"value_{raw}": [*of], f"class_{raw}": [*of.values()]})
        cells[raw] = f"class_{raw} AS {raw}"
        joins += f" LEFT JOIN classes_{raw} ON value_{raw} = {loaded.present(column, missing)}"
    loaded.engine.run(
        f"CREATE TABLE classed AS SELECT n, {', '.join(cells.values())} FROM given{joins} ORDER BY n",  # noqa: S608 # quoted
        loaded.rows,
    )
    for statement in (
        "DROP TABLE given",
        "ALTER TABLE classed RENAME TO given",
        *(f"DROP TABLE classes_{loaded.raw(column)}" for column in there),
    ):
        loaded.engine.run(statement)
    types = (
        "VARCHAR" if name in there else kind for name, kind in zip(loaded.columns, loaded.types, strict=True)
    )
    return replace(loaded, types=tuple(types))
