"""Directories: files, frames and tables of identified people become counted entries."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, near_labels
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.sources import elsewhere
from giveaway.sources.address import address
from giveaway.sources.encoding import counted
from giveaway.sources.encoding.roles import several
from giveaway.sources.files.as_relation import Relation, opened
from giveaway.sources.files.stored import StoredFile, stored
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.reading import read_table

NAMED = 2_000_000
"""Up to so many rows it is kept who the people are; of more they are only counted."""


def read_people(
    data: Any,
    *,
    id: str | None = None,
    columns: Iterable[str] | None = None,
    missing: Iterable[str] = ("",),
    separator: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
) -> People:
    """Make a directory of a file, a frame, a `Table` or a table that an engine holds.

    `id` names the column that identifies people: who stands there several times counts once. Without it each row is
    somebody. `columns` are those that are compared, as far as they are there; all when left out.
    """
    wanted = None if columns is None else several("columns", columns)
    lacks = several("missing", missing)
    if isinstance(data, str | os.PathLike):
        file = stored(people_file(os.fspath(data), Path()), encoding)
        if file.has_columns:
            stated = ReadAs(id=id, separator=separator, header=header, missing=lacks)
            return _counted(file, stated, wanted)
        return _of_table(read_table(file.path, id=id, encoding=encoding, missing=lacks), wanted, file.name)
    if isinstance(data, Table):
        if id not in (None, data.id):
            raise _no_such_id("that was given", id, [data.id] if data.id else [])
        return _of_table(data, wanted, _name(data))
    return _of_frame(data, id, wanted, lacks)


def people_file(name: str, base: Path) -> Path:
    """Return the path of a directory, relative to `base`; an address, in which a password may stand, is no file."""
    if address(name, base) is not None:
        raise ScenarioError(
            "people names an address, and a directory is named by a file.",
            hint="from Python, KnowsDirectory takes a Spark frame or an Ibis table too.",
        )
    return base / name


def _counted(file: StoredFile, stated: ReadAs, columns: Sequence[str] | None) -> People:
    """Count the entries of a file; rows come here as numbers only, except for who they belong to if they are not many.

    People of one row are counted where they stand; of the others each different entry counts once.
    """
    by, missing = stated.id, stated.missing
    with opened(file, stated.separator, header=stated.header) as source:
        compared = _compared(f'"{file.name}"', by, columns, source.columns)
        held = source.load([name for name in source.columns if name not in (by, *compared)])
        codes, labels, _, entry = counted.table_rows(held, compared, missing)
        rows, person = _repeated(held, by, missing)
        ids = None
        if by is not None and len(entry) <= NAMED:
            ids = held.engine.arrays(f"SELECT {held.text(by)} FROM given ORDER BY n")[0]  # noqa: S608 # quoted
    entries = len(next(iter(codes.values())))
    first = np.unique(person * entries + entry[rows], return_index=True)[1]
    owner, owned = person[first], entry[rows[first]]
    alone = np.bincount(owner)[owner] == 1
    counts = np.bincount(entry, minlength=entries) - np.bincount(entry[rows], minlength=entries)
    counts += np.bincount(owned[alone], minlength=entries)
    once = np.ones(len(entry), np.bool_)
    once[rows] = False
    once[rows[first]] = True
    return People(
        columns=codes,
        labels=labels,
        alone=counts,
        several_person=np.unique(owner[~alone], return_inverse=True)[1].astype(np.int64),
        several_entry=owned[~alone].astype(np.int64),
        ids=None if ids is None else tuple(ids[once].tolist()),
        entries=None if ids is None else entry[once].astype(np.int64),
        name=file.name,
    )


def _repeated(held: Relation, id: str | None, missing: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the rows, from 0, of the people who have several, and for each who it is, numbered from 0."""
    if id is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    counted.refuse_missing_ids(held, id, missing)
    whose = held.text(id)
    rows, person = held.engine.arrays(
        "SELECT n - 1 AS row, person FROM given JOIN (SELECT whose, row_number() OVER (ORDER BY first) - 1 AS person "  # noqa: S608 # quoted
        f"FROM (SELECT {whose} AS whose, min(n) AS first FROM given GROUP BY whose HAVING count(*) > 1)) "
        f"ON whose = {whose} ORDER BY n"
    )
    return rows.astype(np.int64), person.astype(np.int64)


def _of_frame(data: Any, id: str | None, columns: Sequence[str] | None, missing: Sequence[str]) -> People:
    if elsewhere.is_engine_object(data) or (id is None and elsewhere.is_counted_there(data)):
        held = elsewhere.opened(data)
        compared = _compared(held.name, id, columns, held.columns)
        return held.people(id=id, columns=compared, missing=missing)
    from giveaway.sources.frames.access import frame
    from giveaway.sources.frames.read import table_from_frame

    _compared("that was given", id, columns, frame(data).columns)
    return _of_table(table_from_frame(data, id=id, missing=(*missing, None)), columns, "the directory")


def _of_table(table: Table, columns: Sequence[str] | None, name: str) -> People:
    people = replace(People.from_table(table, _compared(name, None, columns, list(table.columns))), name=name)
    named = table.id is not None and len(table) <= NAMED
    return people if named else replace(people, ids=None, entries=None)


def _name(table: Table) -> str:
    """Name a table after its file."""
    return "the directory" if table.origin is None or table.origin.name == "memory" else table.origin.name


def _no_such_id(name: str, id: str, exists: Sequence[Label]) -> ScenarioError:
    near = near_labels(id, exists)
    return ScenarioError(
        f'The directory {name} has no column "{id}", which id names.',
        exists=", ".join(map(str, exists)) or "no identifier",
        hint=f'did you mean "{near[0]}"?' if near else "names are compared letter by letter.",
    )


def _compared(name: str, id: str | None, columns: Sequence[str] | None, exists: Sequence[Label]) -> list[str]:
    """Return the columns to be read: those compared that are there, or all but the identifier."""
    if id is not None and id not in exists:
        raise _no_such_id(name, id, exists)
    there = [str(column) for column in exists if column != id]
    if not there:
        raise ScenarioError(
            f"The directory {name} has no column besides the identifier.", hint="nothing can be compared."
        )
    compared = there if columns is None else [column for column in there if column in columns]
    if not compared:
        raise ScenarioError(
            f"The directory {name} has none of the columns compared.",
            exists=", ".join(there),
            hint="columns are compared by their names.",
        )
    return compared
