"""Several curves in one picture, each with its name."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.charts import Chart
from giveaway.report.charts.curves import Curve, as_percent, is_share, thinned, x_words
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP

_KINDS = ("curve after", "curve before", "curve third")
_TEXTS = ("after-text", "before-text", "strong")
_APART = 15


def together(title: str, curves: Sequence[Curve]) -> Chart:
    """Draw curves with the same axes; what the first one says stands above, what the others say after it."""
    drawn = [thinned(curve) for curve in curves[: len(_KINDS)]]
    first = drawn[0]
    values = [value for curve in drawn for value in curve.y]
    y, ys = _upward(values)
    places = sorted({value for curve in drawn for value in curve.x})
    x = svg.across(places[0], places[-1])
    shares = is_share(places)
    at_x = (
        as_percent(svg.within(places[0], places[-1]))
        if shares
        else [(tick, f"{tick:,g}") for tick in svg.within(places[0], places[-1])]
    )
    parts = svg.frame(
        [(x(value), words) for value, words in at_x], [(y(tick), f"{tick:,g}") for tick in ys], first.x_label
    )
    for mark, _ in first.marks:
        parts.append(svg.line(x(mark), TOP, x(mark), BOTTOM, "dotted after"))
    for curve, kind in zip(drawn, _KINDS, strict=False):
        parts.append(svg.path([(x(a), y(b)) for a, b in zip(curve.x, curve.y, strict=True)], kind))
    if len(drawn) > 1:
        parts += _names(drawn)
    head = (first.x_label, *((first.y_label,) if len(drawn) == 1 else (c.line for c in drawn)))
    return Chart(
        title=title,
        says=" ".join(curve.says for curve in drawn if curve.says),
        drawing=svg.picture(parts, _label(title, drawn)),
        head=head,
        rows=tuple(_row(value, drawn, shares=shares) for value in places),
    )


def _upward(values: Sequence[float]) -> tuple[Callable[[float], float], list[float]]:
    """Return the scale of the y axis with its ticks, by decades when the values differ by orders of magnitude."""
    by_decades = svg.decades(values)
    if by_decades is not None:
        return by_decades, by_decades.ticks()
    ys = svg.ticks(0, max([*values, 0.0]) or 1)
    return svg.upward(ys[-1]), ys


def _names(drawn: Sequence[Curve]) -> list[Markup]:
    """Name the lines one below the other, at the side where they leave more room above."""
    on_the_left = max(curve.y[0] for curve in drawn) <= max(curve.y[-1] for curve in drawn)
    at, anchor = (LEFT + 8, "start") if on_the_left else (RIGHT, "end")
    return [
        svg.text(at, TOP + _APART * (place + 1), curve.line, class_=_TEXTS[place], anchor=anchor)
        for place, curve in enumerate(drawn)
    ]


def _row(value: float, drawn: Sequence[Curve], *, shares: bool) -> tuple[str, ...]:
    found = (dict(zip(curve.x, curve.y, strict=True)).get(value) for curve in drawn)
    return (x_words(value, share=shares), *("" if y is None else f"{y:,.4g}" for y in found))


def _label(title: str, drawn: Sequence[Curve]) -> str:
    told = [
        f"{curve.line} from {curve.y[0]:,.3g} at {curve.x[0]:,g} to {curve.y[-1]:,.3g} at {curve.x[-1]:,g}"
        for curve in drawn
    ]
    return f"{title}: {'; '.join(told)}"
