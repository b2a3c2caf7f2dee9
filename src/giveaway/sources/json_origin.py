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
from giveaway.sources.building import LongRows, ReleasedRows, refuse_missing
from giveaway.sources.coded import BLOCK, Numbering
from giveaway.sources.files import StoredFile
from giveaway.sources.json_lines import Record, records_of, text_of, values_of, written
from giveaway.sources.order import Published, Renaming, code_key, in_chunks, in_order, ranks


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
        order: Ints | None = None,
    ) -> Path:
        """Write the data without the withheld items and entries as `release.jsonl` in `folder`."""
        self.file.unchanged(self.sha256)
        target = folder / f"release.jsonl{'.gz' if self.file.compressed else ''}"
        published = Published(frozenset(without), renaming, order, cells, levels or {})
        released, places = self._released(published)
        lines = (json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in released)
        with opened(target) as out:
            for part in lines if places is None else in_order(in_chunks(lines), places, folder):
                out.write(part)
        self.file.unchanged(self.sha256)
        return target

    def native(
        self,
        without: Collection[Hashable],  # noqa: ARG002 # as all origins
        *,
        cells: Cells = Cells(),  # noqa: ARG002
        levels: Coarser | None = None,  # noqa: ARG002
        order: Ints | None = None,  # noqa: ARG002
    ) -> object:
        """Return nothing: a file has no form in memory."""
        raise file_has_no_frame(self.name)

    def _released(self, published: Published) -> tuple[Iterator[Any], Ints | None]:
        """Give the published rows as they stand in the file, and which of them stands at each place of the release."""
        if self.shape == "long":
            rows = self._long_rows(published)
            places = np.argsort(np.argsort(rows.positions)) if published.sorts_items else None
            return self._long(rows, published), places
        if self.shape == "lists":
            return self._lists(published), published.order
        made = self._table(published) if self.shape == "table" else self._projected(published)
        return made, published.order

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

    def _long_rows(self, published: Published) -> ReleasedRows:
        """Find out which rows of a long table are published."""
        whose, what, labels = long_codes(self.file, str(self.id), str(self.item), self.missing)
        others = self._other_contents() if self.others else None
        return LongRows(whose, what, labels).published(published, others=others)

    def _long(self, rows: ReleasedRows, published: Published) -> Iterator[Record]:
        """Number the transactions in place of their ids."""
        whose_column, item = str(self.id), str(self.item)
        chosen = iter(np.argsort(rows.positions).tolist())
        at = next(chosen, None)
        for position, (_, record) in enumerate(records_of(self.file)):
            if at is None or rows.positions[at] != position:
                continue
            empty = bool(rows.bare[at])
            kept = {
                name: None if empty else cell for name, cell in record.items() if name not in self.leave_out
            }
            text = None if empty else text_of(record.get(item), self.missing, "")
            shown = None if text is None else published.name(text)
            yield {
                **kept,
                whose_column: int(rows.numbers[at]),
                item: shown
                if shown is None or published.renaming is not None
                else written(record[item], text),
            }
            at = next(chosen, None)

    def _other_contents(self) -> Ints:
        """Number the contents of the other columns in the order of their texts."""
        numbering = Numbering()
        contents = [
            json.dumps([record.get(name) for name in self.others]) for _, record in records_of(self.file)
        ]
        codes = numbering.codes(contents)
        return ranks(numbering)[codes]


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
