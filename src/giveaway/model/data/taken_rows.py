"""Some columns of the rows of another table, in an order of their own, taken when they are asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.table import Numbers, Table


class TakenRows(Table):
    """Columns of a table, of rows that are known later; a row -1 is missing in everything.

    >>> import giveaway as ga, numpy as np
    >>> people = ga.Table.from_rows([{"age": 30, "job": "cook"}, {"age": 40, "job": "cook"}])
    >>> taken = TakenRows.of(people, ["age"], lambda: np.array([1, -1]))
    >>> "age" in taken.columns, taken.columns["age"][taken.record_of].tolist()
    (True, [1, -1])
    """

    base: Table
    _names: tuple[str, ...]
    _rows: Callable[[], Ints | None]

    @classmethod
    def of(cls, base: Table, names: Sequence[str], rows: Callable[[], Ints | None]) -> "TakenRows":
        """Take some columns of rows, counted from 0; all rows in their order where None is told."""
        taken = cls.__new__(cls)
        vars(taken).update(
            base=base,
            columns=_Columns(taken),
            labels={name: base.labels[name] for name in names},
            sensitive=tuple(name for name in base.sensitive if name in names),
            classes={name: rule for name, rule in base.classes.items() if name in names},
            ladders={},
            _names=tuple(names),
            _rows=rows,
        )  # all else is as a table has it by itself
        return taken

    @cached_property
    def taken(self) -> Table:
        """The rows themselves."""
        return self.base.only(self._names, self._rows())

    @cached_property
    def weights(self) -> Ints:
        """How often each record occurs."""
        return self.taken.weights

    @cached_property
    def record_of(self) -> Numbers:
        """The record of each row."""
        return self.taken.record_of


class _Columns(Mapping[str, Codes]):
    """Columns whose names are known, and their codes when they are asked."""

    def __init__(self, of: TakenRows) -> None:
        self._of = of

    def __getitem__(self, name: str) -> Codes:
        return self._of.taken.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._of.labels

    def __iter__(self) -> Iterator[str]:
        return iter(self._of.labels)

    def __len__(self) -> int:
        return len(self._of.labels)
