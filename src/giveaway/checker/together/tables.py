"""The rows of a written table joined with those of earlier ones: what all of them show of each person, again a release."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from giveaway.checker.check import ReadBack
from giveaway.checker.files.coarser_labels import spellings
from giveaway.checker.files.tables import HIDDEN, Codes, ReleasedTable, as_shown, written_rows
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import Texts, read_table
from giveaway.checker.together.whenever import AtSomeTime, Held, at_some_time, meant
from giveaway.checker.together.written import Some, WrittenNow
from giveaway.model.data.arrays import Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

T = TypeVar("T")
Depths = dict[str, list[int | None]]
"""For each column the level at which each row is shown, 0 for the value itself, None where nothing is."""

_LOOK = "@look@"
"""Between the name of a column and that of a file, in the name of a column that says how the file shows it; with no name of a
column, whether the file has the row at all."""

_EVER = "@ever@"
"""After the name of a column, in that of what it was at some time."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenTables:
    """A written table, with everybody in the order of its original."""

    written: WrittenNow

    @cached_property
    def table(self) -> Table:
        """The original."""
        table = self.written.release.original
        assert isinstance(table, Table)  # noqa: S101 # asked of tables
        return table

    @cached_property
    def truth(self) -> Texts:
        """The true values."""
        table = self.table
        codes = {name: table.columns[name][table.record_of].tolist() for name in table.columns}
        return {name: _texts(table.labels[name], codes[name]) for name in table.columns}

    @cached_property
    def shown(self) -> Texts:
        """What the file shows of everybody."""
        written, table = self.written, self.table
        in_order = self._in_order()
        spelled = spellings(written.release, table)
        texts: Texts = {}
        for at, name in enumerate(table.columns):
            labels = spelled[name].labels if name in spelled else table.labels[name]
            texts[name] = _texts(labels, in_order[:, at].tolist())
        return texts

    def _in_order(self) -> Codes:
        """Return the codes of what is shown, in the order of the original."""
        written, table, rows = self.written, self.table, np.arange(len(self.table))
        if not isinstance(written.file, Path):
            # A table has no order. That its rows are those of the original minus what is withheld was compared.
            return as_shown(table, written.release, spellings(written.release, table), rows)
        codes = written_rows(written.file, written.release, table)
        if len(codes) != len(table):
            raise disagree(f"{written.file.name} does not have the rows of the original.")
        in_order = np.empty_like(codes)
        in_order[rows if written.order is None else written.order] = codes
        return in_order

    def called(self, name: str, one: Earlier) -> str:
        """Return the name of an earlier release's column next to those of now."""
        return f"{name}@{one.name}" if name in one.changes else name

    def hierarchy(self, name: str, earlier: Some) -> Hierarchy | None:
        """Return the coarser labels of a column, which an earlier value of it has too."""
        of = {self.called(column, one): column for one in earlier for column in one.changes}
        return self.written.release.hierarchies.get(of.get(name, name))


def _texts(labels: Sequence[object], codes: Sequence[int]) -> list[str | None]:
    written = [*map(str, labels), None]
    return [written[code] for code in codes]


