"""What somebody names to be compared: a release, whose files are read as they are written, or a Summary."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from giveaway.errors import DataError, ScenarioError, WrongQuestion
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.paths import shown, unusable
from giveaway.publish import Ledger, LedgerEntry, Manifest, is_owners_file, owners_files, read_manifest
from giveaway.report import saved
from giveaway.sources import read_table, read_transactions
from giveaway.sources.files.first_look import guessed_encoding, look
from giveaway.sources.files.stored import stored
from giveaway.sources.formats import CSV

Kind = Literal["table", "transactions", "rules"]
Summary = Mapping[str, Any]
Named = str | os.PathLike[str] | Summary | Any
"""A path, a Summary, or whatever has one, such as an assessment."""


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Stored:
    """A published release, and what its owner keeps about it."""

    name: str
    manifest: Manifest
    kept: LedgerEntry | None

    @cached_property
    def contents(self) -> Contents:
        """What its files show, read when it is first asked for."""
        return _contents(self.manifest, self.kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Saved:
    """A Summary and how it is called."""

    name: str
    summary: Summary


def named(source: Named, *, called: str, ledger: Path | None) -> Stored | Saved:
    """Find out what is named; `called` is its name where it has none."""
    if isinstance(source, Mapping):
        return Saved(name=called, summary=source)
    if hasattr(source, "to_dict"):
        return Saved(name=called, summary=source.to_dict(exposures=None))
    path = Path(source)
    why = unusable(path)
    if why is not None:
        raise DataError(f"{shown(path)} cannot be read: {why}.", hint="name another.")
    if not path.exists():
        raise DataError(
            f"{path} does not exist.", hint="name the folder of a release, its manifest.json, or a Summary."
        )
    manifest = read_manifest(path)
    if manifest is not None and isinstance(manifest.content.get("recipients"), list):
        raise DataError(
            f"{path} holds releases for several recipients.", hint="name the folder of one of them."
        )
    if manifest is not None:
        beside = owners_files(path if path.is_dir() else path.parent)[0]
        known = [*([] if ledger is None else [ledger]), *([beside] if is_owners_file(beside) else [])]
        entries = [Ledger.read(one).find(manifest.sha256) for one in known]
        kept = next((one for one in entries if one is not None), None)
        return Stored(name=str(path), manifest=manifest, kept=kept)
    if path.is_dir():
        raise DataError(
            f"{path} is not the folder of a release: it has no manifest of giveaway.",
            hint="name a folder that protect or publish wrote.",
        )
    return Saved(name=str(path), summary=saved.read(path))


def of_one_kind(old: Stored | Saved, new: Stored | Saved) -> None:
    """Refuse a release next to a Summary: they have too little in common."""
    if isinstance(old, Stored) != isinstance(new, Stored):
        release, summary = (old, new) if isinstance(old, Stored) else (new, old)
        raise ScenarioError(
            f"{release.name} is a release and {summary.name} a Summary.",
            hint="name two releases, or two Summaries.",
        )


def _contents(manifest: Manifest, kept: LedgerEntry | None) -> Contents:
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
