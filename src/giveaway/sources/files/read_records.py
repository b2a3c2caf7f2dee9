"""Records one after the other, read as transactions or as a table."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Codes
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Origin
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Others
from giveaway.sources.encoding.coded import Gather, Numbering, gathered, transactions
from giveaway.sources.encoding.counted import NO, YES, not_one_hot
from giveaway.sources.encoding.grouping import Grouping, labels_of
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.encoding.roles import Roles, check_names
from giveaway.sources.files.record_values import (
    Record,
    are_plain,
    as_records,
    items_of,
    records_of,
    text_of,
    values_of,
)
from giveaway.sources.files.stored import StoredFile, TextPass
from giveaway.sources.files.write_records import (
    RecordsFile,
    in_blocks,
    kinds_of,
    line_of,
    long_codes,
    missing_as_none,
)
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.frames.building import long_transactions, merged_records, refuse_missing, table
from giveaway.sources.other_formats import InFormat


def read_records_transactions(file: StoredFile, roles: Roles, stated: ReadAs) -> Transactions:
    """Read a file of lists, of objects with a list, of long rows or of one-hot rows."""
    item, shape = stated.item, stated.shape
    is_one_hot = shape == "one-hot"
    text = TextPass(file)
    values = values_of(text)
    first = next(values)
    values = chain([first], values)
    if isinstance(first[1], list):
        return _bare_lists(text, values, roles, stated)
    seen = _Seen(as_records(text, values))

    def settled() -> Roles:
        return roles.settled(list(seen.names), [stated.id, item], rest_are_items=is_one_hot)

    numbering, kinds, marks = Numbering(), set[type](), dict[tuple[str, bool], Any]()
    no_items = {*roles.leave_out, *roles.publish_unjudged}
    coded = None
    with seen.roles_first(settled):
        if stated.id is not None and item is not None:
            coded = long_codes(seen, file, stated)
        elif is_one_hot:
            merged = _gathered(_held(file, seen, no_items, marks), numbering)
        else:
            merged = _gathered(_listed(file, seen, stated, kinds), numbering)
    named = settled()
    if coded is not None:
        refuse_missing(coded.whose, stated.id)
        merged, kinds = long_transactions(coded.whose, coded.what), coded.kinds
    origin = _origin(
        file=file,
        sha256=text.sha256,
        shape=shape,
        stated=stated,
        leave_out=named.leave_out,
        others=seen.others(named),
        columns=tuple(seen.names),
        plain=frozenset() if is_one_hot else _whole(item, kinds),
        marks=marks,
    )
    items = [name for name in seen.names if name not in no_items] if is_one_hot else []
    return transactions(merged, list(numbering) if coded is None else coded.labels, named, origin, items)


def _bare_lists(
    text: TextPass, values: Iterable[tuple[int, Any]], roles: Roles, stated: ReadAs
) -> Transactions:
    """Read lists that are not columns of anything."""
    if stated.item is not None or roles.leave_out or roles.publish_unjudged or roles.rest:
        raise ScenarioError(
            f'"{text.file.name}" holds lists without columns.', hint="leave id, item and columns out."
        )
    numbering, kinds = Numbering(), set[type]()
    merged = _gathered(_listed(text.file, values, stated, kinds), numbering)
    origin = _origin(
        file=text.file, sha256=text.sha256, shape="lists", stated=stated, plain=_whole(None, kinds)
    )
    return transactions(merged, list(numbering), roles, origin)


class _Seen:
    """Records that pass by once: what columns they have, and the first of them."""

    def __init__(self, records: Iterator[tuple[int, Record]]) -> None:
        self._records = records
        self._failed = False
        self.names: dict[str, None] = {}
        self._first: list[Record] = []

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        try:
            for line, record in self._records:
                if not record.keys() <= self.names.keys():
                    self.names.update(dict.fromkeys(record))
                if len(self._first) < MOST:
                    self._first.append(record)
                yield line, record
        except DataError:
            self._failed = True
            raise

    @contextmanager
    def roles_first(self, settled: Callable[[], object]) -> Iterator[None]:
        """Tell of roles that no column has before telling of a value that cannot be read."""
        try:
            yield
        except DataError:
            if not self._failed:
                self.drain()
                settled()
            raise

    def drain(self) -> None:
        """Let the rest pass by, to know the columns of all records."""
        for _ in self:
            pass

    def first(self, columns: Iterable[str]) -> dict[str, list[Any]]:
        """Return what the first records hold in some columns."""
        return {name: [record.get(name) for record in self._first] for name in columns}

    def others(self, roles: Roles) -> Others:
        """Tell what the columns look like that are published without being judged."""
        return looked_at(self.first(roles.publish_unjudged))


def _whole(item: str | None, kinds: set[type]) -> frozenset[str | None]:
    """Return the column of the items if it holds whole numbers alone, which are then written as such."""
    return frozenset([item] if kinds <= {int} else [])


def read_records_table(file: StoredFile, roles: Roles, stated: ReadAs, groups: Grouping) -> Table:
    """Read a table of objects; a column that an object lacks is missing there."""
    missing = stated.missing
    text = TextPass(file)
    seen = _Seen(records_of(text))
    unjudged = {stated.id, *roles.leave_out, *roles.publish_unjudged}
    columns: dict[str, _RecordsColumn] = {}
    ids: list[Label] = []

    def check() -> None:
        check_names([*stated.sensitive, *roles.columns(stated.id)], list(seen.names))

    done = 0
    with seen.roles_first(check):
        for block in in_blocks(seen):
            for name in seen.names:
                if name not in unjudged and name not in columns:
                    columns[name] = _RecordsColumn(done)
            for name, column in columns.items():
                column.add(name, block, missing, file)
            if stated.id is not None:
                ids.extend(
                    text_of(record.get(stated.id), missing, line_of(file, line)) for line, record in block
                )
            done += len(block)
    check()
    refuse_missing(np.array([-1 if value is None else 0 for value in ids], np.int32), stated.id)
    judged = [name for name in seen.names if name not in unjudged]
    groups.check(list(seen.names), judged)
    values = {name: columns[name].coded() for name in judged}
    coded, fixed = groups.relabelled(values, missing)
    origin = _origin(
        file=file,
        sha256=text.sha256,
        shape="table",
        stated=stated,
        leave_out=roles.leave_out,
        others={
            **seen.others(roles),
            **groups.undone(seen.first([*groups.classes, *roles.publish_unjudged]), roles.publish_unjudged),
        },
        columns=tuple(seen.names),
        plain=frozenset(
            name
            for name in judged
            if name not in fixed and are_plain(columns[name].kinds, map(str, values[name][1]))
        ),
        classes=labels_of(fixed),
    )
    records = merged_records(coded, done)
    return table(records, roles, stated, groups, ids=tuple(ids), origin=origin, classes=fixed)


def _origin(**parts: Any) -> Origin:
    """Note how a file was read; what has no releases of its own is written from JSON lines."""
    origin = RecordsFile(**parts)
    row = origin.file.format
    return origin if row is None or row.work().rows is not None else InFormat(inner=origin, format=row)


class _RecordsColumn:
    """A column of a table in the making; the records before its first one lack it."""

    def __init__(self, before: int) -> None:
        self._numbering = Numbering()
        self._parts = [np.full(before, self._numbering[None], np.int32)] if before else []
        self.kinds: set[type] = set()

    def add(
        self, name: str, block: list[tuple[int, Record]], missing: tuple[str, ...], file: StoredFile
    ) -> None:
        """Add the values of more records."""
        texts = [text_of(record.get(name), missing, line_of(file, line)) for line, record in block]
        self._parts.append(self._numbering.codes(texts))
        self.kinds |= kinds_of((record.get(name) for _, record in block), texts)

    def coded(self) -> tuple[Codes, list[Label]]:
        """Return the code of each value, -1 where it is missing, and the labels."""
        return missing_as_none(np.concatenate(self._parts), self._numbering)


def _gathered(lists: Iterable[list[str]], numbering: Numbering) -> Any:
    gather = Gather()
    for block in in_blocks(lists):
        gather.add(*gathered(block, numbering))
    return gather.merged()


def _listed(
    file: StoredFile, values: Iterable[tuple[int, Any]], stated: ReadAs, kinds: set[type]
) -> Iterator[list[str]]:
    item, missing = stated.item, stated.missing
    for line, value in values:
        if isinstance(value, list) != (item is None):
            raise DataError(
                f"{line_of(file, line)} mixes lists and objects.", hint="write all lines the same way."
            )
        elements = value if item is None else value.get(item)
        yield items_of(elements, missing, line_of(file, line))
        kinds.update(type(element) for element in elements or [] if text_of(element, missing, "") is not None)


def _held(
    file: StoredFile, seen: _Seen, no_items: Collection[str], marks: dict[tuple[str, bool], Any]
) -> Iterator[list[str]]:
    """Give the items of each row; yes and no are marked in each column as they are first written there.

    The columns are those of the first row; one that only a later row has is missing before.
    """
    columns: list[str] | None = None
    for line, record in seen:
        is_first = columns is None
        if columns is None:
            columns = [name for name in seen.names if name not in no_items]
        try:
            held = [name for name in columns if _says_yes(file, line, record, name, marks)]
        except DataError:
            seen.drain()
            if not is_first:
                _refuse_late(columns, seen, no_items)
            raise
        yield held
    _refuse_late(columns or [], seen, no_items)


def _says_yes(
    file: StoredFile, line: int, record: Record, name: str, marks: dict[tuple[str, bool], Any]
) -> bool:
    value = record.get(name)
    text = text_of(value, (), line_of(file, line)) or ""
    if text not in YES and text not in NO:
        raise not_one_hot(name)
    marks.setdefault((name, text in YES), text if isinstance(value, str) else value)
    return text in YES


def _refuse_late(columns: Collection[str], seen: _Seen, no_items: Collection[str]) -> None:
    """Refuse items that the first row does not tell of."""
    late = [name for name in seen.names if name not in columns and name not in no_items]
    if late:
        raise not_one_hot(late[0])
