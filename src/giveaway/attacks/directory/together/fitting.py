"""Which rows of each release may be of whom, where rows cannot be joined: counted for people of whom the same is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.together.knowing import compared
from giveaway.errors import NothingToJudge
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import join_rows
from giveaway.model.release.release import Release

_BLANK, _OTHER = -1, -2
_HINT = 'say linked = "rows" if rows can be joined; or show the same columns in both.'


@dataclass(frozen=True, kw_only=True, eq=False)
class FittingCounts:
    """How many rows of a release fit each profile and have each combination of shared values, where some do."""

    profile: Ints
    signature: Ints
    value: Ints
    """The value of a further column, 0 where none was asked for."""
    count: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsShown:
    """The rows of a release: their codes, -1 where nothing is shown, and what they show in the shared columns."""

    codes: Mapping[str, Codes]
    signature: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitting:
    """People by what is known of them, and the rows of releases by what they show."""

    compared_now: tuple[str, ...]
    shared: tuple[str, ...]
    labels: Mapping[str, tuple[Label, ...]]
    profiles: Mapping[str, Codes]
    """What is known of each kind of people."""
    people: Ints
    """How many people of each kind there are."""
    profile_of: Ints
    """The kind of the person of each row now."""
    signatures: Mapping[str, Codes]
    """The combinations of values in the shared columns."""
    releases: tuple[RowsShown, ...]
    """The release now, then the earlier ones."""

    @property
    def now(self) -> tuple[str, ...]:
        """The columns in which rows of the release now are compared, those that all releases have among them."""
        return (*self.compared_now, *(name for name in self.shared if name not in self.compared_now))

    def counted(self, release: int, column: str | None = None) -> FittingCounts:
        """Count the rows of a release that fit each profile, by what they show in the shared columns and in a further one."""
        shown = self.releases[release]
        value = (
            np.zeros(len(shown.signature), np.int64)
            if column is None
            else shown.codes[column].astype(np.int64)
        )
        of_row, first = alike([shown.signature, value])
        parts = list(self._pairs(shown, of_row))
        profile, kind, count = (np.concatenate(part) for part in zip(*parts, strict=True))
        both, at = alike([profile, kind])
        return FittingCounts(
            profile=profile[at],
            signature=shown.signature[first][kind[at]],
            value=value[first][kind[at]],
            count=np.bincount(both, weights=count).astype(np.int64),
        )

    def _pairs(self, shown: RowsShown, kind: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Give profiles with the kinds of rows that fit them and how many, for each set of columns that rows show."""
        names = [name for name in self.profiles if name in shown.codes]
        visible = [shown.codes[name] != _BLANK for name in names]
        pattern, first = alike([np.zeros(len(kind), np.int32), *visible])
        size = len(self.people)
        for number, example in enumerate(first.tolist()):
            rows = np.flatnonzero(pattern == number)
            columns = [name for name, there in zip(names, visible, strict=True) if there[example]]
            key = alike(
                [np.zeros(size + len(rows), np.int32)]
                + [np.concatenate([self.profiles[name], shown.codes[name][rows]]) + 2 for name in columns]
            )[0]
            order = np.argsort(key[:size], kind="stable")
            ours, theirs = key[:size][order], key[size:]
            both, at = alike([theirs, kind[rows]])
            many = np.bincount(both)
            begin, end = (np.searchsorted(ours, theirs[at], side) for side in ("left", "right"))
            each = end - begin
            inside = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
            yield (
                order[np.repeat(begin, each) + inside],
                np.repeat(kind[rows][at], each),
                np.repeat(many, each),
            )

    def possible(self) -> tuple[Ints, Ints]:
        """Return the kinds of people with the shared values that some row of every earlier release has which fits them."""
        size = len(next(iter(self.signatures.values()), np.zeros(1)))
        keys = []
        for release in range(1, len(self.releases)):
            counts = self.counted(release)
            keys.append(np.unique(counts.profile * size + counts.signature))
        profile, signature = np.divmod(reduce(np.intersect1d, keys), size)
        return profile, signature


