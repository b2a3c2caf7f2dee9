"""Pairs that are forced because an item or a renamed item has one candidate left."""

import numpy as np

from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.windows import Windows
from giveaway.model.data.arrays import Ints

MANY_EDGES = 200_000
"""The edges from which on they are not followed one by one; before, loading the compiler would take longer."""


def propagated(windows: Windows) -> Windows:
    """Remove the candidates that forced pairs rule out, from both sides until nothing changes; a mapping must exist.

    Lakshmanan et al., Figure 5, which handles one side.
    """
    groups = len(windows.sizes)
    covering = _covering(windows, np.ones_like(windows.own))
    alone = (covering == 1)[windows.first] & (windows.first == windows.last)
    if not (windows.degrees[~alone] == 1).any() and (covering == 1).sum() == alone.sum():
        return windows
    classes = windows.classes
    few = int((classes.last - classes.first + 1).sum()) <= MANY_EDGES
    forced = _forced_in_graph(windows) if few else _forced_in_windows(windows, covering)
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


def _forced_in_graph(windows: Windows) -> Ints:
    """Return the group that each item is forced into, -1 for an item with a choice, by following edges."""
    graph = general.propagated(general.from_windows(windows))
    return np.where(graph.degrees == 1, graph.column[graph.begin[graph.row_of]], -1)


def _forced_in_windows(windows: Windows, covering: Ints) -> Ints:
    """Return the same by compiled searches in windows, which never look at single edges."""
    from giveaway.attacks.frequencies.crack_graph.forced_pairs_kernels import force

    numbers = _covering(windows, np.arange(windows.items))
    return force(windows.sizes, windows.first, windows.last, covering, numbers)


def _covering(windows: Windows, weights: Ints) -> Ints:
    """Add up the weights of the items whose windows cover each group."""
    changes = np.zeros(len(windows.sizes) + 1, np.int64)
    np.add.at(changes, windows.first, weights)
    np.add.at(changes, windows.last + 1, -weights)
    return np.cumsum(changes)[:-1]
