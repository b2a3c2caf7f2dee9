"""Tables: records with attributes, identical records merged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from giveaway.model.doors import through
from giveaway.model.labels import Label
from giveaway.model.origin import Origin
from giveaway.model.rows import Codes, Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Distinct records, each with the number of times it occurs.

    `columns[name][i]` is the code of record `i` in a column, an index into `labels[name]` or -1 where the value is
    missing. The identifier is no column; `ids` gives it for each row of the original, and `record_of` the record
    that the row became.
    """

    columns: Mapping[str, Codes]
    labels: Mapping[str, tuple[Label, ...]]
    weights: Ints
    record_of: Ints
    sensitive: tuple[str, ...] = ()
    id: str | None = None
    ids: tuple[Label, ...] = ()
    origin: Origin | None = field(default=None, repr=False)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Label]],
        *,
        sensitive: str | Iterable[str] = (),
        id: str | None = None,
        missing: Iterable[Label] = ("", None),
    ) -> "Table":
        """Make a table from mappings of column to value.

        >>> import giveaway as ga
        >>> table = ga.Table.from_rows([{"sex": "f", "hiv": "no"}, {"sex": "f", "hiv": "no"}], sensitive="hiv")
        >>> len(table), table.weights.tolist()
        (2, [2])
        """
        made: Table = through("rows")(rows, sensitive=sensitive, id=id, missing=missing)
        return made

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        sensitive: str | Iterable[str] = (),
        id: str | None = None,
        missing: Iterable[Label] = ("", None),
    ) -> "Table":
        """Make a table from a pandas, polars or Arrow frame."""
        made: Table = through("table frame")(frame, sensitive=sensitive, id=id, missing=missing)
        return made

    def __len__(self) -> int:
        """Count the records of the original."""
        return int(self.weights.sum())
