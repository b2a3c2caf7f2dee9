"""The charts of a report, each with its sentence, its accessible label and its data as a table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

from markupsafe import Markup

from giveaway.model.question.limits import kind_of
from giveaway.report.charts import svg
from giveaway.report.charts.curves import DrawnCurve, as_percent, limit_label
from giveaway.report.charts.labels import Box, Label, Room, box, spread, wide
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP, WIDTH
from giveaway.report.wording.words import (
    DASH,
    Number,
    amount,
    count,
    exact_percent,
    limit_in_words,
    number,
    one_in,
    percent,
)

_LEAST_BAR = 5
"""How wide a bar at a limit is at least."""
_ROW = 18
"""The height of a row of labels above the bars."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A drawing with what stands above it and the numbers behind it."""

    title: str
    says: str
    drawing: Markup
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    over: bool = False
    """Whether it has bars over the limit as planned."""


def dumbbell(
    kind: Mapping[str, object],
    before: Mapping[str, object] | None,
    *,
    name: str,
    over: Callable[[Number, Number | None], bool],
    margin: float | None = None,
) -> Markup:
    """Draw the worst chance as planned (hollow) and after (filled) on one line with the limit.

    `over` tells whether a chance is a breach at a limit; the margin of an estimate is a thin line above it, from its value.
    """

    def side(form: str, value: Number) -> str:
        return f"{form} over" if over(value, limit) else form

    measured = str(kind["kind"])
    worst, limit = number(kind, "worst"), number(kind, "limit")
    planned = None if before is None else number(before, "worst")
    values = [float(value) for value in (worst, planned, limit) if value is not None]
    top = max([1.0, *(value for value in values if value < inf)])
    place = svg.LinearScale(0, top, 8, 242)
    parts = [svg.line(8, 16, 242, 16, "track")]
    label = f"{name}: "
    ends = [(8.0, "0", "tick"), (242.0, amount(measured, round(top, 1)), "tick")]
    if limit is not None:
        at = place(float(limit))
        parts.insert(0, svg.box(at, 8, 242 - at, 16, "wash"))
        parts.append(svg.line(at, 4, at, 28, "limit"))
        ends.insert(0, (at, _limit_tick(measured, limit), "strong"))
        label += f"limit {limit_in_words(measured, limit)}, "
    parts += _below(ends, 42, 250)
    if margin and worst is not None:
        beyond = place(float(worst) + margin)
        parts += [
            svg.line(place(float(worst)), 6, beyond, 6, "margin"),
            svg.line(beyond, 3, beyond, 9, "margin"),
        ]
    hollow, filled = (worst, None) if before is None else (planned, worst)
    if hollow is not None and filled is not None:
        parts.append(svg.line(place(float(hollow)), 16, place(float(filled)), 16, "link"))
    if hollow is not None:
        parts.append(svg.dot(place(float(hollow)), 16, side("hollow", hollow), 5.5))
        label += f"as planned {amount(measured, hollow, limit=limit)}"
    if filled is not None:
        parts.append(svg.dot(place(float(filled)), 16, side("filled", filled), 5.5))
        label += f", after withholding {amount(measured, filled, limit=limit)}"
    if margin:
        label += f", with a margin of {amount(measured, margin)}"
    return svg.picture(parts, label, width=250, height=48, class_="dumbbell")


def _limit_tick(kind: str, limit: Number) -> str:
    if not kind_of(kind).part:
        return amount(kind, limit)
    written = exact_percent(limit)
    return (one_in(limit) if "/" in written else None) or written


def _below(labels: Sequence[tuple[float, str, str]], y: float, width: float) -> list[Markup]:
    """Write labels below a line, inside of its width, and none over another that comes before it."""
    shown: list[Box] = []
    drawn = []
    for at, words, class_ in labels:
        half = wide(words) / 2
        x, anchor = (
            (at, "middle") if half < at < width - half else (0.0, "start") if at <= half else (width, "end")
        )
        taken = box(words, x, y, anchor)
        if not any(map(taken.overlaps, shown)):
            shown.append(Box(taken.left - 6, taken.top, taken.right + 6, taken.bottom))
            drawn.append(svg.text(x, y, words, class_=class_, anchor=anchor))
    return drawn


def bar_lengths(counts: Sequence[int]) -> list[float]:
    """Return the lengths of the worked example's bars in percent, on a log scale."""
    most = log(1 + max(counts, default=1)) or 1.0
    return [round(100 * max(log(1 + max(size, 0)) / most, 0.01), 1) for size in counts]


