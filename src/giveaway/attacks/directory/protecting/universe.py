"""Everybody whom a plan is made for: the profiles of the people of all directories and of the records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.crowds.forms import ColumnForms, Vectors
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.people import BLANK, People, PlannedForms


@dataclass(frozen=True, kw_only=True, eq=False)
class Universe:
    """The profiles that somebody in a directory or a record has, with the number of people of each directory."""

    question: DirectoryQuestion
    codes: Codes
    labels: tuple[tuple[Label, ...], ...]
    """What the codes of each column stand for."""
    levels: tuple[ColumnForms, ...]
    listed: tuple[Ints, ...]
    """How many people of each directory have each profile; of several entries of one person each counts."""
    entries_each: tuple[Ints | None, ...]
    """How many entries somebody with a profile has at most, where some have several."""
    of_entry: tuple[Ints, ...]
    """The profile of each entry of each directory."""
    of_row: Ints
    """The profile of each record."""

    @classmethod
    def of(cls, question: DirectoryQuestion) -> "Universe":
        """Gather the profiles; a column that a directory does not have is missing for its people."""
        table, names = question.original, question.compared
        directories = [matching.people for matching in question.lookup.matchings]
        parts, values, levels = [], [], []
        for name in names:
            known = [people.labels[name] for people in directories if name in people.labels]
            labels = in_order(label for some in (table.labels[name], *known) for label in some)
            code_of = {str(label): code for code, label in enumerate(labels)}
            columns = [_coded(people, name, code_of) for people in directories]
            own = np.array([*(code_of[str(label)] for label in table.labels[name]), HIDDEN], np.int32)
            parts.append(np.concatenate([*columns, own[table.columns[name]]]))
            values.append(tuple(labels))
            levels.append(column_levels(labels, question.release.hierarchies.get(name)))
        profile_of, first = alike(parts)
        ends = np.cumsum([len(people.alone) for people in directories])
        *of_entry, of_record = np.split(profile_of, ends)
        return cls(
            question=question,
            codes=np.stack(parts, axis=1)[first].astype(np.int32),
            labels=tuple(values),
            levels=tuple(levels),
            listed=tuple(
                _counted(people, of, len(first)) for people, of in zip(directories, of_entry, strict=True)
            ),
            entries_each=tuple(
                _most_entries(people, of, len(first))
                for people, of in zip(directories, of_entry, strict=True)
            ),
            of_entry=tuple(of_entry),
            of_row=of_record[table.record_of],
        )

    def planned(self, levels: Vectors, last: Vectors) -> tuple[PlannedForms, ...]:
        """Return how everybody of each directory would be shown."""
        shown = np.where(levels == last, BLANK, levels).astype(np.int8)
        return tuple(
            PlannedForms(people=matching.people, columns=self.question.compared, levels=shown[of])
            for matching, of in zip(self.question.lookup.matchings, self.of_entry, strict=True)
        )


def _coded(people: People, name: str, code_of: Mapping[str, int]) -> Codes:
    if name not in people.columns:
        return np.full(len(people.alone), HIDDEN, np.int32)
    return np.array([*(code_of[str(label)] for label in people.labels[name]), HIDDEN], np.int32)[
        people.columns[name]
    ]


def _counted(people: People, profile: Ints, size: int) -> Ints:
    alone = np.bincount(profile, weights=people.alone, minlength=size)
    several = np.bincount(profile[people.several_entry], minlength=size)
    return alone.astype(np.int64) + several


def _most_entries(people: People, profile: Ints, size: int) -> Ints | None:
    if not people.several:
        return None
    most = np.ones(size, np.int64)
    entries = np.bincount(people.several_person)[people.several_person]
    np.maximum.at(most, profile[people.several_entry], entries)
    return most


def column_levels(labels: Sequence[Label], hierarchy: Hierarchy | None) -> ColumnForms:
    """Return how values can be published; a coarser label costs by its level, a blank costs 1."""
    if hierarchy is None or any(hierarchy.labels(label) is None for label in labels):
        return ColumnForms(values=len(labels))
    depth = hierarchy.depth
    return ColumnForms(
        values=len(labels),
        coarser=tuple(hierarchy.codes(labels, level).tolist() for level in range(1, depth + 1)),
        costs=tuple(Fraction(level, depth + 1) for level in range(1, depth + 2)),
    )
