"""One file as a relation of the engine: numbered rows, columns by position, values as text."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from giveaway.errors import DataError
from giveaway.sources.files.delimited import Delimited, Plain, check_header, delimited, plain, rewrite
from giveaway.sources.files.duckdb import (
    Engine,
    engine,
    exact_path,
    literal,
    present,
    told_as_data_errors,
    trimmed,
)
from giveaway.sources.files.stored import BLANKS, StoredFile

_LEAST_LINE = 1 << 21
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
class Relation:
    """The rows of a file as `given`: `n` numbers them from 1, `c0`, `c1`, ... are the columns."""

    engine: Engine
    file: StoredFile
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: int

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


@contextmanager
def relation(file: StoredFile, separator: str | None, *, header: bool) -> Iterator[Relation]:
    """Open a delimited or Parquet file in an engine of its own."""
    if file.format == "parquet":
        with told_as_data_errors(file), engine() as opened:
            yield _not_empty(_parquet(opened, file))
        return
    data = delimited(file, separator, header=header)
    with told_as_data_errors(file), engine() as opened:
        rows = _load_delimited(opened, data)
        yield _not_empty(Relation(opened, file, data.columns, ("VARCHAR",) * len(data.columns), rows))


def _not_empty(given: Relation) -> Relation:
    if not given.rows:
        raise DataError(
            f'The file "{given.file.name}" has columns but no rows.', hint="check where it was exported."
        )
    return given


def delimited_layout(file: StoredFile, separator: str | None, *, header: bool) -> tuple[str, tuple[str, ...]]:
    """Return the separator and the columns of a delimited file."""
    data = delimited(file, separator, header=header)
    return data.separator, data.columns


def _load_delimited(opened: Engine, data: Delimited) -> int:
    """Load a delimited file; a file that the engine and the check read differently is rewritten first."""
    import duckdb

    checked = plain(data)
    if checked is not None and data.file.encoding_is_utf8:
        try:
            rows = _load(opened, data, data.file.path, checked, data.separator)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error:
            rows = -1
        if rows == checked.rows:
            return rows
        opened.run("DROP TABLE IF EXISTS given")
    copy = opened.folder / "rewritten.csv"
    checked = rewrite(data, copy)
    rows = _load(opened, data, copy, checked, ",")
    copy.unlink()
    if rows != checked.rows:
        raise DataError(
            f'The rows of "{data.file.name}" could not be told apart reliably.',
            hint="write the file again with a quote around every value.",
        )
    return rows


def _load(opened: Engine, data: Delimited, path: Path, checked: Plain, separator: str) -> int:
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
    cells = ", ".join(
        f"{trimmed(f'''coalesce(c{number}, '')''')} AS c{number}" for number in range(len(data.columns))
    )
    opened.run(
        f"CREATE TABLE given AS SELECT row_number() OVER () AS n, {cells} "  # noqa: S608 # quoted
        f"FROM read_csv({exact_path(path)}, {', '.join(options)})",
        checked.rows,
    )
    return int(opened.value("SELECT count(*) FROM given"))


def _parquet(opened: Engine, file: StoredFile) -> Relation:
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
    opened.run(f"CREATE VIEW given AS {_numbered(path, names)}")
    rows = int(opened.value("SELECT count(*) FROM given"))
    return Relation(opened, file, names, tuple(str(column[1]) for column in described), rows)


def _numbered(path: str, names: Sequence[str]) -> str:
    """Return SQL for the rows of a Parquet file, numbered by the file itself unless a column bears that name."""
    columns = ", ".join(f"c{number}" for number in range(len(names)))
    if any(name.lower() == "file_row_number" for name in names):
        stored = f"read_parquet({path}, hive_partitioning = false) AS stored({columns})"
        return f"SELECT row_number() OVER () AS n, * FROM {stored}"  # noqa: S608 # quoted
    stored = f"read_parquet({path}, hive_partitioning = false, file_row_number = true)"
    return f"SELECT place + 1 AS n, {columns} FROM {stored} AS stored({columns}, place)"  # noqa: S608 # quoted


def _parquet_names(opened: Engine, path: str, count: int) -> tuple[str, ...]:
    """Return the names as stored; the engine would rename those that stand twice."""
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
