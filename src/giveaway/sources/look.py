"""A first look at a file: what it seems to hold, for somebody who starts a scenario."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from giveaway.model.labels import label_key
from giveaway.model.origin import Shape
from giveaway.model.rows import lengths
from giveaway.sources.baskets import counted as counted_baskets
from giveaway.sources.counted import NO, YES, element_text
from giveaway.sources.engine import literal
from giveaway.sources.files import StoredFile, stored
from giveaway.sources.json_lines import items_of, text_of, values_of
from giveaway.sources.reading import PathLike, unknown_ending
from giveaway.sources.relation import Relation, delimited_layout, relation

Kind = Literal["transactions", "table"]
DistinctPairs = Callable[[str, str], int]

_IDS = re.compile(
    r"(^|[ _-])(id|tid|uid|basket|transaction|order|invoice|session|customer|user|visit|patient|receipt|case)",
    re.IGNORECASE,
)
_ITEMS = re.compile(r"(item|product|article|goods|sku|stock|drug|page|word|diagnosis)", re.IGNORECASE)
_SHOWN = 8
_AT_ONCE = 50
_MISSING = ("",)
_ROWS_RARELY_REPEAT = Fraction(9, 10)


@dataclass(frozen=True, kw_only=True)
class Column:
    """What one column looks like."""

    name: str
    distinct: int
    missing: Fraction
    """The share of rows without a value."""
    numeric: bool
    identifier: bool
    """Whether every row has a value of its own."""
    yes_no: bool = False
    lists: bool = False


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a file seems to hold; a guess to be confirmed by its owner."""

    name: str
    shape: Shape
    rows: int
    columns: tuple[Column, ...] = ()
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
        return f"{self.name} looks like {found[self.shape]}."


def look(
    path: PathLike, *, separator: str | None = None, header: bool = True, encoding: str = "utf-8"
) -> Look:
    """Look at a file as a whole and guess what it holds."""
    file = stored(path, encoding)
    if file.format is None:
        raise unknown_ending(file)
    if file.format == "baskets":
        return _baskets(file)
    if file.format == "jsonl":
        return _jsonl(file)
    with relation(file, separator, header=header) as given:
        seen = _columns(given)
        pair = _long_pair(seen, given.rows, lambda *pair: _distinct_pairs(given, *pair))
        shape = _shape(seen, pair)
        ids, items = _candidates(seen, pair)
        frequent, total = _frequent(given, shape, ids, items, seen)
    return Look(
        name=file.name,
        shape=shape,
        rows=given.rows,
        columns=seen,
        items=total,
        frequent=frequent,
        ids=ids,
        item_columns=items,
        separator=None if file.format == "parquet" else delimited_layout(file, separator, header=header)[0],
    )


def guess_kind(path: PathLike) -> Kind:
    """Guess whether a file holds transactions or a table."""
    file = stored(path)
    return "transactions" if file.format == "baskets" else look(path).kind


def _baskets(file: StoredFile) -> Look:
    words, (offsets, codes, weights) = counted_baskets(file)
    size = lengths(offsets)
    supports = np.bincount(codes, weights=np.repeat(weights, size), minlength=len(words))
    return Look(
        name=file.name,
        shape="baskets",
        rows=int(weights.sum()),
        items=len(words),
        frequent=_top({word: int(count) for word, count in zip(words, supports.tolist(), strict=True)}),
        longest=int(size.max(initial=0)),
    )


def _top(supports: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(supports.items(), key=lambda entry: (-entry[1], label_key(entry[0])))[:_SHOWN])


def _columns(given: Relation) -> tuple[Column, ...]:
    """Count distinct, missing and numeric values of every column."""
    seen: list[Column] = []
    for start in range(0, len(given.columns), _AT_ONCE):
        names = given.columns[start : start + _AT_ONCE]
        texts = [given.present(name, _MISSING) for name in names]
        allowed = ", ".join(map(literal, (*YES, *NO)))
        asked = ", ".join(
            f"count(DISTINCT {text}), count({text}), count(TRY_CAST({text} AS DOUBLE)), "
            f"count(*) FILTER ({text} IN ({allowed}))"
            for text in texts
        )
        answers = given.engine.run(f"SELECT {asked} FROM given")[0]  # noqa: S608 # quoted
        for number, name in enumerate(names):
            distinct, present, numbers, said = answers[4 * number : 4 * number + 4]
            seen.append(
                _column(name, given.rows, distinct, present, numbers, said, lists=given.is_list(name))
            )
    return tuple(seen)


