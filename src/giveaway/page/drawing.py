"""The drawings of the page that the report does not have: a limit to be dragged, and what each level of safety costs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from markupsafe import Markup

LEFT, RIGHT, TOP, BOTTOM = 48, 308, 30, 170
"""The frame of a chart of the report."""
_MIDDLE = (TOP + BOTTOM) / 2
_WIDE, _HIGH = 540, 270
_L, _R, _T, _B = 56, 520, 34, 214
_MARK = 30
"""How far marks under an axis are from each other at least."""
_LIMIT = re.compile(r'<line x1="([0-9.]+)"[^>]*class="limit"/>')


def with_grip(drawing: str, limit: float, top: float, name: str, words: str) -> Markup:
    """Add to a histogram a grip on its limit, by which it is dragged or moved with the keys."""
    line = _LIMIT.search(str(drawing))
    x = float(line[1]) if line else LEFT + limit / top * (RIGHT - LEFT)
    grip = Markup(
        '<g class="grip" tabindex="0" role="slider" aria-label="Limit on the chart" aria-valuemin="0" aria-valuemax="{}" '
        'aria-valuenow="{}" aria-valuetext="{}" data-grip="{}"><circle cx="{:.1f}" cy="{}" r="15" class="reach-of"/><circle cx="{:.1f}" cy="{}" r="9"/>'
        '<path d="M{:.1f} {}l-3.5 3.5 3.5 3.5M{:.1f} {}l3.5 3.5-3.5 3.5"/></g></svg>'
    ).format(
        f"{top:g}",
        f"{limit:g}",
        words,
        name,
        x,
        _MIDDLE,
        x,
        _MIDDLE,
        x - 2,
        _MIDDLE - 3.5,
        x + 2,
        _MIDDLE - 3.5,
    )
    drawn = str(drawing).replace('role="img"', 'role="group"', 1)  # what can be moved is no picture
    return Markup(drawn.removesuffix("</svg>")) + grip  # noqa: S704 # the drawing is the report's own


_POINT = re.compile(r'<circle cx="([0-9.]+)" cy="[0-9.]+" r="[0-9.]+" class="point before"/>')


def with_picks(drawing: str, marks: Sequence[tuple[int, str]], slider: str) -> Markup:
    """Make the points of a curve ones to be chosen: each moves a slider to a place, and has a name."""
    points = _POINT.findall(str(drawing))
    if len(points) < len(marks):
        return Markup(drawing)  # noqa: S704 # the report's own
    picks = [
        Markup(
            '<g class="pick" tabindex="0" role="button" data-slider="{}" data-value="{}" aria-label="{}">'
            '<rect x="{:.1f}" y="{}" width="48" height="{}" class="ring"/></g>'
        ).format(slider, place, name, float(x) - 24, TOP, BOTTOM - TOP + 24)
        for x, (place, name) in zip(points, marks, strict=False)
    ]
    drawn = str(drawing).replace('role="img"', 'role="group"', 1)  # what can be chosen is no picture
    return Markup(drawn.removesuffix("</svg>")) + Markup("").join(picks) + Markup("</svg>")  # noqa: S704 # the report's own


@dataclass(frozen=True, kw_only=True)
class SafetyLevel:
    """One level of safety: the limit, what is kept and withheld at it, or that it is not known yet."""

    limit: str
    crowd: float
    mark: str
    kept: float | None
    withheld: str
    chosen: bool


def ladder(levels: Sequence[SafetyLevel], axis: str) -> Markup:
    """Draw what is kept at each level of safety; each known level can be chosen."""
    known = [level for level in levels if level.kept is not None]
    low = min([0.9, *(int(level.kept * 20) / 20 for level in known if level.kept is not None)])
    first, last = levels[0].crowd, levels[-1].crowd
    step = 0.2 if low < 0.5 else 0.1 if low < 0.7 else 0.05  # noqa: PLR2004 # ticks that do not crowd

    def x(level: SafetyLevel) -> float:
        return _L + 10 + log(level.crowd / first) / (log(last / first) or 1) * (_R - _L - 20)

    def y(kept: float) -> float:
        return _B - (kept - low) / (1 - low) * (_B - _T)

    parts = [Markup("")]
    count = round((1 - low) / step)
    for place in range(count + 1):
        value = 1 - place * step
        parts.append(_line(_L, y(value), _R, y(value), "axis" if place == count else "hair"))
        parts.append(
            _text(_L - 8, y(value) + 4, f"{100 * value:.0f}{' %' if place == 0 else ''}", "tick", "end")
        )
    points = " ".join(f"{x(level):.1f},{y(level.kept or 0):.1f}" for level in known)
    parts.append(Markup('<polyline points="{}" class="curve after"/>').format(points))
    marked: list[float] = []
    for level in sorted(levels, key=lambda level: not level.chosen):  # its mark gives way to no other
        clear = all(abs(x(level) - other) >= _MARK for other in marked)
        marked += [x(level)] if clear else []
        parts += _mark(level, x(level)) if clear else []
    for level in levels:
        parts += _level(level, x(level), None if level.kept is None else y(level.kept))
    parts.append(_text((_L + _R) / 2, _B + 46, axis, "name", "middle"))
    parts.append(_text(_L - 8, _T - 16, "kept", "name", "end"))
    return Markup(
        '<svg class="chart ladder" viewBox="0 0 {} {}" role="group" aria-label="{}">{}</svg>'
    ).format(_WIDE, _HIGH, "What each level of safety keeps", Markup("").join(parts))


def _mark(level: SafetyLevel, x: float) -> list[Markup]:
    if not level.chosen:
        return [_text(x, _B + 19, level.mark, "tick", "middle")]
    box = Markup('<rect x="{:.1f}" y="{}" width="34" height="18" class="stated"/>').format(x - 17, _B + 6)
    return [box, _text(x, _B + 19, level.mark, "stated-text", "middle")]


def _level(level: SafetyLevel, x: float, y: float | None) -> list[Markup]:
    marks: list[Markup] = []
    if y is None or level.kept is None:
        return marks
    if level.chosen:
        side = "end" if x > (_L + _R) / 2 else "start"
        marks.append(_line(x, y, x, _B, "dotted"))
        beside = x + (-10 if side == "end" else 10)
        marks.append(_text(beside, y - 28, f"{100 * level.kept:.1f} % kept,", "after-text", side))
        marks.append(_text(beside, y - 11, f"{level.withheld} withheld", "after-text", side))
    dot = ("after", 8) if level.chosen else ("hollow", 5)
    marks.append(
        Markup(
            '<g class="pick" tabindex="0" role="button" aria-pressed="{}" data-limit="{}" aria-label="{}">'
            '<circle cx="{:.1f}" cy="{:.1f}" r="15" class="ring"/><circle cx="{:.1f}" cy="{:.1f}" r="{}" '
            'class="point {}"/></g>'
        ).format(
            str(level.chosen).lower(),
            level.limit,
            f"{level.mark}: {level.withheld} withheld, {100 * level.kept:.1f} % kept",
            x,
            y,
            x,
            y,
            dot[1],
            dot[0],
        )
    )
    return marks


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    line = '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="{}"/>'
    return Markup(line).format(x1, y1, x2, y2, kind)  # noqa: S704 # our own


def _text(x: float, y: float, words: str, kind: str, anchor: str) -> Markup:
    text = '<text x="{:.1f}" y="{:.1f}" class="{}" text-anchor="{}">{}</text>'
    return Markup(text).format(x, y, kind, anchor, words)  # noqa: S704 # our own
