"""The directories of an attacker, and how the columns of a table are compared with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Lookup:
    """Directories that records are looked up in, attribute by attribute; the first attributes are compared."""

    attributes: tuple[str, ...]
    compared: int
    """How many attributes are compared; the others agree with everybody."""
    matchings: tuple[Matching, ...]
    is_own: bool
    """Whether the table itself is the directory."""
    hierarchies: Mapping[str, Hierarchy]
    gaps: Gaps
    """Whether somebody whose value is missing agrees with no value that is shown, or with every one."""
    likely: tuple[Matching, ...] = ()
    """The directories with everybody counted as often as they are likely; none where all are equally likely."""

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
        coarser = None if levels is None or not levels.any() else levels
        return np.stack([matching.candidates(values, coarser) for matching in self.matchings], axis=1)

    def likely_crowds(self, values: Codes, levels: NDArray[np.int8] | None) -> Ints:
        """Add up the likelihoods of those who agree with each disclosed record, in each directory."""
        coarser = None if levels is None or not levels.any() else levels
        return np.stack([matching.candidates(values, coarser) for matching in self.likely], axis=1)

    def crowds_of(self, groups: DisclosedGroups, columns: NDArray[np.bool_] | None = None) -> Ints:
        """Count who agrees with groups of records, when some columns only are compared."""
        if columns is None:
            return self.crowds(groups.values, groups.levels)
        values = np.where(columns, groups.values, HIDDEN).astype(np.int32)
        return self.crowds(values, np.where(columns, groups.levels, 0).astype(np.int8))


def look_up(
    table: Table,
    attacker: KnowsDirectory,
    compared: tuple[str, ...],
    weighed: tuple[str, ...],
    hierarchies: Mapping[str, Hierarchy],
    gaps: Gaps,
) -> Lookup:
    """Make the directories ready, the table itself where there is none."""
    own = not attacker.directories
    directories = (
        (_itself(table, compared, attacker),)
        if own
        else tuple(people.in_classes(table.classes) for people in attacker.directories)
    )
    likely = [one.in_classes(table.classes).people for one in attacker.likelihoods]

    def matchings(held: Sequence[People]) -> tuple[Matching, ...]:
        return tuple(
            matched(people, table, attacker, compared, weighed, hierarchies, gaps) for people in held
        )

    return Lookup(
        attributes=(*compared, *weighed),
        compared=len(compared),
        matchings=matchings(directories),
        likely=matchings(likely),
        is_own=own,
        hierarchies=hierarchies,
        gaps=gaps,
    )


def _itself(table: Table, compared: tuple[str, ...], attacker: KnowsDirectory) -> People:
    """Make a directory of the table, whose ids are all different; who its people are matters to a true directory only."""
    return People.from_table(table, compared, named=attacker.true_directory is not None)


def matched(
    people: People,
    table: Table,
    attacker: KnowsDirectory,
    compared: tuple[str, ...],
    weighed: tuple[str, ...],
    hierarchies: Mapping[str, Hierarchy],
    gaps: Gaps,
) -> Matching:
    """Say for each attribute of a table which values agree with which of a directory."""
    names = [name if name in people.columns else None for name in compared]
    agreements: list[tuple[Agreement, ...]] = []
    for name in (*compared, *weighed):
        hierarchy = hierarchies.get(name)
        if name not in people.columns or name not in compared:
            agreements.append((ANYTHING,) * (1 if hierarchy is None else hierarchy.depth + 1))
        elif name in attacker.match:
            how, ours, theirs = attacker.match[name], table.labels[name], people.labels[name]
            agreement = (
                near(ours, theirs, how.at_least)
                if isinstance(how, Jaro)
                else within(ours, theirs, how.distance)
            )
            agreements.append((agreement,))
        elif name in table.classes and (met := _in_several(table.classes[name], people.labels[name])):
            agreements.append(tuple(_of_intervals(met, table.labels[name], hierarchy)))
        else:
            levels = () if hierarchy is None else _levels(people.labels[name], hierarchy)
            agreements.append((exact(table.labels[name], people.labels[name]), *levels))
    return Matching(
        people=people,
        names=(*names, *(None for _ in weighed)),
        agreements=tuple(agreements),
        gaps=gaps,
    )


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
