"""The embedded engine: a DuckDB connection that reads one file and keeps to itself."""

import glob
import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data.labels import Label
from giveaway.model.data.texts import Texts
from giveaway.model.paths import shown
from giveaway.model.progress import memory, tell
from giveaway.scratch import scratch_folder
from giveaway.sources.files.stored import BLANKS, StoredFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BETWEEN_TELLS = 0.2
_AT_ONCE = 1 << 17
_FEW = 1 << 16
_LEAST_MEMORY = 64 << 20
_ENOUGH_FOR_TWO = 256 << 20
"""Memory with which two threads group any number of different rows."""
_MOST_IN_GROUP = 122_880
_BYTES_FOR_ROW = 4096
_LONGEST_NUMBER = 4000
_PATIENCE = 2.0
"""Seconds in which a query that is interrupted ends, unless it is still being planned."""
_FULL_DISK = ("max_temp_directory_size", "No space left", "File too large")
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "preserve_insertion_order": "true",
    "enable_progress_bar": "true",
    "enable_progress_bar_print": "false",
}


@dataclass(frozen=True)
class DuckDBEngine:
    """An open connection and a private folder for what does not fit into memory."""

    connection: "DuckDBPyConnection"
    folder: Path
    row_group: int = _MOST_IN_GROUP
    """How many rows of a Parquet file are written at once, fewer where memory is short."""

    def run(self, query: str, rows: int | None = None) -> list[tuple[Any, ...]]:
        """Run a query and return its rows; `rows` says how many it goes through."""
        answer: list[tuple[Any, ...]] = self._watched(lambda: self.connection.execute(query).fetchall(), rows)
        return answer

    def value(self, query: str) -> Any:
        """Run a query with one value as its answer."""
        return self.run(query)[0][0]

    def arrays(self, query: str) -> list[Any]:
        """Run a query and return one array for each column; none may hold nulls."""
        return list(self._watched(lambda: self.connection.execute(query).fetchnumpy()).values())

    def parts(self, query: str, rows: int) -> Iterator[tuple[Any, ...]]:
        """Run a query and give its answer in parts as it comes: one array for each column, texts as `Texts`.

        None may hold nulls. `rows` says how many rows the answer has at most, for those who watch; a few are here sooner
        than Arrow is imported.
        """
        answer = _arrow_parts if rows > _FEW and find_spec("pyarrow") else _python_parts
        parts = self._watched(lambda: answer(self.connection.execute(query)))
        done = 0
        while part := self._watched(lambda: next(parts, None), rows, done):
            yield part
            done += len(part[0])

    def _watched(self, work: Callable[[], Any], rows: int | None = None, done: int = 0) -> Any:
        """Let the engine work while progress is told, and interrupt it when the time allowed is over."""
        tell("reading", done, rows)
        job = _Job(work)
        try:
            while not job.ended(_BETWEEN_TELLS):
                percent = max(self.connection.query_progress(), 0)  # -1 where it does not know
                tell("reading", done or int((rows or 0) * percent / 100), rows)
        except BaseException:
            self.connection.interrupt()
            job.ended(
                _PATIENCE
            )  # it hears nothing while it plans, which takes minutes for thousands of columns
            raise
        return job.result()

    def put(self, table: str, columns: Mapping[str, Sequence[str | None] | NDArray[Any]]) -> None:
        """Make a table of columns of texts, whole numbers or truth values, in the order of their rows.

        They go through a file of JSON, in which each has one form; arrays that the engine reads itself load pandas.
        """
        kinds = {name: _kind(column) for name, column in columns.items()}
        listed = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
        self.connection.execute(f"CREATE TABLE {table}({listed})")
        rows, longest, file = len(next(iter(columns.values()))), 0, self.folder / "put.jsonl"
        with file.open("w", encoding="ascii") as out:
            for start in range(0, rows, _AT_ONCE):
                some = {name: column[start : start + _AT_ONCE] for name, column in columns.items()}
                longest = max(longest, out.write(json.dumps(some, default=np.ndarray.tolist) + "\n"))
        if rows:
            names = ", ".join(f"unnest({name})" for name in columns)
            lists = ", ".join(f"{name}: '{kind}[]'" for name, kind in kinds.items())
            self.run(
                f"INSERT INTO {table} SELECT {names} FROM read_json({literal(str(file))}, "  # noqa: S608 # our own
                f"format = 'newline_delimited', columns = {{{lists}}}, maximum_object_size = {longest + 1})"
            )
        file.unlink()

    def labels(self, table: str, expression: str, relation: str) -> list[Label]:
        """Make a table of the distinct values of an expression, numbered in label order, and return them."""
        self.run(
            f"CREATE TABLE {table} AS SELECT label, "  # noqa: S608 # quoted
            f"(row_number() OVER (ORDER BY {label_order('label')}) - 1)::INTEGER AS code FROM "
            f"(SELECT DISTINCT {expression} AS label FROM {relation}) WHERE label IS NOT NULL"
        )
        rows = self.value(f"SELECT count(*) FROM {table}")  # noqa: S608 # our own
        parts = self.parts(f"SELECT label FROM {table} ORDER BY code", rows)  # noqa: S608 # our own
        return [label for (texts,) in parts for label in texts]


def _kind(column: Sequence[str | None] | NDArray[Any]) -> str:
    kind = column.dtype.kind if isinstance(column, np.ndarray) else "O"
    return {"b": "BOOLEAN", "i": "BIGINT"}.get(kind, "VARCHAR")


