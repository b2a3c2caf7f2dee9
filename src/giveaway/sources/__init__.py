"""Everything that reads data or writes them again: files, frames, lists; the only place that knows dataframes."""

from giveaway.sources import doors as doors
from giveaway.sources.files.columns import Column as Column
from giveaway.sources.files.first_look import Look as Look
from giveaway.sources.files.first_look import guess_kind as guess_kind
from giveaway.sources.files.first_look import look as look
from giveaway.sources.files.supports import read_supports as read_supports
from giveaway.sources.frames.records import frame_of as frame_of
from giveaway.sources.reading import read_table as read_table
from giveaway.sources.reading import read_transactions as read_transactions
from giveaway.sources.side_files.entry_lists import read_entries as read_entries
from giveaway.sources.side_files.rule_lists import read_rules as read_rules
from giveaway.sources.side_files.statement_lists import read_statements as read_statements
