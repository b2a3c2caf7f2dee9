"""The chart of how much somebody must know: its points are chosen, and it goes on to the end of the slider."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

import giveaway as ga
from giveaway.page import drawing
from giveaway.page.page import Page
from giveaway.page.session import Session

_SECONDS = 5
"""What the further points may take; a chart without them does as well."""


def steps_of(session: Session, place: int) -> list[int]:
    """Return what the places of somebody's slider stand for, where they are numbers."""
    entry = session.attackers[place] if place < len(session.attackers) else {}
    form = session.forms.get(str(entry.get("attack")))
    values = [choice.value for choice in form.choices] if form is not None else []
    return values if all(isinstance(value, int) for value in values) and values == sorted(values) else []


def with_strength(
    session: Session, place: int, finding: Mapping[str, Any], charts: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Make the points of the chart of strength ones to be chosen, and mark it where more can be found out."""
    steps = steps_of(session, place)
    curve = next((one for one in finding.get("curves", []) if one["name"] == "strength" and one["x"]), None)
    drawn = [dict(chart) | {"further": None} for chart in charts]
    if curve is None or not steps:
        return drawn
    for chart in drawn:
        if list(chart["head"][:1]) == [curve["x_label"]]:
            marks = {
                step: (steps.index(step), f"{label} {chart['head'][0]}: {share}")
                for step, (label, share) in zip(map(int, curve["x"]), chart["rows"], strict=False)
                if step in steps
            }
            chart["drawing"] = drawing.with_picks(chart["drawing"], list(marks.values()), f"strength-{place}")
            chart["further"] = place if curve["x"][-1] < steps[-1] else None
            chart["chosen"] = True
    return drawn


async def further(request: Request) -> Response:
    """Draw the chart of strength to the end of the slider, once it is measured."""
    page = Page(request)
    place = page.number("who")
    steps = steps_of(page.session, place)
    if not steps:
        return Response(status_code=204)
    changes = {"effort.strength": steps[-1], "effort.seconds": _SECONDS}
    task = page.ask(text=ga.edit_scenario(page.session.text, changes), background=True)
    await task.wait(_SECONDS)
    says = task.answer["told"]["attackers"] if task.state == "done" else []
    if place >= len(says):
        return Response(status_code=204)  # the chart stays as it is
    finding = task.answer["summary"]["findings"][place]
    drawn = [dict(one) | {"drawing": Markup(one["drawing"])} for one in says[place]["charts"]]  # noqa: S704 # the report's own
    charts = with_strength(page.session, place, finding, drawn)
    chart = next((one for one in charts if one.get("chosen") and one["further"] is None), None)
    return Response(status_code=204) if chart is None else page.part("further.html.jinja", chart=chart)
