"""Parquet loaded into the engine and read there, and written."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from giveaway.errors import DataError
from giveaway.model.layout import Layout
from giveaway.sources.files.as_relation import HowRead, OpenedFile, Relation
from giveaway.sources.files.duckdb import DuckDBEngine, engine, exact_path, identifier, literal
from giveaway.sources.files.first_look import look_at_columns
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import plain_text, write_json_lines
from giveaway.sources.files.stored import BLANKS, StoredFile
from giveaway.sources.formats.delimited.text import check_header
from giveaway.sources.formats.format import LIST, ColumnWork, FormatWork, Rows


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    """Read values as the checker knows them: whole numbers, yes and no, lists and texts; others by their texts."""
    del layout
    parts = [str(part) for part in sorted(file.iterdir())] if file.is_dir() else [str(file)]
    source = f"read_parquet([{', '.join(map(literal, parts))}])"
    with engine() as asked:
        types = {str(name): str(kind) for name, kind, *_ in asked.run(f"DESCRIBE SELECT * FROM {source}")}  # noqa: S608 # quoted

    def rows() -> Iterator[tuple[Any, ...]]:
        plain = ("VARCHAR", "BOOLEAN")
        shown = ", ".join(
            identifier(name)
            if kind in plain or kind.endswith(("INT", "INTEGER", "[]"))
            else f"CAST({identifier(name)} AS VARCHAR)"
            for name, kind in types.items()
        )
        with engine() as asked:
            answer = asked.connection.execute(f"SELECT {shown} FROM {source}")  # noqa: S608 # quoted
            while some := answer.fetchmany(10_000):
                yield from some

    return list(types), rows()


def _write(target: Path, names: Sequence[str], rows: Rows, layout: Layout) -> None:
    del layout
    texts = (
        [
            plain_text(value, name) if value is not None else None
            for value, name in zip(row, names, strict=True)
        ]
        for row in rows
    )
    _written(target, names, texts, "VARCHAR")


def _write_lists(target: Path, lists: Iterable[list[str]]) -> None:
    _written(target, [LIST], ([items] for items in lists), "VARCHAR[]")


def _written(target: Path, names: Sequence[str], rows: Iterable[list[Any]], kind: str) -> None:
    """Write texts; the engine reads them as lines of JSON, in which every text and every gap has one form."""
    with engine() as asked:
        lines = asked.folder / "rows.jsonl"
        write_json_lines(lines, ({f"c{at}": value for at, value in enumerate(row)} for row in rows))
        types = ", ".join(f"c{at}: '{kind}'" for at in range(len(names)))
        shown = ", ".join(f"c{at} AS {identifier(name)}" for at, name in enumerate(names))
        asked.run(
            f"COPY (SELECT {shown} FROM read_json({literal(str(lines))}, format = 'newline_delimited', columns = {{{types}}})) "  # noqa: S608 # quoted
            f"TO {literal(str(target))} (FORMAT parquet, ROW_GROUP_SIZE {asked.row_group})"
        )


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


WORK = FormatWork(
    transactions=read_transactions_file,
    table=read_table_file,
    look=look_at_columns,
    columns=ColumnWork(opens=_open, load_again=_load_again),
    rows=_rows,
    write=_write,
    write_lists=_write_lists,
)
