"""Entries of a table: which rows of which columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.kinds import Kinds

_NOTHING = np.zeros(0, np.int64)


class Cells:
    """A set of entries, given as pairs of a row number, counted from 1, and a column.

    Inside, `positions(column)` counts rows from 0 as arrays do.

    >>> found = Cells([(1, "age"), (2, "age")]) | Cells([(2, "sex")])
    >>> len(found), list(found), found.positions("age").tolist()
    (3, [(1, 'age'), (2, 'age'), (2, 'sex')], [0, 1])
    """

    def __init__(self, pairs: Iterable[tuple[int, str]] = ()) -> None:
        rows_of: dict[str, list[int]] = {}
        for row, column in pairs:
            if isinstance(row, bool) or not isinstance(row, int | np.integer) or row < 1:
                raise ScenarioError(f"{row!r} is not the number of a row.", hint="rows are counted from 1.")
            rows_of.setdefault(column, []).append(int(row) - 1)
        self._positions = {name: np.unique(np.array(rows, np.int64)) for name, rows in rows_of.items()}

    @classmethod
    def at(cls, positions: Mapping[str, NDArray[np.integer]]) -> "Cells":
        """Make the set from the positions, counted from 0, of each column."""
        cells = cls()
        cells._positions = {
            name: np.unique(rows).astype(np.int64) for name, rows in positions.items() if len(rows)
        }
        return cells

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with an entry, in alphabetical order."""
        return tuple(sorted(self._positions))

    def positions(self, column: str) -> Ints:
        """Return the rows of a column, counted from 0 and ascending."""
        return self._positions.get(column, _NOTHING)

    def marks(self, column: str, rows: int) -> NDArray[np.bool_]:
        """Tell for each row whether its entry in a column is in the set."""
        marks = np.zeros(rows, np.bool_)
        marks[self.positions(column)] = True
        return marks

    def within(self, rows: int) -> bool:
        """Tell whether every entry lies in a table of `rows` rows."""
        return all(int(positions[-1]) < rows for positions in self._positions.values())

    def __or__(self, other: "Cells") -> "Cells":
        if not self or not other:
            return self or other
        names = {*self._positions, *other._positions}
        return Cells.at(
            {name: np.concatenate([self.positions(name), other.positions(name)]) for name in names}
        )

    def __and__(self, other: "Cells") -> "Cells":
        return self._by_column(other, np.intersect1d) if self and other else Cells()

    def __sub__(self, other: "Cells") -> "Cells":
        return self._by_column(other, np.setdiff1d) if self and other else self

    def _by_column(self, other: "Cells", joined: Callable[..., Ints]) -> "Cells":
        pairs = ((name, rows, other.positions(name)) for name, rows in self._positions.items())
        return Cells.at({name: joined(ours, theirs, assume_unique=True) for name, ours, theirs in pairs})

    def __len__(self) -> int:
        return sum(map(len, self._positions.values()))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Give the entries row by row, with row numbers from 1."""
        rows = np.concatenate([_NOTHING, *(self._positions[name] for name in self.columns)])
        places = np.repeat(np.arange(len(self.columns)), [len(self._positions[n]) for n in self.columns])
        for entry in np.lexsort((places, rows)):
            yield int(rows[entry]) + 1, self.columns[places[entry]]

    def __contains__(self, entry: object) -> bool:
        if not isinstance(entry, tuple) or len(entry) != 2:  # noqa: PLR2004 # a pair
            return False
        row, column = entry
        return isinstance(row, int) and bool(np.isin(row - 1, self.positions(str(column))))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Cells)
            and self.columns == other.columns
            and all(np.array_equal(rows, other.positions(name)) for name, rows in self._positions.items())
        )

    def __hash__(self) -> int:
        return hash(tuple((name, self._positions[name].tobytes()) for name in self.columns))

    def __repr__(self) -> str:
        return f"<{len(self):,} entries of {len(self.columns)} columns>"


class CellsOfKinds(Cells):
    """Entries that are in the set for all rows of a kind or for none; the rows are found when they are asked.

    >>> kinds = Kinds(np.array([2, 1]), lambda: np.array([0, 1, 0]))
    >>> found = CellsOfKinds(kinds, {"age": np.array([True, False])})
    >>> len(found), found.positions("age").tolist()
    (2, [0, 2])
    """

    def __init__(self, kinds: Kinds, marked: Mapping[str, NDArray[np.bool_]]) -> None:
        self.kinds = kinds
        self.marked = {name: marks for name, marks in marked.items() if marks.any()}

    @cached_property
    def _positions(self) -> dict[str, Ints]:  # type: ignore[override] # worked out late
        of_row = self.kinds.of_row
        return {name: np.flatnonzero(marks[of_row]) for name, marks in self.marked.items()}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with an entry, in alphabetical order."""
        return tuple(sorted(self.marked))

    def within(self, rows: int) -> bool:
        """Tell whether every entry lies in a table of `rows` rows."""
        return self.kinds.rows <= rows or super().within(rows)

    def __len__(self) -> int:
        return sum(map(self.kinds.counted, self.marked.values()))

    def __or__(self, other: Cells) -> Cells:
        joined = self._with(other, np.logical_or)
        return super().__or__(other) if joined is None else joined

    def __and__(self, other: Cells) -> Cells:
        joined = self._with(other, np.logical_and)
        return super().__and__(other) if joined is None else joined

    def __sub__(self, other: Cells) -> Cells:
        joined = self._with(other, np.greater)
        return super().__sub__(other) if joined is None else joined

    def _with(self, other: Cells, joined: Callable[..., NDArray[np.bool_]]) -> Cells | None:
        """Return both joined kind by kind; None where the other is not of the same kinds."""
        if not isinstance(other, CellsOfKinds) or other.kinds is not self.kinds:
            return None
        none = np.zeros(len(self.kinds), np.bool_)
        names = {*self.marked, *other.marked}
        return CellsOfKinds(
            self.kinds,
            {name: joined(self.marked.get(name, none), other.marked.get(name, none)) for name in names},
        )
