"""Entries of the same rows in two releases: blank in one and shown in the other, or shown as something else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data.alike import Shared, shared
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.releases.pairing import PairedRows
from giveaway.releases.stored import Stored

Flags = NDArray[np.bool_]
Levels = Mapping[str, Ints]
"""For each column the level at which each row of a release shows its entry; 0 is the value itself."""

CHANGES = ("filled_in", "hides_nothing", "finer", "coarser", "changed")
"""What can become of an entry, in the order in which it is told."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry that the two releases show differently; rows are counted from 1."""

    change: str
    column: str
    old_row: int
    new_row: int
    old: Label | None
    """None where it is blank."""
    new: Label | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Entries:
    """What became of the entries of rows that are in both releases."""

    by_column: Mapping[str, Mapping[str, int]]
    """For each column in which something differs how many entries of it changed in which way."""
    listed: tuple[Entry, ...]

    def total(self, change: str) -> int:
        """Count the entries of all columns that changed in one way."""
        return sum(of[change] for of in self.by_column.values())


def compared(
    tables: tuple[Table, Table], pairs: PairedRows, levels: tuple[Levels, Levels], most: int
) -> Entries:
    """Compare the entries of paired rows in the columns that both tables have; list at most so many."""
    both = shared(*tables)
    rows = tables[0].record_of[pairs.old], tables[1].record_of[pairs.new]
    by_column: dict[str, dict[str, int]] = {}
    listed: list[Entry] = []
    for place, name in enumerate(both.names):
        old, new = both.first[rows[0], place], both.second[rows[1], place]
        marked = _marked(old, new, _at(levels[0], name, pairs.old), _at(levels[1], name, pairs.new))
        if any(there.any() for there in marked.values()):
            by_column[name] = {change: int(marked[change].sum()) for change in CHANGES}
        for change in CHANGES:
            at = np.flatnonzero(marked[change])[: max(0, most - len(listed))]
            listed += _entries(change, name, at, pairs, (old, new), both, place)
    return Entries(by_column=by_column, listed=tuple(listed))


def levels_of(release: Stored, rows: int) -> Levels:
    """Return at which level the rows of a release show the entries that its owner knows to be coarser."""
    if release.kept is None:
        return {}
    numbers = np.arange(rows) if release.kept.places is None else release.kept.places
    levels = {}
    coarser = release.kept.withheld.levels
    for name in coarser.columns:
        at, level = coarser.of(name)
        if len(at) and not at.max() < rows:
            raise DataError(f"The owner's file names entries that {release.name} does not have.")
        of_original = np.zeros(rows, np.int64)
        of_original[at] = level
        levels[name] = of_original[numbers]
    return levels


def _marked(old: Ints, new: Ints, old_level: Ints | int, new_level: Ints | int) -> dict[str, Flags]:
    differs = (old >= 0) & (new >= 0) & (old != new)
    finer, coarser = differs & (new_level < old_level), differs & (new_level > old_level)
    return {
        "filled_in": (old < 0) & (new >= 0),
        "hides_nothing": (old >= 0) & (new < 0),
        "finer": finer,
        "coarser": coarser,
        "changed": differs & ~finer & ~coarser,
    }


def _at(levels: Levels, name: str, rows: Ints) -> Ints | int:
    return levels[name][rows] if name in levels else 0


def _entries(
    change: str, name: str, at: Ints, pairs: PairedRows, codes: tuple[Ints, Ints], both: Shared, place: int
) -> Iterator[Entry]:
    labels = (*both.labels[place], None)  # -1, blank, is the last
    for row in at.tolist():
        yield Entry(
            change=change,
            column=name,
            old_row=int(pairs.old[row]) + 1,
            new_row=int(pairs.new[row]) + 1,
            old=labels[codes[0][row]],
            new=labels[codes[1][row]],
        )
