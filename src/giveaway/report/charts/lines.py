"""The line charts of a report: what a stronger attacker learns, and what the safety costs."""

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise, permutations, product
from typing import Any

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.charts import Chart, both, framed, table
from giveaway.report.charts.curves import (
    DrawnCurve,
    as_kept,
    as_percent,
    in_shares,
    is_share,
    thinned,
    ticks,
    x_words,
)
from giveaway.report.charts.labels import Label, Point, Room
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP
from giveaway.report.wording.strengths import holds, number_alone
from giveaway.report.wording.words import count, ended, exact_percent, percent

_BROAD = 6
"""How broad a band is at least that is drawn and spoken of."""
_STEPS = 8
"""How many points of a piece of a line are compared with a label."""


def strength(
    title: str, curve: DrawnCurve, before: DrawnCurve | None, finding: Mapping[str, Any], stated: float | None
) -> Chart:
    """Draw what is exposed as the attacker grows stronger, and where it breaks."""
    values = [*curve.y, *(before.y if before else ()), curve.limit or 0.0]
    if curve.band:
        values += [*curve.band[0], *curve.band[1]]
    shares = in_shares(curve, values)
    ys = svg.ticks(0, max(values) or (0.05 if shares else 1))
    y = svg.upward(ys[-1])
    places = sorted({*curve.x, *(before.x if before else ())})
    few = len(places) <= 8 and not is_share(places)  # noqa: PLR2004 - labels that fit
    x = svg.across(places[0] - 0.3, places[-1] + 0.3) if few else svg.across(places[0], places[-1])
    parts_of = is_share(places)
    whole = all(place == round(place) for place in places)
    at_x = (
        [(value, x_words(value, share=False)) for value in places]
        if few
        else as_percent(svg.within(places[0], places[-1], whole=whole and not parts_of))
    )
    if stated is not None and stated not in [value for value, _ in at_x]:
        at_x.append((stated, x_words(stated, share=parts_of)))
    room, parts = Room(), []
    if curve.limit:
        parts.append(svg.box(LEFT, TOP, RIGHT - LEFT, y(curve.limit) - TOP, "wash"))
    parts += framed(room, x, at_x, y, ticks(ys, shares=shares), curve.x_label, stated=stated)
    banded = curve.band is not None and _seen(curve, y)
    if banded:
        parts.append(_band(curve, x, y, "after" if before else "before"))
    for owner, class_ in ((before, "before"), (curve, "after" if before else "before")):
        if owner is not None:
            points = owner.placed(x, y)
            parts.append(svg.path(points, f"curve {class_}"))
            room.path(points)
            if few:
                parts += [svg.dot(*point, f"point {class_}") for point in points]
                room.around(points, radius=4)
    at = _breaking_point(finding, x, places)
    if at is not None:
        parts.append(svg.line(at, TOP - 6, at, BOTTOM, "dotted after"))
        room.path([(at, TOP - 6), (at, BOTTOM)])
    if curve.limit is not None:
        parts.append(_limit_line(room, y(curve.limit)))
    parts += _in_best_order(
        room,
        _limit_labels(curve, y, shares=shares),
        _breaking_labels(finding, at),
        _end_labels(curve, before, x, y),
    )
    rows = [x_words(value, share=parts_of) for value in curve.x]
    write = percent if shares else (lambda value: count(round(value, 3)))
    return Chart(
        title=title,
        says=both(curve, before) if banded else _without_band(both(curve, before)),
        drawing=svg.picture(parts, _strength_label(title, curve, before, finding, shares=shares)),
        **table(curve.x_label, curve.y_label, rows, curve, before, write),
    )


def _seen(curve: DrawnCurve, y: svg.LinearScale) -> bool:
    """Tell whether a band is broad enough to be seen."""
    low, high = curve.band or ((), ())
    return any(y(a) - y(b) >= _BROAD for a, b in zip(low, high, strict=False))


