"""Least sets of conditions that hit patterns: hidden in a secret record, they leave no rule to attack it with."""

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.model.data.arrays import Ints

_MOST_SETS = 1024


class Hit(NamedTuple):
    """Conditions that hit all patterns, as a bitmask; no set of fewer than `at_least` conditions does."""

    mask: int
    at_least: int


def hit(patterns: Ints, hideable: int) -> Hit:
    """Return the fewest hideable conditions of which each pattern has one.

    Patterns and conditions are bitmasks. Equals: the lowest bitmask. Above ten conditions large sets are not tried all:
    then a greedy choice is returned.
    """
    # Sets are tried by size, all of one size at once: the first that hits all patterns is the least. Conditions that no
    # pattern has are not tried, and of patterns that differ only there one is enough. Past `_MOST_SETS` it is given up.
    patterns = np.unique(patterns & hideable)
    if not len(patterns):
        return Hit(0, 0)
    if patterns[0] == 0:
        raise ValueError("a pattern without a hideable condition")
    used = int(np.bitwise_or.reduce(patterns))
    sets = _smallest_sets(used)
    hits = ((sets[:, None] & patterns) != 0).all(axis=1)
    if hits.any():
        best = int(sets[np.argmax(hits)])
        return Hit(best, best.bit_count())
    return Hit(_greedy(patterns, used), int(sets[-1]).bit_count() + 1)


@lru_cache(maxsize=256)
def _smallest_sets(entries: int) -> Ints:
    """Return all sets up to a size that leaves few enough of them, the smallest first."""
    places = bits(entries)
    sets: list[int] = []
    for size in range(1, len(places) + 1):
        if sets and len(sets) + comb(len(places), size) > _MOST_SETS:
            break
        sets += sorted(sum(chosen) for chosen in combinations(places, size))
    return np.array(sets, np.int64)


def _greedy(patterns: Ints, used: int) -> int:
    """Take the condition of the most patterns until all are hit, then leave out what is not needed."""
    chosen = 0
    while len(missed := patterns[(patterns & chosen) == 0]):
        chosen |= max(bits(used), key=lambda entry: (int(((missed & entry) != 0).sum()), -entry))
    for entry in bits(chosen):
        if ((patterns & (chosen & ~entry)) != 0).all():
            chosen &= ~entry
    return chosen
