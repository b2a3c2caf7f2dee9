"""The examples, tables and figures of Lakshmanan, Ng and Ramesh, run again."""

from giveaway.papers.frequencies.studies import examples, items, made_up, sets
from giveaway.papers.study import Study


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return (*examples.STUDIES, *items.STUDIES, *sets.STUDIES, *items.WITH_PAIRS, *made_up.STUDIES)
