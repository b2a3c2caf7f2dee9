"""How many items may be believed correctly before the tolerance breaks: in the order stated, at worst and at best."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from giveaway.attacks.frequencies.attacker import Order
from giveaway.attacks.frequencies.estimates.compliance import (
    Ordered,
    longest,
    ordered,
    random_breaking_point,
    whole_items,
)
from giveaway.attacks.frequencies.estimates.o_estimate import reciprocal_sum
from giveaway.attacks.frequencies.question import FrequenciesQuestion
from giveaway.attacks.frequencies.reporting.sentences import percent
from giveaway.model.answer.risk import Chance, HoldsUpTo
from giveaway.model.data.arrays import Ints

UNIT = "share right"


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """The largest shares of items believed correctly within tolerance.

    `plain` is for items drawn at random and `best` for the least exposed first, by the O-estimate. The others are by the
    numbers that the verdict is about: `random`, `worst` for the most exposed first, and `stated` for the order stated.
    """

    plain: Chance
    random: Chance
    worst: Fraction
    best: Fraction
    stated: Chance
    most: Fraction
    """The share that is believed correctly when nothing is left out."""
    targets: str = "items"

    @property
    def holds(self) -> HoldsUpTo:
        """The order stated, which is what the verdict is about, with the worst case where that comes sooner."""
        return holding(self.stated, most=self.most, at_worst=self.worst, targets=self.targets)


def holding(
    stated: Chance, *, most: Fraction, at_worst: Fraction, bound: bool = False, targets: str = "items"
) -> HoldsUpTo:
    """Say how many items may be believed correctly, and how many if exactly the most exposed ones are."""
    sooner = f"{'at least ' if bound else ''}{percent(at_worst)} if exactly the most exposed {targets} are the ones known"
    return HoldsUpTo(
        value=float(stated),
        unit=UNIT,
        at_least=stated >= most,
        whole_scale=stated >= 1,
        beside=sooner if at_worst < stated else None,
    )


def breaking(question: FrequenciesQuestion) -> Breaking:
    """Find the breaking points of single items, under whichever limits are given."""
    seen, tolerance = question.seen, question.tolerance
    parts = []
    if tolerance.average is not None:
        parts.append(_by_average(question, tolerance.average))
    if tolerance.identity is not None:
        parts.append(_by_share(question))
    most = Fraction(int(seen.taken_as_right.sum()), max(seen.number, 1))
    random = most * _at_random(question)
    worst = _along(question, "worst", most)
    order = question.order
    return Breaking(
        plain=most * min(part.plain for part in parts),
        random=random,
        worst=worst,
        best=min(most, *(_share(question, part.best) for part in parts)),
        stated=random if order == "random" else _along(question, order, most),
        most=most,
        targets=seen.nouns[1],
    )


def _at_random(question: FrequenciesQuestion) -> Chance:
    """Return the largest part of the correctly believed items within tolerance: all that is judged grows with it."""
    judged = question.judging(question.seen.interesting).pairs(question.tolerance)
    return min([Fraction(1), *(limit / value for value, limit in judged if value)])


def _along(question: FrequenciesQuestion, order: Order, most: Fraction) -> Fraction:
    """Return the largest share of items within tolerance when they are believed correctly one after the other."""
    seen, tolerance = question.seen, question.tolerance
    if order == "random":
        raise ValueError(order)
    places = ordered(order, question.counting, seen.counts)
    # Items that are believed wrongly come last: what they add is there with all the others.
    right = seen.taken_as_right
    places = np.concatenate([places[right[places]], places[~right[places]]])
    counts = np.zeros(seen.number, np.bool_)
    counts[seen.interesting] = True
    number = longest(places, lambda some: question.judging(some[counts[some]]).within(tolerance))
    if number == seen.number:
        return most
    return _share(question, min(number, max(int(right.sum()) - 1, 0)))


def _share(question: FrequenciesQuestion, items: int) -> Fraction:
    return Fraction(items, max(question.seen.number, 1))


@dataclass(frozen=True, kw_only=True)
class _SharePart:
    """By the O-estimate, under one limit: a share of the items at random, and a number of items at best."""

    plain: Chance
    best: int


def _by_average(question: FrequenciesQuestion, average: Fraction) -> _SharePart:
    seen, targets = question.seen, question.targets
    counts = np.zeros(seen.number, np.bool_)
    counts[seen.interesting] = True

    def plainly(items: Ints) -> Chance:
        places = items[counts[items]]
        return reciprocal_sum(seen.degrees_left[places[seen.right[places]]])

    everything = np.arange(seen.number)
    return _SharePart(
        plain=random_breaking_point(plainly(everything), targets, average),
        best=whole_items(ordered("best", seen.plain * counts, seen.counts), plainly, average * targets),
    )


def _by_share(question: FrequenciesQuestion) -> _SharePart:
    seen, tolerance = question.seen, question.tolerance
    plainly = seen.right & question.line.is_below_one_in(seen.degrees_left)
    over = int(plainly[seen.interesting].sum())
    share = Fraction(over, max(question.targets, 1))
    return _SharePart(
        plain=min(Fraction(1), tolerance.share / share) if share else Fraction(1),
        best=min(seen.number - over + floor(tolerance.share * question.targets), seen.number),
    )


def expected_at(question: FrequenciesQuestion) -> Callable[[Ordered], np.ndarray]:
    """Return a function that gives, for an order, what is lost when the first 0, 1, 2, ... items are believed correctly."""
    by_average = question.tolerance.average is not None
    values = question.counting if by_average else question.vulnerable.astype(np.float64)

    def along(order: Ordered) -> np.ndarray:
        places = ordered(order, values, question.seen.counts)
        return np.concatenate([[0.0], np.cumsum(values[places])]) / max(question.targets, 1)

    return along