class Joined:
    """The rows of a table joined with those of some earlier releases.

    `taken` has what some of these are taken to show of everybody, in the order of the table, where nobody says whose rows
    they hold.
    """

    def __init__(
        self, tables: WrittenTables, earlier: Some, taken: Mapping[str, Texts] | None = None
    ) -> None:
        self.tables, self.earlier, self._taken = tables, earlier, taken or {}
        self.size = len(tables.table)
        self.truth: Texts = {name: texts.copy() for name, texts in tables.truth.items()}
        self.now: Depths = {}
        self.before: Depths = {}
        """At which level the release now shows everybody, and at which some earlier one does."""
        self.looks: Texts = {}
        changed = {f"{name}@{one.name}": name for one in earlier for name in one.changes}
        self.sensitive = {*tables.table.sensitive}
        self.sensitive |= {name for name, of in changed.items() if of in self.sensitive}
        self.everybody_stays = True
        self._in_file: dict[str, Depths] = {}
        """At which level each earlier file shows its columns."""
        self._present: dict[str, set[int]] = {}
        """Who is in each earlier file."""
        self._blank: dict[str, list[bool]] = {}
        """Who has a row in an earlier file that does not show a column of them, so that they may have any value there."""
        for one in earlier:
            self._lay(one)
        for name, texts in tables.shown.items():
            self.now[name] = self._levels(name, texts, "the release")
            self.looks[f"{name}{_LOOK}"] = _look(self.now[name])

    def _lay(self, one: Earlier) -> None:
        """Lay what an earlier release shows onto the rows of the same people; it must be true of them."""
        taken = self._taken.get(one.name)
        rows = np.arange(self.size) if taken is not None else self.tables.written.rows_now(one)
        there = rows >= 0
        present = self._present[one.name] = {*rows[there].tolist()}
        if len(present) < self.size:
            self.looks[f"{_LOOK}{one.name}"] = ["yes" if row in present else "no" for row in range(self.size)]
        self.everybody_stays &= bool(there.all()) and len(present) == self.size
        for name, texts in (read_table(one) if taken is None else taken).items():
            if len(texts) != len(rows):
                raise disagree(f"The file of {one.name} does not have the rows that are said to be joined.")
            here = self.tables.called(name, one)
            placed: list[str | None] = [None] * self.size
            for row, text in zip(rows.tolist(), texts, strict=True):
                if row >= 0:
                    placed[row] = text
            known = None if taken is not None else rows
            truth = self.truth.setdefault(here, known_values(one, name, known, self.size))
            if self.tables.hierarchy(here, self.earlier) is None:
                truth[:] = [text if own is None else own for own, text in zip(truth, placed, strict=True)]
            levels = self._levels(here, placed, one.name)
            self._leave_blank(one, name, here, known, {row for row in present if levels[row] is None})
            self.looks[f"{here}{_LOOK}{one.name}"] = _look(levels)
            self._in_file.setdefault(one.name, {})[here] = levels
            before = self.before.setdefault(here, [None] * self.size)
            before[:] = map(_finer, before, levels)

    def add_what_may_have_decided(self, known: Collection[str]) -> None:
        """Let rows look different by all that is seen of a file's columns, where it leaves out some of what is known.

        What it left out may have been chosen by any of its columns that is not sensitive.
        """
        for one in self.earlier:
            levels = self._in_file[one.name]
            tables = [of for of in (one.shown, one.original) if isinstance(of, Table)]
            sensitive = {
                self.tables.called(name, one) for of in tables for name in of.sensitive
            } | self.sensitive
            others = [name for name in levels if name not in known and name not in sensitive]
            seen = {
                name: map(_finer, self.before[name], self.now.get(name, self.before[name])) for name in others
            }
            texts = {
                name: [
                    None if level is None else own
                    for own, level in zip(self.truth[name], finest, strict=True)
                ]
                for name, finest in seen.items()
            }
            left_out = [
                row in self._present[one.name]
                and any(levels[name][row] != 0 for name in known if name in levels)
                for row in range(self.size)
            ]
            if others and any(left_out):
                self.looks[f"{_LOOK}{one.name}{_LOOK}"] = [
                    repr([texts[name][row] for name in others]) if left_out[row] else ""
                    for row in range(self.size)
                ]

    def _leave_blank(self, one: Earlier, name: str, here: str, rows: Ints | None, blank: set[int]) -> None:
        """Note whose value an earlier file does not show, leaving out those who are known to have none."""
        if isinstance(one.original, Table) and name in one.original.columns:
            own = known_values(one, name, rows, self.size)
            blank = {row for row in blank if own[row] is not None}
        marks = self._blank.setdefault(here, [False] * self.size)
        marks[:] = [mark or row in blank for row, mark in enumerate(marks)]

    def changing(self, known: Collection[str]) -> dict[str, list[str]]:
        """Return the sensitive columns that change and are not known, each with the columns of all its values."""
        changing = {}
        for base in dict.fromkeys(name for one in self.earlier for name in one.changes):
            every = [base, *(f"{base}@{one.name}" for one in self.earlier if base in one.changes)]
            there = [name for name in every if name in self.truth]
            if len(there) > 1 and {*there} & self.sensitive and not {*there} & {*known}:
                changing[base] = there
        return changing

    def _at_some_time(self, known: Collection[str], *, before: bool) -> dict[str, AtSomeTime]:
        release, columns_ever = self.tables.written.release, {}
        for base, columns in self.changing(known).items():
            values = {text for name in columns for text in self.truth[name] if text is not None}
            rows = [self._held(columns, row, values, before=False) for row in range(self.size)]
            then = [self._held(columns, row, values, before=True) for row in range(self.size)]
            if before:
                rows, then = then, rows
            columns_ever[f"{base}{_EVER}"] = at_some_time(release, base, values, rows, then)
        return columns_ever

    def _held(self, columns: Sequence[str], row: int, values: Collection[str], *, before: bool) -> list[Held]:
        """Return what somebody may have had by each column: what a file shows, and anything where one hides it."""
        held = []
        for name in columns:
            own, nothing = self.truth[name][row], [None] * self.size
            level = self.before.get(name, nothing)[row]
            if not before and name in self.now:
                level = _finer(level, self.now[name][row])
            hidden = self._blank.get(name, nothing)[row] or (
                not before and name in self.now and own is not None
            )
            if level is not None and own is not None:
                held.append(meant(own, level, values, self.tables.hierarchy(name, self.earlier)))
            elif hidden:
                held.append(frozenset(values))
        return held

    def _levels(self, name: str, texts: Sequence[str | None], who: str) -> list[int | None]:
        """Return the level at which each row is shown; what is shown must be true."""
        hierarchy = self.tables.hierarchy(name, self.earlier)
        of = {} if hierarchy is None else {str(value): labels for value, labels in hierarchy.of.items()}
        known: dict[tuple[str | None, str], int] = {}
        levels: list[int | None] = []
        for own, text in zip(self.truth[name], texts, strict=True):
            if text is None:
                levels.append(None)
                continue
            if (own, text) not in known:
                labels = [own, *map(str, of.get(own or "", ()))]
                if text not in labels:
                    if own is None:
                        raise unconfirmed(f"Whose {name} {who} shows as a coarser label is not known.")
                    raise disagree(
                        f"{who} shows a value of {name} that is not true of the person it is joined with."
                    )
                known[own, text] = labels.index(text)
            levels.append(known[own, text])
        return levels

    def opened(
        self, secrets: Cells | None = None, *, known: Collection[str] | None = None, before: bool = False
    ) -> ReadBack:
        """Return the joined rows as a release, of which only some secrets may still be hidden.

        To somebody who knows some columns they tell what others were at some time, too. With `before` they show nothing but
        what the earlier releases show of them.
        """
        nothing: list[int | None] = [None] * self.size
        levels, looks = {name: self.before.get(name, nothing) for name in self.truth}, self.looks
        if before:
            looks = {name: texts for name, texts in looks.items() if not name.endswith(_LOOK)}
        else:
            levels = {name: list(map(_finer, self.now.get(name, nothing), of)) for name, of in levels.items()}
        release = self.tables.written.release
        if secrets is not None:
            release = replace(release, secrets=secrets)
        times = {} if known is None else self._at_some_time(known, before=before)
        return as_release(release, self.truth, levels, self.earlier, looks, times=times, same_people=True)

    def shows_more_of(self, rows: Sequence[int], columns: Sequence[str]) -> bool:
        """Tell whether the release now shows more of some rows than the earlier ones do."""
        for name in columns:
            before = self.before.get(name, [None] * self.size)
            now = self.now.get(name, before)
            if any(_finer(before[row], now[row]) != before[row] for row in rows):
                return True
        return False


