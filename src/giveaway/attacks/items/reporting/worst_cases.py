"""The extremes over all combinations that occur: how many are moles, and which is the worst of each kind."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.evidence import Evidence
from giveaway.attacks.items.question import ItemsQuestion
from giveaway.errors import BudgetExceeded
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell
from giveaway.moles.kernels import FreeSets
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import Combination

EXTRA_BUDGET = 5_000_000_000


@dataclass(frozen=True, kw_only=True)
class WorstItemsets:
    """The extremes over all combinations that occur, and how many of them are moles; None where that was given up."""

    moles: int | None
    smallest_support: int | None
    breach: Fraction | None
    supports: Sequence[int] | None
    """How many combinations have each support; None too when no combination is a mole."""
    rarest: Combination | None = None
    """One that `smallest_support` transactions hold, None where it was not found."""
    telling: Combination | None = None
    """One with the largest breach, None where it was not found or nothing tells more than knowing nothing."""

    @property
    def given_up(self) -> bool:
        """Whether the combinations over the limits were too many to be counted."""
        return self.moles is None


def extremes(question: ItemsQuestion, seen: Evidence) -> WorstItemsets:
    """Look beyond minimal moles: a combination that holds one can be rarer, and give away more."""
    moles = seen.moles
    examined = int(min(sets.support.min(initial=question.transactions) for sets in _both(moles)))
    largest = _largest_breach(moles)
    least, over, supports = examined, 0, None
    if len(moles.harmful.item):
        try:
            counted = seen.occurring()
        except BudgetExceeded:
            return WorstItemsets(moles=None, smallest_support=None, breach=None, supports=None)
        least, over, supports = counted.least, counted.total - len(moles.free.item), counted.supports
    if least < examined:
        rarest = _within_budget(lambda: seen.rarest(least, budget=EXTRA_BUDGET))
    else:
        rarest = _first(moles, lambda sets: sets.support == least)
    breach, telling = _most_telling(question, seen, largest)
    return WorstItemsets(
        moles=over,
        smallest_support=least,
        breach=breach,
        supports=supports,
        rarest=rarest,
        telling=telling,
    )


def _both(moles: Moles) -> tuple[FreeSets, FreeSets]:
    return moles.free, moles.harmful


def _most_telling(
    question: ItemsQuestion, seen: Evidence, examined: Fraction
) -> tuple[Fraction | None, Combination | None]:
    """Return the worst breach of all and a combination that has it; None when the search takes too long."""
    at_least = max(question.baseline, examined)
    worse = None
    if at_least < 1 and len(seen.moles.harmful.item):
        try:
            worse = seen.most_telling(at_least, budget=EXTRA_BUDGET)
        except BudgetExceeded:
            return None, None
    if worse is not None:
        return worse.breach, worse
    if examined < question.baseline or examined == 0:
        return at_least, None
    num, den = examined.numerator, examined.denominator
    return examined, _first(seen.moles, lambda sets: sets.holding * den == sets.support * num)


def _largest_breach(moles: Moles) -> Fraction:
    """Return the largest own breach of the combinations examined; floats only preselect."""
    best = Fraction(0)
    for sets in _both(moles):
        tell("comparing combinations", 0)
        if len(sets.item):
            chance = sets.holding / sets.support
            near = np.flatnonzero(chance >= chance.max() * (1 - 1e-12))
            # Different fractions may be one float: their numerators and denominators distinguish them.
            keys = sets.holding[near] * (int(sets.support.max()) + 1) + sets.support[near]
            _, first = np.unique(keys, return_index=True)
            pairs = zip(sets.holding[near[first]], sets.support[near[first]], strict=True)
            best = max(best, *(Fraction(int(count), int(support)) for count, support in pairs))
    return best


def _first(moles: Moles, chosen: Callable[[FreeSets], NDArray[np.bool_]]) -> Combination | None:
    """Return the first of some combinations examined: the fewest items, then item order."""
    combinations = [
        combination(moles, sets, place)
        for sets in _both(moles)
        for place in _leading(moles, sets, np.flatnonzero(chosen(sets)))
    ]
    return min(combinations, key=lambda one: (len(one.codes), one.codes), default=None)


def _leading(moles: Moles, sets: FreeSets, places: Ints) -> Iterator[int]:
    """Give the first of some sets, if there is one: only those of the fewest items with the first item are spelled out."""
    if len(places) == 0:
        return
    size = sizes(moles, sets)[places]
    places = places[size == size.min()]
    first = moles.first_codes(sets.parent[places], sets.item[places])
    places = places[first == first.min()]
    _, codes = moles.decoded(sets.parent[places], sets.item[places])
    yield int(places[np.lexsort(codes.reshape(len(places), -1).T[::-1])[0]])


def sizes(moles: Moles, sets: FreeSets) -> Ints:
    """Return how many items each set has."""
    size = np.ones(len(sets.item), np.int64)
    parent = sets.parent
    while len(parent) and (parent >= 0).any():
        size += parent >= 0
        parent = np.where(parent >= 0, moles.free.parent[parent], -1)
    return size


def combination(moles: Moles, sets: FreeSets, place: int) -> Combination:
    """Spell out one set."""
    chosen = slice(place, place + 1)
    _, codes = moles.decoded(sets.parent[chosen], sets.item[chosen])
    numbers = (int(part[place]) for part in (sets.support, sets.holding, sets.secret))
    return Combination(tuple(int(code) for code in codes), *numbers)


def _within_budget(search: Callable[[], Combination | None]) -> Combination | None:
    try:
        return search()
    except BudgetExceeded:
        return None
