"""Saved Summaries side by side, as one HTML page for their owner."""

from collections.abc import Mapping

from giveaway._version import __version__
from giveaway.report.comparing import side_by_side
from giveaway.report.html.document import environment
from giveaway.report.wording.tidy import Summary


def render(saved: Mapping[str, Summary]) -> str:
    """Draw Summaries next to each other, each under the name of its file."""
    found = side_by_side(saved)
    return (
        environment()
        .get_template("compare.html.jinja")
        .render(title="Settings side by side", found=found, version=__version__)
    )
