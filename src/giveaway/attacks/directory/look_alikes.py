"""Who looks exactly like a record: the crowd that is left to somebody who knows how the release was made.

A *form* is what a record shows of the columns compared: values, coarser labels and blanks. A blank matches a blank and
nothing else, because somebody who knows the rule knows whom it blanks.

The table itself is the directory: the crowd of a form is the number of records that are published in it. Which of the
people with the same values shows which form is drawn, so that no record of a form is likelier than another to be
somebody's.

Another directory: the crowd is the number of its people whose record would be published in this form, if they had one.
What people would look like is seen in the records with the same values, else in the plan that the release was made by;
without a plan they would show what they have. Where only a part of the records with the same values has a form, people
with these values count by this part. What a record misses by nature it would have missed whoever it is of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosed_groups import HIDDEN, Groups
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.release.planned_forms import BLANK, PlannedForms

Flags = NDArray[np.bool_]
Small = NDArray[np.int8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Forms:
    """What some records, or people, show of some columns: codes, in the labels of a level."""

    values: Codes
    levels: Small

    def only(self, columns: Ints) -> "Forms":
        """Return what is shown of some columns."""
        return Forms(values=self.values[:, columns], levels=self.levels[:, columns])

    def without(self, missing: Flags) -> "Forms":
        """Return what is shown if some columns are missing by nature."""
        return Forms(
            values=np.where(missing, HIDDEN, self.values).astype(np.int32),
            levels=np.where(missing, 0, self.levels).astype(np.int8),
        )

    @property
    def _columns(self) -> list[NDArray[np.generic]]:
        return [*self.values.T, *self.levels.T]


def numbered(*several: Forms) -> list[Ints]:
    """Number the forms of several lists together: the same number is the same form."""
    if not several[0].values.shape[1]:
        return [np.zeros(len(one.values), np.int64) for one in several]
    joined = [np.concatenate(parts) for parts in zip(*(one._columns for one in several), strict=True)]  # noqa: SLF001
    ends = np.cumsum([len(one.values) for one in several])[:-1]
    return np.split(alike(joined)[0], ends)


def numbered_forms(groups: Groups, columns: Ints) -> Ints:
    """Number what is shown of some columns by each group."""
    (form,) = numbered(Forms(values=groups.values, levels=groups.levels).only(columns))
    return form


def in_the_table(groups: Groups, columns: Ints) -> Ints:
    """Count the records that are published in the same form as those of each group."""
    form = numbered_forms(groups, columns)
    return np.bincount(form, weights=groups.count).astype(np.int64)[form]


@dataclass(frozen=True, kw_only=True, eq=False)
class LookAlikes:
    """Somebody's directory next to a release: who of it would be published in the form of a record."""

    people: People
    original: Table
    groups: Groups
    plan: PlannedForms | None
    hierarchies: Mapping[str, Hierarchy]
    names: tuple[str, ...]
    """The columns compared that the directory has."""
    places: Ints
    """Where these stand among the attributes of the groups."""

    @cached_property
    def _published(self) -> Forms:
        return Forms(values=self.groups.values, levels=self.groups.levels).only(self.places)

    def crowds(self, columns: Flags) -> Ints:
        """Count for each group who would look like it, to somebody who compares some of the attributes."""
        here = np.flatnonzero(columns[self.places])
        published = self._published.only(here)
        (form,) = numbered(published)
        fewest = np.full(int(form.max(initial=-1)) + 1, np.iinfo(np.int64).max)
        for missing, groups in self._missing_by_nature(here):
            wanted, shown = numbered(published, self._shown.forms.only(here).without(missing))
            counts = self._shown.counted(shown, int(max(wanted.max(initial=0), shown.max(initial=0))) + 1)
            np.minimum.at(fewest, form[groups], counts[wanted[groups]])
        return fewest[form]

    def _missing_by_nature(self, here: Ints) -> Iterator[tuple[Flags, Ints]]:
        """Give each set of columns that some records miss by nature, with the groups of these records."""
        columns = [self.original.columns[self.names[at]] == HIDDEN for at in here.tolist()]
        if not columns:
            yield np.zeros(0, np.bool_), np.arange(len(self.groups.count))
            return
        pattern, first = alike(columns)
        _, row = alike([pattern[self.original.record_of], self.groups.group_of])
        for number, record in enumerate(first.tolist()):
            of_it = row[pattern[self.original.record_of[row]] == number]
            yield np.array([column[record] for column in columns]), np.unique(self.groups.group_of[of_it])

    @cached_property
    def _shown(self) -> "_Shown":
        """What the entries of the directory would show: what records with the same values do, else what is planned."""
        table, groups = self.original, self.groups
        entries = self._as_planned()
        profile, first = alike([table.columns[name] for name in self.names])
        profile_of_row = profile[table.record_of]
        (form_of_group,) = numbered(self._published)
        both, row = alike([profile_of_row, form_of_group[groups.group_of]])
        count, whole = np.bincount(both), np.bincount(profile_of_row, minlength=len(first))
        of_profile = profile_of_row[row]  # ascending: classes are numbered in the order of their codes
        begin = np.searchsorted(of_profile, np.arange(len(first) + 1))
        own = np.stack([table.columns[name][first] for name in self.names], axis=1)
        ours, theirs = numbered(_as_it_is(own), _as_it_is(self._values))
        profile_of = np.full(int(max(ours.max(initial=0), theirs.max(initial=0))) + 1, -1)
        profile_of[ours] = np.arange(len(first))
        of_entry = profile_of[theirs]
        lines = np.where(of_entry < 0, 1, begin[of_entry + 1] - begin[of_entry])
        entry = np.repeat(np.arange(len(of_entry)), lines)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(lines) - lines, lines)
        kind = of_entry[entry]
        seen = kind >= 0
        at = np.where(seen, begin[kind] + within, 0)
        group = groups.group_of[row[at]] if len(row) else at
        return _Shown(
            people=self.people,
            forms=Forms(
                values=np.where(seen[:, None], self._published.values[group], entries.values[entry]),
                levels=np.where(seen[:, None], self._published.levels[group], entries.levels[entry]),
            ),
            entry=entry,
            having=np.where(seen, count[at], 1),
            of=np.where(seen, whole[kind], 1),
        )

    @cached_property
    def _values(self) -> Codes:
        """What is known of each entry, in the codes of the table; a value that the table does not have has a new one."""
        columns = []
        for name in self.names:
            labels = self.original.labels[name]
            code_of = {str(label): code for code, label in enumerate(labels)}
            new = len(labels)
            codes = [code_of.get(str(label), new + at) for at, label in enumerate(self.people.labels[name])]
            columns.append(np.array([*codes, HIDDEN], np.int32)[self.people.columns[name]])
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.people.alone), 0), np.int32)

    def _as_planned(self) -> Forms:
        """Return what the entries show by the plan, or as they are where there is none."""
        values = self._values.copy()
        levels = np.zeros(values.shape, np.int8)
        if self.plan is None:
            return Forms(values=values, levels=levels)
        for place, name in enumerate(self.names):
            planned = self.plan.levels[:, self.plan.columns.index(name)]
            values[planned == BLANK, place] = HIDDEN
            for level in range(1, int(planned.max(initial=0)) + 1):
                codes = self.hierarchies[name].codes(self.people.labels[name], level)
                at = (planned == level) & (self.people.columns[name] != HIDDEN)
                unknown = len(self.hierarchies[name].groups(level))
                values[at, place] = np.where(codes < 0, unknown, codes)[self.people.columns[name][at]]
                levels[at, place] = level
        return Forms(values=values, levels=levels)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Shown:
    """The forms of a directory's entries: `having` of `of` people with an entry would be shown in a form."""

    people: People
    forms: Forms
    entry: Ints
    having: Ints
    of: Ints

    def counted(self, form: Ints, size: int) -> Ints:
        """Count who would be shown in each form.

        Where some people with the same values would be, and others not, each counts by their part: the chance of the
        likeliest of them is the largest part among the sum of all, and the crowd is what makes it one in so many.
        """
        whole = self.having == self.of
        counts = np.bincount(form[whole], weights=self.people.alone[self.entry[whole]], minlength=size)
        crowds = counts.astype(np.int64) + self._with_several_entries(form, whole, size)
        partly = np.zeros(size, np.bool_)
        partly[form[~whole]] = True
        for number in np.flatnonzero(partly).tolist():
            lines = np.flatnonzero(form == number)
            parts = [Fraction(int(self.having[line]), int(self.of[line])) for line in lines.tolist()]
            people = self.people.alone[self.entry[lines]].tolist()
            if any(people):
                total = sum((part * many for part, many in zip(parts, people, strict=True)), Fraction(0))
                largest = max(part for part, many in zip(parts, people, strict=True) if many)
                crowds[number] = int(total / largest)
        return crowds

    def _with_several_entries(self, form: Ints, whole: Flags, size: int) -> Ints:
        """Count people with several entries once, where all of them would be shown in the same form."""
        people = self.people
        one_form = np.full(len(people.alone), HIDDEN)
        one_form[self.entry[whole]] = form[whole]
        forms = one_form[people.several_entry]
        least, most = np.full(people.several, size), np.full(people.several, HIDDEN)
        np.minimum.at(least, people.several_person, forms)
        np.maximum.at(most, people.several_person, forms)
        same = (least == most) & (least >= 0)
        return np.bincount(least[same], minlength=size)


def _as_it_is(values: Codes) -> Forms:
    return Forms(values=values, levels=np.zeros(values.shape, np.int8))
