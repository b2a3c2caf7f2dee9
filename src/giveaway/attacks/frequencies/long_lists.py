"""Long lists inside an attacker, of which a Summary tells only the number."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Several(Sequence[T]):
    """Some values of one kind; told as a count, because a Summary is no place for thousands of them.

    >>> str(Several("pairs", [("a", "b")])), list(Several("items", "ab"))
    ('1 pair', ['a', 'b'])
    """

    def __init__(self, noun: str, values: Iterable[T]) -> None:
        self._noun = noun
        self._values = tuple(values)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self._values[place]

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Several) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        noun = self._noun if len(self) != 1 else self._noun.removesuffix("s")
        return f"{len(self):,} {noun}"
