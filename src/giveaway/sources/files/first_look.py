"""A first look at a file: what it seems to hold, for somebody who starts a scenario."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from giveaway.errors import DataError
from giveaway.model.data.labels import label_key
from giveaway.model.layout import Shape
from giveaway.sources.elsewhere import HeldElsewhere
from giveaway.sources.encoding.counted import YES, YES_SQL, element_text
from giveaway.sources.encoding.looks_like import MOST, looks_like
from giveaway.sources.files.as_relation import Relation, opened
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
from giveaway.sources.files.record_values import items_of, text_of, values_of
from giveaway.sources.files.stored import StoredFile, TextPass, stored
from giveaway.sources.formats import FORMATS
from giveaway.sources.formats.delimited.text import delimited
from giveaway.sources.formats.format import Kind, LookFor
from giveaway.sources.reading import PathLike, data_at, unknown_ending

_SHOWN = 8
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DistinctPairs = Callable[[str, str], int]

_IDS = re.compile(
    r"(^|[ _-])(id|tid|uid|basket|transaction|order|invoice|session|customer|user|visit|patient|receipt|case)",
    re.IGNORECASE,
)
_ITEMS = re.compile(r"(item|product|article|goods|sku|stock|drug|page|word|diagnosis)", re.IGNORECASE)
_ROWS_RARELY_REPEAT = Fraction(9, 10)


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
        shapes = {
            "baskets": f"{self.rows:,} transactions with {self.items:,} items",
            "lists": f"{self.rows:,} lists of items with {self.items:,} items",
            "long": f"{self.rows:,} rows that each name a transaction and one of {self.items:,} items",
            "one-hot": f"{self.rows:,} transactions with one column for each of {self.items:,} items",
            "table": f"a table of {self.rows:,} records with {len(self.columns)} columns",
        }
        why = "" if self.because is None else f": {self.because}"
        return f"{self.name} looks like {shapes[self.shape]}{why}."


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
    asked = LookFor(kind=kind, separator=separator, header=header, missing=missing)
    look_at = file.format.work().look
    if encoding is not None or not file.format.is_text:
        return look_at(file, asked)
    file = replace(file, encoding=guessed_encoding(file))
    seen = look_at(file, asked)
    return replace(seen, encoding_guessed=not file.encoding.startswith("utf"))


def guess_kind(
    path: PathLike, *, separator: str | None = None, header: bool = True, encoding: str = "utf-8"
) -> Kind:
    """Guess whether a file holds transactions or a table; refuse a file of words that may be either."""
    file = stored(path, encoding)
    tells = None if file.format is None or separator is not None else file.format.work().kind
    if tells is not None:
        return tells(file)
    return look(path, separator=separator, header=header, encoding=encoding).kind


def guessed_encoding(file: StoredFile) -> str:
    """Return the encoding in which a text can be read: UTF-8 if possible, else the likeliest of others."""
    start = next(file.chunks(), b"")
    if start.startswith(_MARKS):
        return "utf-16"
    others = ("utf-8", "cp1252")
    return next((encoding for encoding in others if _readable(file, encoding)), "latin-1")


def _readable(file: StoredFile, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in file.chunks():
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def shape_of(columns: Sequence[ColumnLook], pair: tuple[str, str] | None, kind: Kind | None) -> Shape:
    """Return the shape of rows of a kind, or the likeliest if no kind is asked for."""
    if kind == "table":
        return "table"
    if any(column.lists for column in columns):
        return "lists"
    if len(columns) > 1 and all(column.yes_no for column in columns):
        return "one-hot"
    return "table" if pair is None and kind is None else "long"


def long_pair(
    columns: Sequence[ColumnLook], rows: int, distinct_pairs: DistinctPairs
) -> tuple[str, str] | None:
    """Return the columns of ids and items if rows seem to be pairs of them: ids repeat, pairs rarely do.

    Of two columns the name of one must tell, of more the names of both.
    """
    repeated = [column.name for column in columns if column.distinct < rows and not column.lists]
    ids = [name for name in repeated if _IDS.search(name)]
    items = [name for name in repeated if _ITEMS.search(name) and name not in ids]
    two = 2
    if len(columns) == two and (ids or items):
        whose = ids[0] if ids else columns[0].name
        item = next(column.name for column in columns if column.name != whose)
    elif ids and items:
        whose, item = ids[0], items[0]
    else:
        return None
    rare = whose in repeated and distinct_pairs(whose, item) >= _ROWS_RARELY_REPEAT * rows
    return (whose, item) if rare else None


def any_pair(name: str, columns: Sequence[ColumnLook]) -> tuple[str, str]:
    """Return columns of ids and items by their names alone, where nothing else tells and transactions are asked for."""
    names = [column.name for column in columns if not column.lists]
    if len(names) < 2:  # noqa: PLR2004 # one of ids, one of items
        words = " or ".join(ending for row in FORMATS.values() if row.words for ending in row.endings)
        raise DataError(
            f'"{name}" has one column, and transactions need two: whose row it is, and the item.',
            hint=f"one transaction a line is read from a file that ends in {words}.",
        )
    whose = next((name for name in names if _IDS.search(name)), names[0])
    others = [name for name in names if name != whose]
    return whose, next((name for name in others if _ITEMS.search(name)), others[0])


def candidates(
    columns: Sequence[ColumnLook], pair: tuple[str, str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that may name rows and those that may hold items, the likeliest first."""
    listed = [column.name for column in columns if column.lists]
    if pair is not None:
        return (pair[0],), (pair[1],)
    ids = [column.name for column in columns if column.identifier]
    ids.sort(key=lambda name: _IDS.search(name) is None)
    named = [column.name for column in columns if _ITEMS.search(column.name)]
    return tuple(ids), tuple(listed or named)


