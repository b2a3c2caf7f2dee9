"""Transactions and tables counted by the engine, identical rows merged where the data are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Numbers, number_type
from giveaway.model.data.texts import Texts
from giveaway.sources.encoding.coded import Gather, Merged
from giveaway.sources.files.as_relation import Relation, at_once
from giveaway.sources.files.duckdb import literal, present, trimmed

YES = ("1", "true", "True", "TRUE")
NO = ("0", "false", "False", "FALSE")
YES_SQL = ", ".join(map(literal, YES))
YES_OR_NO_SQL = ", ".join(map(literal, (*YES, *NO)))

Counted = tuple[Merged, list[Label]]


def long_rows(loaded: Relation, id: str, item: str, missing: Sequence[str]) -> Counted:
    """Count the transactions of a long table, in the order of their first rows."""
    if loaded.is_list(item):
        raise ScenarioError(f'Column "{item}" holds lists.', hint="leave id out: each row is a transaction.")
    ask, whose, what = loaded.engine, loaded.present(id, missing), loaded.present(item, missing)
    refuse_missing_ids(loaded, id, missing)
    labels = ask.labels("item", what, "given")
    ask.run(
        f"CREATE TABLE owners AS SELECT {whose} AS whose, min(n) AS first FROM given GROUP BY ALL",  # noqa: S608 # quoted
        loaded.rows,
    )
    pairs = ask.parts(
        "SELECT first, coalesce(code, -1) AS code FROM "  # noqa: S608 # quoted
        f"(SELECT {whose} AS whose, {what} AS label FROM given) JOIN owners USING (whose) "
        "LEFT JOIN item USING (label) ORDER BY first",
        loaded.rows,
    )
    return _gathered(pairs), labels


def _gathered(pairs: Iterable[tuple[Any, ...]]) -> Merged:
    """Merge transactions that come in parts, as the number of each and one code or -1; numbers ascend."""
    gather = Gather()
    whose, codes = np.zeros(0, np.int64), np.zeros(0, np.int32)
    for more_whose, more_codes in pairs:
        whose, codes = np.concatenate([whose, more_whose]), np.concatenate([codes, more_codes])
        done = int(np.searchsorted(whose, whose[-1])) if len(whose) else 0  # the last one may go on
        _gather(gather, whose[:done], codes[:done])
        whose, codes = whose[done:], codes[done:]
    _gather(gather, whose, codes)
    return gather.merged()


def _gather(gather: Gather, whose: Ints, codes: Codes) -> None:
    if len(whose):
        row = np.concatenate([[0], np.cumsum(whose[1:] != whose[:-1])])
        there = codes >= 0
        gather.add(*arrays.from_pairs(row[there], codes[there], int(row[-1]) + 1))


def refuse_missing_ids(loaded: Relation, id: str, missing: Sequence[str]) -> None:
    """Refuse rows that belong to nobody."""
    query = f"SELECT min(n), count(*) FROM given WHERE {loaded.present(id, missing)} IS NULL"  # noqa: S608 # quoted
    first, bare = loaded.engine.run(query)[0]
    if bare:
        raise DataError(
            f'Row {first} of "{loaded.file.name}" has no value in the column "{id}"; {bare} rows have none.',
            hint="every row needs the id of its transaction or record.",
        )


def list_rows(loaded: Relation, item: str, missing: Sequence[str]) -> Counted:
    """Count the transactions of a column of lists."""
    if not loaded.is_list(item):
        raise ScenarioError(
            f'Column "{item}" holds no lists.',
            hint="say id too, the column that names the transaction of a row.",
        )
    elements = f"SELECT unnest({loaded.raw(item)}) AS c0 FROM given"  # noqa: S608 # quoted
    text = element_text("c0", missing)
    labels = loaded.engine.labels("item_labels", text, f"({elements})")
    if labels:
        loaded.engine.run("CREATE TYPE item AS ENUM (SELECT label FROM item_labels ORDER BY code)")
    codes = (
        f"list_transform({loaded.raw(item)}, lambda x: enum_code(CAST({element_text('x', missing)} AS item)))"
    )
    filtered = f"list_filter({codes}, lambda x: x IS NOT NULL)" if labels else "NULL"
    return (
        _merged(loaded, f"SELECT list_sort(list_distinct({filtered})) AS codes, n AS first FROM given"),  # noqa: S608 # quoted
        labels,
    )


def element_text(element: str, missing: Sequence[str]) -> str:
    """Return SQL for an element of a list as trimmed text, null where it is missing."""
    return present(trimmed(f"CAST({element} AS VARCHAR)"), missing)


def one_hot_rows(loaded: Relation, items: Sequence[str]) -> Counted:
    """Count the transactions of a table with one column for each item."""
    _refuse_quantities(loaded, items)
    if not items:
        raise ScenarioError(f'"{loaded.file.name}" has no columns that are items.', hint="say id and item.")
    held = [
        f"CASE WHEN {loaded.text(item)} IN ({YES_SQL}) THEN {code} END" for code, item in enumerate(items)
    ]
    asked = [
        f"SELECT list_filter([{part}], lambda x: x IS NOT NULL) AS codes, n AS first FROM given"  # noqa: S608 # quoted
        for part in at_once(held)
    ]
    return _merged(loaded, asked[0] if len(asked) == 1 else _joined(loaded, asked)), list(items)


def _joined(loaded: Relation, asked: Sequence[str]) -> str:
    """Return SQL for the codes of rows that are asked for some columns at a time; all at once take ever longer."""
    loaded.engine.run("CREATE TABLE parts(part INTEGER, codes INTEGER[], first BIGINT)")
    for number, query in enumerate(asked):
        loaded.engine.run(f"INSERT INTO parts SELECT {number}, codes, first FROM ({query})", loaded.rows)  # noqa: S608 # quoted
    return "SELECT flatten(list(codes ORDER BY part)) AS codes, first FROM parts GROUP BY first"


def one_hot_marks(loaded: Relation, items: Sequence[str]) -> dict[str, str]:
    """Return SQL for yes and no as they are written in each column of texts: in one of the forms that they have there."""
    texts = {item: loaded.text(item) for item in items if not loaded.is_plain(item)}
    agreed = loaded.answers([f"min({text}) FILTER ({text} IN ({YES_SQL}))" for text in texts.values()])
    denied = loaded.answers([f"min({text}) FILTER ({text} NOT IN ({YES_SQL}))" for text in texts.values()])
    return {
        item: f"CASE WHEN {text} IN ({YES_SQL}) THEN {literal(one or '')} ELSE {literal(none or '')} END"
        for (item, text), one, none in zip(texts.items(), agreed, denied, strict=True)
    }


def any_of(loaded: Relation, items: Sequence[str]) -> str:
    """Return SQL for whether one of some columns says yes."""
    return f"({' OR '.join(f'coalesce({loaded.text(item)} IN ({YES_SQL}), false)' for item in items)})"


def _refuse_quantities(loaded: Relation, items: Sequence[str]) -> None:
    """Refuse a table whose cells say something else than whether a row has an item."""
    wrong = [
        f"count(*) FILTER (coalesce({loaded.text(item)}, '') NOT IN ({YES_OR_NO_SQL}))" for item in items
    ]
    for item, count in zip(items, loaded.answers(wrong), strict=True):
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


def _merged(loaded: Relation, query: str) -> Merged:
    """Merge the rows that a query gives as ascending codes with their numbers."""
    ask = loaded.engine
    ask.run(
        "CREATE TABLE merged AS SELECT coalesce(codes, []) AS codes, list(first) AS numbers, min(first) AS first "  # noqa: S608 # quoted
        f"FROM ({query}) GROUP BY coalesce(codes, [])"
    )
    size, weights, first = ask.arrays("SELECT len(codes), len(numbers), first FROM merged ORDER BY first")
    offsets = np.zeros(len(size) + 1, np.int64)
    np.cumsum(size, out=offsets[1:])
    flat = ask.arrays(
        "SELECT code FROM (SELECT first, unnest(codes)::INTEGER AS code FROM merged) ORDER BY first, code"
    )
    record_of = np.empty(int(weights.sum()), number_type(len(first)))
    for row, leader in ask.parts("SELECT unnest(numbers) - 1 AS n, first FROM merged", len(record_of)):
        record_of[row] = np.searchsorted(first, leader)
    return Merged(offsets, flat[0].astype(np.int32), weights.astype(np.int64), record_of)


def ids(loaded: Relation, id: str, missing: Sequence[str]) -> Texts:
    """Return the identifier of each row."""
    refuse_missing_ids(loaded, id, missing)
    numbered = loaded.engine.parts(f"SELECT n, {loaded.text(id)} FROM given", loaded.rows)  # noqa: S608 # quoted
    return Texts.joined(_in_order(numbered))


def _in_order(numbered: Iterable[tuple[Any, ...]]) -> Iterator[Texts]:
    """Give the texts of numbered rows, sure that each stands where its number says."""
    done = 0
    for numbers, texts in numbered:
        if not np.array_equal(numbers, np.arange(done + 1, done + len(numbers) + 1)):
            raise RuntimeError("the engine did not keep the order of the rows")
        yield texts
        done += len(numbers)


def table_rows(
    loaded: Relation, columns: Sequence[str], missing: Sequence[str]
) -> tuple[dict[str, Codes], dict[str, tuple[Label, ...]], Ints, Numbers]:
    """Return the codes and labels of each column of the distinct records, their weights, and the record of each row."""
    ask = loaded.engine
    texts = {f"v{number}": loaded.present(column, missing) for number, column in enumerate(columns)}
    cells = "".join(f"{text} AS {name}, " for name, text in texts.items())
    ask.run(
        "CREATE TABLE records AS SELECT row_number() OVER () - 1 AS place, * FROM "  # noqa: S608 # quoted
        f"(SELECT {cells}count(*) AS weight, min(n) AS first FROM given GROUP BY ALL)",
        loaded.rows,
    )
    place, first, weights = ask.arrays("SELECT place, first, weight FROM records")
    record_at = np.empty(len(place), number_type(len(place)))
    record_at[place[np.argsort(first)]] = np.arange(len(place), dtype=record_at.dtype)
    counted = np.empty(len(place), np.int64)
    counted[record_at[place]] = weights
    labels, codes = {}, {}
    for column, name in zip(columns, texts, strict=True):
        labels[column] = tuple(ask.labels(f"labels_{name}", name, "records"))
        codes[column] = np.full(len(place), -1, np.int32)
        asked = f"SELECT place, code FROM records JOIN labels_{name} ON label = {name}"  # noqa: S608 # our own
        for at, code in ask.parts(asked, len(place)):
            codes[column][record_at[at]] = code
    return codes, labels, counted, _record_of(loaded, texts, record_at)


def _record_of(loaded: Relation, texts: Mapping[str, str], record_at: Numbers) -> Numbers:
    """Return the record of each row; they are found where their values are, since rows need not stand in order."""
    same = " AND ".join(f"{name} IS NOT DISTINCT FROM {text}" for name, text in texts.items())
    record_of = np.empty(loaded.rows, record_at.dtype)
    asked = f"SELECT n - 1 AS n, place FROM given JOIN records ON {same or 'true'}"  # noqa: S608 # quoted
    for row, place in loaded.engine.parts(asked, loaded.rows):
        record_of[row] = record_at[place]
    return record_of
