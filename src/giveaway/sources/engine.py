"""The embedded engine: a DuckDB connection that reads one file and keeps to itself."""

import glob
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.errors import DataError
from giveaway.model.labels import Label, in_order
from giveaway.model.progress import memory, tell
from giveaway.sources.files import BLANKS, StoredFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BETWEEN_TELLS = 0.2
_CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": "2",
}


@dataclass(frozen=True)
class Engine:
    """An open connection and a private folder for what does not fit into memory."""

    connection: "DuckDBPyConnection"
    folder: Path

    def run(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        rows: list[tuple[Any, ...]] = self._watched(lambda: self.connection.execute(query).fetchall())
        return rows

    def value(self, query: str) -> Any:
        """Run a query with one value as its answer."""
        return self.run(query)[0][0]

    def arrays(self, query: str) -> list[Any]:
        """Run a query and return one array for each column; none may hold nulls."""
        return list(self._watched(lambda: self.connection.execute(query).fetchnumpy()).values())

    def _watched(self, work: Callable[[], Any]) -> Any:
        """Let the engine work while progress is told, and interrupt it when the time allowed is over."""
        with ThreadPoolExecutor(1) as pool:
            tell("reading", 0)
            job = pool.submit(work)
            try:
                while not wait([job], _BETWEEN_TELLS).done:
                    tell("reading", 0)
            except BaseException:
                self.connection.interrupt()
                raise
            return job.result()

    def put(self, table: str, labels: Sequence[str | None]) -> None:
        """Make a table of labels, numbered from 0 in the column `code`."""
        given = {"label": np.array(labels, dtype=object), "code": np.arange(len(labels))}
        self.connection.execute(f"CREATE TABLE {table}(label VARCHAR, code INTEGER)")
        if labels:
            self.connection.register("put", given)
            self.connection.execute(f"INSERT INTO {table} SELECT * FROM put")  # noqa: S608 # names are our own
            self.connection.unregister("put")

    def coded(self, kind: str, expression: str, relation: str) -> list[Label]:
        """Make an enumeration of the distinct values of an expression in label order, and return them."""
        found = self.run(
            f"SELECT DISTINCT label FROM (SELECT {expression} AS label FROM {relation}) WHERE label IS NOT NULL"  # noqa: S608 # quoted
        )
        labels = in_order(label for (label,) in found)
        if labels:
            self.put(f"{kind}_labels", [str(label) for label in labels])
            self.run(f"CREATE TYPE {kind} AS ENUM (SELECT label FROM {kind}_labels ORDER BY code)")  # noqa: S608 # our own
        return labels


@contextmanager
def engine() -> Iterator[Engine]:
    """Open an engine without network, within the memory allowed, and remove its traces."""
    import duckdb

    folder = Path(tempfile.mkdtemp(prefix="giveaway-"))
    connection = duckdb.connect(":memory:", config={**_CONFIG, "memory_limit": f"{memory()}B"})
    try:
        connection.execute(f"SET temp_directory = {literal(str(folder / 'spill'))}")
        connection.execute("SET enable_progress_bar = false")
        connection.execute("ATTACH ':memory:' AS held (COMPRESS)")
        connection.execute("USE held")
        yield Engine(connection, folder)
    finally:
        connection.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def told_as_data_errors(file: StoredFile) -> Iterator[None]:
    """Turn errors of the engine into one clear message that shows no value."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise DataError(
            f'The file "{file.name}" needs more memory than allowed.', hint="allow more with --memory."
        ) from None
    except (duckdb.BinderException, duckdb.ParserException, duckdb.CatalogException):
        raise  # a mistake of ours, not of the data
    except duckdb.Error as error:
        raise DataError(
            f'The file "{file.name}" cannot be read as {file.ending.removeprefix(".")} '
            f"({type(error).__name__.removesuffix('Exception')}).",
            hint="it may be damaged or have the wrong ending.",
        ) from None


def literal(text: str) -> str:
    """Quote a text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def exact_path(path: Path) -> str:
    """Quote a path for SQL so that none of its letters is taken for a pattern."""
    return literal(glob.escape(str(path)))


def trimmed(expression: str) -> str:
    """Return SQL for a value without blanks around it."""
    return f"trim({expression}, {literal(BLANKS)})"


def present(expression: str, missing: Sequence[str]) -> str:
    """Return SQL for a value, null where it is missing."""
    if not missing:
        return expression
    return f"CASE WHEN {expression} IN ({', '.join(map(literal, missing))}) THEN NULL ELSE {expression} END"
