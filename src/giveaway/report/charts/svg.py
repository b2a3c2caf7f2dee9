"""A small SVG writer: elements with escaped attributes and text, axes and scales for charts of one size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup, escape

WIDTH, HEIGHT = 330, 214
LEFT, RIGHT, TOP, BOTTOM = 48, 308, 30, 170

_STEPS = (1, 2, 2.5, 5, 10)
_MOST_TICKS = 5
_LETTER = 6.3
"""The usual width of a letter of chart text."""


def element(name: str, content: Iterable[Markup] | str = "", **attributes: str | float) -> Markup:
    """Write one element; an underscore in an attribute's name stands for a hyphen, a trailing one for nothing."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for key, value in attributes.items()
    )
    inner = escape(content) if isinstance(content, str) else Markup("").join(content)
    return Markup(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")  # noqa: S704 - built of escaped parts


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def picture(
    parts: Iterable[Markup],
    label: str,
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
    class_: str = "chart",
) -> Markup:
    """Write a whole drawing that says its finding to those who cannot see it."""
    return element(
        "svg",
        parts,
        class_=class_,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label.replace("\u00a0", " "),
    )


def text(x: float, y: float, words: str, *, class_: str = "", anchor: str = "start") -> Markup:
    """Write a line of text; ticks between whole numbers have none."""
    if not words:
        return Markup("")
    return element("text", words, x=x, y=y, text_anchor=anchor, **({"class_": class_} if class_ else {}))


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Draw a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    """Draw a rectangle."""
    return element("rect", x=x, y=y, width=max(width, 0), height=max(height, 0), class_=class_)


def dot(x: float, y: float, class_: str, radius: float = 3.5) -> Markup:
    """Draw a dot."""
    return element("circle", cx=x, cy=y, r=radius, class_=class_)


def path(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """Draw a line through points."""
    return element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=class_)


def area(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """Fill the area that points surround."""
    return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=class_)


def length(words: str) -> float:
    """Estimate the length of a text."""
    return _LETTER * len(words)


@dataclass(frozen=True)
class LinearScale:
    """A linear scale from values to places."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the place of a value; what lies outside is put on the edge."""
        span = self.high - self.low
        part = (value - self.low) / span if span else 0.0
        return self.start + min(max(part, 0.0), 1.0) * (self.end - self.start)


def across(low: float, high: float) -> LinearScale:
    """Make the scale of an x axis."""
    return LinearScale(low, high, LEFT, RIGHT)


def upward(high: float) -> LinearScale:
    """Make the scale of a y axis that starts at 0."""
    return LinearScale(0, high, BOTTOM, TOP)


@dataclass(frozen=True)
class Decades:
    """A logarithmic scale from values to places; what lies below the lowest decade is put on the edge."""

    low: int
    high: int

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return upward(self.high - self.low)(log10(value) - self.low if value > 0 else 0.0)

    def ticks(self) -> list[float]:
        """Return at most five powers of ten."""
        step = -(-(self.high - self.low) // _MOST_TICKS)
        return [10.0**power for power in range(self.low, self.high + 1, step)]


Upward = LinearScale | Decades
"""The scale of a y axis."""


def decades(values: Sequence[float]) -> Decades | None:
    """Make a logarithmic scale when positive values differ by three decades or more."""
    there = [value for value in values if value > 0]
    if not there or max(there) < 1000 * min(there):
        return None
    return Decades(floor(log10(min(there))), ceil(log10(max(there))))


def ticks(low: float, high: float) -> list[float]:
    """Return at most five round values (and the start) that cover a range."""
    span = high - low
    if span <= 0:
        return [low, low + 1]
    size = 10 ** floor(log10(span / _MOST_TICKS))
    step = next((size * s for s in (*_STEPS, 20) if span / (size * s) <= _MOST_TICKS), size * 20)
    first = floor(low / step + 1e-9)
    places = [first * step]
    while places[-1] < high - step * 1e-6:
        places.append((first + len(places)) * step)
    return places


def whole_ticks(high: float) -> list[float]:
    """Return ticks from 0 that are whole numbers."""
    size = 10 ** max(floor(log10(max(high, 1.0) / _MOST_TICKS)), 0)
    step = next(size * s for s in (1, 2, 5, 10) if high / (size * s) <= _MOST_TICKS)
    return [float(step * place) for place in range(ceil(high / step) + 1)]


def within(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Return the round values that lie inside a range, only whole ones when asked; both ends when there are none."""
    slack = (high - low) * 1e-6
    inside = [tick for tick in ticks(low, high) if low - slack <= tick <= high + slack]
    return [tick for tick in inside if not whole or tick == round(tick)] or [low, high]


def frame(
    xs: Sequence[tuple[float, str]],
    ys: Sequence[tuple[float, str]],
    x_label: str,
    *,
    stated: float | None = None,
) -> list[Markup]:
    """Draw hairlines, axis, tick labels and the name of the x axis; the stated strength is an inverted label."""
    drawn = [line(LEFT, y, RIGHT, y, "hair" if i else "axis") for i, (y, _) in enumerate(ys)]
    drawn += [text(LEFT - 7, y + 4, words, class_="tick", anchor="end") for y, words in ys]
    for x, words in xs:
        if stated is not None and abs(x - stated) < 0.5:  # noqa: PLR2004 - half a unit of the drawing
            wide = max(20.0, length(words) + 10)
            drawn.append(box(x - wide / 2, BOTTOM + 5, wide, 17, "stated"))
            drawn.append(text(x, BOTTOM + 17.5, words, class_="stated-text", anchor="middle"))
        else:
            drawn.append(line(x, BOTTOM, x, BOTTOM + 4, "axis"))
            drawn.append(text(x, BOTTOM + 18, words, class_="tick", anchor="middle"))
    if x_label:
        drawn.append(text((LEFT + RIGHT) / 2, BOTTOM + 39, x_label, class_="name", anchor="middle"))
    return drawn