def look_at_columns(file: StoredFile, asked: LookFor) -> Look:
    """Look at columns with the engine."""
    kind, separator, header = asked.kind, asked.separator, asked.header
    with opened(file, separator, header=header) as source:
        loaded, cut = source.load(), source.separator
        gaps = gaps_of(loaded) if asked.missing is None else _gaps(asked.missing)
        seen = columns_of(loaded, gaps)
        pair = long_pair(seen, loaded.rows, lambda *pair: _distinct_pairs(loaded, *pair))
        shape = shape_of(seen, pair, kind)
        if shape == "long" and pair is None:
            pair = any_pair(file.name, seen)
        ids, items = candidates(seen, pair)
        frequent, total = _frequent(loaded, shape, ids, items, seen)
        if shape == "table":
            seen = tuple(
                replace(column, looks=looks_like(first_values(loaded, column.name, gaps))) for column in seen
            )
    return Look(
        name=file.name,
        shape=shape,
        rows=loaded.rows,
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


def _gaps(missing: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*EMPTY, *missing)))


def top(supports: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the most frequent items."""
    return tuple(sorted(supports.items(), key=lambda entry: (-entry[1], label_key(entry[0])))[:_SHOWN])


def _distinct_pairs(loaded: Relation, id: str, item: str) -> int:
    pair = f"({loaded.present(id, EMPTY)}, {loaded.present(item, EMPTY)})"
    return int(loaded.engine.value(f"SELECT count(DISTINCT {pair}) FROM given"))  # noqa: S608 # quoted


def _frequent(
    loaded: Relation, shape: Shape, ids: Sequence[str], items: Sequence[str], columns: Sequence[ColumnLook]
) -> tuple[tuple[tuple[str, int], ...], int]:
    """Return the most frequent items with their supports, and the number of items."""
    if shape == "table":
        return (), 0
    if shape == "one-hot":
        supports = {
            column.name: int(
                loaded.engine.value(
                    f"SELECT count(*) FROM given WHERE {loaded.text(column.name)} IN ({YES_SQL})"  # noqa: S608 # quoted
                )
            )
            for column in columns
        }
        return top(supports), len(columns)
    if shape == "lists":
        elements = f"SELECT n AS whose, unnest({loaded.raw(items[0])}) AS element FROM given"  # noqa: S608 # quoted
        pairs = f"SELECT whose, {element_text('element', EMPTY)} AS what FROM ({elements})"  # noqa: S608 # quoted
    else:
        whose, what = loaded.present(ids[0], EMPTY), loaded.present(items[0], EMPTY)
        pairs = f"SELECT {whose} AS whose, {what} AS what FROM given"  # noqa: S608 # quoted
    counted = loaded.engine.run(
        f"SELECT what, count(DISTINCT whose) FROM ({pairs}) WHERE what IS NOT NULL GROUP BY what"  # noqa: S608 # quoted
    )
    return top({str(label): int(count) for label, count in counted}), len(counted)


def look_at_records(file: StoredFile, asked: LookFor) -> Look:
    """Look at records by plain counting."""
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
    marks = {word for counts in values.values() for word in gap_words(counts, len(counts))}
    gaps = (*EMPTY, *sorted(marks)) if asked.missing is None else _gaps(asked.missing)
    columns = tuple(
        _json_column(name, rows, counts, first.get(name, ()), gaps) for name, counts in values.items()
    ) + tuple(list_column(name) for name in sorted(listed - {""}))
    pair = None if listed else long_pair(columns, rows, lambda *pair: _json_pairs(file, *pair))
    shape: Shape = "lists" if listed else shape_of(columns, pair, asked.kind)
    if shape == "long" and pair is None:
        pair = any_pair(file.name, columns)
    ids, item_columns = candidates(columns, pair)
    if shape == "long":
        supports = _json_supports(file, ids[0], item_columns[0])
    if shape == "one-hot":
        supports = Counter({name: sum(counts[word] for word in YES) for name, counts in values.items()})
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
    name: str, rows: int, counts: Counter[str], first: Sequence[str], gaps: Sequence[str]
) -> ColumnLook:
    shown = {text: count for text, count in counts.items() if text not in gaps}
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
