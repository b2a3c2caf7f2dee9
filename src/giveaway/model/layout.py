"""How released values stand in a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Others = Mapping[str, str | None]
"""The columns that are published without being judged, each with what its values look like, if that stands out."""

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
    format: str
    """The name of the format of a file; else memory, or the table of a database."""
    id: str | None = None
    item: str | None = None
    separator: str = ","
    encoding: str = "utf-8"
    header: bool = True
    compressed: bool = False
    missing: tuple[str, ...] = ("",)
    nothing: str | None = field(default=None, repr=False)
    """What stands where a value is missing or withheld: nothing, or an empty text."""
    others: Others = field(default_factory=dict)
    """Columns that are published with the items or attributes."""
    left_out: tuple[str, ...] = ()
    """Columns of the original that are not published."""
