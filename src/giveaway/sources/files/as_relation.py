"""One file as a relation of the engine: numbered rows, columns by position, values as text."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from giveaway.errors import DataError
from giveaway.sources.files.delimited import Delimited, Plain, check_header, delimited, plain, rewrite
from giveaway.sources.files.duckdb import (
    DuckDBEngine,
    engine,
    exact_path,
    literal,
    present,
    told_as_data_errors,
    trimmed,
)
from giveaway.sources.files.stored import BLANKS, StoredFile, TextPass

_LEAST_LINE = 1 << 21
_AT_ONCE = 500
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_FLOATS = ("FLOAT", "DOUBLE")
_PLAIN = (
    *_WHOLE,
    *(f"U{kind}" for kind in _WHOLE),
    *_FLOATS,
    "BOOLEAN",
    "DECIMAL",
    "DATE",
    "TIME",
    "UUID",
)
"""Types of which every value has a text of its own, without blanks around it."""


@dataclass(frozen=True)
class HowRead:
    """How the engine reads a delimited file; known after the first time, so that nobody looks at the file for it again."""

    data: Delimited
    checked: Plain
    rewritten: bool
    """Whether the engine needs a plain copy of it."""


@dataclass(frozen=True)
class Relation:
    """The rows of a file as `given`: `n` numbers them from 1, `c0`, `c1`, ... are the columns."""

    engine: DuckDBEngine
    file: StoredFile
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: int
    leave_out: tuple[str, ...] = ()
    """Columns that were not loaded."""
    sha256: str = ""
    """The checksum of the file; empty where nobody asked."""
    how: HowRead | None = None
    """How a delimited file was read."""

    def contents(self) -> dict[str, int]:
        """Return a number for each column that was loaded, which any change of its values or their order changes.

        It is no protection against somebody who wants two files to have the same numbers.
        """
        found: dict[str, int] = {}
        names = [name for name in self.columns if name not in self.leave_out]
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            sums = ", ".join(f"sum(hash(n, {self.raw(name)}))" for name in some)
            found.update(zip(some, self.engine.run(f"SELECT {sums} FROM given")[0], strict=True))  # noqa: S608 # quoted
        return found

    def raw(self, column: str) -> str:
        """Return SQL for the value as stored."""
        return f"c{self.columns.index(column)}"

    def text(self, column: str) -> str:
        """Return SQL for the value as trimmed text."""
        if self.delimited:
            return self.raw(column)
        kind = self.types[self.columns.index(column)]
        text = self.raw(column) if kind == "VARCHAR" else f"CAST({self.raw(column)} AS VARCHAR)"
        return text if self.is_plain(column) else trimmed(text)

    def present(self, column: str, missing: Sequence[str]) -> str:
        """Return SQL for the value as text, null where it is missing."""
        return present(self.text(column), missing)

    def written(self, column: str, missing: Sequence[str]) -> str:
        """Return SQL for a judged value as it is written, null where it is missing.

        Values with the same text are written alike: as that text, unless their type has one text for each value.
        """
        kind, value = self.types[self.columns.index(column)], self.raw(column)
        if not self.is_plain(column):
            return self.present(column, missing)
        if kind in _FLOATS:  # numbers that are none have one text and many forms
            value = f"CASE WHEN isnan({value}) THEN CAST('nan' AS {kind}) ELSE {value} END"
        return present(self.text(column), [text for text in missing if text], value)

    def is_plain(self, column: str) -> bool:
        """Tell whether every value of a column has a text of its own."""
        return self.types[self.columns.index(column)].startswith(_PLAIN)

    def is_list(self, column: str) -> bool:
        """Tell whether a column holds lists."""
        return self.types[self.columns.index(column)].endswith("[]")

    @property
    def delimited(self) -> bool:
        """Whether the file is delimited text, in which a missing value is an empty text."""
        return self.file.format != "parquet"


@dataclass(frozen=True)
class OpenedFile:
    """A file whose columns are known, in an engine of its own; its rows are yet to be read."""

    engine: DuckDBEngine
    file: StoredFile
    columns: tuple[str, ...]
    separator: str | None
    """What separates the columns of delimited text."""
    _load: Callable[[tuple[str, ...]], Relation]

    def load(self, leave_out: Collection[str] = ()) -> Relation:
        """Read the rows, without some columns; refuse a file that changes meanwhile or has none."""
        before = self.file.stamp()
        given = self._load(tuple(leave_out))
        if self.file.stamp() != before:
            raise DataError(
                f'The file "{self.file.name}" changed while it was read.',
                hint="read it again when nobody writes to it.",
            )
        return _not_empty(given)


@contextmanager
def opened(file: StoredFile, separator: str | None, *, header: bool) -> Iterator[OpenedFile]:
    """Open a delimited or Parquet file in an engine of its own."""
    if file.format == "parquet":
        with told_as_data_errors(file), engine() as ask:
            columns, types = _parquet_columns(ask, file)
            yield OpenedFile(
                ask,
                file,
                columns,
                None,
                lambda gone: _load_parquet(ask, file, columns, types, gone, file.sha256()),
            )
        return
    text = TextPass(file)
    data = delimited(text, separator, header=header)
    with told_as_data_errors(file), engine() as ask:
        yield OpenedFile(
            ask, file, data.columns, data.separator, lambda gone: _load_delimited(ask, data, text, gone)
        )


@contextmanager
def relation(file: StoredFile, separator: str | None, *, header: bool) -> Iterator[Relation]:
    """Open a delimited or Parquet file in an engine of its own, and read all of it."""
    with opened(file, separator, header=header) as source:
        yield source.load()


@contextmanager
def read_again(
    file: StoredFile,
    how: HowRead | None,
    *,
    sha256: str,
    contents: Mapping[str, int],
    leave_out: Collection[str],
) -> Iterator[Relation]:
    """Read a file once more, as it was read before; refuse it when it does not hold the same any more."""
    gone = tuple(leave_out)
    with told_as_data_errors(file), engine() as ask:
        with file.read_before(sha256):
            if how is None:
                given = _load_parquet(ask, file, *_parquet_columns(ask, file), gone)
            else:
                given = _load_as_before(ask, how, gone)
            if given.contents() != {name: number for name, number in contents.items() if name not in gone}:
                raise file.changed()
        yield given


def _not_empty(given: Relation) -> Relation:
    if not given.rows:
        raise DataError(
            f'The file "{given.file.name}" has columns but no rows.', hint="check where it was exported."
        )
    return given


def _load_delimited(
    opened: DuckDBEngine, data: Delimited, text: TextPass, leave_out: tuple[str, ...]
) -> Relation:
    """Load a delimited file; one that the engine cannot read, or reads differently than the check, is rewritten first."""
    import duckdb

    if data.may_be_plain:
        checked = plain(data, text)
        if checked is not None:
            how = HowRead(data, checked, rewritten=False)
            try:
                rows = _load(opened, how, data.file.path, leave_out)
            except duckdb.OutOfMemoryException:
                raise
            except duckdb.Error:
                rows = -1
            if rows == checked.rows:
                return _of_text(opened, how, rows, leave_out, text.sha256)
            opened.run("DROP TABLE IF EXISTS given")
        text = TextPass(data.file)
    return _load_rewritten(opened, data, text, leave_out)


def _load_rewritten(
    opened: DuckDBEngine, data: Delimited, text: TextPass, leave_out: tuple[str, ...]
) -> Relation:
    copy = opened.folder / "rewritten.csv"
    how = HowRead(data, rewrite(data, text, copy), rewritten=True)
    rows = _load(opened, how, copy, leave_out)
    copy.unlink()
    if rows != how.checked.rows:
        raise DataError(
            f'The rows of "{data.file.name}" could not be told apart reliably.',
            hint="write the file again with a quote around every value.",
        )
    return _of_text(opened, how, rows, leave_out, text.sha256)


def _load_as_before(opened: DuckDBEngine, how: HowRead, leave_out: tuple[str, ...]) -> Relation:
    """Load a delimited file that was loaded before."""
    if how.rewritten:
        return _load_rewritten(opened, how.data, TextPass(how.data.file), leave_out)
    return _of_text(opened, how, _load(opened, how, how.data.file.path, leave_out), leave_out)


def _of_text(
    opened: DuckDBEngine, how: HowRead, rows: int, leave_out: tuple[str, ...], sha256: str = ""
) -> Relation:
    types = ("VARCHAR",) * len(how.data.columns)
    return Relation(opened, how.data.file, how.data.columns, types, rows, leave_out, sha256, how)


def _load(opened: DuckDBEngine, how: HowRead, path: Path, leave_out: tuple[str, ...]) -> int:
    data, checked = how.data, how.checked
    separator = "," if how.rewritten else data.separator
    line = max(_LEAST_LINE, 2 * checked.longest)
    types = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(len(data.columns)))
    options = [
        "auto_detect = false",
        f"columns = {{{types}}}",
        f"header = {str(data.header).lower()}",
        f"delim = {literal(separator)}",
        "quote = '\"'",
        "escape = '\"'",
        "strict_mode = true",
        "null_padding = false",
        "hive_partitioning = false",
        f"compression = '{'gzip' if path.suffix.lower() == '.gz' else 'none'}'",
        f"max_line_size = {line}",
        f"buffer_size = {4 * line}",
        f"parallel = {str(not checked.lines_in_quotes).lower()}",
    ]
    kept = [f"c{number}" for number, name in enumerate(data.columns) if name not in leave_out]
    cells = "".join(f", {_cell(name)} AS {name}" for name in kept)
    opened.run(
        f"CREATE TABLE given AS SELECT row_number() OVER () AS n{cells} "  # noqa: S608 # quoted
        f"FROM read_csv({exact_path(path)}, {', '.join(options)})",
        checked.rows,
    )
    return int(opened.value("SELECT count(*) FROM given"))


def _cell(name: str) -> str:
    """Return SQL for an entry of delimited text: nothing is an empty text."""
    return trimmed(f"coalesce({name}, '')")


def _parquet_columns(opened: DuckDBEngine, file: StoredFile) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and the types of the columns of a Parquet file."""
    if file.compressed:
        raise DataError(
            f'"{file.name}" is a Parquet file inside gzip.',
            hint="Parquet is compressed by itself: decompress it.",
        )
    path = exact_path(file.path)
    described = opened.run(f"DESCRIBE SELECT * FROM read_parquet({path}, hive_partitioning = false)")  # noqa: S608 # quoted
    names = _parquet_names(opened, path, len(described))
    check_header(file, names)
    folded: dict[str, str] = {}
    for name in names:
        other = folded.setdefault(name.lower(), name)
        if other != name:
            raise DataError(
                f'The columns "{other}" and "{name}" of "{file.name}" differ in case only.',
                hint="rename one of them.",
            )
    return names, tuple(str(column[1]) for column in described)


