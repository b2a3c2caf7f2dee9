"""Who is over the limit of a sensitive value: each person by the worst that somebody is told of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.inference.reach import InBlocks, OtherDirectory, OwnTable
from giveaway.attacks.directory.inference.sensitive import Sensitive, sensitive_columns
from giveaway.attacks.directory.inference.told import ColumnTold, Flags
from giveaway.attacks.directory.losses import informed
from giveaway.attacks.directory.question import Columns, DirectoryQuestion
from giveaway.attacks.directory.readings.attribute_chances import TargetRisk
from giveaway.crowds.split import Views
from giveaway.errors import NothingToJudge
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell, telling
from giveaway.model.question.tolerance import Tolerance

_ONE = Fraction(1)


@dataclass(frozen=True, kw_only=True, eq=False)
class WorstTold:
    """The worst that is told of each kind of person: in which column, to whom, and how likely."""

    scale: Sequence[Fraction]
    """All chances that somebody has."""
    place: Ints
    """The place of each one's chance in the scale."""
    inferred: Sequence[ColumnTold | None]
    targets: Ints
    """The target or guess of each, -1 where nothing is told."""

    @cached_property
    def chances(self) -> list[Fraction]:
        """The chance of each."""
        return [self.scale[at] for at in self.place.tolist()]

    def over(self, limit: Fraction) -> Flags:
        """Tell of which kinds of people the chance is above a limit."""
        return np.array([chance > limit for chance in self.scale], np.bool_)[self.place]

    @property
    def certain(self) -> Flags:
        """Of which kinds of people a target is certain."""
        return np.array([chance >= 1 for chance in self.scale], np.bool_)[self.place]


_Inferred = tuple[OwnTable | OtherDirectory, tuple[ColumnTold, ...]]
"""The people of one directory, with what is told of them whatever is tolerated."""


