"""The row of a format: how its files are known, read, looked at and written; whoever meets a file asks its row."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from giveaway.model.layout import Layout, Shape

if TYPE_CHECKING:
    from giveaway.model.data.table import Table
    from giveaway.model.data.transactions import Transactions
    from giveaway.sources.encoding.grouping import Grouping
    from giveaway.sources.encoding.roles import Roles
    from giveaway.sources.files.as_relation import HowRead, OpenedFile, Relation
    from giveaway.sources.files.duckdb import DuckDBEngine
    from giveaway.sources.files.first_look import Look
    from giveaway.sources.files.stored import StoredFile, TextPass

Kind = Literal["transactions", "table"]
Rows = Iterable[tuple[Any, ...]]

ID, ITEM, LIST = "transaction", "item", "items"
"""The columns of transactions that came without any."""


@dataclass(frozen=True, kw_only=True)
class ReadAs:
    """What is stated of a file that is read: columns with a part of their own, and how its text is cut."""

    id: str | None = None
    item: str | None = None
    sensitive: tuple[str, ...] = ()
    separator: str | None = None
    header: bool = True
    missing: tuple[str, ...] = ("",)

    @property
    def shape(self) -> Shape:
        """The shape of transactions of which this is stated."""
        return "long" if self.id is not None else "lists" if self.item is not None else "one-hot"

    @property
    def columns(self) -> bool:
        """Whether something is stated that only a file with columns has."""
        return self.id is not None or self.item is not None or self.separator is not None


@dataclass(frozen=True, kw_only=True)
class LookFor:
    """What is known of a file before the first look; None is to be guessed."""

    kind: Kind | None = None
    separator: str | None = None
    header: bool = True
    missing: Sequence[str] | None = None


@dataclass(frozen=True, kw_only=True)
class ColumnWork:
    """How the engine gets the columns of files of a format."""

    opens: "Callable[[DuckDBEngine, StoredFile, str | None, bool], OpenedFile]"
    """Finds out which columns there are, by separator and header."""
    load_again: "Callable[[DuckDBEngine, StoredFile, HowRead | None, tuple[str, ...]], Relation]"
    """Loads what was loaded before, without some columns."""


@dataclass(frozen=True, kw_only=True)
class FormatWork:
    """What is done with files of a format, imported when the first of them is met."""

    transactions: "Callable[[StoredFile, Roles, ReadAs], Transactions]"
    table: "Callable[[StoredFile, Roles, ReadAs, Grouping], Table]"
    look: "Callable[[StoredFile, LookFor], Look]"
    kind: "Callable[[StoredFile], Kind] | None" = None
    """Tells the kind of what a file holds, or why it cannot be told, where that needs no look at all of it."""
    columns: "ColumnWork | None" = None
    """None where it holds records."""
    values: "Callable[[TextPass], Iterator[tuple[int, Any]]] | None" = None
    """Gives each record, or list, with the number of its first line, where the text is a row of those."""
    rows: "Callable[[Path, Layout], tuple[list[str], Rows]] | None" = None
    """Reads back what was released in this format, where its data are written so first: columns and rows."""
    write: "Callable[[Path, Sequence[str], Rows, Layout], None] | None" = None
    """Writes columns and rows of values."""
    write_lists: "Callable[[Path, Iterable[list[str]]], None] | None" = None
    """Writes lists of items, as `Format.lists` says that they stand."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """What tells a format, and what everybody may ask of it before any file is read."""

    name: str
    """As in `--format` and the ending of released files."""
    family: str | None = None
    """What `Layout.format` says of it and the checker reads back, where that is not its name."""
    work: Callable[[], FormatWork]
    endings: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Endings that mean the same, and of which nobody is told."""
    sniff: Callable[[bytes], bool] | None = None
    """Tells by the first bytes whether a file is of this format, whose ending is its own or nobody's."""
    title: str
    """What people call it."""
    offered: bool = True
    """Whether the page offers to write it."""
    form: Literal["columns", "records", "words"]
    """Columns, some of which can be read without the others; records, one after the other; or lines of words."""
    is_text: bool = True
    """Whether it is text, in an encoding that may be guessed, compressed with gzip or not."""
    nothing: str | None = None
    """What stands where a value is missing: nothing, or an empty text."""
    separator: str | None = None
    """What separates columns in a release, which may then do without their names."""
    lists: Layout | None = None
    """How lists of items stand in a release; None writes a row for each item."""

    @property
    def words(self) -> bool:
        """Whether its lines are words: baskets, or what something else cuts into the columns of a table."""
        return self.form == "words"

    def fits(self, file: "StoredFile") -> bool:
        """Tell whether a file is of this format: by its ending, and by its first bytes where these tell."""
        return file.ending in (*self.endings, *self.also) and (self.sniff is None or self.knows(file))

    def knows(self, file: "StoredFile") -> bool:
        """Tell whether the first bytes of a file say that it is of this format."""
        return self.sniff is not None and self.sniff(file.first())

    @property
    def read_back_as(self) -> str:
        """The name under which the checker knows how to read it back."""
        return self.family or self.name

    def layout(self, own: Layout) -> Layout:
        """Return how rows stand in a release of this format that stand as `own` says in the format of their data."""
        if own.shape in ("baskets", "lists"):
            long = Layout(shape="long", format=self.read_back_as, id=ID, item=ITEM, nothing=self.nothing)
            return self.lists or replace(long, separator=self.separator or long.separator)
        return replace(
            own,
            format=self.read_back_as,
            separator=self.separator or own.separator,
            header=own.header or self.separator is None,
            nothing=self.nothing,
            compressed=False,
            encoding="utf-8",
        )