def _look(levels: Sequence[int | None]) -> list[str | None]:
    """Say of each row whether a file shows a column of it, and how coarse."""
    return ["blank" if level is None else str(level) for level in levels]


def _finer(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def known_values(one: Earlier, name: str, rows: Ints | None, size: int) -> list[str | None]:
    """Return the true values of a column that only an earlier release shows, as far as its data tell them."""
    values: list[str | None] = [None] * size
    original = one.original
    if isinstance(original, Table) and name in original.columns:
        codes = original.columns[name][original.record_of].tolist()
        if rows is None and not (one.in_order_of_now and len(codes) == size):
            return values
        places = range(size) if rows is None else rows.tolist()
        for row, text in zip(places, _texts(original.labels[name], codes), strict=True):
            if row >= 0:
                values[row] = text
    return values


def as_release(
    release: Release,
    truth: Texts,
    levels: Depths,
    earlier: Some,
    looks: Texts | None = None,
    *,
    times: Mapping[str, AtSomeTime] = MappingProxyType({}),
    same_people: bool = False,
) -> ReadBack:
    """Make a release of rows whose values are known, and of what is shown of them.

    The rows have names where they are of the same people as the release, in their order.
    """
    table, looks = release.original, looks or {}
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    texts = truth | looks | {name: [*one.texts] for name, one in times.items()}
    names = tuple(texts)
    size = len(next(iter(texts.values())))
    labels = {name: tuple(sorted({text for text in texts[name] if text is not None})) for name in names}
    labels |= {name: tuple(sorted(one.labels)) for name, one in times.items()}
    code = {name: {text: at for at, text in enumerate(labels[name])} | {None: HIDDEN} for name in names}
    full = np.array([[code[name][text] for text in texts[name]] for name in names], np.int32).T
    distinct, record = np.unique(full, axis=0, return_inverse=True)
    record = record.reshape(-1)
    of = {f"{name}@{one.name}": name for one in earlier for name in one.changes}
    joined = Table(
        columns={name: np.ascontiguousarray(distinct[:, at]) for at, name in enumerate(names)},
        labels=labels,
        weights=np.bincount(record, minlength=len(distinct)).astype(np.int64),
        record_of=record,
        sensitive=tuple(name for name in names if of.get(name, name) in table.sensitive or name in times),
        id=table.id if same_people else None,
        ids=table.ids if same_people else (),
        classes={name: classes for name, classes in table.classes.items() if name in names},
    )
    hidden, coarser = {}, {}
    for name, depths in levels.items():
        own = full[:, names.index(name)] != HIDDEN
        depth = np.array([HIDDEN if level is None else level for level in depths], np.int64)
        hidden[name] = np.flatnonzero(own & (depth == HIDDEN))
        coarser[name] = (np.flatnonzero(depth > 0), depth[depth > 0])
    sensitivity = release.sensitivity
    if sensitivity.records and not sensitivity.columns:
        sensitivity = replace(sensitivity, columns=dict.fromkeys(truth, 1))  # how rows look weighs nothing
    together = replace(
        release,
        original=joined,
        sensitivity=sensitivity,
        withheld=Withheld(cells=Cells.at(hidden) - release.secrets, levels=Levels.at(coarser)),
        stated=Withheld(),  # what an earlier release shows is not withheld, whatever was asked for
        must_publish=Cells(),
        sensitive_classes={**release.sensitive_classes, **{name: one.classes for name, one in times.items()}},
        hierarchies={
            name: release.hierarchies[of.get(name, name)]
            for name in truth
            if of.get(name, name) in release.hierarchies
        },
        earlier=(),
    )
    spelled = spellings(together, joined)
    seen = as_shown(joined, together, spelled, np.arange(size))
    lines, counts = np.unique(seen, axis=0, return_counts=True)
    content = ReleasedTable(columns=names, codes=lines, counts=counts.astype(np.int64), spelled=spelled)
    return ReadBack(form="rows", content=content, release=together, codes=None)


# Who joined and who left ----------------------------------------------------------------------------------------


def apart(tables: WrittenTables, one: Earlier) -> Iterator[ReadBack]:
    """Give the rows of those who are in one release alone, as releases of their own: they may be told from the others."""
    rows, release = tables.written.rows_now(one), tables.written.release
    stayed = {*rows.tolist()}
    joined = [row for row in range(len(tables.table)) if row not in stayed]
    left = np.flatnonzero(rows < 0).tolist()
    if not joined and not left:
        return
    if not release.sensitivity.is_constant or release.secrets:
        raise unconfirmed(f"Who joined or left since {one.name} is not checked with secrets or weights.")
    everybody = Joined(tables, ())
    if joined:
        truth, levels = _some(everybody.truth, joined), _some(everybody.now, joined)
        yield as_release(release, truth, levels, (one,))
    if left:
        then = _some(read_table(one), left)
        whole = {name: [None if text is None else 0 for text in texts] for name, texts in then.items()}
        yield as_release(release, then, whole, (one,))


def _some(columns: Mapping[str, Sequence[T]], rows: Sequence[int]) -> dict[str, list[T]]:
    return {name: [of_rows[row] for row in rows] for name, of_rows in columns.items()}


# Who looks at them ----------------------------------------------------------------------------------------------


def knowing(promise: Promise, opened: ReadBack, earlier: Some, *, looks: bool = False) -> Promise | None:
    """Return the promise against the same attacker, who also knows the earlier values of columns that change.

    With `looks` it is seen who is in which file; and by somebody who knows the method also what each file shows of whom,
    because each was planned by what the people have. None where nothing that is known can be seen.
    """
    attacker = dict(promise.with_earlier or promise.attacker)
    table = opened.table
    own = [name for name in table.columns if _LOOK not in name]
    known = known_columns(compared(attacker, own, table.sensitive), own, earlier)
    if not known:
        return None
    beside: list[str] = []
    if looks:
        seen = known if attacker["knows_method"] else ()
        beside = [name for name in table.columns if _LOOK in name and name.split(_LOOK)[0] in ("", *seen)]
    if attacker.get("at_most") is not None:
        values = max(1 + sum(name in one.changes for one in earlier) for name in known)
        attacker["at_most"] = attacker["at_most"] * values + len(beside)
    return replace(promise, attacker=attacker | {"columns": (*known, *beside)})


def compared(
    attacker: Mapping[str, Any], columns: Sequence[str], sensitive: Collection[str]
) -> tuple[str, ...]:
    """Return the columns that are named; else those of a directory, or of the table those that are not sensitive."""
    if attacker["columns"]:
        return tuple(attacker["columns"])
    if people := attacker.get("directories"):
        return tuple(name for name in columns if any(name in of.columns for of in people))
    return tuple(name for name in columns if name not in sensitive)


def known_columns(columns: Sequence[str], there: Collection[str], earlier: Some) -> tuple[str, ...]:
    """Return the columns of joined rows that somebody knows who knows some columns, and all values of those that change."""
    changed = [f"{name}@{one.name}" for one in earlier for name in one.changes if name in columns]
    return tuple(dict.fromkeys(name for name in (*columns, *changed) if name in there))