@dataclass(frozen=True, kw_only=True, eq=False)
class InDirectory:
    """The people of one directory, and what is told of them."""

    source: OwnTable | OtherDirectory
    inferred: tuple[ColumnTold, ...]
    """One for each sensitive column and each set of columns that somebody may compare."""
    limit: Fraction
    attacker: KnowsDirectory
    earlier_plans_fail: Fraction

    @cached_property
    def any(self) -> WorstTold:
        """The worst of any target, whether it is true or not."""
        return self._worst(own=())

    @cached_property
    def true(self) -> WorstTold | None:
        """The worst of a target that holds the own value; None where it is not known which record is whose."""
        return self._worst(own=self.inferred) if isinstance(self.source, OwnTable) else None

    @cached_property
    def judged(self) -> WorstTold:
        """What the verdict rests on.

        Where equal people are in different forms, what is true of them is not seen in the release. That nobody is over the
        limit with it would then tell it to somebody who knows the method: any target is judged there.
        """
        if self.attacker.judges != "true" or self.true is None:
            return self.any
        seen = [one for one in self.inferred if not (self.attacker.knows_method and one.splits)]
        return self.true if len(seen) == len(self.inferred) else self._worst(own=seen)

    def _worst(self, *, own: Sequence[ColumnTold]) -> WorstTold:
        many = len(self.source.persons.alone)
        seen: list[tuple[Views, Ints]] = []
        for one in self.inferred:
            profile = self.source.profile_of(one.columns)
            if one in own:
                assert isinstance(self.source, OwnTable)  # noqa: S101 # own values are known
                seen.append((one.own(profile, self.source.true(one.column)), np.arange(many)))
            else:
                seen.append((one.views, profile))
        # Fractions are put into order once, and people are then compared by places in it; -1: nothing is told.
        ordered = sorted({chance for views, _ in seen for chance in views.chances})
        place_of = {chance: place for place, chance in enumerate(ordered)}
        largest, which, targets = (np.full(many, -1) for _ in range(3))
        for number, (views, line) in enumerate(telling("comparing what is told of people", seen)):
            places = np.array([place_of[chance] for chance in views.chances], np.int64)[line]
            more = places > largest
            largest[more], which[more], targets[more] = places[more], number, views.values[line[more]]
        scale, inferred = [*ordered, Fraction(0)], [*self.inferred, None]
        if self.earlier_plans_fail < 1:
            scale = [informed(chance, self.earlier_plans_fail) for chance in scale]
        return WorstTold(
            scale=scale, place=largest, inferred=[inferred[at] for at in which.tolist()], targets=targets
        )

    def over(self, worst: WorstTold) -> Flags:
        """Tell which kinds of people are over the limit."""
        return worst.over(self.limit)

    @cached_property
    def exposed(self) -> int:
        """How many people are over the limit."""
        return self.source.persons.where(self.over(self.judged))

    def is_over_in(self, column: Sensitive) -> bool:
        """Tell whether anybody is over the limit with a value of one column."""
        inferred = tuple(one for one in self.inferred if one.column is column)
        return bool(self.over(replace(self, inferred=inferred).judged).any())

    @cached_property
    def certain(self) -> int:
        """Of how many people a target is certain."""
        return self.source.persons.where(self.judged.certain)

    @property
    def true_above(self) -> int | None:
        """How many people are over the limit with what is true of them."""
        return None if self.true is None else self.source.persons.where(self.over(self.true))

    @cached_property
    def without_row(self) -> int:
        """Of how many people no row that may be theirs shows or hides a sensitive column, the worst of those published."""
        inferred = [one for one in self.inferred if one.shares.total] or self.inferred
        none: dict[str, Flags] = {}
        for one in inferred:
            if one.columns:
                without = one.without_row()[self.source.profile_of(one.columns)]
                none[one.column.name] = none.get(one.column.name, without) & without
        return max(map(self.source.persons.everywhere, none.values()), default=0)

    @property
    def people(self) -> int:
        """The number of people."""
        return len(self.source.persons)

    @property
    def min_rows(self) -> int:
        """The fewest rows that may be somebody's, of those whose row may be somewhere."""
        rows = np.concatenate([one.rows for one in self.inferred])
        return int(rows[rows > 0].min(initial=rows.max(initial=0)))

    def target_risks(self, column: Sensitive) -> list[TargetRisk]:
        """Return of each target of a column the largest chance and how many people are over the limit."""
        parts = [one for one in self.inferred if one.column is column]
        wanted = np.append(
            np.flatnonzero(column.targets.single),
            np.arange(len(column.targets.single), len(column.targets)),
        )
        limit = self.limit * self.earlier_plans_fail
        over = {target: np.zeros(len(self.source.persons.alone), np.bool_) for target in wanted.tolist()}
        worst = dict.fromkeys(wanted.tolist(), Fraction(0))
        for one in parts:
            pairs, above = one.pairs, one.pairs.over(limit)
            profile = self.source.profile_of(one.columns)
            by_target = np.argsort(pairs.value, kind="stable")
            starts = np.searchsorted(pairs.value[by_target], np.arange(len(column.targets) + 1))
            for target in telling("looking for the worst of each value", wanted.tolist()):
                here = by_target[starts[target] : starts[target + 1]]
                if not len(here):
                    continue
                marks = np.zeros(len(one.rows), np.bool_)
                marks[pairs.profile[here[above[here]]]] = True
                over[target] |= marks[profile]
                near = here[pairs.shares[here] >= pairs.shares[here].max() - 1e-9]
                worst[target] = max(
                    worst[target],
                    *(
                        pairs.chance(pair)
                        for pair in telling("working out exact chances", near.tolist(), every=1_000)
                    ),
                )
        return [
            TargetRisk(
                target=target,
                baseline=parts[0].usual(target),
                worst=informed(worst[target], self.earlier_plans_fail),
                exposed=self.source.persons.where(over[target]),
            )
            for target in wanted.tolist()
        ]


