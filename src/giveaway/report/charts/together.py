"""Several curves in one picture, each with its name, and pairs of values as points."""

from collections.abc import Sequence
from math import isfinite

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.charts import Chart, framed
from giveaway.report.charts.curves import DrawnCurve, in_shares, is_share, thinned, ticks, x_words
from giveaway.report.charts.labels import Label, Room
from giveaway.report.charts.lines import limit_across
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP
from giveaway.report.wording.words import percent

_KINDS = ("curve after", "curve before", "curve third")
_TEXTS = ("after-text", "before-text", "strong")
_APART = 18


def together(title: str, curves: Sequence[DrawnCurve]) -> Chart:
    """Draw curves with the same axes; what the first one says stands above, what the others say after it."""
    drawn = [thinned(curve) for curve in curves[: len(_KINDS)]]
    first = drawn[0]
    values = [
        value for curve in drawn for value in (*curve.y, *([curve.limit] if curve.limit is not None else []))
    ]
    in_percent = in_shares(first, values)
    y, ys = _upward(values, shares=in_percent)
    places = sorted({value for curve in drawn for value in curve.x})
    x = svg.across(places[0], places[-1])
    shares = is_share(places)
    inside = svg.within(
        places[0], places[-1], whole=not shares and all(place == round(place) for place in places)
    )
    room = Room()
    parts = framed(room, x, ticks(inside, shares=shares), y, ticks(ys, shares=in_percent), first.x_label)
    for mark, _ in first.marks:
        parts.append(svg.line(x(mark), TOP, x(mark), BOTTOM, "dotted after"))
        room.path([(x(mark), TOP), (x(mark), BOTTOM)])
    for curve, kind in zip(drawn, _KINDS, strict=False):
        points = curve.placed(x, y)
        parts.append(svg.path(points, kind))
        room.path(points)
    parts += limit_across(room, first, y, shares=in_percent)
    if len(drawn) > 1:
        parts += _names(room, drawn)
    head = (first.x_label, *((first.y_label,) if len(drawn) == 1 else (c.line for c in drawn)))
    return Chart(
        title=title,
        says=" ".join(curve.says for curve in drawn if curve.says),
        drawing=svg.picture(parts, _label(title, drawn)),
        head=head,
        rows=tuple(_row(value, drawn, shares=shares, in_percent=in_percent) for value in places),
    )


def _upward(values: Sequence[float], *, shares: bool) -> tuple[svg.Upward, list[float]]:
    """Return the scale of the y axis with its ticks, by decades when plain numbers differ by orders of magnitude."""
    by_decades = None if shares else svg.decades(values)
    if by_decades is not None:
        return by_decades, by_decades.ticks()
    ys = svg.ticks(0, max([*values, 0.0]) or 1)
    return svg.upward(ys[-1]), ys


def _names(room: Room, drawn: Sequence[DrawnCurve]) -> list[Markup]:
    """Name the lines one below the other, at the side where they leave more room above."""
    on_the_left = max(curve.y[0] for curve in drawn) <= max(curve.y[-1] for curve in drawn)
    at, anchor = (LEFT + 8, "start") if on_the_left else (RIGHT, "end")
    return [
        room.place(
            Label(words=curve.line, class_=_TEXTS[place], places=((at, TOP + _APART * (place + 1), anchor),))
        )
        for place, curve in enumerate(drawn)
    ]


def _row(value: float, drawn: Sequence[DrawnCurve], *, shares: bool, in_percent: bool) -> tuple[str, ...]:
    values = (dict(zip(curve.x, curve.y, strict=True)).get(value) for curve in drawn)
    written = ("" if y is None else percent(y) if in_percent else f"{y:,.4g}" for y in values)
    return (x_words(value, share=shares), *written)


def _label(title: str, drawn: Sequence[DrawnCurve]) -> str:
    lines = [
        f"{curve.line} from {curve.y[0]:,.3g} at {curve.x[0]:,g} to {curve.y[-1]:,.3g} at {curve.x[-1]:,g}"
        for curve in drawn
    ]
    return f"{title}: {'; '.join(lines)}"


def scatter(title: str, curve: DrawnCurve) -> Chart:
    """Draw the points of a curve; those above the line have the larger value on the y axis."""
    points = [(a, b) for a, b in zip(curve.x, curve.y, strict=True) if isfinite(a)]
    most = max([value for point in points for value in point], default=1.0) or 1.0
    *_, end = places = svg.ticks(0, most)
    x, y, named = svg.across(0, end), svg.upward(end), ticks(places, shares=False)
    parts = framed(Room(), x, named, y, named, curve.x_label)
    parts.append(svg.line(x(0), y(0), x(end), y(end), "dotted after"))
    parts += [svg.dot(x(a), y(b), "point before", 2.5) for a, b in points]
    return Chart(
        title=title,
        says=curve.says,
        drawing=svg.picture(parts, f"{title}: {curve.says}"),
        head=(curve.x_label, curve.y_label),
        rows=tuple((f"{a:,.4g}", f"{b:,.4g}") for a, b in sorted(points)),
    )
