"""Delimited and Parquet files written again without what is withheld."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.layout import Layout, Others, Shape
from giveaway.model.published import Published, code_key
from giveaway.sources.encoding import counted
from giveaway.sources.encoding.grouping import Labels
from giveaway.sources.files.as_relation import WHOLE, HowRead, Relation, classed, read_again
from giveaway.sources.files.duckdb import identifier, literal
from giveaway.sources.files.stored import FromFile, opened
from giveaway.sources.formats import CSV, TSV
from giveaway.sources.formats.delimited.text import BLANK, csv_text
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.formats.parquet import PARQUET

_Query = tuple[dict[str, str], str]
"""The published columns with their SQL, and the rest of a query."""


@dataclass(frozen=True, kw_only=True)
class EngineFile(FromFile):
    """A delimited or Parquet file that was read; delimited releases are written in UTF-8."""

    shape: Shape
    stated: ReadAs
    leave_out: tuple[str, ...]
    others: Others
    """The columns that are published without being judged."""
    how: HowRead | None = None
    """How a delimited file was read."""
    contents: Mapping[str, int] = field(default_factory=dict)
    """What tells whether each column still holds the same."""
    classes: Labels = field(default_factory=dict)
    """What is written for the values of columns with classes."""

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return Layout(
            shape=self.shape,
            format=(PARQUET if self._parquet else CSV).name,
            id=self.stated.id if self.shape == "long" else None,
            item=self.stated.item,
            separator=self._cut,
            header=self._parquet or self._with_header,
            compressed=self.file.compressed,
            missing=self.stated.missing,
            nothing=(PARQUET if self._parquet else CSV).nothing,
            others=self.others,
            left_out=self.leave_out,
        )

    @property
    def _parquet(self) -> bool:
        return self.file.format is PARQUET

    @property
    def _cut(self) -> str:
        """What separates the columns of the release: between blanks, an entry with nothing in it could not be seen."""
        cut = self.stated.separator or ","
        return "," if cut == BLANK else cut

    @property
    def _with_header(self) -> bool:
        """Whether names are written: given ones, or given by us where columns may be gone."""
        return self.stated.header or self.shape == "one-hot" or bool(self.leave_out)

    def write(self, folder: Path, published: Published) -> Path:
        """Write the data without the withheld items and entries as `release.csv`, `.tsv` or `.parquet` in `folder`."""
        with read_again(
            self.file, self.how, sha256=self.sha256, contents=self.contents, leave_out=self.leave_out
        ) as loaded:
            return self.released(classed(loaded, self.classes, self.stated.missing), folder, published)

    def released(self, loaded: Relation, folder: Path, published: Published) -> Path:
        """Write what is published of the rows of a relation."""
        kept = [column for column in loaded.columns if column not in self.leave_out]
        query = {"long": self._long, "lists": self._lists}.get(self.shape, self._projected)
        cells, rest = query(loaded, kept, published)
        if not cells:
            raise ScenarioError("Nothing is left to publish: every column is withheld or left out.")
        return self._copied(loaded, folder, cells, rest)

    def _projected(self, loaded: Relation, kept: Sequence[str], published: Published) -> _Query:
        """Publish whole columns: those of a table, or of the items that are published."""
        if self.shape == "table":
            columns = [
                column for column in kept if column != self.stated.id and column not in published.without
            ]
            return self._table(loaded, columns, published)
        items = published.named(column for column in kept if column not in self.others)
        marks = counted.one_hot_marks(loaded, [columns[0] for columns in items.values() if len(columns) == 1])
        cells = {column: loaded.raw(column) for column in kept if column in self.others}
        for name, columns in items.items():
            one = columns[0]
            cells[name] = counted.any_of(loaded, columns) if columns[1:] else marks.get(one, loaded.raw(one))
        if published.renaming is not None:
            ordered = sorted(items, key=code_key)
            cells = {name: cells[name] for name in (*(name for name in cells if name not in items), *ordered)}
        else:
            cells = {column: cells[column] for column in kept if column in cells}
        return cells, f"FROM given{_marked(loaded, published)}{_order(published)}"

    def _table(self, loaded: Relation, columns: Sequence[str], published: Published) -> _Query:
        """Publish the columns of a table with nothing in missing and withheld entries, and coarser texts in others."""
        judged = [column for column in columns if column not in self.others]
        shown = {column: loaded.raw(column) for column in columns}
        shown |= {column: loaded.written(column, self.stated.missing) for column in judged}
        source = f"FROM given{_marked(loaded, published)}"
        for place, (column, (rows, texts)) in enumerate(published.levels.items()):
            loaded.engine.put(f"coarser{place}", {f"at{place}": rows + 1, f"text{place}": texts})
            source += f" LEFT JOIN coarser{place} ON at{place} = n"
            text = loaded.present(column, self.stated.missing)
            shown[column] = f"CASE WHEN at{place} IS NULL THEN {text} ELSE text{place} END"
        for place, column in enumerate(published.cells.columns):
            shown[column] = f"CASE WHEN hidden{place} THEN NULL ELSE {shown[column]} END"
        return shown, source + _order(published, mixed_up=bool(published.levels))

    def _lists(self, loaded: Relation, kept: Sequence[str], published: Published) -> _Query:
        """Publish lists without the withheld elements, repeated ones once and missing ones dropped."""
        raw = loaded.raw(str(self.stated.item))
        _, labels = counted.list_rows(loaded, str(self.stated.item), self.stated.missing)
        shown = [None if name is None else str(name) for name in map(published.name, labels)]
        loaded.engine.put("shown", {"label": shown, "code": np.arange(len(shown))})
        texts = f"list_transform({raw}, lambda x: {counted.element_text('x', self.stated.missing)})"
        codes = f"list_transform({texts}, lambda x: enum_code(CAST(x AS item)) + 1)" if labels else "[]"
        first = "list_position(codes, codes[i]) = i AND shown[codes[i]] IS NOT NULL"
        if published.renaming is not None:
            chosen = (
                f"list_distinct(list_transform(list_filter(codes, lambda x, i: {first}), lambda x: shown[x]))"
            )
            listed = (
                f"list_sort(list_transform({chosen}, lambda x: [lpad(CAST(len(x) AS VARCHAR), 9, '0'), x]))"
            )
            cell = f"list_transform({listed}, lambda x: x[2])"
        elif published.shuffled:
            source = raw if _is_whole(loaded, str(self.stated.item)) else "texts"
            chosen = f"list_filter(range(1, len(codes) + 1), lambda i: {first})"
            listed = f"list_sort(list_transform({chosen}, lambda i: {{'code': codes[i], 'is': {source}[i]}}))"
            cell = f"list_transform({listed}, lambda x: x['is'])"
        else:
            source = raw if _is_whole(loaded, str(self.stated.item)) else "texts"
            cell = f"list_filter({source}, lambda x, i: {first})"
        cells = {
            column: f"coalesce({cell}, [])" if column == self.stated.item else loaded.raw(column)
            for column in kept
        }
        rows = (
            f"(SELECT *, {texts} AS texts, {codes} AS codes FROM given) AS given{_marked(loaded, published)}"  # noqa: S608 # quoted
        )
        names = "(SELECT coalesce(list(label ORDER BY code), []) AS shown FROM shown) AS names"
        return cells, f"FROM {rows} CROSS JOIN {names}{_order(published, mixed_up=True)}"

    def _long(self, loaded: Relation, kept: Sequence[str], published: Published) -> _Query:
        """Number the transactions in place of their ids; one bare row stands for an emptied transaction.

        Rows alike in everything published stand once, and a row without item is needed only for its other columns.
        """
        whose = loaded.present(str(self.stated.id), self.stated.missing)
        what = loaded.present(str(self.stated.item), self.stated.missing)
        _put_names(loaded, what, published)
        loaded.engine.run(
            f"CREATE VIEW shown AS SELECT given.*, {whose} AS whose, {what} AS what, names.code AS place, name "  # noqa: S608 # quoted
            f"FROM given LEFT JOIN names ON names.label = {what}"
        )
        loaded.engine.run(
            "CREATE TABLE owners AS SELECT whose, min(n) AS first, count(name) = 0 AS emptied FROM shown GROUP BY whose",
            loaded.rows,
        )
        count = int(loaded.engine.value("SELECT count(*) FROM owners"))
        loaded.engine.put(
            "marks", {"appearance": np.arange(count) + 1, "number": published.places(count) + 1}
        )
        loaded.engine.run(
            "CREATE TABLE numbered AS SELECT whose, first, emptied, number FROM "
            "(SELECT *, row_number() OVER (ORDER BY first) AS appearance FROM owners) JOIN marks USING (appearance)"
        )
        item = "name" if published.renaming is not None else _written(loaded, str(self.stated.item))
        cells = {column: f"CASE WHEN emptied THEN NULL ELSE {loaded.raw(column)} END" for column in kept}
        cells[str(self.stated.id)] = "number"
        cells[str(self.stated.item)] = f"CASE WHEN emptied OR what IS NULL THEN NULL ELSE {item} END"
        same = ", ".join(["whose", "name", "what IS NULL", *(loaded.raw(column) for column in self.others)])
        there = "(name IS NOT NULL OR what IS NULL)" if self.others else "name IS NOT NULL"
        order = "n"
        if published.shuffled:  # rows alike in all of these stand once
            order = ", ".join(["number", "place", *(loaded.raw(column) for column in self.others)])
        elif published.renaming is not None:
            order = "number, place, n"
        firsts = f"(SELECT min(n) FROM shown GROUP BY {same})"  # noqa: S608 # quoted
        chosen = f"CASE WHEN emptied THEN n = first ELSE {there} AND n IN {firsts} END"
        return cells, f"FROM shown JOIN numbered USING (whose) WHERE {chosen} ORDER BY {order}"

    def _copied(self, loaded: Relation, folder: Path, cells: Mapping[str, str], rest: str) -> Path:
        if self._parquet:
            named = ", ".join(f"{cell} AS {identifier(column)}" for column, cell in cells.items())
            target = folder / f"release.{PARQUET.name}"
            loaded.engine.run(
                f"COPY (SELECT {named} {rest}) TO {literal(str(target))} "
                f"(FORMAT parquet, ROW_GROUP_SIZE {loaded.engine.row_group})",
                loaded.rows,
            )
            return target
        # An empty text would be written as two quotes, needed only where a row would become a blank line.
        blank = "coalesce({}, '')" if len(cells) == 1 else "nullif(CAST({} AS VARCHAR), '')"
        named = ", ".join(f"{blank.format(cell)} AS c{at}" for at, cell in enumerate(cells.values()))
        plain = loaded.engine.folder / "release.csv"
        loaded.engine.run(
            f"COPY (SELECT {named} {rest}) TO {literal(str(plain))} (FORMAT csv, HEADER false, "
            f"DELIM {literal(self._cut)}, QUOTE '\"', ESCAPE '\"', COMPRESSION none)",
            loaded.rows,
        )
        return self._finished(plain, folder, list(cells))

    def _finished(self, plain: Path, folder: Path, columns: Sequence[str]) -> Path:
        """Put the header before the rows and compress them if the input was."""
        name = (TSV if self.file.format is TSV else CSV).name
        target = folder / f"release.{name}{'.gz' if self.file.compressed else ''}"
        header = csv_text([columns], self._cut) if self._with_header else ""
        with opened(target) as out, plain.open("rb") as rows:
            out.write(header.encode())
            shutil.copyfileobj(rows, out, 1 << 20)
        plain.unlink()
        return target


def _put_names(loaded: Relation, what: str, published: Published) -> None:
    """Make the table `names`: what is written for each label that is published, in an order of their own."""
    labels = loaded.engine.run(f"SELECT DISTINCT {what} FROM given WHERE {what} IS NOT NULL")  # noqa: S608 # quoted
    names = {label: str(name) for (label,) in labels if (name := published.name(label)) is not None}
    ordered = sorted(names, key=lambda label: published.key(names[label]))
    shown = [names[label] for label in ordered]
    loaded.engine.put("names", {"label": ordered, "name": shown, "code": np.arange(len(ordered))})


def _marked(loaded: Relation, published: Published) -> str:
    """Put what is decided row by row beside the rows: whether an entry is withheld, and the row's place if shuffled."""
    cells = published.cells
    marks: dict[str, Any] = {
        f"hidden{place}": cells.marks(column, loaded.rows) for place, column in enumerate(cells.columns)
    }
    if published.shuffled:
        marks["place"] = published.places(loaded.rows)
    if not marks:
        return ""
    loaded.engine.put("marks", marks)
    return " POSITIONAL JOIN marks"


def _order(published: Published, *, mixed_up: bool = False) -> str:
    """Return the end of a query that gives the rows in the order of the release, `mixed_up` where it lost theirs."""
    return " ORDER BY place" if published.shuffled else " ORDER BY n" if mixed_up else ""


def _is_whole(loaded: Relation, column: str) -> bool:
    return loaded.types[loaded.columns.index(column)].removesuffix("[]").removeprefix("U") in WHOLE


def _written(loaded: Relation, column: str) -> str:
    """Return SQL for an item as it is written: whole numbers as such, anything else as its label."""
    return loaded.raw(column) if _is_whole(loaded, column) else loaded.text(column)
