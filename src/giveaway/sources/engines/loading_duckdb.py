"""A release made a new table of a DuckDB file."""

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from giveaway.errors import NotWritten
from giveaway.model.progress import memory
from giveaway.sources.engines.address import Address
from giveaway.sources.engines.loading import Loader

if TYPE_CHECKING:
    import pyarrow as pa


class DuckDBLoader(Loader):
    """A table in one transaction; a file that did not exist is gone again if that fails."""

    kind = "duckdb"

    def __init__(self, place: Address, table: str) -> None:
        super().__init__(place.shown, table)
        self._file = (place.path or Path()).resolve()
        self._is_new = False

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What DuckDB raises when it fails."""
        return duckdb.Error, OSError

    def open(self) -> None:
        """Open the file for writing."""
        self._is_new = not self._file.exists()
        try:
            self.connection = duckdb.connect(self._file, config={"memory_limit": f"{memory()}B"})
        except (duckdb.BinderException, duckdb.ConnectionException):
            raise NotWritten(
                f"{self.shown} is being read, and a DuckDB file cannot be written meanwhile.",
                hint="name another DuckDB file.",
            ) from None
        self.connection.execute("BEGIN")

    def try_out(self) -> None:
        """Make the table in a way that is undone."""
        self.connection.execute(f"CREATE TABLE {self.quoted} (tried INTEGER)")

    def create(self, schema: "pa.Schema") -> None:
        """Make the table without rows."""
        self.connection.register("given", schema.empty_table())
        self.connection.execute(f"CREATE TABLE {self.quoted} AS SELECT * FROM given")  # noqa: S608 # quoted

    def add(self, batch: "pa.RecordBatch") -> None:
        """Put rows into the table."""
        import pyarrow as pa

        self.connection.register("given", pa.Table.from_batches([batch]))
        self.connection.execute(f"INSERT INTO {self.quoted} SELECT * FROM given")  # noqa: S608 # quoted

    def give_out(self) -> None:
        """Commit."""
        self.connection.execute("COMMIT")

    def undo(self) -> None:
        """Take back what is not committed, with a file that was not there before."""
        self.connection.execute("ROLLBACK")
        self._remove_new_file()

    def drop(self) -> None:
        """Take back what is committed."""
        self.connection.execute(f"DROP TABLE {self.quoted}")
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
            self.connection.close()
            self._file.unlink(missing_ok=True)
            self._file.with_name(f"{self._file.name}.wal").unlink(missing_ok=True)
