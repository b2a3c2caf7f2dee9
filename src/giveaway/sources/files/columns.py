"""What the columns of a table look like, counted by the engine or value by value."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from giveaway.sources.encoding.counted import NO, YES, YES_OR_NO_SQL
from giveaway.sources.encoding.looks_like import MOST, looks_like
from giveaway.sources.files.as_relation import Relation
from giveaway.sources.files.duckdb import literal

EMPTY = ("",)
_NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
_WITH_COMMA = r"[-+]?[0-9][0-9.]*(,[0-9]+)?"
_WHOLE = r"[0-9]{1,15}"
_AT_ONCE = 50

_GAP_WORDS = frozenset(
    (
        "na",
        "n/a",
        "#n/a",
        "n.a.",
        "nan",
        "null",
        "nil",
        "missing",
        "k.a.",
        "k. a.",
        "keine angabe",
        "n.d.",
        "s/d",
    )
)
FEW_VALUES = 100
"""Of columns with at most this many values the most common one is counted."""
_GAP_SIGNS = frozenset(("?", "-", "--", "---", ".", "..", "*"))
"""Signs that may be values too, as plus and minus are: they need more company."""


@dataclass(frozen=True, kw_only=True)
class ColumnLook:
    """What one column looks like."""

    name: str
    distinct: int
    missing: Fraction
    """The share of rows without a value."""
    numeric: bool
    identifier: bool
    """Whether every row has a value of its own."""
    commas: bool = False
    """Whether the values are numbers, some of them with a comma."""
    running: bool = False
    """Whether the values are the numbers of the rows."""
    yes_no: bool = False
    lists: bool = False
    looks: str | None = None
    """What the values look like, as `looks_like` tells."""
    commonest: Fraction | None = None
    """The part of the rows with a value that have the most common one, where there are few values."""


def _described(
    name: str,
    rows: int,
    distinct: int,
    present: int,
    numbers: int,
    with_commas: int,
    yes_no: int,
    lowest: int | None,
    highest: int | None,
) -> ColumnLook:
    """Describe a column of a table with so many rows by what was counted in it, and the ends of its whole numbers."""
    numeric = 0 < present == numbers
    own = 0 < rows == distinct
    runs = highest is not None and lowest in (0, 1) and highest - lowest == rows - 1
    return ColumnLook(
        name=name,
        distinct=distinct,
        missing=Fraction(rows - present, max(rows, 1)),
        numeric=numeric,
        identifier=own,
        commas=not numeric and 0 < present == with_commas,
        running=own and numeric and runs,
        yes_no=0 < rows == yes_no,
    )


def list_column(name: str) -> ColumnLook:
    """Describe a column that holds lists."""
    return ColumnLook(name=name, distinct=0, missing=Fraction(0), numeric=False, identifier=False, lists=True)


def columns_of(loaded: Relation, missing: Sequence[str]) -> tuple[ColumnLook, ...]:
    """Count distinct, missing and numeric values of every column."""
    looks: list[ColumnLook] = []
    for start in range(0, len(loaded.columns), _AT_ONCE):
        names = loaded.columns[start : start + _AT_ONCE]
        asked = ", ".join(_asked(loaded.present(name, missing)) for name in names)
        answers = loaded.engine.run(f"SELECT {asked} FROM given")[0]  # noqa: S608 # quoted
        each = len(answers) // len(names)
        for place, name in enumerate(names):
            counts = answers[each * place : each * (place + 1)]
            looks.append(
                list_column(name) if loaded.is_list(name) else _described(name, loaded.rows, *counts)
            )
    return _with_commonest(loaded, missing, looks)


def _with_commonest(
    loaded: Relation, missing: Sequence[str], seen: Sequence[ColumnLook]
) -> tuple[ColumnLook, ...]:
    """Count how many rows have the most common value of each column with few values, in one pass."""
    few = [column for column in seen if 0 < column.distinct <= FEW_VALUES]
    if not few:
        return tuple(seen)
    asked = ", ".join(
        f"list_max(map_values(histogram({loaded.present(column.name, missing)})))" for column in few
    )
    answers = loaded.engine.run(f"SELECT {asked} FROM given")[0]  # noqa: S608 # quoted
    parts = {
        column.name: Fraction(int(most)) / (loaded.rows * (1 - column.missing))
        for column, most in zip(few, answers, strict=True)
    }
    return tuple(replace(column, commonest=parts.get(column.name)) for column in seen)


def _asked(text: str) -> str:
    """Return SQL for what `_described` takes."""
    whole = f"CASE WHEN regexp_full_match({text}, '{_WHOLE}') THEN TRY_CAST({text} AS BIGINT) END"
    return (
        f"count(DISTINCT {text}), count({text}), "
        f"count(*) FILTER (regexp_full_match({text}, '{_NUMBER}')), "
        f"count(*) FILTER (regexp_full_match({text}, '{_WITH_COMMA}')), "
        f"count(*) FILTER ({text} IN ({YES_OR_NO_SQL})), min({whole}), max({whole})"
    )


def first_values(loaded: Relation, column: str, missing: Sequence[str]) -> list[str]:
    """Return the first values of a column that are not missing."""
    text = loaded.present(column, missing)
    first = loaded.engine.run(f"SELECT {text} FROM given WHERE {text} IS NOT NULL LIMIT {MOST}")  # noqa: S608 # quoted
    return [str(value) for (value,) in first]


def counted_column(name: str, rows: int, counts: Mapping[str, int], first: Iterable[str]) -> ColumnLook:
    """Describe a column by its values, how often each occurs, and the first of them as they stand."""
    matched = {
        pattern: sum(count for text, count in counts.items() if re.fullmatch(pattern, text))
        for pattern in (_NUMBER, _WITH_COMMA)
    }
    whole = [int(text) for text in counts if re.fullmatch(_WHOLE, text)]
    present = sum(counts.values())
    column = _described(
        name,
        rows,
        distinct=len(counts),
        present=present,
        numbers=matched[_NUMBER],
        with_commas=matched[_WITH_COMMA],
        yes_no=sum(counts.get(word, 0) for word in (*YES, *NO)),
        lowest=min(whole, default=None),
        highest=max(whole, default=None),
    )
    few = 0 < len(counts) <= FEW_VALUES
    commonest = Fraction(max(counts.values()), present) if few else None
    return replace(column, looks=looks_like(first), commonest=commonest)


def gaps_of(loaded: Relation) -> tuple[str, ...]:
    """Return the words that seem to mark gaps, an empty text first."""
    listed = ", ".join(map(literal, sorted(_GAP_WORDS | _GAP_SIGNS)))
    marks: list[str] = []
    plain = [name for name in loaded.columns if not loaded.is_list(name)]
    for start in range(0, len(plain), _AT_ONCE):
        texts = [loaded.present(name, EMPTY) for name in plain[start : start + _AT_ONCE]]
        asked = ", ".join(
            f"count(DISTINCT {text}), list(DISTINCT {text}) FILTER (lower({text}) IN ({listed}))"
            for text in texts
        )
        answers = loaded.engine.run(f"SELECT {asked} FROM given")[0]  # noqa: S608 # quoted
        for distinct, words in zip(answers[::2], answers[1::2], strict=True):
            marks += gap_words(words or (), distinct)
    return (*EMPTY, *sorted(set(marks)))


def gap_words(words: Iterable[str], distinct: int) -> list[str]:
    """Return those values of a column that seem to mark gaps: words of a list that stand next to other values."""
    marks = [word for word in words if word.lower() in _GAP_WORDS | _GAP_SIGNS]
    others = distinct - len(marks)
    return [word for word in marks if others > (word in _GAP_SIGNS)]
