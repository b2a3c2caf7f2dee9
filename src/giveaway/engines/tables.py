"""Tables that an engine holds: distinct records come here; who has which is asked when it is needed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.engines.classes import classed
from giveaway.engines.counting import (
    Distinct,
    distinct_rows,
    first_looked_at,
    first_rows,
    refuse_ids,
    rows_in_parts,
)
from giveaway.engines.held import HeldRows
from giveaway.engines.opening import opened, opened_by
from giveaway.engines.part import PartColumn
from giveaway.engines.spelling import MISSING_CODE, in_label_order, known_codes
from giveaway.errors import ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.ladders import Ladder
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.kinds import CountedTogether
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Origin, Rest
from giveaway.model.data.table import Numbers, Table, number_type
from giveaway.model.data.texts import Texts
from giveaway.sources.address import Address
from giveaway.sources.encoding.grouping import NOTHING_ASKED, Grouping, grouping
from giveaway.sources.encoding.roles import check_names


class CountedColumns(Mapping[str, Codes]):
    """Columns whose names are known, and their distinct rows, which the engine counts when they are first looked at."""

    def __init__(self, held: HeldRows, names: Sequence[str], missing: Sequence[str]) -> None:
        self._held, self._names, self._missing = held, tuple(names), tuple(missing)

    @cached_property
    def distinct(self) -> Distinct:
        """The distinct rows, with the number of each."""
        return distinct_rows(self._held, self._names, self._missing)

    def __getitem__(self, name: str) -> Codes:
        return self.distinct.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class HeldTable(Table):
    """A table whose rows stay in the engine that holds them, in the order of their ids.

    Its records are counted when they are first looked at, and `ids` and `record_of` are brought here when they are.
    """

    held: HeldRows | None = None
    """None in a copy with other fields, whose rows are here."""
    _missing: tuple[str, ...]

    @classmethod
    def made(
        cls,
        held: HeldRows,
        columns: Sequence[str],
        *,
        sensitive: tuple[str, ...] = (),
        id: str,
        missing: Sequence[str],
        origin: Origin | None = None,
        rest: Rest | None = None,
        classes: Mapping[str, Classes],
        ladders: Mapping[str, Ladder],
        counted: CountedColumns | None = None,
    ) -> "HeldTable":
        """Make a table of rows that stay where they are."""
        table = cls.__new__(cls)
        vars(table).update(
            {
                "columns": counted or CountedColumns(held, columns, missing),
                "sensitive": sensitive,
                "id": id,
                "origin": origin,
                "rest": rest,
                "classes": classes,
                "ladders": ladders,
                "combined": (),
                "held": held,
                "_missing": tuple(missing),
            }
        )
        return table

    @property
    def _counted(self) -> Distinct:
        assert isinstance(self.columns, CountedColumns)  # noqa: S101 # a copy has its rows
        return self.columns.distinct

    @cached_property
    def labels(self) -> Mapping[str, tuple[Label, ...]]:
        """The labels of each column, in their order."""
        return self._counted.labels

    @cached_property
    def weights(self) -> Ints:
        """How often each record occurs."""
        return self._counted.weights

    @cached_property
    def ids(self) -> Sequence[str]:
        """The identifier of each row, in label order."""
        return self._rows[0]

    @cached_property
    def record_of(self) -> Numbers:
        """The record that each row became."""
        return self._rows[1]

    @property
    def names_once(self) -> bool:
        """Whether no identifier stands for several records, which the engine was asked first."""
        return True if self.held is not None else len(set(self.ids)) == len(self.ids)

    @cached_property
    def _rows(self) -> tuple[Texts, Numbers]:
        """Bring the ids here with the record of each, and put them in order."""
        assert self.held is not None  # noqa: S101 # a copy has its rows
        kind = number_type(len(self.weights))
        named, records = [], [np.zeros(0, kind)]
        for part in rows_in_parts(self.held, [str(self.id), *self.columns]):
            named.append(part.column(0).texts())
            records.append(self.records_of([*part.columns.values()][1:], len(part)).astype(kind))
        record_of = np.concatenate(records)
        if not np.array_equal(np.bincount(record_of, minlength=len(self.weights)), self.weights):
            raise self.held.changed()
        ids, order = in_label_order(Texts.joined(named))
        return ids, record_of[order]

    @cached_property
    def _codes_known(self) -> list[Mapping[Label, int]]:
        """The codes of each column, those of what is missing too."""
        lacks: dict[Label, int] = dict.fromkeys(self._missing, MISSING_CODE)
        return [lacks | self.code_of[name] for name in self.columns]

    def records_of(self, columns: Sequence[PartColumn], count: int) -> Ints:
        """Return the record that each row is; one that was not counted shows that the data have changed."""
        assert self.held is not None  # noqa: S101 # a copy has its rows
        codes = [known_codes(one, known) for one, known in zip(columns, self._codes_known, strict=True)]
        known_ones = [column for column in codes if column is not None]
        records = self._counted.records.find(known_ones, count) if len(known_ones) == len(codes) else None
        if records is None:
            raise self.held.changed()
        return records

    def only(self, columns: Sequence[str], rows: Ints | None = None) -> Table:
        """Return some columns, of some rows, or of all, which then stay where they are."""
        if self.held is None or rows is not None:
            return super().only(columns, rows)
        return HeldTable.made(
            self.held,
            [self.checked(name) for name in columns],
            sensitive=tuple(name for name in self.sensitive if name in columns),
            id=str(self.id),
            missing=self._missing,
            classes={name: classes for name, classes in self.classes.items() if name in columns},
            ladders={},
        )

    def counted_with(self, also: Sequence[Table], earlier: Sequence[Table]) -> CountedTogether | None:
        """Let the engine join the rows, and count the distinct joined ones."""
        from giveaway.engines.joining import count_joined

        return None if self.held is None else count_joined(self, also, earlier)

    def whole(self, classes: Mapping[str, Any] | None, decimal: str) -> Table | None:
        """Return all columns of the data that this is of, through the same connection; None where its rows are here."""
        if self.held is None:
            return None
        held, fixed, missing = self.held, dict[str, Classes](), self._missing
        if classes:
            held, fixed = classed(held, grouping(classes, None, decimal), missing)
        columns = [name for name in held.columns if name != self.id]
        return HeldTable.made(held, columns, id=str(self.id), missing=missing, classes=fixed, ladders={})


def read_engine_table(
    held: HeldRows,
    *,
    id: str | None,
    sensitive: tuple[str, ...] = (),
    missing: Sequence[str] = ("",),
    publish_unjudged: tuple[str, ...] = (),
    leave_out: tuple[str, ...] = (),
    rest: Rest | None = None,
    groups: Grouping = NOTHING_ASKED,
    classes: Mapping[str, Classes] | None = None,
    ladders: Mapping[str, Ladder] | None = None,
) -> Table:
    """Count the distinct records of a table; its rows are in the order of their ids, which are no column of it.

    With `rest` they are counted once it is known which columns have a role. `classes` and `ladders` are those of rows
    that were put into classes before.
    """
    from giveaway.engines.writing import EngineOrigin

    if id is None:
        raise without_id(held)
    unjudged = (id, *publish_unjudged, *leave_out)
    check_names([*sensitive, *unjudged], held.columns)
    refuse_ids(held, id, missing, repeated=False)
    judged = [name for name in held.columns if name not in unjudged]
    groups.check(held.columns, judged)
    fixed = dict(classes or {})
    undone = (
        groups.undone(first_rows(held, [*groups.classes, *publish_unjudged]), publish_unjudged)
        if groups.classes
        else {}
    )
    if groups.classes:
        held, fixed = classed(held, groups, missing)
    fingerprint = held.backend.fingerprint(held.frame)
    columns = CountedColumns(held, judged, missing)
    shown_ladders = ladders or {}
    if rest is None or (groups.ladders and not shown_ladders):
        counted = columns.distinct
        shown_ladders = shown_ladders or groups.ladders_of(
            counted.columns, counted.labels, counted.weights, fixed, sensitive
        )
    origin = EngineOrigin(
        held=held,
        fingerprint=fingerprint,
        shape="table",
        id=id,
        item=None,
        missing=tuple(missing),
        leave_out=leave_out,
        others={**first_looked_at(held, publish_unjudged), **undone},
    )
    return HeldTable.made(
        held,
        judged,
        sensitive=sensitive,
        id=id,
        missing=missing,
        origin=origin,
        rest=rest,
        classes=fixed,
        ladders=shown_ladders,
        counted=columns,
    )


def without_id(held: HeldRows) -> ScenarioError:
    """Make the error for rows that have no order and no name."""
    return ScenarioError(
        f"{held.name} needs id: rows in a database have no order of their own.",
        exists=", ".join(f'"{name}"' for name in held.columns[:8]),
        hint="id names the column that identifies a record or transaction; it is never published.",
    )


def table_beside(data: Table, where: Address, table: str | None, query: str | None) -> HeldRows:
    """Open another table or query, through the connection of a table that is at the same address."""
    same = isinstance(data, HeldTable) and data.held is not None and data.held.backend.shown == where.shown
    if not same or (table is None) == (query is None):
        return opened(where, table=table, query=query)
    assert isinstance(data, HeldTable) and data.held is not None  # noqa: S101, PT018 # for mypy
    return opened_by(data.held.backend, table, query)
