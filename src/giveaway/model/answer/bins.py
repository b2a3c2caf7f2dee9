"""How targets are counted by chance for a picture: bins of 5 %, parted at the limit, so that none lies on both of its sides."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fractions import Fraction

from giveaway.model.answer.risk import Chance

BINS = 20


def bin_ends(limit: Fraction | None = None) -> tuple[Fraction, ...]:
    """Return where bins end, the limit among them.

    >>> [str(end) for end in bin_ends(Fraction(1, 3)) if Fraction(3, 10) <= end <= Fraction(2, 5)]
    ['3/10', '1/3', '7/20', '2/5']
    """
    ends = {Fraction(place, BINS) for place in range(1, BINS + 1)}
    return tuple(sorted(ends | {limit} if limit is not None and 0 < limit < 1 else ends))


def binned(
    chances: Iterable[tuple[Chance, int]], limit: Fraction | None = None, *, breach_at_limit: bool = False
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Count targets by chance: where bins end, and how many are in each.

    An end belongs to the bin before it, as a chance at the limit is allowed; to the one after it where that is a breach.

    >>> [n for n in binned([(Fraction(1, 2), 8)], Fraction(1, 2))[1][9:11]]
    [8.0, 0.0]
    """
    ends = bin_ends(limit)
    counts = [0] * len(ends)
    place = bisect_right if breach_at_limit else bisect_left
    for chance, number in chances:
        counts[min(place(ends, chance), len(ends) - 1)] += number
    return tuple(map(float, ends)), tuple(map(float, counts))
