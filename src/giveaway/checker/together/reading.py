"""The files of earlier releases read again from their places, row by row."""

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from giveaway.checker.files import transactions
from giveaway.checker.files.reading import lines
from giveaway.checker.files.reading import rows as delimited
from giveaway.checker.files.stored import rows_of
from giveaway.checker.files.tables import HIDDEN
from giveaway.checker.promise import unconfirmed
from giveaway.errors import NotConfirmed
from giveaway.model.data.origin import Layout
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.earlier import Earlier

Texts = dict[str, list[str | None]]
"""For each column the text of each row, None where it shows nothing."""

_SEPARATORS = (",", ";", "\t", "|")


@contextmanager
def read_again(one: Earlier) -> Iterator[None]:
    """Take an earlier file that cannot be read here for one of which nothing can be told: it may not have been made here."""
    try:
        yield
    except NotConfirmed:
        raise
    except Exception as error:
        raise unconfirmed(f"The file of {one.name} could not be read again.") from error


def read_table(one: Earlier) -> Texts:
    """Read the file of an earlier release by itself; of one that has none, what is known of it."""
    shown = one.shown
    assert isinstance(shown, Table)  # noqa: S101 # the release now is one
    if one.file is None:
        codes_of = {name: codes[shown.record_of].tolist() for name, codes in shown.columns.items()}
        return {
            name: [None if code == HIDDEN else str(shown.labels[name][code]) for code in codes]
            for name, codes in codes_of.items()
        }
    with read_again(one):
        names, rows = _records(one, one.file, tuple(shown.columns))
    places = [names.index(name) for name in shown.columns]
    blank = {"", *one.missing}
    return {
        name: [None if (text := row[place].strip(" \t")) in blank else text for row in rows]
        for name, place in zip(shown.columns, places, strict=True)
    }


def _records(one: Earlier, file: Path, wanted: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Read the columns and rows of a file."""
    ending = Path(file.name.removesuffix(".gz")).suffix
    if ending == ".parquet" or file.is_dir():
        stored = list(rows_of(file))
        return (stored[0][0] if stored else list(wanted)), [
            ["" if c is None else str(c) for c in row] for _, row in stored
        ]
    if ending == ".jsonl":
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        records = [json.loads(line) for line in text.decode("utf-8").split("\n") if line]
        return list(wanted), [
            ["" if line.get(n) is None else str(line[n]) for n in wanted] for line in records
        ]
    origin = None if one.shown is None else one.shown.origin
    encoding = "utf-8" if origin is None else origin.layout.encoding
    for separator in _SEPARATORS:
        try:
            header, *rest = list(delimited(file, separator, encoding))
        except (ValueError, csv.Error):
            continue
        header = [name.strip(" \t\ufeff") for name in header]
        if set(wanted) <= set(header) and all(len(row) == len(header) for row in rest):
            return header, rest
    raise unconfirmed(f"The file of {one.name} could not be read again.")


def _plain(file: Path, layout: Layout) -> Iterator[dict[str, str]]:
    """Give the records of a delimited file, whatever ends its lines and stands in quotes."""
    names: list[str] | None = None
    for cells in delimited(file, layout.separator, layout.encoding):
        if names is None:
            names = cells if layout.header else [f"c{at}" for at in range(1, len(cells) + 1)]
            if layout.header:
                continue
        yield dict(zip(names, cells, strict=True))


def read_baskets(one: Earlier) -> Iterator[frozenset[str]]:
    """Read the transactions of an earlier release by itself; of one that has no file, what is known of it."""
    shown = one.shown
    if not isinstance(shown, Transactions):
        raise unconfirmed(f"The rows of {one.name} are not known one by one.")
    if one.file is not None:
        origin = shown.origin or (None if one.original is None else one.original.origin)
        if origin is None:
            raise unconfirmed(f"In which form the file of {one.name} holds its rows is not known.")
        layout = origin.layout
        with read_again(one):
            if layout.shape == "baskets":  # a file that was not made here may have its blanks anywhere
                baskets = [
                    frozenset(word.decode(layout.encoding) for word in line.split())
                    for line in lines(one.file)
                ]
            else:
                plain = _plain(one.file, layout) if layout.format == "csv" else None
                baskets = list(transactions.read(one.file, layout, plain))
        yield from baskets
        return
    if shown.record_of is None:
        raise unconfirmed(f"The rows of {one.name} are not known one by one.")
    for record in shown.record_of.tolist():
        held = shown.codes[shown.offsets[record] : shown.offsets[record + 1]].tolist()
        yield frozenset(str(shown.labels[code]) for code in held)
