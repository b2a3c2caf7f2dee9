"""Saved Summaries side by side, as one HTML page for their owner."""

from collections.abc import Mapping

from giveaway._version import __version__
from giveaway.report.comparing import SideBySide, side_by_side
from giveaway.report.html.document import environment
from giveaway.report.wording.tidy import Summary

_OWNER = "For the owner of the data."


def render(saved: Mapping[str, Summary]) -> str:
    """Draw Summaries next to each other, each under the name of its file."""
    return drawn(side_by_side(saved))


def drawn(sides: SideBySide, *, public: bool = False) -> str:
    """Draw what stands side by side, under some sentences."""
    template = environment().get_template("compare.html.jinja")
    return template.render(
        title=sides.title, sides=sides, whose="" if public else _OWNER, version=__version__
    )
