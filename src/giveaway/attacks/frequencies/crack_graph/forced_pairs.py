"""Pairs that are forced because an item or a renamed item has one candidate left."""

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import ItemClasses, Windows
from giveaway.model.data.arrays import Ints


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
