"""The formats of files: one folder and one line for each."""

from typing import TYPE_CHECKING

from giveaway.model.layout import Layout
from giveaway.sources.formats.baskets import BASKETS
from giveaway.sources.formats.delimited import CSV as CSV
from giveaway.sources.formats.delimited import TSV as TSV
from giveaway.sources.formats.format import Format as Format
from giveaway.sources.formats.jsonl import JSONL
from giveaway.sources.formats.parquet import PARQUET

if TYPE_CHECKING:
    from giveaway.sources.files.stored import StoredFile

FORMATS: dict[str, Format] = {row.name: row for row in (BASKETS, CSV, TSV, PARQUET, JSONL)}
"""The table: a new format is read and written as soon as its row stands here, and judged as soon as the checker reads it."""


def formats() -> tuple[Format, ...]:
    """Return the formats in which data are read and released.

    >>> import giveaway as ga
    >>> [format.name for format in ga.formats()]
    ['dat', 'csv', 'tsv', 'parquet', 'jsonl']
    """
    return tuple(FORMATS.values())


def format_of(file: "StoredFile") -> Format | None:
    """Return the format of a file: that of its ending, else one that knows it by its first bytes."""
    looking = [row for row in FORMATS.values() if row.sniff is not None]
    fitting = (row for row in (*looking, *FORMATS.values()) if row.fits(file))
    return next(fitting, None) or next((row for row in looking if row.knows(file)), None)


def format_in(layout: Layout) -> Format:
    """Return the format in which values stand in a file."""
    rows = [row for row in FORMATS.values() if row.read_back_as == layout.format]
    return next((row for row in rows if row.separator == layout.separator), rows[0])


def released_names() -> list[str]:
    """Return the names of the formats in which releases are written, those of tables first."""
    return sorted(FORMATS, key=lambda name: FORMATS[name].words)


def endings(last: str) -> str:
    """Name the endings of files that are read, the last one after "and" or "or"."""
    return _listed([ending for row in FORMATS.values() for ending in row.endings], last)


def endings_described() -> str:
    """Name the endings of files that are read, and say which are those of baskets."""
    shown: list[str] = []
    for row in FORMATS.values():
        shown += [f"{' or '.join(row.endings)} {row.title.lower()}"] if row.words else row.endings
    return _listed(shown, "or")


def names_described() -> str:
    """Name the formats of releases, and say which is that of baskets."""
    rows = map(FORMATS.__getitem__, released_names())
    return _listed([f"{row.name} ({row.title.lower()})" if row.words else row.name for row in rows], "or")


def _listed(names: list[str], last: str) -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
