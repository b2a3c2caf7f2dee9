"""Long tables, tables and one-hot columns made of Python values in memory."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.origin import Origin
from giveaway.model.data.table import Numbers, Table
from giveaway.model.published import Published
from giveaway.sources.encoding.coded import Merged, Numbering, merged_rows
from giveaway.sources.encoding.grouping import Fixed, Grouping
from giveaway.sources.encoding.order import ranks
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.formats.format import ReadAs

MISSING_CODE = -1


def code_column(parts: Iterable[Sequence[Label]], missing: Collection[Label]) -> tuple[Codes, list[Label]]:
    """Number the values of a column in the order of their first occurrence, -1 where missing (None and NaN too)."""
    numbering = Numbering()
    coded = [
        numbering.codes(labels_of(part) if part and isinstance(part[0], np.generic) else part)
        for part in parts
    ]
    return without_missing(np.concatenate([np.zeros(0, np.int32), *coded]), list(numbering), missing)


def without_missing(
    codes: Codes, labels: Sequence[Label], missing: Collection[Label]
) -> tuple[Codes, list[Label]]:
    """Number values again without those that are missing, which become -1 as those are that had no number."""
    lacks = {value for value in missing if value is not None}
    gone = np.array([*(is_missing(label) or label in lacks for label in labels), True], np.bool_)
    renumbered = np.where(gone, MISSING_CODE, np.cumsum(~gone) - 1).astype(np.int32)
    return renumbered[codes], [label for label, lost in zip(labels, gone.tolist(), strict=False) if not lost]


def is_missing(value: object) -> bool:
    """Tell whether a value is None or NaN or the like."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value  # noqa: PLR0124 # only NaN differs from itself


def texts(missing: Iterable[Label]) -> tuple[str, ...]:
    """Return what counts as missing as it stands in a file."""
    return tuple(str(value) for value in missing if value is not None)


def labels_of(values: Iterable[Any]) -> list[Label]:
    """Return values as labels, numpy's scalars as Python's."""
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def long_transactions(whose: Codes, what: Codes) -> Merged:
    """Merge the transactions of a long table given as codes, -1 for a missing item."""
    held = what != MISSING_CODE
    count = int(whose.max()) + 1 if len(whose) else 0
    return merged_rows(*arrays.from_pairs(whose[held].astype(np.int64), what[held], count))


def refuse_missing(whose: Codes, column: Label) -> None:
    """Refuse rows that belong to nobody."""
    bare = np.flatnonzero(whose == MISSING_CODE)
    if len(bare):
        raise DataError(
            f'Row {bare[0] + 1} has no value in the column "{column}"; {len(bare)} rows have none.',
            hint="every row needs the id of its transaction or record.",
        )


def ids_of(
    parts: Iterable[Sequence[Label]], column: str | None, missing: Collection[Label]
) -> tuple[Label, ...]:
    """Return the identifier of each row, of which each has one; none where no column holds them."""
    if column is None:
        return ()
    codes, labels = code_column(parts, missing)
    refuse_missing(codes, column)
    return tuple(labels[code] for code in codes.tolist())


def one_hot_rows(held: Sequence[Ints], count: int) -> tuple[Ints, Codes]:
    """Return the codes of `count` rows, given for each item the rows that hold it."""
    row = np.concatenate([np.zeros(0, np.int64), *held]).astype(np.int64)
    codes = np.repeat(np.arange(len(held), dtype=np.int32), [len(part) for part in held])
    return arrays.from_pairs(row, codes, count)


