"""A directory: identified people with attributes, as an attacker may hold it; people with the same entry are merged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.classes.fixed import Classes
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.table import Table, merged_columns

Gaps = Literal["apart", "agree"]
"""Whether a missing value of somebody agrees with no value that is shown, or with every one."""

BLANK = -1
"""The level at which nothing is shown of an entry."""

KEPT = 2_000_000
"""Of larger tables people are counted only, and not kept by their identifiers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """Distinct entries of a directory, each with the number of people who have it.

    `columns[name][i]` is the code of entry `i` in a column, an index into `labels[name]` or -1 where nothing is known.
    Most people have one entry and are only counted: `alone[i]` people have entry `i` and no other. Somebody with
    several different entries counts once: `several_person[j]` has the entry `several_entry[j]`, people numbered from 0
    in ascending order.
    """

    columns: Mapping[str, Codes]
    labels: Mapping[str, tuple[Label, ...]]
    alone: Ints
    several_person: Ints
    several_entry: Ints
    ids: Sequence[Label] | None = field(default=None, repr=False)
    """Who the people are, one identifier for each line of `entries`; None where they were only counted."""
    entries: Ints | None = field(default=None, repr=False)
    """The entry of each identifier."""
    name: str = "the table itself"

    @classmethod
    def from_table(cls, table: Table, columns: Sequence[str], *, named: bool = True) -> "People":
        """Make a directory of some columns of a table.

        With an identifier the people are its distinct values, and several rows of one are several entries of the same
        person; without one each row is somebody. The entries have the order of their first rows. Who the people are is
        kept where they are not many, unless they need not be `named`.
        """
        codes = (table.columns[table.checked(name)] for name in columns)
        merged, first, entry_of_record = merged_columns(columns, codes, table.labels, len(table.weights))
        nobody = np.zeros(0, np.int64)
        everybody = cls(
            columns=merged,
            labels={name: table.labels[name] for name in columns},
            alone=arrays.added(entry_of_record, table.weights, len(first)),
            several_person=nobody,
            several_entry=nobody,
        )
        if table.id is not None and not table.names_once:
            return _with_several(everybody, table, entry_of_record[table.record_of])
        if not named or len(table) > KEPT:
            return everybody
        ids = table.ids if table.id is not None else range(1, len(table) + 1)
        return replace(everybody, ids=ids, entries=entry_of_record[table.record_of])

    def in_classes(self, classes: Mapping[str, Classes]) -> "People":
        """Return the directory with the classes of a release in the place of values; intervals in several stay.

        Entries that become equal are merged, and somebody with several of them then has one.
        """
        there = {name: of_column for name, of_column in classes.items() if name in self.columns}
        if not there:
            return self
        columns, labels = dict(self.columns), dict(self.labels)
        for name, of_column in there.items():
            texts = [str(label) for label in labels[name]]
            met = of_column.agreements(texts, self.name)
            became = [one[0] if len(one) == 1 else text for one, text in zip(met, texts, strict=True)]
            labels[name] = tuple(in_order(became))
            place = {label: code for code, label in enumerate(labels[name])}
            columns[name] = np.array([*(place[label] for label in became), -1], np.int32)[columns[name]]
        return _merged(replace(self, columns=columns, labels=labels))

    def without(self, column: str) -> "People":
        """Return the directory without a column; entries that become equal are merged."""
        left = [name for name in self.columns if name != column]
        if not left and len(self.alone):
            raise DataError(
                f'{self.name} has no other column than "{column}".', hint="say by what people are found."
            )
        if not left:
            return replace(self, columns={}, labels={})
        columns = {name: self.columns[name] for name in left}
        return _merged(replace(self, columns=columns, labels={name: self.labels[name] for name in left}))

    @property
    def several(self) -> int:
        """The number of people with several entries."""
        return int(self.several_person[-1]) + 1 if len(self.several_person) else 0

    def __len__(self) -> int:
        """Count the people."""
        return int(self.alone.sum()) + self.several


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedForms:
    """The level at which each entry of a directory is shown in each column: 0 as it is, above coarser, -1 not at all.

    A plan sees the directory only. If it looked at which of its people have a record, the form of a record could tell.
    """

    people: People
    columns: tuple[str, ...]
    levels: NDArray[np.int8]
    """One row for each entry of the directory."""


def _merged(people: People) -> People:
    """Merge equal entries; who is left with one of them counts there."""
    columns, first, became = merged_columns(
        list(people.columns), people.columns.values(), people.labels, len(people.alone)
    )
    pairs = np.unique(people.several_person * len(first) + became[people.several_entry])
    person, entry = np.divmod(pairs, max(len(first), 1))
    merged = replace(
        people,
        columns=columns,
        alone=arrays.added(became, people.alone, len(first)),
        entries=None if people.entries is None else became[people.entries],
    )
    return _with_owners(merged, person, entry)


def _with_owners(people: People, person: Ints, entry: Ints) -> People:
    """Count people by their entries, each of which is named once: who has one alone, and who has several."""
    owned = np.bincount(person)
    one = owned[person] == 1
    order = np.argsort(person[~one], kind="stable")
    return replace(
        people,
        alone=people.alone + np.bincount(entry[one], minlength=len(people.alone)),
        several_person=(np.cumsum(owned > 1) - 1)[person[~one]][order],
        several_entry=entry[~one][order],
    )


def _with_several(everybody: People, table: Table, entry: Ints) -> People:
    """Count people with several entries once; each of their entries is kept once, in the order of the rows."""
    number: dict[Label, int] = {}
    person = np.fromiter((number.setdefault(who, len(number)) for who in table.ids), np.int64, len(entry))
    once = np.zeros(len(entry), np.bool_)
    pairs = person * (int(entry.max(initial=0)) + 1) + entry
    once[np.unique(pairs, return_index=True)[1]] = True
    person, entry = person[once], entry[once]
    ids = tuple(compress(table.ids, once.tolist()))
    nobody = replace(everybody, alone=np.zeros_like(everybody.alone), ids=ids, entries=entry)
    return _with_owners(nobody, person, entry)
