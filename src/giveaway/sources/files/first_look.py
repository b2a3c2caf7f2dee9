"""A first look at a file: what it seems to hold, for somebody who starts a scenario."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from giveaway.errors import DataError
from giveaway.model.data.arrays import lengths
from giveaway.model.data.labels import label_key
from giveaway.model.data.origin import Shape
from giveaway.sources.elsewhere import HeldElsewhere
from giveaway.sources.encoding.counted import YES, element_text
from giveaway.sources.encoding.looks_like import MOST, looks_like
from giveaway.sources.files.as_relation import Relation, opened
from giveaway.sources.files.baskets import counted as counted_baskets
from giveaway.sources.files.columns import (
    EMPTY,
    ColumnLook,
    columns_of,
    counted_column,
    first_values,
    gap_words,
    gaps_of,
    list_column,
)
from giveaway.sources.files.delimited import delimited
from giveaway.sources.files.duckdb import literal
from giveaway.sources.files.guesses import guessed_encoding, tabular
from giveaway.sources.files.jsonl_text import items_of, text_of, values_of
from giveaway.sources.files.shapes import Kind, any_pair, candidates, long_pair, shape_of
from giveaway.sources.files.stored import StoredFile, TextPass, stored
from giveaway.sources.reading import PathLike, data_at, unknown_ending

_SHOWN = 8


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a file seems to hold; a guess to be confirmed by its owner."""

    name: str
    shape: Shape
    rows: int
    columns: tuple[ColumnLook, ...] = ()
    items: int = 0
    frequent: tuple[tuple[str, int], ...] = ()
    """The most frequent items with the number of transactions that hold them."""
    longest: int = 0
    """The most items of one transaction, where counted."""
    ids: tuple[str, ...] = ()
    """Columns that may name the transaction or record of a row, the likeliest first."""
    item_columns: tuple[str, ...] = ()
    """Columns that may hold the items, the likeliest first."""
    separator: str | None = None
    """What separates the columns of delimited text."""
    sniffed: bool = True
    """Whether the separator is found when it is not said."""
    header: bool = True
    encoding: str = "utf-8"
    encoding_guessed: bool = False
    """Whether nothing in the file tells that the encoding is right."""
    missing: tuple[str, ...] = EMPTY
    """What seems to mark gaps."""
    because: str | None = None
    """Why a file of words is taken for a table."""
    table: str | None = None
    query: str | None = None
    """What was looked at in a database or on a cluster."""

    @property
    def kind(self) -> Kind:
        """Whether it is read as transactions or as a table."""
        return "table" if self.shape == "table" else "transactions"

    @property
    def says(self) -> str:
        """What was found, in one sentence."""
        found = {
            "baskets": f"{self.rows:,} transactions with {self.items:,} items",
            "lists": f"{self.rows:,} lists of items with {self.items:,} items",
            "long": f"{self.rows:,} rows that each name a transaction and one of {self.items:,} items",
            "one-hot": f"{self.rows:,} transactions with one column for each of {self.items:,} items",
            "table": f"a table of {self.rows:,} records with {len(self.columns)} columns",
        }
        why = "" if self.because is None else f": {self.because}"
        return f"{self.name} looks like {found[self.shape]}{why}."


def look(
    path: PathLike,
    *,
    table: str | None = None,
    query: str | None = None,
    kind: Kind | None = None,
    separator: str | None = None,
    header: bool = True,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
) -> Look:
    """Look at a file as a whole and guess what it holds, and whatever else is not given.

    An address comes with `table` or `query`; the rows stay there and are counted there.
    """
    where = data_at(path, table, query)
    if isinstance(where, HeldElsewhere):
        return where.look(kind, table, query)
    file = stored(where, encoding or "utf-8")
    if file.format is None:
        raise unknown_ending(file)
    if encoding is not None or file.format == "parquet":
        return _look(file, kind, separator, missing, header=header)
    file = replace(file, encoding=guessed_encoding(file))
    found = _look(file, kind, separator, missing, header=header)
    return replace(found, encoding_guessed=not file.encoding.startswith("utf"))


