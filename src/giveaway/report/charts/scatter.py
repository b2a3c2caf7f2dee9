"""Pairs of values as points, with the line on which both would be equal."""

from math import isfinite

from giveaway.report.charts import svg
from giveaway.report.charts.charts import Chart, framed
from giveaway.report.charts.curves import DrawnCurve
from giveaway.report.charts.labels import Room


def scatter(title: str, curve: DrawnCurve) -> Chart:
    """Draw the points of a curve; those above the line have the larger value on the y axis."""
    points = [(a, b) for a, b in zip(curve.x, curve.y, strict=True) if isfinite(a)]
    most = max([value for point in points for value in point], default=1.0) or 1.0
    ticks = svg.ticks(0, most)
    x, y = svg.across(0, ticks[-1]), svg.upward(ticks[-1])
    parts = framed(
        Room(),
        [(x(tick), f"{tick:,g}") for tick in ticks],
        [(y(tick), f"{tick:,g}") for tick in ticks],
        curve.x_label,
    )
    parts.append(svg.line(x(0), y(0), x(ticks[-1]), y(ticks[-1]), "dotted after"))
    parts += [svg.dot(x(a), y(b), "point before", 2.5) for a, b in points]
    return Chart(
        title=title,
        says=curve.says,
        drawing=svg.picture(parts, f"{title}: {curve.says}"),
        head=(curve.x_label, curve.y_label),
        rows=tuple((f"{a:,.4g}", f"{b:,.4g}") for a, b in sorted(points)),
    )
