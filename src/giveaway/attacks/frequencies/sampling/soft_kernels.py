"""The compiled chains of mappings that may break a rule at a price.

Imported only when such mappings are drawn.
"""

import numpy as np
from numba import njit

from giveaway.attacks.frequencies.sampling.kernels import (
    Chain,
    Large,
    Number,
    Random,
    below,
    fits,
    record,
    swap,
)

_FAR = 0.2
"""The share of swaps with any item; the others are with one in the window."""


@njit(cache=True)
def soft(random: Random, chain: Chain, outside: float, skipped: Number, drawn: Large) -> None:
    """Swap items so that a mapping is in the end `outside` times as likely for each item outside its window."""
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


@njit(cache=True)
def _holds(begin: Large, member: Large, row: Number, wanted: Number) -> bool:
    low, high = begin[row], begin[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if member[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < begin[row + 1] and member[low] == wanted


@njit(cache=True)
def _broken(
    chain: Chain, partners_from: Large, partner: Large, together_from: Large, together: Large, item: Number
) -> Number:
    """Count the partners of an item with which its renamed item stands together."""
    name = chain.names[chain.place[item]]
    found = 0
    for place in range(partners_from[item], partners_from[item + 1]):
        found += _holds(together_from, together, name, chain.names[chain.place[partner[place]]])
    return found


@njit(cache=True)
def apart(
    random: Random,
    chain: Chain,
    partners_from: Large,
    partner: Large,
    together_from: Large,
    together: Large,
    price: float,
    skipped: Number,
    drawn: Large,
) -> None:
    """Swap items within windows so that a mapping is `price` times as likely for each pair that it puts together."""
    items = len(chain.place)
    for row in range(-skipped, len(drawn)):
        for _ in range(items):
            item = below(random, items)
            other = chain.holder[chain.begin[item] + below(random, chain.end[item] - chain.begin[item])]
            if other == item or not fits(chain, other, chain.place[item]):
                continue
            before = _broken(chain, partners_from, partner, together_from, together, item)
            before += _broken(chain, partners_from, partner, together_from, together, other)
            swap(chain, item, other)
            after = _broken(chain, partners_from, partner, together_from, together, item)
            after += _broken(chain, partners_from, partner, together_from, together, other)
            if after > before and random.random() >= price ** (after - before):
                swap(chain, item, other)
        if row >= 0:
            record(chain, drawn[row])


@njit(cache=True)
def broken_pairs(first: Large, second: Large, together_from: Large, together: Large, drawn: Large) -> Large:
    """Count the pairs that each mapping puts together."""
    found = np.zeros(len(drawn), np.int64)
    for row in range(len(drawn)):
        for pair in range(len(first)):
            one, other = drawn[row, first[pair]], drawn[row, second[pair]]
            found[row] += _holds(together_from, together, one, other)
    return found
