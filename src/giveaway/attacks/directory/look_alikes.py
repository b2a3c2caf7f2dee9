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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import BLANK, People, PlannedForms

if TYPE_CHECKING:
    from giveaway.attacks.directory.question import DirectoryQuestion

Flags = NDArray[np.bool_]
Small = NDArray[np.int8]

UNKNOWN = 1 << 32
"""Where the numbers of values begin that no record has."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelSpelling:
    """The labels of a column, coarser ones too, by number: labels that are written the same have the same number."""

    of_level: tuple[Ints, ...]
    """For each level, 0 first, the number of each code."""

    @classmethod
    def of(cls, labels: Sequence[Label], hierarchy: Hierarchy | None) -> "LabelSpelling":
        """Number the values of a column, then the labels of its hierarchy that are written otherwise."""
        number: dict[str, int] = {}
        levels = (
            [labels, *(hierarchy.groups(level) for level in range(1, hierarchy.depth + 1))]
            if hierarchy
            else [labels]
        )
        return cls(
            of_level=tuple(
                np.array([number.setdefault(str(label), len(number)) for label in level], np.int64)
                for level in levels
            )
        )

    def numbers(self, codes: Codes, levels: Small) -> Ints:
        """Return the number of what is shown, -1 for a blank; codes beyond the labels are of values that nobody shows."""
        written = np.full(len(codes), HIDDEN, np.int64)
        for level, number in enumerate(self.of_level):
            here = (levels == level) & (codes != HIDDEN)
            shown = codes[here].astype(np.int64)
            known = shown < len(number)
            written[here] = np.where(known, np.append(number, 0)[np.where(known, shown, -1)], UNKNOWN + shown)
        return written


def numbered(*several: NDArray[np.integer]) -> list[Ints]:
    """Number the rows of several matrices together: the same number is the same row."""
    if not several[0].shape[1]:
        return [np.zeros(len(one), np.int64) for one in several]
    ends = np.cumsum([len(one) for one in several])[:-1]
    return np.split(alike(list(np.concatenate(several).T))[0], ends)


def crowds_in_table(forms: Ints, count: Ints) -> Ints:
    """Count the records that are published in the same form as those of each group."""
    (form,) = numbered(forms)
    return np.bincount(form, weights=count).astype(np.int64)[form]


@dataclass(frozen=True, kw_only=True, eq=False)
class LookAlikes:
    """Somebody's directory next to a release: who of it would be published in the form of a record."""

    people: People
    question: "DirectoryQuestion"
    places: Ints
    """Where the columns compared that the directory has stand among the attributes of the groups."""

    def comparing(self, chosen: Sequence[int]) -> "LookAlikes":
        """Return the same for somebody who compares some of these columns only."""
        return self if len(chosen) == len(self.places) else replace(self, places=self.places[chosen])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """These columns."""
        return tuple(self.question.compared[place] for place in self.places.tolist())

    @cached_property
    def forms(self) -> Ints:
        """What each group shows of these columns."""
        return self.question.forms[:, self.places]

    @cached_property
    def plan(self) -> PlannedForms | None:
        """What the people would show by the plan that the release was made by."""
        return next((plan for plan in self.question.release.plans if plan.people is self.people), None)

    def crowds(self, columns: Flags) -> Ints:
        """Count for each group who would look like it, to somebody who compares some of the attributes."""
        here = np.flatnonzero(columns[self.places])
        published = self.forms[:, here]
        (form,) = numbered(published)
        fewest = np.full(int(form.max(initial=-1)) + 1, np.iinfo(np.int64).max)
        for missing, groups in self._missing_by_nature(here):
            wanted, shown = numbered(published, np.where(missing, HIDDEN, self.shown.forms[:, here]))
            counts = self.shown.counted(shown, int(max(wanted.max(initial=0), shown.max(initial=0))) + 1)
            np.minimum.at(fewest, form[groups], counts[wanted[groups]])
        crowds = fewest[form]
        nothing = (crowds == 0) & (published == HIDDEN).all(axis=1)
        return np.where(nothing, len(self.people), crowds)  # where nothing is shown, nobody can be looked up

    def _missing_by_nature(self, here: Ints) -> Iterator[tuple[Flags, Ints]]:
        """Give each set of columns that some records miss by nature, with the groups of these records."""
        columns = [self.question.original.columns[self.names[at]] == HIDDEN for at in here.tolist()]
        if not columns:
            yield np.zeros(0, np.bool_), np.arange(len(self.question.groups.count))
            return
        pattern, first = alike(columns)
        record, group = self.question.lines.record, self.question.lines.group
        for number, example in enumerate(first.tolist()):
            yield (
                np.array([column[example] for column in columns]),
                np.unique(group[pattern[record] == number]),
            )

    @cached_property
    def shown(self) -> "FormsShown":
        """What the entries of the directory would show: what records with the same values do, else what is planned."""
        table = self.question.original
        lines = self.question.lines
        record, group_of, rows = lines.record, lines.group, lines.count
        entries = self._as_planned()
        profile, first = alike([table.columns[name] for name in self.names])
        profile_of_pair = profile[record]
        (form_of_group,) = numbered(self.forms)
        both, pair = alike([profile_of_pair, form_of_group[group_of]])
        count = np.bincount(both, weights=rows).astype(np.int64)
        whole = np.bincount(profile_of_pair, weights=rows, minlength=len(first)).astype(np.int64)
        of_profile = profile_of_pair[pair]  # ascending: classes are numbered in the order of their codes
        begin = np.searchsorted(of_profile, np.arange(len(first) + 1))
        own = np.stack([table.columns[name][first] for name in self.names], axis=1)
        ours, theirs = numbered(own, self._values)
        profile_of = np.full(int(max(ours.max(initial=0), theirs.max(initial=0))) + 1, -1)
        profile_of[ours] = np.arange(len(first))
        of_entry = profile_of[theirs]
        many = np.where(of_entry < 0, 1, begin[of_entry + 1] - begin[of_entry])
        entry = np.repeat(np.arange(len(of_entry)), many)
        within = np.arange(len(entry)) - np.repeat(np.cumsum(many) - many, many)
        kind = of_entry[entry]
        seen = kind >= 0
        at = np.where(seen, begin[kind] + within, 0)
        group = group_of[pair[at]] if len(pair) else at
        return FormsShown(
            people=self.people,
            forms=np.where(seen[:, None], self.forms[group], entries[entry]),
            entry=entry,
            having=np.where(seen, count[at], 1),
            of=np.where(seen, whole[kind], 1),
        )

    @cached_property
    def _values(self) -> Codes:
        """What is known of each entry, in the codes of the table; a value that the table does not have has a new one."""
        columns = []
        for name in self.names:
            labels = self.question.original.labels[name]
            code_of = {str(label): code for code, label in enumerate(labels)}
            new = len(labels)
            codes = [code_of.get(str(label), new + at) for at, label in enumerate(self.people.labels[name])]
            columns.append(np.array([*codes, HIDDEN], np.int32)[self.people.columns[name]])
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.people.alone), 0), np.int32)

    def _as_planned(self) -> Ints:
        """Return what the entries show by the plan, or as they are where there is none."""
        codes, levels = self._values.copy(), np.zeros(self._values.shape, np.int8)
        for place, name in enumerate(self.names):
            planned = self._planned_levels(name)
            codes[planned == BLANK, place] = HIDDEN
            for level in range(1, int(planned.max(initial=0)) + 1):
                coarser = self.question.release.hierarchies[name].codes(self.people.labels[name], level)
                at = (planned == level) & (codes[:, place] != HIDDEN)
                nobodys = len(self.question.release.hierarchies[name].groups(level))
                codes[at, place] = np.where(coarser < 0, nobodys, coarser)[self.people.columns[name][at]]
                levels[at, place] = level
        spellings = [self.question.spellings[place] for place in self.places.tolist()]
        shown = [one.numbers(codes[:, at], levels[:, at]) for at, one in enumerate(spellings)]
        return np.stack(shown, axis=1) if shown else np.zeros((len(codes), 0), np.int64)

    def _planned_levels(self, name: str) -> Small:
        if self.plan is None:
            return np.zeros(len(self.people.alone), np.int8)
        return self.plan.levels[:, self.plan.columns.index(name)]


