"""Which released rows may be somebody's, and what these show of a sensitive column.

Whoever knows the method looks at the forms in which a record of somebody with these values is published (theorem 2):
with a part of the chance at each form, and in it at all rows that look the same. Others look at the rows that fit the
person: one set of rows for each person.

A row fits somebody if every column compared agrees: equal, covered by the row's coarser label, or one of them missing.
Rows are grouped by which columns they show, and at which level: by their mask. The rows of one mask fit by equality of
what they show, so that each mask costs one group-by, and each person one look-up in it, projected onto the columns that
are known of the person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING as ANYBODY
from giveaway.attacks.directory.candidates.agreement import ExactKeys, Near
from giveaway.attacks.directory.inference.sensitive import Sensitive
from giveaway.attacks.directory.look_alikes import LookAlikes, numbered
from giveaway.attacks.directory.question import Columns, DirectoryQuestion
from giveaway.attacks.directory.readings.shares import GroupValues, block_shares, counted
from giveaway.crowds.split import Split
from giveaway.errors import NothingToJudge
from giveaway.model.data.arrays import Codes, Ints, alike, summed
from giveaway.model.data.labels import Label
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import tell

_MOST = 4_000_000
"""So many counts are kept before they are added up."""

_BLANK = -1
"""The level, in a mask, of a column that a row does not show."""
_NO_ROW = -3
"""The key of a value of somebody that no row has; rows without people have another one."""
_BLANKS = 2
"""The codes below 0 of a sensitive value: missing and hidden."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class FittingRows:
    """Released rows: codes of the columns compared at their levels, -1 where blank, and of a sensitive column.

    The code of a sensitive value is -1 where it is missing in the data and -2 where it was hidden to protect somebody.
    """

    values: Codes
    levels: NDArray[np.int8]
    sensitive: Codes
    count: Ints
    totals: Ints
    """How many rows show each sensitive value."""

    @classmethod
    def of(
        cls,
        values: Codes,
        sensitive: Codes,
        count: Ints,
        *,
        different: int,
        levels: NDArray[np.int8] | None = None,
    ) -> "FittingRows":
        """Take rows with a sensitive column of `different` values; without levels all show the values themselves."""
        shown = sensitive >= 0
        return cls(
            values=values,
            levels=np.zeros(values.shape, np.int8) if levels is None else levels,
            sensitive=sensitive,
            count=count,
            totals=np.bincount(sensitive[shown], weights=count[shown], minlength=different).astype(np.int64),
        )


def fitting_shares(
    rows: FittingRows,
    people: Codes,
    agreements: Sequence[Sequence[ExactKeys | None]] | None = None,
    *,
    gaps: Gaps = "agree",
) -> GroupValues:
    """Count what the rows that fit each person show; `people` are rows of value codes, -1 where nothing is known.

    `agreements[column][level]` translates codes of rows and of people into keys that are equal where they agree; without
    it both use the same codes, at level 0. With gaps apart, a missing value of somebody agrees with blanks only. Equal
    people should be given once.
    """
    width = len(rows.totals) + _BLANKS
    keys, counts = [_NONE], [_NONE]
    for person, value, count in _fits(rows, people, agreements, gaps):
        keys.append(person * width + value + _BLANKS)
        counts.append(count)
        if sum(map(len, counts)) > _MOST:
            keys, counts = _added(keys, counts, len(people) * width)
    (different,), (sums,) = _added(keys, counts, len(people) * width)
    person = different // width
    return counted(person, different - person * width - _BLANKS, sums, groups=len(people), totals=rows.totals)


def _added(keys: list[Ints], counts: list[Ints], size: int) -> tuple[list[Ints], list[Ints]]:
    different, sums = summed(np.concatenate(keys), np.concatenate(counts), size)
    return [different], [sums]


