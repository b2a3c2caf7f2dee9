"""Exposures of sensitive values: people, the largest chance first, put into words when they are looked at."""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.directory.inference.reach import OtherDirectory, OwnTable
from giveaway.attacks.directory.inference.tally import AttributeTally, InDirectory
from giveaway.attacks.directory.inference.told import ColumnTold
from giveaway.attacks.directory.question import Columns, DirectoryQuestion
from giveaway.attacks.directory.reporting import inference
from giveaway.attacks.directory.reporting.exposures import Followed, RowsOfKinds
from giveaway.attacks.wording import named
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Exposure, Learnt, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class ToldPerson(Followed):
    """A person of whom a value is told, who remembers where they stand, to be looked up in another release."""

    person: InitVar[tuple[DirectoryQuestion, Tolerance, int, int]]

    def __post_init__(self, person: tuple[DirectoryQuestion, Tolerance, int, int]) -> None:
        object.__setattr__(self, "_person", person)

    def chance_in(self, release: Release) -> Chance:
        """Return the worst that is told of the same person by another release."""
        from giveaway.attacks.directory.measure import told_in

        question, tolerance, directory, kind = vars(self)["_person"]
        tally = told_in(release, question.attacker, tolerance)
        return Fraction(0) if tally is None else tally.directories[directory].judged.chances[kind]


class ToldPeople(Listed):
    """One exposure for each person of the directory with most people over the limit, by falling chance."""

    def __init__(self, question: DirectoryQuestion, tally: AttributeTally) -> None:
        self._question, self._tally = question, tally
        self._place = tally.directories.index(tally.worst_directory)

    @property
    def _people(self) -> InDirectory:
        return self._tally.directories[self._place]

    @cached_property
    def _order(self) -> Ints:
        """The kinds of people, the largest chance first."""
        chances = np.array([float(chance) for chance in self._people.judged.chances])
        return np.lexsort((np.arange(len(chances)), -chances))

    @cached_property
    def _ends(self) -> Ints:
        """How many people stand in each kind of that order and those before it; who has several entries, in each."""
        persons = self._people.source.persons
        many = persons.alone + np.bincount(persons.several_kind, minlength=len(persons.alone))
        ends: Ints = np.cumsum(many[self._order])
        return ends

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        kind, inside = self._at(place)
        return self._exposure(kind, self._named(kind, inside))

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words."""
        kind, inside = self._at(place)
        column, target = self._inferred(kind).column, int(self._people.judged.targets[kind])
        plain = column.close is None and target >= 0
        value = column.called(target) if plain else self._learnt(kind).value
        return "attribute", self._named(kind, inside), value, self._people.judged.chances[kind]

    def _at(self, place: int) -> tuple[int, int]:
        """Return the kind of person at a place, and which of these it is."""
        rank = int(np.searchsorted(self._ends, place, "right"))
        before = int(self._ends[rank - 1]) if rank else 0
        return int(self._order[rank]), place - before

    def _named(self, kind: int, inside: int) -> Label | Mapping[str, Label]:
        """Name a person: by their record, their identifier in the directory, or what is known of them."""
        source = self._people.source
        if isinstance(source, OwnTable):
            return self._question.original.record(self._own_rows.of(kind)[inside])
        assert isinstance(source, OtherDirectory)  # noqa: S101 # there are two
        people = source.people
        if people.ids is not None and people.entries is not None:
            lines = np.flatnonzero(people.entries == kind)
            if inside < len(lines):
                return people.ids[int(lines[inside])]
        return {
            name: people.labels[name][int(codes[kind])]
            for name, codes in people.columns.items()
            if codes[kind] >= 0
        }

    @cached_property
    def _own_rows(self) -> RowsOfKinds:
        source = self._people.source
        assert isinstance(source, OwnTable)  # noqa: S101 # asked for records only
        return RowsOfKinds(self._question.original, source.kind_of_row)

    def _exposure(self, kind: int, target: Label | Mapping[str, Label]) -> Exposure:
        question, worst = self._question, self._people.judged
        learnt = self._learnt(kind)
        return ToldPerson(
            target=target,
            kind="attribute",
            chance=worst.chances[kind],
            baseline=learnt.usual,
            value=learnt.value,
            because=learnt.because(),
            person=(question, self._tally.tolerance, self._place, kind),
        )

    def _learnt(self, kind: int) -> inference.Learnt:
        """Return what is learnt of a kind of people."""
        inferred = self._inferred(kind)
        return inference.Learnt(
            inferred=inferred,
            profile=int(self._people.source.profile_of(inferred.columns)[kind]),
            target=int(self._people.judged.targets[kind]),
            chance=self._people.judged.chances[kind],
            earlier_plans_fail=self._people.earlier_plans_fail,
            columns=tuple(self._question.compared[place] for place in inferred.columns),
        )

    def _inferred(self, kind: int) -> ColumnTold:
        inferred = self._people.judged.inferred[kind]
        assert inferred is not None  # noqa: S101 # there is a sensitive column
        return inferred

    @property
    def largest(self) -> Fraction:
        """The largest chance."""
        return self._people.judged.chances[int(self._order[0])] if len(self) else Fraction(0)

    def worked(self) -> tuple[Step, ...]:
        """Show column by column how what is known narrows the records that may be somebody's, and what these show."""
        if not len(self):
            return ()
        kind, source = int(self._order[0]), self._people.source
        learnt = self._learnt(kind)
        compared = self._question.compared
        known = {place: source.known(kind, compared[place]) for place in learnt.inferred.columns}
        telling = [place for place, label in known.items() if label is not None]
        alone = {place: self._rows(kind, (place,)) for place in telling}
        order = sorted(telling, key=lambda place: (-alone[place], place))
        steps = [Step(label=f"all released {nouns().records}", count=self._question.records)]
        for size, place in enumerate(order, 1):
            label = f"with {compared[place]} {named(known[place] or '')}"
            steps.append(Step(label=label, count=self._rows(kind, tuple(sorted(order[:size])))))
        if learnt.shown < learnt.rows:
            steps.append(Step(label=f"that show {learnt.inferred.column.name}", count=learnt.shown))
        if learnt.shown and learnt.target >= 0:
            close = learnt.inferred.column.close is not None
            label = f"for which a guess {learnt.what}" if close else f"that show {learnt.what}"
            steps.append(Step(label=label, count=learnt.right))
        return tuple(steps)

    def _rows(self, kind: int, columns: Columns) -> int:
        """Count the released records that may be somebody's for whoever compares some columns."""
        source, column = self._people.source, self._inferred(kind).column
        inferred = ColumnTold(column=column, columns=columns, reach=source.reach(column, columns))
        return int(inferred.rows[source.profile_of(columns)[kind]])


class Both(Listed):
    """The exposures of two lists in turn, each in its own order; the list with the larger chance stands first."""

    def __init__(self, first: Listed, second: Listed) -> None:
        self._lists = first, second

    def __len__(self) -> int:
        return sum(map(len, self._lists))

    def at(self, place: int) -> Exposure:
        """Return the exposure at a place: one of the first list, one of the second, then what is left of the longer."""
        exposures, inside = self._at(place)
        return exposures.at(inside)

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words."""
        exposures, inside = self._at(place)
        return exposures.learnt(inside)

    def _at(self, place: int) -> tuple[Listed, int]:
        first, second = self._lists
        both = min(len(first), len(second))
        if place < 2 * both:
            return self._lists[place % 2], place // 2
        return first if len(first) > len(second) else second, place - both