class _Job:
    """Work in a thread of its own, whose end is waited for with one lock: a reading is many small jobs."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: BaseException | None = None
        self._busy = threading.Lock()
        self._busy.acquire()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:  # noqa: BLE001 # told to who waits
            self._error = error
        finally:
            self._busy.release()

    def ended(self, seconds: float) -> bool:
        """Wait for the end, as long as this; tell whether it came."""
        if not self._busy.acquire(timeout=seconds):
            return False
        self._busy.release()
        return True

    def result(self) -> Any:
        """Return what came of it, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result


def _arrow_parts(answer: Any) -> Iterator[tuple[Any, ...]]:
    read = getattr(answer, "to_arrow_reader", None) or answer.fetch_record_batch  # the older name
    for batch in read(_AT_ONCE):
        yield tuple(map(_from_arrow, batch.columns))


_NUMPY = {"double": "float64", "float": "float32"}


def _from_arrow(column: Any) -> Any:
    place, kind = slice(column.offset, column.offset + len(column)), str(column.type)
    if kind == "bool":
        return np.unpackbits(np.frombuffer(column.buffers()[1], np.uint8), bitorder="little")[place].astype(
            bool
        )
    if kind != "string":  # not `to_numpy`, which loads pandas
        return np.frombuffer(column.buffers()[1] or b"", _NUMPY.get(kind, kind))[place]
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[place.start : place.stop + 1]
    return Texts(np.frombuffer(data or b"", np.uint8), ends.astype(np.int64))


def _python_parts(answer: Any) -> Iterator[tuple[Any, ...]]:
    while rows := answer.fetchmany(_AT_ONCE):
        columns = zip(*rows, strict=True)
        yield tuple(Texts.of(one) if isinstance(one[0], str) else np.array(one) for one in columns)


@contextmanager
def engine() -> Iterator[DuckDBEngine]:
    """Open an engine without network, within the memory allowed, and remove its traces.

    It gets half of a large memory, since the rest is needed for what it brings back. What does not fit is put into a
    folder for temporary files.
    """
    import duckdb

    limit = max(memory() // 2, min(memory(), _ENOUGH_FOR_TWO), _LEAST_MEMORY)
    with scratch_folder() as folder, duckdb.connect(":memory:") as connection:
        work = {
            "memory_limit": f"{limit}B",
            "threads": "2" if limit >= _ENOUGH_FOR_TWO else "1",
            "temp_directory": str(folder / "spill"),
        }
        for name, value in {**work, **_SETTINGS}.items():
            connection.execute(f"SET {name} = {literal(value)}")
        connection.execute("ATTACH ':memory:' AS held (COMPRESS)")
        connection.execute("USE held")
        yield DuckDBEngine(connection, folder, min(_MOST_IN_GROUP, limit // _BYTES_FOR_ROW))


@contextmanager
def told_as_data_errors(file: StoredFile) -> Iterator[None]:
    """Turn errors of the engine into one clear message that shows no value."""
    import duckdb

    try:
        yield
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        raise _without_room(file, str(error)) or _unreadable(file, error) from None
    except (duckdb.BinderException, duckdb.ParserException, duckdb.CatalogException):
        raise  # a mistake of ours, not of the data
    except duckdb.Error as error:
        raise _unreadable(file, error) from None


def _without_room(file: StoredFile, message: str) -> DataError | None:
    """Make the error for too little room on disk or in memory, None where something else is told."""
    if any(sign in message for sign in _FULL_DISK):
        return DataError(
            f'The disk became full while working on "{file.name}".',
            hint=f"free some of it; what does not fit into memory goes to {tempfile.gettempdir()}, "
            "elsewhere with TMPDIR, and is less with more --memory.",
        )
    if message.startswith("Out of Memory"):
        return DataError(
            f'The file "{file.name}" needs more memory than allowed.', hint="allow more with --memory."
        )
    return None


def _unreadable(file: StoredFile, error: Exception) -> DataError:
    return DataError(
        f'The file "{file.name}" cannot be read as {file.ending.removeprefix(".")} '
        f"({type(error).__name__.removesuffix('Exception')}).",
        hint="it may be damaged or have the wrong ending.",
    )


def literal(text: str) -> str:
    """Quote a text for SQL."""
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise DataError(f"The name {shown(text)} is not UTF-8 text.", hint="rename the file or its folder.")
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def exact_path(path: Path) -> str:
    """Quote a path for SQL so that none of its letters is taken for a pattern."""
    return literal(glob.escape(str(path)))


def trimmed(expression: str) -> str:
    """Return SQL for a value without blanks around it."""
    ends = " OR ".join(f"ends_with({expression}, {literal(blank)})" for blank in BLANKS)
    # Few values begin or end with a blank, and the engine trims slowly.
    return f"CASE WHEN {expression} < '!' OR {ends} THEN trim({expression}, {literal(BLANKS)}) ELSE {expression} END"


def present(text: str, missing: Sequence[str], value: str | None = None) -> str:
    """Return SQL for a text, or for the value that has it, null where it is missing."""
    if not missing:
        return value or text
    return f"CASE WHEN {text} IN ({', '.join(map(literal, missing))}) THEN NULL ELSE {value or text} END"


def label_order(label: str) -> str:
    """Return SQL that orders texts as `label_key` orders labels: whole numbers by value, then others."""
    whole = f"(regexp_full_match({label}, '-?[0-9]+') AND strlen({label}) <= {_LONGEST_NUMBER})"
    digits = f"ltrim({label}, '-0')"
    below = f"(starts_with({label}, '-') AND {digits} <> '')"
    return (
        f"NOT {whole}, CASE WHEN NOT {whole} THEN 0 WHEN {below} THEN -strlen({digits}) ELSE strlen({digits}) END, "
        f"CASE WHEN NOT {whole} THEN '' WHEN {below} THEN translate({digits}, '0123456789', '9876543210') "
        f"ELSE {digits} END, {label}"
    )
