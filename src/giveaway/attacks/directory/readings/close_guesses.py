"""The best guess of a number: how many of the fitting rows one number is close enough to."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.readings.attribute_chances import GroupChances
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import GroupValues
from giveaway.model.data.arrays import Ints

_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class CloseGuesses:
    """The best guess for each group of people; `chances.target` numbers the guesses, whose values are in `numbers`."""

    chances: GroupChances
    numbers: tuple[Fraction, ...]


def best_guesses(
    shares: GroupValues, numbers: Sequence[Fraction], close: Close, *, own: tuple[Ints, Ints] | None = None
) -> CloseGuesses:
    """Find for each group the number that is right for most rows.

    With `own`, groups and values of people who have one, the guess must be right for that value too.

    Each value is an interval of guesses that are right for it. Most intervals with a common point: sort their ends, starts
    before ends, and sweep. Ends are ranks of exact fractions, so that no rounding decides.
    """
    intervals = [close.around(number) for number in numbers]
    ends = sorted({end for interval in intervals for end in interval})
    rank = {end: place for place, end in enumerate(ends)}
    low = np.array([rank[begin] for begin, _ in intervals], np.int64)
    high = np.array([rank[end] for _, end in intervals], np.int64)
    if own is None:
        wanted = np.arange(shares.groups)
        first, last = np.zeros(shares.groups, np.int64), np.full(shares.groups, len(ends))
    else:
        wanted = own[0]
        first, last = (np.append(end, 0)[own[1]] for end in (low, high))
    # The own value may be shown by no row: it then begins where a guess may be best, and counts nothing.
    mine = (wanted, first, last) if own is not None else (_NONE, _NONE, _NONE)
    group, point, covered = _sweep(
        np.append(shares.group, mine[0]),
        np.append(low[shares.value], mine[1]),
        np.append(high[shares.value], mine[2]),
        np.append(shares.count, np.zeros(len(mine[0]), np.int64)),
    )
    _, at, usual = _sweep(np.zeros(len(low), np.int64), low, high, shares.totals)
    span = len(ends) + 1
    place = _best_between(group * span + point, covered, wanted * span + first, wanted * span + last)
    of_all = _best_between(at, usual, first, last)
    chances = GroupChances(
        target=np.where(place < 0, -1, np.append(point, -1)[place]),
        count=np.where(place < 0, 0, np.append(covered, 0)[place]),
        shown=shares.shown[wanted],
        hidden=shares.hidden[wanted],
        missing=shares.missing[wanted],
        usual=np.where(of_all < 0, 0, np.append(usual, 0)[of_all]),
        table=shares.total,
    )
    return CloseGuesses(chances=chances, numbers=tuple(ends))


def _sweep(group: Ints, low: Ints, high: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each start of an interval its group and place, and how many intervals of the group hold it."""
    span = 2 * (int(high.max(initial=0)) + 1)
    events = np.concatenate([group * span + 2 * low, group * span + 2 * high + 1])
    change = np.concatenate([count, -count])
    order = np.argsort(events, kind="stable")
    covered = np.cumsum(change[order])  # a group ends at 0, so that sums begin anew with each
    starts = np.flatnonzero(events[order] % 2 == 0)
    at = events[order][starts]
    return at // span, at % span // 2, covered[starts]


def _best_between(keys: Ints, covered: Ints, first: Ints, last: Ints) -> Ints:
    """Return where the largest number is that belongs to a key from each first to each last one; -1 where there is none."""
    return _largest_between(covered, np.searchsorted(keys, first), np.searchsorted(keys, last, side="right"))


def _largest_between(numbers: Ints, first: Ints, until: Ints) -> Ints:
    """Return where the largest number from each first place to before each last one is; -1 where there is none."""
    places = np.full(len(first), -1)
    some = np.flatnonzero(until > first)
    if not len(some):
        return places
    padded = np.append(numbers, -1)
    cuts = np.stack([first[some], until[some]], axis=1).reshape(-1)
    most = np.maximum.reduceat(padded, cuts)[::2]
    order = np.lexsort((np.arange(len(numbers)), numbers))
    keys = numbers[order] * (len(numbers) + 1) + order
    places[some] = order[np.searchsorted(keys, most * (len(numbers) + 1) + first[some])]
    return places
