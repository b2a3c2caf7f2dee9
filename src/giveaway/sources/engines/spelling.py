"""Values of engines as labels: the same texts that a Parquet or delimited file with these values gives."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.errors import DataError
from giveaway.model.labels import Label, in_order
from giveaway.model.rows import Codes
from giveaway.model.texts import Texts
from giveaway.sources.engine import engine
from giveaway.sources.files import BLANKS

if TYPE_CHECKING:
    import pyarrow as pa

MISSING_CODE = -1
_UNKNOWN_CODE = -2


def spelled(values: "pa.Array") -> "pa.Array":
    """Return values as trimmed text; whatever is more than text, whole numbers and truth is spelled by DuckDB."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = values.type
    if pa.types.is_nested(kind):
        raise DataError(
            "A column holds lists or structures.", hint="leave it out, or take it apart in a query."
        )
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind) or _is_text(kind):
        text = pc.cast(values, pa.large_string())
    else:
        text = _by_duckdb(values)
    return pc.utf8_trim(text, characters=BLANKS)


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _by_duckdb(values: "pa.Array") -> "pa.Array":
    import pyarrow as pa
    import pyarrow.compute as pc

    given = pa.table({"place": pa.array(np.arange(len(values))), "value": values})
    with engine() as opened:
        opened.connection.register("given", given)
        made = opened.connection.sql("SELECT CAST(value AS VARCHAR) AS label FROM given ORDER BY place")
        table: Any = made.to_arrow_table()
    return pc.cast(table.column("label").combine_chunks(), pa.large_string())


def coded(column: "pa.ChunkedArray", missing: Collection[str]) -> tuple[Codes, tuple[Label, ...]]:
    """Return the code of each value of a column, -1 where it is missing, and the labels in their order."""
    places, texts = _distinct(column)
    labels = tuple(in_order(text for text in texts if text is not None and text not in missing))
    code_of: dict[Label, int] = {label: code for code, label in enumerate(labels)}
    return _codes(places, texts, code_of, unknown=MISSING_CODE), labels


def known_codes(column: "pa.Array", code_of: Mapping[Label, int]) -> Codes | None:
    """Return the code of each value of a column whose labels, missing ones too, are known; None where one is not."""
    places, texts = _distinct(column)
    codes = _codes(places, texts, code_of, unknown=_UNKNOWN_CODE)
    return None if (codes == _UNKNOWN_CODE).any() else codes


def _distinct(column: "pa.ChunkedArray | pa.Array") -> "tuple[np.ndarray[Any, Any], list[str | None]]":
    """Return for each value where its text stands in a list, and the list, in which None stands last."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks)
    if pa.types.is_null(whole.type):
        return np.zeros(len(whole), np.int64), [None]
    if pa.types.is_nested(whole.type):
        spelled(whole)
    listed = whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()
    texts = spelled(listed.dictionary).to_pylist()
    places = listed.indices.fill_null(len(texts)) if listed.null_count else listed.indices
    return places.to_numpy(zero_copy_only=False), [*texts, None]


def _codes(places: Any, texts: list[str | None], code_of: Mapping[Label, int], *, unknown: int) -> Codes:
    of_text = [MISSING_CODE if text is None else code_of.get(text, unknown) for text in texts]
    found: Codes = np.array(of_text, np.int32)[places]
    return found


def closely(spelled: "pa.Array") -> Texts:
    """Hold spelled values closely; there are some, and none is missing."""
    _, offsets, data = spelled.buffers()
    ends = np.frombuffer(offsets, np.int64)[spelled.offset : spelled.offset + len(spelled) + 1]
    return Texts(np.frombuffer(data, np.uint8), ends)
