"""A release made a new table of PostgreSQL."""

from typing import TYPE_CHECKING, Any

from giveaway.engines.loading.loader import ArrowLoader
from giveaway.errors import NotWritten
from giveaway.sources.address import Address, password_of

if TYPE_CHECKING:
    import pyarrow as pa

_LONGEST_NAME = 63
_TYPES = {
    "bool": "boolean",
    "int8": "smallint",
    "int16": "smallint",
    "int32": "integer",
    "int64": "bigint",
    "uint8": "smallint",
    "uint16": "integer",
    "uint32": "bigint",
    "uint64": "numeric(20, 0)",
    "float": "real",
    "double": "double precision",
    "date32[day]": "date",
    "binary": "bytea",
}


class PostgresLoader(ArrowLoader):
    """A table in one transaction, filled by COPY."""

    kind = "postgres"

    def __init__(self, place: Address, table: str) -> None:
        super().__init__(place.shown, table)
        self._address = place.text
        self._check_names(self.parts, "table")

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What the driver raises when it fails."""
        import psycopg

        return psycopg.Error, OSError

    def open(self) -> None:
        """Connect; a password that nobody gave is found by the driver."""
        import psycopg

        self.connection = psycopg.connect(
            self._address, application_name="giveaway", password=password_of(self._address)
        )

    def try_out(self) -> None:
        """Make the table in a way that is undone."""
        self.connection.execute(f"CREATE TABLE {self.quoted} (tried integer)")

    def create(self, schema: "pa.Schema") -> None:
        """Make the table without rows."""
        self._check_names(schema.names, "column")
        columns = ", ".join(f"{self.quote(field.name)} {column_type(field.type)}" for field in schema)
        self.connection.execute(f"CREATE TABLE {self.quoted} ({columns})")

    def add(self, batch: "pa.RecordBatch") -> None:
        """Put rows into the table."""
        columns = [_cells(column) for column in batch.columns]
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {self.quoted} FROM STDIN") as copy:
            for row in zip(*columns, strict=True):
                copy.write_row(row)

    def give_out(self) -> None:
        """Commit."""
        self.connection.commit()

    def count_again(self) -> int:
        """Count the rows of the table through a connection of its own."""
        import psycopg

        with psycopg.connect(
            self._address, application_name="giveaway", password=password_of(self._address)
        ) as other:
            (count,) = other.execute(f"SELECT count(*) FROM {self.quoted}").fetchone() or (0,)  # noqa: S608 # quoted
        return int(count)

    def undo(self) -> None:
        """Take back what is not committed."""
        self.connection.rollback()

    def drop(self) -> None:
        """Take back what is committed."""
        self.connection.execute(f"DROP TABLE IF EXISTS {self.quoted}")
        self.connection.commit()

    def close(self) -> None:
        """Disconnect."""
        if self.connection is not None:
            self.connection.close()

    def exists(self, error: Exception) -> bool:
        """Tell whether an error says that there is such a table already."""
        import psycopg

        return isinstance(error, psycopg.errors.DuplicateTable)

    def _check_names(self, names: list[str], what: str) -> None:
        """Refuse names that PostgreSQL would cut."""
        for name in names:
            if len(name.encode()) > _LONGEST_NAME:
                raise NotWritten(
                    f'The name of the {what} "{name}" is longer than the {_LONGEST_NAME} bytes of PostgreSQL.',
                    hint="give it a shorter name.",
                )


def column_type(kind: "pa.DataType") -> str:
    """Return the type of PostgreSQL for a type of Arrow; text where there is none."""
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"{column_type(kind.value_type)}[]"
    if pa.types.is_decimal(kind):
        return f"numeric({kind.precision}, {kind.scale})"
    if pa.types.is_timestamp(kind):
        return "timestamp" if kind.tz is None else "timestamptz"
    if pa.types.is_time(kind):
        return "time"
    return _TYPES.get(str(kind), "text")


def _cells(column: "pa.Array") -> list[Any]:
    """Return the values of a column, as text where the table has text."""
    values: list[Any] = column.to_pylist()
    if column_type(column.type) != "text":
        return values
    return [value if value is None or isinstance(value, str) else str(value) for value in values]
