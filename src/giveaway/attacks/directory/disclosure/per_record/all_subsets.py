"""All disclosures of one record at once: how many people each leaves, hence its loss, by a superset-sum transform."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import DOUBTFUL, Floats, Posed
from giveaway.model.data.arrays import Ints

MOST = 20
"""The most open attributes of which all sets are looked at."""


class BySize(NamedTuple):
    """For each number of open attributes the least loss (nan: none allowed) and the set that has it."""

    losses: Floats
    sets: NDArray[np.uint64]
    proved: NDArray[np.bool_]


def best_by_size(posed: Posed) -> BySize:
    """Return the best of all sets, for each size; equals: the lowest set."""
    from giveaway.attacks.directory.disclosure.per_record import kernels

    counts, allowed = counted(posed)
    losses, sets = kernels.least(counts, allowed, kernels.sums(posed.costs), posed.terms, posed.open)
    return BySize(losses, sets.astype(np.uint64), np.ones(posed.open + 1, np.bool_))


def people_of_all(masks: NDArray[np.uint64], counts: Ints, attributes: int) -> Ints:
    """Count the people consistent with each set of few attributes, without compiled code: sums over supersets."""
    people = np.zeros(1 << attributes, np.int64)
    np.add.at(people, masks.astype(np.int64), counts)
    for bit in range(attributes):
        halves = people.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    return people


def losses_of_all(posed: Posed) -> Floats:
    """Return the loss of each set, in the order of the sets as numbers; nan where it is not allowed."""
    from giveaway.attacks.directory.disclosure.per_record import kernels

    counts, allowed = counted(posed)
    return kernels.losses(counts, allowed, kernels.sums(posed.costs), posed.terms)


def counted(posed: Posed) -> tuple[Ints, NDArray[np.uint8]]:
    """Return how many people of each directory are consistent with each set, and which sets are allowed."""
    from giveaway.attacks.directory.disclosure.per_record import kernels

    counts = np.empty((len(posed.masks), 1 << posed.open), np.int64)
    for directory, (masks, many) in enumerate(zip(posed.masks, posed.counts, strict=True)):
        kernels.consistent(masks, many, np.uint64(posed.shown), posed.places, counts[directory])
    if posed.terms.crowd <= 1 and not posed.terms.somebody:
        return counts, np.ones(1 << posed.open, np.uint8)
    allowed = kernels.verdicts(counts, posed.terms)
    for at in np.flatnonzero(allowed == DOUBTFUL):
        allowed[at] = is_crowd(posed, counts[:, at])
    return counts, allowed


def is_crowd(posed: Posed, people: Ints) -> bool:
    """Compare a sum of chances with its limit in exact fractions."""
    both = zip(posed.prior, people.tolist(), strict=True)
    total = sum((part / max(many, 1) for part, many in both), Fraction(0))
    return total <= posed.limit
