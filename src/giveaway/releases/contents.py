"""What a published release shows, read from its files as they are written."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from giveaway.errors import DataError, WrongQuestion
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.publish import LedgerEntry, Manifest
from giveaway.sources import read_table, read_transactions
from giveaway.sources.files.first_look import look
from giveaway.sources.files.guesses import guessed_encoding
from giveaway.sources.files.stored import stored
from giveaway.sources.formats import CSV

Kind = Literal["table", "transactions", "rules"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Contents:
    """The rows of a release, or the lines of the lists that it is."""

    kind: Kind | None
    """What its manifest says that it is; None where that is not told."""
    rows: Table | Transactions | None = None
    """None for lists, and where `unread` says why the rows are not known."""
    lists: Mapping[str, Table] = field(default_factory=dict)
    """The lines of each list by its file: rules, statements, a distribution."""
    named: bool = True
    """Whether a table has a line with the names of its columns."""
    unread: str | None = None
    """Why nothing is known of its rows or lines."""


def read_contents(manifest: Manifest, kept: LedgerEntry | None) -> Contents:
    """Read the files of a release; they are refused where they are not those of the manifest."""
    kind, files = _kind(manifest), manifest.files()
    if kind is None:
        return Contents(kind=None, unread=f"{manifest.path} does not say what was released.")
    if "table" in manifest.content:
        return Contents(kind=kind, unread="It became a table of a database, which is not read again here.")
    if not files:
        return Contents(kind=kind, unread=f"Its files are not next to {manifest.path}.")
    if kind == "rules":
        return Contents(kind=kind, lists={name: _table(path, header=True) for name, path in files.items()})
    if len(files) > 1:
        return Contents(kind=kind, unread="It is written in several parts, which are not read together here.")
    (path,) = files.values()
    return _read_table(path, manifest) if kind == "table" else _read_transactions(path, manifest, kept)


def _kind(manifest: Manifest) -> Kind | None:
    counts = manifest.counts
    return (
        "rules"
        if "rules" in counts
        else "table"
        if "columns" in counts
        else "transactions"
        if "items" in counts
        else None
    )


def _read_table(path: Path, manifest: Manifest) -> Contents:
    """Read a table, without a line of names where its manifest counts one row more than there would be."""
    counts = manifest.counts
    for named in (True, False):
        try:
            table = _table(path, header=named)
        except DataError:  # values of a first row may not be names of columns
            if not named:
                raise
            continue
        if (len(table), len(table.columns)) == (counts.get("rows"), counts.get("columns")):
            if named:
                _check_empty(path, table, counts.get("empty") or {})
            return Contents(kind="table", rows=table, named=named)
    return Contents(
        kind="table", unread=f"{path} does not have the rows and columns that its manifest counts."
    )


def _table(path: Path, *, header: bool) -> Table:
    """Read every column as it is written: nothing but an empty field, or null, is nothing."""
    file = stored(path)
    form = file.format or CSV
    encoding = guessed_encoding(file) if form.is_text else "utf-8"
    return read_table(path, header=header, encoding=encoding, missing=() if form.nothing is None else ("",))


def _check_empty(path: Path, table: Table, empty: Mapping[str, Any]) -> None:
    """Refuse a table whose blanks are not those that its manifest counts."""
    for name, count in empty.items():
        codes = table.columns.get(name)
        if codes is None or int(table.weights[codes < 0].sum()) != count:
            raise DataError(
                f"{path} does not have the empty entries that its manifest counts.",
                hint="compare the files as they were published.",
            )


def _read_transactions(path: Path, manifest: Manifest, kept: LedgerEntry | None) -> Contents:
    """Read transactions, under their names where they carry codes."""
    rows = _transactions(path, manifest.counts)
    if rows is None:
        return Contents(
            kind="transactions",
            unread=f"It cannot be told in which columns {path} holds transactions.",
        )
    if manifest.content.get("renamed"):
        if kept is None or kept.codes is None:
            return Contents(
                kind="transactions",
                unread="Its items carry codes, and only the owner's file (--ledger) tells which item a code is.",
            )
        if not set(rows.labels) <= kept.codes.keys():
            raise DataError(f"{path} has codes that the owner's file does not know.")
        rows = rows.under({code: str(kept.codes[str(code)]) for code in rows.labels})
    return Contents(kind="transactions", rows=rows)


def _transactions(path: Path, counts: Mapping[str, Any]) -> Transactions | None:
    """Read transactions in the shape that the file seems to have; None where that gives other counts than its manifest."""
    file = stored(path)
    if file.format is not None and file.format.words:
        rows = read_transactions(path, encoding=guessed_encoding(file))
    else:
        seen = look(path, kind="transactions", missing=("",))
        wanted = {"long": {"id": seen.ids, "item": seen.item_columns}, "lists": {"item": seen.item_columns}}
        columns = {role: names[0] for role, names in wanted.get(seen.shape, {}).items() if names}
        try:
            rows = read_transactions(
                path,
                separator=seen.separator,
                encoding=seen.encoding,
                rest="leave_out" if columns else None,
                id=columns.get("id"),
                item=columns.get("item"),
            )
        except WrongQuestion:
            return None
    there = int(np.count_nonzero(rows.supports))
    if (len(rows), there) != (counts.get("rows"), counts.get("items")):
        return None
    return rows if there == len(rows.labels) else _occurring(rows)


def _occurring(rows: Transactions) -> Transactions:
    """Leave out labels that no transaction holds: columns that say no everywhere."""
    gone = [label for label, support in zip(rows.labels, rows.supports.tolist(), strict=True) if not support]
    return replace(rows.without(gone), origin=None)
