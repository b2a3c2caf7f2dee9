"""Data that a database or cluster holds: what is asked of them here, and the guest that can do it.

What talks to databases and clusters registers its row under an entry point, as commands do, and nothing here imports it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from giveaway.errors import NotInstalled
from giveaway.guests import brought
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Destination
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.release import Release
from giveaway.sources.address import Address
from giveaway.sources.encoding.grouping import Grouping
from giveaway.sources.encoding.roles import Roles

if TYPE_CHECKING:
    from giveaway.sources.files.first_look import Look
    from giveaway.sources.formats.format import Kind, ReadAs

_ROW = ("engines", "engines")
"""Under what the row is found."""


class HeldElsewhere(ABC):
    """Rows that a database or cluster holds: they stay there and are counted there."""

    columns: tuple[str, ...]
    name: str
    """The masked address and the table, for messages, the Summary and the manifest."""

    @abstractmethod
    def table(self, roles: Roles, stated: "ReadAs", groups: Grouping) -> Table:
        """Read them as a table, ordered by its identifier."""

    @abstractmethod
    def transactions(self, roles: Roles, stated: "ReadAs") -> Transactions:
        """Read them as transactions, one row for each (transaction, item)."""

    @abstractmethod
    def people(self, *, id: str | None, columns: Sequence[str], missing: Sequence[str]) -> People:
        """Read them as a directory; without an identifier each row is somebody."""

    @abstractmethod
    def distinct(
        self, columns: Sequence[str], missing: Collection[str]
    ) -> tuple[dict[str, Codes], dict[str, tuple[Label, ...]], Ints]:
        """Count the distinct rows of some columns: their codes, labels and weights."""

    @abstractmethod
    def look(self, kind: "Kind | None", table: str | None, query: str | None) -> "Look":
        """Look at them for the first time, and guess what they hold."""


@dataclass(frozen=True, kw_only=True)
class Engines:
    """The row of what talks to databases and clusters."""

    opened: Callable[[Any, str | None, str | None], HeldElsewhere]
    """Opens a table or the answer to a query at an address, or what a program holds of an engine."""
    beside: Callable[[Table, Address, str | None, str | None], HeldElsewhere]
    """Opens another table or query, through the connection of a table that is at the same address."""
    destination: Callable[[Any, str | None, Release | None], Destination]
    """Understands where a release is to become a new table: an address, or a Spark session."""


def engines(asked: str) -> Engines:
    """Return the row that is registered; `asked` says what it is needed for."""
    row: Engines | None = brought(*_ROW)
    if row is None:
        raise NotInstalled(
            f"{asked} needs what talks to databases and clusters, which is not installed.",
            exists="files, lists, and frames in memory",
            hint="install giveaway anew, with its folder engines and its entry points; or use a file.",
        )
    return row


def opened(data: Address | Any, *, table: str | None = None, query: str | None = None) -> HeldElsewhere:
    """Open data where they live."""
    asked = data.shown if isinstance(data, Address) else f"{type(data).__name__} of {type(data).__module__}"
    return engines(asked).opened(data, table, query)


def is_engine_object(data: Any) -> bool:
    """Tell whether something is a frame of Spark or a table of Ibis."""
    native = unwrapped(data)
    return is_spark(native) or is_ibis(native)


def is_counted_there(data: Any) -> bool:
    """Tell whether rows can be counted where they are held: those of a relation of DuckDB too, which is a frame as well."""
    return is_engine_object(data) or (is_relation(unwrapped(data)) and brought(*_ROW) is not None)


def unwrapped(data: Any) -> Any:
    """Return what narwhals may have wrapped."""
    return data.to_native() if type(data).__module__.startswith("narwhals.") else data


def is_spark(native: Any) -> bool:
    """Tell whether something is a frame of Spark."""
    return type(native).__module__.startswith("pyspark.sql.") and type(native).__name__ == "DataFrame"


def is_relation(native: Any) -> bool:
    """Tell whether something is a relation of DuckDB."""
    return type(native).__name__ == "DuckDBPyRelation"


def is_ibis(native: Any) -> bool:
    """Tell whether something is a table of Ibis."""
    return type(native).__module__.startswith("ibis.expr.types") and hasattr(native, "get_backend")
