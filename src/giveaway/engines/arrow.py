"""Columns as Arrow brings them, spelled as a Parquet or delimited file with these values spells them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from giveaway.engines.part import Flags, RowsPart, holds_lists
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import label_key
from giveaway.model.data.texts import Texts
from giveaway.sources.files.duckdb import engine
from giveaway.sources.files.stored import BLANKS

if TYPE_CHECKING:
    import pyarrow as pa

_LONGEST_WHOLE = 18
"""As many digits as a whole number of Arrow can always have."""


@dataclass(frozen=True, eq=False)
class ArrowColumn:
    """One column of a table or batch of Arrow."""

    values: "pa.Array | pa.ChunkedArray"

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: int) -> Any:
        return self.values[place].as_py()

    @property
    def nbytes(self) -> int:
        """How much memory they need."""
        return int(self.values.nbytes)

    def distinct(self) -> "tuple[Ints, list[str | None]]":
        """Return for each value where its trimmed text stands in a list, and the list, in which None stands last."""
        import pyarrow as pa

        whole = self._whole()
        if pa.types.is_null(whole.type):
            return np.zeros(len(whole), np.int64), [None]
        if pa.types.is_nested(whole.type):
            raise holds_lists()
        listed = whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()
        texts = spelled(listed.dictionary).to_pylist()
        places = listed.indices.fill_null(len(texts)) if listed.null_count else listed.indices
        return places.to_numpy(zero_copy_only=False), [*texts, None]

    def texts(self) -> Texts:
        """Return the values as trimmed texts; none may be missing."""
        return _closely(spelled(self._whole()))

    def array(self) -> NDArray[Any]:
        """Return numbers as such where none is missing, anything else as objects."""
        import pyarrow as pa

        kind = self.values.type
        if (pa.types.is_integer(kind) or pa.types.is_floating(kind)) and not self.values.null_count:
            numbers: NDArray[Any] = self._whole().to_numpy(zero_copy_only=False)
            return numbers
        objects = np.empty(len(self), object)
        objects[:] = self.values.to_pylist()
        return objects

    def changes(self) -> Flags:
        """Tell of each value but the first whether it differs from the one before."""
        import pyarrow.compute as pc

        whole = self._whole()
        differ: Flags = pc.not_equal(whole[1:], whole[:-1]).to_numpy(zero_copy_only=False)
        return differ

    def where(self, kept: Flags) -> "ArrowColumn":
        """Return some of the values."""
        import pyarrow as pa

        return ArrowColumn(self.values.filter(pa.array(kept)))

    def joined(self, others: "Iterable[ArrowColumn]") -> "ArrowColumn":
        """Put columns one after the other."""
        import pyarrow as pa

        chunks = [chunk for one in (self, *others) for chunk in one._chunks()]  # noqa: SLF001 # its own kind
        return ArrowColumn(pa.chunked_array(chunks, self.values.type))

    def _chunks(self) -> "list[pa.Array]":
        return getattr(self.values, "chunks", [self.values])

    def _whole(self) -> "pa.Array":
        import pyarrow as pa

        chunks = self._chunks()
        if len(chunks) == 1:
            return chunks[0]
        whole = pa.chunked_array(chunks, self.values.type).combine_chunks()
        return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


def from_arrow(rows: "pa.RecordBatch | pa.Table") -> RowsPart:
    """Take rows as Arrow brings them."""
    return RowsPart(
        {name: ArrowColumn(values) for name, values in zip(rows.schema.names, rows.columns, strict=True)}
    )


def as_table(part: RowsPart) -> "pa.Table":
    """Return rows as a table of Arrow."""
    import pyarrow as pa

    arrays = {name: column.values for name, column in part.columns.items()}
    return pa.table({name: pa.array(x) if isinstance(x, np.ndarray) else x for name, x in arrays.items()})


def spelled(values: "pa.Array") -> "pa.Array":
    """Return values as trimmed text; whatever is more than text, whole numbers and truth is spelled by DuckDB."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = values.type
    if pa.types.is_nested(kind):
        raise holds_lists()
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

    numbered = pa.table({"place": pa.array(np.arange(len(values))), "value": values})
    with engine() as opened:
        opened.connection.register("given", numbered)
        answer = opened.connection.sql("SELECT CAST(value AS VARCHAR) AS label FROM given ORDER BY place")
        table: Any = answer.to_arrow_table()
    return pc.cast(table.column("label").combine_chunks(), pa.large_string())


def _closely(texts: "pa.Array") -> Texts:
    """Hold spelled values closely; none is missing."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return Texts(np.frombuffer(data or b"", np.uint8), ends)


def in_label_order(texts: Texts) -> tuple[Texts, Ints]:
    """Put texts in label order, whole numbers by value and then others letter by letter; return also their places."""
    import pyarrow as pa
    import pyarrow.compute as pc

    buffers = [None, pa.py_buffer(texts.offsets), pa.py_buffer(texts.buffer)]
    ids = pa.LargeStringArray.from_buffers(len(texts), buffers[1], buffers[2])
    whole = pc.match_substring_regex(ids, "^-?[0-9]+$")
    short = pc.less_equal(pc.binary_length(ids), _LONGEST_WHOLE)
    if pc.all(pc.or_(pc.invert(whole), short), min_count=0).as_py():
        value = pc.cast(pc.if_else(whole, ids, None), pa.int64())
        keys = pa.table({"other": pc.cast(pc.invert(whole), pa.int8()), "value": value, "text": ids})
        places = pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names])
        order: Ints = places.to_numpy().astype(np.int64)
    else:
        order = np.array(sorted(range(len(ids)), key=lambda place: label_key(ids[place].as_py())), np.int64)
    return _closely(ids.take(pa.array(order))), order
