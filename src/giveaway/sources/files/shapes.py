"""The shape of rows, guessed from their columns: transactions in one of three forms, or a table."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from giveaway.errors import DataError
from giveaway.model.layout import Shape
from giveaway.sources.files.columns import ColumnLook
from giveaway.sources.formats import FORMATS
from giveaway.sources.formats.format import Kind

DistinctPairs = Callable[[str, str], int]

_IDS = re.compile(
    r"(^|[ _-])(id|tid|uid|basket|transaction|order|invoice|session|customer|user|visit|patient|receipt|case)",
    re.IGNORECASE,
)
_ITEMS = re.compile(r"(item|product|article|goods|sku|stock|drug|page|word|diagnosis)", re.IGNORECASE)
_ROWS_RARELY_REPEAT = Fraction(9, 10)


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
