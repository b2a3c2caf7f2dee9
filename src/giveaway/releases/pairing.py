"""Which row of one release is whose row of another: by the owner's file, by a column, by number; never by a guess."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.releases.stored import Stored

PairedBy = Literal["ledger", "id", "row number"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedRows:
    """Rows of the same people, as places from 0 in both files."""

    old: Ints
    new: Ints
    by: PairedBy
    taken: str | None = None
    """What is taken to be so without being known."""


@dataclass(frozen=True, kw_only=True)
class Unpaired:
    """Why it is not known whose rows they are, and what would tell."""

    why: str
    hint: str


def same_data(old: Stored, new: Stored) -> bool:
    """Tell whether the owner's file says that both are made of the same data in the same form."""
    return (
        old.kept is not None
        and new.kept is not None
        and old.kept.data is not None
        and old.kept.data == new.kept.data
    )


def paired(old: Stored, new: Stored, tables: tuple[Table, Table], id: str | None) -> PairedRows | Unpaired:
    """Pair the rows of two tables."""
    if id is not None:
        return _by_id(old, new, tables, id)
    numbers = [_numbers(one, len(table)) for one, table in zip((old, new), tables, strict=True)]
    if numbers[0] is None or numbers[1] is None:
        return Unpaired(
            why="The rows are shuffled, and nothing says whose they are.",
            hint="name the owner's file with --ledger, or a column of both with --id.",
        )
    if len(numbers[0]) != len(numbers[1]):
        return Unpaired(
            why="The originals have different numbers of rows, so that a row number does not say whose row it is.",
            hint="name a column of both with --id.",
        )
    kept = [one.manifest.order_kept for one in (old, new)]
    return PairedRows(
        old=np.argsort(numbers[0]),
        new=np.argsort(numbers[1]),
        by="row number" if all(kept) else "ledger",
        taken=None
        if same_data(old, new)
        else "Rows with the same number in both originals are taken to be the same person's.",
    )


def _numbers(release: Stored, rows: int) -> Ints | None:
    """Return the number of the original row at each place of a release, from 0; None where nobody knows."""
    if release.manifest.order_kept:
        return np.arange(rows)
    if release.kept is None or release.kept.places is None:
        return None
    if len(release.kept.places) != rows:
        raise DataError(f"The owner's file has another number of rows than {release.name}.")
    return release.kept.places


def _by_id(old: Stored, new: Stored, tables: tuple[Table, Table], id: str) -> PairedRows:
    both = [name for name in tables[0].columns if name in tables[1].columns]
    if id not in both:
        raise ScenarioError(
            f'"{id}" is not a column of both releases.', exists=", ".join(both) or "no column in both"
        )
    places = [_places(one, table, id) for one, table in zip((old, new), tables, strict=True)]
    pairs = [(row, places[1][label]) for label, row in places[0].items() if label in places[1]]
    ours, theirs = np.array(pairs, np.int64).reshape(-1, 2).T
    return PairedRows(old=ours, new=theirs, by="id")


def _places(release: Stored, table: Table, id: str) -> dict[Label, int]:
    """Return the row of each identifier, once every row has one of its own."""
    codes = table.columns[id][table.record_of]
    if (codes < 0).any():
        raise DataError(
            f"Rows of {release.name} have nothing in the column {id}.", hint="name another column."
        )
    labels: Sequence[Label] = table.labels[id]
    rows = {labels[code]: row for row, code in enumerate(codes.tolist())}
    if len(rows) < len(codes):
        raise DataError(
            f"The column {id} of {release.name} gives several rows the same id.", hint="an id names one row."
        )
    return rows