def histogram(
    title: str, curve: DrawnCurve, before: DrawnCurve | None, *, average: bool = False, of_crowd: bool = True
) -> Chart:
    """Draw how many targets have which chance: a wide bar as planned, a narrow one inside after withholding.

    `average` says that the limit is one on the average, `of_crowd` that it is one on finding somebody.
    """
    ys = svg.whole_ticks(max([1.0, *curve.y, *(before.y if before else ())]))
    marked = len(curve.marks) + len(before.marks if before else ())
    y = svg.LinearScale(0, ys[-1], BOTTOM, TOP + _ROW * marked)
    top = max(curve.x)
    limit = None if average else curve.limit
    x = _parted(svg.across(0, top), curve.x, limit)
    room = Room()
    parts = []
    if limit is not None and limit < top:
        parts.append(svg.box(x(limit), TOP, RIGHT - x(limit), BOTTOM - TOP, "wash"))
    counts = [(tick, count(round(tick))) for tick in ys]
    parts += framed(room, x, as_percent(svg.within(0, top)), y, counts, curve.x_label)
    parts += _bars(before or curve, x, y, limit, "before", inset=0.8)
    if before:
        parts += _bars(curve, x, y, limit, "after", inset=3.6)
    for owner in (before, curve):
        room.bars += [
            Box(x(left), y(value), x(right), BOTTOM)
            for left, right, value in zip((0.0, *owner.x), owner.x, owner.y, strict=False)
            if value > 0
        ] if owner else []  # fmt: skip
    over, over_after = _over(before or curve, limit), _over(curve, limit) if before else None
    shown = f"{count(over)} over{f', {count(over_after)} after' if over_after else ''}" if over else ""
    if curve.limit is not None:
        words = "limit on the average" if average else f"limit {limit_label(curve.limit, of_crowd=of_crowd)}"
        parts += _limit_upright(room, x(curve.limit), words, shown)
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
        over=bool(over),
    )


def _parted(x: svg.LinearScale, ends: Sequence[float], limit: float | None) -> Callable[[float], float]:
    """Put a limit between the ends of bins where the bars at both of its sides can be seen."""
    if limit is None or limit not in ends:
        return x
    others = [0.0, *(end for end in ends if end != limit)]
    least = max((x(end) for end in others if end < limit), default=LEFT) + _LEAST_BAR
    most = min((x(end) for end in others if end > limit), default=RIGHT + _LEAST_BAR) - _LEAST_BAR
    at = min(max(x(limit), least), most)
    return lambda value: at if value == limit else x(value)


def framed(
    room: Room,
    x: Callable[[float], float],
    at_x: Iterable[tuple[float, str]],
    y: svg.Upward,
    at_y: Iterable[tuple[float, str]],
    x_label: str,
    *,
    stated: float | None = None,
) -> list[Markup]:
    """Draw the frame of a chart, with as many ticks named as there is room for, and keep its texts free."""
    stated = None if stated is None else x(stated)
    xs = spread([(x(tick), words) for tick, words in at_x], kept=stated)
    ys = [(y(tick), words) for tick, words in at_y]
    room.texts += [box(words, at, BOTTOM + 18, "middle") for at, words in xs if words]
    room.texts += [box(words, LEFT - 7, at + 4, "end") for at, words in ys if words]
    return svg.frame(xs, ys, x_label, stated=stated)


def _bars(
    curve: DrawnCurve,
    x: Callable[[float], float],
    y: svg.LinearScale,
    limit: float | None,
    class_: str,
    *,
    inset: float,
) -> list[Markup]:
    drawn = []
    for left, right, value in zip((0.0, *curve.x), curve.x, curve.y, strict=False):
        if value > 0:
            away = min(inset, 0.28 * (x(right) - x(left)))
            start, end, top = x(left) + away, x(right) - away, min(y(value), BOTTOM - 1)
            over = " over" if limit is not None and left >= limit - 1e-9 else ""
            drawn.append(svg.box(start, top, end - start, BOTTOM - top, f"bar {class_}{over}"))
    return drawn


def _over(curve: DrawnCurve, limit: float | None) -> int | None:
    """Add the bars beyond the limit; None when the limit cuts a bar and they would not tell the truth."""
    edges = (0.0, *curve.x)
    if limit is None or all(abs(edge - limit) > 1e-9 for edge in edges):  # noqa: PLR2004 - equal but for rounding
        return None
    return round(sum(value for left, value in zip(edges, curve.y, strict=False) if left >= limit - 1e-9))


