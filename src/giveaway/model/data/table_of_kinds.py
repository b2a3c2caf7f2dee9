"""Tables of which kinds of rows are known, and which row is of which kind when that is asked."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Numbers, Table, merged_columns, number_type
from giveaway.model.release.cells import Cells, CellsOfKinds
from giveaway.model.release.levels import Levels, LevelsOfKinds


class TableOfKinds(Table):
    """A table whose rows of one kind are all the same record; `record_of` and `ids` are worked out when they are asked.

    Where whole kinds are hidden or coarsened, so is the table, and no row is looked at.
    """

    kinds: Kinds | None = None
    """None in a copy with other fields, which has its rows."""
    of_kind: Numbers
    """The record of each kind."""
    _named: Callable[[], Sequence[Label]]
    _once: Callable[[], bool]

    @classmethod
    def of(
        cls,
        kinds: Kinds,
        codes: Mapping[str, Codes],
        labels: Mapping[str, tuple[Label, ...]],
        like: Table,
        **others: Any,
    ) -> "TableOfKinds":
        """Make a table of the codes of each kind, with the records of another one."""
        columns, _, record = merged_columns(list(codes), codes.values(), labels, len(kinds))
        small = Table(columns=columns, labels=dict(labels), weights=np.zeros(0, np.int64), record_of=record)
        return cls._grown(small, kinds, like, **like.ruled(codes), **others)

    @classmethod
    def _grown(cls, small: Table, kinds: Kinds, like: Table, **others: Any) -> "TableOfKinds":
        """Make a table of one with a row for each kind; what others know of its rows is asked for when it is needed."""
        table = cls.__new__(cls)
        known = {
            "columns": small.columns,
            "labels": small.labels,
            "weights": arrays.added(small.record_of, kinds.weights, len(next(iter(small.columns.values())))),
            "kinds": kinds,
            "of_kind": small.record_of,
            "id": like.id,
            "classes": {},
            "ladders": {},
            "_named": lambda: like.ids,
            "_once": lambda: like.names_once,
        }
        vars(table).update(known | others)  # all else is as a table has it by itself
        return table

    @cached_property
    def record_of(self) -> Numbers:
        """The record of each row."""
        assert self.kinds is not None  # noqa: S101 # a copy has its rows
        return self.of_kind.astype(number_type(len(self.weights)))[self.kinds.of_row]

    @cached_property
    def ids(self) -> Sequence[Label]:
        """The identifier of each row."""
        return self._named()

    @cached_property
    def names_once(self) -> bool:
        """Whether no identifier stands for several records."""
        return self._once()

    def without(self, cells: Cells) -> Table:
        """Return the table with some entries missing."""
        if self.kinds is None or not isinstance(cells, CellsOfKinds) or cells.kinds is not self.kinds:
            return super().without(cells)
        hidden = {name: np.flatnonzero(marks) for name, marks in cells.marked.items()}
        return self._changed(self._small.without(Cells.at(hidden)))

    def coarsened(self, levels: Levels, hierarchies: Mapping[str, Hierarchy]) -> Table:
        """Return the table with coarser labels in some entries."""
        if self.kinds is None or not isinstance(levels, LevelsOfKinds) or levels.kinds is not self.kinds:
            return super().coarsened(levels, hierarchies)
        return self._changed(self._small.coarsened(levels.small, hierarchies))

    def _changed(self, small: Table) -> Table:
        """Return the table that shows of each kind what a table with a row for each shows."""
        assert self.kinds is not None  # noqa: S101 # asked of those that have them
        if small is self._small:
            return self
        return TableOfKinds._grown(small, self.kinds, self, sensitive=self.sensitive)

    @cached_property
    def _small(self) -> Table:
        """The table with one row for each kind."""
        return Table(
            columns=self.columns,
            labels=self.labels,
            weights=np.bincount(self.of_kind, minlength=len(self.weights)),
            record_of=self.of_kind,
            sensitive=self.sensitive,
        )


def by_kind(*tables: Table) -> tuple[Kinds, list[Ints]]:
    """Return kinds of rows, and the record of each kind in tables that have the same rows: row by row where nothing is known."""
    kinds = {getattr(table, "kinds", None) for table in tables}
    shared = kinds.pop() if len(kinds) == 1 else None
    if isinstance(shared, Kinds):
        records = [table.of_kind for table in tables if isinstance(table, TableOfKinds)]
    else:
        shared, records = Kinds.of_each(len(tables[0])), [table.record_of for table in tables]
    return shared, [of_kind.astype(np.int64) for of_kind in records]
