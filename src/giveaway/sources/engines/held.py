"""Data that an engine holds: the connection, and the rows as a frame that is worked out there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.sources.engines.part import Part
from giveaway.sources.files.duckdb import Engine

if TYPE_CHECKING:
    import narwhals as nw

Arrays = dict[str, NDArray[Any]]


class Backend(Protocol):
    """One open connection or session; whatever fails in it is told as one DataError without values."""

    kind: str
    shown: str
    """What messages may say of it."""

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as the engine's own lazy object."""
        ...

    def put(self, part: Part) -> "nw.LazyFrame[Any]":
        """Hand small data over to the engine, to be joined with."""
        ...

    def batches(self, frame: "nw.LazyFrame[Any]") -> Iterator[Part]:
        """Give the rows of a frame in parts, as they come."""
        ...

    def whole(self, frame: "nw.LazyFrame[Any]") -> Part:
        """Bring the rows of a frame here."""
        ...

    def comparable(self, frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
        """Return a frame whose values can be handed back with `put` and are then found again."""
        ...

    def bring(self, frame: "nw.LazyFrame[Any]", opened: Engine) -> int:
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
class Held:
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
