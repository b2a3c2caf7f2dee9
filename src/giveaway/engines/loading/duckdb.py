"""A release made a new table of a DuckDB file."""

from pathlib import Path

import duckdb

from giveaway.engines.connections.duck_file import not_a_database
from giveaway.engines.loading.loader import Loader
from giveaway.engines.loading.rows import RowsToLoad
from giveaway.errors import NotWritten
from giveaway.model.progress import memory
from giveaway.sources.address import Address
from giveaway.sources.files.duckdb import DuckDBEngine


class DuckDBLoader(Loader):
    """A table in one transaction; a file that did not exist is gone again if that fails."""

    kind = "duckdb"

    def __init__(self, place: Address, table: str) -> None:
        super().__init__(place.shown, table)
        self._file = (place.path or Path()).resolve()
        self._is_new = False

    @property
    def whereabouts(self) -> tuple[str, str]:
        """The file from the root, and the name of the table."""
        return f"duckdb:{self._file}", self.table

    @property
    def file(self) -> Path | None:
        """The database."""
        return self._file

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What DuckDB raises when it fails."""
        return duckdb.Error, OSError

    def open(self) -> None:
        """Open the file for writing; one that exists must be a database."""
        self._is_new = not self._file.exists()
        wrong = None if self._is_new else not_a_database(self._file)
        if wrong is not None:
            raise NotWritten(
                f"{self.shown} {wrong} and was left alone.", hint="name the file of a database, or a new one."
            )
        try:
            self._connect()
            self.connection.execute("BEGIN")
        except BaseException:
            self.close()
            self._remove_new_file()
            raise

    def _connect(self) -> None:
        try:
            self.connection = duckdb.connect(self._file, config={**_alone(), "memory_limit": f"{memory()}B"})
        except (duckdb.BinderException, duckdb.ConnectionException):
            raise NotWritten(
                f"{self.shown} is being read, and a DuckDB file cannot be written meanwhile.",
                hint="name another DuckDB file.",
            ) from None

    def try_out(self) -> None:
        """Make the table in a way that is undone."""
        self.connection.execute(f"CREATE TABLE {self.quoted} (tried INTEGER)")

    def fill(self, rows: RowsToLoad) -> None:
        """Make the table and put rows into it."""
        with self.told():
            filling = DuckDBEngine(self.connection, rows.opened.folder)
            filling.run(f"CREATE TABLE {self.quoted} AS SELECT * FROM {rows.stored}", self._rows)  # noqa: S608 # quoted

    def give_out(self) -> None:
        """Commit, and move everything into the file itself."""
        self.connection.execute("COMMIT")
        self._committed = True
        self.connection.execute("CHECKPOINT")

    def count_again(self) -> int:
        """Count the rows of the table in the file, opened anew once it is closed."""
        self.connection.close()
        with duckdb.connect(self._file, read_only=True, config=_alone()) as other:
            ((count,),) = other.execute(f"SELECT count(*) FROM {self.quoted}").fetchall()  # noqa: S608 # quoted
        return int(count)

    def undo(self) -> None:
        """Take back what is not committed, with a file that was not there before."""
        self.connection.close()
        self._remove_new_file()

    def drop(self) -> None:
        """Take back what is committed."""
        self.connection.close()
        if not self._is_new:
            self._connect()
            self.connection.execute(f"DROP TABLE IF EXISTS {self.quoted}")
            self.connection.execute("CHECKPOINT")
        self._remove_new_file()

    def close(self) -> None:
        """Close the file."""
        if self.connection is not None:
            self.connection.close()

    def exists(self, error: Exception) -> bool:
        """Tell whether an error says that there is such a table already."""
        return isinstance(error, duckdb.CatalogException) and "already exists" in str(error)

    def _remove_new_file(self) -> None:
        if self._is_new:
            self._file.unlink(missing_ok=True)
            self._file.with_name(f"{self._file.name}.wal").unlink(missing_ok=True)


def _alone() -> "dict[str, str | bool | int | float | list[str]]":
    """Return settings by which nothing is fetched from elsewhere."""
    return {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
