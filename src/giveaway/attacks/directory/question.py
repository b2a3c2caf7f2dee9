"""The question put about a table and a directory, checked: what is compared, what weighs, and what is disclosed."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.disclosed_groups import (
    HIDDEN,
    DisclosedGroups,
    RecordPairs,
    by_level,
    group,
    lines,
)
from giveaway.attacks.directory.look_alikes import LabelSpelling, LookAlikes, crowds_in_table, numbered
from giveaway.attacks.directory.lookup import Lookup
from giveaway.attacks.directory.losses import Crowd, GroupsTally, Likely, chance_of
from giveaway.attacks.directory.sensitivity import Phis, Weighing, weigh, weighty
from giveaway.errors import DataError, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

Columns = tuple[int, ...]
"""The places of columns among those compared."""

_NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True, kw_only=True, eq=False)
class DirectoryQuestion:
    """Published records, the directories in which they are looked up, and how much they would hurt."""

    release: Release
    original: Table
    published: Table
    attacker: KnowsDirectory
    lookup: Lookup
    weighing: Weighing
    own: Ints | None = None
    """How likely the person of a record of each class is taken, in each directory; None where all are equally likely."""

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.original)

    @property
    def earlier_plans_fail(self) -> Fraction:
        """At least so likely the plans fail that were tried first, for all that this attacker sees; 0 where it is not known."""
        if self.release.earlier_plans is None or not self.attacker.knows_method:
            return Fraction(1)
        return self.release.earlier_plans_fail if self.knows_what_failed else Fraction(0)

    @property
    def knows_what_failed(self) -> bool:
        """Whether it is worked out what this attacker learns from plans that failed, if there are any."""
        plans = self.release.earlier_plans
        alike = self.lookup.is_own and self.attacker.at_most is None
        return plans is None or (alike and {*plans.columns} == {*self.compared})

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns compared, then those that weigh without being compared."""
        return self.lookup.attributes

    @property
    def compared(self) -> tuple[str, ...]:
        """The columns compared."""
        return self.attributes[: self.lookup.compared]

    @cached_property
    def groups(self) -> DisclosedGroups:
        """The published records, equal ones together."""
        return group(
            self.published,
            self.original,
            self.attributes,
            self.release.hierarchies,
            self.weighing.class_of,
        )

    @cached_property
    def beside(self) -> tuple[tuple["DirectoryQuestion", Tolerance], ...]:
        """What everybody asks who is asked about with this attacker, the attacker too; nothing for somebody alone.

        Where nobody of them knows the method, nothing is learnt from what is withheld for another.
        """
        table = self.original
        held = {*table.columns, *(() if table.id is None else (table.id,))}
        asked = tuple(
            (ask(self.release.alone, one.among(held)), within)
            for one, within in self.release.beside
            if isinstance(one, KnowsDirectory) and (not one.columns or not held.isdisjoint(one.columns))
        )
        several = len(asked) > 1 and any(one.attacker.knows_method for one, _ in asked)
        return asked if several else ()

    @cached_property
    def planned_by(self) -> tuple[str, ...]:
        """The columns by which it is chosen what is withheld: all that somebody compares who is asked about.

        Of what was withheld by hand nothing is known, so that it may be any that is not sensitive.
        """
        if not self.beside:
            return self.compared
        table = self.original
        known = {name for one, _ in self.beside for name in one.compared}
        if self.release.withholds_by_hand:
            known |= {*table.columns}.difference(table.sensitive)
        return tuple(name for name in table.columns if name in known)

    def knows_less(self, columns: Columns) -> bool:
        """Whether somebody who knows the method knows fewer columns than those that decided what is withheld from these."""
        if not self.attacker.knows_method or not self.altered(columns).any():
            return False
        if self.beside and not self.lookup.is_own:
            return True
        return not {*self.planned_by} <= {self.compared[place] for place in columns}

    @cached_property
    def whole(self) -> "DirectoryQuestion":
        """The question of somebody who knows all these columns of everybody in the table."""
        return ask(self.release.alone, KnowsDirectory(columns=self.planned_by))

    def column_sets(self, *, exactly: bool = False) -> Iterator[Columns]:
        """Give the sets of columns that somebody may compare: all of them, or each of at most so many, the empty one too.

        Fewer columns may tell more of a sensitive value, but never single out more: for that, sets of exactly so many do.
        """
        width, most = self.lookup.compared, self.attacker.at_most
        if most is None or (exactly and most >= width):
            yield tuple(range(width))
            return
        sizes = range(min(most, width) if exactly else 0, min(most, width) + 1)
        total, done = sum(comb(width, size) for size in sizes), 0
        for size in sizes:
            for columns in combinations(range(width), size):
                tell("comparing sets of columns", done, total)
                done += 1
                yield columns

    @cached_property
    def _fewest(self) -> tuple[Ints, Ints, Ints]:
        """The fewest people that some set of columns leaves for each group: of those that leave somebody, and of all.

        Then the number of the first set that leaves so few people and not nobody.
        """
        some, every = [], []
        for columns in self.column_sets(exactly=True):
            crowds = self._crowds_known(columns)
            every.append(crowds)
            some.append(np.where(crowds > 0, crowds, _NOBODY))
        fewest = np.minimum.reduce(some)
        return np.where(fewest == _NOBODY, 0, fewest), np.minimum.reduce(every), np.argmin(some, axis=0)

    def _crowds_known(self, columns: Columns) -> Ints:
        """Count how many people a record may be of, for somebody who knows some of the columns.

        Whoever knows the method may tell by the other columns whose entry was withheld in these. So a record of which one
        was withheld there is hidden only among those that look the same in all columns by which that was chosen.
        """
        crowds = self.crowds_comparing(self.only(list(columns)))
        if not self.knows_less(columns):
            return crowds
        if self.beside and not self.lookup.is_own:
            crowds = np.maximum(crowds, self._crowds_whole)
        return np.where(self.altered(columns)[:, None], self._crowds_whole, crowds)

    @cached_property
    def _crowds_whole(self) -> Ints:
        """How many look the same in all columns by which it was chosen what is withheld.

        Beside others these are rows of the table, whatever directory somebody has: who is in the crowd of a row was chosen by
        the values of all, and lots were drawn among equal people.
        """
        if not self.beside:
            return self.crowds_comparing(self.only(list(range(self.lookup.compared))))
        crowds = np.bincount(self.whole_forms, weights=self.published.weights).astype(np.int64)
        fewest = np.full(len(self.groups.count), _NOBODY)
        np.minimum.at(fewest, self.lines.group, crowds[self.whole_forms[self.lines.published]])
        return fewest[:, None]

    @cached_property
    def whole_forms(self) -> Ints:
        """Number what each published record shows of all columns by which it was chosen what is withheld."""
        shown = []
        for name in self.planned_by:
            hierarchy = self.release.hierarchies.get(name)
            spelling = LabelSpelling.of(self.original.labels[name], hierarchy)
            shown.append(
                spelling.numbers(*by_level(self.published.columns[name], self.original, name, hierarchy))
            )
        return numbered(np.stack(shown, axis=1))[0]

    def altered(self, columns: Columns) -> NDArray[np.bool_]:
        """Tell of which groups something may be withheld in some of the columns.

        A blank that the original has too looks like one that is withheld, except in a column in which nobody has a value.
        """
        groups, release = self.groups, self.release
        if not (release.hidden or release.coarser):
            return np.zeros(len(groups.count), np.bool_)
        some = [place for place in columns if (self.original.columns[self.compared[place]] != HIDDEN).any()]
        changed: NDArray[np.bool_] = ~(groups.shown & (groups.levels == 0))[:, some].all(axis=1)
        return changed

    @cached_property
    def lines(self) -> RecordPairs:
        """The rows, equal ones together."""
        return lines(self.published, self.original, self.groups)

    @property
    def crowds(self) -> Ints:
        """How many people of each directory a record of each group may be of, by the worst set of columns."""
        return self._fewest[0]

    @property
    def crowds_judged(self) -> Ints:
        """The crowds of each directory, and where another set of columns leaves nobody, that too."""
        some, every, _ = self._fewest
        return some if (some == every).all() else np.concatenate([some, every], axis=1)

    def telling_columns(self, group: int, directory: int) -> Columns:
        """Return the columns that leave the fewest people for a group, of all that somebody may compare."""
        number = int(self._fewest[2][group, directory])
        return next(islice(self.column_sets(exactly=True), number, None))

    def crowds_comparing(self, columns: NDArray[np.bool_]) -> Ints:
        """Count how many people a record may be of, when some of the columns are compared.

        Somebody who knows the method looks for those who look exactly like it, others for those who agree with it.
        """
        if not self.attacker.knows_method:
            return self.lookup.crowds_of(self.groups, columns)
        if self.lookup.is_own:
            forms = self.forms[:, columns[: self.lookup.compared]]
            return crowds_in_table(forms, self.groups.count)[:, None]
        return np.stack([one.crowds(columns) for one in self.look_alikes], axis=1)

    def likely_comparing(self, columns: NDArray[np.bool_]) -> Likely | None:
        """Return how likely the person of each group is taken, and all who agree, when some columns are compared."""
        groups = self.groups
        values = np.where(columns, groups.values, HIDDEN).astype(np.int32)
        return self.likely_of(groups.classes, values, np.where(columns, groups.levels, 0).astype(np.int8))

    def likely_of(
        self, classes: Ints, values: Codes, levels: NDArray[np.int8] | None = None
    ) -> Likely | None:
        """Return the same of records, given by their class and by what they disclose."""
        if self.own is None:
            return None
        return self.own[classes], self.lookup.likely_crowds(values, levels)

    @cached_property
    def likely(self) -> Likely | None:
        """How likely the person of each group is taken, and all who agree."""
        return self.likely_comparing(self.only(list(range(self.lookup.compared))))

    def tallied(self, tolerance: Tolerance, crowds: Ints, likely: Likely | None) -> GroupsTally:
        """Count what the groups give away to somebody who finds crowds, and takes people as likely as that."""
        return GroupsTally(
            count=self.groups.count,
            crowds=crowds,
            phis=self.phis,
            prior=self.attacker.prior,
            tolerance=tolerance,
            likely=likely,
            earlier_plans_fail=self.earlier_plans_fail,
        )

    def tally_of(
        self,
        tolerance: Tolerance,
        *,
        count: Ints,
        classes: Ints,
        values: Codes,
        levels: NDArray[np.int8] | None = None,
    ) -> GroupsTally:
        """Count what is given away to somebody who does not know the method, were this disclosed of records."""
        return GroupsTally(
            count=count,
            crowds=self.lookup.crowds(values, levels),
            phis=self.weighing.phis(classes, values != HIDDEN),
            prior=self.attacker.prior,
            tolerance=tolerance,
            likely=self.likely_of(classes, values, levels),
        )

    def chance(self, group: int) -> Fraction:
        """Return the chance of recognising whose a record of a group is."""
        crowd: Crowd = self.crowds[group].tolist()
        if self.likely is not None:
            crowd = [*map(Fraction, self.likely[1][group].tolist(), self.likely[0][group].tolist())]
        return chance_of(crowd, self.attacker.prior, listed=False)

    def guess(self, group: int | None = None) -> Fraction:
        """Return the chance without the release, of anybody in the directory; without a group the largest one."""
        if self.likely is None:
            return chance_of(self.lookup.sizes, self.attacker.prior, listed=False)
        own = self.likely[0].max(axis=0) if group is None else self.likely[0][group]
        every = [len(matching.people) for matching in self.lookup.likely]
        return chance_of([*map(Fraction, every, own.tolist())], self.attacker.prior, listed=False)

    @cached_property
    def spellings(self) -> list[LabelSpelling]:
        """The labels of each column compared."""
        labels, hierarchies = self.original.labels, self.release.hierarchies
        return [LabelSpelling.of(labels[name], hierarchies.get(name)) for name in self.compared]

    @cached_property
    def forms(self) -> Ints:
        """What each group shows of the columns compared: a number for each label as it is written, -1 for a blank."""
        groups = self.groups
        shown = [
            one.numbers(groups.values[:, at], groups.levels[:, at]) for at, one in enumerate(self.spellings)
        ]
        return np.stack(shown, axis=1)

    @cached_property
    def look_alikes(self) -> tuple[LookAlikes, ...]:
        """Those who look like a record, in each directory."""
        return tuple(self.looking_alike(matching.people) for matching in self.lookup.matchings)

    def looking_alike(self, people: People) -> LookAlikes:
        """Compare the records with the people of a directory who would look exactly like them."""
        places = [place for place, name in enumerate(self.compared) if name in people.columns]
        return LookAlikes(people=people, question=self, places=np.array(places, np.int64))

    @cached_property
    def phis(self) -> Phis:
        """How much each group would hurt."""
        return self.weighing.phis(self.groups.classes, self.groups.shown)

    @cached_property
    def disclosed_of(self) -> Ints:
        """The entries of each attribute that are published as they are."""
        as_they_are = self.groups.shown & (self.groups.levels == 0)
        disclosed: Ints = self.groups.count @ as_they_are.astype(np.int64)
        return disclosed

    @property
    def disclosed(self) -> int:
        """The entries of the attributes that are published as they are."""
        return int(self.disclosed_of.sum())

    @cached_property
    def coarser(self) -> int:
        """The entries of the attributes of which a coarser label is published."""
        return int((self.groups.levels > 0).sum(axis=1) @ self.groups.count)

    @cached_property
    def disclosed_compared(self) -> int:
        """The entries of the columns compared that are published, coarser or not."""
        return int(self.groups.shown[:, : self.lookup.compared].sum(axis=1) @ self.groups.count)

    @cached_property
    def entries(self) -> int:
        """The entries of the attributes that have a value."""
        table = self.original
        return sum(int(table.weights[table.columns[name] != HIDDEN].sum()) for name in self.attributes)

    def only(self, columns: list[int]) -> NDArray[np.bool_]:
        """Mark some attributes by their numbers."""
        marks = np.zeros(len(self.attributes), np.bool_)
        marks[columns] = True
        return marks

    def label(self, column: int, code: int, level: int) -> Label:
        """Return the label that is published for a code of an attribute at a level."""
        name = self.attributes[column]
        if level == 0:
            return self.original.labels[name][code]
        return self.release.hierarchies[name].groups(level)[code]


