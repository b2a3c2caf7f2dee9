"""Counting one-to-one mappings in whole numbers, for components of moderate size."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, perm, prod
from typing import NamedTuple

Window = tuple[int, int]
"""First and last group."""

States = dict[tuple[int, ...], int]
"""Numbers of open items for each last group, and in how many ways they come about or go on."""


class Front(NamedTuple):
    """What is open in front of a group: the last groups in ascending order, the ways to each state, and how many items.

    Going from group to group, only the number of open items for each last group matters.
    """

    ends: list[int]
    states: States
    still: int


class Mappings:
    """The mappings of a component: groups of these sizes, and how many items have each window.

    Renamed items of one group look the same: ways to fill the groups are counted, which times the product of the
    factorials of `sizes` are the mappings.
    """

    def __init__(self, sizes: Sequence[int], many: Mapping[Window, int]) -> None:
        self._sizes = sizes
        self._many = many
        self._fronts = [Front([], {(): 1}, 0)]
        levels = []
        for group, begun in enumerate(_by_first(sizes, many)):
            inside, front = _filled(self._fronts[-1], group, sizes[group], begun)
            levels.append(inside)
            self._fronts.append(front)
        self._all = sum(self._fronts[-1].states.values())
        # What is said of the states in front of each group: the ways to go on from there.
        self._ahead = [dict.fromkeys(self._fronts[-1].states, 1)]
        for group in range(len(sizes) - 1, -1, -1):
            self._ahead.append(
                _back(self._fronts[group], levels[group], self._ahead[-1], self._fronts[group + 1].still)
            )
        self._ahead.reverse()

    def chance(self, members: Sequence[Window], groups: Sequence[int]) -> Fraction:
        """Return the share of the mappings that map items of these windows onto renamed items of these groups."""
        inside = permanent([[first <= group <= last for group in groups] for first, last in members])
        if not inside:
            return Fraction(0)
        return Fraction(inside * self._without(members, groups), places(self._sizes, groups) * self._all)

    def _without(self, members: Sequence[Window], groups: Sequence[int]) -> int:
        """Count the ways to fill the groups with all other items, when a place in each of these groups is taken.

        Before the first of the windows nothing has changed, and behind the last of the groups everything is again as it
        is when the members were placed there.
        """
        begin, end = min(first for first, _ in members), max(groups) + 1
        taken, gone = Counter(groups), Counter(members)
        many = {window: times - gone[window] for window, times in self._many.items()}
        front = self._fronts[begin]
        for group, begun in enumerate(_by_first(self._sizes, many)[begin:end], begin):
            _, front = _filled(front, group, self._sizes[group] - taken[group], begun)
        ahead = self._ahead[end]
        return sum(count * ahead[state] for state, count in front.states.items())


def places(sizes: Sequence[int], groups: Sequence[int]) -> int:
    """Count the ways to choose renamed items of these groups one after the other."""
    return prod(perm(sizes[group], chosen) for group, chosen in Counter(groups).items())


def _by_first(sizes: Sequence[int], many: Mapping[Window, int]) -> list[dict[int, int]]:
    """Return for each group how many items of each last group may be placed from there on."""
    by_first: list[dict[int, int]] = [{} for _ in sizes]
    for (first, last), times in many.items():
        by_first[first][last] = times
    return by_first


def _filled(front: Front, group: int, size: int, begun: dict[int, int]) -> tuple[list[States], Front]:
    """Fill a group, one last group after the other; return the states in between too.

    Items whose window ends here are placed first. How many are still open afterwards is known, so that each last group
    is taken from as little as the later ones allow, and no more than is needed.
    """
    ends, states = _opened(front, begun)
    still = front.still + sum(begun.values()) - size
    due = int(bool(ends) and ends[0] == group)
    ends, states = ends[due:], {state[due:]: count for state, count in states.items()}
    if still and not ends:
        states = {}
    levels = [states]
    for place in range(len(ends)):
        levels.append(_taken(levels[-1], place, still))
    return levels, Front(ends, levels[-1], still)


def _opened(front: Front, begun: dict[int, int]) -> tuple[list[int], States]:
    """Add items that may be placed from now on to the open ones."""
    ends = sorted({*front.ends, *begun})
    source = [front.ends.index(end) if end in front.ends else -1 for end in ends]
    more = [begun.get(end, 0) for end in ends]
    return ends, {
        tuple((state[at] if at >= 0 else 0) + plus for at, plus in zip(source, more, strict=True)): count
        for state, count in front.states.items()
    }


def _choices(state: tuple[int, ...], place: int, still: int) -> range:
    """Return how many items of one last group may stay open, so that the later ones can do the rest."""
    most = still - sum(state[:place])
    return range(max(most - sum(state[place + 1 :]), 0), min(most, state[place]) + 1)


def _taken(states: States, place: int, still: int) -> States:
    """Take items of one last group."""
    following: States = {}
    for state, count in states.items():
        head, here, tail = state[:place], state[place], state[place + 1 :]
        for left in _choices(state, place, still):
            target = (*head, left, *tail)
            following[target] = following.get(target, 0) + count * comb(here, left)
    return following


def _back(front: Front, levels: Sequence[States], ahead: States, still: int) -> States:
    """Return the ways to go on from each state in front of a group, given those behind it."""
    for place in range(len(levels) - 2, -1, -1):
        ahead = {
            state: sum(
                comb(state[place], left) * ahead[(*state[:place], left, *state[place + 1 :])]
                for left in _choices(state, place, still)
            )
            for state in levels[place]
        }
    # Adding what begins and placing what is due keep the states apart and in their order.
    ways = (ahead[state] for state in levels[0])
    return dict(zip(front.states, ways, strict=True)) if levels[0] else dict.fromkeys(front.states, 0)


def permanent(rows: Sequence[Sequence[bool]]) -> int:
    """Count the one-to-one mappings of a few items, given the candidates of each."""
    counts = {0: 1}
    for row in rows:
        following: dict[int, int] = {}
        for used, count in counts.items():
            for column, allowed in enumerate(row):
                if allowed and not used >> column & 1:
                    following[used | 1 << column] = following.get(used | 1 << column, 0) + count
        counts = following
    return sum(counts.values())
