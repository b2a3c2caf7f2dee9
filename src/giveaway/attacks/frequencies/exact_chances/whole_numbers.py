"""Counting one-to-one mappings in whole numbers, for components of moderate size."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, perm, prod

Window = tuple[int, int]
"""First and last group."""


class Mappings:
    """The mappings of a component: groups of these sizes, and how many items have each window."""

    def __init__(self, sizes: Sequence[int], many: Mapping[Window, int]) -> None:
        self._sizes = sizes
        self._many = many
        self._all = ways(sizes, many)

    def chance(self, members: Sequence[Window], groups: Sequence[int]) -> Fraction:
        """Return the share of the mappings that map items of these windows onto renamed items of these groups."""
        inside = permanent([[first <= group <= last for group in groups] for first, last in members])
        if not inside:
            return Fraction(0)
        taken, gone = Counter(groups), Counter(members)
        sizes = [size - taken[group] for group, size in enumerate(self._sizes)]
        rest = ways(sizes, {window: many - gone[window] for window, many in self._many.items()})
        return Fraction(inside * rest, places(self._sizes, groups) * self._all)


def places(sizes: Sequence[int], groups: Sequence[int]) -> int:
    """Count the ways to choose renamed items of these groups one after the other."""
    return prod(perm(sizes[group], chosen) for group, chosen in Counter(groups).items())


def ways(sizes: Sequence[int], many: Mapping[Window, int]) -> int:
    """Count the ways to fill groups of these sizes with items of these windows.

    Going from group to group, only the number of open items for each last group matters. Renamed items of one group
    look alike: times the product of the factorials of `sizes` this is the number of mappings.
    """
    ends: list[int] = []
    states: dict[tuple[int, ...], int] = {(): 1}
    starting: list[dict[int, int]] = [{} for _ in sizes]
    for (first, last), times in many.items():
        starting[first][last] = times
    still = 0
    for now, size in enumerate(sizes):
        ends, states = _opened(ends, states, starting[now])
        still += sum(starting[now].values()) - size
        due = int(bool(ends) and ends[0] == now)
        ends, states = ends[due:], {state[due:]: count for state, count in states.items()}
        if still and not ends:
            return 0
        for place in range(len(ends)):
            states = _taken(states, place, still)
    return sum(states.values())


def _opened(
    ends: list[int], states: dict[tuple[int, ...], int], starting: dict[int, int]
) -> tuple[list[int], dict[tuple[int, ...], int]]:
    """Add items that may be placed from now on to the open ones."""
    together = sorted({*ends, *starting})
    source = [ends.index(end) if end in ends else -1 for end in together]
    more = [starting.get(end, 0) for end in together]
    return together, {
        tuple((state[at] if at >= 0 else 0) + plus for at, plus in zip(source, more, strict=True)): count
        for state, count in states.items()
    }


def _taken(states: dict[tuple[int, ...], int], place: int, still: int) -> dict[tuple[int, ...], int]:
    """Take items of one last group, leaving the rest to those that end later; `still` stay open in the end."""
    found: dict[tuple[int, ...], int] = {}
    for state, count in states.items():
        head, here, tail = state[:place], state[place], state[place + 1 :]
        most = still - sum(head)
        low, high = max(most - sum(tail), 0), min(most, here)
        for left in range(low, high + 1):
            target = (*head, left, *tail)
            found[target] = found.get(target, 0) + count * comb(here, left)
    return found


def permanent(rows: Sequence[Sequence[bool]]) -> int:
    """Count the one-to-one mappings of a few items, given the candidates of each."""
    counts = {0: 1}
    for row in rows:
        found: dict[int, int] = {}
        for used, count in counts.items():
            for column, allowed in enumerate(row):
                if allowed and not used >> column & 1:
                    found[used | 1 << column] = found.get(used | 1 << column, 0) + count
        counts = found
    return sum(counts.values())