def _fits(
    rows: FittingRows, people: Codes, agreements: Sequence[Sequence[ExactKeys | None]] | None, gaps: Gaps
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Give people, sensitive values and counts of the rows that fit, each row and person once, mask by mask."""
    keys, masks = _row_keys(rows, agreements)
    mask_of, first = (
        alike(list(masks.T)) if masks.shape[1] else (np.zeros(len(keys), np.int64), np.zeros(1, np.int64))
    )
    for number, row in enumerate(first[: len(keys)].tolist()):
        tell("counting the rows that fit each person", number, len(first))
        here = np.flatnonzero(mask_of == number)
        shown = np.flatnonzero(masks[row] != _BLANK)
        theirs = np.empty((len(people), len(shown)), np.int64)
        for place, column in enumerate(shown.tolist()):
            level = int(masks[row, column])
            theirs[:, place] = _person_keys(people[:, column], agreements, column, level)
        ours = keys[np.ix_(here, shown)]
        for persons, known in _by_gaps(theirs, gaps):
            yield from _joined(ours[:, known], theirs[np.ix_(persons, known)], here, persons, rows)


def _row_keys(
    rows: FittingRows, agreements: Sequence[Sequence[ExactKeys | None]] | None
) -> tuple[Ints, NDArray[np.int64]]:
    """Return the keys of what rows show, and the level of each entry, `_BLANK` where everybody agrees."""
    keys = rows.values.astype(np.int64)
    masks = np.where(keys < 0, _BLANK, rows.levels.astype(np.int64))
    for column, levels in enumerate(agreements or ()):
        for level, agreement in enumerate(levels):
            here = masks[:, column] == level
            if agreement is None:
                masks[here, column] = _BLANK
            else:
                keys[here, column] = agreement.of_records[keys[here, column]]
    masks[keys == ANYBODY] = _BLANK
    return keys, masks


def _person_keys(
    codes: Codes, agreements: Sequence[Sequence[ExactKeys | None]] | None, column: int, level: int
) -> Ints:
    """Return the keys of people in a column at a level, -1 where nothing is known, below where no row agrees."""
    if agreements is None:
        return codes.astype(np.int64)
    agreement = agreements[column][level]
    if agreement is None:
        return np.full(len(codes), ANYBODY, np.int64)
    keys = np.append(agreement.of_people, 0).astype(np.int64)[codes]
    keys[keys < 0] = _NO_ROW
    keys[codes < 0] = ANYBODY
    return keys


def _by_gaps(theirs: Ints, gaps: Gaps) -> Iterator[tuple[Ints, Ints]]:
    """Split people by the columns that are known of them; give the people and the columns in which they must agree."""
    known = theirs != ANYBODY
    if gaps == "apart" or known.all():
        yield np.flatnonzero(known.all(axis=1)), np.arange(theirs.shape[1])
        return
    kind, first = alike(list(known.T))
    for number, person in enumerate(first.tolist()):
        yield np.flatnonzero(kind == number), np.flatnonzero(known[person])


def _joined(
    ours: Ints, theirs: Ints, here: Ints, persons: Ints, rows: FittingRows
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Join rows and people by equal keys; give people, sensitive values and counts."""
    both = np.concatenate([ours, theirs])
    both -= both.min(initial=0)  # some keys are below -1, and `alike` takes codes from -1 on
    place = alike(list(both.T))[0] if both.shape[1] else np.zeros(len(both), np.int64)
    groups = int(place.max(initial=-1)) + 1
    width = len(rows.totals) + _BLANKS
    keys, counts = summed(
        place[: len(ours)] * width + rows.sensitive[here] + _BLANKS, rows.count[here], groups * width
    )
    of_group = np.searchsorted(keys, np.arange(groups + 1) * width)
    begin, size = of_group[:-1][place[len(ours) :]], np.diff(of_group)[place[len(ours) :]]
    ends = np.cumsum(size)
    cuts = np.searchsorted(ends, np.arange(0, int(size.sum()), _MOST))
    for start, stop in pairwise(np.unique([0, *cuts, len(persons)]).tolist()):
        many = size[start:stop]
        chosen = np.arange(int(many.sum())) + np.repeat(begin[start:stop] - (np.cumsum(many) - many), many)
        yield np.repeat(persons[start:stop], many), keys[chosen] % width - _BLANKS, counts[chosen]


@dataclass(frozen=True, kw_only=True, eq=False)
class Reach:
    """For each profile of people the sets of rows that may hold theirs, and what these sets show."""

    shares: GroupValues
    """What each set of rows shows."""
    split: Split
    """How likely each set is that of a profile, in members of so many."""
    is_own: bool = False
    """Whether each set stands for those whose rows it holds, although nobody knows who these are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Persons:
    """People, those of whom the same is known and true taken together."""

    alone: Ints
    """How many people are of each kind, and of no other."""
    several_person: Ints
    several_kind: Ints
    """Somebody with several entries is of several kinds, and counts once."""

    def __len__(self) -> int:
        return self.where(np.ones(len(self.alone), np.bool_))

    def where(self, kinds: NDArray[np.bool_]) -> int:
        """Count the people who are of some of the kinds."""
        several = np.unique(self.several_person[kinds[self.several_kind]])
        return int(self.alone[kinds].sum()) + len(several)

    def everywhere(self, kinds: NDArray[np.bool_]) -> int:
        """Count the people who are of some of the kinds and of no other."""
        return len(self) - self.where(~kinds)


class OwnTable:
    """The records of the table are the people."""

    name: str | None = None

    def __init__(self, question: DirectoryQuestion, columns: Sequence[Sensitive]) -> None:
        self._question = question
        table = question.original
        names = [*question.compared, *(one.name for one in columns)]
        kind, first = alike([table.columns[name] for name in names])
        count = np.zeros(len(first), np.int64)
        np.add.at(count, kind, table.weights)
        nobody = np.zeros(0, np.int64)
        self.persons = Persons(alone=count, several_person=nobody, several_kind=nobody)
        self._first = first
        self._numbered: tuple[Columns, tuple[Ints, Ints]] | None = None
        """The latest columns, with the numbers of what is known of them: one person after the other asks for the same."""
        self._kind = kind

    @cached_property
    def kind_of_row(self) -> Ints:
        """The kind of the person of each row."""
        return self._kind[self._question.original.record_of]

    def true(self, column: Sensitive) -> Ints:
        """Return the own value of each kind of person, below 0 where there is none."""
        return self._question.original.columns[column.name][self._first].astype(np.int64)

    def known(self, kind: int, name: str) -> Label | None:
        """Return what is known of a kind of people in a column; None where that is nothing."""
        table = self._question.original
        code = int(table.columns[name][self._first[kind]])
        return table.labels[name][code] if code >= 0 else None

    def _profiles(self, columns: Columns) -> tuple[Ints, Ints]:
        """Number what is known of each record; return a record of each number too."""
        table, names = self._question.original, [self._question.compared[place] for place in columns]
        if not names:
            return np.zeros(len(table.weights), np.int64), np.zeros(1, np.int64)
        if self._numbered is None or self._numbered[0] != columns:
            self._numbered = columns, alike([table.columns[name] for name in names])
        return self._numbered[1]

    def profile_of(self, columns: Columns) -> Ints:
        """Return the profile of each kind of person for somebody who compares some columns."""
        return self._profiles(columns)[0][self._first]

    def reach(self, column: Sensitive, columns: Columns) -> Reach:
        """Return the rows that may be somebody's, for each profile."""
        question = self._question
        profile, record = self._profiles(columns)
        if not question.attacker.knows_method:
            people = np.stack([question.original.columns[name][record] for name in question.compared], axis=1)
            return _fitting(question, column, people, 0, columns)
        lines = question.lines
        form = numbered(question.forms[:, list(columns)])[0][lines.group]
        return Reach(
            shares=block_shares(form, column.shown, lines.count, values=column.targets.codes),
            split=Split.observed(profile[lines.record], form, lines.count),
        )


class InBlocks(OwnTable):
    """The records of the table are the people, of whom somebody knows fewer columns than those by which entries were withheld.

    Rows that show all that is known are as likely of each of the people with these values. Another row was withheld from
    by columns that are seen, and is as likely of each whose row looks the same in all of them. So what is told of somebody is a
    mean of what such blocks of rows show, with weights that nobody knows, and everybody is judged by the block of their own row:
    if none is over a limit, no mean is.
    """

    def __init__(self, question: DirectoryQuestion) -> None:
        self._question = question
        nobody = np.zeros(0, np.int64)
        self.persons = Persons(alone=question.lines.count, several_person=nobody, several_kind=nobody)
        self._first = question.lines.record

    @cached_property
    def kind_of_row(self) -> Ints:
        """The kind of the person of each row."""
        return self._question.lines.rows()

    def profile_of(self, columns: Columns) -> Ints:
        """Return the block of each kind of person for somebody who compares some columns."""
        question, lines = self._question, self._question.lines
        known = numbered(question.forms[:, list(columns)])[0][lines.group]
        altered = question.altered(columns)[lines.group] & question.knows_less(columns)
        block, _ = alike([altered, np.where(altered, question.whole_forms[lines.published], known)])
        return block

    def reach(self, column: Sensitive, columns: Columns) -> Reach:
        """Return what each block shows."""
        block = self.profile_of(columns)
        each = np.arange(int(block.max(initial=-1)) + 1)
        return Reach(
            shares=block_shares(block, column.shown, self._question.lines.count, values=column.targets.codes),
            split=Split(profile=each, form=each, members=np.ones(len(each), np.int64)),
            is_own=True,
        )


class OtherDirectory:
    """The people are those of another directory."""

    def __init__(self, question: DirectoryQuestion, place: int) -> None:
        self._question, self._place = question, place
        people = self.people
        self.name = people.name
        self.persons = Persons(
            alone=people.alone,
            several_person=people.several_person,
            several_kind=people.several_entry,
        )

    @property
    def people(self) -> People:
        """The entries of the directory."""
        return self._question.lookup.matchings[self._place].people

    def known(self, kind: int, name: str) -> Label | None:
        """Return what is known of an entry in a column; None where that is nothing."""
        people = self.people
        code = int(people.columns[name][kind]) if name in people.columns else -1
        return people.labels[name][code] if code >= 0 else None

    def profile_of(self, columns: Columns) -> Ints:  # noqa: ARG002 # entries differ in any case
        """Return the profile of each kind of person: the entry itself."""
        return np.arange(len(self.people.alone))

    def reach(self, column: Sensitive, columns: Columns) -> Reach:
        """Return the rows that may be somebody's, for each entry."""
        if not self._question.attacker.knows_method:
            return _fitting(self._question, column, self._codes(), self._place, columns)
        return self._by_forms(column, columns)

    def _codes(self) -> Codes:
        people = self.people
        missing = np.full(len(people.alone), -1, np.int32)
        return np.stack([people.columns.get(name, missing) for name in self._question.compared], axis=1)

    def _by_forms(self, column: Sensitive, columns: Columns) -> Reach:
        """Join what people would show with what rows do.

        A blank matches a blank, except that whoever is known in part is compared in these columns only, and that a row
        which misses a value by nature would have missed it whoever it is of.
        """
        question, released = self._question, self._question.lines
        looks = question.look_alikes[self._place]
        compared = [at for at, place in enumerate(looks.places.tolist()) if place in columns]
        entry, members, would_show = self._would_show(looks, compared)
        ours, theirs = [], []
        for at, forms in zip(compared, would_show.T, strict=True):
            rows, lines = numbered(looks.forms[:, [at]], forms[:, None])
            there = question.original.columns[looks.names[at]][released.record] >= 0
            known = self.people.columns[looks.names[at]][entry] >= 0
            ours.append(np.where(there, rows[released.group], -1))
            theirs.append(np.where(known, lines, -1))
        kind, line = alike([*theirs, np.zeros(len(entry), np.int64)])
        rows_alike, row = alike([*ours, column.shown + 2])
        rows_shown = FittingRows.of(
            _beside(ours, row),
            column.shown[row],
            _summed(rows_alike, released.count),
            different=column.targets.codes,
        )
        return Reach(
            shares=fitting_shares(rows_shown, _beside(theirs, line), gaps="agree"),
            split=Split(profile=entry, form=kind, members=members),
        )

    def _would_show(self, looks: LookAlikes, compared: Sequence[int]) -> tuple[Ints, Ints, Ints]:
        """Return the forms in which each entry may be published, as an entry, its part of the chance and what is shown.

        Records have the same values as an entry where they have those that are known of it, in the columns compared.
        """
        entries = len(self.people.alone)
        gaps = [self.people.columns[looks.names[at]] < 0 for at in compared]
        pattern, first = alike([*gaps, np.zeros(entries, np.int64)])
        parts = []
        for number, example in enumerate(first.tolist()):
            known = [place for place, gap in enumerate(gaps) if not gap[example]]
            here = np.flatnonzero(pattern == number)
            if not known:
                parts.append((here, np.ones(len(here), np.int64), np.full((len(here), len(gaps)), -1)))
                continue
            shown = looks.comparing([compared[place] for place in known]).shown
            lines = np.flatnonzero(pattern[shown.entry] == number)
            forms = np.full((len(lines), len(gaps)), -1)
            forms[:, known] = shown.forms[lines]
            parts.append((shown.entry[lines], shown.having[lines], forms))
        entry, members, forms = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(entry, kind="stable")
        return entry[order], members[order], forms[order]


def _summed(kind: Ints, count: Ints) -> Ints:
    return np.bincount(kind, weights=count).astype(np.int64)


def _beside(columns: Sequence[Ints], rows: Ints) -> Codes:
    """Put columns next to each other, at some rows."""
    if not columns:
        return np.zeros((len(rows), 0), np.int32)
    return np.stack([column[rows] for column in columns], axis=1).astype(np.int32)


def _fitting(
    question: DirectoryQuestion, column: Sensitive, people: Codes, directory: int, columns: Columns
) -> Reach:
    """Return the rows that fit people, of whom some columns are known: a set of rows for each of them."""
    groups, compared = question.groups, np.array(columns, np.int64)
    agreements: list[Sequence[ExactKeys | None]] = []
    for place in columns:
        levels = question.lookup.matchings[directory].agreements[place]
        if any(isinstance(level, Near) for level in levels):
            raise NothingToJudge(
                f"What crowds have in common is judged by equal values, and {question.compared[place]} is compared by "
                "likeness or distance.",
                hint="leave out its match, or let the attacker know the method.",
            )
        agreements.append([level for level in levels if not isinstance(level, Near)])
    lines = question.lines
    kind, line = alike([lines.group, column.shown + 2])
    group = lines.group[line]
    released = FittingRows.of(
        groups.values[np.ix_(group, compared)],
        column.shown[line],
        _summed(kind, lines.count),
        different=column.targets.codes,
        levels=groups.levels[np.ix_(group, compared)],
    )
    shares = fitting_shares(released, people[:, compared], agreements, gaps=question.lookup.gaps)
    each = np.arange(len(people))
    return Reach(shares=shares, split=Split(profile=each, form=each, members=np.ones(len(each), np.int64)))
