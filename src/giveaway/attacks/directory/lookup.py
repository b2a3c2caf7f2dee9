"""The directories of an attacker, and how the columns of a table are compared with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import Jaro, KnowsDirectory
from giveaway.attacks.directory.candidates.agreement import (
    ANYTHING,
    Agreement,
    ExactKeys,
    Near,
    exact,
    listed,
    near,
    within,
)
from giveaway.attacks.directory.candidates.count import Matching
from giveaway.attacks.directory.disclosed_groups import HIDDEN, DisclosedGroups
from giveaway.model.classes.fixed import Classes
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import ANYTHING as NOTHING
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import Gaps, People
from giveaway.model.data.table import Table

ELSEWHERE = -2
"""The code of a label that the other side does not have."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lookup:
    """Directories that the records of a table are looked up in, attribute by attribute; the first attributes are compared."""

    table: Table
    attacker: KnowsDirectory
    attributes: tuple[str, ...]
    compared: int
    """How many attributes are compared; the others agree with everybody."""
    hierarchies: Mapping[str, Hierarchy]
    gaps: Gaps
    """Whether somebody whose value is missing agrees with no value that is shown, or with every one."""

    def __post_init__(self) -> None:
        _ = self.matchings, self.likely  # values that cannot be compared are refused at once

    @property
    def is_own(self) -> bool:
        """Whether the table itself is the directory."""
        return not self.attacker.directories

    @cached_property
    def matchings(self) -> tuple[Matching, ...]:
        """The directories; the table itself, whose ids are all different, where there is none.

        Who its people are matters to a true directory only.
        """
        if not self.is_own:
            return tuple(
                self.matched(people.in_classes(self.table.classes)) for people in self.attacker.directories
            )
        named = self.attacker.true_directory is not None
        return (self.matched(People.from_table(self.table, self.attributes[: self.compared], named=named)),)

    @cached_property
    def likely(self) -> tuple[Matching, ...]:
        """The directories with everybody counted as often as they are likely; none where all are equally likely."""
        classes = self.table.classes
        return tuple(self.matched(one.in_classes(classes).people) for one in self.attacker.likelihoods)

    @cached_property
    def holds(self) -> bool | None:
        """Whether every directory holds the records; None where ids do not tell."""
        if self.is_own:
            return True
        answers = [self._holds(matching.people) for matching in self.matchings]
        return None if None in answers else all(answers)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of people in each directory."""
        return tuple(len(matching.people) for matching in self.matchings)

    @property
    def names(self) -> tuple[str, ...]:
        """What the directories are called."""
        return tuple(matching.people.name for matching in self.matchings)

    def gap(self, directory: int, place: int) -> bool:
        """Tell whether somebody of a directory agrees with an attribute because theirs is missing."""
        matching = self.matchings[directory]
        name = matching.names[place]
        return self.gaps == "agree" and name is not None and HIDDEN in matching.people.columns[name]

    def crowds(self, values: Codes, levels: NDArray[np.int8] | None) -> Ints:
        """Count who agrees with each disclosed record, a row of values, in each directory."""
        return _counted(self.matchings, values, levels)

    def likely_crowds(self, values: Codes, levels: NDArray[np.int8] | None) -> Ints:
        """Add up the likelihoods of those who agree with each disclosed record, in each directory."""
        return _counted(self.likely, values, levels)

    def crowds_of(self, groups: DisclosedGroups, columns: NDArray[np.bool_] | None = None) -> Ints:
        """Count who agrees with groups of records, when some columns only are compared."""
        if columns is None:
            return self.crowds(groups.values, groups.levels)
        values = np.where(columns, groups.values, HIDDEN).astype(np.int32)
        return self.crowds(values, np.where(columns, groups.levels, 0).astype(np.int8))

    def matched(self, people: People) -> Matching:
        """Say for each attribute of the table which values agree with which of a directory."""
        compared = self.attributes[: self.compared]
        return Matching(
            people=people,
            names=tuple(
                name if name in compared and name in people.columns else None for name in self.attributes
            ),
            agreements=tuple(
                tuple(self._agreements(name, people if name in compared else None))
                for name in self.attributes
            ),
            gaps=self.gaps,
        )

    def _holds(self, people: People) -> bool | None:
        """Tell whether every record is in a directory: the same id, with values that agree."""
        table = self.table
        if table.id is None or people.ids is None or people.entries is None:
            return None
        rows, lines = paired(table.ids, people.ids)
        fits = np.ones(len(rows), np.bool_)
        for name in self.attributes[: self.compared]:
            if name not in people.columns:
                continue
            code_of = {str(label): code for code, label in enumerate(people.labels[name])}
            codes = [*(code_of.get(str(label), ELSEWHERE) for label in table.labels[name]), HIDDEN]
            ours = np.array(codes, np.int32)[table.columns[name][table.record_of[rows]]]
            theirs = people.columns[name][people.entries[lines]]
            gap = (theirs == HIDDEN) & (self.gaps == "agree")
            fits &= (ours == HIDDEN) | gap | (ours == theirs)
        return all_fitting(fits, rows, len(table))

    def _agreements(self, name: str, people: People | None) -> Iterator[Agreement]:
        """Give the agreement of the values of an attribute, then that of each level; without people everybody agrees."""
        hierarchy, labels = self.hierarchies.get(name), self.table.labels[name]
        if people is None or name not in people.columns:
            yield from (ANYTHING,) * (1 if hierarchy is None else hierarchy.depth + 1)
            return
        theirs = people.labels[name]
        how = self.attacker.match.get(name)
        if isinstance(how, Jaro):
            yield near(labels, theirs, how.at_least)
        elif how is not None:
            yield within(labels, theirs, how.distance)
        elif name in self.table.classes and (met := _in_several(self.table.classes[name], theirs)):
            yield from _of_intervals(met, labels, hierarchy)
        else:
            yield exact(labels, theirs)
            yield from () if hierarchy is None else _levels(theirs, hierarchy)


def paired(ours: Sequence[Label], theirs: Sequence[Label]) -> tuple[Ints, Ints]:
    """Return all pairs of places whose ids are written the same."""
    rows_of: dict[str, list[int]] = {}
    for place, label in enumerate(theirs):
        rows_of.setdefault(str(label), []).append(place)
    pairs = [(at, place) for at, label in enumerate(ours) for place in rows_of.get(str(label), ())]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def all_fitting(fits: NDArray[np.bool_], of: Ints, size: int) -> bool:
    """Tell whether for each of so many places one of its pairs fits."""
    return len(np.unique(of[fits])) == size


def _counted(matchings: Sequence[Matching], values: Codes, levels: NDArray[np.int8] | None) -> Ints:
    coarser = None if levels is None or not levels.any() else levels
    return np.stack([matching.candidates(values, coarser) for matching in matchings], axis=1)


def _in_several(classes: Classes, labels: Sequence[Label]) -> list[tuple[str, ...]]:
    """Return the classes that each value of a directory agrees with; nothing where none agrees with several."""
    met = [classes.agreeing(str(label)) or () for label in labels]
    return met if any(len(each) > 1 for each in met) else []


def _of_intervals(
    met: Sequence[tuple[str, ...]], labels: Sequence[Label], hierarchy: Hierarchy | None
) -> Iterator[Near]:
    """Let classes, and the labels of each level above them, agree with whoever has a value in common with them."""
    place = {str(label): code for code, label in enumerate(labels)}
    yield listed([[place[label] for label in each if label in place] for each in met], len(labels))
    for level in range(1, 1 + (0 if hierarchy is None else hierarchy.depth)):
        assert hierarchy is not None  # noqa: S101 # it has levels
        groups = hierarchy.groups(level)
        codes = dict(zip(map(str, labels), hierarchy.codes(labels, level).tolist(), strict=True))
        everybody = {code for code, label in enumerate(groups) if label == NOTHING}
        yield listed([{codes[x] for x in each if x in codes} | everybody for each in met], len(groups))


def _levels(labels: Sequence[Label], hierarchy: Hierarchy) -> Iterator[ExactKeys]:
    """Let labels of a hierarchy agree with the values of people that they stand for; one that says nothing, with all."""
    for level in range(1, hierarchy.depth + 1):
        groups = hierarchy.groups(level)
        codes = [HIDDEN if label == NOTHING else code for code, label in enumerate(groups)]
        yield ExactKeys(np.array(codes, np.int32), hierarchy.codes(labels, level))