def fitting(release: Release, attacker: KnowsDirectory, earlier: Sequence[Earlier]) -> Fitting:
    """Compare people with the rows of releases that show the same columns of everybody, and refuse others."""
    now = release.published
    assert isinstance(now, Table)  # noqa: S101 # rows of tables
    _check_people(release, earlier)
    before = [one.shown for one in earlier if isinstance(one.shown, Table)]
    shared = _shared(now, before, earlier)
    truth = truth_of(release, earlier)
    columns = compared(attacker, truth, earlier)
    if any((truth.columns[name] < 0).any() for name in columns):
        raise NothingToJudge("Of some people not all values compared are known.", hint=_HINT)
    names = dict.fromkeys((*columns, *shared, *truth.sensitive))
    labels = {name: _labels(name, [truth, now, *before]) for name in names}
    tables = [now, *before]
    codes = [
        {name: _coded(table, name, labels[name]) for name in names if name in table.columns}
        for table in tables
    ]
    for place, one in enumerate(earlier, 1):
        for name in one.changes:
            codes[place].pop(name, None)
            new = f"{name}@{one.name}"
            if new in names:
                codes[place][new] = _coded(before[place - 1], name, labels[new])
    _check_labels(codes, labels, truth, columns)
    signature, at = alike(
        [np.zeros(sum(map(len, tables)), np.int32)]
        + [np.concatenate([part[name] for part in codes]) for name in shared]
    )
    parts = np.split(signature, np.cumsum([len(table) for table in tables])[:-1])
    own = [_coded(truth, name, labels[name]) for name in columns]
    profile_of, first = alike(own)
    every = {name: np.concatenate([part[name] for part in codes])[at] for name in shared}
    return Fitting(
        compared_now=tuple(name for name in columns if name in now.columns),
        shared=shared,
        labels=labels,
        profiles={name: one[first] for name, one in zip(columns, own, strict=True)},
        people=np.bincount(profile_of),
        profile_of=profile_of,
        signatures=every,
        releases=tuple(RowsShown(codes=part, signature=of) for part, of in zip(codes, parts, strict=True)),
    )


def _check_people(release: Release, earlier: Sequence[Earlier]) -> None:
    for one in earlier:
        same = one.shown is not None and len(one.shown) == len(release.original)
        rows = one.row_now(release)[0]
        gone = rows is not None and bool((rows < 0).any())
        if not same or gone or one.population.joined or one.population.left:
            raise NothingToJudge(f"Not everybody is in {one.name} and in the release now.", hint=_HINT)


def _shared(now: Table, before: Sequence[Table], earlier: Sequence[Earlier]) -> tuple[str, ...]:
    """Return the columns that every release shows of everybody; refuse blanks there, and others that only some share."""
    changes = {name for one in earlier for name in one.changes}
    tables = [now, *before]
    shared = tuple(
        name for name in now.columns if all(name in table.columns for table in before) and name not in changes
    )
    for place, table in enumerate(tables):
        for other in tables[place + 1 :]:
            both = {name for name in table.columns if name in other.columns} - changes - {*shared}
            if both:
                raise NothingToJudge(
                    f"Some of the releases share {min(both)}, and others do not have it.", hint=_HINT
                )
        blank = next((name for name in shared if (table.columns[name] < 0).any()), None)
        if blank is not None:
            raise NothingToJudge(
                f"{blank} is blank in some rows, and which rows may be of the same person is then not worked out.",
                hint=_HINT,
            )
    return shared


def truth_of(release: Release, earlier: Sequence[Earlier]) -> Table:
    """Return what is true of everybody, row by row of the release now, in the columns of all releases."""
    known = [(one, rows) for one in earlier if (rows := one.row_now(release)[0]) is not None]
    joined = join_rows(release, known)
    table = joined.release.original
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    for one in earlier:
        if all(one is not other for other, _ in known):
            table = _beside(table, one)
    return table


def _beside(table: Table, one: Earlier) -> Table:
    """Add columns of an earlier release whose values are known row by row of the release now."""
    new = [name for name in one.columns if name not in table.columns or name in one.changes]
    if not new:
        return table
    own = one.original
    known = isinstance(own, Table) and one.in_order_of_now and len(own) == len(table)
    if not known or not isinstance(own, Table) or one.changes or any(n not in own.columns for n in new):
        raise NothingToJudge(f"What is true of everybody in {one.name} is not known.", hint=_HINT)
    more = Earlier(own.only(new), name=one.name, rows=range(1, len(table) + 1))
    joined = join_rows(Release(table), [(more, np.arange(len(table)))])
    assert isinstance(joined.release.original, Table)  # noqa: S101 # rows of tables
    return joined.release.original


def _labels(name: str, tables: Sequence[Table]) -> tuple[Label, ...]:
    """Return the labels of a column in all tables, those written the same once."""
    labels: dict[str, Label] = {}
    for table in tables:
        for label in table.labels.get(name, ()):
            labels.setdefault(str(label), label)
    return tuple(labels.values())


def _coded(table: Table, name: str, labels: Sequence[Label]) -> Codes:
    number = {str(label): code for code, label in enumerate(labels)}
    codes = [number.get(str(label), _OTHER) for label in table.labels[name]]
    return np.array([*codes, _BLANK], np.int32)[table.columns[name][table.record_of]]


def _check_labels(
    codes: Sequence[Mapping[str, Codes]],
    labels: Mapping[str, tuple[Label, ...]],
    truth: Table,
    columns: Sequence[str],
) -> None:
    """Refuse labels that nobody has: coarser ones, which stand for several values."""
    for name in columns:
        own = {str(label) for label in truth.labels[name]}
        of_somebody = np.array([*(str(label) in own for label in labels[name]), True])
        shown = [part[name] for part in codes if name in part]
        if any((one == _OTHER).any() or not of_somebody[one].all() for one in shown):
            raise NothingToJudge(
                f"A release shows labels of {name} that are nobody's value, such as coarser ones.", hint=_HINT
            )
