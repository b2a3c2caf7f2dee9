"""Tables of which kinds of rows are known, and which row is of which kind when that is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Numbers, Table, number_type
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
    def made(
        cls,
        kinds: Kinds,
        codes: Mapping[str, Codes],
        labels: Mapping[str, tuple[Label, ...]],
        *,
        id: str | None,
        ids: Callable[[], Sequence[Label]],
        names_once: Callable[[], bool],
        **others: Any,
    ) -> "TableOfKinds":
        """Make a table of the codes of each kind; `ids` and `names_once` are asked for when they are needed."""
        names = list(codes)
        matrix = np.stack([codes[name] for name in names], axis=1).astype(np.int32)
        first, record = arrays.distinct(matrix, [len(labels[name]) for name in names])
        columns = {name: np.ascontiguousarray(matrix[first, place]) for place, name in enumerate(names)}
        small = Table(columns=columns, labels=dict(labels), weights=np.zeros(0, np.int64), record_of=record)
        return cls._grown(small, kinds, id=id, _named=ids, _once=names_once, **others)

    @classmethod
    def _grown(cls, small: Table, kinds: Kinds, **others: Any) -> "TableOfKinds":
        """Make a table of one with a row for each kind."""
        table = cls.__new__(cls)
        weights = np.zeros(len(next(iter(small.columns.values()))), np.int64)
        np.add.at(weights, small.record_of, kinds.weights)
        plain: dict[str, Any] = {
            "sensitive": (),
            "origin": None,
            "rest": None,
            "classes": {},
            "ladders": {},
            "combined": (),
        }
        known = {"columns": small.columns, "labels": small.labels, "weights": weights, "kinds": kinds}
        vars(table).update(plain | known | {"of_kind": small.record_of} | others)
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

    def with_column(
        self, name: str, labels: Iterable[Label], codes: Codes, sensitive: tuple[str, ...]
    ) -> "TableOfKinds":
        """Return the table with one more column, given by the code of each kind, and all that is sensitive then."""
        assert self.kinds is not None  # noqa: S101 # asked of those that have them
        every = {column: of_record[self.of_kind] for column, of_record in self.columns.items()}
        fields = ("id", "classes", "ladders")
        return TableOfKinds.made(
            self.kinds,
            every | {name: codes},
            {**self.labels, name: tuple(labels)},
            ids=lambda: self.ids,
            names_once=lambda: self.names_once,
            sensitive=sensitive,
            **{field: getattr(self, field) for field in fields},
        )

    def _changed(self, small: Table) -> Table:
        """Return the table that shows of each kind what a table with a row for each shows."""
        assert self.kinds is not None  # noqa: S101 # asked of those that have them
        if small is self._small:
            return self
        return TableOfKinds._grown(
            small,
            self.kinds,
            sensitive=self.sensitive,
            id=self.id,
            _named=lambda: self.ids,
            _once=lambda: self.names_once,
        )

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
