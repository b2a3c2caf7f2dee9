"""Lists of labels and rows of mappings, as Python programs hold them."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints, ascending
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Rest
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout, Others
from giveaway.model.published import Published
from giveaway.sources.encoding.coded import Numbering, blocks, gathered, merged_rows, transactions
from giveaway.sources.encoding.grouping import grouping
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.encoding.roles import Roles, check_names, roles, several
from giveaway.sources.files.record_values import write_json_lines
from giveaway.sources.files.stored import opened
from giveaway.sources.formats.baskets import BASKETS, LINES
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.formats.jsonl import JSONL, LISTS
from giveaway.sources.frames.building import (
    code_column,
    ids_of,
    is_missing,
    labels_of,
    merged_records,
    table,
    texts,
)


class InMemory:
    """Data that a program holds."""

    name: str = "memory"
    path: Path | None = None
    sha256: str | None = None


@dataclass(frozen=True, eq=False)
class CodedLists(InMemory):
    """Transactions in their given order and form, kept as codes so that later changes of the lists do not matter."""

    offsets: Ints
    codes: Codes
    labels: tuple[Label, ...]
    kinds: tuple[type, ...]
    """The container of each row, or one for all."""

    @property
    def layout(self) -> Layout:
        """How the release stands in its file: as baskets if all labels are single words."""
        if _are_words(self.labels):
            return LINES
        return LISTS

    def native(self, published: Published) -> list[Collection[Label]]:
        """Return a list of containers of the kinds that came in; in another order, repeated items stand once."""
        source = self._in(published.order)
        held = source.given_rows(published.without)
        if published.shuffled:
            held = map(published.in_row, held)
        if len(self.kinds) == 1:
            return [self.kinds[0](row) for row in held]
        return [kind(row) for kind, row in zip(source.kinds, held, strict=True)]

    def write(self, folder: Path, published: Published) -> Path:
        """Write `release.dat`, or `release.jsonl` where labels are not single words; repeated items stand once."""
        words = self.layout is LINES
        target = folder / f"release.{(BASKETS if words else JSONL).name}"
        rows = map(published.in_row, self._in(published.order).given_rows(published.without))
        if words:
            with opened(target) as out:
                out.writelines(" ".join(map(str, row)).encode() + b"\n" for row in rows)
        else:
            write_json_lines(target, (list(map(_as_json, row)) for row in rows))
        return target

    def _in(self, order: Ints | None) -> "CodedLists":
        """Return the same transactions in another order."""
        if order is None:
            return self
        offsets, codes = arrays.take(self.offsets, self.codes, order)
        kinds = self.kinds if len(self.kinds) == 1 else tuple(self.kinds[row] for row in order.tolist())
        return replace(self, offsets=offsets, codes=codes, kinds=kinds)

    def given_rows(self, without: Collection[Hashable]) -> Iterator[list[Label]]:
        """Give the labels of each row that are not withheld, in their given order."""
        gone = np.array([label in without for label in self.labels], np.bool_)
        for part in blocks(len(self.offsets) - 1):
            bounds = self.offsets[part.start : part.stop + 1].tolist()
            for start, end in pairwise(bounds):
                codes = self.codes[start:end]
                yield [self.labels[code] for code in codes[~gone[codes]].tolist()]


def from_lists(
    lists: Iterable[Iterable[Label]], *, private: Iterable[Label] = (), domain: Iterable[Label] = ()
) -> Transactions:
    """Make transactions from collections of labels."""
    kinds: list[type] = []
    numbering = Numbering()
    offsets, codes = gathered((_row(row, kinds) for row in lists), numbering)
    labels = _checked(numbering)
    kind = (kinds[0],) if kinds and len(set(kinds)) == 1 else tuple(kinds)
    origin = CodedLists(offsets, codes, labels, kind)
    return transactions(merged_rows(*ascending(offsets, codes)), labels, roles(private, domain), origin)


def _row(row: Any, kinds: list[type]) -> Iterable[Label]:
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise DataError(
            f"Transaction {len(kinds) + 1} is {type(row).__name__}, not a list of labels.",
            hint='a transaction of one item is ["bread"], not "bread".',
        )
    kinds.append(type(row) if type(row) in (list, tuple, set, frozenset) else list)
    return labels_of(row.tolist() if isinstance(row, np.ndarray) else row)


def _checked(numbering: Numbering) -> tuple[Label, ...]:
    if any(is_missing(label) for label in numbering):
        raise DataError("A label is None or NaN.", hint="leave missing items out of the lists.")
    return tuple(numbering)


def _are_words(labels: Sequence[Label]) -> bool:
    """Tell whether every label is a number or one word, and its text its own."""
    texts = [str(label) for label in labels if type(label) in (str, int)]
    return (
        len(texts) == len(set(texts)) == len(labels)
        and all(text.isprintable() and not text.startswith("\ufeff") for text in texts)
        and all(len(text.split()) == 1 and text.split()[0] == text for text in texts)
    )


def _as_json(label: Label) -> object:
    return label if label is None or isinstance(label, str | int | float) else str(label)


def from_rows(
    records: Iterable[Mapping[str, Label]],
    *,
    sensitive: str | Iterable[str] = (),
    id: str | None = None,
    missing: Iterable[Label] = ("", None),
    publish_unjudged: Iterable[str] = (),
    leave_out: Iterable[str] = (),
    rest: Rest | None = None,
    classes: Mapping[str, Any] | None = None,
    ladders: Mapping[str, Any] | Literal["auto"] | None = None,
    decimal: str = ".",
) -> Table:
    """Make a table from mappings of column to value."""
    groups = grouping(classes, ladders, decimal)
    held = list(records)
    for number, record in enumerate(held, 1):
        if not isinstance(record, Mapping):
            raise DataError(
                f"Row {number} is {type(record).__name__}, not a mapping of column to value.",
                hint="use a list of dicts, or Table.from_frame.",
            )
    columns = list(dict.fromkeys(name for record in held for name in record))
    secret = (sensitive,) if isinstance(sensitive, str) else several("sensitive", sensitive)
    if not held:
        raise ScenarioError("A table without rows cannot be judged.", hint="give at least one row.")
    parts = roles(publish_unjudged=publish_unjudged, leave_out=leave_out, rest=rest)
    check_names([*secret, *parts.columns(id)], columns)
    lacks = several("missing", missing)

    def cells(name: Any) -> Iterator[list[Label]]:
        return ([record.get(name) for record in held[part]] for part in blocks(len(held)))

    ids = ids_of(cells(id), id, lacks)
    named = [name for name in columns if name not in parts.columns(id)]
    groups.check(columns, named)
    stated = ReadAs(id=id, sensitive=secret, missing=texts(lacks))
    coded = {name: code_column(cells(name), lacks) for name in named}
    judged, fixed = groups.relabelled(coded, stated.missing)
    unjudged = {name: [record.get(name) for record in held] for name in parts.publish_unjudged}
    shown = [name for name in columns if name in judged or name in unjudged]
    first = {name: [record.get(name) for record in held[:MOST]] for name in (*fixed, *unjudged)}
    others = {**looked_at(unjudged), **groups.undone(first, parts.publish_unjudged)}
    origin = CodedRows(len(held), tuple(shown), judged, unjudged, stated.missing, others, parts.leave_out)
    return table(
        merged_records(judged, len(held)), parts, stated, groups, ids=ids, origin=origin, classes=fixed
    )


@dataclass(frozen=True, eq=False)
class CodedRows(InMemory):
    """The rows of a table without what is never published, the judged columns as codes: equal values are one label."""

    count: int
    columns: tuple[str, ...]
    judged: Mapping[str, tuple[Codes, Sequence[Label]]]
    unjudged: Mapping[str, Sequence[Any]]
    """The values of the columns that nobody was to judge."""
    missing: tuple[str, ...]
    others: Others
    leave_out: tuple[str, ...] = ()

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return Layout(
            shape="table",
            format=JSONL.name,
            missing=self.missing,
            others=self.others,
            left_out=self.leave_out,
        )

    def native(self, published: Published) -> list[dict[str, Label]]:
        """Return the rows without the withheld columns, with None for missing and withheld entries.

        A column with coarser entries is text.
        """
        gone = {*published.without, *self.leave_out}
        columns = [name for name in self.columns if name not in gone]
        shown = {name: self._entries(name, published) for name in columns}
        rows = range(self.count) if published.order is None else published.order.tolist()
        return [{name: shown[name][row] for name in columns} for row in rows]

    def _entries(self, name: str, published: Published) -> Sequence[Label]:
        if name in self.unjudged:
            return self.unjudged[name]
        codes, labels = self.judged[name]
        coarser = published.levels.get(name)
        spelled: list[Label] = [*(labels if coarser is None else map(str, labels)), None]
        entries = [spelled[code] for code in codes.tolist()]
        if coarser is not None:
            for row, text in zip(coarser[0].tolist(), coarser[1].tolist(), strict=True):
                entries[row] = text
        for row in published.cells.positions(name).tolist():
            entries[row] = None
        return entries

    def write(self, folder: Path, published: Published) -> Path:
        """Write `release.jsonl`."""
        target = folder / f"release.{JSONL.name}"
        shown = (
            {name: None if is_missing(cell) else _as_json(cell) for name, cell in record.items()}
            for record in self.native(published)
        )
        write_json_lines(target, shown)
        return target


@dataclass(frozen=True, eq=False)
class SparseOrigin(CodedLists):
    """A sparse matrix that was read; its release is written as lists, since dense columns could be huge."""

    matrix: Any

    def native(self, published: Published) -> Any:
        """Return a matrix of the same format without the columns of the withheld items."""
        kept = np.array([label not in published.without for label in self.labels], np.bool_)
        matrix = self.matrix.tocsc()[:, np.flatnonzero(kept)]
        matrix = matrix if published.order is None else matrix.tocsr()[published.order]
        return matrix.asformat(self.matrix.format)


def is_sparse(data: Any) -> bool:
    """Tell whether something is a sparse matrix, without importing scipy."""
    return type(data).__module__.startswith("scipy.sparse") and hasattr(data, "tocsr")


def from_sparse(matrix: Any, roles: Roles, labels: Iterable[Label] | None) -> Transactions:
    """Make transactions from a matrix; without labels the numbers of its columns are the items."""
    if roles.leave_out or roles.publish_unjudged or roles.rest:
        raise ScenarioError("A sparse matrix has no columns besides its items.", hint="take them out first.")
    names = tuple(range(matrix.shape[1])) if labels is None else tuple(labels)
    if len(names) != matrix.shape[1]:
        raise ScenarioError(f"{len(names)} labels are given for {matrix.shape[1]} columns.")
    if len(set(names)) != len(names):
        raise DataError("Two columns of the matrix have the same label.", hint="give each its own.")
    held = matrix.copy()
    rows = held.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if not bool((rows.data == 1).all()):
        raise DataError(
            "The matrix has values other than 0 and 1; an item can only be there or not.",
            hint="matrix = (matrix > 0) makes quantities 0 or 1.",
        )
    offsets, codes = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    origin = SparseOrigin(offsets, codes, names, (list,), held)
    return transactions(merged_rows(*ascending(offsets, codes)), names, roles, origin, names)
