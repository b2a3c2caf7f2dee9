"""Where labels of a chart stand: on the free side, over no other text and across no limit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, starmap
from math import hypot, inf

from markupsafe import Markup

from giveaway.report.charts import svg
from giveaway.report.charts.svg import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH

Point = tuple[float, float]
Place = tuple[float, float, str]
"""Where a text stands: x, y of its baseline, and its anchor."""

_SIZE = 13.5
"""The size of letters on paper, which is larger in the units of the drawing than that on a screen."""
_ASCENT, _DESCENT = 12.5, 4.0
_WIDE, _NARROW, _THIN = "mw%MWABCDGHKNOQRU", "frst-()", " \u00a0,.:;iljI"
_OF_TEXT, _OF_LINE, _SHORTER, _AWAY = 100.0, 1.0, 0.6, 0.002
_STEP, _PAD = 7, 3


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

    def away(self, points: Iterable[Point], most: float = inf) -> float:
        """Return how far the nearest of some points is, or `most` where that is nearer."""
        for x, y in points:
            across = self.left - x if x < self.left else x - self.right if x > self.right else 0
            if across < most:
                down = self.top - y if y < self.top else y - self.bottom if y > self.bottom else 0
                if down < most:
                    most = min(most, hypot(across, down))
        return most


@dataclass(frozen=True, kw_only=True)
class Label:
    """A text and the places where it may stand, the best one first."""

    words: str
    class_: str
    places: tuple[Place, ...]
    shorter: str = ""
    """What is written instead where there is no room for the words."""
    inside: tuple[float, float] = (0, WIDTH)
    """From where to where on the x axis it may stand."""
    near: tuple[Point, ...] = ()
    """The points of its own line, which it is nearer to than to those of `others`."""
    others: tuple[Point, ...] = ()


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

    def copy(self) -> "Room":
        """Return the same room, in which labels can be tried."""
        return Room(texts=[*self.texts], lines=[*self.lines], bars=[*self.bars])

    def place(self, label: Label) -> Markup:
        """Write a label where it disturbs least, and keep its place free; nothing where it would touch a text or a limit."""
        return self.placed(label)[1]

    def placed(self, label: Label) -> tuple[float, Markup]:
        """Do the same, and tell how much it disturbs there."""
        tried = [label] + ([replace(label, words=label.shorter)] if label.shorter else [])
        places = [self._best(one, at_least=_SHORTER * number) for number, one in enumerate(tried)]
        (cost, best), one = min(zip(places, tried, strict=True), key=lambda pair: pair[0][0])
        if best is None:
            return cost, Markup("")
        x, y, anchor = best
        self.texts.append(box(one.words, x, y, anchor))
        return cost, svg.text(x, y, one.words, class_=one.class_, anchor=anchor)

    def _best(self, label: Label, *, at_least: float) -> tuple[float, Place | None]:
        best, least, width = None, _OF_TEXT, wide(label.words)
        for number, place in enumerate(chain(label.places, _elsewhere(label, width))):
            if at_least + _AWAY * number >= least:  # nor is any place after it better
                break
            for disturbs in self._disturbs(label, _taken(width, *place)):
                cost = at_least + disturbs + _AWAY * number
                if cost >= least:  # nor does it matter what else is touched
                    break
            else:
                best, least = place, cost
        return least, best

    def _disturbs(self, label: Label, taken: Box) -> Iterator[float]:
        """Tell how much a label disturbs in a place, the more the longer one looks."""
        left, right = label.inside
        if taken.left < left or taken.right > right or taken.top < -_ASCENT or taken.bottom > HEIGHT:
            yield _OF_TEXT
        if any(map(taken.overlaps, self.texts)):
            yield _OF_TEXT
        near = Box(taken.left - _PAD, taken.top, taken.right + _PAD, taken.bottom)
        touched = 0
        yield 0.0
        for met in chain(map(near.overlaps, self.bars), starmap(near.crossed_by, self.lines)):
            if met:
                touched += 1
                yield _OF_LINE * min(touched, 50)
        if label.others and taken.away(label.near) >= taken.away(label.others):
            yield _OF_LINE * min(touched + 1, 50)


def wide(words: str) -> float:
    """Return about how wide a text is, bold and as printed."""
    em = sum(0.9 if c in _WIDE else 0.37 if c in _THIN else 0.55 if c in _NARROW else 0.7 for c in words)
    return _SIZE * em


def box(words: str, x: float, y: float, anchor: str) -> Box:
    """Return about the room that a text takes, as printed."""
    return _taken(wide(words), x, y, anchor)


def _taken(width: float, x: float, y: float, anchor: str) -> Box:
    left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
    return Box(left, y - _ASCENT, left + width, y + _DESCENT)


def _elsewhere(label: Label, width: float) -> Iterator[Place]:
    """Give places all over the chart, those nearest to the best one first."""
    x, y, _ = label.places[0]
    rows = [TOP - 8 + _STEP * step for step in range(int((BOTTOM - TOP) / _STEP))]
    columns = [LEFT + 4 + 13 * step for step in range(20)]
    places = [(left, row, "start") for row in rows for left in columns if left + width <= RIGHT + 8]
    yield from sorted(places, key=lambda place: abs(place[0] + width / 2 - x) + 2 * abs(place[1] - y))


def spread(ticks: Sequence[tuple[float, str]], *, kept: float | None = None) -> list[tuple[float, str]]:
    """Leave out the words of ticks that would run into their neighbours; both ends and `kept` stay."""
    order = sorted(range(len(ticks)), key=lambda place: ticks[place][0])
    first = [place for place in order if kept is not None and abs(ticks[place][0] - kept) < 0.5]  # noqa: PLR2004 - half a unit
    ends = [place for place in (order[:1] + order[-1:]) if place not in first]
    shown: list[Box] = []
    written = dict.fromkeys(order, "")
    for place in dict.fromkeys([*first, *ends, *order]):
        at, words = ticks[place]
        taken = box(words, at, 0, "middle")
        room = Box(taken.left - 2, taken.top, taken.right + 2, taken.bottom)
        if words and not any(map(room.overlaps, shown)):
            shown.append(room)
            written[place] = words
    return [(ticks[place][0], written[place]) for place in range(len(ticks))]
