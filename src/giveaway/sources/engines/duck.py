"""DuckDB databases, opened to be read, and relations of DuckDB that a program holds."""

import weakref
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.sources.engine import Engine, engine, identifier, literal
from giveaway.sources.engines.address import Address
from giveaway.sources.engines.working import BATCH, Working, as_table, told_as_data_errors

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa
    from duckdb import DuckDBPyRelation

_SELF = "giveaway_relation"
"""What a relation is called in a query about it; a table of that name could not be asked."""


class Duck(Working):
    """A DuckDB connection, known by one of its relations."""

    kind = "duckdb"

    def __init__(self, shown: str, relation: "DuckDBPyRelation", opened: Engine | None = None) -> None:
        self.shown, self._relation, self._opened = shown, relation, opened
        self._closing: weakref.finalize[..., Any] | None = None

    @classmethod
    def at(cls, given: Address) -> "Duck":
        """Open a database file to be read, within the memory allowed."""
        path = given.path or Path()
        if not path.is_file():
            raise DataError(
                f'There is no DuckDB file "{path}".', hint="relative names start from the scenario's folder."
            )
        closing = ExitStack()
        opened = closing.enter_context(engine())
        with told_as_data_errors(given.shown):
            opened.connection.execute(f"ATTACH {literal(str(path))} AS given (READ_ONLY)")
            opened.connection.execute("USE given")
            made = cls(given.shown, opened.connection.sql("SELECT 1"), opened)
        made._closing = weakref.finalize(made, closing.close)
        return made

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as a relation."""
        asked = f"({query}\n)" if table is None else ".".join(map(identifier, table.split(".")))
        return self.work(lambda: self._relation.query(_SELF, f"SELECT * FROM {asked} AS asked"))  # noqa: S608 # quoted, or the owner's own

    def put(self, arrays: "Mapping[str, NDArray[Any]] | pa.Table") -> "nw.LazyFrame[Any]":
        """Hand small data over."""
        import narwhals as nw

        giveaway_put = as_table(arrays)  # the query below finds it by this name
        made = self._relation.query(_SELF, "SELECT * FROM giveaway_put")
        del giveaway_put
        return nw.from_native(made)

    def parts(self, frame: "nw.LazyFrame[Any]") -> "Iterator[pa.RecordBatch]":
        """Give the rows of a frame in parts."""
        return iter(frame.to_native().fetch_record_batch(BATCH))

    def empty(self, frame: "nw.LazyFrame[Any]") -> "pa.Table":
        """Return a table without rows."""
        return frame.to_native().limit(0).to_arrow_table()

    def fingerprint(self, frame: "nw.LazyFrame[Any]") -> str:
        """Return the number of rows and the sum of their hashes."""
        rows = frame.to_native()
        asked = f"SELECT count(*), coalesce(sum(hash({_SELF})), 0) FROM {_SELF}"  # noqa: S608 # our own
        count, total = self.work(lambda: rows.query(_SELF, asked).fetchall())[0]
        return f"{count}:{total}"

    def interrupt(self) -> None:
        """Stop what the engine is doing; a relation that a program holds does not tell its connection."""
        if self._opened is not None:
            self._opened.connection.interrupt()

    def close(self) -> None:
        """Close the file; a relation that a program holds stays its own."""
        if self._closing is not None:
            self._closing()
