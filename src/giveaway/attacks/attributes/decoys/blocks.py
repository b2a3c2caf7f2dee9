"""The blanks of one group of records, and the fewest further ones that leave no value too frequent among them.

Records of a group look the same in the conditions. To somebody who knows how blanks are chosen, but not who asked, all
arrangements of the values of a group's blanks are equally likely: a blank has a value with the chance
`blanks with it / blanks`.
"""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from operator import add
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.limits import Flags, within
from giveaway.model.data.arrays import Ints

_FEW = 64
"""How many sizes of a block are tried at first, all at once."""


class Block(NamedTuple):
    """The entries of one group in a sensitive column, counted by value; entries without a value are left out."""

    values: tuple[int, ...]
    """The codes of the values, ascending."""
    is_limited: tuple[bool, ...]
    """Whether a value is worth protecting; others may be as frequent as they are."""
    asked: tuple[int, ...]
    """The secrets."""
    blank: tuple[int, ...]
    """All blanks, secrets included."""
    free: tuple[int, ...]
    """The visible entries that may be blanked."""
    visible: tuple[int, ...]
    """All visible entries."""

    @property
    def size(self) -> int:
        """The number of blanks."""
        return sum(self.blank)

    @property
    def decoys(self) -> int:
        """The number of blanks that nobody asked for."""
        return self.size - sum(self.asked)

    @property
    def most(self) -> tuple[int, int]:
        """The most frequent value worth protecting, by its place, and the number of blanks with it."""
        pairs = zip(self.is_limited, self.blank, strict=True)
        counts = [blanks if limited else 0 for limited, blanks in pairs]
        place = max(range(len(counts)), key=counts.__getitem__)
        return place, counts[place]

    def chance(self, odds: Fraction = Fraction(1)) -> Fraction:
        """Return the largest chance that a blank has one value, for somebody who does not know who asked.

        With `odds` for somebody to whom two values that change places inside the group change the odds by at most this
        factor: of the arrangements with a value at a blank each has as many neighbours without it as there are blanks
        of other values, and the other way round.
        """
        return chance(self.most[1], self.size, odds)


def chance(many: int, size: int, odds: Fraction) -> Fraction:
    """Return the chance of a value that `many` of `size` blanks have.

    >>> chance(1, 2, Fraction(1)), chance(1, 2, Fraction(3))
    (Fraction(1, 2), Fraction(3, 4))
    """
    return odds * many / (odds * many + size - many) if many else Fraction(0)


def cap(limit: Fraction, odds: Fraction) -> Fraction:
    """Return the largest part of the blanks that may have the same value, so that no chance is above a limit.

    >>> cap(Fraction(3, 5), Fraction(1)), cap(Fraction(3, 5), Fraction(3))
    (Fraction(3, 5), Fraction(1, 3))
    """
    return limit / (limit + (1 - limit) * odds)


def least_decoys(block: Block, limit: Fraction, smallest: int = 0) -> tuple[int, ...] | None:
    """Return by value how many further entries to blank, so that each value is at most a part of the blanks.

    No fewer will do, and the block then has at least `smallest` blanks. None when nothing will do.

    >>> one_in_fifteen = Block((0, 1), (True, True), (0, 1), (0, 1), (1, 13), (1, 13))
    >>> least_decoys(one_in_fifteen, Fraction(3, 5))
    (1, 0)
    """
    have = tuple(map(add, block.blank, block.free))
    size = _least_size(have, block, limit, max(block.size, smallest))
    return None if size is None else dealt(have, block.blank, block.is_limited, size, _most(limit, size))


def least_limit(block: Block) -> Fraction:
    """Return the smallest part that no value among the blanks must exceed, whatever else is blanked; 1 without a way."""
    have = np.add(block.blank, block.free)
    limited = np.array(block.is_limited, np.bool_)
    others = int(have[~limited].sum())
    fewest = max(1, block.most[1])
    most = np.arange(fewest, max(fewest, int(have[limited].max(initial=0))) + 1)
    sizes = others + sum(np.minimum(number, most) for number in have[limited].tolist())
    return min(Fraction(*pair) for pair in zip(most.tolist(), sizes.tolist(), strict=True))


def sizes_with_room(
    have: Sequence[int], is_limited: Sequence[bool], limit: Fraction, sizes: Ints
) -> tuple[Ints, Flags]:
    """Return for blocks of some sizes how many blanks may have the same value, and whether there are enough entries."""
    exact = within(limit, sum(have))
    most = sizes * exact.numerator // exact.denominator
    room = np.zeros_like(sizes)
    for number, limited in zip(have, is_limited, strict=True):
        room += np.minimum(number, most) if limited else number
    return most, room >= sizes


def _least_size(have: Sequence[int], block: Block, limit: Fraction, start: int) -> int | None:
    """Return the fewest blanks, from a number on, of which no value is too large a part."""
    # State: sizes from `start` up to `low` do not fit. There is nothing to prune by: with whole numbers a size may fit, the
    # next not, and the one after that again.
    low, width, asked = start, _FEW, block.most[1]
    while low <= sum(have):
        sizes = np.arange(low, min(low + width, sum(have) + 1))
        most, has_room = sizes_with_room(have, block.is_limited, limit, sizes)
        fits = np.flatnonzero(has_room & (most >= asked))
        if len(fits):
            return int(sizes[fits[0]])
        low, width = low + width, 2 * width
    return None


def dealt(
    have: Sequence[int], blank: Sequence[int], is_limited: Sequence[bool], size: int, most: int
) -> tuple[int, ...]:
    """Fill a block up to a size: always the value with most entries left, while fewer than `most` are blank.

    Equals: the first value. It is a function of counts alone, so that it says nothing of who is who.
    """
    decoys = [0] * len(have)
    waiting = [(blank[v] - have[v], v) for v in range(len(have)) if have[v] > blank[v]]
    heapify(waiting)
    for _ in range(size - sum(blank)):
        while is_limited[waiting[0][1]] and blank[waiting[0][1]] + decoys[waiting[0][1]] >= most:
            heappop(waiting)
        left, value = heappop(waiting)
        decoys[value] += 1
        if left < -1:
            heappush(waiting, (left + 1, value))
    return tuple(decoys)


def _most(limit: Fraction, size: int) -> int:
    return size * limit.numerator // limit.denominator
