"""What the readers of frames need to know of pandas, polars and Arrow, and nothing else does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, NotInstalled, ScenarioError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import in_order
from giveaway.sources.encoding.coded import blocks
from giveaway.sources.encoding.roles import check_names

_FIRST_WITH_COPY_ON_WRITE = 3


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame in memory that nobody else changes, and the way back to the kind of object that came in."""

    data: Any
    """A narwhals DataFrame."""
    lazy: bool
    wrapped: bool

    @property
    def columns(self) -> list[Any]:
        """The names of the columns, of any type."""
        return list(self.data.to_native().columns) if self.is_pandas else list(self.data.columns)

    @property
    def is_pandas(self) -> bool:
        """Whether the frame is one of pandas."""
        return bool(self.data.implementation.is_pandas())

    def __len__(self) -> int:
        return len(self.data)

    def parts(self, column: Any) -> Iterator[list[Any]]:
        """Give the values of a column in parts."""
        values = self.data.get_column(column)
        for part in blocks(len(values)):
            yield values[part.start : part.stop].to_list()

    def numbered(self, column: Any) -> tuple[Codes, list[Any]] | None:
        """Let pandas number the values of a column, -1 where it has none; None where others number them as well."""
        if not self.is_pandas:
            return None
        import pandas as pd

        native = self.data.to_native()[column]
        if native.dtype == object and pd.api.types.infer_dtype(native, skipna=True) != "string":
            return None  # of mixed kinds, in which 1, 1.0 and True are one label here
        codes, labels = pd.factorize(native)
        return codes.astype(np.int32), labels.tolist()

    def is_list(self, column: Any) -> bool:
        """Tell whether a column holds lists or other collections."""
        import narwhals as nw

        values = self.data.get_column(column)
        if isinstance(values.dtype, nw.List | nw.Array):
            return True
        first = next((value for value in values[:1000].to_list() if value is not None), None)
        return isinstance(first, list | tuple | set | frozenset | np.ndarray)

    def is_sparse(self, columns: Sequence[Any]) -> bool:
        """Tell whether all of some columns are sparse columns of pandas."""
        kinds = self.data.to_native().dtypes if self.is_pandas else {}
        return self.is_pandas and all(type(kinds[name]).__name__ == "SparseDtype" for name in columns)

    def held(self, column: Any) -> Ints | None:
        """Return the rows in which a column says yes; None if it holds anything but 0, 1, true and false."""
        values = self.data.get_column(column)
        native = values.to_native()
        if self.is_pandas and type(native.dtype).__name__ == "SparseDtype" and not native.dtype.fill_value:
            where, marks = native.array.sp_index.indices, np.asarray(native.array.sp_values)
            yes = _yes(marks)
            return None if yes is None else np.asarray(where, np.int64)[yes]
        yes = _yes(np.asarray(values.to_numpy()))
        return None if yes is None else np.flatnonzero(yes)

    def back(self, changed: Any) -> Any:
        """Return a changed narwhals frame as the kind of object that came in."""
        data = changed.lazy() if self.lazy else changed
        return data if self.wrapped else data.to_native()

    def select(self, columns: Sequence[Any], data: Any = None) -> Any:
        """Return a narwhals frame of some columns."""
        import narwhals as nw

        chosen = self.data if data is None else data
        if self.is_pandas:
            return nw.from_native(chosen.to_native()[list(columns)], eager_only=True)
        return chosen.select(list(columns))


def frame(source: Any, *, copy: bool = True) -> Frame:
    """Take a frame of any library that narwhals knows; lazy ones are computed.

    It is copied unless it is only read at once: who made it may change it later.
    """
    import narwhals as nw

    wrapped = isinstance(source, nw.DataFrame | nw.LazyFrame)
    try:
        data = source if wrapped else nw.from_native(source)
    except TypeError:
        raise ScenarioError(
            f"{type(source).__name__} is not a frame that giveaway knows.",
            hint="use a pandas, polars or Arrow frame or a scipy sparse matrix; Transactions.from_lists takes lists.",
        ) from None
    except nw.exceptions.DuplicateError:
        raise _twice() from None
    lazy = isinstance(data, nw.LazyFrame)
    if lazy:
        data = data.collect()
    if data.implementation.is_pandas():
        native = data.to_native()
        if not native.columns.is_unique:
            raise _twice()
        deep = copy and _pandas_version() < _FIRST_WITH_COPY_ON_WRITE
        data = nw.from_native(native.copy(deep=deep), eager_only=True)
    elif data.implementation.is_polars():
        data = data.clone()
    return Frame(data, lazy, wrapped)


def chosen(data: Any, columns: Sequence[Any]) -> Any:
    """Return a narwhals frame of some columns of a frame, refusing names that it does not have."""
    held = frame(data, copy=False)
    check_names(columns, held.columns)
    return held.select(columns)


def with_column(data: Any, column: Any, values: Sequence[Any], *, whole: bool = False) -> Any:
    """Return a narwhals frame in which one column has other values; `whole` makes them whole numbers."""
    import narwhals as nw

    native = data.to_native()
    if data.implementation.is_pandas():
        import pandas as pd

        changed = native.copy(deep=False)
        kind = "int64" if whole else object
        changed[column] = pd.Series(list(values), index=native.index, dtype=kind)
        return nw.from_native(changed, eager_only=True)
    before = data.get_column(column).dtype
    dtype = nw.Int64 if whole else before if before.is_nested() else nw.String
    return data.with_columns(nw.new_series(column, list(values), dtype, backend=data.implementation))


