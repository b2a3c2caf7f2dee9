"""The compiled chains of random mappings.

Imported only when mappings are drawn. Renamed items stand in places, sorted by group; a mapping puts each item into a
place. Each row of `drawn` is a mapping: the renamed item of each item. `skipped` mappings are passed before the first
is written down.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import native

Large = NDArray[np.int64]
Number = int | np.int64
Random = np.random.Generator

_FAR = 0.2
"""The share of swaps with any item; the others are with one in the window."""


class Chain(NamedTuple):
    """Where a chain stands.

    Item i may take the places `begin[i]` to `end[i]`, the end excluded, and stands in `place[i]`; `holder` is the
    inverse of `place`, and `names` holds the renamed item in each place.
    """

    begin: Large
    end: Large
    names: Large
    place: Large
    holder: Large


class NumberLists(NamedTuple):
    """Lists of numbers in ascending order, in one array: list r goes from `begin[r]` to `begin[r + 1]`."""

    begin: Large
    member: Large


class Loops(NamedTuple):
    """Where a chain on a general graph stands.

    The edges of row r go from `begin[r]` to `begin[r + 1]`; edge e leads to `upto[e] - upto[e - 1]` places from
    `start[e]` on, `upto` beginning anew in each row. `names`, `place` and `holder` are those of a chain, `path` is room
    for the places of a loop.
    """

    row_of: Large
    begin: Large
    upto: Large
    start: Large
    names: Large
    place: Large
    holder: Large
    path: Large


@native
def below(random: Random, limit: Number) -> Number:
    """Draw a whole number below the limit."""
    return np.int64(random.random() * limit)


@native
def fits(chain: Chain, item: Number, place: Number) -> bool:
    """Tell whether an item may take a place."""
    return chain.begin[item] <= place < chain.end[item]


@native
def swap(chain: Chain, item: Number, other: Number) -> None:
    """Let two items change places."""
    here, there = chain.place[item], chain.place[other]
    chain.place[item], chain.place[other] = there, here
    chain.holder[here], chain.holder[there] = other, item


@native
def record(chain: Chain, row: Large) -> None:
    """Write the mapping down."""
    for item in range(len(row)):
        row[item] = chain.names[chain.place[item]]


@native
def soft(random: Random, chain: Chain, outside: float, skipped: Number, drawn: Large) -> None:
    """Swap items so that a mapping is in the end `outside` times as likely for each item outside its window.

    State: one mapping. Invariant: swaps are accepted by the rule of Metropolis and Hastings, so that the weight
    `outside` to the power of the items outside their windows is kept; swaps with any item make every mapping reachable.
    """
    items = len(chain.place)
    for row in range(-skipped, len(drawn)):
        for _ in range(items):
            item = below(random, items)
            degree = chain.end[item] - chain.begin[item]
            far = random.random() < _FAR
            if far:
                place = below(random, items)
            elif degree == 0:
                continue
            else:
                place = chain.begin[item] + below(random, degree)
            other, here = chain.holder[place], chain.place[item]
            now_in, other_in = fits(chain, item, here), fits(chain, other, place)
            then_in, other_then = fits(chain, item, place), fits(chain, other, here)
            ratio = outside ** (int(now_in) + int(other_in) - int(then_in) - int(other_then))
            if not far:
                # A swap within windows may be proposed by either item, and back only by those that were in theirs.
                degree_other = max(chain.end[other] - chain.begin[other], 1)
                ratio *= (now_in / degree + other_in / degree_other) / (
                    1 / degree + other_then / degree_other
                )
            if random.random() < ratio:
                swap(chain, item, other)
        if row >= 0:
            record(chain, drawn[row])


@native
def _holds(lists: NumberLists, row: Number, wanted: Number) -> bool:
    """Tell whether a list holds a number, by halving."""
    low, high = lists.begin[row], lists.begin[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if lists.member[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < lists.begin[row + 1] and lists.member[low] == wanted


@native
def _broken(chain: Chain, partners: NumberLists, occurring: NumberLists, item: Number) -> Number:
    """Count the partners of an item with which its renamed item occurs together."""
    name = chain.names[chain.place[item]]
    many = 0
    for place in range(partners.begin[item], partners.begin[item + 1]):
        many += _holds(occurring, name, chain.names[chain.place[partners.member[place]]])
    return many


@native
def apart(
    random: Random,
    chain: Chain,
    partners: NumberLists,
    occurring: NumberLists,
    price: float,
    skipped: Number,
    drawn: Large,
) -> None:
    """Swap items within windows so that a mapping is `price` times as likely for each pair that it puts together.

    State: one mapping in which every item is in its window. Invariant: a swap is as likely to be proposed as the swap
    back, and accepted by the rule of Metropolis. Only the pairs of the two items are counted anew; `partners` are the
    items that each item is known to be apart from, `occurring` the renamed items that each occurs together with.
    """
    items = len(chain.place)
    for row in range(-skipped, len(drawn)):
        for _ in range(items):
            item = below(random, items)
            other = chain.holder[chain.begin[item] + below(random, chain.end[item] - chain.begin[item])]
            if other == item or not fits(chain, other, chain.place[item]):
                continue
            before = _broken(chain, partners, occurring, item) + _broken(chain, partners, occurring, other)
            swap(chain, item, other)
            after = _broken(chain, partners, occurring, item) + _broken(chain, partners, occurring, other)
            if after > before and random.random() >= price ** (after - before):
                swap(chain, item, other)
        if row >= 0:
            record(chain, drawn[row])


@native
def broken_pairs(first: Large, second: Large, occurring: NumberLists, drawn: Large) -> Large:
    """Count the pairs that each mapping puts together."""
    broken = np.zeros(len(drawn), np.int64)
    for row in range(len(drawn)):
        for pair in range(len(first)):
            broken[row] += _holds(occurring, drawn[row, first[pair]], drawn[row, second[pair]])
    return broken


@native
def loops(random: Random, chain: Loops, spacing: Number, skipped: Number, drawn: Large) -> Number:
    """Free a random item, let it push another out of a random candidate, and so on until the first place is taken.

    State: one mapping, with one item free and one place, the hole, empty while a loop is followed. Invariant: going
    back the same way is as likely, so that all mappings are equally likely in the end, and every alternating cycle is
    possible. A loop that would be longer than `path` is undone. Mappings are `spacing` loops apart, a number that must
    not depend on their lengths; the sum of the lengths is returned.
    """
    items = len(chain.row_of)
    place, holder, path, upto = chain.place, chain.holder, chain.path, chain.upto
    moved = 0
    for row in range(-skipped, len(drawn)):
        for _ in range(spacing):
            free = below(random, items)
            hole = place[free]
            length = 0
            while True:
                first, last = chain.begin[chain.row_of[free]], chain.begin[chain.row_of[free] + 1] - 1
                pick = below(random, upto[last])
                low, high = first, last
                while low < high:
                    middle = (low + high) >> 1
                    if upto[middle] > pick:
                        high = middle
                    else:
                        low = middle + 1
                chosen = chain.start[low] + pick - (upto[low - 1] if low > first else 0)
                if chosen == hole:
                    place[free] = hole
                    holder[hole] = free
                    break
                if length == len(path):
                    for step in range(length - 1, -1, -1):
                        back = holder[path[step]]
                        place[free] = path[step]
                        holder[path[step]] = free
                        free = back
                    place[free] = hole
                    holder[hole] = free
                    break
                path[length] = chosen
                length += 1
                pushed = holder[chosen]
                place[free] = chosen
                holder[chosen] = free
                free = pushed
            moved += length + 1
        if row >= 0:
            for item in range(items):
                drawn[row, item] = chain.names[place[item]]
    return moved
