"""One-to-one mappings of items to codes, counted group by group from the most frequent codes down.

Groups of equally frequent codes are numbered from the most frequent one. An item may be any code of a window of groups; a
bound item may only be codes of its window with all the marks, as bits, that it is bound to. A soft belief allows every mapping, and makes it a fixed factor less
likely for each item that is outside its window.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import comb, factorial, perm, prod
from random import Random
from typing import NamedTuple

WORK = 300_000
"""Steps that the mappings of one component may take, and as many again what is asked about them."""

_ITEMS_A_STEP = 64
"""Numbers grow with the items, so that a step costs one more for this many."""


class Window(NamedTuple):
    """The groups that an item may be in; one whose last group comes before its first may be nowhere."""

    first: int
    last: int
    bound: int = 0

    def allows(self, code: "ItemCode") -> bool:
        """Tell whether an item with this window may be a code."""
        return self.first <= code.group <= self.last and not self.bound & ~code.marked


class ItemCode(NamedTuple):
    """What tells codes apart: their group, and their marks."""

    group: int
    marked: int = 0


Open = tuple[int, int]
"""What a waiting item is bound to, below zero so that those that are bound to nothing come last, and its last group."""

State = tuple[tuple[tuple[Open, int], ...], int]
"""How many items wait, and how many codes were left free, which only a soft belief does."""

Taken = tuple[tuple[int, ...], ...]
"""How many of each kind of waiting item were placed, on codes of each of the marks that it may have."""

Move = tuple[State, int, Taken]
"""The state after a group, the ways to come there, and what was placed."""

_START: State = ((), 0)


class TooMuchWork(Exception):
    """Counting takes more steps than allowed."""


class CodeWays:
    """The mappings of some items onto the codes of successive groups."""

    def __init__(
        self,
        items: Mapping[Window, int],
        codes: Mapping[ItemCode, int],
        groups: range,
        soft: int = 0,
        asks: int = 1,
    ) -> None:
        """Count all mappings; `asks` is how many times the work of that may be spent on questions about them."""
        self._items, self._codes, self._groups, self._soft = items, codes, groups, soft
        self._number = sum(items.values())
        self._marks: dict[int, list[int]] = {group: [] for group in groups}
        for code in sorted(codes):
            self._marks[code.group].append(code.marked)
        self._left = WORK
        self._before: dict[int, dict[State, int]] = {groups.start: {_START: 1}}
        self._moves: dict[int, dict[State, list[Move]]] = {}
        for group in groups:
            moves = {
                state: list(self._following(group, state, items, codes)) for state in self._before[group]
            }
            self._before[group + 1] = _arrived(self._before[group], moves)
            self._moves[group] = moves
        self._after = self._backwards()
        self.total = self._after[groups.start].get(_START, 0)
        """All mappings; those of a soft belief are weighed."""
        self._left = WORK * asks

    def without(self, items: Sequence[Window], codes: Sequence[ItemCode]) -> int:
        """Count the mappings of the rest, when some items and as many codes are taken out."""
        fewer, shown = Counter(self._items), Counter(self._codes)
        fewer.subtract(items)
        shown.subtract(codes)
        places = [*(code.group for code in codes), *(end for one in items for end in one[:2])]
        inside = [place for place in places if place in self._groups]
        begin, end = min(inside), max(inside) + 1
        if self._soft:
            # Items outside their windows may lead to states that no whole mapping has.
            end = self._groups.stop
        states = self._before[begin]
        for group in range(begin, end):
            states = _arrived(
                states, {state: self._following(group, state, fewer, shown) for state in states}
            )
        if end == self._groups.stop:
            return sum(ways * self._finally(state) for state, ways in states.items())
        return sum(ways * self._after[end].get(state, 0) for state, ways in states.items())

    def draw(
        self, random: Random, items: Mapping[Window, Sequence[int]], codes: Mapping[ItemCode, Sequence[int]]
    ) -> Iterator[tuple[int, int]]:
        """Draw a mapping, each as likely as any other: give each item with its code, both by their numbers."""
        state, waiting = _START, dict[Open, list[int]]()
        for group in self._groups:
            for window, some in items.items():
                if window.first == group <= window.last:
                    waiting.setdefault((-window.bound, window.last), []).extend(some)
            free = {mark: [*codes.get(ItemCode(group, mark), ())] for mark in self._marks[group]}
            then, _, taken = self._chosen(random, group, state)
            for (kind, pool), numbers in zip(sorted(waiting.items()), taken, strict=True):
                random.shuffle(pool)
                if not kind[0]:
                    free = {0: [code for some in free.values() for code in some]}
                for mark, number in zip(_fitting(kind, free), numbers, strict=True):
                    random.shuffle(free[mark])
                    yield from zip(pool[:number], free[mark][:number], strict=True)
                    del pool[:number], free[mark][:number]
            waiting = {kind: pool for kind, pool in waiting.items() if pool}
            state = then

    def _chosen(self, random: Random, group: int, state: State) -> Move:
        point = random.randrange(self._after[group][state])
        for move in self._moves[group][state]:
            point -= move[1] * self._after[group + 1].get(move[0], 0)
            if point < 0:
                return move
        raise AssertionError

    def _backwards(self) -> dict[int, dict[State, int]]:
        """Count for each state in how many ways the groups after it can be filled."""
        end = self._groups.stop
        after = {end: {state: self._finally(state) for state in self._before[end]}}
        for group in reversed(self._groups):
            later = after[group + 1]
            after[group] = {
                state: sum(ways * later[then] for then, ways, _ in moves)
                for state, moves in self._moves[group].items()
            }
        return after

    def _finally(self, state: State) -> int:
        """Return what a way is worth by its end: in a soft belief the items outside fill the free codes in any order."""
        waiting, free = state
        if waiting or (free and not self._soft):
            return 0
        return factorial(free) * (self._soft - 1) ** (self._number - free) if self._soft else 1

    def _following(
        self, group: int, state: State, items: Mapping[Window, int], codes: Mapping[ItemCode, int]
    ) -> Iterator[Move]:
        """Fill a group in every way."""
        there = dict(state[0])
        for window, number in self._arriving(group, items):
            kind = (-window.bound, window.last)
            there[kind] = there.get(kind, 0) + number
        waiting = sorted(there.items())
        free = {mark: codes.get(ItemCode(group, mark), 0) for mark in self._marks[group]}
        size = sum(free.values())
        for taken, ways in _placed(waiting, group, free, soft=bool(self._soft)):
            self._left -= 1 + self._number // _ITEMS_A_STEP
            if self._left < 0:
                raise TooMuchWork
            if not ways:
                continue
            placed = [*map(sum, taken)]
            left = tuple(
                (kind, number - here)
                for (kind, number), here in zip(waiting, placed, strict=True)
                if number > here and kind[1] > group
            )
            yield (left, state[1] + size - sum(placed)), ways, taken

    def _arriving(self, group: int, items: Mapping[Window, int]) -> Iterable[tuple[Window, int]]:
        return (
            (window, number)
            for window, number in items.items()
            if window.first == group <= window.last and number
        )


def _arrived(states: Mapping[State, int], moves: Mapping[State, Iterable[Move]]) -> dict[State, int]:
    """Count the ways to each state after a group."""
    following: dict[State, int] = {}
    for state, count in states.items():
        for then, ways, _ in moves[state]:
            following[then] = following.get(then, 0) + count * ways
    return following


def _placed(
    waiting: Sequence[tuple[Open, int]], group: int, free: Mapping[int, int], *, soft: bool
) -> Iterator[tuple[Taken, int]]:
    """Place waiting items on the codes of a group, free ones by their marks, in every way: what, and in how many ways.

    A dead end is told as no way, because it costs work too.
    """
    places = sum(free.values())
    if not waiting:
        yield (), int(soft or not places)
        return
    (kind, number), rest = waiting[0], waiting[1:]
    if not kind[0]:
        free = {0: places}  # bound items are placed, and to all others marks mean nothing
    fitting = _fitting(kind, free)
    due = number if kind[1] == group and not soft else 0
    least = due if soft else max(due, places - sum(more for _, more in rest))
    ends = True
    for numbers in _spread([free[mark] for mark in fitting], least, number):
        ends = False
        here = dict(zip(fitting, numbers, strict=True))
        left = {mark: many - here.get(mark, 0) for mark, many in free.items()}
        chosen = perm(number, sum(numbers)) * prod(comb(free[mark], many) for mark, many in here.items())
        for others, ways in _placed(rest, group, left, soft=soft):
            yield (numbers, *others), chosen * ways
    if ends:
        yield (), 0


def _fitting(kind: Open, marks: Iterable[int]) -> list[int]:
    """Return the marks of the codes that a waiting item may be."""
    return [mark for mark in marks if not -kind[0] & ~mark]


def _spread(free: Sequence[int], least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Take some of each of the free codes, at least and at most so many together, in every way."""
    if not free:
        if least <= 0:
            yield ()
        return
    for here in range(max(least - sum(free[1:]), 0), min(free[0], most) + 1):
        for others in _spread(free[1:], least - here, most - here):
            yield (here, *others)


def components(windows: Iterable[Window], groups: int) -> list[range]:
    """Cut the groups where no window goes across."""
    reach = list(range(groups))
    for window in windows:
        if window.first <= window.last:
            reach[window.first] = max(reach[window.first], window.last)
    ends = [0]
    furthest = 0
    for group, last in enumerate(reach):
        furthest = max(furthest, last)
        if furthest == group:
            ends.append(group + 1)
            furthest = group + 1
    return [range(begin, end) for begin, end in pairwise(ends)]


def permanent(rows: Sequence[Sequence[int]]) -> int:
    """Add up the products over all ways to give every row a column of its own."""
    ways = {0: 1}
    for row in rows:
        following: dict[int, int] = {}
        for used, count in ways.items():
            for column, weight in enumerate(row):
                if weight and not used >> column & 1:
                    then = used | 1 << column
                    following[then] = following.get(then, 0) + count * weight
        ways = following
    return sum(ways.values())
