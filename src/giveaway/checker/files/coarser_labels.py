"""How the entries of a column may be written: as their values, or as labels of coarser levels."""

from dataclasses import dataclass

import numpy as np

from giveaway.checker.promise import disagree
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class ColumnTexts:
    """The texts of a column: first the values, then the coarser labels that are written otherwise than any value."""

    labels: tuple[Label, ...]
    meant: dict[int, tuple[int, Label]]
    """The level and the label of each text that is not a value."""
    at: Codes
    """The text of each value (the last: of nothing) at each level."""

    def coarsened(self, codes: Codes, rows: Ints, levels: Levels, column: str) -> Codes:
        """Return what is written for the values of some rows, ascending."""
        coarse, level = levels.of(column)
        place = np.minimum(np.searchsorted(coarse, rows), len(coarse) - 1)
        hit = coarse[place] == rows
        texts: Codes = self.at[np.where(hit, level[place], 0), codes]
        return texts


def spellings(release: Release, table: Table) -> dict[str, ColumnTexts]:
    """Return the texts of the columns in which some entries are coarser."""
    return {column: _spelling(release, table, column) for column in release.withheld.levels.columns}


def as_written(release: Release, column: str) -> dict[str, tuple[Label, ...]]:
    """Return the coarser labels of each value of a column, by the value as it is written."""
    return {str(value): labels for value, labels in release.hierarchies[column].of.items()}


def _spelling(release: Release, table: Table, column: str) -> ColumnTexts:
    of = as_written(release, column)
    values, depth = table.labels[column], int(release.withheld.levels.of(column)[1].max())
    code_of = {str(value): code for code, value in enumerate(values)}
    members = {value: {value} for value in of}
    meant: dict[int, tuple[int, Label]] = {}
    at = np.full((depth + 1, len(values) + 1), -1, np.int32)
    at[0, :-1] = np.arange(len(values))
    for level in range(1, depth + 1):
        here: dict[str, set[str]] = {}
        for written, labels in of.items():
            here.setdefault(str(labels[level - 1]), set()).add(written)
        for text, group in here.items():
            if members.setdefault(text, group) != group:
                raise disagree(f"A coarser label of {column} is written like another value or label.")
        for code, value in enumerate(values):
            label = of[str(value)][level - 1]
            at[level, code] = code_of.setdefault(str(label), len(code_of))
            if at[level, code] >= len(values):
                meant.setdefault(int(at[level, code]), (level, label))
    return ColumnTexts(labels=(*values, *(label for _, label in meant.values())), meant=meant, at=at)
