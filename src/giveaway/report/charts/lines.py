"""The line charts of a report: what a stronger attacker learns, and what the safety costs."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.charts import Chart, both, table
from giveaway.report.charts.curves import Curve, as_kept, as_percent, in_shares, is_share, thinned, x_words
from giveaway.report.charts.svg import BOTTOM, LEFT, RIGHT, TOP
from giveaway.report.wording.strengths import holds, number_alone
from giveaway.report.wording.words import count, exact_percent, percent

_TWO_LABELS = 48
"""The height of two labels."""


def strength(
    title: str, curve: Curve, before: Curve | None, finding: Mapping[str, Any], stated: float | None
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
    at_x = (
        [(value, x_words(value, share=False)) for value in places]
        if few
        else as_percent(svg.within(places[0], places[-1]))
    )
    if stated is not None and stated not in [value for value, _ in at_x]:
        at_x = [pair for pair in at_x if abs(x(pair[0]) - x(stated)) > 24]  # noqa: PLR2004 - room for a label
        at_x.append((stated, x_words(stated, share=parts_of)))
    parts = []
    if curve.limit:
        parts.append(svg.box(LEFT, TOP, RIGHT - LEFT, y(curve.limit) - TOP, "wash"))
    parts += svg.frame(
        [(x(value), words) for value, words in at_x],
        [(y(tick), words) for tick, words in _y_ticks(ys, shares=shares)],
        curve.x_label,
        stated=None if stated is None else x(stated),
    )
    ends = [y(owner.y[-1]) for owner in (curve, before) if owner is not None]
    crowded = any(abs(end - y(curve.limit or 0)) < _TWO_LABELS for end in ends)
    parts += _limit_across(curve, y, shares=shares, crowded=crowded)
    if curve.band:
        parts.append(_band(curve, x, y))
    for owner, class_ in ((before, "before"), (curve, "after" if before else "before")):
        if owner is not None:
            points = [(x(a), y(b)) for a, b in zip(owner.x, owner.y, strict=False)]
            parts.append(svg.path(points, f"curve {class_}"))
            if few:
                parts += [svg.dot(*point, f"point {class_}") for point in points]
    parts += _breaking_point(finding, x, places)
    parts += _end_labels(curve, before, x, y)
    rows = [x_words(value, share=parts_of) for value in curve.x]
    write = percent if shares else (lambda value: count(round(value, 3)))
    return Chart(
        title=title,
        says=both(curve, before),
        drawing=svg.picture(parts, _strength_label(title, curve, before, finding, shares=shares)),
        **table(curve.x_label, curve.y_label, rows, curve, before, write),
    )


def _y_ticks(ys: Sequence[float], *, shares: bool) -> list[tuple[float, str]]:
    return as_percent(ys) if shares else [(tick, f"{tick:,g}") for tick in ys]


def _band(curve: Curve, x: svg.Scale, y: svg.Scale) -> Markup:
    low, high = curve.band or ((), ())
    there = [(x(a), y(b)) for a, b in zip(curve.x, high, strict=False)]
    back = [(x(a), y(b)) for a, b in zip(curve.x, low, strict=False)]
    return svg.area([*there, *reversed(back)], "band")


def _breaking_point(finding: Mapping[str, Any], x: svg.Scale, places: Sequence[float]) -> list[Markup]:
    point = finding.get("holds_up_to")
    value = point.get("value") if isinstance(point, Mapping) else None
    if value is None or not places[0] <= value <= places[-1]:
        return []
    at = x(float(value))
    words = f"holds up to {number_alone(finding)}"
    anchor = "end" if at - LEFT > svg.length(words) - 30 else "start"
    return [
        svg.line(at, TOP - 6, at, BOTTOM, "dotted after"),
        svg.text(at - 5 if anchor == "end" else at + 5, TOP - 10, words, class_="after-text", anchor=anchor),
    ]


def _end_labels(curve: Curve, before: Curve | None, x: svg.Scale, y: svg.Scale) -> list[Markup]:
    """Name each line at its end, above it; of two that end near each other the lower one is named below."""
    if before is None:
        return []
    named = ((before, "as planned", "before-text"), (curve, "after", "after-text"))
    ends = [(x(owner.x[-1]), y(owner.y[-1]), words, class_) for owner, words, class_ in named]
    near = abs(ends[0][0] - ends[1][0]) < 60 and abs(ends[0][1] - ends[1][1]) < 26  # noqa: PLR2004 - the size of a name
    lowest = max(end[1] for end in ends)
    drawn = []
    for place, (across, at, words, class_) in enumerate(ends):
        below = near and at == lowest and (place == 1 or ends[0][1] != ends[1][1])
        height = min(max(at + (21 if below else -9), TOP + 9), BOTTOM - 5)
        drawn.append(svg.text(min(across + 6, RIGHT), height, words, class_=class_, anchor="end"))
    return drawn


def _strength_label(
    title: str, curve: Curve, before: Curve | None, finding: Mapping[str, Any], *, shares: bool
) -> str:
    write = percent if shares else (lambda value: count(round(value, 3)))

    def told(owner: Curve) -> str:
        pairs = list(zip(owner.x, owner.y, strict=False))
        few = pairs if len(pairs) <= 5 else [pairs[0], pairs[len(pairs) // 2], pairs[-1]]  # noqa: PLR2004 - what one listens to
        return ", ".join(f"{write(b)} at {x_words(a, share=is_share(owner.x))}" for a, b in few)

    label = f"{title}: holds up to {holds(finding)}; {'after withholding' if before else 'as planned'} {told(curve)}"
    return f"{label}; as planned {told(before)}" if before else label


def cost(title: str, curve: Curve) -> Chart:
    """Draw the path from the plan to the release: what is kept against what is exposed."""
    steps = len(curve.x)
    curve = thinned(curve)
    kept, write = as_kept(curve.x)
    shares = in_shares(curve, [*curve.y, curve.limit or 0.0])
    ys = svg.ticks(0, max(*curve.y, curve.limit or 0.0) or (0.05 if shares else 1))
    y, low, high = svg.upward(ys[-1]), min(curve.x), max(curve.x)
    span = high - low or high or 1.0
    x = svg.across(low - span * 0.12, high + span * 0.06)
    parts = []
    if curve.limit:
        parts.append(svg.box(LEFT, TOP, RIGHT - LEFT, y(curve.limit) - TOP, "wash"))
    parts += svg.frame(
        [(x(value), words) for value, words in kept],
        [(y(tick), words) for tick, words in _y_ticks(ys, shares=shares)],
        curve.x_label,
    )
    parts += _limit_across(curve, y, shares=shares)
    points = [(x(a), y(b)) for a, b in zip(curve.x, curve.y, strict=False)]
    over = " over" if curve.limit is not None and curve.y[-1] > curve.limit else ""
    first, last = (
        (percent(curve.y[0]), percent(curve.y[-1])) if shares else (f"{curve.y[0]:g}", f"{curve.y[-1]:g}")
    )
    parts += [
        svg.path(points, "curve after"),
        svg.dot(*points[0], "hollow", 5),
        svg.dot(*points[-1], f"filled{over}", 5),
        svg.text(points[0][0] - 10, points[0][1] + 4, first, class_="before-text", anchor="end"),
        svg.text(points[-1][0] - 4, points[-1][1] - 20, f"{write(curve.x[-1])} kept", class_="after-text"),
    ]
    label = f"{title}: from {first} exposed with {write(curve.x[0])} kept to {last} exposed with {write(curve.x[-1])} kept"
    exposed = [percent(value) if shares else f"{value:,g}" for value in curve.y]
    rows = tuple((write(a), b) for a, b in zip(curve.x, exposed, strict=False))
    some = "" if steps == len(curve.x) else f" ({count(len(curve.x))} of {count(steps)} steps)"
    head = (f"{curve.x_label}{some}", curve.y_label)
    return Chart(title=title, says=curve.says, drawing=svg.picture(parts, label), head=head, rows=rows)


def _limit_across(curve: Curve, y: svg.Scale, *, shares: bool, crowded: bool = False) -> list[Markup]:
    if curve.limit is None:
        return []
    at = y(curve.limit)
    written = exact_percent(curve.limit) if shares and curve.limit else f"{curve.limit:,g}"
    return [
        svg.line(LEFT, at, RIGHT, at, "limit"),
        svg.text(
            LEFT + 4 if crowded else RIGHT - 2,
            at - 6,
            f"limit {written}",
            class_="strong",
            anchor="start" if crowded else "end",
        ),
    ]
