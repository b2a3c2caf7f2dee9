"""Parquet read by the engine, and written."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from giveaway.model.layout import Layout
from giveaway.sources.files.duckdb import engine, identifier, literal
from giveaway.sources.files.first_look import look_at_columns
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import plain_text, write_json_lines
from giveaway.sources.formats.format import LIST, FormatWork, Rows
from giveaway.sources.formats.parquet.loading import COLUMNS


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


WORK = FormatWork(
    transactions=read_transactions_file,
    table=read_table_file,
    look=look_at_columns,
    columns=COLUMNS,
    rows=_rows,
    write=_write,
    write_lists=_write_lists,
)
