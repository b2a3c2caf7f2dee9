"""Files that name entries of a table: the secrets, what must be published, and what is withheld."""

from collections.abc import Iterator

from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.model.release.withheld import Withheld
from giveaway.sources.side_files.lines import FileLine, PathLike, lines_by_record, nothing_in, row_of

_DEEPEST = 1_000
"""No hierarchy has more levels."""


def read_entries(path: PathLike, table: Table, *, secrets: bool) -> Cells:
    """Read entries of a table from a delimited file, one a line.

    A column named like the identifier of the table gives records by it, else the column `row` gives row numbers from 1.
    `column` names the column of the entry; for secrets it may be left out where only one column is sensitive.
    """
    return Cells((row, column) for _, row, column in _entries(path, table, secrets=secrets))


def read_withheld(path: PathLike, table: Table) -> Withheld:
    """Read the entries of a table that are withheld; those with a `level` are given by the coarser label of that level."""
    cells, levels = [], []
    for line, row, column in _entries(path, table, secrets=False):
        level = line.text("level")
        if not level:
            cells.append((row, column))
        elif level.isdecimal() and 0 < int(level) <= _DEEPEST:
            levels.append((row, column, int(level)))
        else:
            line.wrong(f'"{level}" is not a level.', hint="1 is the first coarser label; empty is withheld.")
    return Withheld(cells=cells, levels=levels)


def _entries(path: PathLike, table: Table, *, secrets: bool) -> Iterator[tuple[FileLine, int, str]]:
    """Give the lines of a file with the row, counted from 1, and the column that each names."""
    needed = ["column"] if not secrets or len(table.sensitive) != 1 else []
    key, _, lines = lines_by_record(path, table, needed, " and ")
    line = None
    for line in lines:
        yield line, row_of(line, key, table) + 1, _column(line, table, secrets=secrets)
    if line is None:
        raise nothing_in(path, "names no entry")


def _column(line: FileLine, table: Table, *, secrets: bool) -> str:
    named = line.text("column")
    if secrets and not named and len(table.sensitive) == 1:
        return table.sensitive[0]
    allowed = table.sensitive if secrets else tuple(table.columns)
    if named not in allowed:
        line.wrong(
            f'There is no {"sensitive " * secrets}column "{named}".',
            exists=", ".join(map(str, allowed)) or "no sensitive column",
        )
    return named
