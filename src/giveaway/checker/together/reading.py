"""The files of earlier releases read again from their places, row by row."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from giveaway.checker.files import transactions
from giveaway.checker.files.reading import READERS, lines, reader_of, stored_texts
from giveaway.checker.files.reading import rows as delimited
from giveaway.checker.files.tables import HIDDEN
from giveaway.checker.promise import unconfirmed
from giveaway.errors import NotConfirmed
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
    reader = READERS.get(Path(file.name.removesuffix(".gz")).suffix.removeprefix("."))
    if file.is_dir():
        return stored_texts(file, wanted)
    if reader is not None and reader.earlier is not None:
        return reader.earlier(file, wanted)
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
                loosely = reader_of(layout).loosely
                baskets = list(transactions.read(one.file, layout, loosely and loosely(one.file, layout)))
        yield from baskets
        return
    if shown.record_of is None:
        raise unconfirmed(f"The rows of {one.name} are not known one by one.")
    for record in shown.record_of.tolist():
        held = shown.codes[shown.offsets[record] : shown.offsets[record + 1]].tolist()
        yield frozenset(str(shown.labels[code]) for code in held)
