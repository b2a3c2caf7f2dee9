"""Where data came from, and how the same kind of thing is made again without what is withheld."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from giveaway.model.cells import Cells

Shape = Literal["baskets", "long", "one-hot", "lists", "table"]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How released values stand in a file or frame, told to whoever reads it back.

    baskets  one transaction a line, items separated by blanks
    long     one row for each (transaction, item), columns `id` and `item`
    one-hot  one row a transaction, one column an item
    lists    one row a transaction, the column `item` holds its items (None: the row is the list)
    table    one row a record
    """

    shape: Shape
    format: Literal["baskets", "csv", "parquet", "jsonl", "memory"]
    id: str | None = None
    item: str | None = None
    separator: str = ","
    encoding: str = "utf-8"
    header: bool = True
    compressed: bool = False
    missing: tuple[str, ...] = ("",)
    others: tuple[str, ...] = ()
    """Columns that are published beside the items or attributes."""


class Origin(Protocol):
    """Something in `sources` that can write its data again."""

    @property
    def name(self) -> str:
        """The file name, or "memory"."""
        ...

    @property
    def sha256(self) -> str | None:
        """The hash of the file as stored; None for data in memory."""
        ...

    @property
    def layout(self) -> Layout:
        """The form in which `write` writes."""
        ...

    def write(
        self,
        folder: Path,
        without: Collection[Hashable],
        *,
        cells: Cells = Cells(),
        renaming: Mapping[Hashable, str] | None = None,
        shuffled: bool = False,
    ) -> Path:
        """Write the data without the withheld items as `release.<ending>` in `folder`, withheld entries empty.

        `renaming` gives the code to write instead of each label; `shuffled` puts the rows in a random order, drawn from
        the operating system's entropy.
        """
        ...

    def native(self, without: Collection[Hashable], *, cells: Cells = Cells()) -> object:
        """Return the data without the withheld items and entries, as the same kind of object as came in."""
        ...
