"""Data that an engine holds: the connection, and the rows as a frame that is worked out there."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from giveaway.engines.part import RowsPart
from giveaway.errors import DataError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.sources.elsewhere import HeldElsewhere
from giveaway.sources.encoding.grouping import Grouping
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.files.duckdb import DuckDBEngine

if TYPE_CHECKING:
    import narwhals as nw

    from giveaway.sources.files.first_look import Look
    from giveaway.sources.formats.format import Kind, ReadAs

Arrays = dict[str, NDArray[Any]]


class Backend(Protocol):
    """One open connection or session; whatever fails in it is told as one DataError without values."""

    kind: str
    shown: str
    """What messages may say of it."""

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as the engine's own lazy object."""
        ...

    def put(self, part: RowsPart) -> "nw.LazyFrame[Any]":
        """Hand small data over to the engine, to be joined with."""
        ...

    def batches(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts, as they come."""
        ...

    def whole(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Bring the rows of a frame here."""
        ...

    def comparable(self, frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
        """Return a frame whose values can be handed back with `put` and are then found again."""
        ...

    def bring(self, frame: "nw.LazyFrame[Any]", opened: DuckDBEngine) -> int:
        """Make the rows of a frame the table `arrived` of the embedded engine; return their number."""
        ...

    def collect(self, frame: "nw.LazyFrame[Any]") -> Arrays:
        """Bring the rows of a frame here as arrays: objects for text, None where nothing is known."""
        ...

    def fingerprint(self, frame: "nw.LazyFrame[Any]") -> str:
        """Let the engine work out the number of rows and a hash of all of them that does not depend on their order."""
        ...

    def close(self) -> None:
        """End the connection, if it was opened here."""
        ...


@dataclass(frozen=True, eq=False)
class HeldRows(HeldElsewhere):
    """Rows that an engine holds."""

    backend: Backend
    frame: "nw.LazyFrame[Any]"
    columns: tuple[str, ...]
    name: str
    """The masked address and the table, for messages, the Summary and the manifest."""

    def changed(self) -> DataError:
        """Make the error for data that are no longer those that were counted."""
        return DataError(
            f"{self.name} has changed since it was counted.",
            hint="read it again, and judge what it holds now.",
        )

    def table(self, roles: Roles, stated: "ReadAs", groups: Grouping) -> Table:
        """Read them as a table."""
        from giveaway.engines.tables import read_engine_table

        return read_engine_table(
            self,
            id=stated.id,
            sensitive=stated.sensitive,
            missing=stated.missing,
            publish_unjudged=roles.publish_unjudged,
            leave_out=roles.leave_out,
            rest=roles.rest,
            groups=groups,
        )

    def transactions(self, roles: Roles, stated: "ReadAs") -> Transactions:
        """Read them as transactions."""
        from giveaway.engines.transactions import read_engine_transactions

        return read_engine_transactions(self, roles, id=stated.id, item=stated.item, missing=stated.missing)

    def people(self, **how: Any) -> People:
        """Read them as a directory."""
        from giveaway.engines.people import read_engine_people

        return read_engine_people(self, **how)

    def distinct(
        self, columns: Sequence[str], missing: Collection[str]
    ) -> tuple[dict[str, Codes], dict[str, tuple[Label, ...]], Ints]:
        """Count the distinct rows of some columns."""
        from giveaway.engines.counting import distinct_rows

        counted = distinct_rows(self, columns, missing)
        return counted.columns, counted.labels, counted.weights

    def look(self, kind: "Kind | None", table: str | None, query: str | None) -> "Look":
        """Look at them for the first time."""
        from giveaway.engines.first_look import look_there

        return look_there(self, kind, table, query)
