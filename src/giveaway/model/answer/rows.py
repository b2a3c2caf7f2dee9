"""A list among the figures: rows of named values, each made when it is looked at, and frames of them."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, overload

from giveaway.model.answer.plain import plain

_FRAMES = "giveaway.sources.frames.access"


class Rows(Sequence[Mapping[str, Any]]):
    """Rows in their order, of which a Summary lists as many as it lists exposures.

    >>> rows = Rows(3, lambda place: {"place": place})
    >>> len(rows), rows[-1], list(rows[:2])
    (3, {'place': 2}, [{'place': 0}, {'place': 1}])
    """

    def __init__(self, many: int, row: Callable[[int], Mapping[str, Any]]) -> None:
        self._places, self._row = range(many), row

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        if isinstance(place, slice):
            return [self._row(one) for one in self._places[place]]
        return self._row(self._places[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # rows are compared by what they hold

    def __repr__(self) -> str:
        return f"<{len(self):,} rows>"

    def to_pandas(self) -> Any:
        """Return the rows as a pandas frame."""
        return self._frame("pandas")

    def to_polars(self) -> Any:
        """Return the rows as a polars frame."""
        return self._frame("polars")

    def _frame(self, kind: str) -> Any:
        return import_module(_FRAMES).frame_of([plain(row) for row in self], kind)


def cut(figures: Mapping[str, Any], most: int | None) -> dict[str, Any]:
    """Return figures whose lists have at most as many rows (None: all).

    >>> cut({"rules": Rows(3, lambda place: {"place": place}), "records": 3}, 1)
    {'rules': [{'place': 0}], 'records': 3}
    """
    return {name: value[:most] if isinstance(value, Rows) else value for name, value in figures.items()}
