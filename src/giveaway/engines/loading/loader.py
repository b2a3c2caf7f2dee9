"""A release made a new table in a database or on a cluster: loaded, judged through the same connection, then committed."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from giveaway.engines.connections.working import need, reason
from giveaway.engines.loading.rows import RowsToLoad, released_rows
from giveaway.errors import CheckFailed, NotWritten, ScenarioError
from giveaway.model.data.origin import StoredTable
from giveaway.model.progress import tell
from giveaway.model.release.release import Release
from giveaway.sources.address import Address, Kind, address

if TYPE_CHECKING:
    import pyarrow as pa


class Taken(NotWritten):
    """There is such a table already."""


class Loader(ABC):
    """One new table; as a context it undoes everything unless the whole body succeeds."""

    kind: ClassVar[Kind]

    def __init__(self, shown: str, table: str) -> None:
        self.shown, self.table = shown, table
        self.parts = _name_parts(table)
        self.quoted = ".".join(map(self.quote, self.parts))
        self.release: Release | None = None
        self.connection: Any = None
        self._committed = False
        self._rows = 0

    def check(self) -> None:
        """Refuse a table that cannot be made, before any work is done for it."""
        with self, self.told():
            self.try_out()

    def load(self, release: Path) -> StoredTable:
        """Make the table out of written files, for the eyes of this connection only."""
        assert self.release is not None  # noqa: S101 # there are files only for a release
        with released_rows(release, self.release) as rows:
            self._rows = rows.total
            self.fill(rows)
        return StoredTable(
            kind=self.kind,
            connection=self.connection,
            address=self.shown,
            name=self.table,
            quoted=self.quoted,
            layout=rows.layout,
        )

    def commit(self) -> None:
        """Give the table to everybody, and look at it as everybody does."""
        with self.told():
            self.give_out()
            self._committed = True
            count = self.count_again()
        if count != self._rows:
            raise CheckFailed(
                f"The table {self.table} at {self.shown} holds {count:,} rows after it was committed, "
                f"and {self._rows:,} were loaded.",
                hint="it is taken back; somebody else may be writing there.",
            )

    @property
    def whereabouts(self) -> tuple[str, str]:
        """Address and name, the same from whichever folder a command is run."""
        return self.shown, self.table

    @property
    def file(self) -> Path | None:
        """The file that gets the table; None where it is not a file."""
        return None

    def stands(self) -> bool:
        """Tell whether the table is there, for everybody: it is whole then, since it gets its name last."""
        try:
            self.check()
        except Taken:
            return True
        return False

    def __enter__(self) -> Self:
        with self.told():
            self.open()
        return self

    def __exit__(self, *failure: object) -> None:
        failed = failure[0] is not None
        failures: tuple[type[Exception], ...] = (*self.failures, NotWritten)
        try:
            if not self._committed:
                self.undo()
            elif failed:
                self.drop()
        except failures as error:
            # What is not committed goes away with a lost connection, and why it was lost is told already.
            if self._committed:
                raise self._left_behind(error) from None
            if not failed:
                raise self._failed(error) from None
        finally:
            self.close()

    @property
    @abstractmethod
    def failures(self) -> tuple[type[Exception], ...]:
        """What the engine raises when it fails."""

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn failures of an engine into one clear message that shows no value and no password."""
        try:
            yield
        except self.failures as error:
            raise (self.taken() if self.exists(error) else self._failed(error)) from None

    def _failed(self, error: Exception) -> NotWritten:
        return NotWritten(
            f"The table {self.table} could not be written at {self.shown} ({reason(error)}).",
            hint="nothing was left behind; the connection, the rights, the types or a full disk may be at fault.",
        )

    def _left_behind(self, error: Exception) -> NotWritten:
        return NotWritten(
            f"The table {self.table} stands at {self.shown}, and could not be taken back ({reason(error)}).",
            hint="there is no manifest of it: drop the table yourself.",
            stands=True,
        )

    def taken(self) -> "Taken":
        """Make the error for a table that exists."""
        return Taken(
            f"The table {self.table} exists at {self.shown} and was left alone.",
            hint="name another table: a table is never replaced, with --force neither.",
        )

    @staticmethod
    def quote(name: str) -> str:
        """Quote a name for the engine."""
        return '"' + name.replace('"', '""') + '"'

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def try_out(self) -> None:
        """Make the table in a way that is undone."""

    @abstractmethod
    def fill(self, rows: RowsToLoad) -> None:
        """Make the table and put rows into it."""

    @abstractmethod
    def give_out(self) -> None:
        """Commit."""

    @abstractmethod
    def count_again(self) -> int:
        """Count the rows of the table through a connection of its own, once it is committed."""

    @abstractmethod
    def undo(self) -> None:
        """Take back what is not committed."""

    @abstractmethod
    def drop(self) -> None:
        """Take back what is committed."""

    @abstractmethod
    def close(self) -> None:
        """Disconnect."""

    @abstractmethod
    def exists(self, error: Exception) -> bool:
        """Tell whether an error says that there is such a table already."""


class ArrowLoader(Loader):
    """One new table that takes batches of Arrow."""

    def fill(self, rows: RowsToLoad) -> None:
        """Make the table and put rows into it, batch by batch."""
        batches = rows.arrow()
        with self.told():
            self.create(batches.schema)
        done = 0
        for batch in batches:
            tell("loading the table", done, self._rows)
            with self.told():
                self.add(batch)
            done += batch.num_rows

    @abstractmethod
    def create(self, schema: "pa.Schema") -> None:
        """Make the table without rows."""

    @abstractmethod
    def add(self, batch: "pa.RecordBatch") -> None:
        """Put rows into the table."""


def destination(to: Any, table: str | None, release: Release | None = None) -> Loader:
    """Understand where a release is to become a table: an address, or a Spark session."""
    if to is None or table is None:
        raise ScenarioError(
            "The name of a new table is given, but not where it is to be."
            if to is None
            else "The place of a new table is given, but not its name.",
            hint="give --to ADDRESS and --table NAME together (in Python: to= and table=).",
        )
    if release is not None and release.rules is not None:
        raise ScenarioError(
            "Rules are published as files, not as a table.", hint="leave --to and --table out."
        )
    loader = _loader(to, table)
    loader.release = release
    return loader


def _loader(to: Any, table: str) -> Loader:
    if type(to).__module__.startswith("pyspark."):
        return _spark("the Spark session", table, session=to)
    place = address(str(to), Path())
    if place is None:
        raise ScenarioError(
            f"{to} is not the address of a database or cluster.",
            exists="duckdb:FILE, postgres://HOST/DATABASE, sc://HOST:PORT",
            hint="without --to the release is written as files.",
        )
    if place.kind == "spark":
        return _spark(place.shown, table, place=place)
    if place.kind == "postgres":
        need("pyarrow", "frames")
        need("psycopg", "warehouse")
        from giveaway.engines.loading.postgres import PostgresLoader

        return PostgresLoader(place, table)
    from giveaway.engines.loading.duckdb import DuckDBLoader

    return DuckDBLoader(place, table)


def _spark(shown: str, table: str, *, session: Any = None, place: Address | None = None) -> Loader:
    need("pyarrow", "frames")
    need("pyspark", "spark")
    from giveaway.engines.loading.spark import SparkLoader

    return SparkLoader(shown, table, session=session, place=place)


def _name_parts(table: str) -> list[str]:
    parts = table.split(".")
    if not all(part.strip() for part in parts):
        raise ScenarioError(f'"{table}" is not the name of a table.', hint="write NAME, or SCHEMA.NAME.")
    return parts
