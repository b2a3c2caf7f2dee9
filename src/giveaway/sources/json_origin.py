"""JSON lines written again without what is withheld."""

import json
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.model.cells import Cells
from giveaway.model.labels import Label
from giveaway.model.origin import Coarser, Layout, Others, Shape
from giveaway.model.rows import Codes, Ints
from giveaway.sources.baskets import file_has_no_frame, opened
from giveaway.sources.building import LongRows, refuse_missing
from giveaway.sources.coded import BLOCK, Numbering
from giveaway.sources.files import StoredFile
from giveaway.sources.json_lines import Record, records_of, text_of, values_of, written
from giveaway.sources.order import Published, Renaming, code_key, random_order


@dataclass(frozen=True, kw_only=True)
class JsonFile:
    """A file of JSON lines that was read; its release is written in UTF-8."""

    file: StoredFile
    sha256: str
    shape: Shape
    id: str | None = None
    item: str | None = None
    missing: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    others: Others = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return Layout(
            shape=self.shape,
            format="jsonl",
            id=self.id if self.shape == "long" else None,
            item=self.item,
            compressed=self.file.compressed,
            missing=self.missing,
            others=self.others,
        )

    def write(
        self,
        folder: Path,
        without: Collection[Hashable],
        *,
        cells: Cells = Cells(),
        levels: Coarser | None = None,
        renaming: Renaming | None = None,
        shuffled: bool = False,
    ) -> Path:
        """Write the data without the withheld items and entries as `release.jsonl` in `folder`."""
        self.file.unchanged(self.sha256)
        target = folder / f"release.jsonl{'.gz' if self.file.compressed else ''}"
        published = Published(frozenset(without), renaming, shuffled, cells, levels or {})
        released = self._released(published)
        lines = (json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in released)
        with opened(target) as out:
            if shuffled and self.shape != "long":
                held = list(lines)
                lines = (held[place] for place in random_order(len(held)).tolist())
            for line in lines:
                out.write(line)
        self.file.unchanged(self.sha256)
        return target

    def native(
        self,
        without: Collection[Hashable],  # noqa: ARG002 # as all origins
        *,
        cells: Cells = Cells(),  # noqa: ARG002
        levels: Coarser | None = None,  # noqa: ARG002
    ) -> object:
        """Return nothing: a file has no form in memory."""
        raise file_has_no_frame(self.name)

    def _released(self, published: Published) -> Iterator[Any]:
        if self.shape == "long":
            return self._long(published)
        if self.shape == "lists":
            return self._lists(published)
        return self._table(published) if self.shape == "table" else self._projected(published)

    def _table(self, published: Published) -> Iterator[Record]:
        """Publish whole columns, with null for each withheld entry and the texts of coarser ones."""
        gone = {*self.leave_out, self.id, *published.without}
        instead = _instead(published)
        for row, (_, record) in enumerate(records_of(self.file)):
            yield {
                name: instead.get(name, {}).get(row, cell)
                for name, cell in record.items()
                if name not in gone
            }

    def _projected(self, published: Published) -> Iterator[Record]:
        """Publish whole columns of the items that are published."""
        for _, record in records_of(self.file):
            kept = {name: cell for name, cell in record.items() if name not in self.leave_out}
            others = {name: kept.pop(name) for name in self.others if name in kept}
            names = {label: published.name(label) for label in kept}
            shown: Record = {
                str(names[label]): cell for label, cell in kept.items() if names[label] is not None
            }
            if published.renaming is None:
                everything = {**others, **shown}
                yield {name: everything[name] for name in record if name in everything}
            else:
                yield {**others, **{name: shown[name] for name in sorted(shown, key=code_key)}}

    def _lists(self, published: Published) -> Iterator[Any]:
        for _, value in values_of(self.file):
            if self.item is None:
                yield self._kept(value, published)
            else:
                cells: Record = {**value, self.item: self._kept(value.get(self.item), published)}
                yield {name: cell for name, cell in cells.items() if name not in self.leave_out}

    def _kept(self, elements: list[Any] | None, published: Published) -> list[Any]:
        once: dict[Hashable, Any] = {}
        for element in elements or []:
            text = text_of(element, self.missing, "")
            if text is not None:
                once.setdefault(text, written(element, text))
        names = published.in_row(list(once))
        return names if published.renaming is not None else [once[name] for name in names]

    def _long(self, published: Published) -> Iterator[Record]:
        """Number the transactions in place of their ids; the first pass finds out which rows are published."""
        whose_column, item = str(self.id), str(self.item)
        whose, what, labels = long_codes(self.file, whose_column, item, self.missing)
        others = self._other_contents() if self.others else None
        rows = LongRows(whose, what, labels).published(published, others=others)
        cells: dict[int, Record] = {}
        following = 0
        for position, (_, record) in enumerate(records_of(self.file)):
            if position not in rows.place:
                continue
            at = rows.place[position]
            empty = bool(rows.bare[at])
            kept = {
                name: None if empty else cell for name, cell in record.items() if name not in self.leave_out
            }
            text = None if empty else text_of(record.get(item), self.missing, "")
            shown = None if text is None else published.name(text)
            cells[at] = {
                **kept,
                whose_column: int(rows.numbers[at]),
                item: shown
                if shown is None or published.renaming is not None
                else written(record[item], text),
            }
            while following in cells:
                yield cells.pop(following)
                following += 1

    def _other_contents(self) -> Ints:
        numbering = Numbering()
        contents = [
            json.dumps([record.get(name) for name in self.others]) for _, record in records_of(self.file)
        ]
        return numbering.codes(contents).astype(np.int64)


def _instead(published: Published) -> dict[str, dict[int, str | None]]:
    """Return what is written instead of the entries that are withheld wholly or in part, by column and row."""
    found: dict[str, dict[int, str | None]] = {
        name: dict(zip(rows.tolist(), texts.tolist(), strict=True))
        for name, (rows, texts) in published.levels.items()
    }
    for name in published.cells.columns:
        found.setdefault(name, {}).update(dict.fromkeys(published.cells.positions(name).tolist()))
    return found


def long_codes(
    file: StoredFile, id: str, item: str, missing: tuple[str, ...]
) -> tuple[Codes, Codes, list[Label]]:
    """Return the codes of ids and items of each row, and the labels of the items."""
    ids, items = Numbering(), Numbering()
    whose, what = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for block in in_blocks(records_of(file)):
        where = line_of(file, block[0][0])
        whose.append(ids.codes([text_of(record.get(id), missing, where) for _, record in block]))
        what.append(items.codes([text_of(record.get(item), missing, where) for _, record in block]))
    owners, _ = missing_as_none(np.concatenate(whose), ids)
    refuse_missing(owners, id)
    return owners, *missing_as_none(np.concatenate(what), items)


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
