"""Tables: records with attributes, identical records merged."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.ladders import Ladder
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import CountedTogether
from giveaway.model.data.labels import Label, near_labels
from giveaway.model.data.memory import Remembering
from giveaway.model.data.origin import Origin, Rest
from giveaway.model.data.texts import Texts
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels

Numbers = NDArray[np.signedinteger[Any]]
"""Whole numbers in as few bytes as they need."""

_HIDDEN = -1
_LISTS = "giveaway.sources.frames.lists"
_FRAMES = "giveaway.sources.frames.read"
_REST = "giveaway.sources.encoding.resting"
"""Readers that lie above the model, imported by name when they are first used."""


def number_type(count: int) -> type[np.signedinteger[Any]]:
    """Return the type that numbers this many things: four bytes where that is enough."""
    return np.int32 if count <= np.iinfo(np.int32).max else np.int64


@dataclass(frozen=True, kw_only=True, eq=False)
class Table(Remembering):
    """Distinct records, each with the number of times it occurs.

    `columns[name][i]` is the code of record `i` in a column, an index into `labels[name]` or -1 where the value is
    missing. The identifier is not a column; `ids` gives it for each row of the original, and `record_of` the record
    that the row became, in four bytes where that is enough.
    """

    columns: Mapping[str, Codes]
    labels: Mapping[str, tuple[Label, ...]]
    weights: Ints
    record_of: Numbers
    sensitive: tuple[str, ...] = ()
    id: str | None = None
    ids: Sequence[Label] = ()
    origin: Origin | None = field(default=None, repr=False)
    rest: Rest | None = None
    """What becomes of columns that turn out to have no role."""
    classes: Mapping[str, Classes] = field(default_factory=dict, repr=False)
    """The columns whose values were put into classes, which are then their values here."""
    ladders: Mapping[str, Ladder] = field(default_factory=dict, repr=False)
    """Hierarchies that were made by rule."""
    combined: tuple[str, ...] = ()
    """The columns of the original whose combinations are the values of the sensitive one."""

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
        rest: Rest | None = None,
        classes: Mapping[str, Any] | None = None,
        ladders: Mapping[str, Any] | Literal["auto"] | None = None,
        decimal: str = ".",
    ) -> "Table":
        """Make a table from mappings of column to value.

        Columns that no attacker knows are published without being judged, or left out, only where they are named so, or
        where `rest` says which. `classes` puts the values of columns into classes, which are then published and judged,
        and `ladders` makes hierarchies of coarser labels by rule; numbers have their decimals after `decimal`.

        >>> import giveaway as ga
        >>> table = ga.Table.from_rows([{"sex": "f", "hiv": "no"}, {"sex": "f", "hiv": "no"}], sensitive="hiv")
        >>> len(table), table.weights.tolist()
        (2, [2])
        >>> ages = ga.Table.from_rows([{"age": 17}, {"age": 18}, {"age": 40}], classes={"age": [18, 65]})
        >>> ages.classes["age"].rows
        {'<18': 1, '18-64': 2}
        """
        table: Table = import_module(_LISTS).from_rows(
            rows,
            sensitive=sensitive,
            id=id,
            missing=missing,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
            rest=rest,
            classes=classes,
            ladders=ladders,
            decimal=decimal,
        )
        return table

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
        rest: Rest | None = None,
        classes: Mapping[str, Any] | None = None,
        ladders: Mapping[str, Any] | Literal["auto"] | None = None,
        decimal: str = ".",
    ) -> "Table":
        """Make a table from a pandas, polars or Arrow frame, as `from_rows` does from rows."""
        table: Table = import_module(_FRAMES).table_from_frame(
            frame,
            sensitive=sensitive,
            id=id,
            missing=missing,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
            rest=rest,
            classes=classes,
            ladders=ladders,
            decimal=decimal,
        )
        return table

    def __repr__(self) -> str:
        return f"<Table: {len(self):,} records, {len(self.columns)} columns>"

    @property
    def called(self) -> str:
        """The name of the file that the table was read from, for sentences."""
        return self.origin.name if self.origin and self.origin.name != "memory" else "the table"

    def __len__(self) -> int:
        """Count the records of the original."""
        return int(self.weights.sum())

    @cached_property
    def code_of(self) -> dict[str, dict[Label, int]]:
        """The code of each label, column by column."""
        return {
            name: {label: code for code, label in enumerate(labels)} for name, labels in self.labels.items()
        }

    @cached_property
    def _row_of(self) -> Callable[[Label], int | None]:
        """What finds the row, counted from 0, of an identifier."""
        if not self.names_once:
            raise ScenarioError(
                f"The column {self.id} gives several records the same id.",
                hint="an id names one record.",
            )
        if isinstance(self.ids, Texts):
            return self.ids.find
        return {label: row for row, label in enumerate(self.ids)}.get

    @cached_property
    def names_once(self) -> bool:
        """Whether no identifier stands for several records."""
        ids = self.ids
        return not ids.repeated if isinstance(ids, Texts) else len(set(ids)) == len(ids)

    def ids_as_texts(self, called: str) -> Texts:
        """Return the identifiers as texts, to be joined by; `called` is the table in the error for one that appears twice."""
        texts = self.ids if isinstance(self.ids, Texts) else Texts.of(map(str, self.ids))
        if texts.repeated:
            raise DataError(
                f'The column "{self.id}" of {called} names a record twice: {", ".join(texts.twice)}.',
                hint="a person has one row in each release: merge them first.",
                field="id",
            )
        return texts

    def record(self, row: int) -> Label:
        """Name the record at a row counted from 0: by its identifier, else by its row number from 1."""
        return self.ids[row] if self.id is not None else row + 1

    def row(self, record: Label) -> int:
        """Find the row, counted from 0, of a record named by its identifier, or else by its row number from 1."""
        if self.id is not None:
            row = self._row_of(record)
            if row is None:
                row = self._row_of(str(record))
            if row is None:
                raise ScenarioError(f"No record has the {self.id} {record!r}.")
            return row
        number = int(str(record)) if str(record).isdecimal() else 0
        if not 1 <= number <= len(self):
            raise ScenarioError(
                f"There is no row {record}.", exists=f"rows 1 to {len(self)}", hint="rows are counted from 1."
            )
        return number - 1

    def together(self) -> "Table":
        """Return the table with one sensitive column, whose values are the combinations of those of all sensitive columns.

        Every combination is a value, whether or not a record has it; a record that misses a part of it misses it. Rules
        about combinations can be found in such a table and published; its rows cannot.

        >>> import giveaway as ga
        >>> table = ga.Table.from_rows([{"ill": "no", "pay": "low"}, {"ill": "yes", "pay": "high"}], sensitive=["ill", "pay"])
        >>> table.together().labels
        {'ill & pay': ('no & high', 'no & low', 'yes & high', 'yes & low')}
        """
        if len(self.sensitive) < 2:  # noqa: PLR2004 # one is no combination
            raise ScenarioError(
                "Only several sensitive columns can be taken together.",
                exists=", ".join(self.sensitive) or "no sensitive column",
                field="sensitive_together",
            )
        name = " & ".join(self.sensitive)
        codes = [self.columns[column] for column in self.sensitive]
        sizes = [len(self.labels[column]) for column in self.sensitive]
        known = np.all([column >= 0 for column in codes], axis=0)
        joint = np.full(len(self.weights), -1, np.int32)
        joint[known] = np.ravel_multi_index([column[known] for column in codes], sizes)
        others = [column for column in self.columns if column not in self.sensitive]
        parts = product(*(self.labels[column] for column in self.sensitive))
        labels = tuple(" & ".join(map(str, one)) for one in parts)
        if len(set(labels)) < len(labels) or name in others:
            raise ScenarioError(
                f"The combinations of {name} do not have names of their own.",
                hint='rename columns or values that hold " & ".',
                field="sensitive_together",
            )
        return Table(
            columns={column: self.columns[column] for column in others} | {name: joint},
            labels={column: self.labels[column] for column in others} | {name: labels},
            weights=self.weights,
            record_of=self.record_of,
            sensitive=(name,),
            id=self.id,
            ids=self.ids,
            origin=self.origin,
            combined=self.sensitive,
            **self.ruled(others),
        )

    def resting(self, columns: Sequence[str]) -> "Table":
        """Return the table without some columns, which are published unjudged or left out, as `rest` says."""

        def made() -> Table:
            table: Table = import_module(_REST).rested(self, columns)
            return table

        return self.remember("resting", tuple(columns), made)

    def only(self, columns: Sequence[str], rows: Ints | None = None) -> "Table":
        """Return some columns, of some rows, counted from 0, or of all; a row -1 is missing in everything.

        >>> import giveaway as ga, numpy as np
        >>> people = ga.Table.from_rows([{"age": 30, "job": "cook"}, {"age": 40, "job": "cook"}])
        >>> people.only(["job"]).weights.tolist(), people.only(["age"], np.array([1, -1])).columns["age"].tolist()
        ([2], [1, -1])
        """
        records = self.record_of if rows is None else np.append(self.record_of, -1)[rows]
        codes = (np.append(self.columns[self.checked(name)], np.int32(_HIDDEN))[records] for name in columns)
        merged, first, record_of = merged_columns(columns, codes, self.labels, len(records))
        return Table(
            columns=merged,
            labels={name: self.labels[name] for name in columns},
            weights=np.bincount(record_of, minlength=len(first)),
            record_of=record_of.astype(number_type(len(first))),
            sensitive=tuple(name for name in self.sensitive if name in columns),
            classes={name: rule for name, rule in self.classes.items() if name in columns},
        )

    def ruled(self, columns: Collection[str]) -> dict[str, Any]:
        """Return the classes and ladders of some columns, as another table takes them."""
        return {
            "classes": {name: rule for name, rule in self.classes.items() if name in columns},
            "ladders": {name: rule for name, rule in self.ladders.items() if name in columns},
        }

    def counted_with(
        self,
        also: Sequence["Table"],  # noqa: ARG002 # rows that are here are joined here
        earlier: Sequence["Table"],  # noqa: ARG002
    ) -> CountedTogether | None:
        """Count the distinct joined rows of this table, of further columns of it and of others with the same ids.

        None where no engine holds it that can do so.
        """
        return None

    def whole(
        self,
        classes: Mapping[str, Any] | None,  # noqa: ARG002 # rows that are here are read again
        decimal: str,  # noqa: ARG002
    ) -> "Table | None":
        """Return all columns of the data that this is of, those in `classes` with classes, through the same connection.

        None where no engine holds them.
        """
        return None

    def cells(self, pairs: Iterable[tuple[Label, str]]) -> Cells:
        """Find entries given as pairs of a record, named as `row` understands it, and a column."""
        return Cells((self.row(record) + 1, self.checked(column)) for record, column in pairs)

    def checked(self, column: str) -> str:
        """Return the name of a column, or refuse it."""
        if column not in self.columns:
            near = near_labels(column, self.columns, most=1)
            raise ScenarioError(
                f'There is no column "{column}".',
                exists=", ".join(self.columns),
                hint=f'did you mean "{near[0]}"?' if near else None,
            )
        return column

    def without(self, cells: Cells) -> "Table":
        """Return the table with some entries missing; records that were equal may then differ."""
        if not cells:
            return self
        if not cells.within(len(self)):
            raise ScenarioError("An entry to be withheld lies in a row that the table does not have.")
        for column in cells.columns:
            self.checked(column)
        return self._showing({name: (cells.positions(name), _HIDDEN) for name in cells.columns}, self.labels)

    def coarsened(self, levels: Levels, hierarchies: Mapping[str, Hierarchy]) -> "Table":
        """Return the table with coarser labels in some entries, which stand after the labels of their column."""
        if not levels:
            return self
        if not levels.within(len(self)):
            raise ScenarioError(
                "An entry to be published coarser lies in a row that the table does not have."
            )
        labels, shown = dict(self.labels), {}
        for name in levels.columns:
            hierarchy = hierarchies.get(self.checked(name))
            rows, wanted = levels.of(name)
            if hierarchy is None or int(wanted.max()) > hierarchy.depth:
                raise ScenarioError(
                    f"Level {int(wanted.max())} of {name} is not in a hierarchy.",
                    exists=f"{0 if hierarchy is None else hierarchy.depth} levels",
                )
            codes = self.columns[name][self.record_of[rows]]
            coarse = np.full((hierarchy.depth + 1, len(labels[name]) + 1), _HIDDEN, np.int32)
            for level in range(1, hierarchy.depth + 1):
                coarse[level, :-1] = hierarchy.codes(self.labels[name], level) + len(labels[name])
                labels[name] = (*labels[name], *hierarchy.groups(level))
            shown[name] = (rows, coarse[wanted, codes])
        return self._showing(shown, labels)

    def _showing(
        self, shown: Mapping[str, tuple[Ints, Codes | int]], labels: Mapping[str, tuple[Label, ...]]
    ) -> "Table":
        """Return the table with other codes in some rows of some columns; changed records stand after the old ones."""
        touched = np.unique(np.concatenate([positions for positions, _ in shown.values()]))
        left = self.weights - np.bincount(self.record_of[touched], minlength=len(self.weights))
        weights = np.concatenate([left, np.ones(len(touched), np.int64)])
        used = np.flatnonzero(weights > 0)

        def codes() -> Iterator[Codes]:
            for name, own in self.columns.items():
                changed = own[self.record_of[touched]]
                if name in shown:
                    positions, new = shown[name]
                    changed[np.searchsorted(touched, positions)] = new
                yield np.append(own, changed)[used]

        columns, first, group = merged_columns(list(self.columns), codes(), labels, len(used))
        became = np.full(len(weights), -1, number_type(len(weights)))
        became[used] = group
        record_of = became[self.record_of]
        record_of[touched] = became[len(self.weights) :]
        return Table(
            columns=columns,
            labels=labels,
            weights=arrays.added(group, weights[used], len(first)),
            record_of=record_of,
            sensitive=self.sensitive,
            id=self.id,
            ids=self.ids,
        )


def merged_columns(
    names: Sequence[str], codes: Iterable[Codes], labels: Mapping[str, tuple[Label, ...]], rows: int
) -> tuple[dict[str, Codes], Ints, Ints]:
    """Merge equal rows of codes, given column by column, in the order of their first occurrence.

    Returns the columns of the different ones, where each stands first, and which of them each row is.
    """
    matrix = np.empty((rows, len(names)), np.int32)
    for place, column in enumerate(codes):
        matrix[:, place] = column
    first, record = arrays.distinct(matrix, [len(labels[name]) for name in names])
    columns = {name: np.ascontiguousarray(matrix[first, place]) for place, name in enumerate(names)}
    return columns, first, record
