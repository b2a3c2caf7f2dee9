"""Databases through Ibis: PostgreSQL by its address, others by a table that a program holds."""

import hashlib
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from giveaway.engines.connections.working import BATCH, Working, need, told_as_data_errors
from giveaway.engines.part import RowsPart
from giveaway.sources.address import Address, password_of

if TYPE_CHECKING:
    import narwhals as nw


class Warehouse(Working):
    """A database that Ibis speaks to; `own` if the connection was opened here and is to be closed."""

    def __init__(self, shown: str, database: Any, *, own: bool = False) -> None:
        self.kind, self.shown, self.database = str(database.name), shown, database
        self._closing = weakref.finalize(self, database.con.close) if own else None

    @classmethod
    def at(cls, address: Address) -> "Warehouse":
        """Connect to PostgreSQL; a password that nobody gave is found by the driver."""
        need("ibis", "warehouse")
        need("psycopg", "warehouse")
        with told_as_data_errors(address.shown):
            import ibis
            import psycopg

            connection = psycopg.connect(
                address.text,
                autocommit=True,
                application_name="giveaway",
                password=password_of(address.text),
            )
            return cls(address.shown, ibis.postgres.from_connection(connection), own=True)

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as a table of Ibis."""
        if table is None:
            return self.work(lambda: _readable(self.database.sql(str(query))))
        schema, _, name = table.rpartition(".")
        return self.work(lambda: _readable(self.database.table(name, database=schema or None)))

    def given(self, table: Any) -> Any:
        """Return a table that a program holds in the form in which it is read."""
        return self.work(lambda: _readable(table))

    def put(self, part: RowsPart) -> "nw.LazyFrame[Any]":
        """Hand small data over."""
        import ibis
        import narwhals as nw

        from giveaway.engines.arrow import as_table

        table = ibis.memtable(as_table(part))
        if (
            self.kind == "postgres"
        ):  # where rows are asked for without Ibis, and nothing may be made while they are
            name = ibis.util.gen_name("giveaway_put")
            table = self.work(lambda: self.database.create_table(name, table, temp=True))
        frame: nw.LazyFrame[Any] = nw.from_native(table)
        return frame

    def parts(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts."""
        from giveaway.engines.arrow import from_arrow

        return map(from_arrow, self.database.to_pyarrow_batches(frame.to_native(), chunk_size=BATCH))

    def empty(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Return the columns of a frame without rows."""
        from giveaway.engines.arrow import from_arrow

        return from_arrow(frame.to_native().schema().to_pyarrow().empty_table())

    def fingerprint(self, frame: "nw.LazyFrame[Any]") -> str:
        """Return the number of rows and the sum of their hashes; other databases than PostgreSQL hand their rows over."""
        if self.kind != "postgres":
            return _fingerprint(self.batches(frame))
        asked = self.database.compile(frame.to_native())
        query = f"SELECT count(*), coalesce(sum(hashtextextended(held::text, 0)), 0) FROM ({asked}) AS held"  # noqa: S608 # made by Ibis
        count, total = self.work(lambda: self.database.con.execute(query).fetchone())
        return f"{count}:{total}"

    def interrupt(self) -> None:
        """Stop what the database is doing, where its driver can."""
        cancel = getattr(self.database.con, "cancel", None)
        if cancel is not None:
            cancel()

    def close(self) -> None:
        """End the connection, if it was opened here."""
        if self._closing is not None:
            self._closing()


def _readable(table: Any) -> Any:
    """Return a table in which values of unusual types are text, as the database writes them."""
    unusual = [name for name, kind in table.schema().items() if not _is_usual(kind)]
    return table.mutate(**{name: table[name].cast("string") for name in unusual}) if unusual else table


def _is_usual(kind: Any) -> bool:
    """Tell whether Arrow has a type for the values; decimal numbers need a fixed number of digits."""
    if kind.is_decimal():
        return kind.scale is not None and kind.precision is not None
    plain = (
        kind.is_string(),
        kind.is_integer(),
        kind.is_floating(),
        kind.is_boolean(),
        kind.is_temporal(),
        kind.is_array(),
    )
    return any(plain)


def _fingerprint(parts: Iterator[RowsPart]) -> str:
    count = total = 0
    for part in parts:
        count += len(part)
        for row in zip(*(column.array().tolist() for column in part.columns.values()), strict=True):
            total += int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=8).digest())
    return f"{count}:{total}"
