"""All disclosures of one record at once: how many people each leaves, hence its loss.

A set is a number below 2 to the power of the attributes: bit j is open attribute j.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import (
    DOUBT,
    DOUBTFUL,
    NO,
    YES,
    ChanceTerms,
    Costs,
    Floats,
    Masks,
    Posed,
)
from giveaway.attacks.directory.disclosure.weights import LARGEST_EXPONENT
from giveaway.model.data.arrays import Ints

MOST = 20
"""The most open attributes of which all sets are looked at."""


class BySize(NamedTuple):
    """For each number of open attributes the least loss (nan: none allowed) and the set that has it."""

    losses: Floats
    sets: Masks
    proved: NDArray[np.bool_]


def best_by_size(posed: Posed) -> BySize:
    """Return the best of all sets, for each size; equals: the lowest set.

    Losses are compared by what orders them, since they may be larger than any float: the loss itself, or its logarithm.
    """
    counts, allowed = counted(posed)
    total, likely, terms = sums(posed.costs), _chances(counts, posed.terms), posed.terms
    keys = total + _each(math.log, likely) if terms.multiplicative else total * likely
    sizes = np.bitwise_count(np.arange(len(total)))
    losses, sets = np.full(posed.open + 1, np.nan), np.zeros(posed.open + 1, np.uint64)
    for size in range(posed.open + 1):
        here = np.flatnonzero(allowed & (sizes == size))
        if len(here):
            sets[size] = best = here[np.argmin(keys[here])]
            losses[size] = _losses(total[[best]], likely[[best]], terms)[0]
    return BySize(losses, sets, np.ones(posed.open + 1, np.bool_))


def losses_of_all(posed: Posed) -> Floats:
    """Return the loss of each set, in the order of the sets as numbers; nan where it is not allowed."""
    counts, allowed = counted(posed)
    return np.where(allowed, _losses(sums(posed.costs), _chances(counts, posed.terms), posed.terms), np.nan)


def counted(posed: Posed) -> tuple[Ints, NDArray[np.bool_]]:
    """Return how many people of each directory are consistent with each set, and which sets are allowed."""
    counts = np.empty((len(posed.masks), 1 << posed.open), np.int64)
    for directory, (masks, many) in enumerate(zip(posed.masks, posed.counts, strict=True)):
        rows, inside = posed.inside(masks)
        counts[directory] = people_of_all(inside, many[rows], posed.open)
    answers = _verdicts(counts, posed.terms)
    for at in np.flatnonzero(answers == DOUBTFUL):
        answers[at] = _is_crowd(posed, counts[:, at])
    return counts, answers == YES


def people_of_all(masks: Masks, counts: Ints, attributes: int) -> Ints:
    """Count the people consistent with each set of few attributes: the sum of `counts` over the masks that contain it.

    Sums over supersets (Yates 1937, also called the fast zeta transform): sets times attributes, not sets times masks.
    """
    people = np.zeros(1 << attributes, np.int64)
    np.add.at(people, masks.astype(np.int64), counts)
    for bit in range(attributes):
        halves = people.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    return people


def sums(costs: Costs) -> Floats:
    """Add up the weights of each set, from smaller sets on: bit b joins every set of lower bits.

    The order of additions does not depend on what is asked, so that equal sets have equal floats.
    """
    bits = len(costs.each)
    total = np.full(1 << bits, costs.base)
    cross = np.zeros(
        1 << max(bits - 1, 0)
    )  # the weights of a bit in pairs with the bits of a set of lower ones
    for bit, weight in enumerate(costs.each.tolist()):
        for low in range(bit if len(costs.pairs) else 0):
            cross[1 << low : 2 << low] = cross[: 1 << low] + costs.pairs[low, bit]
        total[1 << bit : 2 << bit] = total[: 1 << bit] + weight + cross[: 1 << bit]
    sets = np.arange(len(total), dtype=np.uint64)
    for held, weight in zip(costs.together, costs.weighing.tolist(), strict=True):
        total[sets & held == held] += weight
    return total


def _chances(counts: Ints, terms: ChanceTerms) -> Floats:
    """Return the part of the sensitivity that is lost with each set, from the people consistent in each directory."""
    parts = terms.prior[:, None] / np.maximum(counts, 1)
    likely: Floats = parts.max(axis=0) if terms.worst else np.asarray(sum(parts))
    return terms.wrong + (1.0 - terms.wrong) * likely


def _verdicts(counts: Ints, terms: ChanceTerms) -> NDArray[np.int64]:
    """Say for each set whether it leaves a crowd."""
    people = np.maximum(counts, 1)
    answers = np.full(counts.shape[1], NO)
    if not terms.apart:
        over = np.asarray(sum(terms.prior[:, None] / people)) / terms.limit - 1.0
        answers = np.select([np.abs(over) < DOUBT, over > 0], [DOUBTFUL, NO], YES)
    answers[(people >= terms.crowd).all(axis=0) | (terms.crowd <= 1)] = YES
    if terms.somebody:
        answers[counts.max(axis=0) == 0] = NO
    return answers


def _is_crowd(posed: Posed, people: Ints) -> bool:
    """Compare a sum of chances with its limit in exact fractions."""
    both = zip(posed.prior, people.tolist(), strict=True)
    total = sum((part / max(many, 1) for part, many in both), Fraction(0))
    return total <= posed.limit


def _losses(total: Floats, likely: Floats, terms: ChanceTerms) -> Floats:
    return (_each(_exp, total) if terms.multiplicative else total) * likely


def _exp(total: float) -> float:
    return math.exp(total) if total <= LARGEST_EXPONENT else math.inf


def _each(function: Callable[[float], float], values: Floats) -> Floats:
    """Apply a function of the standard library: those of numpy differ in the last bit from one processor to another."""
    return np.fromiter(map(function, values.tolist()), np.float64, len(values))