def _chances_label(title: str, curve: DrawnCurve, over: int | None, over_after: int | None) -> str:
    if curve.limit is None or over is None:
        return f"{title}: {curve.says}"
    planned, after = (count(many) if many else "none" for many in (over, over_after))
    label = f"{title}: as planned {planned} over the limit of {limit_label(curve.limit)}"
    return label if over_after is None else f"{label}; after withholding {after}"


def _marks(
    room: Room, curve: DrawnCurve, before: DrawnCurve | None, x: Callable[[float], float]
) -> list[Markup]:
    """Draw what is marked on the x axis, each label in a row of its own above the bars, in the order that fits best."""
    marks = [
        (x(at), words, class_)
        for owner, class_ in ((before, "before"), (curve, "after" if before else "before"))
        for at, words in (owner.marks if owner else ())
    ]
    tried = [_marked(room.copy(), order) for order in (marks, marks[::-1])]
    return min(tried, key=lambda one: one[0])[1]


def _marked(room: Room, marks: Sequence[tuple[float, str, str]]) -> tuple[float, list[Markup]]:
    drawn, disturbs = [], 0.0
    for row, (at, _, class_) in enumerate(marks):
        top = TOP + _ROW * row + 2
        drawn.append(svg.line(at, top, at, BOTTOM - 6, f"dotted {class_}"))
        corners = [(at - 4, BOTTOM - 7), (at + 4, BOTTOM - 7), (at, BOTTOM)]
        drawn.append(svg.area(corners, f"triangle {class_}"))
        room.path([(at, top), (at, BOTTOM)])
    for row, (at, words, class_) in enumerate(marks):
        height = TOP + _ROW * row + 14
        sides = ((at + 5, height, "start"), (at - 5, height, "end"))
        label = Label(words=words, shorter=words.partition(" ")[2], class_=f"{class_}-text", places=sides)
        cost, written = room.placed(label)
        disturbs += cost
        drawn.append(written)
    return disturbs, drawn


def _limit_upright(room: Room, at: float, words: str, over: str) -> list[Markup]:
    """Draw a limit of the x axis with its label, and how many are over it on the side where they are."""
    room.limit((at, TOP - 12), (at, BOTTOM))
    sides = ((at + 6, TOP - 6, "start"), (at - 6, TOP - 6, "end"))
    beyond = WIDTH - at - 6
    if over and wide(over) > beyond:
        words, over = f"{words}, {over}", ""
    label = Label(
        words=words,
        shorter=words.partition(" ")[0],
        class_="strong",
        places=sides if at < (LEFT + RIGHT) / 2 else sides[::-1],
    )
    drawn = [svg.line(at, TOP - 12, at, BOTTOM, "limit"), room.place(label)]
    if over:
        end = max(RIGHT, at + 6 + wide(over))
        places = tuple((end, height, "end") for height in (TOP - 6, TOP + 10))
        counted = Label(words=over, class_="over-text", places=places, inside=(at, WIDTH))
        drawn.append(room.place(counted))
    return drawn


def both(curve: DrawnCurve, before: DrawnCurve | None) -> str:
    """Say what a curve shows, as planned and after when that differs."""
    if before is None or before.says == curve.says:
        return curve.says
    planned, now = (one.says.split(". ") for one in (before, curve))
    shared = ""
    while len(planned) > 1 and len(now) > 1 and planned[-1] == now[-1]:
        shared = " ".join(filter(None, [now.pop(), shared]))
        planned.pop()
    first, then = (_begun(". ".join(part).rstrip(".")) for part in (planned, now))
    return f"As planned: {first}. After withholding: {then}. {shared}".strip()


def _begun(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def table(
    first: str,
    second: str,
    names: Sequence[str],
    curve: DrawnCurve,
    before: DrawnCurve | None,
    write: Callable[[float], str],
) -> dict[str, Any]:
    """Write the points of a curve as the head and the rows of a table."""
    pairs = zip(names, curve.x, curve.y, strict=False)
    if before is None:
        return {"head": (first, second), "rows": tuple((name, write(value)) for name, _, value in pairs)}
    planned = dict(zip(before.x, before.y, strict=False))
    rows = ((name, write(planned[at]) if at in planned else DASH, write(value)) for name, at, value in pairs)
    return {"head": (first, f"{second}, as planned", f"{second}, after"), "rows": tuple(rows)}