def ask(release: Release, attacker: KnowsDirectory) -> DirectoryQuestion:
    """Put the question together, and refuse one that does not fit the table."""
    original, published = release.original, release.published
    if not isinstance(original, Table) or not isinstance(published, Table):
        raise ScenarioError(
            "The attack directory is about published rows, and this release publishes rules only.",
            hint="leave the rules out, or ask about a profiles attacker.",
        )
    key = (attacker, release)
    return published.remember("directory", key, lambda: _put(release, original, published, attacker))


def _put(release: Release, original: Table, published: Table, attacker: KnowsDirectory) -> DirectoryQuestion:
    compared = attacker.looks_at(original)
    _check(release, original, attacker, compared)
    heavy = weighty(release.sensitivity, original)
    weighed = tuple(name for name in original.columns if name in heavy and name not in compared)
    weighing = weigh(release.sensitivity, original, (*compared, *weighed))
    hierarchies, gaps = release.hierarchies, release.gaps
    ladders = ((name, id(hierarchy)) for name, hierarchy in sorted(hierarchies.items()))
    key = (attacker, weighed, gaps, *ladders)

    def prepared() -> Lookup:
        return Lookup(
            table=original,
            attacker=attacker,
            attributes=(*compared, *weighed),
            compared=len(compared),
            hierarchies=hierarchies,
            gaps=gaps,
        )

    own = None
    if attacker.likelihoods:
        marks = np.stack([one.of_records(original) for one in attacker.likelihoods], axis=1)
        weighing, own = weighing.split(marks)
    return DirectoryQuestion(
        release=release,
        original=original,
        published=published,
        attacker=attacker,
        lookup=original.remember("directories", key, prepared),
        weighing=weighing,
        own=own,
    )


