"""The rows of a release joined with what earlier releases show of the same people: again a release.

The original of the joined rows has the columns of all releases: true values from the data now, else from the data that an
earlier release was made of, else what it shows. Withheld is what no release shows, and what an earlier one shows must be
published: it is out. A column that may change has one more column for each earlier release, as in `age@2025`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, NothingToJudge
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table, number_type
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity, Weight
from giveaway.model.release.withheld import Withheld

Flags = NDArray[np.bool_]
Shown = NDArray[np.int64]
"""For each row the level at which a value is shown, 0 for the value itself, `BLANK` where it is not."""

BLANK = np.iinfo(np.int64).max
"""Above every level: nothing is shown."""

_MISSING = -1
_NAMED = 5
"""How many rows an error names."""


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedRows:
    """The rows of a release now, each with what earlier releases show of the same person.

    Rows stand in the order of the release now and have its names.
    """

    now: Release
    release: Release
    """What all releases show together."""
    out: Release
    """The same rows with nothing but what the earlier releases show of them."""
    changed: Mapping[str, tuple[str, ...]]
    """The columns of earlier values of each column that changes."""
    shown: tuple[Mapping[str, Shown], ...]
    """For each earlier release and each of its columns, as they are called here, at which level it shows the rows."""
    present: tuple[Flags, ...]
    """For each earlier release which rows it has."""
    shown_now: Mapping[str, Shown]
    """At which level the release now shows each of its columns."""

    @cached_property
    def shown_before(self) -> Mapping[str, Shown]:
        """At which level some earlier release shows each column, the finest one."""
        found: dict[str, Shown] = {}
        for one in self.shown:
            for name, levels in one.items():
                found[name] = np.minimum(found[name], levels) if name in found else levels
        return found

    @cached_property
    def out_already(self) -> Cells:
        """The entries that some earlier release shows as they are."""
        return Cells.at({name: np.flatnonzero(levels == 0) for name, levels in self.shown_before.items()})

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
    table = _table(now)
    columns = {name: _Column.of_now(now, name) for name in table.columns}
    shown, present, changed = [], [], dict[str, list[str]]()
    for one, rows in earlier:
        _check_rows(one, rows, len(table))
        found, there = {}, np.zeros(len(table), np.bool_)
        there[rows[rows >= 0]] = True
        for name in _table_of(one).columns:
            here = f"{name}@{one.name}" if name in one.changes else name
            if here != name and name in columns:
                changed.setdefault(name, []).append(here)
            column = columns.setdefault(here, _Column.empty(here, len(table), now.hierarchies.get(name)))
            found[here] = column.add(one, name, rows)
        shown.append(found)
        present.append(there)
    return _joined(now, columns, {name: tuple(new) for name, new in changed.items()}, shown, present, earlier)


def alone(one: Earlier, rows: Ints, joined: JoinedRows) -> Release:
    """Return an earlier release by itself, with all of its rows and the columns of the joined rows.

    Its rows have their names in the release now; those of people who left are called by the earlier release.
    """
    now, table = _table(joined.now), _table(joined.release)
    here = np.flatnonzero(rows >= 0)
    if one.in_order_of_now and not len(
        here
    ):  # its data are told row by row of the release now, and nobody is joined
        one = copy(one)
        object.__setattr__(one, "original", None)
    codes = {name: np.full(len(rows), _MISSING, np.int32) for name in table.columns}
    for name, of_rows in codes.items():
        of_rows[here] = table.columns[name][table.record_of[rows[here]]]
    names = (
        now.record(row) if row >= 0 else f"{one.name}, row {at}" for at, row in enumerate(rows.tolist(), 1)
    )
    like = replace(now, id=now.id or "row", ids=tuple(names))
    base = table_of_rows(like, codes, table.labels, table.sensitive)
    nothing = {name: np.arange(len(rows)) for name in codes}
    hidden = replace(
        joined.release,
        original=base,
        withheld=Withheld(cells=Cells.at(nothing)),
        stated=Withheld(),
        secrets=Cells(),
        must_publish=Cells(),
    )
    return join_rows(hidden, [(one, np.arange(len(rows)))]).out


@dataclass(kw_only=True, eq=False)
class _Column:
    """A column of the joined rows while releases are added to it."""

    name: str
    labels: list[Label]
    truth: Codes
    """The true value of each row, as far as it is known."""
    now: Shown
    before: Shown
    hierarchy: Hierarchy | None

    @classmethod
    def of_now(cls, now: Release, name: str) -> "_Column":
        table = _table(now)
        truth = table.columns[name][table.record_of]
        levels = np.where(truth == _MISSING, BLANK, 0)
        rows, coarser = now.coarser.of(name)
        levels[rows] = coarser
        levels[now.hidden.positions(name)] = BLANK
        return cls(
            name=name,
            labels=list(table.labels[name]),
            truth=truth.copy(),
            now=levels,
            before=np.full(len(table), BLANK),
            hierarchy=now.hierarchies.get(name),
        )

    @classmethod
    def empty(cls, name: str, rows: int, hierarchy: Hierarchy | None) -> "_Column":
        return cls(
            name=name,
            labels=[],
            truth=np.full(rows, _MISSING, np.int32),
            now=np.full(rows, BLANK),
            before=np.full(rows, BLANK),
            hierarchy=hierarchy,
        )

    def add(self, one: Earlier, name: str, rows: Ints) -> Shown:
        """Add what an earlier release shows of the rows, and return at which level it does."""
        table, original = _table_of(one), one.original
        here = rows >= 0
        shown = table.columns[name][table.record_of][here]
        row = rows[here]
        if isinstance(original, Table) and name in original.columns:
            true = original.columns[name][original.record_of][here]
            self._learn(row, true, original.labels[name])
        levels = np.full(len(self.truth), BLANK)
        for code in np.unique(shown[shown != _MISSING]).tolist():
            levels[row[shown == code]] = self._shows(one, row[shown == code], table.labels[name][code])
        self.before = np.minimum(self.before, levels)
        return levels

    def _learn(self, rows: Ints, codes: Codes, labels: Sequence[Label]) -> None:
        """Take over values of rows whose value is not known yet."""
        new = (codes != _MISSING) & (self.truth[rows] == _MISSING)
        if new.any():
            number = np.full(len(labels), _MISSING, np.int32)
            for code in np.unique(codes[new]).tolist():
                number[code] = self._code(labels[code])
            self.truth[rows[new]] = number[codes[new]]

    def _code(self, label: Label) -> int:
        text = str(label)
        for code, known in enumerate(self.labels):
            if str(known) == text:
                return code
        self.labels.append(label)
        return len(self.labels) - 1

    def _shows(self, one: Earlier, rows: Ints, label: Label) -> int:
        """Return the level at which an earlier release shows some rows with a label; refuse what contradicts the truth."""
        text = str(label)
        coarser = [] if self.hierarchy is None else range(1, self.hierarchy.depth + 1)
        value = next((code for code, known in enumerate(self.labels) if str(known) == text), None)
        level = 0
        if value is None and self.hierarchy is not None:
            groups = (at for at in coarser if text in map(str, self.hierarchy.groups(at)))
            level = next(groups, 0)
        if level == 0:
            unknown = rows[self.truth[rows] == _MISSING]
            if len(unknown):
                self.truth[unknown] = self._code(label)
            agrees = self.truth[rows] == self._code(label)
        else:
            assert self.hierarchy is not None  # noqa: S101 # it has the level
            texts = [*(str(self.hierarchy.label(known, level)) for known in self.labels), None]
            fits = np.array([known == text for known in texts])
            agrees = fits[self.truth[rows]]
        if not agrees.all():
            self._refuse(one, rows[~agrees], label)
        return level

    def _refuse(self, one: Earlier, rows: Ints, label: Label) -> None:
        first = ", ".join(str(row + 1) for row in rows[:_NAMED].tolist())
        more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
        true = self.truth[rows[0]]
        value = "nothing" if true == _MISSING else repr(str(self.labels[true]))
        name = self.name.removesuffix(f"@{one.name}")
        raise DataError(
            f'{one.name} shows {str(label)!r} in the column "{name}" where the data now have {value}: row {first}{more}.',
            hint=f'changes = ["{name}"] says that its values may differ; coarser labels need the same hierarchy in both.',
            field="changes",
        )


def with_column(release: Release, name: str, labels: Sequence[Label], codes: Codes) -> Release:
    """Return a release with one more column, all of which must be published: a label for each row, or -1."""
    table = _table(release)
    assert name not in table.columns  # noqa: S101 # whoever adds it chose the name
    rows = {column: table.columns[column][table.record_of] for column in table.columns}
    made = table_of_rows(
        table, rows | {name: codes.astype(np.int32)}, {**table.labels, name: tuple(labels)}, table.sensitive
    )
    return replace(
        release,
        original=made,
        must_publish=release.must_publish | Cells.at({name: np.flatnonzero(codes != _MISSING)}),
    )


def table_of_rows(
    like: Table,
    rows: Mapping[str, Codes],
    labels: Mapping[str, tuple[Label, ...]],
    sensitive: Iterable[str],
) -> Table:
    """Make a table of the codes of each row, with the records of another one."""
    names = list(rows)
    matrix = np.stack([rows[name] for name in names], axis=1).astype(np.int32)
    first, record = arrays.distinct(matrix, [len(labels[name]) for name in names])
    return Table(
        columns={name: np.ascontiguousarray(matrix[first, place]) for place, name in enumerate(names)},
        labels=dict(labels),
        weights=np.bincount(record, minlength=len(first)).astype(np.int64),
        record_of=record.astype(number_type(len(first))),
        sensitive=tuple(sensitive),
        id=like.id,
        ids=like.ids,
        classes={name: made for name, made in like.classes.items() if name in rows},
        ladders={name: made for name, made in like.ladders.items() if name in rows},
    )


def some_rows(release: Release, rows: Ints) -> Release:
    """Return a release of some of its rows, counted from 0, which keep their names."""
    table = _table(release)
    names = table.ids if table.id is not None else range(1, len(table) + 1)
    like = replace(table, id=table.id or "row", ids=tuple(names[row] for row in rows.tolist()))
    place = np.full(len(table), _MISSING)
    place[rows] = np.arange(len(rows))

    def kept(cells: Cells) -> Cells:
        found = {name: place[cells.positions(name)] for name in cells.columns}
        return Cells.at({name: at[at >= 0] for name, at in found.items()})

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
    columns: Mapping[str, _Column],
    changed: Mapping[str, tuple[str, ...]],
    shown: Sequence[Mapping[str, Shown]],
    present: Sequence[Flags],
    earlier: Sequence[tuple[Earlier, Ints]],
) -> JoinedRows:
    table = _table(now)
    sensitive = [*table.sensitive]
    for one, _ in earlier:
        for name in _sensitive(one):
            here = f"{name}@{one.name}" if name in one.changes else name
            sensitive += [] if here in sensitive or here not in columns else [here]
    sensitive += [new for name in table.sensitive for new in changed.get(name, ()) if new not in sensitive]
    original = table_of_rows(
        table,
        {name: one.truth for name, one in columns.items()},
        {name: tuple(one.labels) for name, one in columns.items()},
        sensitive,
    )
    out = Cells.at({name: np.flatnonzero(one.before == 0) for name, one in columns.items()})
    release = replace(
        now,
        original=original,
        withheld=_withheld(
            {name: np.minimum(one.now, one.before) for name, one in columns.items()}, original
        ),
        # The rows of a view are others, and what was chosen by hand is judged on the release now.
        stated=Withheld(),
        secrets=now.secrets - out,
        must_publish=now.must_publish | out,
        sensitivity=_sensitivity(now.sensitivity, changed),
        hierarchies={name: one.hierarchy for name, one in columns.items() if one.hierarchy is not None},
        earlier=(),
    )
    before = _withheld({name: one.before for name, one in columns.items()}, original)
    return JoinedRows(
        now=now,
        release=release,
        out=replace(release, withheld=before),
        changed=changed,
        shown=tuple(shown),
        present=tuple(present),
        shown_now={name: columns[name].now for name in table.columns},
    )


def _withheld(levels: Mapping[str, Shown], table: Table) -> Withheld:
    """Return what is withheld where values are shown at these levels."""
    cells, coarser = {}, {}
    for name, level in levels.items():
        there = table.columns[name][table.record_of] != _MISSING
        cells[name] = np.flatnonzero(there & (level == BLANK))
        rows = np.flatnonzero(there & (level > 0) & (level < BLANK))
        coarser[name] = (rows, level[rows])
    return Withheld(cells=Cells.at(cells), levels=Levels.at(coarser))


def _sensitivity(said: Sensitivity, changed: Mapping[str, tuple[str, ...]]) -> Sensitivity:
    """Weigh the earlier values of a column as those of now."""
    if not changed or said.is_constant:
        return said
    if any(name in changed for pairs in said.pairs.values() for pair in pairs for name in pair):
        raise NothingToJudge(
            "Pairs of entries have weights, and one of their columns changes.",
            hint="leave the pairs out of the sensitivity, or the column out of changes.",
        )

    def with_earlier(weights: Mapping[str, Weight]) -> Iterator[tuple[str, Weight]]:
        for name, weight in weights.items():
            yield name, weight
            yield from ((new, weight) for new in changed.get(name, ()))

    return replace(
        said,
        columns=dict(with_earlier(said.columns)),
        cells={record: dict(with_earlier(line)) for record, line in said.cells.items()},
    )


def _sensitive(one: Earlier) -> tuple[str, ...]:
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
