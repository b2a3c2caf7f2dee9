"""Tables: records with attributes, identical records merged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model import rows
from giveaway.model.cells import Cells
from giveaway.model.doors import through
from giveaway.model.labels import Label
from giveaway.model.memory import Remembering
from giveaway.model.origin import Origin
from giveaway.model.rows import Codes, Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Table(Remembering):
    """Distinct records, each with the number of times it occurs.

    `columns[name][i]` is the code of record `i` in a column, an index into `labels[name]` or -1 where the value is
    missing. The identifier is no column; `ids` gives it for each row of the original, and `record_of` the record
    that the row became.
    """

    columns: Mapping[str, Codes]
    labels: Mapping[str, tuple[Label, ...]]
    weights: Ints
    record_of: Ints
    sensitive: tuple[str, ...] = ()
    id: str | None = None
    ids: tuple[Label, ...] = ()
    origin: Origin | None = field(default=None, repr=False)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Label]],
        *,
        sensitive: str | Iterable[str] = (),
        id: str | None = None,
        missing: Iterable[Label] = ("", None),
        publish_unjudged: Iterable[str] = (),
        leave_out: Iterable[str] = (),
    ) -> "Table":
        """Make a table from mappings of column to value.

        Columns that no attacker knows are published without being judged, or left out, only where they are named so.

        >>> import giveaway as ga
        >>> table = ga.Table.from_rows([{"sex": "f", "hiv": "no"}, {"sex": "f", "hiv": "no"}], sensitive="hiv")
        >>> len(table), table.weights.tolist()
        (2, [2])
        """
        made: Table = through("rows")(
            rows,
            sensitive=sensitive,
            id=id,
            missing=missing,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
        )
        return made

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        sensitive: str | Iterable[str] = (),
        id: str | None = None,
        missing: Iterable[Label] = ("", None),
        publish_unjudged: Iterable[str] = (),
        leave_out: Iterable[str] = (),
    ) -> "Table":
        """Make a table from a pandas, polars or Arrow frame, as `from_rows` does from rows."""
        made: Table = through("table frame")(
            frame,
            sensitive=sensitive,
            id=id,
            missing=missing,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
        )
        return made

    def __len__(self) -> int:
        """Count the records of the original."""
        return int(self.weights.sum())

    @cached_property
    def code_of(self) -> dict[str, dict[Label, int]]:
        """The code of each label, column by column."""
        return {
            name: {label: code for code, label in enumerate(found)} for name, found in self.labels.items()
        }

    @cached_property
    def _row_of(self) -> dict[Label, int]:
        """The row of each identifier, counted from 0."""
        found = {label: row for row, label in enumerate(self.ids)}
        if len(found) < len(self.ids):
            raise ScenarioError(
                f"The column {self.id} names several records alike.", hint="an id names one record each."
            )
        return found

    def record(self, row: int) -> Label:
        """Name the record at a row counted from 0: by its identifier, else by its row number from 1."""
        return self.ids[row] if self.id is not None else row + 1

    def row(self, record: Label) -> int:
        """Find the row, counted from 0, of a record named by its identifier, or else by its row number from 1."""
        if self.id is not None:
            found = self._row_of.get(record, self._row_of.get(str(record)))
            if found is None:
                raise ScenarioError(f"No record has the {self.id} {record!r}.")
            return found
        number = int(str(record)) if str(record).isdecimal() else 0
        if not 1 <= number <= len(self):
            raise ScenarioError(
                f"There is no row {record}.", exists=f"rows 1 to {len(self)}", hint="rows are counted from 1."
            )
        return number - 1

    def cells(self, pairs: Iterable[tuple[Label, str]]) -> Cells:
        """Find entries given as pairs of a record, named as `row` understands it, and a column."""
        return Cells((self.row(record) + 1, self.checked(column)) for record, column in pairs)

    def checked(self, column: str) -> str:
        """Return the name of a column, or refuse it."""
        if column not in self.columns:
            raise ScenarioError(f'There is no column "{column}".', exists=", ".join(self.columns))
        return column

    def without(self, cells: Cells) -> "Table":
        """Return the table with some entries missing; records that were alike may then be different ones."""
        if not cells:
            return self
        if not cells.within(len(self)):
            raise ScenarioError("An entry to be withheld lies in a row that the table does not have.")
        for column in cells.columns:
            self.checked(column)
        names = list(self.columns)
        touched = np.unique(np.concatenate([cells.positions(name) for name in cells.columns]))
        changed = np.stack([self.columns[name][self.record_of[touched]] for name in names], axis=1)
        for place, name in enumerate(names):
            changed[np.searchsorted(touched, cells.positions(name)), place] = -1
        left = self.weights - np.bincount(self.record_of[touched], minlength=len(self.weights))
        everything = np.concatenate([np.stack([self.columns[name] for name in names], axis=1), changed])
        weights = np.concatenate([left, np.ones(len(touched), np.int64)])
        return self._merged(names, everything, weights, touched)

    def _merged(self, names: list[str], matrix: Codes, weights: Ints, touched: Ints) -> "Table":
        """Merge the old records, as far as they are left, with the changed ones, which stand after them."""
        used = np.flatnonzero(weights > 0)
        first = np.cumsum([0, *(len(self.labels[name]) + 1 for name in names)])[:-1] + 1
        offsets = np.arange(len(used) + 1, dtype=np.int64) * len(names)
        flat = (matrix[used] + first).astype(np.int32).reshape(-1)
        _, _, merged, group = rows.merge(offsets, flat, weights[used])
        became = np.full(len(weights), -1, np.int64)
        became[used] = group
        record_of = became[self.record_of]
        record_of[touched] = became[len(self.weights) :]
        _, representative = np.unique(group, return_index=True)
        kept = matrix[used][representative]
        columns = {name: np.ascontiguousarray(kept[:, place]) for place, name in enumerate(names)}
        return replace(self, columns=columns, weights=merged, record_of=record_of, origin=None)
