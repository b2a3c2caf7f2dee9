"""Releases of the same people that are planned at once, each for a recipient of its own."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier, Facts, JoinedBy, Linked
from giveaway.model.release.joined import table_of_rows
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release, table_of
from giveaway.model.release.withheld import Withheld

_MISSING = -1
_BLANK = np.iinfo(np.int64).max
_NAMED = 5
"""How many rows an error names."""

ONE_BY_ONE = "protect one after the other, each with those before it as --earlier."
"""The way out where releases cannot be planned at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SamePeople:
    """Releases for several recipients, and which row of each is whose; people stand in the order of the first release."""

    releases: Mapping[str, Release]
    row_of: Mapping[str, Ints]
    """For each release the row of each person, counted from 0."""
    joined_by: JoinedBy
    facts: Facts
    """Of transactions: whether all releases show the same ones, or those of another period each."""
    linked: Linked = "rows"
    """What recipients who collude are taken to know of whose row is whose."""

    @classmethod
    def of(
        cls, releases: Mapping[str, Release], *, facts: Facts | None = None, linked: Linked = "rows"
    ) -> "SamePeople":
        """Find whose rows they are: by the identifiers where all have some, else by their numbers.

        Transactions are the same ones where they come from the same data, unless `facts` says otherwise.
        """
        _check_forms(releases)
        tables = {name: one.original for name, one in releases.items() if isinstance(one.original, Table)}
        by_id = bool(tables) and all(table.id is not None for table in tables.values())
        same = _same_data(releases)
        if not same:
            _check_baskets(releases)
        people = cls(
            releases=dict(releases),
            row_of=_by_id(tables) if by_id else _by_number(releases),
            joined_by="id" if by_id else "row number",
            facts=facts or ("same" if same else "other"),
            linked=linked,
        )
        for one, other in combinations(releases, 2):
            people.check_values(one, other)
        return people

    def planned(self, releases: Mapping[str, Release]) -> "SamePeople":
        """Return the same recipients with releases that withhold something else."""
        return replace(self, releases={name: releases[name] for name in self.releases})

    def some(self, names: Collection[str]) -> "SamePeople":
        """Return some of the recipients."""
        return replace(self, releases={name: one for name, one in self.releases.items() if name in names})

    def together(self, name: str) -> Release:
        """Return a release as it is judged: next to those of all other recipients."""
        others = [other for other in self.releases if other != name]
        return replace(self.releases[name], earlier=tuple(self.earlier(other, name) for other in others))

    def earlier(self, other: str, now: str) -> Earlier:
        """Return the release of another recipient as somebody has it who holds the one now."""
        return Earlier(
            self.releases[other],
            name=other,
            linked=self.linked,
            facts=self.facts,
            changes=self.changes(other, now),
            rows=self.row_now(other, now) + 1,
            joined_by=self.joined_by,
            place=other,
        )

    def row_now(self, other: str, now: str) -> Ints:
        """Return for each row of a release the row of another one that is the same person's, counted from 0."""
        rows = np.empty(len(self.row_of[other]), np.int64)
        rows[self.row_of[other]] = self.row_of[now]
        return rows

    def changes(self, other: str, now: str) -> tuple[str, ...]:
        """Return the columns that both put into classes, and not into the same ones: both labels are then known."""
        one, two = (self.releases[name].original for name in (other, now))
        if not (isinstance(one, Table) and isinstance(two, Table)):
            return ()
        both = (name for name in one.columns if name in two.columns)
        return tuple(name for name in both if _classes(one, name) != _classes(two, name))

    def check_values(self, one: str, other: str) -> None:
        """Refuse rows that are not the same person's by what they hold, and columns that only one of two judges."""
        first, second = self.releases[one].original, self.releases[other].original
        if not (isinstance(first, Table) and isinstance(second, Table)):
            return
        for judged, loose, names in ((first, second, (one, other)), (second, first, (other, one))):
            unjudged = {} if loose.origin is None else loose.origin.layout.others
            both = [column for column in judged.columns if column in unjudged]
            if both:
                raise ScenarioError(
                    f'{names[1]} publishes the column "{both[0]}" unjudged, and {names[0]} protects it.',
                    hint="publish it unjudged in both, or leave it out of one of them.",
                )
        changed = self.changes(one, other)
        for column in first.columns:
            if column not in second.columns or column in changed:
                continue
            differ = np.flatnonzero(self._texts(one, column) != self._texts(other, column))
            if len(differ):
                rows = ", ".join(str(row + 1) for row in self.row_of[one][differ[:_NAMED]].tolist())
                more = f" and {len(differ) - _NAMED:,} more" if len(differ) > _NAMED else ""
                raise DataError(
                    f'{one} and {other} have different values of "{column}" for the same person: row {rows}{more} of {one}. '
                    f"Rows are joined by {self.joined_by}.",
                    hint="give both an id, or the same data in the same order.",
                )

    def _texts(self, name: str, column: str) -> np.ndarray:
        table = table_of(self.releases[name])
        texts = np.array([*map(str, table.labels[column]), ""], dtype=object)
        of_people: np.ndarray = texts[table.columns[column][table.record_of[self.row_of[name]]]]
        return of_people


