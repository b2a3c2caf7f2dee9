"""The compiled propagation of forced pairs through windows, for graphs of many edges.

Imported only when there are many. An item is forced when one group of one renamed item is left in its window, a group
when one item is left that covers it. Items wait at the first group left in their window, in a skew heap with the window
that ends first on top (Sleator and Tarjan 1986); a segment tree knows the group that the fewest items cover, and sums of
item numbers tell which item covers a group alone. Every item and group is taken out once, in logarithmic time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import native

Large = NDArray[np.int64]
Number = int | np.int64

_NONE = -1
_GONE = 1 << 60


class Heaps(NamedTuple):
    """Skew heaps of items: the top of each group and the children of each item; `path` is room for merging."""

    top: Large
    left: Large
    right: Large
    path: Large


class GroupCover(NamedTuple):
    """How many items cover each group, as a segment tree, and sums of numbers of forced items, as a Fenwick tree.

    `least` of a node is the least number below it, `more` what all groups below it have in addition to what their nodes
    say; groups that are taken out count as covered by very many.
    """

    least: Large
    more: Large
    sums: Large
    leaves: Number


@native
def _merge(heaps: Heaps, last: Large, one: Number, other: Number) -> Number:
    """Join two heaps along their right paths, then swap the children there."""
    depth = 0
    while min(one, other) > _NONE:
        if last[other] < last[one]:
            one, other = other, one
        heaps.path[depth] = one
        depth += 1
        one = heaps.right[one]
    joined = other if one == _NONE else one
    while depth > 0:
        depth -= 1
        above = heaps.path[depth]
        heaps.right[above] = heaps.left[above]
        heaps.left[above] = joined
        joined = above
    return joined


@native
def _add(cover: GroupCover, begin: Number, end: Number, by: Number) -> None:
    """Let `by` more items cover the groups from `begin` to `end`, the end excluded."""
    low, high = begin + cover.leaves, end + cover.leaves
    first, last = low, high - 1
    while low < high:
        if low & 1:
            cover.least[low] += by
            cover.more[low] += by
            low += 1
        if high & 1:
            high -= 1
            cover.least[high] += by
            cover.more[high] += by
        low >>= 1
        high >>= 1
    for leaf in (first, last):
        node = leaf >> 1
        while node:
            cover.least[node] = min(cover.least[2 * node], cover.least[2 * node + 1]) + cover.more[node]
            node >>= 1


@native
def _least_covered(cover: GroupCover) -> Number:
    """Return a group that the fewest items cover."""
    node = 1
    while node < cover.leaves:
        node = 2 * node + (cover.least[2 * node + 1] < cover.least[2 * node])
    return node - cover.leaves


@native
def _add_number(cover: GroupCover, begin: Number, end: Number, number: Number) -> None:
    """Add the number of a forced item to the groups from `begin` to `end`, the end excluded."""
    place = begin + 1
    while place < len(cover.sums):
        cover.sums[place] += number
        place += place & -place
    place = end + 1
    while place < len(cover.sums):
        cover.sums[place] -= number
        place += place & -place


@native
def _sum_at(cover: GroupCover, group: Number) -> Number:
    """Add up the numbers of the forced items that covered a group."""
    place, total = group + 1, np.int64(0)
    while place > 0:
        total += cover.sums[place]
        place -= place & -place
    return total


@native
def _waiting(heaps: Heaps, last: Large, group: Number, forced: Large) -> Number:
    """Return the item at a group whose window ends first, forgetting items that are forced."""
    top = heaps.top[group]
    while top != _NONE and forced[top] != _NONE:
        top = _merge(heaps, last, heaps.left[top], heaps.right[top])
    heaps.top[group] = top
    return top


@native
def _planted(covering: Large) -> GroupCover:
    """Begin with how many items cover each group."""
    groups = len(covering)
    leaves = 1
    while leaves < groups:
        leaves *= 2
    least = np.full(2 * leaves, _GONE, np.int64)
    for group in range(groups):
        least[leaves + group] = covering[group]
    for node in range(leaves - 1, 0, -1):
        least[node] = min(least[2 * node], least[2 * node + 1])
    return GroupCover(least, np.zeros(2 * leaves, np.int64), np.zeros(groups + 2, np.int64), leaves)


@native
def _queued(first: Large, last: Large, groups: Number) -> Heaps:
    """Let every item wait at the first group of its window."""
    items = len(first)
    heaps = Heaps(
        np.full(groups, _NONE, np.int64),
        np.full(items, _NONE, np.int64),
        np.full(items, _NONE, np.int64),
        np.empty(items, np.int64),
    )
    for item in range(items):
        heaps.top[first[item]] = _merge(heaps, last, heaps.top[first[item]], item)
    return heaps


@native
def force(sizes: Large, first: Large, last: Large, covering: Large, numbers: Large) -> Large:
    """Return the group that each item is forced into, -1 for an item with a choice; a mapping must exist.

    `covering` counts the items that cover each group, `numbers` adds up their numbers.

    State: the groups left, as a list linked by `before` and `after`, and the items left, in heaps. Invariant: an item
    waits at the first group left in its window, so that it has one group left when its window ends before the next one.
    Only groups whose neighbour went are `doubtful` and looked at again; when none is, the group that the fewest items
    cover is forced if one does, and otherwise nothing is forced any more (Lakshmanan et al., Figure 5, from both sides).
    """
    groups = len(sizes)
    cover, heaps = _planted(covering), _queued(first, last, groups)
    forced = np.full(len(first), _NONE, np.int64)
    before, after = np.arange(groups) - 1, np.arange(groups) + 1
    doubtful = np.empty(2 * groups + 1, np.int64)
    doubtful[:groups] = np.arange(groups)
    todo = groups
    while True:
        if todo > 0:
            todo -= 1
            group = doubtful[todo]
            if cover.least[group + cover.leaves] >= _GONE // 2 or sizes[group] > 1:
                continue
            item = _waiting(heaps, last, group, forced)
            if item == _NONE or last[item] >= after[group]:
                continue
        elif cover.least[1] == 1:
            group = _least_covered(cover)
            item = numbers[group] - _sum_at(cover, group)
        else:
            return forced
        forced[item] = group
        _add(cover, first[item], last[item] + 1, -1)
        _add(cover, group, group + 1, _GONE)
        _add_number(cover, first[item], last[item] + 1, item)
        previous, following = before[group], after[group]
        if following < groups:
            heaps.top[following] = _merge(heaps, last, heaps.top[group], heaps.top[following])
            before[following] = previous
            doubtful[todo] = following
            todo += 1
        if previous >= 0:
            after[previous] = following
            doubtful[todo] = previous
            todo += 1
