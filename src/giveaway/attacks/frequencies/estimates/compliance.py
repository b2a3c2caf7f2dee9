"""How many items may be believed correctly before too much is cracked.

The chance of an item that is believed correctly is taken as it is when all are, and that of any other as 0. Which items
come first is an order: the paper draws them at random, the worst case takes the most exposed ones first.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Floats
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints

Ordered = Literal["worst", "best", "frequency"]


def random_breaking_point(expected: Chance, items: int, average: Fraction) -> Chance:
    """Return the largest share of correctly believed items, drawn at random, with which the average is within the limit.

    With a share a of the items, a times the expected cracks are expected. Lakshmanan et al., Figure 8.
    """
    return min(Fraction(1), average * items / expected) if expected else Fraction(1)


def ordered(order: Ordered, chances: Floats, counts: Ints) -> Ints:
    """Return the items in the order in which they are believed correctly: by chance, or the least frequent first."""
    keys = {"worst": -chances, "best": chances, "frequency": counts}
    return np.argsort(keys[order], kind="stable")


def longest(order: Ints, within: Callable[[Ints], bool]) -> int:
    """Return how many items of an order, from its beginning, are within limits that more items only come nearer to."""
    inside, beyond = 0, len(order) + 1
    while beyond - inside > 1:
        middle = (inside + beyond) // 2
        if within(order[:middle]):
            inside = middle
        else:
            beyond = middle
    return inside


def whole_items(order: Ints, total: Callable[[Ints], Chance], limit: Chance) -> int:
    """Return how many items of an order, from its beginning, have together at most the limit."""
    return longest(order, lambda items: total(items) <= limit)
