"""The steps of the dynamic program over the groups of one component.

Going from group to group, the state is the number of open items for each last group: those whose window has begun and
that were not placed yet. In front of a group the items whose window ends there are placed; then, one last group after
another, some of its open items are taken until the group is full. How many are still to be taken follows from the
state. States that differ in the one number that a step changes are a run; a run goes to a range of successive states,
so that a step needs no list of transitions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.frequencies.crack_graph.windows import Piece, Windows
from giveaway.attacks.frequencies.exact_chances.whole_numbers import Window
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import memory, tell

_LONGEST_KEY = 1 << 62
_LARGEST_SHORT = (1 << 15) - 1
_BYTES_A_NUMBER = 32
"""What a number of a state takes while states are sorted."""
_BYTES_A_STATE, _BYTES_A_RUN = 8, 32
"""What a step keeps."""
_BYTES_A_TRANSITION = 25
"""The room that goes with the work allowed: the usual work may fill half a gigabyte."""
_NUMBERS_A_TRANSITION = 8
"""How many numbers of states may be looked at for the work allowed, so that wide beliefs are given up in seconds."""


States = NDArray[np.int16] | Ints
"""Numbers of open items: a row for each last group, a column for each state."""


class ComponentGroups(NamedTuple):
    """A component with its groups numbered from 0, in either direction: window, own group and items of each class.

    The own group of an item that cannot be cracked may be outside.
    """

    sizes: Ints
    first: Ints
    last: Ints
    own: Ints
    many: Ints
    backwards: bool = False

    @property
    def mirrored(self) -> "ComponentGroups":
        """The same with the groups in reverse order."""
        end = len(self.sizes) - 1
        first, last, own = end - self.last, end - self.first, end - self.own
        return ComponentGroups(self.sizes[::-1].copy(), first, last, own, self.many, not self.backwards)

    @property
    def by_window(self) -> dict[Window, int]:
        """How many items have each window, in the order of the windows."""
        items_of: dict[Window, int] = {}
        for window in sorted(zip(self.first.tolist(), self.last.tolist(), self.many.tolist(), strict=True)):
            items_of[window[:2]] = items_of.get(window[:2], 0) + window[2]
        return items_of


class TakeItems(NamedTuple):
    """Take some of the open items of one last group.

    States are sorted by runs and, within a run, by `open`, the open items of that last group; `origin` is where a state
    stood before. The states of run r go on to those with `low[r]` to `high[r]` items left open, at most as many as
    they have; they stand from `target[r]` in the next order.
    """

    last: int
    open: NDArray[np.int32]
    origin: NDArray[np.int32]
    begin: Ints
    low: Ints
    high: Ints
    target: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class StepsPlan:
    """All steps; those of group g are `steps[at[g]:at[g + 1]]`, in ascending order of their last groups.

    There are none when no mapping exists.
    """

    part: ComponentGroups
    steps: Sequence[TakeItems] | None
    at: Sequence[int]
    work: int


def part_of(windows: Windows, piece: Piece) -> ComponentGroups:
    """Return one component."""
    of_piece = slice(piece.head, piece.tail)
    first, last, own, many = (of_class[of_piece] for of_class in windows.classes[:4])
    sizes = windows.sizes[piece.begin : piece.end]
    return ComponentGroups(sizes, first - piece.begin, last - piece.begin, own - piece.begin, many)


def plan(part: ComponentGroups, budget: int) -> StepsPlan | None:
    """Lay out the steps; None when they make more than `budget` transitions, or take more room or time than goes with it."""
    room, numbers = min(memory(), _BYTES_A_TRANSITION * budget), _NUMBERS_A_TRANSITION * budget
    begun: list[dict[int, int]] = [{} for _ in part.sizes]
    for (first, last), times in part.by_window.items():
        begun[first][last] = times
    steps: list[TakeItems] = []
    at = [0]
    ends: list[int] = []
    # A row of `states` holds the open items of one last group, a column is a state. Short numbers are soon looked through.
    states = np.zeros((0, 1), np.int16 if int(part.many.sum()) <= _LARGEST_SHORT else np.int64)
    still = work = 0
    for group, size in enumerate(part.sizes.tolist()):
        tell("counting mappings", group, len(begun))
        ends, states = _opened(ends, states, begun[group])
        still += sum(begun[group].values()) - size
        if ends and ends[0] == group:
            ends, states = ends[1:], states[1:]
        if states.shape[1] == 0 or (still and not ends):
            return StepsPlan(part=part, steps=None, at=at, work=work)
        for row, last in enumerate(ends):
            numbers -= states.size
            taken = _step(states, row, last, still, budget - work, room) if numbers >= 0 else None
            if taken is None:
                return None
            step, states, transitions = taken
            if states.shape[1] == 0:
                return StepsPlan(part=part, steps=None, at=at, work=work)
            steps.append(step)
            work += transitions
            room -= _BYTES_A_STATE * len(step.open) + _BYTES_A_RUN * len(step.low)
        at.append(len(steps))
    return StepsPlan(part=part, steps=steps, at=at, work=work)


def best_plan(part: ComponentGroups, budget: int) -> StepsPlan | None:
    """Lay out the steps from either end, with growing budgets: one may need many times the work of the other."""
    allowed = min(20_000, budget)
    while True:
        for direction in (part, part.mirrored):
            candidate = plan(direction, allowed)
            if candidate is not None:
                return candidate
        if allowed >= budget:
            return None
        allowed = min(10 * allowed, budget)


def _opened(ends: list[int], states: States, begun: dict[int, int]) -> tuple[list[int], States]:
    """Add the items whose windows begin to the open ones."""
    together = sorted({*ends, *begun})
    wider = np.zeros((len(together), states.shape[1]), states.dtype)
    wider[[together.index(end) for end in ends]] = states
    wider += np.array([begun.get(end, 0) for end in together], states.dtype).reshape(-1, 1)
    return together, wider


def _step(
    states: States, row: int, last: int, still: int, budget: int, room: int
) -> tuple[TakeItems, States, int] | None:
    """Take open items of one last group so that those of later ones can do the rest; `still` stay open in the end.

    Returns the step, the states after it and the transitions it makes, unless it is too large.
    """
    keys = _keys(states, row)
    if keys is None:
        return None
    order = np.argsort(keys, kind="stable")
    there = states[row, order].astype(np.int64)
    begin = np.append(np.flatnonzero(np.diff(keys[order] - there, prepend=-1)), states.shape[1])
    # In a run the surplus and the open items grow together, so that these are the same for all its states.
    one = order[begin[:-1]]
    most = still - states[:row].sum(axis=0, dtype=states.dtype)[one].astype(np.int64)
    low = np.maximum(most - states[row + 1 :].sum(axis=0, dtype=states.dtype)[one], 0)
    high = np.minimum(most, there[begin[1:] - 1])
    targets = np.maximum(high - low + 1, 0)
    target = np.concatenate([[0], np.cumsum(targets)])
    of = np.repeat(np.arange(len(low)), np.diff(begin))
    transitions = int(np.maximum(np.minimum(there, high[of]) - low[of] + 1, 0).sum())
    if transitions > budget or int(target[-1]) * len(states) * _BYTES_A_NUMBER > room:
        return None
    following = states.take(np.repeat(one, targets), axis=1)
    following[row] = np.arange(target[-1]) - np.repeat(target[:-1] - low, targets)
    step = TakeItems(last, there.astype(np.int32), order.astype(np.int32), begin, low, high, target[:-1])
    return step, following, transitions


def _keys(states: States, row: int) -> Ints | None:
    """Number the states so that those that differ in one row only come together; None when numbers run out."""
    least = states.min(axis=1).astype(np.int64)
    radix = states.max(axis=1) - least + 1
    radix[row] += least[row]
    if np.log2(radix.astype(np.float64)).sum() >= np.log2(_LONGEST_KEY):
        return None
    keys = np.zeros(states.shape[1], np.int64)
    for other in range(len(states)):
        if other != row and radix[other] > 1:
            keys *= radix[other]
            keys += states[other]
            keys -= least[other]
    keys *= radix[row]
    keys += states[row]
    return keys
