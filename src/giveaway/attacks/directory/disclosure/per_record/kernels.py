"""The compiled look at all sets of attributes of one record at once.

Imported only when something is to be disclosed. A set is a number below 2 to the power of the attributes: bit j is open
attribute j.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import DOUBTFUL, NO, YES, ChanceTerms, Costs, Floats, Masks
from giveaway.compiling import native
from giveaway.model.data.arrays import Ints

_DOUBT = 1e-9
"""How near to its limit a sum of chances must be to be compared again in fractions."""


# Sums over supersets (Yates 1937, also called the fast zeta transform): sets times attributes, not sets times masks.
#
# State: `found`, one number for each set.
# Invariant: after bit b, `found[set]` is the sum of counts over the masks that have the bits of the set and, above b, no
#   other bits; after the last bit it is the sum over all masks that contain the set.


@native
def consistent(masks: Masks, counts: Ints, shown: np.uint64, places: Masks, people: Ints) -> None:
    """Count the people consistent with each set: the sum of `counts` over the masks that contain it and `shown`."""
    bits = len(places)
    people[:] = 0
    for row in range(len(masks)):
        mask = masks[row]
        if mask & shown == shown:
            at = 0
            for bit in range(bits):
                at |= int((mask >> places[bit]) & np.uint64(1)) << bit
            people[at] += counts[row]
    for bit in range(bits):
        step = 1 << bit
        for start in range(0, len(people), 2 * step):
            for at in range(start, start + step):
                people[at] += people[at + step]


# Weights of all sets, from smaller sets: bit b joins every set of lower bits.
#
# State: `total[:2^b]`, complete; `cross[set]`, the weights of bit b in pairs with the bits of a set of lower ones.
# Invariant: `total[set]` is the base, the weight of each bit of the set and of each pair in it; at the end also of each larger
#   set of bits in it that has a weight. The order of additions does not depend on what is asked, so that equal sets have
#   equal floats.


@native
def sums(costs: Costs) -> Floats:
    """Add up the weights of each set."""
    bits = len(costs.each)
    total = np.empty(1 << bits)
    total[0] = costs.base
    cross = np.zeros(1 << max(bits - 1, 0))
    for bit in range(bits):
        step = 1 << bit
        if len(costs.pairs):
            for low in range(bit):
                for at in range(1 << low):
                    cross[at + (1 << low)] = cross[at] + costs.pairs[low, bit]
        for at in range(step):
            total[at + step] = total[at] + costs.each[bit] + cross[at]
    for which in range(len(costs.together)):
        held = costs.together[which]
        for at in range(len(total)):
            if np.uint64(at) & held == held:
                total[at] += costs.weighing[which]
    return total


@native
def chance(counts: Ints, at: int, terms: ChanceTerms) -> float:
    """Return the part of the sensitivity that is lost, from the number of people consistent in each directory.

    It is the chance to identify somebody; what is lost to who is wrong comes to it. Priors sum up to 1.
    """
    likely = 0.0
    for directory in range(len(counts)):
        part = terms.prior[directory] / max(counts[directory, at], 1)
        likely = max(likely, part) if terms.worst else likely + part
    return terms.wrong + (1.0 - terms.wrong) * likely


@native
def verdict(counts: Ints, at: int, terms: ChanceTerms) -> int:
    """Say whether this many people are a crowd."""
    if terms.somebody and counts[:, at].max() == 0:
        return NO
    if terms.crowd <= 1:
        return YES
    enough = True
    total = 0.0
    for directory in range(len(counts)):
        people = max(counts[directory, at], 1)
        if people < terms.crowd:
            enough = False
        total += terms.prior[directory] / people
    if enough:
        return YES
    if terms.apart:
        return NO
    over = total / terms.limit - 1.0
    if abs(over) < _DOUBT:
        return DOUBTFUL
    return NO if over > 0.0 else YES


@native
def verdicts(counts: Ints, terms: ChanceTerms) -> NDArray[np.uint8]:
    """Say for each set whether it leaves a crowd."""
    answers = np.empty(counts.shape[1], np.uint8)
    for at in range(counts.shape[1]):
        answers[at] = verdict(counts, at, terms)
    return answers


@native
def key(total: float, likely: float, multiplicative: bool) -> float:
    """Return what orders losses: the loss itself, or its logarithm where it may be larger than any float."""
    return total + np.log(likely) if multiplicative else total * likely


@native
def loss(total: float, likely: float, multiplicative: bool) -> float:
    """Return the loss of a disclosure."""
    return (np.exp(total) if multiplicative else total) * likely


@native
def losses(counts: Ints, allowed: NDArray[np.uint8], total: Floats, terms: ChanceTerms) -> Floats:
    """Return the loss of each set, nan where it is not allowed."""
    lost = np.empty(len(total))
    for at in range(len(total)):
        likely = chance(counts, at, terms)
        lost[at] = loss(total[at], likely, terms.multiplicative) if allowed[at] else np.nan
    return lost


# The best of all sets: every one is looked at once, in the order of the sets as numbers.
#
# State: for each size the least key so far and its set.
# Invariant: it is the least of the allowed sets below `at`, the lowest one of equals.
# Losses are compared by their keys (`key`), since they may be larger than any float.


@native
def least(
    counts: Ints, allowed: NDArray[np.uint8], total: Floats, terms: ChanceTerms, bits: int
) -> tuple[Floats, Ints]:
    """Return the least loss for each size, and the lowest set that has it; nan where none is allowed."""
    keys = np.full(bits + 1, np.nan)
    lowest = np.full(bits + 1, np.nan)
    sets = np.zeros(bits + 1, np.int64)
    sizes = np.zeros(len(total), np.uint8)
    for at in range(len(total)):
        sizes[at] = sizes[at >> 1] + (at & 1)
        if not allowed[at]:
            continue
        size = sizes[at]
        likely = chance(counts, at, terms)
        here = key(total[at], likely, terms.multiplicative)
        if np.isnan(keys[size]) or here < keys[size]:
            keys[size] = here
            sets[size] = at
            lowest[size] = loss(total[at], likely, terms.multiplicative)
    return lowest, sets


@native
def _worth(prices: Floats) -> Floats:
    worth = np.empty(1 << len(prices))
    worth[0] = 0.0
    for bit in range(len(prices)):
        step = 1 << bit
        for at in range(step):
            worth[at + step] = worth[at] + prices[bit]
    return worth


@native
def cheapest(lost: Floats, prices: Floats, limit: float, losing: bool) -> tuple[int, float]:
    """Return the lowest set with the least loss less prices, of those that lose at most `limit`; -1 when none does.

    Without `losing` only the prices count.
    """
    worth = _worth(prices)
    best, value = -1, np.inf
    for at in range(len(lost)):
        here = (lost[at] if losing else 0.0) - worth[at]
        if lost[at] <= limit and here < value:
            best, value = at, here
    return best, value


@native
def cheap(lost: Floats, prices: Floats, limit: float, most: float) -> tuple[Ints, Floats]:
    """Return the sets with a loss less prices of at most `most`, of those that lose at most `limit`, and that."""
    values = lost - _worth(prices)
    sets = np.flatnonzero((lost <= limit) & (values <= most))
    return sets, values[sets]
