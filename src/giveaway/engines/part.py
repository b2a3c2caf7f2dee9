"""Rows that came from an engine, column by column, whether Arrow brought them or Python."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.texts import Texts
from giveaway.sources.files.stored import BLANKS

Flags = NDArray[np.bool_]

_ABOUT_A_TEXT = 64
"""The bytes that Python needs for a short text."""


class PartColumn(Protocol):
    """Values of one column, asked for what is needed of them."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int) -> Any: ...

    @property
    def nbytes(self) -> int:
        """About how much memory they need."""
        ...

    def distinct(self) -> "tuple[Ints, list[str | None]]":
        """Return for each value where its trimmed text stands in a list, and the list, in which None stands last."""
        ...

    def texts(self) -> Texts:
        """Return the values as trimmed texts; none may be missing."""
        ...

    def array(self) -> NDArray[Any]:
        """Return numbers as such where none is missing, anything else as objects."""
        ...

    def changes(self) -> Flags:
        """Tell of each value but the first whether it differs from the one before."""
        ...

    def where(self, kept: Flags) -> Self:
        """Return some of the values."""
        ...

    def joined(self, others: Iterable[Self]) -> Self:
        """Put columns of the same kind one after the other."""
        ...


@dataclass(frozen=True, eq=False)
class PlainColumn:
    """Whole numbers, or texts with None where there is nothing; `nested` if they are neither."""

    values: NDArray[Any]
    nested: bool = False

    @classmethod
    def of(cls, values: Iterable[Any], *, nested: bool = False) -> "PlainColumn":
        """Hold values of Python, each as it is."""
        listed = list(values)
        if listed and not nested and all(type(value) is int for value in listed):
            return cls(np.array(listed, np.int64))
        objects = np.empty(len(listed), object)
        objects[:] = listed
        return cls(objects, nested)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: int) -> Any:
        return self.values[place]

    @property
    def nbytes(self) -> int:
        """About how much memory they need."""
        return self.values.nbytes + (_ABOUT_A_TEXT * len(self) if self.values.dtype == object else 0)

    def distinct(self) -> "tuple[Ints, list[str | None]]":
        """Return for each value where its trimmed text stands in a list, and the list, in which None stands last."""
        if self.nested:
            raise holds_lists()
        place_of: dict[Any, int] = {}
        places = np.array([place_of.setdefault(value, len(place_of)) for value in self.values], np.int64)
        texts = [None if value is None else _text(value) for value in place_of]
        return places, [*texts, None]

    def texts(self) -> Texts:
        """Return the values as trimmed texts; none may be missing."""
        if self.nested:
            raise holds_lists()
        return Texts.of(map(_text, self.values))

    def array(self) -> NDArray[Any]:
        """Return numbers as such where none is missing, anything else as objects."""
        return self.values

    def changes(self) -> Flags:
        """Tell of each value but the first whether it differs from the one before."""
        differ: Flags = (self.values[1:] != self.values[:-1]).astype(np.bool_)
        return differ

    def where(self, kept: Flags) -> "PlainColumn":
        """Return some of the values."""
        return PlainColumn(self.values[kept], self.nested)

    def joined(self, others: "Iterable[PlainColumn]") -> "PlainColumn":
        """Put columns one after the other; numbers stay such where nothing is missing in any."""
        every = [self, *others]
        kinds = {one.values.dtype for one in every}
        values = [one.values if len(kinds) == 1 else one.values.astype(object) for one in every]
        return PlainColumn(np.concatenate(values), self.nested)


def _text(value: Any) -> str:
    return str(value).strip(BLANKS)


def holds_lists() -> DataError:
    """Make the error for values that are not single ones."""
    return DataError("A column holds lists or structures.", hint="leave it out, or take it apart in a query.")


@dataclass(frozen=True, eq=False)
class RowsPart:
    """Some rows or all of them: columns of one length, by name and in order."""

    columns: Mapping[str, Any]
    """Each a `PartColumn`."""

    @classmethod
    def joined(cls, parts: "Iterable[RowsPart]") -> "RowsPart":
        """Put parts with the same columns one after the other; there is at least one."""
        first, *others = parts
        return cls(
            {name: one.joined([part.columns[name] for part in others]) for name, one in first.columns.items()}
        )

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def nbytes(self) -> int:
        """About how much memory it needs."""
        return sum(int(column.nbytes) for column in self.columns.values())

    def column(self, place: int) -> PartColumn:
        """Return a column by its place."""
        column: PartColumn = list(self.columns.values())[place]
        return column

    def texts(self, name: str) -> Texts:
        """Return a column as trimmed texts."""
        texts: Texts = self.columns[name].texts()
        return texts

    def numbers(self, name: str) -> Ints:
        """Return a column of whole numbers."""
        numbers: Ints = self.columns[name].array().astype(np.int64)
        return numbers

    def where(self, kept: Flags) -> "RowsPart":
        """Return some of the rows."""
        return RowsPart({name: column.where(kept) for name, column in self.columns.items()})

    def beside(self, **columns: PartColumn) -> "RowsPart":
        """Return the rows with further columns."""
        return RowsPart({**self.columns, **columns})
