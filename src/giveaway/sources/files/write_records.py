"""Records written again without what is withheld, as lines of JSON."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.model.data.arrays import Codes
from giveaway.model.data.labels import Label
from giveaway.model.layout import Layout, Others, Shape
from giveaway.model.published import Published, code_key
from giveaway.sources.encoding.coded import BLOCK, Numbering
from giveaway.sources.encoding.counted import YES
from giveaway.sources.encoding.grouping import Labels
from giveaway.sources.encoding.order import in_chunks, in_order, ranks
from giveaway.sources.files.record_values import Record, json_line, records_of, text_of, values_of
from giveaway.sources.files.stored import FromFile, StoredFile, TextPass, opened, passed_again
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.formats.jsonl import JSONL
from giveaway.sources.frames.building import LongRows, PublishedLongRows


@dataclass(frozen=True, kw_only=True)
class RecordsFile(FromFile):
    """A file of records that was read; its release is written as JSON lines in UTF-8."""

    shape: Shape
    stated: ReadAs
    leave_out: tuple[str, ...] = ()
    others: Others = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    """All columns, in the order in which every record is written, whichever it has."""
    plain: frozenset[str | None] = frozenset()
    """The columns whose labels are written as numbers or truth values; None stands for lists without columns."""
    marks: Mapping[tuple[str, bool], Any] = field(default_factory=dict)
    """How yes and no are written in each one-hot column."""
    classes: Labels = field(default_factory=dict)
    """What is written for the values of columns with classes."""

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return Layout(
            shape=self.shape,
            format=JSONL.name,
            id=self.stated.id if self.shape == "long" else None,
            item=self.stated.item,
            compressed=self.file.compressed,
            missing=self.stated.missing,
            others=self.others,
            left_out=self.leave_out,
        )

    def write(self, folder: Path, published: Published) -> Path:
        """Write the data without the withheld items and entries as `release.jsonl` in `folder`."""
        target = folder / f"release.{JSONL.name}{'.gz' if self.file.compressed else ''}"
        rows = self._long_rows(published) if self.shape == "long" else None
        with opened(target) as out, passed_again(self.file, self.sha256) as text:
            if rows is not None:
                released = self._long(text, rows, published)
                places = np.argsort(np.argsort(rows.positions)) if published.sorts_items else None
            else:
                released, places = self._released(text, published), published.order
            lines = map(json_line, released)
            for part in lines if places is None else in_order(in_chunks(lines), places, folder):
                out.write(part)
        return target

    def _released(self, text: TextPass, published: Published) -> Iterator[Any]:
        """Give the published rows in the order of the file."""
        if self.shape == "lists":
            return self._lists(text, published)
        return self._table(text, published) if self.shape == "table" else self._projected(text, published)

    def _table(self, text: TextPass, published: Published) -> Iterator[Record]:
        """Publish whole columns, with null for missing and withheld entries and the texts of coarser ones."""
        gone = {*self.leave_out, self.stated.id, *published.without}
        shown = [name for name in self.columns if name not in gone]
        instead = _instead(published)
        for row, (_, record) in enumerate(records_of(text)):
            yield {
                name: instead[name][row]
                if row in instead.get(name, ())
                else self._entry(name, record, published)
                for name in shown
            }

    def _entry(self, name: str, record: Record, published: Published) -> Any:
        """Return an entry as it is written; a judged column with coarser entries is text."""
        if name in self.classes:
            value = text_of(record.get(name), self.stated.missing, "")
            return None if value is None else self.classes[name][value]
        if name in self.others:
            return record.get(name)
        text = text_of(record.get(name), self.stated.missing, "")
        return text if name in published.levels else self._label(name, text)

    def _label(self, name: str | None, text: str | None) -> Any:
        """Return the one form in which a label is written."""
        return json.loads(text) if text is not None and name in self.plain else text

    def _projected(self, text: TextPass, published: Published) -> Iterator[Record]:
        """Publish whole columns of the items that are published."""
        kept = [name for name in self.columns if name not in self.leave_out]
        items = published.named(name for name in kept if name not in self.others)
        shown = [name for name in kept if name in self.others or name in items]
        if published.renaming is not None:
            shown = [*(name for name in kept if name in self.others), *sorted(items, key=code_key)]
        for _, record in records_of(text):
            yield {
                name: self._mark(items[name], record) if name in items else record.get(name) for name in shown
            }

    def _mark(self, columns: Sequence[str], record: Record) -> Any:
        """Return yes where one of the columns says it, as it is written in the first."""
        return self.marks[columns[0], any(text_of(record[name], (), "") in YES for name in columns)]

    def _lists(self, text: TextPass, published: Published) -> Iterator[Any]:
        for _, value in values_of(text):
            if self.stated.item is None:
                yield self._kept(value, published)
            else:
                items = self._kept(value.get(self.stated.item), published)
                yield {
                    name: items if name == self.stated.item else value.get(name)
                    for name in self.columns
                    if name not in self.leave_out
                }

    def _kept(self, elements: list[Any] | None, published: Published) -> list[Any]:
        texts = [text_of(element, self.stated.missing, "") for element in elements or []]
        names = published.in_row([text for text in texts if text is not None])
        if published.renaming is not None:
            return names
        return [self._label(self.stated.item, str(name)) for name in names]

    def _long_rows(self, published: Published) -> PublishedLongRows:
        """Find out which rows of a long table are published, in a pass of its own."""
        with passed_again(self.file, self.sha256) as text:
            coded = long_codes(records_of(text), self.file, self.stated, self.others)
        others = ranks(coded.contents)[coded.other] if self.others else None
        return LongRows(coded.whose, coded.what, coded.labels).published(published, others=others)

    def _long(self, text: TextPass, rows: PublishedLongRows, published: Published) -> Iterator[Record]:
        """Number the transactions in place of their ids."""
        whose_column, item = str(self.stated.id), str(self.stated.item)
        shown = [name for name in self.columns if name not in self.leave_out]
        chosen = iter(np.argsort(rows.positions).tolist())
        at = next(chosen, None)
        for position, (_, record) in enumerate(records_of(text)):
            if at is None or rows.positions[at] != position:
                continue
            empty = bool(rows.bare[at])
            label = None if empty else text_of(record.get(item), self.stated.missing, "")
            name = None if label is None else published.name(label)
            yield {
                **{name: None if empty else record.get(name) for name in shown},
                whose_column: int(rows.numbers[at]),
                item: name if published.renaming is not None or name is None else self._label(item, label),
            }
            at = next(chosen, None)


def _instead(published: Published) -> dict[str, dict[int, str | None]]:
    """Return what is written instead of the entries that are withheld wholly or in part, by column and row."""
    instead: dict[str, dict[int, str | None]] = {
        name: dict(zip(rows.tolist(), texts.tolist(), strict=True))
        for name, (rows, texts) in published.levels.items()
    }
    for name in published.cells.columns:
        instead.setdefault(name, {}).update(dict.fromkeys(published.cells.positions(name).tolist()))
    return instead


@dataclass(frozen=True, eq=False)
class LongCodes:
    """A long table as codes, row by row."""

    whose: Codes
    """The transaction of each row, -1 where the file does not say."""
    what: Codes
    """The item of each row, -1 where it names none."""
    labels: list[Label]
    kinds: set[type]
    """The types that the items have in the file."""
    other: Codes
    """What each row holds in further columns, a place in `contents`."""
    contents: list[Label]


def long_codes(
    records: Iterable[tuple[int, Record]], file: StoredFile, stated: ReadAs, others: Collection[str] = ()
) -> LongCodes:
    """Number the ids and items of long rows, and what they hold in further columns."""
    key, item, missing = str(stated.id), str(stated.item), stated.missing
    ids, items, contents = Numbering(), Numbering(), Numbering()
    whose, what, other = ([np.zeros(0, np.int32)] for _ in range(3))
    kinds: set[type] = set()
    for block in in_blocks(records):
        where = line_of(file, block[0][0])
        whose.append(ids.codes([text_of(record.get(key), missing, where) for _, record in block]))
        texts = [text_of(record.get(item), missing, where) for _, record in block]
        what.append(items.codes(texts))
        kinds.update(kinds_of((record.get(item) for _, record in block), texts))
        if others:
            held = [json.dumps([record.get(name) for name in others]) for _, record in block]
            other.append(contents.codes(held))
    owners, _ = missing_as_none(np.concatenate(whose), ids)
    named, labels = missing_as_none(np.concatenate(what), items)
    return LongCodes(owners, named, labels, kinds, np.concatenate(other), list(contents))


def kinds_of(values: Iterable[object], texts: Iterable[str | None]) -> set[type]:
    """Return the types of the values that are not missing."""
    return {type(value) for value, text in zip(values, texts, strict=True) if text is not None}


def missing_as_none(codes: Codes, numbering: Numbering) -> tuple[Codes, list[Label]]:
    """Give the missing values, numbered as None, the code -1."""
    labels = list(numbering)
    if None not in numbering:
        return codes, labels
    none = numbering[None]
    labels.remove(None)
    return np.where(codes == none, -1, codes - (codes > none)).astype(np.int32), labels


def in_blocks(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Give values in lists of some size."""
    block: list[Any] = []
    for value in values:
        block.append(value)
        if len(block) == BLOCK:
            yield block
            block = []
    if block:
        yield block


def line_of(file: StoredFile, line: int) -> str:
    """Say where a line stands."""
    return f'Line {line} of "{file.name}"'