def _look(
    file: StoredFile,
    kind: Kind | None,
    separator: str | None,
    missing: Sequence[str] | None,
    *,
    header: bool,
) -> Look:
    """Look at a file whose encoding is known."""
    if file.format == "jsonl":
        return _jsonl(file, kind, missing)
    if file.format != "baskets" or separator is not None:
        return _delimited(file, kind, separator, missing, header=header)
    seems = None if kind == "transactions" else tabular(file)
    if seems is not None:
        found = _delimited(file, "table", seems.separator, missing, header=seems.header)
        return replace(found, because=seems.because)
    return _delimited(file, kind, separator, missing, header=header) if kind == "table" else _baskets(file)


def guess_kind(
    path: PathLike, *, separator: str | None = None, header: bool = True, encoding: str = "utf-8"
) -> Kind:
    """Guess whether a file holds transactions or a table; refuse a file of words that may be either."""
    file = stored(path, encoding)
    if file.format != "baskets" or separator is not None:
        return look(path, separator=separator, header=header, encoding=encoding).kind
    seems = tabular(file)
    if seems is not None:
        raise DataError(
            f'It cannot be guessed whether "{file.name}" holds baskets or a table: {seems.because}.',
            hint='say kind = "table", or kind = "transactions" if each line is a basket of items; '
            "without a scenario file --set release.kind=table.",
        )
    return "transactions"


def _delimited(
    file: StoredFile,
    kind: Kind | None,
    separator: str | None,
    missing: Sequence[str] | None,
    *,
    header: bool,
) -> Look:
    """Look at delimited text or Parquet with the engine."""
    with opened(file, separator, header=header) as source:
        given, cut = source.load(), source.separator
        gaps = gaps_of(given) if missing is None else _gaps(missing)
        seen = columns_of(given, gaps)
        pair = long_pair(seen, given.rows, lambda *pair: _distinct_pairs(given, *pair))
        shape = shape_of(seen, pair, kind)
        if shape == "long" and pair is None:
            pair = any_pair(file.name, seen)
        ids, items = candidates(seen, pair)
        frequent, total = _frequent(given, shape, ids, items, seen)
        if shape == "table":
            seen = tuple(_with_looks(given, column, gaps) for column in seen)
    return Look(
        name=file.name,
        shape=shape,
        rows=given.rows,
        columns=seen,
        items=total,
        frequent=frequent,
        ids=ids,
        item_columns=items,
        separator=cut,
        sniffed=None in (cut, separator) or cut == delimited(TextPass(file), None, header=header).separator,
        header=header,
        encoding=file.encoding,
        missing=gaps,
    )


def _gaps(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*EMPTY, *given)))


def _with_looks(given: Relation, column: ColumnLook, missing: Sequence[str]) -> ColumnLook:
    return replace(column, looks=looks_like(first_values(given, column.name, missing)))


def _baskets(file: StoredFile) -> Look:
    words, (offsets, codes, weights, _) = counted_baskets(TextPass(file))
    size = lengths(offsets)
    supports = np.bincount(codes, weights=np.repeat(weights, size), minlength=len(words))
    return Look(
        name=file.name,
        shape="baskets",
        encoding=file.encoding,
        rows=int(weights.sum()),
        items=len(words),
        frequent=top({word: int(count) for word, count in zip(words, supports.tolist(), strict=True)}),
        longest=int(size.max(initial=0)),
    )


