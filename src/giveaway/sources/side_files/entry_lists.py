"""Files that name entries of a table: the secrets, and what must be published."""

from pathlib import Path

from giveaway.errors import DataError
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.sources.side_files.lines import Line, PathLike, lines_of


def read_entries(path: PathLike, table: Table, *, secrets: bool) -> Cells:
    """Read entries of a table from a delimited file, one a line.

    A column named like the identifier of the table gives records by it, else the column `row` gives row numbers from 1.
    `column` names the column of the entry; for secrets it may be left out where only one column is sensitive.
    """
    by_id = None if table.id is None else str(table.id)
    needed = "column" if not secrets or len(table.sensitive) != 1 else None
    names, lines = lines_of(
        path,
        lambda names: ("row" in names or by_id in names) and (needed is None or needed in names),
        needs=" and ".join(filter(None, [f"{by_id} (the id) or row" if by_id else "row", needed])) + ".",
    )
    number = _number_of_id if by_id in names else _number
    pairs = [(number(line, table), _column(line, table, secrets=secrets)) for line in lines]
    if not pairs:
        raise DataError(
            f'"{Path(path).name}" names no entry.', hint="write one a line, or leave the file out."
        )
    return Cells(pairs)


def _number_of_id(line: Line, table: Table) -> int:
    text = line.text(str(table.id))
    record = int(text) if text.isdecimal() and not isinstance(table.ids[0], str) else text
    row: int = line.checked(lambda: table.row(record))
    return row + 1


def _number(line: Line, table: Table) -> int:
    text = line.text("row")
    number = int(text) if text.isdecimal() and len(text) <= len(str(len(table))) else 0
    if not 1 <= number <= len(table):
        line.wrong(
            f'There is no row "{text}".', exists=f"rows 1 to {len(table)}", hint="rows are counted from 1."
        )
    return number


def _column(line: Line, table: Table, *, secrets: bool) -> str:
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
