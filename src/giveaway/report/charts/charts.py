"""The charts of a report, each with its sentence, its accessible label and its data as a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.curves import Curve, as_percent, limit_label
from giveaway.report.charts.labels import Box, Label, Room, box, spread
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP
from giveaway.report.wording.words import (
    DASH,
    Number,
    amount,
    count,
    exact_percent,
    limit_in_words,
    number,
    percent,
)

_NOT_COMPUTED = "Not computed in the time given."


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A drawing with what stands above it and the numbers behind it."""

    title: str
    says: str
    drawing: Markup
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def missing(title: str, x_label: str = "") -> Chart:
    """Draw the axes of a chart that could not be computed, and say so."""
    parts = svg.frame([], [(BOTTOM, "0")], x_label)
    parts.append(
        svg.text((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, _NOT_COMPUTED, class_="name", anchor="middle")
    )
    return Chart(title=title, says="", drawing=svg.picture(parts, f"{title}: {_NOT_COMPUTED}"))


def dumbbell(
    kind: Mapping[str, object],
    before: Mapping[str, object] | None,
    *,
    name: str,
    over: Callable[[Number, Number | None], bool],
) -> Markup:
    """Draw the worst chance as planned (hollow) and after (filled) on one line with the limit.

    `over` tells whether a chance is a breach at a limit.
    """

    def side(form: str, value: Number) -> str:
        return f"{form} over" if over(value, limit) else form

    measured = str(kind["kind"])
    worst, limit = number(kind, "worst"), number(kind, "limit")
    planned = None if before is None else number(before, "worst")
    values = [float(value) for value in (worst, planned, limit) if value is not None]
    top = max([1.0, *(value for value in values if value < inf)])
    place = svg.Scale(0, top, 8, 242)
    parts = [svg.line(8, 16, 242, 16, "track")]
    label = f"{name}: "
    if limit is not None:
        at = place(float(limit))
        parts.insert(0, svg.box(at, 8, 242 - at, 16, "wash"))
        parts.append(svg.line(at, 4, at, 28, "limit"))
        parts.append(svg.text(at, 42, _limit_tick(measured, limit), class_="strong", anchor="middle"))
        if at > 40:  # noqa: PLR2004 - room for the label of 0
            parts.append(svg.text(8, 42, "0", class_="tick", anchor="middle"))
        if at < 185:  # noqa: PLR2004 - room for the label at the end
            parts.append(svg.text(242, 42, amount(measured, round(top, 1)), class_="tick", anchor="end"))
        label += f"limit {limit_in_words(measured, limit)}, "
    else:
        parts.append(svg.text(8, 42, "0", class_="tick", anchor="middle"))
        parts.append(svg.text(242, 42, amount(measured, round(top, 1)), class_="tick", anchor="end"))
    hollow, filled = (worst, None) if before is None else (planned, worst)
    if hollow is not None and filled is not None:
        parts.append(svg.line(place(float(hollow)), 16, place(float(filled)), 16, "link"))
    if hollow is not None:
        parts.append(svg.dot(place(float(hollow)), 16, side("hollow", hollow), 5.5))
        label += f"as planned {amount(measured, hollow, limit=limit)}"
    if filled is not None:
        parts.append(svg.dot(place(float(filled)), 16, side("filled", filled), 5.5))
        label += f", after withholding {amount(measured, filled, limit=limit)}"
    return svg.picture(parts, label, width=250, height=48, class_="dumbbell")


def _limit_tick(kind: str, limit: Number) -> str:
    return amount(kind, limit) if kind == "loss" else exact_percent(limit)


def bar_lengths(counts: Sequence[int]) -> list[float]:
    """Return the lengths of the worked example's bars in percent, on a log scale."""
    most = log(1 + max(counts, default=1)) or 1.0
    return [round(100 * max(log(1 + max(size, 0)) / most, 0.01), 1) for size in counts]


def histogram(title: str, curve: Curve, before: Curve | None, *, average: bool = False) -> Chart:
    """Draw how many targets have which chance: a wide bar as planned, a narrow one inside after withholding."""
    ys = svg.whole_ticks(max([1.0, *curve.y, *(before.y if before else ())]))
    y = svg.upward(ys[-1])
    top = max(curve.x)
    x = svg.across(0, top)
    room = Room()
    limit = None if average else curve.limit
    parts = []
    if limit is not None and limit < top:
        parts.append(svg.box(x(limit), TOP, RIGHT - x(limit), BOTTOM - TOP, "wash"))
    parts += framed(
        room,
        [(x(tick), words) for tick, words in as_percent(svg.within(0, top))],
        [(y(tick), count(round(tick))) for tick in ys],
        curve.x_label,
    )
    wide, narrow = ("before", "after") if before else ("before", None)
    parts += _bars(before or curve, x, y, limit, wide, inset=0.8)
    if narrow:
        parts += _bars(curve, x, y, limit, narrow, inset=3.6)
    for owner in (before, curve):
        room.bars += [
            Box(x(left), y(value), x(right), BOTTOM)
            for left, right, value in zip((0.0, *owner.x), owner.x, owner.y, strict=False)
            if value > 0
        ] if owner else []  # fmt: skip
    over, over_after = _over(before or curve, limit), _over(curve, limit) if before else None
    shown = over if over_after is None else (over_after or over)
    if curve.limit is not None:
        words = "limit on the average" if average else f"limit {limit_label(curve.limit)}"
        parts += _limit_upright(room, x(curve.limit), words)
    if shown:
        said = Label(
            words=f"{count(shown)} over",
            class_="over-text",
            places=((RIGHT, TOP - 6, "end"), (RIGHT, TOP + 10, "end")),
        )
        parts.append(room.place(said))
    parts += _marks(room, curve, before, x)
    bins = [f"{percent(a)} to {percent(b)}" for a, b in zip((0, *curve.x), curve.x, strict=False)]
    return Chart(
        title=title,
        says=both(curve, before),
        drawing=svg.picture(parts, _chances_label(title, curve, over, over_after)),
        **table(
            "Chance",
            (curve.y_label or "targets").capitalize(),
            bins,
            curve,
            before,
            lambda value: count(round(value)),
        ),
    )


def framed(
    room: Room,
    xs: Sequence[tuple[float, str]],
    ys: Sequence[tuple[float, str]],
    x_label: str,
    *,
    stated: float | None = None,
) -> list[Markup]:
    """Draw the frame of a chart, with as many ticks named as there is room for, and keep its texts free."""
    xs = spread(xs, kept=stated)
    room.texts += [box(words, x, BOTTOM + 18, "middle") for x, words in xs if words]
    room.texts += [box(words, LEFT - 7, y + 4, "end") for y, words in ys if words]
    return svg.frame(xs, ys, x_label, stated=stated)


def _bars(
    curve: Curve, x: svg.Scale, y: svg.Scale, limit: float | None, class_: str, *, inset: float
) -> list[Markup]:
    drawn = []
    for left, right, value in zip((0.0, *curve.x), curve.x, curve.y, strict=False):
        if value > 0:
            start, end, top = x(left) + inset, x(right) - inset, min(y(value), BOTTOM - 1)
            over = " over" if limit is not None and left >= limit - 1e-9 else ""
            drawn.append(svg.box(start, top, end - start, BOTTOM - top, f"bar {class_}{over}"))
    return drawn


def _over(curve: Curve, limit: float | None) -> int | None:
    """Add the bars beyond the limit; None when the limit cuts a bar and they would not tell the truth."""
    edges = (0.0, *curve.x)
    if limit is None or all(abs(edge - limit) > 1e-9 for edge in edges):  # noqa: PLR2004 - equal but for rounding
        return None
    return round(sum(value for left, value in zip(edges, curve.y, strict=False) if left >= limit - 1e-9))


def _chances_label(title: str, curve: Curve, over: int | None, over_after: int | None) -> str:
    if curve.limit is None or over is None:
        return f"{title}: {curve.says}"
    limit = limit_label(curve.limit)
    if over_after is None:
        return f"{title}: as planned {count(over) if over else 'none'} over the limit of {limit}"
    after = count(over_after) if over_after else "none"
    return f"{title}: as planned {count(over) if over else 'none'} over the limit of {limit}; after withholding {after}"


def _marks(room: Room, curve: Curve, before: Curve | None, x: svg.Scale) -> list[Markup]:
    drawn = []
    for row, (owner, class_) in enumerate(((before, "before"), (curve, "after" if before else "before"))):
        for at, words in owner.marks if owner else ():
            place, height = x(at), TOP + 20 + 16 * row
            drawn.append(svg.line(place, TOP, place, BOTTOM - 6, f"dotted {class_}"))
            room.path([(place, TOP), (place, BOTTOM)])
            corners = [(place - 4, BOTTOM - 7), (place + 4, BOTTOM - 7), (place, BOTTOM)]
            drawn.append(svg.area(corners, f"triangle {class_}"))
            sides = ((place + 6, height, "start"), (place - 6, height, "end"))
            drawn.append(room.place(Label(words=words, class_=f"{class_}-text", places=sides)))
    return drawn


def _limit_upright(room: Room, at: float, words: str) -> list[Markup]:
    room.limit((at, TOP - 12), (at, BOTTOM))
    sides = ((at + 6, TOP - 6, "start"), (at - 6, TOP - 6, "end"))
    label = Label(words=words, class_="strong", places=sides if at < (LEFT + RIGHT) / 2 else sides[::-1])
    return [svg.line(at, TOP - 12, at, BOTTOM, "limit"), room.place(label)]


def both(curve: Curve, before: Curve | None) -> str:
    """Say what a curve shows, as planned and after when that differs."""
    if before is None or before.says == curve.says:
        return curve.says
    planned, now = (said.says.split(". ") for said in (before, curve))
    shared = ""
    while len(planned) > 1 and len(now) > 1 and planned[-1] == now[-1]:
        shared = " ".join(filter(None, [now.pop(), shared]))
        planned.pop()
    first, then = (_begun(". ".join(part).rstrip(".")) for part in (planned, now))
    return f"As planned: {first}. After withholding: {then}. {shared}".strip()


def _begun(said: str) -> str:
    return said[:1].lower() + said[1:]


def table(
    first: str,
    second: str,
    names: Sequence[str],
    curve: Curve,
    before: Curve | None,
    write: Callable[[float], str],
) -> dict[str, Any]:
    """Write the points of a curve as the head and the rows of a table."""
    pairs = zip(names, curve.x, curve.y, strict=False)
    if before is None:
        return {"head": (first, second), "rows": tuple((name, write(value)) for name, _, value in pairs)}
    planned = dict(zip(before.x, before.y, strict=False))
    rows = ((name, write(planned[at]) if at in planned else DASH, write(value)) for name, at, value in pairs)
    return {"head": (first, f"{second}, as planned", f"{second}, after"), "rows": tuple(rows)}