def replaced(data: Any, column: Any, rows: Ints) -> Any:
    """Return a narwhals frame in which each value of a column is that of another row, with its type and its place."""
    import narwhals as nw

    if data.implementation.is_pandas():
        changed = data.to_native().copy(deep=False)
        changed[column] = changed[column].iloc[rows].set_axis(changed.index)
        return nw.from_native(changed, eager_only=True)
    return data.with_columns(data.get_column(column)[rows.tolist()].alias(column))


def blanked(data: Any, marked: Mapping[Any, NDArray[np.bool_]]) -> Any:
    """Return a narwhals frame with nothing in the marked rows of some columns."""
    import narwhals as nw

    if not marked:
        return data
    if data.implementation.is_pandas():
        changed = data.to_native().copy(deep=False)
        for column, marks in marked.items():
            changed[column] = _nullable(changed[column]).mask(marks)
        return nw.from_native(changed, eager_only=True)
    kept = {
        column: nw.new_series("keep", (~marks).tolist(), nw.Boolean, backend=data.implementation)
        for column, marks in marked.items()
    }
    return data.with_columns(
        nw.when(keep).then(nw.col(column)).alias(column) for column, keep in kept.items()
    )


def _nullable(values: Any) -> Any:
    """Return a column of pandas whose type can hold nothing beside whole numbers and truth values."""
    kind = values.dtype
    if type(kind).__name__ == "SparseDtype":
        return _nullable(values.sparse.to_dense())
    if not isinstance(kind, np.dtype) or kind.kind not in "iub":
        return values
    return values.astype("boolean" if kind.kind == "b" else kind.name.replace("i", "I").replace("u", "U"))


def can_write_parquet(held: Frame) -> bool:
    """Tell whether a library that writes Parquet is there."""
    return not held.is_pandas or find_spec("pyarrow") is not None


def bare(data: Any) -> Any:
    """Return a narwhals frame without index or notes that it may carry."""
    import narwhals as nw

    if data.implementation.is_pandas():
        plain = data.to_native().reset_index(drop=True)
        plain.attrs = {}
        return nw.from_native(plain, eager_only=True)
    if data.implementation.is_pyarrow():
        return nw.from_native(data.to_native().replace_schema_metadata(None), eager_only=True)
    return data


def write_frame(data: Any, target: Path) -> None:
    """Write a narwhals frame as Parquet or CSV, without index or notes that it may carry."""
    native = bare(data).to_native()
    if data.implementation.is_pandas():
        native.columns = [str(name) for name in native.columns]
        if target.suffix == ".csv":
            native.to_csv(target, index=False, lineterminator="\n")
        else:
            native.to_parquet(target, index=False)
    elif data.implementation.is_pyarrow():
        from pyarrow import parquet

        parquet.write_table(native, target)
    else:
        data.write_parquet(target)


def _yes(values: Any) -> Any:
    """Return where values say yes, None if one is neither yes nor no."""
    if values.dtype == np.bool_:
        return values
    if values.dtype.kind in "iuf":
        return values == 1 if bool(((values == 0) | (values == 1)).all()) else None
    listed = values.tolist()
    if not all(isinstance(value, bool | int | float) and value in (0, 1) for value in listed):
        return None
    return np.array(listed, np.bool_)


def _twice() -> DataError:
    return DataError("Two columns of the frame have the same name.", hint="give each column its own name.")


def _pandas_version() -> int:
    import pandas as pd

    return int(pd.__version__.split(".")[0])


def frame_of(records: list[dict[str, Any]], kind: Literal["pandas", "polars"]) -> Any:
    """Make a frame of records; columns are the names that occur, in the order of their first occurrence.

    Values that no column type holds, such as lists of labels, are kept as Python objects.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: [record.get(name) for record in records] for name in names}
    try:
        if kind == "pandas":
            import pandas as pd

            return pd.DataFrame(columns)
        import polars as pl

        return pl.DataFrame({name: _column(pl, name, values) for name, values in columns.items()})
    except ImportError:
        raise NotInstalled(
            f"{kind} is not installed.",
            hint=f'pip install {kind}, or with giveaway: pip install "giveaway[frames]".',
        ) from None


def _column(pl: Any, name: str, values: list[Any]) -> Any:
    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return pl.Series(name, values, dtype=pl.Object)


def narrowed(data: Any) -> Any:
    """Return a narwhals frame whose columns of categories list only those that occur, in an order of their own.

    Libraries keep the list when values go, and write all of it into files. Often it stands in the order in which the
    categories first appeared.
    """
    import narwhals as nw

    if data.implementation.is_pandas():
        return nw.from_native(_pandas(data.to_native()), eager_only=True)
    if data.implementation.is_pyarrow():
        return nw.from_native(_arrow(data.to_native()), eager_only=True)
    for name, kind in data.schema.items():
        if isinstance(kind, nw.Enum):
            used = set(data.get_column(name).unique().to_list())
            listed = nw.Enum([category for category in kind.categories if category in used])
            data = data.with_columns(nw.col(name).cast(nw.String).cast(listed))
    return data


def _pandas(frame: Any) -> Any:
    names = [name for name, kind in frame.dtypes.items() if kind.name == "category"]
    shown = frame.copy(deep=False)
    for name in names:
        shown[name] = shown[name].cat.remove_unused_categories()
        if not shown[name].cat.ordered:
            shown[name] = shown[name].cat.reorder_categories(in_order(shown[name].cat.categories.tolist()))
    return shown


def _arrow(table: Any) -> Any:
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        kind = field.type
        if pa.types.is_dictionary(kind):
            coded = table.column(place).cast(kind.value_type).dictionary_encode().combine_chunks()
            indices = coded.indices.cast(kind.index_type)
            values = pa.DictionaryArray.from_arrays(indices, coded.dictionary, ordered=kind.ordered)
            table = table.set_column(place, field, values)
    return table
