"""Cards read one after the other, and written."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from giveaway.errors import DataError
from giveaway.model.layout import Layout
from giveaway.sources.files.first_look import look_at_records
from giveaway.sources.files.read_records import read_records_table, read_records_transactions
from giveaway.sources.files.record_values import plain_text
from giveaway.sources.files.stored import TextPass, lines_of
from giveaway.sources.formats.format import FormatWork, Rows


def _values(text: TextPass) -> Iterator[tuple[int, Any]]:
    card: dict[str, str] = {}
    first = 1
    for number, line in enumerate(lines_of(text), 1):
        if line:
            key, colon, value = line.partition(":")
            if not colon:
                raise DataError(f'Line {number} of "{text.file.name}" has no colon.')
            first = first if card else number
            card[key.strip()] = value.strip()
        elif card:
            yield first, card
            card = {}
    if card:
        yield first, card


def _write(target: Path, names: Sequence[str], rows: Rows, layout: Layout) -> None:
    del layout
    with target.open("w", encoding="utf-8", newline="") as out:
        for row in rows:
            lines = (f"{name}: {plain_text(value, name)}\n" for name, value in zip(names, row, strict=True))
            out.write("".join(lines) + "\n")


WORK = FormatWork(
    transactions=read_records_transactions,
    table=read_records_table,
    look=look_at_records,
    values=_values,
    write=_write,
)