def _column(
    name: str, rows: int, distinct: int, present: int, numbers: int, said: int, *, lists: bool
) -> Column:
    return Column(
        name=name,
        distinct=distinct,
        missing=Fraction(rows - present, max(rows, 1)),
        numeric=0 < present == numbers,
        identifier=0 < rows == distinct,
        yes_no=0 < rows == said,
        lists=lists,
    )


def _shape(columns: Sequence[Column], pair: tuple[str, str] | None) -> Shape:
    if any(column.lists for column in columns):
        return "lists"
    if len(columns) > 1 and all(column.yes_no for column in columns):
        return "one-hot"
    return "table" if pair is None else "long"


def _long_pair(columns: Sequence[Column], rows: int, distinct_pairs: DistinctPairs) -> tuple[str, str] | None:
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


def _candidates(
    columns: Sequence[Column], pair: tuple[str, str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    listed = [column.name for column in columns if column.lists]
    if pair is not None:
        return (pair[0],), (pair[1],)
    ids = [column.name for column in columns if column.identifier]
    ids.sort(key=lambda name: _IDS.search(name) is None)
    named = [column.name for column in columns if _ITEMS.search(column.name)]
    return tuple(ids), tuple(listed or named)


def _distinct_pairs(given: Relation, id: str, item: str) -> int:
    pair = f"({given.present(id, _MISSING)}, {given.present(item, _MISSING)})"
    return int(given.engine.value(f"SELECT count(DISTINCT {pair}) FROM given"))  # noqa: S608 # quoted


def _frequent(
    given: Relation, shape: Shape, ids: Sequence[str], items: Sequence[str], columns: Sequence[Column]
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
        return _top(supports), len(columns)
    if shape == "lists":
        elements = f"SELECT n AS whose, unnest({given.raw(items[0])}) AS element FROM given"  # noqa: S608 # quoted
        pairs = f"SELECT whose, {element_text('element', _MISSING)} AS what FROM ({elements})"  # noqa: S608 # quoted
    else:
        whose, what = given.present(ids[0], _MISSING), given.present(items[0], _MISSING)
        pairs = f"SELECT {whose} AS whose, {what} AS what FROM given"  # noqa: S608 # quoted
    counted = given.engine.run(
        f"SELECT what, count(DISTINCT whose) FROM ({pairs}) WHERE what IS NOT NULL GROUP BY what"  # noqa: S608 # quoted
    )
    return _top({str(label): int(count) for label, count in counted}), len(counted)


def _jsonl(file: StoredFile) -> Look:
    """Look at JSON lines by plain counting."""
    rows, supports, longest = 0, Counter[str](), 0
    values: dict[str, Counter[str]] = {}
    listed: set[str] = set()
    for line, value in values_of(file):
        rows += 1
        where = f'Line {line} of "{file.name}"'
        cells = {"": value} if isinstance(value, list) else value
        for name, cell in cells.items():
            if isinstance(cell, list):
                listed.add(name)
                items = set(items_of(cell, _MISSING, where))
                supports.update(items)
                longest = max(longest, len(items))
            elif not isinstance(cell, dict):
                text = text_of(cell, _MISSING, where)
                values.setdefault(name, Counter()).update([] if text is None else [text])
    columns = tuple(_counted_column(name, rows, found) for name, found in values.items()) + tuple(
        _column(name, rows, 0, rows, 0, 0, lists=True) for name in sorted(listed - {""})
    )
    pair = None if listed else _long_pair(columns, rows, lambda *pair: _json_pairs(file, *pair))
    shape: Shape = "lists" if listed else _shape(columns, pair)
    ids, item_columns = _candidates(columns, pair)
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
        frequent=_top(supports),
        longest=longest,
        ids=ids,
        item_columns=item_columns,
    )


def _counted_column(name: str, rows: int, found: Counter[str]) -> Column:
    numbers = sum(
        count for text, count in found.items() if re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?\d+)?", text)
    )
    said = sum(found[word] for word in (*YES, *NO))
    return _column(name, rows, len(found), found.total(), numbers, said, lists=False)


def _json_pairs(file: StoredFile, id: str, item: str) -> int:
    return len({(str(value.get(id)), str(value.get(item))) for _, value in values_of(file)})


def _json_supports(file: StoredFile, id: str, item: str) -> Counter[str]:
    pairs = {
        (str(value.get(id)), text)
        for _, value in values_of(file)
        if (text := text_of(value.get(item), _MISSING, "")) is not None
    }
    return Counter(text for _, text in pairs)
