"""The rows of a release joined with what earlier releases show of the same people: again a release.

The original of the joined rows has the columns of all releases: true values from the data now, else from the data that an
earlier release was made of, else what it shows. Withheld is what no release shows, and what an earlier one shows must be
published: it is out. A column that may change has one more column for each earlier release, as in `age@2025`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, NothingToJudge
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table, merged_columns, number_type
from giveaway.model.data.table_of_kinds import TableOfKinds, by_kind
from giveaway.model.release.cells import Cells, CellsOfKinds
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.levels import Levels, LevelsOfKinds
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity, Weight
from giveaway.model.release.whose_rows import (
    BLANK,
    EarlierPart,
    JoinedColumn,
    Met,
    Shown,
    counted_there,
    merged,
    of_rows,
    row_by_row,
)
from giveaway.model.release.withheld import Withheld

Flags = NDArray[np.bool_]

_MISSING = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedRows:
    """The rows of a release now, each with what earlier releases show of the same person.

    Rows stand in the order of the release now and have its names. What is told of them is told of each kind of rows.
    """

    now: Release
    met: Met
    """The kinds of rows, and whose those of the earlier releases are."""
    release: Release
    """What all releases show together."""
    out: Release
    """The same rows with nothing but what the earlier releases show of them."""
    changed: Mapping[str, tuple[str, ...]]
    """The columns of earlier values of each column that changes."""
    shown: tuple[Mapping[str, Shown], ...]
    """For each earlier release and each of its columns, as they are called here, at which level it shows each kind."""
    present: tuple[Flags, ...]
    """For each earlier release which kinds it has."""
    shown_now: Mapping[str, Shown]
    """At which level the release now shows each of its columns."""

    @cached_property
    def shown_before(self) -> Mapping[str, Shown]:
        """At which level some earlier release shows each column, the finest one."""
        finest: dict[str, Shown] = {}
        for one in self.shown:
            for name, levels in one.items():
                finest[name] = np.minimum(finest[name], levels) if name in finest else levels
        return finest

    @cached_property
    def out_already(self) -> Cells:
        """The entries that some earlier release shows as they are."""
        return CellsOfKinds(self.met.kinds, {name: levels == 0 for name, levels in self.shown_before.items()})

    def true_codes(self, name: str) -> Codes:
        """Return the true value of each kind in a column."""
        table = _table(self.release)
        (records,) = by_kind(table)[1]
        return table.columns[name][records]

    def back(self, joined: Release) -> Release:
        """Return the release now, withholding of it what joined rows that withhold more withhold."""
        names = [name for name in _table(self.now).columns if name in joined.original.columns]  # type: ignore[union-attr] # a table
        more = Withheld(
            cells=Cells.at({name: joined.withheld.cells.positions(name) for name in names}),
            levels=Levels.at({name: joined.withheld.levels.of(name) for name in names}),
        )
        return self.now.withholding(more)


def join_rows(now: Release, earlier: Sequence[tuple[Earlier, Ints]]) -> JoinedRows:
    """Join the rows of a release with those of earlier ones, each given with the row now of each of its rows, or -1.

    Who has left is not among the rows. Two different values in a column that does not change are an error.
    """
    for one, rows in earlier:
        _check_rows(one, rows, len(_table(now)))
    return _join(now, row_by_row(now, earlier))


def join(now: Release, earlier: Sequence[Earlier]) -> JoinedRows | None:
    """Join the same, rows of one kind together, where the data are if they can; None where nobody says whose rows they are."""
    met = counted_there(now, earlier)
    if met is not None:
        return _join(now, met)
    pairs = [(one, one.row_now(now)[0]) for one in earlier]
    known = [(one, rows) for one, rows in pairs if rows is not None]
    if len(known) < len(pairs):
        return None
    for one, rows in known:
        _check_rows(one, rows, len(_table(now)))
    return _join(now, merged(now, known))


def _join(now: Release, met: Met) -> JoinedRows:
    table, size = _table(now), len(met.kinds)
    columns = {name: JoinedColumn.of_now(now, name, met) for name in table.columns}
    shown, present, changed = [], [], dict[str, list[str]]()
    for part in met.parts:
        one = part.one
        levels, there = {}, np.zeros(size, np.bool_)
        there[part.kind] = True
        for name in _table_of(one).columns:
            here = f"{name}@{one.name}" if name in one.changes else name
            if here != name and name in columns:
                changed.setdefault(name, []).append(here)
            column = columns.setdefault(here, JoinedColumn.empty(here, size, now.hierarchies.get(name)))
            levels[here] = column.add(part, name, met.kinds)
        shown.append(levels)
        present.append(there)
    return _joined(now, columns, {name: tuple(new) for name, new in changed.items()}, shown, present, met)


def alone(one: Earlier, rows: Ints, joined: JoinedRows) -> Release:
    """Return an earlier release by itself, with all of its rows and the columns of the joined rows.

    Its rows have their names in the release now; those of people who left are called by the earlier release.
    """
    if one.in_order_of_now and not (rows >= 0).any():
        one = copy(one)  # its data are told row by row of the release now, and nobody is joined
        object.__setattr__(one, "original", None)
    place = np.concatenate([np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)])
    return _by_itself(of_rows(one, rows), joined, lambda: np.argsort(place), lambda: rows)


def by_itself(part: EarlierPart, joined: JoinedRows) -> Release:
    """Return an earlier release by itself, of which joined rows have a part."""

    def rows() -> Ints:
        rows = part.one.row_now(joined.now)[0]
        assert rows is not None  # noqa: S101 # they were joined
        return rows

    return _by_itself(part, joined, lambda: _kinds_then(part, joined, rows()), rows)


def _by_itself(
    part: EarlierPart, joined: JoinedRows, find: Callable[[], Ints], rows: Callable[[], Ints]
) -> Release:
    """Return an earlier release: the kinds now that it has and then those who left, and how both are found."""
    now, table, left = _table(joined.now), _table(joined.release), part.left
    here, every = len(part.kind), np.arange(len(part.kind) + len(left.weights))
    kinds = Kinds(np.append(joined.met.kinds.weights[part.kind], left.weights), find)
    codes = {name: np.full(len(every), _MISSING, np.int32) for name in table.columns}
    for name, of_kinds in codes.items():
        of_kinds[:here] = joined.true_codes(name)[part.kind]
    base = TableOfKinds.of(
        kinds,
        codes,
        table.labels,
        now,
        id=now.id or "row",
        sensitive=table.sensitive,
        _named=lambda: _Called(now, part.one.name, rows()),
    )
    nothing = CellsOfKinds(kinds, {name: np.ones(len(every), np.bool_) for name in codes})
    hidden = replace(
        joined.release,
        original=base,
        withheld=Withheld(cells=nothing),
        stated=Withheld(),
        secrets=Cells(),
        must_publish=Cells(),
    )
    then = replace(
        part,
        kind=every,
        shown=np.append(part.shown, left.shown),
        original=np.append(part.original, left.original),
    )
    blank = {name: np.full(len(every), BLANK) for name in codes}
    met = Met(kinds=kinds, record=base.of_kind.astype(np.int64), levels=blank, parts=(then,))
    return _join(hidden, met).out


class _Called(Sequence[Label]):
    """The names of the rows of an earlier release: those of the release now, or those of people who left."""

    def __init__(self, now: Table, name: str, rows: Ints) -> None:
        self._now, self._name, self._rows = now, name, rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: Any) -> Any:
        row = int(self._rows[at])
        return self._now.record(row) if row >= 0 else f"{self._name}, row {at + 1}"


def _kinds_then(part: EarlierPart, joined: JoinedRows, rows: Ints) -> Ints:
    """Find the kind of each row of an earlier release: the kinds now that it has, then those who have left."""
    place = np.full(len(joined.met.kinds), _MISSING, np.int64)
    place[part.kind] = np.arange(len(part.kind))
    kinds, gone = np.empty(len(rows), np.int64), rows < 0
    kinds[~gone] = place[joined.met.kinds.of_row[rows[~gone]]]
    left, row = part.left, of_rows(part.one, rows).left
    columns = [np.append(left.shown, row.shown)]
    if (left.original != _MISSING).any():
        columns.append(np.append(left.original, row.original))
    if gone.any():
        kind, _ = arrays.alike(columns)
        number = np.full(int(kind.max()) + 1, _MISSING, np.int64)
        number[kind[: len(left.weights)]] = len(part.kind) + np.arange(len(left.weights))
        kinds[gone] = number[kind[len(left.weights) :]]
    assert (kinds >= 0).all()  # noqa: S101 # every row is of a kind that was counted
    return kinds


def with_column(
    release: Release, name: str, labels: Sequence[Label], codes: Codes, *, sensitive: bool = False
) -> Release:
    """Return a release with one more column, all of which must be published: a label for each kind of rows, or -1."""
    table = _table(release)
    hurts = (*table.sensitive, *([name] if sensitive else []))
    assert name not in table.columns  # noqa: S101 # whoever adds it chose the name
    kinds, (records,) = by_kind(table)
    every = {column: of_record[records] for column, of_record in table.columns.items()} | {name: codes}
    wider = _table_of_kinds(table, kinds, every, {**table.labels, name: tuple(labels)}, hurts)
    out = CellsOfKinds(kinds, {name: codes != _MISSING})
    return replace(release, original=wider, must_publish=release.must_publish | out)


def table_of_rows(
    like: Table,
    rows: Mapping[str, Codes],
    labels: Mapping[str, tuple[Label, ...]],
    sensitive: Iterable[str],
) -> Table:
    """Make a table of the codes of each row, with the records of another one."""
    size = len(next(iter(rows.values())))
    columns, first, record = merged_columns(list(rows), rows.values(), labels, size)
    return Table(
        columns=columns,
        labels=dict(labels),
        weights=np.bincount(record, minlength=len(first)).astype(np.int64),
        record_of=record.astype(number_type(len(first))),
        sensitive=tuple(sensitive),
        id=like.id,
        ids=like.ids,
        **like.ruled(rows),
    )


def some_rows(release: Release, rows: Ints) -> Release:
    """Return a release of some of its rows, counted from 0, which keep their names."""
    table = _table(release)
    names = table.ids if table.id is not None else range(1, len(table) + 1)
    like = replace(table, id=table.id or "row", ids=tuple(names[row] for row in rows.tolist()))
    place = np.full(len(table), _MISSING)
    place[rows] = np.arange(len(rows))

    def kept(cells: Cells) -> Cells:
        places = {name: place[cells.positions(name)] for name in cells.columns}
        return Cells.at({name: at[at >= 0] for name, at in places.items()})

    levels = {}
    for name in release.withheld.levels.columns:
        at, level = release.withheld.levels.of(name)
        here = place[at] >= 0
        levels[name] = (place[at][here], level[here])
    return replace(
        release,
        original=table_of_rows(
            like,
            {name: codes[table.record_of[rows]] for name, codes in table.columns.items()},
            table.labels,
            table.sensitive,
        ),
        withheld=Withheld(cells=kept(release.withheld.cells), levels=Levels.at(levels)),
        stated=Withheld(),
        secrets=kept(release.secrets),
        must_publish=kept(release.must_publish),
    )


def _joined(
    now: Release,
    columns: Mapping[str, JoinedColumn],
    changed: Mapping[str, tuple[str, ...]],
    shown: Sequence[Mapping[str, Shown]],
    present: Sequence[Flags],
    met: Met,
) -> JoinedRows:
    table = _table(now)
    sensitive = [*table.sensitive]
    for one in (part.one for part in met.parts):
        for name in sensitive_of(one):
            here = f"{name}@{one.name}" if name in one.changes else name
            sensitive += [] if here in sensitive or here not in columns else [here]
    sensitive += [new for name in table.sensitive for new in changed.get(name, ()) if new not in sensitive]
    original = _table_of_kinds(
        table,
        met.kinds,
        {name: one.truth for name, one in columns.items()},
        {name: tuple(one.labels) for name, one in columns.items()},
        sensitive,
    )
    out = CellsOfKinds(met.kinds, {name: one.before == 0 for name, one in columns.items()})
    release = replace(
        now,
        original=original,
        withheld=_withheld(
            met.kinds, columns, {n: np.minimum(one.now, one.before) for n, one in columns.items()}
        ),
        # The rows of a view are others, and what was chosen by hand is judged on the release now.
        stated=Withheld(),
        secrets=now.secrets - out,
        must_publish=now.must_publish | out,
        sensitivity=_sensitivity(now.sensitivity, changed),
        hierarchies={name: one.hierarchy for name, one in columns.items() if one.hierarchy is not None},
        earlier=(),
    )
    before = _withheld(met.kinds, columns, {name: one.before for name, one in columns.items()})
    return JoinedRows(
        now=now,
        met=met,
        release=release,
        out=replace(release, withheld=before),
        changed=changed,
        shown=tuple(shown),
        present=tuple(present),
        shown_now={name: columns[name].now for name in table.columns},
    )


def _table_of_kinds(
    like: Table,
    kinds: Kinds,
    codes: Mapping[str, Codes],
    labels: Mapping[str, tuple[Label, ...]],
    sensitive: Iterable[str],
) -> Table:
    """Make a table of the codes of each kind, with the records of another one."""
    if kinds.each:
        return table_of_rows(like, codes, labels, sensitive)
    return TableOfKinds.of(kinds, codes, labels, like, sensitive=tuple(sensitive))


def _withheld(kinds: Kinds, columns: Mapping[str, JoinedColumn], levels: Mapping[str, Shown]) -> Withheld:
    """Return what is withheld where values are shown at these levels."""
    there = {name: columns[name].truth != _MISSING for name in levels}
    hidden = {name: there[name] & (level == BLANK) for name, level in levels.items()}
    coarser = {name: np.where(there[name] & (level < BLANK), level, 0) for name, level in levels.items()}
    return Withheld(cells=CellsOfKinds(kinds, hidden), levels=LevelsOfKinds(kinds, coarser))


def _sensitivity(sensitivity: Sensitivity, changed: Mapping[str, tuple[str, ...]]) -> Sensitivity:
    """Weigh the earlier values of a column as those of now."""
    if not changed or sensitivity.is_constant:
        return sensitivity
    if any(name in changed for pairs in sensitivity.pairs.values() for pair in pairs for name in pair):
        raise NothingToJudge(
            "Pairs of entries have weights, and one of their columns changes.",
            hint="leave the pairs out of the sensitivity, or the column out of changes.",
        )

    def with_earlier(weights: Mapping[str, Weight]) -> Iterator[tuple[str, Weight]]:
        for name, weight in weights.items():
            yield name, weight
            yield from ((new, weight) for new in changed.get(name, ()))

    return replace(
        sensitivity,
        columns=dict(with_earlier(sensitivity.columns)),
        cells={record: dict(with_earlier(line)) for record, line in sensitivity.cells.items()},
    )


def sensitive_of(one: Earlier) -> tuple[str, ...]:
    """Return the columns that are sensitive in an earlier release, as far as it says."""
    both = (part for part in (one.shown, one.original) if isinstance(part, Table))
    return tuple(dict.fromkeys(name for part in both for name in part.sensitive))


def _check_rows(one: Earlier, rows: Ints, size: int) -> None:
    table, original = _table_of(one), one.original
    there = rows[rows >= 0]
    if len(rows) != len(table):
        raise DataError(
            f"{one.name} has {len(table):,} rows, and {len(rows):,} are said to be somebody's.",
            hint="give for each of its rows the row of the release now, and 0 for whoever has left.",
            field="rows",
        )
    if len(there) and int(there.max()) >= size:
        raise DataError(
            f"A row of {one.name} is said to be row {int(there.max()) + 1:,} of the release now, which has {size:,}.",
            field="rows",
        )
    several = np.flatnonzero(np.bincount(there, minlength=size) > 1)
    if len(several):
        raise DataError(
            f"{one.name} has several rows that are row {int(several[0]) + 1:,} of the release now.",
            hint="a person has one row in each release: merge them first.",
            field="rows",
        )
    if isinstance(original, Table) and len(original) != len(table):
        raise DataError(
            f"The data of {one.name} have {len(original):,} rows, and its release {len(table):,}.",
            hint="give the data that it was made of, row by row.",
            field="original",
        )


def _table(release: Release) -> Table:
    if not isinstance(release.original, Table) or release.rules is not None:
        raise NothingToJudge(
            "Rows can be joined with those of a table only, and here none are published.",
            hint="leave earlier out, or publish rows.",
        )
    return release.original


def _table_of(one: Earlier) -> Table:
    if not isinstance(one.shown, Table):
        raise NothingToJudge(
            f"{one.name} is not a table, so that its rows cannot be joined with those of a table.",
            hint="give a table, or leave it out.",
        )
    return one.shown
