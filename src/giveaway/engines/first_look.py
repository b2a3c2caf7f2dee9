"""A first look at a table that lives in a database or on a cluster: its values are counted there."""

from collections.abc import Mapping

import numpy as np

from giveaway.engines.counting import distinct_rows, first_rows
from giveaway.engines.held import HeldRows
from giveaway.model.layout import Shape
from giveaway.sources.files.columns import EMPTY, ColumnLook, counted_column, gap_words
from giveaway.sources.files.first_look import Look, any_pair, candidates, long_pair, top
from giveaway.sources.formats.format import Kind


def look_there(held: HeldRows, kind: Kind | None, table: str | None, query: str | None) -> Look:
    """Look at all rows of a table or query, and guess what they hold."""
    values = {name: _values(held, name) for name in held.columns}
    rows = int(distinct_rows(held, (), EMPTY).weights.sum())
    marks = {word for counts in values.values() for word in gap_words(counts, len(counts))}
    gaps = (*EMPTY, *sorted(marks))
    first = first_rows(held, held.columns)
    columns = tuple(_column(name, rows, counts, first[name], gaps) for name, counts in values.items())
    pair = long_pair(columns, rows, lambda *pair: len(distinct_rows(held, pair, EMPTY).weights))
    shape: Shape = "table" if kind == "table" or (pair is None and kind is None) else "long"
    if shape == "long" and pair is None:
        pair = any_pair(held.name, columns)
    ids, items = candidates(columns, pair)
    supports = _supports(held, ids[0], items[0]) if shape == "long" else {}
    return Look(
        name=held.name,
        shape=shape,
        rows=rows,
        columns=columns,
        items=len(supports),
        frequent=top(supports),
        ids=ids,
        item_columns=items,
        missing=gaps,
        table=table,
        query=query,
    )


def _values(held: HeldRows, name: str) -> dict[str, int]:
    """Count the values of a column."""
    counted = distinct_rows(held, (name,), EMPTY)
    codes, labels = counted.columns[name], counted.labels[name]
    return {
        str(labels[code]): int(weight)
        for code, weight in zip(codes.tolist(), counted.weights.tolist(), strict=True)
        if code >= 0
    }


def _column(
    name: str, rows: int, counts: Mapping[str, int], first: list[object], gaps: tuple[str, ...]
) -> ColumnLook:
    shown = {text: count for text, count in counts.items() if text not in gaps}
    texts = [str(value) for value in first if value is not None and str(value) not in gaps]
    return counted_column(name, rows, shown, texts)


def _supports(held: HeldRows, id: str, item: str) -> dict[str, int]:
    """Count the transactions that hold each item."""
    pairs = distinct_rows(held, (id, item), EMPTY)
    there = (pairs.columns[id] >= 0) & (pairs.columns[item] >= 0)
    labels = pairs.labels[item]
    counts = np.bincount(pairs.columns[item][there], minlength=len(labels))
    return {str(label): int(count) for label, count in zip(labels, counts.tolist(), strict=True)}
