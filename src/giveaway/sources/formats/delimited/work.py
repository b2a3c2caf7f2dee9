"""Delimited text read by the engine, and written."""

import csv
import io
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from giveaway.model.layout import Layout
from giveaway.sources.files.first_look import look_at_columns
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import lines_of, plain_text
from giveaway.sources.files.stored import opened
from giveaway.sources.formats.delimited.loading import COLUMNS
from giveaway.sources.formats.format import FormatWork, Rows


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    rows = csv.reader((line.decode() for line in lines_of(file)), delimiter=layout.separator, strict=True)
    records = (tuple(cell or None for cell in row) for row in rows)
    first = next(records)
    if layout.header:
        return [cell or "" for cell in first], records
    return [f"c{place}" for place in range(1, len(first) + 1)], chain([first], records)


def _write(target: Path, names: Sequence[str], rows: Rows, layout: Layout) -> None:
    buffer = io.StringIO()
    returns = any("\r" in name for name in names)
    first = csv.writer(
        buffer,
        delimiter=layout.separator,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    )
    others = csv.writer(buffer, delimiter=layout.separator, lineterminator="\n")
    if layout.header:
        first.writerow(names)
    with opened(target) as out:
        for row in rows:
            others.writerow([plain_text(value, name) for value, name in zip(row, names, strict=True)])
            if buffer.tell() > 1 << 20:
                out.write(buffer.getvalue().encode())
                buffer.seek(0)
                buffer.truncate()
        out.write(buffer.getvalue().encode())


WORK = FormatWork(
    transactions=read_transactions_file,
    table=read_table_file,
    look=look_at_columns,
    columns=COLUMNS,
    rows=_rows,
    write=_write,
)
