"""Parquet loaded into the engine."""

from collections.abc import Sequence

from giveaway.errors import DataError
from giveaway.sources.files.as_relation import HowRead, OpenedFile, Relation
from giveaway.sources.files.duckdb import DuckDBEngine, exact_path
from giveaway.sources.files.stored import BLANKS, StoredFile
from giveaway.sources.formats.delimited.text import check_header
from giveaway.sources.formats.format import ColumnWork


def _open(engine: DuckDBEngine, file: StoredFile, separator: str | None, header: bool) -> OpenedFile:
    """Find out what columns a file has."""
    del separator, header
    columns, types = _parquet_columns(engine, file)
    return OpenedFile(
        engine,
        file,
        columns,
        None,
        lambda gone: _load_parquet(engine, file, columns, types, gone, file.sha256()),
    )


def _load_again(
    engine: DuckDBEngine, file: StoredFile, how: HowRead | None, leave_out: tuple[str, ...]
) -> Relation:
    """Load a file that was loaded before."""
    del how
    return _load_parquet(engine, file, *_parquet_columns(engine, file), leave_out)


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


COLUMNS = ColumnWork(opens=_open, load_again=_load_again)
