"""Whose transactions those of a file are, by a column of it, and the records of people who left."""

from pathlib import Path
from typing import Any

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release
from giveaway.scenario.fields import ReleaseFields


def identified(file: Any, column: str, fields: ReleaseFields, *, made_here: bool = False) -> tuple[str, ...]:
    """Return by whom the transactions of a file are, in their order: those of a long table as they first appear."""
    from giveaway.sources import read_table
    from giveaway.sources.files.stored import stored

    as_columns = fields.item is not None or fields.separator is not None
    form = stored(file, fields.encoding).format if isinstance(file, Path) and not as_columns else None
    if not isinstance(file, Path) or (form is not None and form.words):
        raise ScenarioError(
            f'id = "{column}" names a column, and transactions are joined by one where they are in a file with columns.',
            hint="say ledger, or leave id out.",
            field="id",
        )
    table = read_table(
        file,
        **fields.as_written | ({"separator": None} if made_here else {}),
        leave_out=[] if fields.item is None else [fields.item],
        rest="leave_out",
    )
    if column not in table.columns:
        raise ScenarioError(
            f'{file.name} has no column "{column}".', exists=", ".join(table.columns), field="id"
        )
    codes = table.columns[column][table.record_of]
    if (codes < 0).any():
        raise DataError(f'The column "{column}" of {file.name} names nobody in some rows.', field="id")
    every = [str(table.labels[column][code]) for code in codes.tolist()]
    ids = tuple(dict.fromkeys(every))
    is_long = fields.item is not None and fields.id is not None
    if not is_long and len(ids) < len(every):
        raise DataError(
            f'The column "{column}" of {file.name} names somebody twice.',
            hint="a person has one row in each release: merge them first.",
            field="id",
        )
    return ids


def left_records(file: Path, now: Release, fields: ReleaseFields) -> Table | None:
    """Return the records of those who left, where a file holds what is sensitive and not names alone.

    Values are not put into classes here: which these would be depends on everybody who was there.
    """
    from giveaway.sources import read_table

    table = now.original
    assert isinstance(table, Table)  # noqa: S101 # only tables have rules
    if table.classes:
        return None
    left = read_table(file, separator=fields.separator, encoding=fields.encoding, missing=fields.missing)
    return left if all(name in left.columns for name in table.sensitive) else None
