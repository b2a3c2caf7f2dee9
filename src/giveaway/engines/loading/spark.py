"""A release made a new table of Spark, which has no transactions: under a name of its own until it is judged."""

import uuid
from typing import TYPE_CHECKING, Any

from giveaway.engines.connections.spark import Spark
from giveaway.engines.loading.loader import ArrowLoader
from giveaway.sources.address import Address

if TYPE_CHECKING:
    import pyarrow as pa


class SparkLoader(ArrowLoader):
    """A table that is filled under another name and given its own when it is judged."""

    kind = "spark"

    def __init__(self, shown: str, table: str, *, session: Any = None, place: Address | None = None) -> None:
        super().__init__(shown, table)
        self._session, self._place, self._final = session, place, self.quoted
        self._spark: Spark | None = None
        *above, name = self.parts
        self.quoted = ".".join(map(self.quote, [*above, f"{name}_{uuid.uuid4().hex}"]))

    @staticmethod
    def quote(name: str) -> str:
        """Quote a name for Spark."""
        return f"`{name.replace('`', '``')}`"

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What Spark raises when it fails."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        return PySparkException, Py4JError, OSError, EOFError

    def open(self) -> None:
        """Connect, unless a session was given."""
        if self._place is not None:
            self._spark = Spark.at(self._place)
            self._session = self._spark.session
        self.connection = self._session

    def try_out(self) -> None:
        """Refuse a name that is taken."""
        if self.connection.catalog.tableExists(self._final):
            raise self.taken()

    def create(self, schema: "pa.Schema") -> None:  # noqa: ARG002 # as all loaders
        """Leave it to the first rows to make the table: Spark Connect takes no frame without rows."""
        self.try_out()

    def add(self, batch: "pa.RecordBatch") -> None:
        """Put rows into the table."""
        import pyarrow as pa

        rows = pa.Table.from_batches([batch])
        known = pa.schema([(field.name, _known(field.type)) for field in rows.schema])
        self.connection.createDataFrame(rows.cast(known)).write.saveAsTable(self.quoted, mode="append")

    def give_out(self) -> None:
        """Give the table its name, which fails when there is one by now."""
        self.connection.sql(f"ALTER TABLE {self.quoted} RENAME TO {self._final}")

    def count_again(self) -> int:
        """Count the rows of the table through a session of its own."""
        if self._place is None:
            return int(self.connection.newSession().table(self._final).count())
        other = Spark.at(self._place)
        try:
            return int(other.session.table(self._final).count())
        finally:
            other.close()

    def undo(self) -> None:
        """Take back what has not been given its name."""
        self.connection.sql(f"DROP TABLE IF EXISTS {self.quoted}")

    def drop(self) -> None:
        """Take back what was given its name."""
        self.connection.sql(f"DROP TABLE IF EXISTS {self._final}")

    def close(self) -> None:
        """End a session that was opened here."""
        if self._spark is not None:
            self._spark.close()

    def exists(self, error: Exception) -> bool:
        """Tell whether an error says that there is such a table already."""
        from pyspark.errors import PySparkException

        return isinstance(error, PySparkException) and (error.getCondition() or "").endswith("ALREADY_EXISTS")


def _known(kind: "pa.DataType") -> "pa.DataType":
    """Return a type that Spark has: its whole numbers have signs, and it has no time of the day."""
    import pyarrow as pa

    if pa.types.is_time(kind):
        return pa.string()
    signed = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.decimal128(20, 0),
    }
    return signed.get(kind, kind)
