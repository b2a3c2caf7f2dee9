"""Released files in another format than the data came in: written in their own first, then row by row in the other.

What was withheld, renamed and put in order is decided by then, so that no format needs to know of it.
"""

import copy
import csv
import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.origin import Coarser, Layout, Origin
from giveaway.model.data.supports import Supports
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release
from giveaway.scratch import scratch_folder
from giveaway.sources.files.baskets import opened
from giveaway.sources.files.duckdb import engine, identifier, literal
from giveaway.sources.files.stored import BLANKS

Format = Literal["csv", "tsv", "parquet", "jsonl", "dat"]
Record = tuple[Any, ...]
Rows = Iterable[Record]
T = TypeVar("T")

_CUT = {"csv": ",", "tsv": "\t"}
_ID, _ITEM, _LIST = "transaction", "item", "items"
"""The columns of transactions that came without any."""


def in_format(release: Release, format: str) -> Release:
    """Return a release that is written in a format; the same where that is its own."""
    if format not in get_args(Format):
        raise ScenarioError(f"format = {format!r} is unknown.", exists=", ".join(get_args(Format)))
    origin = release.original.origin
    if origin is None:
        raise ScenarioError("These data were built by hand and have no form to be written in.")
    if release.rules is not None and format != "csv":
        raise ScenarioError("Rules are written as csv.", hint="leave format out.")
    if release.rules is not None or isinstance(release.original, Supports) or format == _name(origin.layout):
        return release
    made = InFormat(inner=origin, format=_checked(format, origin.layout))
    # Copies keep what was worked out of the data: only where they are written changes.
    original, other = copy.copy(release.original), copy.copy(release)
    object.__setattr__(original, "origin", made)
    object.__setattr__(other, "original", original)
    return other


def _name(layout: Layout) -> str:
    if layout.format == "csv":
        return "tsv" if layout.separator == "\t" else "csv"
    return "dat" if layout.format == "baskets" else layout.format


def _checked(format: Any, layout: Layout) -> Format:
    """Refuse a format that the rows of a layout cannot be written in."""
    further = layout.shape == "lists" and layout.others
    listed = layout.shape in ("baskets", "lists")
    fit = (_name(layout),) if further else get_args(Format) if listed else ("csv", "tsv", "parquet", "jsonl")
    if format not in fit:
        why = (
            "lists of items with further columns" if further else f"rows in the form of a {layout.shape} file"
        )
        raise ScenarioError(f"{why[:1].upper()}{why[1:]} are not written as {format}.", exists=", ".join(fit))
    made: Format = format
    return made


@dataclass(frozen=True, kw_only=True)
class InFormat:
    """Data whose release is written in another format than theirs."""

    inner: Origin
    format: Format

    @property
    def name(self) -> str:
        """The name of the data."""
        return self.inner.name

    @property
    def path(self) -> Path | None:
        """Where they are."""
        return self.inner.path

    @property
    def sha256(self) -> str | None:
        """Their hash."""
        return self.inner.sha256

    @property
    def layout(self) -> Layout:
        """How the release stands in its file; nothing is compressed."""
        own = self.inner.layout
        own = replace(own, compressed=False, encoding="utf-8")
        if self.format == "dat":
            return Layout(shape="baskets", format="baskets", separator=" ")
        if own.shape in ("baskets", "lists"):
            if self.format in _CUT:
                cut = _CUT[self.format]
                return Layout(shape="long", format="csv", id=_ID, item=_ITEM, separator=cut)
            item = _LIST if self.format == "parquet" else None
            return Layout(shape="lists", format="parquet" if item else "jsonl", item=item)
        if self.format in _CUT:
            return replace(own, format="csv", separator=_CUT[self.format])
        return replace(own, format="parquet" if self.format == "parquet" else "jsonl", header=True)

    def write(
        self,
        folder: Path,
        without: Collection[Hashable],
        *,
        cells: Cells = Cells(),
        levels: Coarser | None = None,
        renaming: Mapping[Hashable, str] | None = None,
        order: Ints | None = None,
    ) -> Path:
        """Write the release in its own format in a folder of temporary files, and from there in the other."""
        with scratch_folder() as place:
            own = self.inner.write(place, without, cells=cells, levels=levels, renaming=renaming, order=order)
            names, rows = _read(own, self.inner.layout)
            target = folder / f"release.{self.format}"
            if self.inner.layout.shape in ("baskets", "lists"):
                self._write_lists(target, rows)
            else:
                _WRITERS[self.format](target, names, rows, self.layout.header)
        return target

    def native(
        self,
        without: Collection[Hashable],
        *,
        cells: Cells = Cells(),
        levels: Coarser | None = None,
        order: Ints | None = None,
    ) -> object:
        """Return what the data themselves return."""
        return self.inner.native(without, cells=cells, levels=levels, order=order)

    def _write_lists(self, target: Path, rows: Rows) -> None:
        texts = ([str(item) for item in items] for (items,) in rows)
        if self.format == "dat":
            with opened(target) as out:
                out.writelines(" ".join(map(_word, items)).encode() + b"\n" for items in texts)
        elif self.format == "jsonl":
            _write_lines(target, texts)
        elif self.format == "parquet":
            _write_parquet(target, [_LIST], ((items,) for items in texts), kind="VARCHAR[]")
        else:
            # A transaction without items has one row, without an item.
            pairs = ((number, item) for number, items in enumerate(texts, 1) for item in items or [""])
            _write_delimited(target, [_ID, _ITEM], pairs)


