"""Cheapest sets of conditions that hit patterns: hidden in a secret record, they leave no rule to attack it with."""

from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.model.data.arrays import Ints

_MOST_SETS = 1024


class Hit(NamedTuple):
    """Conditions that hit all patterns, as a bitmask; no set that costs less than `at_least` does."""

    mask: int
    at_least: int


def hit(patterns: Ints, hideable: int, prices: tuple[int, ...] = ()) -> Hit:
    """Return the cheapest hideable conditions of which each pattern has one.

    Patterns and conditions are bitmasks; without prices every condition costs 1. Equals: fewer conditions, then the
    lowest bitmask. Above ten conditions large sets are not tried all: then a greedy choice is returned, if it is cheaper.
    """
    # Small sets are all tried, the cheapest first: the first that hits all patterns is the least of them, and a larger one
    # costs at least as much as the cheapest conditions of one more. Conditions that no pattern has are not tried, and of
    # patterns that differ only there one is enough. Past `_MOST_SETS` it is given up.
    patterns = np.unique(patterns & hideable)
    if not len(patterns):
        return Hit(0, 0)
    if patterns[0] == 0:
        raise ValueError("a pattern without a hideable condition")
    used = int(np.bitwise_or.reduce(patterns))
    sets, larger = _smallest_sets(used, prices)
    hits = ((sets[:, None] & patterns) != 0).all(axis=1)
    smallest = [int(sets[np.argmax(hits)])] if hits.any() else []
    if smallest and _cost(smallest[0], prices) <= larger:
        return Hit(smallest[0], _cost(smallest[0], prices))
    best = min([*smallest, _greedy(patterns, used, prices)], key=lambda mask: _cost(mask, prices))
    return Hit(best, larger)


def _cost(mask: int, prices: tuple[int, ...]) -> int:
    return sum(prices[entry.bit_length() - 1] for entry in bits(mask)) if prices else mask.bit_count()


@lru_cache(maxsize=256)
def _smallest_sets(entries: int, prices: tuple[int, ...]) -> tuple[Ints, int]:
    """Return all sets up to a size that leaves few enough of them, the cheapest first, and what a larger one costs."""
    places = bits(entries)
    each = sorted(_cost(entry, prices) for entry in places)
    sets: list[int] = []
    for size in range(1, len(places) + 1):
        if sets and len(sets) + comb(len(places), size) > _MOST_SETS:
            break
        sets += sorted(sum(chosen) for chosen in combinations(places, size))
    sets.sort(key=lambda mask: (_cost(mask, prices), mask.bit_count(), mask))
    largest = max(mask.bit_count() for mask in sets)
    # Where all sets were tried there is no larger one.
    return np.array(sets, np.int64), sum(each) if largest == len(places) else sum(each[: largest + 1])


def _greedy(patterns: Ints, used: int, prices: tuple[int, ...]) -> int:
    """Take the condition of the most patterns for what it costs until all are hit, then leave out what is not needed."""
    chosen, whole = 0, lcm(*prices)
    while len(missed := patterns[(patterns & chosen) == 0]):
        chosen |= max(
            bits(used),
            key=lambda entry: (int(((missed & entry) != 0).sum()) * (whole // _cost(entry, prices)), -entry),
        )
    for entry in bits(chosen):
        if ((patterns & (chosen & ~entry)) != 0).all():
            chosen &= ~entry
    return chosen