@dataclass(frozen=True, kw_only=True, eq=False)
class FormsShown:
    """The forms of a directory's entries: `having` of `of` people with an entry would be shown in a form."""

    people: People
    forms: Ints
    entry: Ints
    having: Ints
    of: Ints

    def counted(self, form: Ints, size: int) -> Ints:
        """Count who would be shown in each form: one in this many is the chance of the likeliest.

        Each entry is a record that somebody may have. Where some people with the same values would be shown in a form,
        and others not, each counts by their part; somebody with several entries in a form has as many chances.
        """
        entries = self._entries[self.entry]
        whole = self.having == self.of
        counts = np.bincount(form[whole], weights=entries[whole], minlength=size).astype(np.int64)
        most = self._most_of_one_person(form, size)
        crowds = counts // most
        partly = np.zeros(size, np.bool_)
        partly[form[~whole]] = True
        for number in np.flatnonzero(partly).tolist():
            lines = np.flatnonzero((form == number) & (entries > 0)).tolist()
            parts = [Fraction(int(self.having[line]), int(self.of[line])) for line in lines]
            total = sum(
                (part * int(entries[line]) for part, line in zip(parts, lines, strict=True)), Fraction(0)
            )
            crowds[number] = int(total / (max(parts, default=Fraction(1)) * int(most[number])))
        return crowds

    @cached_property
    def _entries(self) -> Ints:
        """How many people have each entry."""
        people = self.people
        return people.alone + np.bincount(people.several_entry, minlength=len(people.alone))

    def _most_of_one_person(self, form: Ints, size: int) -> Ints:
        """Return for each form the most entries that one person would show in it, at least 1."""
        people, most = self.people, np.ones(size, np.int64)
        order = np.argsort(self.entry, kind="stable")
        starts = np.searchsorted(self.entry[order], np.arange(len(people.alone) + 1))
        many = (starts[1:] - starts[:-1])[people.several_entry]
        inside = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        lines = order[np.repeat(starts[people.several_entry], many) + inside]
        pairs, counts = np.unique(
            np.repeat(people.several_person, many) * size + form[lines], return_counts=True
        )
        np.maximum.at(most, pairs % size, counts)
        return most
