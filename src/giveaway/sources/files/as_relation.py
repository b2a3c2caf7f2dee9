"""One file as a relation of the engine: numbered rows, columns by position, values as text."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from giveaway.errors import DataError
from giveaway.sources.encoding.grouping import Labels
from giveaway.sources.files.duckdb import DuckDBEngine, engine, present, told_as_data_errors, trimmed
from giveaway.sources.files.stored import StoredFile
from giveaway.sources.formats import CSV
from giveaway.sources.formats.delimited.text import Delimited, Plain
from giveaway.sources.formats.format import ColumnWork

_AT_ONCE = 500
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_FLOATS = ("FLOAT", "DOUBLE")
_PLAIN = (
    *WHOLE,
    *(f"U{kind}" for kind in WHOLE),
    *_FLOATS,
    "BOOLEAN",
    "DECIMAL",
    "DATE",
    "TIME",
    "UUID",
)
"""Types of which every value has a text of its own, without blanks around it."""


@dataclass(frozen=True)
class HowRead:
    """How the engine reads a delimited file; known after the first time, so that nobody looks at the file for it again."""

    data: Delimited
    checked: Plain
    rewritten: bool
    """Whether the engine needs a plain copy of it."""


@dataclass(frozen=True)
class Relation:
    """The rows of a file as `given`: `n` numbers them from 1, `c0`, `c1`, ... are the columns."""

    engine: DuckDBEngine
    file: StoredFile
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: int
    leave_out: tuple[str, ...] = ()
    """Columns that were not loaded."""
    sha256: str = ""
    """The checksum of the file; empty where nobody asked."""
    how: HowRead | None = None
    """How a delimited file was read."""

    def contents(self) -> dict[str, int]:
        """Return a number for each column that was loaded, which any change of its values or their order changes.

        It is no protection against somebody who wants two files to have the same numbers.
        """
        names = [name for name in self.columns if name not in self.leave_out]
        sums = self.answers([f"sum(hash(n, {self.raw(name)}))" for name in names])
        return dict(zip(names, sums, strict=True))

    def answers(self, asked: Sequence[str]) -> list[Any]:
        """Return what is asked of all rows, some columns at a time."""
        queries = [f"SELECT {part} FROM given" for part in at_once(asked)]  # noqa: S608 # quoted
        return [answer for query in queries for answer in self.engine.run(query)[0]]

    def raw(self, column: str) -> str:
        """Return SQL for the value as stored."""
        return f"c{self.columns.index(column)}"

    def text(self, column: str) -> str:
        """Return SQL for the value as trimmed text."""
        # Text between separators is trimmed as it is loaded, and a missing value in it is an empty one.
        if self.file.format is None or self.file.format.is_text:
            return self.raw(column)
        kind = self.types[self.columns.index(column)]
        text = self.raw(column) if kind == "VARCHAR" else f"CAST({self.raw(column)} AS VARCHAR)"
        return text if self.is_plain(column) else trimmed(text)

    def present(self, column: str, missing: Sequence[str]) -> str:
        """Return SQL for the value as text, null where it is missing."""
        return present(self.text(column), missing)

    def written(self, column: str, missing: Sequence[str]) -> str:
        """Return SQL for a judged value as it is written, null where it is missing.

        Values with the same text are written alike: as that text, unless their type has one text for each value.
        """
        kind, value = self.types[self.columns.index(column)], self.raw(column)
        if not self.is_plain(column):
            return self.present(column, missing)
        if kind in _FLOATS:  # numbers that are none have one text and many forms
            value = f"CASE WHEN isnan({value}) THEN CAST('nan' AS {kind}) ELSE {value} END"
        return present(self.text(column), [text for text in missing if text], value)

    def is_plain(self, column: str) -> bool:
        """Tell whether every value of a column has a text of its own."""
        return self.types[self.columns.index(column)].startswith(_PLAIN)

    def is_list(self, column: str) -> bool:
        """Tell whether a column holds lists."""
        return self.types[self.columns.index(column)].endswith("[]")


def value_counts(loaded: Relation, column: str, missing: Sequence[str]) -> dict[str, int]:
    """Count the values of a column by their texts."""
    text = loaded.present(column, missing)
    groups = loaded.engine.parts(
        f"SELECT {text} AS text, count(*) AS n FROM given WHERE {text} IS NOT NULL GROUP BY text ORDER BY text",  # noqa: S608 # quoted
        loaded.rows,
    )
    return {
        str(text): int(count) for texts, counts in groups for text, count in zip(texts, counts, strict=True)
    }


def classed(loaded: Relation, labels: Labels, missing: Sequence[str]) -> Relation:
    """Replace the values of some columns by their classes, as texts; missing values become null.

    Each value is looked up, so that whatever the engine thinks of numbers and dates does not matter.
    """
    there = {column: of for column, of in labels.items() if column not in loaded.leave_out}
    if not there:
        return loaded
    names = [loaded.raw(name) for name in loaded.columns if name not in loaded.leave_out]
    cells, joins = dict(zip(names, names, strict=True)), ""
    for column, of in there.items():
        raw = loaded.raw(column)
        loaded.engine.put(f"classes_{raw}", {f"value_{raw}": [*of], f"class_{raw}": [*of.values()]})
        cells[raw] = f"class_{raw} AS {raw}"
        joins += f" LEFT JOIN classes_{raw} ON value_{raw} = {loaded.present(column, missing)}"
    loaded.engine.run(
        f"CREATE TABLE classed AS SELECT n, {', '.join(cells.values())} FROM given{joins} ORDER BY n",  # noqa: S608 # quoted
        loaded.rows,
    )
    for statement in (
        "DROP TABLE given",
        "ALTER TABLE classed RENAME TO given",
        *(f"DROP TABLE classes_{loaded.raw(column)}" for column in there),
    ):
        loaded.engine.run(statement)
    types = (
        "VARCHAR" if name in there else kind for name, kind in zip(loaded.columns, loaded.types, strict=True)
    )
    return replace(loaded, types=tuple(types))


def at_once(asked: Sequence[str]) -> list[str]:
    """Return SQL for some columns at a time."""
    return [", ".join(asked[start : start + _AT_ONCE]) for start in range(0, len(asked), _AT_ONCE)]


@dataclass(frozen=True)
class OpenedFile:
    """A file whose columns are known, in an engine of its own; its rows are yet to be read."""

    engine: DuckDBEngine
    file: StoredFile
    columns: tuple[str, ...]
    separator: str | None
    """What separates the columns of delimited text."""
    _load: Callable[[tuple[str, ...]], Relation]

    def load(self, leave_out: Collection[str] = ()) -> Relation:
        """Read the rows, without some columns; refuse a file that changes meanwhile or has none."""
        before = self.file.stamp()
        loaded = self._load(tuple(leave_out))
        if self.file.stamp() != before:
            raise DataError(
                f'The file "{self.file.name}" changed while it was read.',
                hint="read it again when nobody writes to it.",
            )
        if not loaded.rows:
            raise DataError(
                f'The file "{self.file.name}" has columns but no rows.', hint="check where it was exported."
            )
        return loaded


@contextmanager
def opened(file: StoredFile, separator: str | None, *, header: bool) -> Iterator[OpenedFile]:
    """Open the columns of a file in an engine of its own."""
    with told_as_data_errors(file), engine() as ask:
        yield _columns_of(file).opens(ask, file, separator, header)


@contextmanager
def read_again(
    file: StoredFile,
    how: HowRead | None,
    *,
    sha256: str,
    contents: Mapping[str, int],
    leave_out: Collection[str],
) -> Iterator[Relation]:
    """Read a file once more, as it was read before; refuse it when it does not hold the same any more."""
    gone = tuple(leave_out)
    with told_as_data_errors(file), engine() as ask:
        with file.read_before(sha256):
            loaded = _columns_of(file).load_again(ask, file, how, gone)
            if loaded.contents() != {name: number for name, number in contents.items() if name not in gone}:
                raise file.changed()
        yield loaded


def _columns_of(file: StoredFile) -> ColumnWork:
    """Return what opens the columns of a file; what has none of its own is taken for delimited text."""
    own = None if file.format is None else file.format.work().columns
    columns = own or CSV.work().columns
    assert columns is not None  # noqa: S101 # delimited text has them
    return columns