def _check(release: Release, table: Table, attacker: KnowsDirectory, compared: tuple[str, ...]) -> None:
    if not len(table):
        raise DataError(f"The table has no {nouns().records}.", hint="there is nothing to look up.")
    _check_ids(table, attacker)
    if release.sensitivity.wrong and attacker.knows_method:
        raise ScenarioError(
            "wrong says what a wrong identification hurts, and for whoever knows the method only the largest chance of a "
            "right one is known.",
            hint="set knows_method = false, or leave wrong out.",
        )
    if not compared:
        raise ScenarioError(
            "No column is compared with the directory.",
            exists=", ".join(table.columns),
            hint="name them with columns; sensitive columns are compared only where they are named.",
        )
    for column in compared:
        if column == table.id:
            raise ScenarioError(
                f'The column "{column}" is the identifier, which is never published.',
                hint="take it out of columns.",
            )
        table.checked(column)
    for column in attacker.match:
        if column not in compared:
            raise ScenarioError(
                f'match names the column "{column}", which is not compared.', exists=", ".join(compared)
            )
        if column in table.classes:
            raise ScenarioError(
                f'The column "{column}" has classes and is compared by likeness or distance.',
                hint="values of the directory fall into the classes: leave out its match or its classes.",
            )
        if column in release.hierarchies:
            raise ScenarioError(
                f'The column "{column}" has a hierarchy and is compared by similarity.',
                hint="coarser labels are compared as they are: leave out its match or its hierarchy.",
            )


def _check_ids(table: Table, attacker: KnowsDirectory) -> None:
    if attacker.likelihoods and table.id is None:
        raise ScenarioError(
            f"likelihood needs to know whose each {nouns().record} is, and the release has no id.",
            hint="name the column of the release that identifies people with id.",
        )
    if not table.names_once:
        raise DataError(
            f"The column {table.id} gives several {nouns().records} the same id.",
            hint=f"an id names one {nouns().record}; people who appear twice are counted once in a directory, not here.",
        )
