"""Where labels of a chart stand: on the free side, over no other text and across no limit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.svg import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH

Point = tuple[float, float]

_LETTER = 8.6
_ASCENT, _DESCENT = 13.0, 4.5
"""The size of a bold letter at the size in which charts are printed, which is the larger one."""
_OF_TEXT, _OF_LINE, _AWAY = 100.0, 1.0, 0.002
_STEP = 7


@dataclass(frozen=True)
class Box:
    """A rectangle in the units of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Tell whether two rectangles share some area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def crossed_by(self, start: Point, end: Point) -> bool:
        """Tell whether a straight line runs through the rectangle, by cutting it at each side in turn (Liang, Barsky)."""
        low, high = 0.0, 1.0
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        for step, room in (
            (-dx, x - self.left),
            (dx, self.right - x),
            (-dy, y - self.top),
            (dy, self.bottom - y),
        ):
            if step == 0:
                if room < 0:
                    return False
            elif step < 0:
                low = max(low, room / step)
            else:
                high = min(high, room / step)
        return low <= high


@dataclass(frozen=True, kw_only=True)
class Label:
    """A text and the places where it may stand, the best one first: x, y of its baseline, and its anchor."""

    words: str
    class_: str
    places: tuple[tuple[float, float, str], ...]


@dataclass(kw_only=True)
class Room:
    """What takes room in a chart already: texts and limits, which no label may touch, and lines, which none should."""

    texts: list[Box] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    bars: list[Box] = field(default_factory=list)

    def limit(self, start: Point, end: Point) -> None:
        """Keep a limit free."""
        (x1, y1), (x2, y2) = start, end
        self.texts.append(Box(min(x1, x2) - 2, min(y1, y2) - 2, max(x1, x2) + 2, max(y1, y2) + 2))

    def path(self, points: Sequence[Point]) -> None:
        """Avoid a line through points."""
        self.lines += pairwise(points)

    def around(self, points: Iterable[Point], radius: float = 5) -> None:
        """Avoid dots."""
        self.bars += [Box(x - radius, y - radius, x + radius, y + radius) for x, y in points]

    def place(self, label: Label) -> Markup:
        """Write a label where it disturbs least, and keep its place free; nothing where it would touch a text or a limit."""
        best, least = None, _OF_TEXT
        for number, place in enumerate(chain(label.places, _elsewhere(label))):
            if _AWAY * number >= least:  # nor is any place after it better
                break
            cost = self._cost(label, *place) + _AWAY * number
            if cost < least:
                best, least = place, cost
        if best is None:
            return Markup("")
        x, y, anchor = best
        self.texts.append(box(label.words, x, y, anchor))
        return svg.text(x, y, label.words, class_=label.class_, anchor=anchor)

    def _cost(self, label: Label, x: float, y: float, anchor: str) -> float:
        taken = box(label.words, x, y, anchor)
        if taken.left < 0 or taken.right > WIDTH or taken.top < -_ASCENT or taken.bottom > HEIGHT:
            return _OF_TEXT
        if any(map(taken.overlaps, self.texts)):
            return _OF_TEXT
        soft = sum(taken.crossed_by(*line) for line in self.lines) + sum(map(taken.overlaps, self.bars))
        return _OF_LINE * min(soft, 50)


def box(words: str, x: float, y: float, anchor: str) -> Box:
    """Return about the room that a text takes, as printed."""
    wide = _LETTER * len(words)
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    return Box(left, y - _ASCENT, left + wide, y + _DESCENT)


def _elsewhere(label: Label) -> Iterator[tuple[float, float, str]]:
    """Give places all over the chart, those nearest to the best one first."""
    x, y, _ = label.places[0]
    wide = _LETTER * len(label.words)
    rows = [TOP - 8 + _STEP * step for step in range(int((BOTTOM - TOP) / _STEP))]
    columns = [LEFT + 4 + 13 * step for step in range(20)]
    found = [(left, row, "start") for row in rows for left in columns if left + wide <= RIGHT + 8]
    yield from sorted(found, key=lambda place: abs(place[0] + wide / 2 - x) + 2 * abs(place[1] - y))


def spread(ticks: Sequence[tuple[float, str]], *, kept: float | None = None) -> list[tuple[float, str]]:
    """Leave out the words of ticks that would run into their neighbours; both ends and `kept` stay."""
    order = sorted(range(len(ticks)), key=lambda place: ticks[place][0])
    first = [place for place in order if kept is not None and abs(ticks[place][0] - kept) < 0.5]  # noqa: PLR2004 - half a unit
    ends = [place for place in (order[:1] + order[-1:]) if place not in first]
    shown: list[Box] = []
    written = dict.fromkeys(order, "")
    for place in dict.fromkeys([*first, *ends, *order]):
        at, words = ticks[place]
        wide = box(words, at, 0, "middle")
        room = Box(wide.left - 2, wide.top, wide.right + 2, wide.bottom)
        if words and not any(map(room.overlaps, shown)):
            shown.append(room)
            written[place] = words
    return [(ticks[place][0], written[place]) for place in range(len(ticks))]
