"""Everything that reads data or writes them again: files, frames, lists; the only place that knows dataframes."""

from giveaway.sources import doors as doors
from giveaway.sources.columns import Column as Column
from giveaway.sources.entry_lists import read_entries as read_entries
from giveaway.sources.look import Look as Look
from giveaway.sources.look import guess_kind as guess_kind
from giveaway.sources.look import look as look
from giveaway.sources.reading import read_table as read_table
from giveaway.sources.reading import read_transactions as read_transactions
from giveaway.sources.records import frame_of as frame_of
from giveaway.sources.rule_lists import read_rules as read_rules
from giveaway.sources.statement_lists import read_statements as read_statements
from giveaway.sources.supports import read_supports as read_supports
