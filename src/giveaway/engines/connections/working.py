"""Letting an engine work: progress is told meanwhile, work is stopped in time, failures become one clear message."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from giveaway.engines.held import Arrays
from giveaway.engines.part import RowsPart
from giveaway.errors import BudgetExceeded, DataError, NotWritten, ScenarioError
from giveaway.model.progress import memory, tell
from giveaway.sources.files.duckdb import DuckDBEngine

if TYPE_CHECKING:
    import narwhals as nw

T = TypeVar("T")

BATCH = 1 << 16
_BETWEEN_TELLS = 0.2
_OF_ENGINES = {"_duckdb", "duckdb", "grpc", "ibis", "psycopg", "py4j", "pyarrow", "pyspark", "sqlglot"}
_LOST = {
    *(
        "AdminShutdown",
        "ConnectionTimeout",
        "CrashShutdown",
        "InterfaceError",
        "OperationalError",
        "QueryCanceled",
    ),
    *(
        "Py4JJavaError",
        "Py4JNetworkError",
        "SparkConnectGrpcException",
        "SparkException",
        "SparkRuntimeException",
    ),
}


class Working:
    """What the backends share: they bring rows here in a thread that can be interrupted."""

    kind: str
    shown: str

    def parts(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts; runs in the thread."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """Stop what the engine is doing."""

    def batches(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts, as they come."""
        done = 0
        with ThreadPoolExecutor(1) as pool:
            parts = self.awaited(pool, lambda: self.parts(frame), done)
            while (part := self.awaited(pool, lambda: next(parts, None), done)) is not None:
                done += len(part)
                if len(part):
                    yield part

    def whole(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Bring the rows of a frame here."""
        parts, size = [], 0
        for part in self.batches(frame):
            parts.append(part)
            size += part.nbytes
            if size > memory():
                raise BudgetExceeded(
                    f"More than {len(parts) * BATCH:,} distinct rows of {self.shown} do not fit into the memory allowed.",
                    hint="allow more with --memory, or ask about fewer columns.",
                )
        return RowsPart.joined(parts) if parts else self.work(lambda: self.empty(frame))

    def empty(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Return the columns of a frame without rows."""
        raise NotImplementedError

    def collect(self, frame: "nw.LazyFrame[Any]") -> Arrays:
        """Bring the rows of a frame here as arrays: objects for text, None where nothing is known."""
        return {name: column.array() for name, column in self.whole(frame).columns.items()}

    def comparable(self, frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
        """Return a frame whose values can be handed back with `put` and are then found again."""
        return frame

    def bring(self, frame: "nw.LazyFrame[Any]", opened: DuckDBEngine) -> int:
        """Make the rows of a frame the table `arrived` of the embedded engine; return their number."""
        from giveaway.engines.arrow import as_table

        done, put = 0, "CREATE TABLE arrived AS SELECT * FROM part"
        for part in self.batches(frame):
            # Told apart here, a failure of our own disk is not taken for one of the engine that holds the data.
            with told_as_not_written(self.shown):
                opened.connection.register("part", as_table(part))
                opened.connection.execute(put)
            done, put = done + len(part), "INSERT INTO arrived SELECT * FROM part"
        return done

    def work(self, work: Callable[[], T]) -> T:
        """Let the engine do something."""
        with ThreadPoolExecutor(1) as pool:
            return self.awaited(pool, work, 0)

    def awaited(self, pool: ThreadPoolExecutor, work: Callable[[], T], done: int) -> T:
        """Wait for work while progress is told, and interrupt it when the time allowed is over."""
        tell("reading", done)
        job = pool.submit(work)
        try:
            while not wait([job], _BETWEEN_TELLS).done:
                tell("reading", done)
        except BaseException:
            self.interrupt()
            raise
        with told_as_data_errors(self.shown):
            return job.result()


@contextmanager
def told_as_data_errors(shown: str) -> Iterator[None]:
    """Turn failures of an engine into one clear message that shows no value and no password."""
    try:
        yield
    except Exception as error:
        if not _of_engine(error):
            raise
        if type(error).__name__ in _LOST or isinstance(error, OSError | EOFError):
            fact, hint = (
                "stopped answering",
                "the connection was lost, or the work was stopped there; try again.",
            )
        else:
            fact, hint = (
                "cannot answer",
                "check that the table or the query is right and that you may read it.",
            )
        raise DataError(f"{shown} {fact} ({reason(error)}).", hint=hint) from None


def _of_engine(error: Exception) -> bool:
    roots = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return bool(roots & _OF_ENGINES) or isinstance(error, OSError | EOFError)


def reason(error: Exception) -> str:
    """Name what failed without its message, which may show values."""
    condition = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    named = condition() if callable(condition) else None
    return str(named or type(error).__name__.removesuffix("Exception"))


def need(package: str, extra: str) -> None:
    """Refuse to go on without a package that an extra installs."""
    if find_spec(package) is None:
        raise ScenarioError(
            f"Reading from there needs {package}, which is not installed.",
            hint=f'pip install "giveaway[{extra}]".',
        )


@contextmanager
def told_as_not_written(name: str) -> Iterator[None]:
    """Turn failures of the embedded engine into one clear message."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise NotWritten(
            f"The release of {name} needs more memory or disk space than there is.",
            hint="allow more with --memory, or free space for temporary files; nothing was left behind.",
        ) from None
    except duckdb.IOException:
        raise NotWritten(
            f"The release of {name} could not be written to disk.",
            hint="the disk may be full; nothing was left behind.",
        ) from None
