"""Releases for several recipients who may collude, as one HTML page: the owner's edition, and one of counts alone."""

from typing import Literal

from giveaway.report.colluding import Saved
from giveaway.report.colluding import drawn as laid_out
from giveaway.report.html.document import environment
from giveaway.report.wording.words import day


def render(saved: Saved, *, edition: Literal["owner", "public"] = "owner") -> str:
    """Draw what is saved of several recipients."""
    public = edition == "public"
    return (
        environment()
        .get_template("recipients.html.jinja")
        .render(
            title="Several recipients",
            drawn=laid_out(saved, public=public),
            public=public,
            date=day(str(saved.get("date") or "")),
            version=str(saved.get("giveaway") or ""),
        )
    )


def matrix_alone(saved: Saved) -> str:
    """Draw the matrices for a notebook."""
    template = environment().get_template("matrix.html.jinja").module
    drawn = laid_out(saved, public=False)
    return "".join(str(template.matrix(one, False, place)) for place, one in enumerate(drawn["matrices"], 1))  # type: ignore[attr-defined] # a macro
