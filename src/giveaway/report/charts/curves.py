"""The curves of a Summary as typed values, and how the numbers on their axes are written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

from giveaway.report.charts import svg
from giveaway.report.wording.words import GAP, count, exact_percent, one_in, percent, unbroken

_LARGEST_CROWD = 1_000_000
_MOST_POINTS = 240


@dataclass(frozen=True, kw_only=True)
class DrawnCurve:
    """One curve of a Summary; x and y have the same length."""

    name: str
    x_label: str
    y_label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    says: str
    limit: float | None
    marks: tuple[tuple[float, str], ...]
    band: tuple[tuple[float, ...], tuple[float, ...]] | None
    beside: str | None
    """The name of the curve in whose picture this one is drawn too."""
    title: str
    """What stands above its picture."""
    line: str
    """What it is called among others in a picture."""
    points: bool
    """Whether it is drawn as points; what goes to and fro is."""
    limit_name: str = "limit"
    bars: bool = False
    """Whether it counts targets by chance, up to each of its places."""

    def placed(self, x: Callable[[float], float], y: Callable[[float], float]) -> list[tuple[float, float]]:
        """Return where its points are drawn."""
        return [(x(a), y(b)) for a, b in zip(self.x, self.y, strict=False)]


def curves(finding: Mapping[str, Any] | None) -> dict[str, DrawnCurve]:
    """Return the curves of a finding that have points, by name; what is infinite cannot be drawn."""
    drawn = (_curve(raw) for raw in (finding or {}).get("curves") or [] if raw.get("x") and raw.get("y"))
    return {curve.name: curve for curve in drawn if curve.x}


def _curve(raw: Mapping[str, Any]) -> DrawnCurve:
    points = [(float(x), float(y)) for x, y in zip(raw["x"], raw["y"], strict=False) if isfinite(float(y))]
    band = raw.get("band")
    return DrawnCurve(
        name=str(raw["name"]),
        x_label=str(raw.get("x_label") or ""),
        y_label=str(raw.get("y_label") or ""),
        x=tuple(x for x, _ in points),
        y=tuple(y for _, y in points),
        says=unbroken(str(raw.get("says") or "")),
        limit=None if raw.get("limit") is None else float(raw["limit"]),
        marks=tuple((float(mark["x"]), str(mark["label"])) for mark in raw.get("marks") or []),
        band=(tuple(map(float, band[0])), tuple(map(float, band[1]))) if band else None,
        beside=None if raw.get("beside") is None else str(raw["beside"]),
        title=str(raw.get("title") or str(raw["name"]).replace("_", " ").capitalize()),
        line=str(raw.get("line") or str(raw["name"]).replace("_", " ")),
        points=bool(raw.get("points")) or not _runs([x for x, _ in points]),
        limit_name=str(raw.get("limit_name") or "limit"),
        bars=bool(raw.get("bars")),
    )


def _runs(places: Sequence[float]) -> bool:
    """Tell whether places run in one direction, so that a line can join them."""
    return sorted(places) in ([*places], [*reversed(places)])


def thinned(curve: DrawnCurve) -> DrawnCurve:
    """Leave out points of a long curve, evenly; the first and the last stay."""
    size = len(curve.x)
    if size <= _MOST_POINTS:
        return curve
    places = sorted({round(i * (size - 1) / (_MOST_POINTS - 1)) for i in range(_MOST_POINTS)})
    return replace(curve, x=tuple(curve.x[i] for i in places), y=tuple(curve.y[i] for i in places))


def in_shares(curve: DrawnCurve, values: Sequence[float]) -> bool:
    """Tell whether the values of a curve are shares or chances by their name; a risk or a divergence is a plain number."""
    return is_share(values) and any(word in curve.y_label for word in ("share", "chance"))


def is_share(values: Sequence[float]) -> bool:
    """Tell whether numbers are shares of a whole; a single 1 is a count."""
    return max(values, default=0.0) <= 1 and list(values) != [1.0]


def as_percent(values: Sequence[float]) -> list[tuple[float, str]]:
    """Label ticks in percent, with the unit on the last one only; values above 1 are plain numbers."""
    if values and values[-1] > 1:
        return [(value, f"{value:,g}") for value in values]
    last = len(values) - 1
    return [
        (value, f"{round(100 * value, 4):g}{GAP + '%' if i == last else ''}")
        for i, value in enumerate(values)
    ]


def ticks(values: Sequence[float], *, shares: bool) -> list[tuple[float, str]]:
    """Label ticks in percent where they are shares, else as the plain numbers that they are."""
    return as_percent(values) if shares else [(value, f"{value:,g}") for value in values]


def as_kept(values: Sequence[float]) -> tuple[list[tuple[float, str]], Callable[[float], str]]:
    """Return the ticks of an axis of what is kept, and how one of its values is written."""
    low, high = min(values), max(values)
    if high <= 1:
        return as_percent(svg.within(low, high)), percent
    return ticks(svg.within(low, high, whole=True), shares=False), lambda value: count(round(value))


def limit_label(limit: float, *, of_crowd: bool = True) -> str:
    """Write a limit on a chance: `1 in 5` where that is what it is, one that is not of finding somebody where nothing else fits."""
    near, written = Fraction(limit).limit_denominator(_LARGEST_CROWD), exact_percent(limit)
    crowd = one_in(near) if float(near) == limit and (of_crowd or "/" in written) else None
    return crowd or written


def x_words(value: float, *, share: bool) -> str:
    """Write one strength of the attacker: a count, or a share as a percentage."""
    if share:
        return exact_percent(round(value, 4))
    return count(int(value)) if value == int(value) else f"{value:,g}"