class LongRows:
    """Which rows of a long table are published, kept as codes so that later changes of the frame do not matter."""

    def __init__(self, whose: Codes, what: Codes, labels: Sequence[Label]) -> None:
        self._whose, self._what, self._labels = whose, what, labels

    def published(self, published: Published, *, others: Ints | None) -> "PublishedLongRows":
        """Choose the rows to publish and their order.

        `others` numbers the contents of the further published columns in an order of their own, None if there are
        none. Rows alike in everything published stand once; one bare row stands for an emptied transaction.
        """
        names = [published.name(label) for label in self._labels]
        stays = ~np.array([name is None for name in names] + [True], np.bool_)[self._what]
        count = int(self._whose.max()) + 1 if len(self._whose) else 0
        filled = np.bincount(self._whose[stays], minlength=count) > 0
        _, firsts = np.unique(self._whose, return_index=True)
        bare = np.zeros(len(self._whose), np.bool_)
        bare[firsts[~filled]] = True
        shown = stays | bare
        if others is not None:
            shown |= (self._what == MISSING_CODE) & filled[self._whose]
        alike: dict[object, int] = {}
        first = [code if name is None else alike.setdefault(name, code) for code, name in enumerate(names)]
        what = np.array([*first, MISSING_CODE], np.int64)[self._what]
        content = self._whose.astype(np.int64) * (len(self._labels) + 1) + what + 1
        positions = np.flatnonzero(shown)
        positions = positions[
            first_of_each(content[positions], None if others is None else others[positions])
        ]
        numbers = published.places(count)[self._whose[positions]] + 1
        order = np.arange(len(positions))
        if published.sorts_items:
            rank = np.full(len(names) + 1, -1, np.int64)
            there = [code for code, name in enumerate(names) if name is not None]
            rank[there] = ranks([names[code] for code in there], published.key)
            last = positions if others is None or not published.shuffled else others[positions]
            order = np.lexsort((last, rank[self._what[positions]], numbers))
        return PublishedLongRows(positions[order], numbers[order], bare[positions[order]])


@dataclass(frozen=True, eq=False)
class PublishedLongRows:
    """The published rows of a long table: where they stood, their transaction's number, whether only that."""

    positions: Ints
    numbers: Ints
    bare: NDArray[np.bool_]


def first_of_each(content: Ints, others: Ints | None) -> Ints:
    """Return where each distinct content, or pair of contents, stands first, in that order."""
    if others is not None and len(others):
        _, content = np.unique(content, return_inverse=True)
        content = content.reshape(-1) * (int(others.max()) + 1) + others
    return np.sort(np.unique(content, return_index=True)[1])


Records = tuple[Mapping[str, Codes], Mapping[str, tuple[Label, ...]], Ints, Numbers]
"""The codes and labels of each column of the distinct records, their weights, and the record of each row."""


def merged_records(columns: Mapping[str, tuple[Codes, Sequence[Label]]], count: int) -> Records:
    """Merge the identical records of coded columns."""
    coded: dict[str, Codes] = {}
    labels: dict[str, tuple[Label, ...]] = {}
    for name, (codes, values) in columns.items():
        labels[name] = tuple(in_order(values))
        order = {label: code for code, label in enumerate(labels[name])}
        renumbered = np.array([order[label] for label in values] + [MISSING_CODE], np.int32)
        coded[name] = renumbered[codes]
    matrix = np.stack(list(coded.values()), axis=1) if coded else np.zeros((count, 0), np.int32)
    first, record_of = arrays.distinct(matrix, [len(values) for values in labels.values()])
    kept = {name: codes[first] for name, codes in coded.items()}
    return kept, labels, np.bincount(record_of, minlength=len(first)), record_of


def table(
    records: Records,
    roles: Roles,
    stated: ReadAs,
    groups: Grouping,
    *,
    ids: Sequence[Label],
    origin: Origin,
    classes: Fixed,
) -> Table:
    """Make a table of distinct records, with the ladders that are asked for."""
    columns, labels, weights, record_of = records
    return Table(
        columns=columns,
        labels=labels,
        weights=weights,
        record_of=record_of,
        sensitive=stated.sensitive,
        id=stated.id,
        ids=ids,
        origin=origin,
        rest=roles.rest,
        classes=classes,
        ladders=groups.ladders_of(columns, labels, weights, classes, stated.sensitive),
    )