def _without_band(sentence: str) -> str:
    """Leave out what is said of a band that is not drawn."""
    kept = [part for part in sentence.split(". ") if " band " not in part]
    return ended(". ".join(kept))


def _band(curve: DrawnCurve, x: svg.LinearScale, y: svg.LinearScale, class_: str) -> Markup:
    low, high = curve.band or ((), ())
    there = [(x(a), y(b)) for a, b in zip(curve.x, high, strict=False)]
    back = [(x(a), y(b)) for a, b in zip(curve.x, low, strict=False)]
    return svg.area([*there, *reversed(back)], f"band {class_}")


def _breaking_point(finding: Mapping[str, Any], x: svg.LinearScale, places: Sequence[float]) -> float | None:
    """Return where on the x axis the limits break; None when that is not on it."""
    point = finding.get("holds_up_to")
    value = point.get("value") if isinstance(point, Mapping) else None
    return None if value is None or not places[0] <= value <= places[-1] else x(float(value))


def _in_best_order(room: Room, *groups: list[Label]) -> list[Markup]:
    """Write labels, those first whose turn leaves most room for the others."""
    tried = []
    for order in permutations(groups):
        trial = room.copy()
        placed = [trial.placed(label) for label in chain.from_iterable(order)]
        tried.append((sum(cost for cost, _ in placed), [written for _, written in placed]))
    return min(tried, key=lambda one: one[0])[1]


def _breaking_labels(finding: Mapping[str, Any], at: float | None) -> list[Label]:
    if at is None:
        return []
    sides = (
        (at - 5, TOP - 10, "end"),
        (at + 5, TOP - 10, "start"),
        (RIGHT, TOP - 10, "end"),
        (LEFT, TOP - 10, "start"),
    )
    return [Label(words=f"holds up to {number_alone(finding)}", class_="after-text", places=sides)]


