"""What somebody learns from decoys who knows who asked: which askers the rule would answer with just these decoys."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np

from giveaway.attacks.attributes.decoys.blocks import Block, dealt, sizes_with_room

MOST_WAYS = 20_000
"""How many ways to tell decoys from askers are gone through."""


def largest_share(block: Block, limit: Fraction, smallest: int = 2) -> Fraction | None:
    """Return the largest chance of one value at somebody who asked, when it is known who did and what values there are.

    Each way to give the askers values out of those of the blanks is weighed by the number of ways to arrange the rest, and
    by the chance that the lot falls on just those entries; ways that the rule would answer with other decoys have no
    weight. None where the decoys are not those of the rule, or where there are too many ways.

    >>> one_of_each = Block((0, 1), (True, True), (0, 1), (1, 1), (0, 13), (0, 13))
    >>> largest_share(one_of_each, Fraction(3, 5))
    Fraction(14, 15)
    """
    have = tuple(blank + free for blank, free in zip(block.blank, block.free, strict=True))
    decoys = tuple(blank - asked for blank, asked in zip(block.blank, block.asked, strict=True))
    rule = _DecoyRule(have, block, limit, smallest)
    if not rule.answers(block.asked, decoys):
        # A larger smallest block was asked for: then it is as large as this one.
        rule = _DecoyRule(have, block, limit, block.size)
    if not rule.answers(block.asked, decoys):
        return None
    askers, total, by_value = sum(block.asked), Fraction(0), [Fraction(0)] * len(have)
    for number, others in enumerate(_parts(block.blank, sum(decoys))):
        if number == MOST_WAYS:
            return None
        asked = tuple(blank - other for blank, other in zip(block.blank, others, strict=True))
        if not rule.answers(asked, others):
            continue
        draws = prod(comb(h - a, d) for h, a, d in zip(have, asked, others, strict=True))
        weight = Fraction(_arrangements(asked) * _arrangements(others), draws)
        total += weight
        for value, many in enumerate(asked):
            by_value[value] += weight * many / askers
    limited = (share for share, is_limited in zip(by_value, block.is_limited, strict=True) if is_limited)
    return max(limited, default=Fraction(0)) / total


class _DecoyRule:
    """Which decoys the rule gives to askers of a block, as far as blocks of its size are concerned."""

    def __init__(self, have: Sequence[int], block: Block, limit: Fraction, smallest: int) -> None:
        self._have, self._is_limited, self._size = have, block.is_limited, block.size
        start = max(sum(block.asked), smallest)
        most, has_room = sizes_with_room(have, block.is_limited, limit, np.arange(start, block.size + 1))
        self._is_possible = len(most) > 0 and bool(has_room[-1])
        self._most = int(most[-1]) if len(most) else 0
        smaller = most[:-1][has_room[:-1]]
        # Askers whose commonest value fits into a smaller block are answered with that one.
        self._fits_smaller = int(smaller[-1]) if len(smaller) else -1

    def answers(self, asked: Sequence[int], decoys: Sequence[int]) -> bool:
        """Tell whether the rule gives these decoys to these askers."""
        commonest = max(
            (many for many, limited in zip(asked, self._is_limited, strict=True) if limited), default=0
        )
        if not self._is_possible or not self._fits_smaller < commonest <= self._most:
            return False
        return dealt(self._have, asked, self._is_limited, self._size, self._most) == tuple(decoys)


def _parts(whole: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Give every part of a multiset, as counts by value, that has a size."""
    if not whole:
        if size == 0:
            yield ()
        return
    beyond = sum(whole[1:])
    for many in range(max(size - beyond, 0), min(whole[0], size) + 1):
        for rest in _parts(whole[1:], size - many):
            yield (many, *rest)


def _arrangements(counts: Sequence[int]) -> int:
    """Return in how many orders values can stand, by their counts."""
    return factorial(sum(counts)) // prod(map(factorial, counts))
