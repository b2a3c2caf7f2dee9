"""One-to-one mappings of items to renamed items: whether there is any, which candidates some uses, and which pairs are forced."""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import ItemClasses, Windows
from giveaway.model.data.arrays import Ints

NO_MAPPING = "No one-to-one mapping of the items agrees with what is believed."


class Violation(NamedTuple):
    """Items that have too few candidates together, so that no mapping exists (Hall's condition).

    All candidates of `items` are the `slots` renamed items of the groups `first` to `last`, ends included.
    """

    items: Ints
    first: int
    last: int
    slots: int


def usable(windows: Windows) -> Windows | Violation:
    """Remove every candidate that no one-to-one mapping uses, and nothing else.

    The groups are put in an order in which the windows that are left have no holes. An item may take the place of
    another in its window exactly when that starts a chain of such moves that comes back to it: when both groups are in
    one strongly connected component. A group reaches a range of groups, and two groups are in one component when they
    reach the same range.
    """
    matched = groups_of_a_mapping(windows)
    if isinstance(matched, Violation):
        return matched
    groups = len(windows.sizes)
    low, high = np.arange(groups), np.arange(groups)
    np.minimum.at(low, matched, windows.first)
    np.maximum.at(high, matched, windows.last)
    low, high = _closed(low, high)
    _, earliest, component = np.unique(low * groups + high, return_index=True, return_inverse=True)
    component = earliest[component]
    keys = np.sort(component * groups + np.arange(groups))
    base = component[matched] * groups
    first = np.searchsorted(keys, base + windows.first, side="left")
    last = np.searchsorted(keys, base + windows.last, side="right") - 1
    return windows.regrouped(keys % max(groups, 1), first, last)


def groups_of_a_mapping(windows: Windows) -> Ints | Violation:
    """Return the group of each item in some mapping: the true one if it is possible."""
    return windows.own if windows.compliant.all() else groups_of_any_mapping(windows)


def groups_of_any_mapping(windows: Windows) -> Ints | Violation:
    """Do the same without looking at the true mapping.

    Group after group is filled with those open items whose windows end first, which fails only if everything does
    (Glover).
    """
    if (windows.last < 0).any():
        return Violation(np.flatnonzero(windows.last < 0), 0, -1, 0)
    groups = len(windows.sizes)
    order = np.argsort(windows.first, kind="stable")
    opens = np.searchsorted(windows.first[order], np.arange(groups + 1)).tolist()
    group_of = np.zeros(windows.items, np.int64)
    latest = np.zeros(groups, np.int64)
    waiting: list[tuple[int, int]] = []
    for now, size in enumerate(windows.sizes.tolist()):
        begun = order[opens[now] : opens[now + 1]]
        for one in zip(windows.last[begun].tolist(), begun.tolist(), strict=True):
            heappush(waiting, one)
        placed = [heappop(waiting) for _ in range(min(size, len(waiting)))]
        group_of[[item for _, item in placed]] = now
        latest[now] = placed[-1][0] if len(placed) == size else groups
        if waiting and waiting[0][0] <= now:
            return _violation(windows, latest, now)
    return group_of


def _violation(windows: Windows, latest: Ints, last: int) -> Violation:
    """Name the items that compete for groups in which no other item was placed."""
    open_to_others = np.flatnonzero(latest[: last + 1] > last)
    first = int(open_to_others[-1]) + 1 if len(open_to_others) else 0
    inside = np.flatnonzero((windows.first >= first) & (windows.last <= last))
    slots = int(windows.before[last + 1] - windows.before[first])
    return Violation(inside, first, last, slots)


def _closed(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Return the range of groups that each group reaches in any number of steps, doubling the steps each time."""
    while True:
        least, most = _least(low, low, high), -_least(-high, low, high)
        if np.array_equal(least, low) and np.array_equal(most, high):
            return low, high
        low, high = least, most


def _least(values: Ints, low: Ints, high: Ints) -> Ints:
    """Return the least of the values in each range, ends included."""
    level = np.frexp(high - low + 1)[1] - 1
    least = np.empty_like(values)
    row = values
    for step in range(int(level.max(initial=-1)) + 1):
        asked = level == step
        reach = 1 << step
        least[asked] = np.minimum(row[low[asked]], row[high[asked] - reach + 1])
        row = np.minimum(row[:-reach], row[reach:])
    return least


def propagated(windows: Windows) -> Windows:
    """Remove the candidates that forced pairs rule out, from both sides until nothing changes; a mapping must exist.

    Lakshmanan et al., Figure 5, which handles one side.
    """
    groups = len(windows.sizes)
    covering = _covering(windows, np.ones_like(windows.own), groups)
    alone = (covering == 1)[windows.first] & (windows.first == windows.last)
    if not (windows.degrees[~alone] == 1).any() and (covering == 1).sum() == alone.sum():
        return windows
    forced = _forced(windows)
    bound = forced >= 0
    left = np.ones(groups, np.bool_)
    left[forced[bound]] = False
    order = np.concatenate([np.flatnonzero(left), np.flatnonzero(~left)])
    place = np.empty_like(order)
    place[order] = np.arange(groups)
    before = np.concatenate([[0], np.cumsum(left)])
    first, last = before[windows.first], before[windows.last + 1] - 1
    first[bound] = last[bound] = place[forced[bound]]
    return windows.regrouped(order, first, last)


def _forced(windows: Windows) -> Ints:
    """Return the group that each item is forced into, -1 for an item with a choice."""
    # State: the groups and the classes of items that are left. Invariant: every mapping has the pairs that are forced so far.
    # In each round all items with one renamed item left and all renamed items with one item left are paired, until there
    # are none.
    classes, groups = windows.classes, len(windows.sizes)
    numbers, many, left = np.arange(len(classes.many)), classes.many.copy(), np.ones(groups, np.bool_)
    forced = np.full(len(numbers), -1)
    while True:
        before = np.concatenate([[0], np.cumsum(left)])
        begin, end = before[classes.first], before[classes.last + 1]
        alone = np.flatnonzero((many > 0) & (end - begin == 1))
        last_choice = np.flatnonzero(left)[begin[alone]]
        single = windows.sizes[last_choice] == 1
        sought = np.flatnonzero(left & (_covering(classes, many, groups) == 1))
        # A group that one item covers is covered by one class, so that the sum of the numbers of classes is its number.
        covered_by = _covering(classes, np.where(many > 0, numbers, 0), groups)[sought]
        of = np.concatenate([alone[single], covered_by])
        if not len(of):
            return forced[classes.of]
        forced[of] = np.concatenate([last_choice[single], sought])
        many[of], left[forced[of]] = 0, False


def _covering(windows: Windows | ItemClasses, weights: Ints, groups: int) -> Ints:
    """Add up the weights of the windows that cover each group."""
    changes = np.zeros(groups + 1, np.int64)
    np.add.at(changes, windows.first, weights)
    np.add.at(changes, windows.last + 1, -weights)
    return np.cumsum(changes)[:-1]
