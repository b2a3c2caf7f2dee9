"""DuckDB databases, opened to be read, and relations of DuckDB that a program holds."""

import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giveaway.engines.connections.duck_file import not_a_database
from giveaway.engines.connections.working import (
    BATCH,
    Working,
    told_as_data_errors,
    told_as_not_written,
)
from giveaway.engines.part import PlainColumn, RowsPart
from giveaway.errors import DataError
from giveaway.model.paths import note_read
from giveaway.sources.address import Address
from giveaway.sources.files.duckdb import DuckDBEngine, engine, exact_path, identifier, literal

if TYPE_CHECKING:
    import narwhals as nw
    from duckdb import DuckDBPyRelation

_SELF = "giveaway_relation"
"""What a relation is called in a query about it; a table of that name could not be asked."""
_GIVEN = "given"
"""What the database is called here."""
_WHOLE = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger")
_AS_THEY_ARE = {"varchar", *_WHOLE}
"""Types whose values come here as they are: texts, and whole numbers of at most 64 bits with their sign."""
_NESTED = {"list", "array", "struct", "map", "union"}
_LONG = {"hugeint", "uhugeint"}
_MOST_SHOWN = 8


class Duck(Working):
    """A DuckDB connection, known by one of its relations."""

    kind = "duckdb"

    def __init__(self, shown: str, relation: "DuckDBPyRelation", opened: DuckDBEngine | None = None) -> None:
        self.shown, self._relation, self._opened = shown, relation, opened
        self._closing: weakref.finalize[..., Any] | None = None
        self._puts = count()

    @classmethod
    def at(cls, address: Address) -> "Duck":
        """Open a database file to be read, within the memory allowed; no other file can be read through it."""
        path = address.path or Path()
        _check(path)
        closing = ExitStack()
        opened = closing.enter_context(engine())
        run = opened.connection.execute
        try:
            with told_as_data_errors(address.shown):
                run(f"ATTACH {literal(str(path))} AS {_GIVEN} (READ_ONLY)")
                run(f"USE {_GIVEN}")
                # Else a name that is not that of a table would be that of a file, or of a variable of this program.
                run(f"SET allowed_directories = [{literal(f'{opened.folder}/')}]")
                run("SET enable_external_access = false")
                run("SET python_enable_replacements = false")
                duck = cls(address.shown, opened.connection.sql("SELECT 1"), opened)
        except BaseException:
            closing.close()
            raise
        duck._closing = weakref.finalize(duck, closing.close)
        return duck

    def frame(self, table: str | None, query: str | None) -> Any:
        """Return a table or the answer to a query as a relation."""
        asked = f"({query}\n)" if table is None else self._stored(table)
        return self.work(lambda: self._relation.query(_SELF, f"SELECT * FROM {asked} AS asked"))  # noqa: S608 # quoted, or the owner's own

    def _stored(self, table: str) -> str:
        """Return the whole name of a table or view of the database; anything else, such as a file, is none."""
        named = (
            "SELECT schema_name, table_name AS name, database_name FROM duckdb_tables() "
            "UNION ALL SELECT schema_name, view_name, database_name FROM duckdb_views() WHERE NOT internal"
        )
        ours = f"SELECT schema_name, name FROM ({named}) WHERE database_name = '{_GIVEN}' ORDER BY ALL"  # noqa: S608 # our own
        tables = self.work(lambda: self._relation.query(_SELF, ours).fetchall())
        *above, name = table.split(".")
        schema = ".".join(above) or "main"
        for known in tables:
            if (schema.lower(), name.lower()) == (known[0].lower(), known[1].lower()):
                return ".".join(map(identifier, (_GIVEN, *known)))
        names = [name if schema == "main" else f"{schema}.{name}" for schema, name in tables]
        raise DataError(
            f'{self.shown} cannot answer: it has no table or view "{table}".',
            exists=", ".join(names[:_MOST_SHOWN]) or "no table at all",
            hint="write NAME, or SCHEMA.NAME; a file next to the database is data of its own.",
        )

    def put(self, part: RowsPart) -> "nw.LazyFrame[Any]":
        """Hand small data over."""
        import narwhals as nw

        arrays = {name: column.array() for name, column in part.columns.items()}
        # An empty column of texts does not tell what it is.
        cells = ", ".join(
            f"CAST({name} AS {'VARCHAR' if array.dtype == object else 'BIGINT'}) AS {name}"
            for name, array in arrays.items()
        )
        if self._opened is None:
            giveaway_put = arrays  # the query below finds it by this name
            relation = self._relation.query(_SELF, f"SELECT {cells} FROM giveaway_put")  # noqa: S608 # our own
            del giveaway_put
        else:
            name = f"giveaway_put{next(self._puts)}"
            self._opened.connection.register(name, arrays)
            relation = self._opened.connection.sql(f"SELECT {cells} FROM {name}")  # noqa: S608 # our own
        return nw.from_native(relation)

    def comparable(self, frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
        """Return a frame of whole numbers and of texts as they come here."""
        import narwhals as nw

        return nw.from_native(_spelled(frame.to_native()))

    def parts(self, frame: "nw.LazyFrame[Any]") -> Iterator[RowsPart]:
        """Give the rows of a frame in parts."""
        spelled = _spelled(frame.to_native())
        return _by_arrow(spelled) if find_spec("pyarrow") else _by_python(spelled)

    def empty(self, frame: "nw.LazyFrame[Any]") -> RowsPart:
        """Return the columns of a frame without rows."""
        if find_spec("pyarrow"):
            from giveaway.engines.arrow import from_arrow

            return from_arrow(_spelled(frame.to_native()).limit(0).to_arrow_table())
        return RowsPart({name: PlainColumn.of(()) for name in frame.to_native().columns})

    def bring(self, frame: "nw.LazyFrame[Any]", opened: DuckDBEngine) -> int:
        """Make the rows of a frame the table `arrived` of the embedded engine, by a Parquet file; return their number."""
        folder = opened.folder if self._opened is None else self._opened.folder
        file = folder / "arrived.parquet"
        with told_as_not_written(self.shown):
            failed = self.work(
                lambda: _failure(lambda: _for_parquet(frame.to_native()).write_parquet(str(file)))
            )
            if failed is not None:
                raise failed
            opened.run(f"CREATE TABLE arrived AS SELECT * FROM read_parquet({exact_path(file)})")  # noqa: S608 # quoted
        file.unlink()
        return int(opened.value("SELECT count(*) FROM arrived"))

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


def _check(path: Path) -> None:
    if not path.exists():
        raise DataError(
            f'There is no DuckDB file "{path}".', hint="relative names start from the scenario's folder."
        )
    wrong = not_a_database(path)
    note_read(path)
    if wrong is not None:
        raise DataError(
            f'"{path}" {wrong}.',
            hint="name the file of a database; other files are read without duckdb: before them.",
        )


def _spelled(rows: "DuckDBPyRelation") -> "DuckDBPyRelation":
    """Return rows in which DuckDB has spelled whatever is more than a text or a whole number."""
    return _cast(rows, lambda kind: None if kind in _AS_THEY_ARE | _NESTED else "VARCHAR")


def _for_parquet(rows: "DuckDBPyRelation") -> "DuckDBPyRelation":
    """Return rows in which very long whole numbers are decimal ones: Parquet would have them as floats."""
    return _cast(rows, lambda kind: "DECIMAL(38, 0)" if kind in _LONG else None)


def _cast(rows: "DuckDBPyRelation", wanted: Callable[[str], str | None]) -> "DuckDBPyRelation":
    kinds = {name: wanted(kind.id) for name, kind in zip(rows.columns, rows.types, strict=True)}
    if not any(kinds.values()):
        return rows
    names = {name: identifier(name) for name in kinds}
    return rows.project(
        ", ".join(
            names[name] if kind is None else f"CAST({names[name]} AS {kind}) AS {names[name]}"
            for name, kind in kinds.items()
        )
    )


def _by_arrow(rows: "DuckDBPyRelation") -> Iterator[RowsPart]:
    from giveaway.engines.arrow import from_arrow

    return map(from_arrow, rows.fetch_record_batch(BATCH))


def _by_python(rows: "DuckDBPyRelation") -> Iterator[RowsPart]:
    nested = [kind.id in _NESTED for kind in rows.types]
    while some := rows.fetchmany(BATCH):
        columns = zip(rows.columns, zip(*some, strict=True), nested, strict=True)
        yield RowsPart({name: PlainColumn.of(cells, nested=lists) for name, cells, lists in columns})


def _failure(work: Callable[[], object]) -> Exception | None:
    """Return a failure of the disk to which rows are written: it is not one of the database that is read."""
    import duckdb

    try:
        work()
    except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
        return error
    return None
