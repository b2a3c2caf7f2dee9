"""Spark, by a session of the program or by the address of Spark Connect."""

import uuid
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from giveaway.engines.connections.working import BATCH, Working, need, told_as_data_errors
from giveaway.engines.part import RowsPart
from giveaway.sources.address import Address

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

T = TypeVar("T")

_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_RETRIES = 8
_LONGEST_PAUSE = 5000
"""Some twenty seconds in all; by itself Spark would try for ten minutes to reach a server that is gone."""


class Spark(Working):
    """A Spark session; `own` if it was opened here and is to be closed."""

    kind = "spark"

    def __init__(self, shown: str, session: Any, *, own: bool = False) -> None:
        self.shown, self.session = shown, session
        self._tag = f"giveaway-{uuid.uuid4().hex}"
        self._closing = weakref.finalize(self, _end, session) if own else None

    @classmethod
    def at(cls, address: Address) -> "Spark":
        """Open a session of Spark Connect."""
        need("pyspark", "spark")
        need("grpc", "spark")
        with warnings.catch_warnings(), told_as_data_errors(address.shown):
            warnings.simplefilter("ignore", FutureWarning)  # about pandas, which is not used
            from pyspark.sql.connect.client.retries import DefaultPolicy
            from pyspark.sql.connect.session import SparkSession

            session = SparkSession.builder.remote(address.text).create()
            session.client.set_retry_policies(
                [DefaultPolicy(max_retries=_RETRIES, max_backoff=_LONGEST_PAUSE)]
            )
            return cls(address.shown, session, own=True)

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as a frame of Spark."""
        if table is None:
            return self.work(lambda: _timeless(self.session.sql(f"SELECT * FROM ({query}\n)")))  # noqa: S608 # the owner's own
        name = ".".join(f"`{part.replace('`', '``')}`" for part in table.split("."))
        return self.work(lambda: _timeless(self.session.table(name)))

    def given(self, frame: Any) -> Any:
        """Return a frame that a program holds in the form in which it is read."""
        return self.work(lambda: _timeless(frame))

    def put(self, part: RowsPart) -> "nw.LazyFrame[Any]":
        """Hand small data over."""
        import narwhals as nw

        from giveaway.engines.arrow import as_table

        table = as_table(part)
        native = self.work(lambda: self.session.createDataFrame(table if len(table) else _one_row(table)))
        frame: nw.LazyFrame[Any] = nw.from_native(native if len(table) else native.limit(0))
        return frame

    def whole(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Bring the rows of a frame here, all at once."""
        from giveaway.engines.arrow import from_arrow

        return from_arrow(self.work(lambda: self._tagged(frame.to_native().toArrow)))

    def parts(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts, one partition after the other."""
        import pyarrow as pa

        from giveaway.engines.arrow import from_arrow

        native = frame.to_native()
        schema = self._tagged(native.limit(0).toArrow).schema
        rows = native.toLocalIterator()
        while some := self._tagged(lambda: list(islice(rows, BATCH))):
            columns = zip(*some, strict=True)
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            yield from_arrow(pa.RecordBatch.from_arrays(arrays, schema=schema))

    def fingerprint(self, frame: "nw.LazyFrame[Any]") -> str:
        """Return the number of rows and the sum of their hashes."""
        native = frame.to_native()
        # Nulls leave a hash as it is, so it is told apart where they stand; maps cannot be hashed.
        values = [_quoted(name, kind) for name, kind in native.dtypes]
        nulls = [f"isnull({_name(name)})" for name in native.columns]
        hashed = f"xxhash64({', '.join([*values, *nulls])})"
        asked = native.selectExpr("count(*)", f"coalesce(sum(cast({hashed} AS decimal(38, 0))), 0)")
        count, total = self.work(lambda: self._tagged(asked.collect))[0]
        return f"{count}:{total}"

    def interrupt(self) -> None:
        """Stop the jobs of this backend."""
        self.session.interruptTag(self._tag)

    def close(self) -> None:
        """End the session, if it was opened here."""
        if self._closing is not None:
            self._closing()

    def awaited(self, pool: ThreadPoolExecutor, work: Callable[[], T], done: int) -> T:
        """Wait for work; what Spark would write into its log about a failure may show values."""
        with _silent():
            return super().awaited(pool, work, done)

    def _tagged(self, work: Any) -> Any:
        """Work under the tag by which jobs are stopped, which belongs to the thread."""
        self.session.addTag(self._tag)
        try:
            return work()
        finally:
            self.session.removeTag(self._tag)


def _end(session: Any) -> None:
    """End a session at once, also where the server is gone."""
    session.client.set_retry_policies([])
    session.stop()


@contextmanager
def _silent() -> Iterator[None]:
    from pyspark.logger import PySparkLogger

    loggers = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def _one_row(table: "pa.Table") -> "pa.Table":
    """Return a row of nothing: Spark cannot tell the types of a table without rows."""
    import pyarrow as pa

    return pa.table({field.name: pa.nulls(1, field.type) for field in table.schema})


def _timeless(frame: Any) -> Any:
    """Return a frame whose points in time are times of the day in the session's zone, as text files tell them."""
    zoned = [name for name, kind in frame.dtypes if kind == "timestamp"]
    if not zoned:
        return frame
    names = [_name(name) for name in frame.columns]
    return frame.selectExpr(
        *(
            f"cast({n} AS timestamp_ntz) AS {n}" if c in zoned else n
            for n, c in zip(names, frame.columns, strict=True)
        )
    )


def _name(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _quoted(name: str, kind: str) -> str:
    return f"to_json(struct({_name(name)}))" if "map<" in kind or kind == "variant" else _name(name)
