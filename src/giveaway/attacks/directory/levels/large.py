"""A good node where there are too many for arrays: steps from one to the next while they lose less, with a bound.

State: the node with the least loss so far. Each step tries one level up or down in every column, and up in one with down in
another; the best of these becomes the next node. The search begins at the node where all is blank and ends where no step is
better: nothing is proved. The bound is that of the best set of columns: whatever the other columns do, the levels of the set
lose at least so much.
"""

from itertools import product
from time import monotonic

import numpy as np

from giveaway.attacks.directory.levels.bounds import set_counts
from giveaway.attacks.directory.levels.counting import NodeCounts
from giveaway.attacks.directory.levels.lattice import Node
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

NodeLoss = tuple[int, int, Node]
"""The loss in units, the suppressed rows and the node."""


def good_node(
    counting: NodeCounts, labels_lose: list[Ints], allowed: int, deadline: float, most_counted: float
) -> tuple[NodeLoss | None, int]:
    """Return a node from which no step is better, and the number of nodes counted; None if all blank is not allowed."""
    seen: dict[Node, NodeLoss | None] = {}

    def judged(node: Node) -> NodeLoss | None:
        if node not in seen:
            tell("trying levels", len(seen))
            suppressed = counting.suppressed(node, counting.blocks(node))
            lost = (
                sum(int(labels_lose[column][level]) for column, level in enumerate(node)) + suppressed.units
            )
            seen[node] = None if suppressed.rows > allowed else (lost, suppressed.rows, node)
        return seen[node]

    best = judged(counting.lattice.top)
    while best is not None:
        near = best
        for node in _near(best[2], counting.lattice.top):
            if len(seen) >= most_counted or monotonic() > deadline:
                break
            near = min(near, judged(node) or near)
        if near == best:
            break
        best = near
    return best, len(seen)


def _near(node: Node, top: Node) -> list[Node]:
    """Return the nodes one step away."""
    nearby = []
    columns = range(len(node))
    for down, up in product(columns, (None, *columns)):
        levels = list(node)
        levels[down] -= 1
        if up is None:
            nearby.append(tuple(levels))
            levels[down] += 2
        else:
            levels[up] += 1
        nearby.append(tuple(levels))
    return [
        one
        for one in dict.fromkeys(nearby)
        if one != node and all(0 <= a <= b for a, b in zip(one, top, strict=True))
    ]


def least_loss(counting: NodeCounts, labels_lose: list[Ints], allowed: int) -> int:
    """Return what any node loses at least, in units, by the set of columns that says most."""
    least = 0
    for one in set_counts(counting):
        lost = one.units.copy()
        for place, column in enumerate(one.columns):
            lost += labels_lose[column].reshape(
                [-1 if place == other else 1 for other in range(len(one.columns))]
            )
        least = max(least, int(np.where(one.rows > allowed, np.iinfo(np.int64).max, lost).min()))
    return least