@dataclass(frozen=True, kw_only=True, eq=False)
class JointRows:
    """What all recipients see together, as one release of which nothing is out yet."""

    people: SamePeople
    release: Release
    shown_by: Mapping[str, tuple[tuple[str, str], ...]]
    """For each column the releases that show it, each with its name there."""

    def back(self, joint: Release) -> dict[str, Release]:
        """Return the release of each recipient, withholding of it what a joint release that withholds more withholds."""
        releases = dict(self.people.releases)
        hidden, levels = joint.hidden, joint.coarser
        for column, places in self.shown_by.items():
            for name, own in places:
                row_of = self.people.row_of[name]
                rows, level = levels.of(column)
                cells = Cells.at({own: row_of[hidden.positions(column)]}) - releases[name].secrets
                coarser = Levels.at({own: (row_of[rows], level)})
                releases[name] = releases[name].withholding(Withheld(cells=cells, levels=coarser))
        return releases


def joint_rows(people: SamePeople, *, copied: Collection[str] = ()) -> JointRows:
    """Join the rows of tables; an entry that several show is one, and withheld from all of them.

    Of columns that are `copied` each release has its own, of the same values: what one withholds another may show.
    """
    first = next(iter(people.releases.values()))
    shown_by: dict[str, list[tuple[str, str]]] = {}
    taken = {column for one in people.releases.values() for column in table_of(one).columns}
    for name, release in people.releases.items():
        table = table_of(release)
        changes = {
            column for other in people.releases if other != name for column in people.changes(name, other)
        }
        for column in table.columns:
            apart = column in copied or column in changes
            here = _free(f"{column}@{name}", taken) if apart and column in shown_by else column
            shown_by.setdefault(here, []).append((name, column))
    columns = {column: _JointColumn.of(people, places) for column, places in shown_by.items()}
    original = table_of_rows(
        table_of(first),
        {column: one.codes for column, one in columns.items()},
        {column: one.labels for column, one in columns.items()},
        [column for column, one in columns.items() if one.sensitive],
    )
    release = replace(
        first,
        original=original,
        withheld=Withheld(
            cells=Cells.at({column: one.hidden for column, one in columns.items()}),
            levels=Levels.at({column: one.coarser for column, one in columns.items()}),
        ),
        stated=Withheld(),
        secrets=Cells.at({column: one.secrets for column, one in columns.items()}),
        must_publish=Cells.at({column: one.marked for column, one in columns.items()}),
        hierarchies={
            column: people.releases[name].hierarchies[own]
            for column, ((name, own), *_) in shown_by.items()
            if own in people.releases[name].hierarchies
        },
        earlier=(),
        plans=(),
    )
    return JointRows(
        people=people,
        release=release,
        shown_by={column: tuple(places) for column, places in shown_by.items()},
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _JointColumn:
    """A column of joint rows: the values of all people, and what its releases show of them."""

    codes: Codes
    labels: tuple[Label, ...]
    sensitive: bool
    hidden: Ints
    coarser: tuple[Ints, Ints]
    secrets: Ints
    marked: Ints

    @classmethod
    def of(cls, people: SamePeople, places: list[tuple[str, str]]) -> "_JointColumn":
        (first, column), *_ = places
        table = table_of(people.releases[first])
        codes = table.columns[column][table.record_of[people.row_of[first]]]
        size = len(codes)
        levels = np.full(size, _BLANK)
        secret, marked = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        for name, own in places:
            release, row_of = people.releases[name], people.row_of[name]
            shown = np.zeros(size, np.int64)
            rows, level = release.coarser.of(own)
            shown[rows] = level
            shown[release.hidden.positions(own)] = _BLANK
            levels = np.minimum(levels, shown[row_of])
            secret |= release.secrets.marks(own, size)[row_of]
            marked |= release.must_publish.marks(own, size)[row_of]
        there = codes != _MISSING
        coarse = np.flatnonzero(there & (levels > 0) & (levels < _BLANK))
        return cls(
            codes=codes,
            labels=tuple(table.labels[column]),
            sensitive=any(own in table_of(people.releases[name]).sensitive for name, own in places),
            hidden=np.flatnonzero(there & (levels == _BLANK) & ~secret),
            coarser=(coarse, levels[coarse]),
            secrets=np.flatnonzero(secret),
            marked=np.flatnonzero(marked),
        )


def _check_forms(releases: Mapping[str, Release]) -> None:
    """Refuse releases that are not of rows of one kind, or come after others."""
    kinds = {isinstance(one.original, Table) for one in releases.values()}
    for name, one in releases.items():
        rows = isinstance(one.original, Table | Transactions) and one.rules is None
        if not rows or len(kinds) > 1 or one.renamed:
            what = "tables next to baskets" if len(kinds) > 1 else f"codes or rules, as in {name}"
            raise ScenarioError(f"Releases are not planned at once for {what}.", hint=ONE_BY_ONE)
        if one.stated.cells or one.stated.levels:
            raise ScenarioError(
                f"{name} states entries that are withheld, and another recipient may be shown them.",
                hint="leave withheld out, and the columns that nobody is to see in leave_out.",
            )
        if one.earlier:
            raise ScenarioError(
                f"{name} comes after earlier releases, and releases that are planned at once do not.",
                hint=ONE_BY_ONE,
            )
    gaps = {one.gaps for one in releases.values()}
    if len(gaps) > 1:
        raise ScenarioError("The releases differ in gaps.", hint="say the same in all of them.")


def _same_data(releases: Mapping[str, Release]) -> bool:
    """Tell whether all releases are made of the same data."""
    originals = [one.original for one in releases.values()]
    if all(one is originals[0] for one in originals):
        return True
    hashes = {one.origin and one.origin.sha256 for one in originals}
    return len(hashes) == 1 and None not in hashes


def _check_baskets(releases: Mapping[str, Release]) -> None:
    """Refuse transactions of different data that are numbered as their ids first appear, in whatever order that is."""
    for name, one in releases.items():
        origin = one.original.origin
        if not isinstance(one.original, Table) and origin is not None and origin.layout.shape == "long":
            raise ScenarioError(
                f"The transactions of {name} have ids, and those of several releases are joined by their number.",
                hint="give one transaction a row, in the same order of people in each.",
            )


def _by_number(releases: Mapping[str, Release]) -> dict[str, Ints]:
    sizes = {name: len(one.original) for name, one in releases.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        raise DataError(
            f"The releases have different numbers of rows: {listed}.",
            hint="row i of each must be the same person; in tables an id may tell who is who.",
        )
    return {name: np.arange(size) for name, size in sizes.items()}


def _by_id(tables: Mapping[str, Table]) -> dict[str, Ints]:
    (first, table), *others = tables.items()
    for name, one in tables.items():
        if not one.names_once:
            raise DataError(
                f"The id of {name} names a record twice.", hint="a person has one row: merge them first."
            )
    places = {str(label): row for row, label in enumerate(table.ids)}
    rows = {first: np.arange(len(table))}
    for name, one in others:
        person = np.fromiter((places.get(str(label), _MISSING) for label in one.ids), np.int64)
        left = int((person == _MISSING).sum())
        if left or len(one) != len(table):
            missing = len(table) - (len(one) - left)
            raise DataError(
                f"{first} and {name} are not of the same people: by their ids {missing:,} are only in {first}, and {left:,} "
                f"only in {name}.",
                hint=f"leave out whoever is not in all of them, or {ONE_BY_ONE}",
            )
        row = np.empty(len(person), np.int64)
        row[person] = np.arange(len(person))
        rows[name] = row
    return rows


def _classes(table: Table, name: str) -> object:
    """Return the rule by which values of a column are in classes; None where they are as they are."""
    return table.classes[name].rows if name in table.classes else None


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "'"
    return name
