"""Opening data where they live, by an address or by an object that a program holds."""

from typing import TYPE_CHECKING, Any

from giveaway.engines.connections.working import need
from giveaway.engines.held import Backend, HeldRows
from giveaway.errors import DataError, ScenarioError
from giveaway.sources.address import Address
from giveaway.sources.elsewhere import is_ibis, is_relation, is_spark, unwrapped

if TYPE_CHECKING:
    import narwhals as nw


_AFTER_A_QUERY = "; \t\r\n"


def opened(data: Address | Any, table: str | None = None, query: str | None = None) -> HeldRows:
    """Open a table or the answer to a query at an address, or a Spark frame, Ibis table or DuckDB relation."""
    if isinstance(data, Address):
        if (table is None) == (query is None):
            raise ScenarioError(
                f"{data.shown} is an address: it needs either table or query.",
                hint='table = "people", or query = "SELECT ...".',
            )
        backend = _connected(data)
        try:
            return opened_by(backend, table, query)
        except BaseException:
            backend.close()
            raise
    if table is not None or query is not None:
        raise ScenarioError("table and query belong to an address.", hint="the object is itself a table.")
    return _held(*_given(unwrapped(data)))


def opened_by(backend: Backend, table: str | None, query: str | None) -> HeldRows:
    """Open a table or the answer to a query through a connection."""
    native = backend.frame(table, query and query.rstrip(_AFTER_A_QUERY))
    return _held(backend, native, f"{backend.shown} {table if table is not None else 'query'}")


def _held(backend: Backend, native: Any, name: str) -> HeldRows:
    import narwhals as nw

    frame = _with_one_zero(nw.from_native(native).lazy())
    columns = tuple(frame.collect_schema().names())
    if len({column.lower() for column in columns}) < len(columns):
        raise DataError(
            f"Two columns of {name} have names that differ in case only.", hint="rename one of them."
        )
    return HeldRows(backend, frame, columns, name)


def _with_one_zero(frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
    """Return a frame without negative zeros, which engines count as zeros and write apart."""
    import narwhals as nw

    floats = [name for name, kind in frame.collect_schema().items() if kind.is_float()]
    zeros = [
        nw.when(nw.col(name) == 0).then(nw.col(name).abs()).otherwise(nw.col(name)).alias(name)
        for name in floats
    ]
    return frame.with_columns(*zeros) if zeros else frame


def _connected(address: Address) -> Backend:
    if address.kind == "duckdb":
        from giveaway.engines.connections.duck import Duck

        return Duck.at(address)
    need("pyarrow", "frames")
    if address.kind == "postgres":
        from giveaway.engines.connections.warehouse import Warehouse

        return Warehouse.at(address)
    from giveaway.engines.connections.spark import Spark

    return Spark.at(address)


def _given(native: Any) -> tuple[Backend, Any, str]:
    if is_spark(native) or is_ibis(native):
        need("pyarrow", "frames")
    if is_spark(native):
        from giveaway.engines.connections.spark import Spark

        spark = Spark("the Spark session", native.sparkSession)
        return spark, spark.given(native), "a Spark frame"
    if is_ibis(native):
        from giveaway.engines.connections.warehouse import Warehouse

        warehouse = Warehouse("the database of the Ibis table", native.get_backend())
        return warehouse, warehouse.given(native), "an Ibis table"
    if is_relation(native):
        from giveaway.engines.connections.duck import Duck

        return Duck("DuckDB", native), native, "a DuckDB relation"
    raise ScenarioError(
        f"{type(native).__name__} is no table of an engine that giveaway knows.",
        hint="use a Spark frame, an Ibis table, a DuckDB relation, or an address with table or query.",
    )