def _word(item: str) -> str:
    if not item or len(item.split()) != 1 or item.strip(BLANKS) != item:
        raise ScenarioError(
            f"The item {item!r} has a blank in it, which separates items in a dat file.",
            hint="write another format.",
        )
    return item


# Reading what was written ---------------------------------------------------------------------------------------


def _read(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    """Return the columns of a released file and its rows; of lists, each row is its list."""
    if layout.format == "baskets":
        return [], (([word.decode() for word in line.split()],) for line in _lines(file))
    if layout.format == "jsonl":
        return _read_lines(file, layout)
    if layout.format == "parquet":
        return _read_parquet(file)
    rows = csv.reader((line.decode() for line in _lines(file)), delimiter=layout.separator, strict=True)
    found = (tuple(cell or None for cell in row) for row in rows)
    first = next(found)
    if layout.header:
        return [cell or "" for cell in first], found
    return [f"c{place}" for place in range(1, len(first) + 1)], _with_first(first, found)


def _with_first(first: T, others: Iterable[T]) -> Iterator[T]:
    yield first
    yield from others


def _lines(file: Path) -> Iterator[bytes]:
    import gzip

    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as found:
        yield from found


def _read_lines(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    values = (json.loads(line) for line in _lines(file))
    if layout.shape == "lists":
        return [], ((value if layout.item is None else value[layout.item],) for value in values)
    first: dict[str, Any] = next(values, {})
    names = list(first)
    return names, (tuple(value[name] for name in names) for value in _with_first(first, values) if value)


def _read_parquet(file: Path) -> tuple[list[str], Rows]:
    """Read values as the checker knows them: whole numbers, yes and no, lists and texts; others by their texts."""
    parts = [str(part) for part in sorted(file.iterdir())] if file.is_dir() else [str(file)]
    source = f"read_parquet([{', '.join(map(literal, parts))}])"
    with engine() as asked:
        types = {str(name): str(kind) for name, kind, *_ in asked.run(f"DESCRIBE SELECT * FROM {source}")}  # noqa: S608 # quoted

    def rows() -> Iterator[Record]:
        plain = ("VARCHAR", "BOOLEAN")
        shown = ", ".join(
            identifier(name)
            if kind in plain or kind.endswith(("INT", "INTEGER", "[]"))
            else f"CAST({identifier(name)} AS VARCHAR)"
            for name, kind in types.items()
        )
        with engine() as asked:
            found = asked.connection.execute(f"SELECT {shown} FROM {source}")  # noqa: S608 # quoted
            while some := found.fetchmany(10_000):
                yield from some

    return list(types), rows()


# Writing ----------------------------------------------------------------------------------------------------


def _write_delimited(target: Path, names: Sequence[str], rows: Rows, header: bool = True) -> None:
    import io

    buffer = io.StringIO()
    returns = any("\r" in name for name in names)
    first = csv.writer(
        buffer,
        delimiter=_CUT[target.suffix[1:]],
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    )
    others = csv.writer(buffer, delimiter=_CUT[target.suffix[1:]], lineterminator="\n")
    if header:
        first.writerow(names)
    with opened(target) as out:
        for row in rows:
            others.writerow([_text(value, name) for value, name in zip(row, names, strict=True)])
            if buffer.tell() > 1 << 20:
                out.write(buffer.getvalue().encode())
                buffer.seek(0)
                buffer.truncate()
        out.write(buffer.getvalue().encode())


def _text(value: Any, name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float | list | dict):
        raise ScenarioError(
            f"The column {name} holds numbers with decimals, or lists, which another format would write in another way.",
            hint="leave format out, or write parquet or jsonl from such a file.",
        )
    return str(value)


def _write_parquet(
    target: Path, names: Sequence[str], rows: Rows, header: bool = True, *, kind: str = "VARCHAR"
) -> None:
    """Write texts; the engine reads them as lines of JSON, in which every text and every gap has one form."""
    del header
    with engine() as asked:
        lines = asked.folder / "rows.jsonl"
        plain = (
            {
                f"c{at}": value if kind != "VARCHAR" or value is None else _text(value, name)
                for at, (value, name) in enumerate(zip(row, names, strict=True))
            }
            for row in rows
        )
        _write_lines(lines, plain)
        types = ", ".join(f"c{at}: '{kind}'" for at in range(len(names)))
        shown = ", ".join(f"c{at} AS {identifier(name)}" for at, name in enumerate(names))
        asked.run(
            f"COPY (SELECT {shown} FROM read_json({literal(str(lines))}, format = 'newline_delimited', columns = {{{types}}})) "  # noqa: S608 # quoted
            f"TO {literal(str(target))} (FORMAT parquet, ROW_GROUP_SIZE {asked.row_group})"
        )


def _write_records(target: Path, names: Sequence[str], rows: Rows, header: bool = True) -> None:
    del header
    _write_lines(target, (dict(zip(names, row, strict=True)) for row in rows))


def _write_lines(target: Path, values: Iterable[Any]) -> None:
    with opened(target) as out:
        out.writelines(
            json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
            for value in values
        )


_WRITERS: dict[str, Callable[[Path, Sequence[str], Rows, bool], None]] = {
    "csv": _write_delimited,
    "tsv": _write_delimited,
    "parquet": _write_parquet,
    "jsonl": _write_records,
}
