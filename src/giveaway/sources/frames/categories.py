"""Columns of categories in frames: their lists must neither name what is withheld nor tell the order of the rows."""

from typing import Any

from giveaway.model.data.labels import in_order


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
