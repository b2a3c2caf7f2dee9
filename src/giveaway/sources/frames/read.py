"""Frames: pandas, polars, Arrow and whatever narwhals wraps, as transactions and as tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Codes, Ints, ascending
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Rest
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout, Others, Shape
from giveaway.model.published import Published, code_key
from giveaway.sources.elsewhere import is_engine_object, opened
from giveaway.sources.encoding.coded import Gather, Numbering, gathered, merged_rows, transactions
from giveaway.sources.encoding.counted import not_one_hot
from giveaway.sources.encoding.grouping import grouping
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.encoding.order import ranks
from giveaway.sources.encoding.roles import Roles, check_names, roles, several
from giveaway.sources.formats import CSV
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.formats.parquet import PARQUET
from giveaway.sources.frames.access import (
    Frame,
    bare,
    blanked,
    can_write_parquet,
    frame,
    narrowed,
    replaced,
    with_column,
    write_frame,
)
from giveaway.sources.frames.building import (
    MISSING_CODE,
    LongRows,
    code_column,
    ids_of,
    is_missing,
    labels_of,
    long_transactions,
    merged_records,
    one_hot_rows,
    refuse_missing,
    table,
    texts,
    without_missing,
)
from giveaway.sources.frames.lists import CodedLists, InMemory, from_sparse, is_sparse


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameOrigin(InMemory):
    """A frame that was read; changes made to it afterwards do not matter."""

    held: Frame
    shape: Shape
    id: str | None = None
    item: str | None = None
    leave_out: tuple[str, ...] = ()
    others: Others = field(default_factory=dict)
    missing: tuple[Label, ...] = ("",)
    rows: LongRows | None = None
    lists: CodedLists | None = None
    """A sparse frame is written as lists, since its dense columns could be huge."""

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        if self.lists is not None:
            return self.lists.layout
        form = PARQUET if can_write_parquet(self.held) else CSV
        return Layout(
            shape=self.shape,
            format=form.name,
            nothing=form.nothing,
            id=self.id if self.shape == "long" else None,
            item=self.item,
            missing=texts(self.missing),
            others=self.others,
            left_out=self.leave_out,
        )

    def native(self, published: Published) -> Any:
        """Return the same kind of frame with its types, but without index and notes, which nobody judged.

        In a column of pandas with missing or withheld entries, whole numbers and truth values get the nullable type of the same
        size, such as Int64, so that they stay what they are. A column with coarser entries becomes text.
        """
        return self.held.back(bare(self._released(published, for_file=False)))

    def write(self, folder: Path, published: Published) -> Path:
        """Write `release.parquet`, or `release.csv` where no library for Parquet is there."""
        if self.lists is not None:
            return self.lists.write(folder, published)
        if self.shape == "lists" and not can_write_parquet(self.held):
            raise ScenarioError(
                "A pandas frame with lists is written as Parquet, and pyarrow is not installed.",
                hint="pip install pyarrow.",
            )
        target = folder / f"release.{self.layout.format}"
        write_frame(self._released(published, for_file=True), target)
        return target

    def _released(self, published: Published, *, for_file: bool) -> Any:
        kept = [column for column in self.held.columns if column not in self.leave_out]
        if self.shape == "long":
            return narrowed(self._long(kept, published, for_file=for_file))
        if self.shape == "lists":
            shown = self._lists(kept, published, for_file=for_file)
        else:
            shown = self._projected(kept, published, for_file=for_file)
        return narrowed(shown if published.order is None else shown[published.order.tolist()])

    def _projected(self, kept: Sequence[Any], published: Published, *, for_file: bool) -> Any:
        """Publish whole columns; in files, items are written as true and false."""
        import narwhals as nw

        if self.shape == "table":
            return self._table([c for c in kept if c != self.id and c not in published.without], published)
        items = published.named(column for column in kept if column not in self.others)
        firsts = {columns[0]: name for name, columns in items.items()}
        names = {
            c: str(c) if c in self.others else firsts[c] for c in kept if c in self.others or c in firsts
        }
        if not names:
            raise ScenarioError("Nothing is left to publish: every column is withheld or left out.")
        if published.renaming is not None:
            ordered = sorted(names, key=lambda column: (column not in self.others, code_key(names[column])))
            names = {column: names[column] for column in ordered}
        chosen = self.held.select(list(names))
        if not for_file:
            for column in firsts:
                chosen = self._one_form(chosen, column, ())[0]
            return chosen
        whole = self.held.select(kept)
        if self.held.is_pandas:
            values, native = whole.to_native(), chosen.to_native().copy()
            for columns in items.values():
                native[columns[0]] = values[columns].astype(bool).any(axis=1)
            native.columns = list(names.values())
            return nw.from_native(native, eager_only=True)
        shown = [
            nw.any_horizontal(*(nw.col(c).cast(nw.Boolean) for c in columns), ignore_nulls=True).alias(name)
            for name, columns in items.items()
        ]
        others = [nw.col(column) for column in names if column in self.others]
        return whole.select(*others, *shown).select(list(names.values()))

    def _table(self, columns: Sequence[Any], published: Published) -> Any:
        """Publish whole columns, with nothing in missing and withheld entries and the texts of coarser ones."""
        data = self.held.select(columns)
        blank = {}
        for column in columns:
            if column in self.others:
                continue
            data, lacks = self._one_form(data, column, self.missing)
            if column in published.levels:
                values = data.get_column(column).to_list()
                data = with_column(data, column, _coarsened(values, *published.levels[column]))
            marks = published.cells.marks(column, len(self.held)) | lacks
            if marks.any():
                blank[column] = marks
        return blanked(data, blank)

    def _one_form(self, data: Any, column: Any, missing: Collection[Label]) -> tuple[Any, NDArray[np.bool_]]:
        """Write each label of a column everywhere as it stands first; tell also in which rows it is missing."""
        codes, labels = _coded(self.held, column, missing)
        first = np.zeros(len(labels) + 1, np.int64)
        rows = np.arange(len(codes))
        first[codes[::-1]] = rows[::-1]
        lacks = codes == MISSING_CODE
        return replaced(data, column, np.where(lacks, rows, first[codes])), lacks

    def _lists(self, kept: Sequence[Any], published: Published, *, for_file: bool) -> Any:
        data = self.held.select(kept)
        forms = _LabelForms()
        rows = [row for part in self.held.parts(self.item) for row in part]
        if not for_file:
            return with_column(data, self.item, [_kept(row, forms, published) for row in rows])
        shown = [published.in_row(forms.of(row)) for row in rows]
        if published.renaming is None and _are_plain(label for row in shown for label in row):
            return with_column(data, self.item, shown)
        return _with_text_lists(data, str(self.item), [list(map(str, row)) for row in shown])

    def _long(self, kept: Sequence[Any], published: Published, *, for_file: bool) -> Any:
        assert self.rows is not None  # noqa: S101 # long frames always carry their rows
        others = self._other_contents() if self.others else None
        rows = self.rows.published(published, others=others)
        data, lacks = self._one_form(self.held.data, self.item, self.missing)
        data = data[rows.positions.tolist()]
        blank = dict.fromkeys((c for c in kept if c != self.id), rows.bare)
        blank[self.item] = rows.bare | lacks[rows.positions]
        data = blanked(data, {column: marks for column, marks in blank.items() if marks.any()})
        data = with_column(data, self.id, rows.numbers.tolist(), whole=True)
        if for_file:
            labels = [None if is_missing(x) else x for x in data.get_column(self.item).to_list()]
            if published.renaming is not None or not _are_plain(x for x in labels if x is not None):
                shown = [None if x is None else str(published.name(x)) for x in labels]
                data = with_column(data, self.item, shown)
        return self.held.select(kept, data)

    def _other_contents(self) -> Ints:
        """Number the contents of the other columns in the order of their values."""
        contents = np.zeros(len(self.held), np.int64)
        for column in self.others:
            codes, labels = code_column(map(_hashable, self.held.parts(column)), ())
            contents = contents * (len(labels) + 1) + np.append(ranks(labels), -1)[codes] + 1
            contents = np.unique(contents, return_inverse=True)[1].reshape(-1)
        return contents


def from_frame(
    data: Any,
    *,
    id: str | None = None,
    item: str | None = None,
    private: Iterable[Label] = (),
    domain: Iterable[Label] = (),
    publish_unjudged: Iterable[str] = (),
    leave_out: Iterable[str] = (),
    rest: Rest | None = None,
    labels: Iterable[Label] | None = None,
) -> Transactions:
    """Make transactions from a frame or a sparse matrix; `labels` name the columns of a matrix."""
    parts = roles(private, domain, publish_unjudged=publish_unjudged, leave_out=leave_out, rest=rest)
    if is_sparse(data):
        return from_sparse(data, parts, labels)
    if labels is not None:
        raise ScenarioError("A frame names its columns itself.", hint="labels belong to sparse matrices.")
    if id is not None and item is None:
        raise ScenarioError(f'id = "{id}" is given, but not the column of the items.', hint="say item.")
    if is_engine_object(data):
        return opened(data).transactions(parts, ReadAs(id=id, item=item))
    held = frame(data)
    parts = parts.settled(held.columns, [id, item], rest_are_items=item is None)
    if id is not None and item is not None:
        return _from_long(held, id, item, parts)
    return _from_one_hot(held, parts) if item is None else _from_list_column(held, item, parts)


def _coded(held: Frame, column: Any, missing: Collection[Label]) -> tuple[Codes, list[Label]]:
    """Number the values of a column in the order of their first occurrence, -1 where missing."""
    numbered = held.numbered(column)
    if numbered is None:
        return code_column(held.parts(column), missing)
    codes, values = numbered
    numbering = Numbering()  # values that a library tells apart may be one label
    again = np.append(numbering.codes(values), np.int32(MISSING_CODE))
    return without_missing(again[codes], list(numbering), missing)


def table_from_frame(
    data: Any,
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
    """Make a table from a frame."""
    groups = grouping(classes, ladders, decimal)
    parts = roles(publish_unjudged=publish_unjudged, leave_out=leave_out, rest=rest)
    secret = (sensitive,) if isinstance(sensitive, str) else several("sensitive", sensitive)
    lacks = several("missing", missing)
    stated = ReadAs(id=id, sensitive=secret, missing=texts(lacks))
    if is_engine_object(data):
        return opened(data).table(parts, stated, groups)
    held = frame(data)
    check_names([*secret, *parts.columns(id)], held.columns)
    unjudged = parts.columns(id)
    judged = [column for column in held.columns if column not in unjudged]
    groups.check(held.columns, judged)
    coded, fixed = groups.relabelled(
        {column: _coded(held, column, lacks) for column in judged}, stated.missing
    )
    first = {column: next(held.parts(column), [])[:MOST] for column in (*fixed, *parts.publish_unjudged)}
    for column in fixed:
        codes, labels = coded[column]
        shown = np.array([*labels, None], object)[codes]
        held = replace(held, data=with_column(held.data, column, shown.tolist()))
    ids = ids_of(held.parts(id), id, lacks)
    origin = _origin(held, "table", parts, id=id, missing=lacks)
    origin = replace(origin, others={**origin.others, **groups.undone(first, parts.publish_unjudged)})
    return table(
        merged_records(coded, len(held)), parts, stated, groups, ids=ids, origin=origin, classes=fixed
    )


def _origin(held: Frame, shape: Shape, parts: Roles, **further: Any) -> FrameOrigin:
    """Note how a frame was read, and what the columns look like that are published without being judged."""
    unjudged = {name: (x for part in held.parts(name) for x in part) for name in parts.publish_unjudged}
    return FrameOrigin(
        held=held, shape=shape, leave_out=parts.leave_out, others=looked_at(unjudged), **further
    )


def _from_long(held: Frame, id: str, item: str, parts: Roles) -> Transactions:
    if held.is_list(item):
        raise ScenarioError(f'Column "{item}" holds lists.', hint="leave id out: each row is a transaction.")
    whose, _ = code_column(held.parts(id), ("",))
    refuse_missing(whose, id)
    what, labels = code_column(held.parts(item), ("",))
    origin = _origin(held, "long", parts, id=id, item=item, rows=LongRows(whose, what, labels))
    return transactions(long_transactions(whose, what), labels, parts, origin)


def _from_list_column(held: Frame, item: str, parts: Roles) -> Transactions:
    if not held.is_list(item):
        raise ScenarioError(
            f'Column "{item}" holds no lists.',
            hint="say id too, the column that names the transaction of a row.",
        )
    numbering = Numbering()
    gather = Gather()
    for part in held.parts(item):
        gather.add(*gathered(map(_labels, part), numbering))
    origin = _origin(held, "lists", parts, item=item)
    return transactions(gather.merged(), list(numbering), parts, origin)


def _from_one_hot(held: Frame, parts: Roles) -> Transactions:
    columns = [c for c in held.columns if c not in parts.leave_out and c not in parts.publish_unjudged]
    if not columns:
        raise ScenarioError("The frame has no columns that are items.", hint="say id and item.")
    rows = []
    for column in columns:
        yes = held.held(column)
        if yes is None:
            raise not_one_hot(column)
        rows.append(yes)
    labels = labels_of(columns)
    offsets, codes = one_hot_rows(rows, len(held))
    lists = None
    if held.is_sparse(columns) and not parts.publish_unjudged:
        lists = CodedLists(offsets, codes, tuple(labels), (list,))
    origin = _origin(held, "one-hot", parts, lists=lists)
    return transactions(merged_rows(*ascending(offsets, codes)), labels, parts, origin, labels)


def _labels(row: Any) -> list[Any]:
    """Return the labels of one cell with a collection; a missing cell has none, missing elements are left out."""
    if row is None or isinstance(row, float):
        return []
    listed = row.tolist() if isinstance(row, np.ndarray) else list(row)
    return labels_of(x for x in listed if not is_missing(x) and x != "")


class _LabelForms(dict[Any, Any]):
    """Labels as they stand first, in which form each of them is written everywhere."""

    def of(self, row: Any) -> list[Any]:
        """Return the labels of one cell with a collection in their forms."""
        return [self.setdefault(label, label) for label in _labels(row)]


def _kept(row: Any, forms: _LabelForms, published: Published) -> Any:
    """Return a collection of the same kind without the withheld items."""
    kept = [label for label in forms.of(row) if label not in published.without]
    if published.shuffled:
        kept = published.in_row(kept)
    return type(row)(kept) if isinstance(row, tuple | set | frozenset) else kept


def _are_plain(labels: Iterable[Any]) -> bool:
    """Tell whether labels are all text or all whole numbers, so that a file can hold them as they are."""
    return {type(label) for label in labels} in ({str}, {int}, set())


def _with_text_lists(data: Any, column: str, shown: Sequence[Sequence[str]]) -> Any:
    import narwhals as nw

    if data.implementation.is_pandas():
        return with_column(data, column, shown)
    series = nw.new_series(column, list(shown), nw.List(nw.String), backend=data.implementation)
    return data.with_columns(series)


def _coarsened(values: Sequence[Any], rows: Ints, labels: NDArray[np.object_]) -> list[str | None]:
    """Return the values of a column as text, with coarser labels in some rows."""
    shown = [None if is_missing(value) else str(value) for value in values]
    for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
        shown[row] = label
    return shown


def _hashable(values: Sequence[Any]) -> list[Any]:
    return [repr(value) if isinstance(value, list | dict | set | np.ndarray) else value for value in values]
