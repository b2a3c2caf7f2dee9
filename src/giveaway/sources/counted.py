"""Transactions and tables counted by the engine, identical rows merged where the data are."""

from collections.abc import Sequence

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.labels import Label
from giveaway.model.rows import Codes, Ints
from giveaway.sources.engine import literal, present, trimmed
from giveaway.sources.relation import Relation

YES = ("1", "true", "True", "TRUE")
NO = ("0", "false", "False", "FALSE")

Counted = tuple[tuple[Ints, Codes, Ints], list[Label]]


def long_rows(given: Relation, id: str, item: str, missing: Sequence[str]) -> Counted:
    """Count the transactions of a long table, in the order of their first rows."""
    if given.is_list(item):
        raise ScenarioError(f'Column "{item}" holds lists.', hint="leave id out: each row is a transaction.")
    whose, what = given.present(id, missing), given.present(item, missing)
    refuse_missing_ids(given, id, missing)
    labels = given.engine.coded("item", what, "given")
    code = f"enum_code(CAST({what} AS item))" if labels else "NULL"
    return (
        _merged(
            given,
            f"SELECT list_sort(list(DISTINCT {code}) FILTER ({what} IS NOT NULL)) AS codes, min(n) AS first "  # noqa: S608 # quoted
            f"FROM given GROUP BY {whose}",
        ),
        labels,
    )


def refuse_missing_ids(given: Relation, id: str, missing: Sequence[str]) -> None:
    """Refuse rows that belong to nobody."""
    bare = given.engine.run(f"SELECT min(n), count(*) FROM given WHERE {given.present(id, missing)} IS NULL")  # noqa: S608 # quoted
    if bare[0][1]:
        raise DataError(
            f'Row {bare[0][0]} of "{given.file.name}" has no value in the column "{id}"; '
            f"{bare[0][1]} rows have none.",
            hint="every row needs the id of its transaction or record.",
        )


def list_rows(given: Relation, item: str, missing: Sequence[str]) -> Counted:
    """Count the transactions of a column of lists."""
    if not given.is_list(item):
        raise ScenarioError(
            f'Column "{item}" holds no lists.',
            hint="say id too, the column that names the transaction of a row.",
        )
    elements = f"SELECT unnest({given.raw(item)}) AS c0 FROM given"  # noqa: S608 # quoted
    text = element_text("c0", missing)
    labels = given.engine.coded("item", text, f"({elements})")
    codes = (
        f"list_transform({given.raw(item)}, lambda x: enum_code(CAST({element_text('x', missing)} AS item)))"
    )
    filtered = f"list_filter({codes}, lambda x: x IS NOT NULL)" if labels else "NULL"
    return (
        _merged(given, f"SELECT list_sort(list_distinct({filtered})) AS codes, n AS first FROM given"),  # noqa: S608 # quoted
        labels,
    )


def element_text(element: str, missing: Sequence[str]) -> str:
    """Return SQL for an element of a list as trimmed text, null where it is missing."""
    return present(trimmed(f"CAST({element} AS VARCHAR)"), missing)


def one_hot_rows(given: Relation, items: Sequence[str]) -> Counted:
    """Count the transactions of a table with one column for each item."""
    _refuse_quantities(given, items)
    if not items:
        raise ScenarioError(f'"{given.file.name}" has no columns that are items.', hint="say id and item.")
    yes = ", ".join(map(literal, YES))
    held = ", ".join(
        f"CASE WHEN {given.text(item)} IN ({yes}) THEN {code} END" for code, item in enumerate(items)
    )
    codes = f"list_filter([{held}], lambda x: x IS NOT NULL)"
    return _merged(given, f"SELECT {codes} AS codes, n AS first FROM given"), list(items)  # noqa: S608 # quoted


def _refuse_quantities(given: Relation, items: Sequence[str]) -> None:
    """Refuse a table whose cells say something else than whether a row has an item."""
    allowed = ", ".join(map(literal, (*YES, *NO)))
    for start in range(0, len(items), 500):
        some = items[start : start + 500]
        wrong = ", ".join(f"count(*) FILTER (coalesce({given.text(i)}, '') NOT IN ({allowed}))" for i in some)
        counts = given.engine.run(f"SELECT {wrong} FROM given")[0]  # noqa: S608 # quoted
        for item, count in zip(some, counts, strict=True):
            if count:
                raise not_one_hot(item, int(count))


def not_one_hot(item: Label, count: int | None = None) -> DataError:
    """Make the error for a column of quantities or words where only 0 and 1 make sense."""
    return DataError(
        f'Column "{item}" has {"" if count is None else f"{count} "}values other than 0, 1, true and false; '
        "an item can only be there or not.",
        hint="say id and item for a long table; make quantities 0 or 1 first; publish_unjudged or leave_out "
        "tell which columns are no items.",
    )


def _merged(given: Relation, query: str) -> tuple[Ints, Codes, Ints]:
    """Merge the rows that a query gives as ascending codes with the number of their first row."""
    ask = given.engine
    ask.run(
        "CREATE TABLE merged AS SELECT coalesce(codes, []) AS codes, count(*) AS weight, min(first) AS first "  # noqa: S608 # quoted
        f"FROM ({query}) GROUP BY coalesce(codes, [])"
    )
    size, weights = ask.arrays("SELECT len(codes), weight FROM merged ORDER BY first")
    offsets = np.zeros(len(size) + 1, np.int64)
    np.cumsum(size, out=offsets[1:])
    flat = ask.arrays(
        "SELECT code FROM (SELECT first, unnest(codes)::INTEGER AS code FROM merged) ORDER BY first, code"
    )
    return offsets, flat[0].astype(np.int32), weights.astype(np.int64)


def table_rows(
    given: Relation, columns: Sequence[str], missing: Sequence[str]
) -> tuple[dict[str, Codes], dict[str, tuple[Label, ...]], Ints, Ints]:
    """Return the codes and labels of each column of the distinct records, their weights, and the record of each row."""
    labels: dict[str, tuple[Label, ...]] = {}
    coded = []
    for number, column in enumerate(columns):
        text = given.present(column, missing)
        found = given.engine.coded(f"value{number}", text, "given")
        labels[column] = tuple(found)
        coded.append(
            f"coalesce(enum_code(CAST({text} AS value{number}))::INTEGER, -1)" if found else "-1::INTEGER"
        )
    named = [f"v{number}" for number in range(len(columns))]
    cells = ", ".join(f"{code} AS {name}" for code, name in zip(coded, named, strict=True))
    keys = ", ".join(named) or "1"
    ask = given.engine
    ask.run(f"CREATE TABLE coded AS SELECT n{', ' * bool(cells)}{cells} FROM given")  # noqa: S608 # quoted
    ask.run(
        f"CREATE TABLE records AS SELECT {keys}, count(*) AS weight, min(n) AS first FROM coded GROUP BY ALL"  # noqa: S608 # our own
    )
    weights, *codes = ask.arrays(f"SELECT weight, {keys} FROM records ORDER BY first")  # noqa: S608 # our own
    (record_of,) = ask.arrays(
        f"SELECT dense_rank() OVER (ORDER BY first) - 1 AS record FROM "  # noqa: S608 # our own
        f"(SELECT n, first_value(n) OVER (PARTITION BY {keys} ORDER BY n) AS first FROM coded) ORDER BY n"
    )
    arrays = {column: array.astype(np.int32) for column, array in zip(columns, codes, strict=False)}
    return arrays, labels, weights.astype(np.int64), record_of.astype(np.int64)