def _load_parquet(
    opened: DuckDBEngine,
    file: StoredFile,
    columns: tuple[str, ...],
    types: tuple[str, ...],
    leave_out: tuple[str, ...],
    sha256: str = "",
) -> Relation:
    """Load a Parquet file."""
    cells = "".join(f", c{number}" for number, name in enumerate(columns) if name not in leave_out)
    stored = _numbered(exact_path(file.path), columns)
    opened.run(f"CREATE TABLE given AS SELECT n{cells} FROM ({stored})")  # noqa: S608 # quoted
    rows = int(opened.value("SELECT count(*) FROM given"))
    return Relation(opened, file, columns, types, rows, leave_out, sha256)


def _numbered(path: str, names: Sequence[str]) -> str:
    """Return SQL for the rows of a Parquet file, numbered by the file itself unless a column bears that name."""
    columns = ", ".join(f"c{number}" for number in range(len(names)))
    if any(name.lower() == "file_row_number" for name in names):
        stored = f"read_parquet({path}, hive_partitioning = false) AS stored({columns})"
        return f"SELECT row_number() OVER () AS n, * FROM {stored}"  # noqa: S608 # quoted
    stored = f"read_parquet({path}, hive_partitioning = false, file_row_number = true)"
    return f"SELECT place + 1 AS n, {columns} FROM {stored} AS stored({columns}, place)"  # noqa: S608 # quoted


def _parquet_names(opened: DuckDBEngine, path: str, count: int) -> tuple[str, ...]:
    """Return the names as stored; the engine would rename those that appear twice."""
    nodes = opened.run(f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({path})")  # noqa: S608 # quoted
    names: list[str] = []
    at = 1
    while at < len(nodes) and len(names) < count:
        names.append(str(nodes[at][0]).strip(BLANKS))
        open_nodes = 1
        while open_nodes:
            open_nodes += int(nodes[at][1]) - 1
            at += 1
    return tuple(names)
