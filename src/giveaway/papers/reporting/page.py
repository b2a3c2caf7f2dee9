"""A paper run again, as one HTML page: tables of its numbers next to ours, and its figures drawn anew."""

from collections.abc import Sequence
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from giveaway.papers.reporting.lines import summed_up, tells, written
from giveaway.papers.study import FigureLine, Picture, Ran
from giveaway.report.charts import svg
from giveaway.report.html.document import environment
from giveaway.report.wording.words import DASH, seconds

_CLASSES = ("after", "third", "over", "open")
_STATUS_CLASSES = {
    "equal": "equal",
    "about": "equal",
    "erratum": "erratum",
    "does not reproduce": "different",
    "not stated in the paper": "erratum",
}
_NAMES = 15
"""The height of a name in the legend."""
_APART = 14
"""How far apart labels of ticks are."""
_FEW = 40
"""The most points of a line that are marked."""


def render(paper: str, number: str, runs: Sequence[Ran], version: str) -> str:
    """Draw what was run."""
    return (
        _environment()
        .get_template("studies.html.jinja")
        .render(
            title=f"Paper {number}, run again",
            paper=paper,
            number=number,
            version=version,
            summed_up=summed_up(runs),
            studies=[_study(ran) for ran in runs],
        )
    )


def _environment() -> Environment:
    """Return the environment of the reports, with the template of this page beside theirs."""
    reports = environment()
    own = PackageLoader("giveaway.papers.reporting", "templates")
    return reports.overlay(loader=ChoiceLoader([own, *filter(None, [reports.loader])]))


def _study(ran: Ran) -> dict[str, Any]:
    outcome = ran.outcome
    about = ran.about
    return {
        "where": ran.study.where,
        "title": ran.study.title,
        "about": f"{about[:1].upper()}{about[1:].rstrip('.')}." if about else "",
        "left_out": ran.study.left_out,
        "verdict": summed_up([ran]),
        "seconds": f"{seconds(ran.seconds)}." if outcome else "",
        "rows": [
            {
                "what": one.what,
                "printed": DASH if one.printed is None else written(one.printed),
                "found": written(one.ours),
                "status": "" if one.printed is None else one.status,
                "class": _STATUS_CLASSES.get(one.status, ""),
                "note": one.note if tells(one) else "",
            }
            for one in (outcome.compared if outcome else ())
        ],
        "pictures": [
            {"title": one.title, "says": one.says, "drawing": drawing(one)}
            for one in (outcome.pictures if outcome else ())
        ],
    }


def drawing(picture: Picture) -> Markup:
    """Draw the lines of a figure, the paper's numbers as points, with a legend below."""
    xs = [value for line in picture.lines for value in line.x]
    values = [value for line in picture.lines for value in line.y] + [picture.limit or 0.0]
    at_y = svg.ticks(0, max(values) or 1)
    x, y = svg.across(min(xs), max(xs)), svg.upward(at_y[-1])
    parts = svg.frame(
        [(x(tick), _tick(tick)) for tick in _spaced(svg.within(min(xs), max(xs)))],
        [(y(tick), _tick(tick)) for tick in at_y],
        picture.x_label,
    )
    parts.append(svg.text(svg.LEFT, svg.TOP - 14, picture.y_label, class_="name"))
    if picture.limit is not None:
        parts.append(svg.line(svg.LEFT, y(picture.limit), svg.RIGHT, y(picture.limit), "limit"))
    for place, line in enumerate(picture.lines):
        parts += _drawn(line, _CLASSES[place % len(_CLASSES)], x, y)
    height = svg.HEIGHT + 8 + _NAMES * len(picture.lines)
    for place, line in enumerate(picture.lines):
        parts += _named(line, _CLASSES[place % len(_CLASSES)], svg.HEIGHT + 8 + _NAMES * place)
    numbers = "; ".join(
        f"{line.name}: {', '.join(f'{value:.4g}' for value in line.y)}" for line in picture.lines
    )
    return svg.picture(parts, f"{picture.title}. {numbers}", height=height)


def _spaced(ticks: Sequence[float]) -> Sequence[float]:
    """Leave out every other tick until their labels have room."""
    while sum(svg.length(_tick(tick)) + _APART for tick in ticks) > svg.RIGHT - svg.LEFT:
        ticks = ticks[::2]
    return ticks


def _tick(value: float) -> str:
    return f"{value:,.10g}"


def _drawn(line: FigureLine, class_: str, x: svg.LinearScale, y: svg.LinearScale) -> list[Markup]:
    points = [(x(a), y(b)) for a, b in zip(line.x, line.y, strict=True)]
    if line.printed:
        return [svg.dot(*point, "point before", 4.5) for point in points]
    marked = points if line.points or len(points) <= _FEW else []
    dots = [svg.dot(*point, f"point {class_}") for point in marked]
    return dots if line.points else [svg.path(points, f"curve {class_}"), *dots]


def _named(line: FigureLine, class_: str, at: float) -> list[Markup]:
    mark = (
        svg.dot(svg.LEFT + 9, at, f"point {'before' if line.printed else class_}")
        if line.printed or line.points
        else svg.line(svg.LEFT, at, svg.LEFT + 18, at, f"curve {class_}")
    )
    return [mark, svg.text(svg.LEFT + 24, at + 4, line.name, class_="tick")]
