"""Entries of a table that are published coarser than they are: which rows of which columns, at which level."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.kinds import Kinds
from giveaway.model.release.cells import Cells, CellsOfKinds

_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int64))


class Levels:
    """Entries with the level of their hierarchy that is published, given as a row from 1, a column and a level from 1.

    Of two levels of one entry the coarser one counts.

    >>> found = Levels([(1, "age", 1), (2, "age", 1)]) | Levels([(2, "age", 2)])
    >>> list(found), found.of("age")[1].tolist()
    ([(1, 'age', 1), (2, 'age', 2)], [1, 2])
    """

    def __init__(self, entries: Iterable[tuple[int, str, int]] = ()) -> None:
        pairs_of: dict[str, list[tuple[int, int]]] = {}
        for row, column, level in entries:
            if row < 1 or level < 1:
                raise ScenarioError(
                    f"Row {row} at level {level} is not a coarser entry.", hint="both are counted from 1."
                )
            pairs_of.setdefault(column, []).append((row - 1, level))
        self._levels = {name: _coarsest(*np.array(pairs, np.int64).T) for name, pairs in pairs_of.items()}

    @classmethod
    def at(cls, columns: Mapping[str, tuple[NDArray[np.integer], NDArray[np.integer]]]) -> "Levels":
        """Make the entries from rows, counted from 0, and levels of each column."""
        levels = cls()
        levels._levels = {name: _coarsest(*pair) for name, pair in columns.items() if len(pair[0])}
        return levels

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with an entry, in alphabetical order."""
        return tuple(sorted(self._levels))

    def of(self, column: str) -> tuple[Ints, Ints]:
        """Return the rows of a column, counted from 0 and ascending, and their levels."""
        return self._levels.get(column, _NOTHING)

    def within(self, rows: int) -> bool:
        """Tell whether every entry lies in a table of `rows` rows."""
        return all(int(pair[0][-1]) < rows for pair in self._levels.values())

    def without(self, cells: Cells) -> "Levels":
        """Leave entries out, as those that are hidden altogether."""
        if not self or not cells:
            return self
        left = {}
        for name, (rows, levels) in self._levels.items():
            stays = ~np.isin(rows, cells.positions(name))
            left[name] = (rows[stays], levels[stays])
        return Levels.at(left)

    def __or__(self, other: "Levels") -> "Levels":
        if not self or not other:
            return self or other
        names = {*self._levels, *other._levels}
        return Levels.at(
            {
                name: tuple(np.concatenate(part) for part in zip(self.of(name), other.of(name), strict=True))  # type: ignore[misc] # two arrays
                for name in names
            }
        )

    def __len__(self) -> int:
        return sum(len(rows) for rows, _ in self._levels.values())

    def __iter__(self) -> Iterator[tuple[int, str, int]]:
        """Give the entries row by row, with row numbers from 1."""
        everything = [
            (int(row), name, int(level))
            for name in self.columns
            for row, level in zip(*self._levels[name], strict=True)
        ]
        for row, name, level in sorted(everything):
            yield row + 1, name, level

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Levels)
            and self.columns == other.columns
            and all(
                np.array_equal(mine, theirs)
                for name in self.columns
                for mine, theirs in zip(self.of(name), other.of(name), strict=True)
            )
        )

    def __hash__(self) -> int:
        return hash(tuple((name, *(part.tobytes() for part in self.of(name))) for name in self.columns))

    def __repr__(self) -> str:
        return f"<{len(self):,} coarser entries of {len(self._levels)} columns>"


class LevelsOfKinds(Levels):
    """Entries with a level that all rows of a kind have; the rows are found when they are asked."""

    def __init__(self, kinds: Kinds, levels: Mapping[str, Ints]) -> None:
        """Take the level of each kind, 0 where nothing is coarser."""
        self.kinds = kinds
        self.level = {name: level for name, level in levels.items() if level.any()}

    @cached_property
    def _levels(self) -> dict[str, tuple[Ints, Ints]]:  # type: ignore[override] # worked out late
        of_row = self.kinds.of_row
        every = {name: levels[of_row] for name, levels in self.level.items()}
        return {name: (np.flatnonzero(levels), levels[levels > 0]) for name, levels in every.items()}

    @property
    def small(self) -> Levels:
        """The same with one row for each kind."""
        return Levels.at(
            {name: (np.flatnonzero(level), level[level > 0]) for name, level in self.level.items()}
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with an entry, in alphabetical order."""
        return tuple(sorted(self.level))

    def within(self, rows: int) -> bool:
        """Tell whether every entry lies in a table of `rows` rows."""
        return self.kinds.rows <= rows or super().within(rows)

    def without(self, cells: Cells) -> Levels:
        """Leave entries out, as those that are hidden altogether."""
        if not isinstance(cells, CellsOfKinds) or cells.kinds is not self.kinds:
            return super().without(cells)
        none = np.zeros(len(self.kinds), np.bool_)
        return LevelsOfKinds(
            self.kinds,
            {name: np.where(cells.marked.get(name, none), 0, level) for name, level in self.level.items()},
        )

    def __len__(self) -> int:
        return sum(self.kinds.counted(level > 0) for level in self.level.values())


def _coarsest(rows: NDArray[np.integer], levels: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return ascending rows with the largest level of each."""
    order = np.lexsort((levels, rows))
    in_order = rows[order].astype(np.int64)
    last = np.ones(len(in_order), np.bool_)
    last[:-1] = in_order[1:] != in_order[:-1]
    return in_order[last], levels[order].astype(np.int64)[last]
