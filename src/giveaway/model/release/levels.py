"""Entries of a table that are published coarser than they are: which rows of which columns, at which level."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.release.cells import Cells

_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.int64))


class Levels:
    """Entries with the level of their hierarchy that is published, given as a row from 1, a column and a level from 1.

    Of two levels of one entry the coarser one counts.

    >>> found = Levels([(1, "age", 1), (2, "age", 1)]) | Levels([(2, "age", 2)])
    >>> list(found), found.of("age")[1].tolist()
    ([(1, 'age', 1), (2, 'age', 2)], [1, 2])
    """

    def __init__(self, given: Iterable[tuple[int, str, int]] = ()) -> None:
        found: dict[str, list[tuple[int, int]]] = {}
        for row, column, level in given:
            if row < 1 or level < 1:
                raise ScenarioError(
                    f"Row {row} at level {level} is not a coarser entry.", hint="both are counted from 1."
                )
            found.setdefault(column, []).append((row - 1, level))
        self._found = {name: _coarsest(*np.array(pairs, np.int64).T) for name, pairs in found.items()}

    @classmethod
    def at(cls, given: Mapping[str, tuple[NDArray[np.integer], NDArray[np.integer]]]) -> "Levels":
        """Make the entries from rows, counted from 0, and levels of each column."""
        made = cls()
        made._found = {name: _coarsest(*pair) for name, pair in given.items() if len(pair[0])}
        return made

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with an entry, in alphabetical order."""
        return tuple(sorted(self._found))

    def of(self, column: str) -> tuple[Ints, Ints]:
        """Return the rows of a column, counted from 0 and ascending, and their levels."""
        return self._found.get(column, _NOTHING)

    def within(self, rows: int) -> bool:
        """Tell whether every entry lies in a table of `rows` rows."""
        return all(int(found[0][-1]) < rows for found in self._found.values())

    def without(self, cells: Cells) -> "Levels":
        """Leave entries out, as those that are hidden altogether."""
        left = {}
        for name, (rows, levels) in self._found.items():
            stays = ~np.isin(rows, cells.positions(name))
            left[name] = (rows[stays], levels[stays])
        return Levels.at(left)

    def __or__(self, other: "Levels") -> "Levels":
        names = {*self._found, *other._found}
        return Levels.at(
            {
                name: tuple(np.concatenate(part) for part in zip(self.of(name), other.of(name), strict=True))  # type: ignore[misc] # two arrays
                for name in names
            }
        )

    def __len__(self) -> int:
        return sum(len(rows) for rows, _ in self._found.values())

    def __iter__(self) -> Iterator[tuple[int, str, int]]:
        """Give the entries row by row, with row numbers from 1."""
        everything = [
            (int(row), name, int(level))
            for name in self.columns
            for row, level in zip(*self._found[name], strict=True)
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
        return f"<{len(self):,} coarser entries of {len(self._found)} columns>"


def _coarsest(rows: NDArray[np.integer], levels: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return ascending rows with the largest level of each."""
    order = np.lexsort((levels, rows))
    found = rows[order].astype(np.int64)
    last = np.ones(len(found), np.bool_)
    last[:-1] = found[1:] != found[:-1]
    return found[last], levels[order].astype(np.int64)[last]