def top(supports: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the most frequent items."""
    return tuple(sorted(supports.items(), key=lambda entry: (-entry[1], label_key(entry[0])))[:_SHOWN])


def _distinct_pairs(given: Relation, id: str, item: str) -> int:
    pair = f"({given.present(id, EMPTY)}, {given.present(item, EMPTY)})"
    return int(given.engine.value(f"SELECT count(DISTINCT {pair}) FROM given"))  # noqa: S608 # quoted


def _frequent(
    given: Relation, shape: Shape, ids: Sequence[str], items: Sequence[str], columns: Sequence[ColumnLook]
) -> tuple[tuple[tuple[str, int], ...], int]:
    """Return the most frequent items with their supports, and the number of items."""
    if shape == "table":
        return (), 0
    if shape == "one-hot":
        yes = ", ".join(map(literal, YES))
        supports = {
            column.name: int(
                given.engine.value(f"SELECT count(*) FROM given WHERE {given.text(column.name)} IN ({yes})")  # noqa: S608 # quoted
            )
            for column in columns
        }
        return top(supports), len(columns)
    if shape == "lists":
        elements = f"SELECT n AS whose, unnest({given.raw(items[0])}) AS element FROM given"  # noqa: S608 # quoted
        pairs = f"SELECT whose, {element_text('element', EMPTY)} AS what FROM ({elements})"  # noqa: S608 # quoted
    else:
        whose, what = given.present(ids[0], EMPTY), given.present(items[0], EMPTY)
        pairs = f"SELECT {whose} AS whose, {what} AS what FROM given"  # noqa: S608 # quoted
    counted = given.engine.run(
        f"SELECT what, count(DISTINCT whose) FROM ({pairs}) WHERE what IS NOT NULL GROUP BY what"  # noqa: S608 # quoted
    )
    return top({str(label): int(count) for label, count in counted}), len(counted)


def _jsonl(file: StoredFile, kind: Kind | None, missing: Sequence[str] | None) -> Look:
    """Look at JSON lines by plain counting."""
    rows, supports, longest = 0, Counter[str](), 0
    values: dict[str, Counter[str]] = {}
    first: dict[str, list[str]] = {}
    listed: set[str] = set()
    for line, value in values_of(TextPass(file)):
        rows += 1
        where = f'Line {line} of "{file.name}"'
        cells = {"": value} if isinstance(value, list) else value
        for name, cell in cells.items():
            if isinstance(cell, list):
                listed.add(name)
                items = set(items_of(cell, EMPTY, where))
                supports.update(items)
                longest = max(longest, len(items))
            elif not isinstance(cell, dict):
                text = text_of(cell, EMPTY, where)
                values.setdefault(name, Counter()).update([] if text is None else [text])
                if text is not None and len(first.setdefault(name, [])) < MOST:
                    first[name].append(text)
    marks = {word for found in values.values() for word in gap_words(found, len(found))}
    gaps = (*EMPTY, *sorted(marks)) if missing is None else _gaps(missing)
    columns = tuple(
        _json_column(name, rows, found, first.get(name, ()), gaps) for name, found in values.items()
    ) + tuple(list_column(name) for name in sorted(listed - {""}))
    pair = None if listed else long_pair(columns, rows, lambda *pair: _json_pairs(file, *pair))
    shape: Shape = "lists" if listed else shape_of(columns, pair, kind)
    if shape == "long" and pair is None:
        pair = any_pair(file.name, columns)
    ids, item_columns = candidates(columns, pair)
    if shape == "long":
        supports = _json_supports(file, ids[0], item_columns[0])
    if shape == "one-hot":
        supports = Counter({name: sum(found[word] for word in YES) for name, found in values.items()})
    return Look(
        name=file.name,
        shape=shape,
        rows=rows,
        columns=columns,
        items=len(supports),
        frequent=top(supports),
        longest=longest,
        ids=ids,
        item_columns=item_columns,
        encoding=file.encoding,
        missing=gaps,
    )


def _json_column(
    name: str, rows: int, found: Counter[str], first: Sequence[str], gaps: Sequence[str]
) -> ColumnLook:
    shown = {text: count for text, count in found.items() if text not in gaps}
    return counted_column(name, rows, shown, (text for text in first if text not in gaps))


def _json_pairs(file: StoredFile, id: str, item: str) -> int:
    return len({(str(value.get(id)), str(value.get(item))) for _, value in values_of(TextPass(file))})


def _json_supports(file: StoredFile, id: str, item: str) -> Counter[str]:
    pairs = {
        (str(value.get(id)), text)
        for _, value in values_of(TextPass(file))
        if (text := text_of(value.get(item), EMPTY, "")) is not None
    }
    return Counter(text for _, text in pairs)
