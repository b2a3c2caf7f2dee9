"""How many items may be believed rightly before the tolerance breaks: at random, at worst and at best."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from giveaway.algorithms.crack_compliance import ordered, random_breaking_point, whole_items
from giveaway.algorithms.crack_graph import Flags
from giveaway.attacks.frequencies.question import Question
from giveaway.model.risk import Chance, HoldsUpTo
from giveaway.model.rows import Ints

UNIT = "share right"


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """The largest shares of items believed rightly within tolerance.

    `plain` and `random` are for items drawn at random, by the O-estimate and by the chances found; `worst` is for the
    most exposed items first, by the chances found, and `best` for the least exposed first, by the O-estimate.
    """

    plain: Chance
    random: Chance | None
    worst: Fraction
    best: Fraction
    most: Fraction
    """The share that is believed rightly when nothing is left out."""

    @property
    def holds(self) -> HoldsUpTo:
        """The worst case, which is what an owner should rely on."""
        return HoldsUpTo(value=float(self.worst), unit=UNIT, at_least=self.worst == self.most)


def breaking(question: Question) -> Breaking:
    """Find the breaking points of single items, under whichever limits are given."""
    parts = []
    if question.tolerance.average is not None:
        parts.append(_by_average(question, question.tolerance.average))
    if question.tolerance.identity is not None:
        parts.append(_by_share(question, question.tolerance.identity))
    possible = question.seen.solution.possible
    most = Fraction(int(question.seen.right.sum()), max(question.seen.number, 1))
    return Breaking(
        plain=most * min(part.plain for part in parts),
        random=most * min(part.random for part in parts) if possible else None,
        worst=min(most, *(_share(question, part.worst) for part in parts)),
        best=min(most, *(_share(question, part.best) for part in parts)),
        most=most,
    )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Under one limit: shares of the items at random, and numbers of items at worst and at best."""

    plain: Chance
    random: Chance
    worst: int
    best: int


def _share(question: Question, items: int) -> Fraction:
    return Fraction(items, max(question.seen.number, 1))


def _by_average(question: Question, average: Fraction) -> _Part:
    seen, targets = question.seen, question.targets
    chances = seen.solution.chances
    counts = np.zeros(seen.number, np.bool_)
    counts[seen.interesting] = True

    def found(items: Ints) -> Chance:
        inside = items[counts[items]]
        margin = chances.margin(inside)
        total = chances.total(inside)
        return float(total) + margin if margin else total

    def plainly(items: Ints) -> Chance:
        return seen.plain_total(items[counts[items]])

    limit = average * targets
    everything = np.arange(seen.number)
    return _Part(
        plain=random_breaking_point(plainly(everything), targets, average),
        random=random_breaking_point(found(everything), targets, average),
        worst=whole_items(ordered("worst", question.counting, seen.items.counts), found, limit),
        best=whole_items(ordered("best", seen.plain * counts, seen.items.counts), plainly, limit),
    )


def _by_share(question: Question, identity: Fraction) -> _Part:
    seen = question.seen
    # One in the number of candidates is at least the limit.
    plainly = seen.right & (seen.degrees * identity.numerator <= identity.denominator)
    marked = np.zeros(seen.number, np.bool_)
    marked[seen.interesting] = plainly[seen.interesting]
    allowed = floor(question.tolerance.share * question.targets)

    def random(vulnerable: Flags) -> Fraction:
        share = Fraction(int(vulnerable.sum()), max(question.targets, 1))
        return min(Fraction(1), question.tolerance.share / share) if share else Fraction(1)

    def at_worst(vulnerable: Flags) -> int:
        return allowed if vulnerable.sum() > allowed else seen.number

    def at_best(vulnerable: Flags) -> int:
        return min(seen.number - int(vulnerable.sum()) + allowed, seen.number)

    return _Part(
        plain=random(marked),
        random=random(question.vulnerable),
        worst=at_worst(question.perhaps_vulnerable),
        best=at_best(marked),
    )


def expected_at(question: Question) -> Callable[[str], np.ndarray]:
    """Return a function that gives, for an order, what is lost when the first 0, 1, 2, ... items are believed rightly."""
    by_average = question.tolerance.average is not None
    values = question.counting if by_average else question.vulnerable.astype(np.float64)

    def along(order: str) -> np.ndarray:
        if order == "frequency":
            places = np.argsort(question.seen.items.counts, kind="stable")
        else:
            places = np.argsort(-values if order == "worst" else values, kind="stable")
        return np.concatenate([[0.0], np.cumsum(values[places])]) / max(question.targets, 1)

    return along
