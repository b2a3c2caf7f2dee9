"""Everything that reads data or writes them again: files, frames, lists; the only place that knows dataframes.

Names are imported when they are first used: who reads baskets needs no database, who reads lists no file.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from giveaway.sources.encoding.roles import read_items as read_items
    from giveaway.sources.files.columns import ColumnLook as ColumnLook
    from giveaway.sources.files.first_look import Look as Look
    from giveaway.sources.files.first_look import guess_kind as guess_kind
    from giveaway.sources.files.first_look import look as look
    from giveaway.sources.files.supports import read_supports as read_supports
    from giveaway.sources.frames.access import frame_of as frame_of
    from giveaway.sources.reading import read_table as read_table
    from giveaway.sources.reading import read_transactions as read_transactions
    from giveaway.sources.side_files.entry_lists import read_entries as read_entries
    from giveaway.sources.side_files.entry_lists import read_withheld as read_withheld
    from giveaway.sources.side_files.rule_lists import read_rules as read_rules
    from giveaway.sources.side_files.statement_lists import read_statements as read_statements

_HOME = {
    "ColumnLook": "files.columns",
    "Look": "files.first_look",
    "frame_of": "frames.access",
    "guess_kind": "files.first_look",
    "look": "files.first_look",
    "read_entries": "side_files.entry_lists",
    "read_items": "encoding.roles",
    "read_withheld": "side_files.entry_lists",
    "read_rules": "side_files.rule_lists",
    "read_statements": "side_files.statement_lists",
    "read_supports": "files.supports",
    "read_table": "reading",
    "read_transactions": "reading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module 'giveaway.sources' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"giveaway.sources.{_HOME[name]}"), name)
