"""Whose rows the rows of earlier releases are, equal ones together: found here row by row, or counted by an engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.taken_rows import TakenRows
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release, table_of

Shown = NDArray[np.int64]
"""For each kind of rows the level at which a value is shown, 0 for the value itself, `BLANK` where it is not."""

BLANK = np.iinfo(np.int64).max
"""Above every level: nothing is shown."""

_MISSING = -1
_AS_IT_IS = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsOfWhoLeft:
    """Rows of an earlier release of people who are not in the one now, equal ones together."""

    shown: Ints
    original: Ints
    weights: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class EarlierPart:
    """What one earlier release has of the rows now."""

    one: Earlier
    kind: Ints
    """The kinds of rows now that it has."""
    shown: Ints
    """The record there of each of them."""
    truth: Table | None
    """Its data, where they are known."""
    original: Ints
    """The record of each of these kinds in its data, -1 where they lack it."""
    left: RowsOfWhoLeft

    @property
    def people_left(self) -> int:
        """How many have left."""
        return int(self.left.weights.sum())

    def true_codes(self, name: str) -> Codes | None:
        """Return the true values of these kinds in a column of its data; None where they are not known."""
        if self.truth is None or name not in self.truth.columns:
            return None
        return np.append(self.truth.columns[name], np.int32(_MISSING))[self.original]


@dataclass(frozen=True, kw_only=True, eq=False)
class Met:
    """The rows of a release, those of one kind together: they are the same in it and in every earlier release."""

    kinds: Kinds
    record: Ints
    """The record of each kind in the data now."""
    levels: Mapping[str, Shown]
    """At which level the release now shows each kind in columns that it does not show as they are."""
    parts: tuple[EarlierPart, ...]

    def shown_now(self, name: str, truth: Codes) -> Shown:
        """Return at which level the release now shows each kind in a column."""
        as_it_is = np.where(truth == _MISSING, BLANK, 0)
        stated = self.levels.get(name)
        return as_it_is if stated is None else np.where(stated == _AS_IT_IS, as_it_is, stated)


def row_by_row(now: Release, pairs: Sequence[tuple[Earlier, Ints]]) -> Met:
    """Take every row of a release as a kind of its own."""
    table = table_of(now)
    return Met(
        kinds=Kinds.of_each(len(table)),
        record=table.record_of.astype(np.int64),
        levels=_levels(now, len(table)),
        parts=tuple(of_rows(one, rows) for one, rows in pairs),
    )


def of_rows(one: Earlier, rows: Ints) -> EarlierPart:
    """Return what an earlier release has of the rows now, given the row now of each of its rows, or -1."""
    shown, truth = one.shown, one.original if isinstance(one.original, Table) else None
    assert isinstance(shown, Table)  # noqa: S101 # rows of tables are joined
    here, gone = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
    original = np.full(len(rows), _MISSING) if truth is None else truth.record_of.astype(np.int64)
    return EarlierPart(
        one=one,
        kind=rows[here],
        shown=shown.record_of[here].astype(np.int64),
        truth=truth,
        original=original[here],
        left=RowsOfWhoLeft(
            shown=shown.record_of[gone].astype(np.int64),
            original=original[gone],
            weights=np.ones(len(gone), np.int64),
        ),
    )


def merged(now: Release, pairs: Sequence[tuple[Earlier, Ints]]) -> Met:
    """Put rows together that are the same in a release and in every earlier one."""
    every = row_by_row(now, pairs)
    size = len(every.kinds)
    columns = [
        every.record,
        *(np.unique(level, return_inverse=True)[1].reshape(-1) for level in every.levels.values()),
    ]
    for part in every.parts:
        columns += [_at(size, part.kind, of_kind) for of_kind in (part.shown, part.original)]
    first, group = _distinct(columns)
    parts = []
    for part in every.parts:
        there = _at(size, part.kind, np.arange(len(part.kind)))[first]
        has = there >= 0
        parts.append(
            EarlierPart(
                one=part.one,
                kind=np.flatnonzero(has),
                shown=part.shown[there[has]],
                truth=part.truth,
                original=part.original[there[has]],
                left=_merged_left(part.left),
            )
        )
    return Met(
        kinds=Kinds(np.bincount(group, minlength=len(first)).astype(np.int64), lambda: group),
        record=every.record[first],
        levels={name: level[first] for name, level in every.levels.items()},
        parts=tuple(parts),
    )


def _merged_left(left: RowsOfWhoLeft) -> RowsOfWhoLeft:
    if not len(left.weights):
        return left
    first, group = _distinct([left.shown, left.original])
    return RowsOfWhoLeft(
        shown=left.shown[first],
        original=left.original[first],
        weights=np.bincount(group, minlength=len(first)).astype(np.int64),
    )


def counted_there(now: Release, earlier: Sequence[Earlier]) -> Met | None:
    """Let the engine that holds the data now join and count the rows; None where they are joined here.

    So they are where entries of single rows are withheld now, or where something else than an id says whose rows they are.
    """
    table = now.original
    if not isinstance(table, Table) or now.hidden or now.coarser:
        return None
    tables, known = [], []
    for one in earlier:
        shown, truth = one.shown, one.original
        if one.rows is not None or not isinstance(shown, Table) or shown.id is None or table.id is None:
            return None
        if truth is not None and not isinstance(truth, TakenRows):
            return None
        tables.append(shown)
        known.append(None if truth is None else truth.base)
    also = [base for base in known if base is not None]

    def ask() -> Met | None:
        counted = table.counted_with(also, tables)
        if counted is None:
            return None
        bases, unknown = iter(counted.also), np.full(len(counted.now), _MISSING)
        originals = [unknown if base is None else next(bases) for base in known]
        columns = [counted.now]
        for shown, original in zip(counted.earlier, originals, strict=True):
            # Its data are told of those whom it has.
            columns += [shown, np.where(shown < 0, _MISSING, original)]
        first, group = _distinct(columns)
        weights = arrays.added(group, counted.weights, len(first))
        parts = tuple(
            _of_records(one, base, shown[first], original[first], weights)
            for one, base, shown, original in zip(earlier, known, counted.earlier, originals, strict=True)
        )
        if any((part.left.weights < 0).any() for part in parts):
            raise counted.changed()
        kinds = Kinds(weights, lambda: _kind_of_each_row(now, met, counted.changed))
        met = Met(kinds=kinds, record=counted.now[first], levels={}, parts=parts)
        return met

    return table.remember(f"counted with {[one.name for one in earlier]}", tuple(earlier), ask)


def who_changed(now: Release, one: Earlier) -> tuple[int, int] | None:
    """Count who joined since an earlier release, and who left; None where nobody says whose rows they are."""
    met = counted_there(now, [one])
    if met is not None:
        (part,) = met.parts
        return len(now.original) - int(met.kinds.weights[part.kind].sum()), part.people_left
    rows = one.row_now(now)[0]
    if rows is None:
        return None
    both = int((rows >= 0).sum())
    return len(now.original) - both, len(rows) - both


def _of_records(
    one: Earlier, truth: Table | None, records: Ints, original: Ints, weights: Ints
) -> EarlierPart:
    shown = one.shown
    assert isinstance(shown, Table)  # noqa: S101 # asked of tables
    here = np.flatnonzero(records >= 0)
    gone = shown.weights.astype(np.int64).copy()
    np.subtract.at(gone, records[here], weights[here])
    left = np.flatnonzero(gone)
    return EarlierPart(
        one=one,
        kind=here,
        shown=records[here],
        truth=truth,
        original=original[here],
        left=RowsOfWhoLeft(shown=left, original=np.full(len(left), _MISSING), weights=gone[left]),
    )


def _kind_of_each_row(now: Release, met: Met, changed: Callable[[], DataError]) -> Ints:
    """Find the kind of each row, row by row, among those that an engine has counted."""
    table = table_of(now)
    rows, kinds = [table.record_of.astype(np.int64)], [met.record]
    for part in met.parts:
        joined, _ = part.one.row_now(now)
        shown = part.one.shown
        assert joined is not None and isinstance(shown, Table)  # noqa: S101, PT018 # they have ids
        here = joined >= 0
        rows.append(_at(len(table), joined[here], shown.record_of[here]))
        kinds.append(_at(len(met.kinds), part.kind, part.shown))
        if part.truth is not None:
            rows.append(np.where(rows[-1] < 0, _MISSING, part.truth.record_of))
            kinds.append(_at(len(met.kinds), part.kind, part.original))
    _, group = _distinct([np.concatenate(pair) for pair in zip(kinds, rows, strict=True)])
    count = len(met.kinds)
    place = np.full(int(group.max(initial=-1)) + 1, _MISSING, np.int64)
    place[group[:count]] = np.arange(count)
    kind_of = place[group[count:]]
    if (kind_of < 0).any() or not np.array_equal(np.bincount(kind_of, minlength=count), met.kinds.weights):
        raise changed()
    return kind_of


def _at(size: int, places: Ints, numbers: NDArray[np.signedinteger[Any]]) -> Ints:
    """Put numbers at places, and -1 at all others."""
    placed = np.full(size, _MISSING, np.int64)
    placed[places] = numbers
    return placed


def _levels(now: Release, rows: int) -> dict[str, Shown]:
    """Return at which level each row is shown, in columns that are not shown as they are; -1 for values as they are."""
    hidden, coarser = now.hidden, now.coarser
    levels = {}
    for name in dict.fromkeys((*hidden.columns, *coarser.columns)):
        level = np.full(rows, _AS_IT_IS, np.int64)
        at, wanted = coarser.of(name)
        level[at] = wanted
        level[hidden.positions(name)] = BLANK
        levels[name] = level
    return levels


def _distinct(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return the first row of each kind of equal rows of numbers from -1 on, and the kind of each row."""
    matrix = np.stack(columns, axis=1).astype(np.int32)
    return arrays.distinct(matrix, [int(codes.max(initial=-1)) + 1 for codes in columns])


