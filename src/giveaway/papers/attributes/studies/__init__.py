"""The example and the experiments of Li, Shirani-Mehr and Yang, run again."""

from giveaway.papers.attributes.studies import examples, figure_3
from giveaway.papers.study import Study


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return (*examples.STUDIES, *figure_3.STUDIES)
