"""Delimited text loaded into the engine, as it is or from a plain copy, and written."""

import csv
import io
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from giveaway.errors import DataError
from giveaway.model.layout import Layout
from giveaway.sources.files.as_relation import HowRead, OpenedFile, Relation
from giveaway.sources.files.duckdb import DuckDBEngine, exact_path, literal, trimmed
from giveaway.sources.files.first_look import look_at_columns
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import lines_of, plain_text
from giveaway.sources.files.stored import StoredFile, TextPass, opened
from giveaway.sources.formats.delimited.text import Delimited, csv_text, delimited, plain, rewrite
from giveaway.sources.formats.format import ColumnWork, FormatWork, Rows


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    rows = csv.reader((line.decode() for line in lines_of(file)), delimiter=layout.separator, strict=True)
    records = (tuple(cell or None for cell in row) for row in rows)
    first = next(records)
    if layout.header:
        return [cell or "" for cell in first], records
    return [f"c{place}" for place in range(1, len(first) + 1)], chain([first], records)


def _write(target: Path, names: Sequence[str], rows: Rows, layout: Layout) -> None:
    buffer = io.StringIO()
    if layout.header:
        buffer.write(csv_text([names], layout.separator))
    writer = csv.writer(buffer, delimiter=layout.separator, lineterminator="\n")
    with opened(target) as out:
        for row in rows:
            writer.writerow([plain_text(value, name) for value, name in zip(row, names, strict=True)])
            if buffer.tell() > 1 << 20:
                out.write(buffer.getvalue().encode())
                buffer.seek(0)
                buffer.truncate()
        out.write(buffer.getvalue().encode())


_LEAST_LINE = 1 << 21


def _open(engine: DuckDBEngine, file: StoredFile, separator: str | None, header: bool) -> OpenedFile:
    """Find out what separates the columns, and what they are called."""
    text = TextPass(file)
    data = delimited(text, separator, header=header)
    return OpenedFile(
        engine, file, data.columns, data.separator, lambda gone: _load_delimited(engine, data, text, gone)
    )


def _load_again(
    engine: DuckDBEngine, file: StoredFile, how: HowRead | None, leave_out: tuple[str, ...]
) -> Relation:
    """Load a file that was loaded before."""
    assert how is not None  # noqa: S101 # it was
    if how.rewritten:
        return _load_rewritten(engine, how.data, TextPass(file), leave_out)
    return _of_text(engine, how, _load(engine, how, file.path, leave_out), leave_out)


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


COLUMNS = ColumnWork(opens=_open, load_again=_load_again)

WORK = FormatWork(
    transactions=read_transactions_file,
    table=read_table_file,
    look=look_at_columns,
    columns=COLUMNS,
    rows=_rows,
    write=_write,
)