def _end_labels(
    curve: DrawnCurve, before: DrawnCurve | None, x: svg.LinearScale, y: svg.LinearScale
) -> list[Label]:
    """Name each line, near its end and nearer to it than to the other."""
    if before is None:
        return []
    planned, now = (owner.placed(x, y) for owner in (before, curve))
    named = ((planned, now, "as planned", "before-text"), (now, planned, "after", "after-text"))
    labels = []
    for own, other, words, class_ in named:
        near = [
            (min(across + shift, RIGHT), at + lift, anchor)
            for across, at in reversed(own[-(-len(own) // 4) :])
            for lift, (shift, anchor) in product((-9, -14, 19, 24, 29), ((6, "end"), (-6, "start")))
        ]
        inside = tuple(place for place in near if TOP + 4 < place[1] < BOTTOM - 3)
        label = Label(
            words=words,
            shorter="planned" if words == "as planned" else "",
            class_=class_,
            places=inside or ((RIGHT, TOP + 14, "end"),),
            near=_along(own),
            others=_along(other),
        )
        labels.append(label)
    return labels


def _along(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return points on a line, close to each other."""
    between = [
        (a + (c - a) * step / _STEPS, b + (d - b) * step / _STEPS)
        for (a, b), (c, d) in pairwise(points)
        for step in range(_STEPS)
    ]
    return (*between, points[-1])


def _strength_label(
    title: str, curve: DrawnCurve, before: DrawnCurve | None, finding: Mapping[str, Any], *, shares: bool
) -> str:
    write = percent if shares else (lambda value: count(round(value, 3)))

    def values(owner: DrawnCurve) -> str:
        pairs = list(zip(owner.x, owner.y, strict=False))
        few = pairs if len(pairs) <= 5 else [pairs[0], pairs[len(pairs) // 2], pairs[-1]]  # noqa: PLR2004 - what one listens to
        return ", ".join(f"{write(b)} at {x_words(a, share=is_share(owner.x))}" for a, b in few)

    label = f"{title}: holds up to {holds(finding)}; {'after withholding' if before else 'as planned'} {values(curve)}"
    return f"{label}; as planned {values(before)}" if before else label


def cost(title: str, curve: DrawnCurve) -> Chart:
    """Draw the path from the plan to the release: what is kept against what is exposed."""
    steps = len(curve.x)
    curve = thinned(curve)
    kept, write = as_kept(curve.x)
    shares = in_shares(curve, [*curve.y, curve.limit or 0.0])
    ys = svg.ticks(0, max(*curve.y, curve.limit or 0.0) or (0.05 if shares else 1))
    y, low, high = svg.upward(ys[-1]), min(curve.x), max(curve.x)
    span = high - low or high or 1.0
    x = svg.across(low - span * 0.12, high + span * 0.06)
    room, parts = Room(), []
    if curve.limit:
        parts.append(svg.box(LEFT, TOP, RIGHT - LEFT, y(curve.limit) - TOP, "wash"))
    parts += framed(room, x, kept, y, ticks(ys, shares=shares), curve.x_label)
    points = curve.placed(x, y)
    over = " over" if curve.limit is not None and curve.y[-1] > curve.limit else ""
    first, last = (
        (percent(curve.y[0]), percent(curve.y[-1])) if shares else (f"{curve.y[0]:,g}", f"{curve.y[-1]:,g}")
    )
    room.path(points)
    room.around([points[0], points[-1]], radius=7)
    parts += [
        svg.path(points, "curve after"),
        svg.dot(*points[0], "hollow", 5),
        svg.dot(*points[-1], f"filled{over}", 5),
        *limit_across(room, curve, y, shares=shares),
        room.place(Label(words=first, class_="before-text", places=_beside(*points[0]))),
        room.place(
            Label(words=f"{write(curve.x[-1])} kept", class_="after-text", places=_beside(*points[-1]))
        ),
    ]
    label = f"{title}: from {first} exposed with {write(curve.x[0])} kept to {last} exposed with {write(curve.x[-1])} kept"
    exposed = [percent(value) if shares else f"{value:,g}" for value in curve.y]
    rows = tuple((write(a), b) for a, b in zip(curve.x, exposed, strict=False))
    some = "" if steps == len(curve.x) else f" ({count(len(curve.x))} of {count(steps)} steps)"
    head = (f"{curve.x_label}{some}", curve.y_label)
    return Chart(title=title, says=curve.says, drawing=svg.picture(parts, label), head=head, rows=rows)


def _beside(x: float, y: float) -> tuple[tuple[float, float, str], ...]:
    """Return the places around a dot where its label may stand."""
    return (
        (x - 11, y + 4, "end"),
        (x + 11, y + 4, "start"),
        (x - 4, y - 12, "start"),
        (x + 4, y - 12, "end"),
        (x - 4, y + 22, "start"),
        (x + 4, y + 22, "end"),
    )


def limit_across(room: Room, curve: DrawnCurve, y: svg.Upward, *, shares: bool) -> list[Markup]:
    """Draw a limit of the y axis, with its label at an end where it crosses nothing."""
    if curve.limit is None:
        return []
    label = _limit_labels(curve, y, shares=shares)[0]
    return [_limit_line(room, y(curve.limit)), room.place(label)]


def _limit_line(room: Room, at: float) -> Markup:
    room.limit((LEFT, at), (RIGHT, at))
    return svg.line(LEFT, at, RIGHT, at, "limit")


def _limit_labels(curve: DrawnCurve, y: svg.Upward, *, shares: bool) -> list[Label]:
    if curve.limit is None:
        return []
    at = y(curve.limit)
    written = exact_percent(curve.limit) if shares and curve.limit else f"{curve.limit:,g}"
    ends = tuple(
        (x, height, anchor)
        for height in (at - 8, at + 17)
        for x, anchor in ((RIGHT - 2, "end"), (LEFT + 4, "start"))
        if height < BOTTOM
    )
    if curve.limit_name != "limit" and shares:
        written = percent(curve.limit)
    return [Label(words=f"{curve.limit_name} {written}", class_="strong", places=ends)]