_NAMED = 5
"""How many rows an error names."""


@dataclass(kw_only=True, eq=False)
class JoinedColumn:
    """A column of the joined rows while releases are added to it."""

    name: str
    labels: list[Label]
    truth: Codes
    """The true value of each row, as far as it is known."""
    now: Shown
    before: Shown
    hierarchy: Hierarchy | None

    @classmethod
    def of_now(cls, now: Release, name: str, met: Met) -> "JoinedColumn":
        """Begin with what the release now shows."""
        table = table_of(now)
        truth = table.columns[name][met.record]
        return cls(
            name=name,
            labels=list(table.labels[name]),
            truth=truth.copy(),
            now=met.shown_now(name, truth),
            before=np.full(len(truth), BLANK),
            hierarchy=now.hierarchies.get(name),
        )

    @classmethod
    def empty(cls, name: str, kinds: int, hierarchy: Hierarchy | None) -> "JoinedColumn":
        """Begin with nothing."""
        return cls(
            name=name,
            labels=[],
            truth=np.full(kinds, _MISSING, np.int32),
            now=np.full(kinds, BLANK),
            before=np.full(kinds, BLANK),
            hierarchy=hierarchy,
        )

    def add(self, part: EarlierPart, name: str, kinds: Kinds) -> Shown:
        """Add what an earlier release shows of kinds of rows, and return at which level it does."""
        table = part.one.shown
        assert isinstance(table, Table)  # noqa: S101 # rows of tables are joined
        true = part.true_codes(name)
        if true is not None and part.truth is not None:
            self._learn(part.kind, true, part.truth.labels[name])
        shown = table.columns[name][part.shown]
        levels = np.full(len(self.truth), BLANK)
        order = np.argsort(shown, kind="stable")
        codes, begins = np.unique(shown[order], return_index=True)
        ends = np.append(begins[1:], len(shown))
        for code, begin, end in zip(codes.tolist(), begins.tolist(), ends.tolist(), strict=False):
            if code != _MISSING:  # of nobody there is no code
                chosen = part.kind[order[begin:end]]
                levels[chosen] = self._shows(part.one, chosen, table.labels[name][code], kinds)
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
        code = self._known.setdefault(str(label), len(self.labels))
        if code == len(self.labels):
            self.labels.append(label)
        return code

    @cached_property
    def _known(self) -> dict[str, int]:
        """The code of each label by its text, the first of those that read the same."""
        return {str(label): code for code, label in reversed([*enumerate(self.labels)])}

    def _shows(self, one: Earlier, rows: Ints, label: Label, kinds: Kinds) -> int:
        """Return the level at which an earlier release shows some rows with a label; refuse what contradicts the truth."""
        text = str(label)
        coarser = [] if self.hierarchy is None else range(1, self.hierarchy.depth + 1)
        level = 0
        if text not in self._known and self.hierarchy is not None:
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
            self._refuse(one, rows[~agrees], label, kinds)
        return level

    def _refuse(self, one: Earlier, wrong: Ints, label: Label, kinds: Kinds) -> None:
        rows = np.flatnonzero(np.isin(kinds.of_row, wrong))
        first = ", ".join(str(row + 1) for row in rows[:_NAMED].tolist())
        more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
        true = self.truth[kinds.of_row[rows[0]]]
        value = "nothing" if true == _MISSING else repr(str(self.labels[true]))
        name = self.name.removesuffix(f"@{one.name}")
        raise DataError(
            f'{one.name} shows {str(label)!r} in the column "{name}" where the data now have {value}: row {first}{more}.',
            hint=f'changes = ["{name}"] says that its values may differ; coarser labels need the same hierarchy in both, and an '
            "id must not have been given to somebody else.",
            field="changes",
        )