@dataclass(frozen=True, kw_only=True, eq=False)
class AttributeTally:
    """What is told of sensitive values, in each directory; the worst directory counts."""

    columns: tuple[Sensitive, ...]
    count: Ints
    """The rows of each line of equal ones."""
    directories: tuple[InDirectory, ...]
    tolerance: Tolerance

    @property
    def limit(self) -> Fraction:
        """The limit of a sensitive value, 1 where none is given."""
        return _ONE if self.tolerance.attribute is None else self.tolerance.attribute

    @cached_property
    def worst_directory(self) -> InDirectory:
        """The directory with the largest part of its people over the limit."""
        return max(self.directories, key=lambda one: Fraction(one.exposed, max(one.people, 1)))

    @property
    def share(self) -> Fraction:
        """The part of the people who are over the limit, in the worst directory."""
        return Fraction(self.worst_directory.exposed, max(self.worst_directory.people, 1))

    @cached_property
    def worst(self) -> Fraction:
        """The largest chance of a target that is judged."""
        return max((chance for one in self.directories for chance in one.judged.chances), default=Fraction(0))

    @cached_property
    def baseline(self) -> Fraction:
        """The largest chance of somebody who knows nothing of the person."""
        return max((one.baseline for one in self.directories[0].inferred), default=Fraction(0))

    @property
    def too_common(self) -> list[tuple[Sensitive, int, Fraction]]:
        """The targets that are over the limit for somebody who knows nothing of the person, with their share; -1: a guess."""
        common: list[tuple[Sensitive, int, Fraction]] = []
        for column in self.columns:
            one = next(part for part in self.directories[0].inferred if part.column is column)
            shares = (
                {-1: one.baseline}
                if column.close is not None
                else {target: one.usual(target) for target in range(len(column.targets))}
            )
            common += [(column, target, share) for target, share in shares.items() if share > self.limit]
        return common

    @property
    def counts_rows(self) -> bool:
        """Whether it is only known which rows tell too much, and not of how many people: of more, maybe, than there are rows."""
        return any(isinstance(one.source, InBlocks) for one in self.directories) and self.share > 0

    @property
    def mostly_without(self) -> bool:
        """Whether more than half of the people of some directory have no row that says anything of them."""
        return any(2 * one.without_row > one.people for one in self.directories)


def attribute_tally(
    question: DirectoryQuestion, tolerance: Tolerance, sets: Iterable[Columns] | None = None
) -> AttributeTally | None:
    """Work out what is told of sensitive values; None where none is published next to the columns compared.

    `sets` are the columns that somebody may compare, by default what the attacker says.
    """
    attacker = question.attacker

    def counted() -> tuple[tuple[Sensitive, ...], tuple[_Inferred, ...]]:
        columns = tuple(sensitive_columns(question))
        compared = tuple(question.column_sets() if sets is None else sets)
        return columns, _inferred_of(question, columns, compared) if columns else ()

    # What is told depends on no limit: asked again with another, only the comparison is done again.
    key = (question.release, attacker)
    columns, sources = (
        question.published.remember("told, whatever is tolerated", key, counted)
        if sets is None
        else counted()
    )
    if not columns:
        return None
    return AttributeTally(
        columns=columns,
        count=question.lines.count,
        directories=tuple(
            InDirectory(
                source=source,
                inferred=inferred,
                limit=_ONE if tolerance.attribute is None else tolerance.attribute,
                attacker=attacker,
                earlier_plans_fail=question.earlier_plans_fail,
            )
            for source, inferred in sources
        ),
        tolerance=tolerance,
    )


def _inferred_of(
    question: DirectoryQuestion, columns: Sequence[Sensitive], compared: Sequence[Columns]
) -> tuple[_Inferred, ...]:
    """Count what the people of each directory are told of each sensitive column, for each set of columns compared."""
    tell("counting sensitive values", 0)
    sources = _sources(question, tuple(columns), compared)
    return tuple(
        (
            source,
            tuple(
                ColumnTold(column=column, columns=chosen, reach=source.reach(column, chosen))
                for chosen in compared
                for column in columns
            ),
        )
        for source in sources
    )


def _sources(
    question: DirectoryQuestion, columns: tuple[Sensitive, ...], compared: Sequence[Columns]
) -> tuple[OwnTable | OtherDirectory, ...]:
    """Return the people of whom something is told."""
    less = question.beside and any(question.knows_less(chosen) for chosen in compared)
    if question.lookup.is_own:
        return (InBlocks(question) if less else OwnTable(question, columns),)
    if less:
        raise NothingToJudge(
            "What is withheld was chosen for several attackers, and what that tells somebody with another directory of "
            "sensitive values is not worked out.",
            hint="ask about this attacker alone, or leave people out.",
        )
    return tuple(OtherDirectory(question, place) for place in range(len(question.lookup.matchings)))


def unlimited_tally(question: DirectoryQuestion, tolerance: Tolerance) -> AttributeTally | None:
    """Work out what is told where that is not limited; None where values are compared by likeness."""
    try:
        return attribute_tally(question, tolerance)
    except NothingToJudge:
        return None
