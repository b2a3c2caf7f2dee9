"""Chances and losses of records, and whether they are within tolerance: as the paper counts, and as if listed."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.sensitivity import Phis
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.sensitivity import Weight

Prior = tuple[Fraction, ...]
"""How likely each directory is the attacker's; empty: the worst one counts."""

Crowd = Sequence[int | Fraction]
"""How many people agree in each directory, or as many as they are likely together, next to one of them."""

Likely = tuple[Ints, Ints]
"""How likely the person of each group is taken, and all who agree together: a column for each directory."""

LARGEST = 10**15
"""Fractions with a larger denominator are written as floats."""

NEAR = 1e-9
"""Floats that are closer to a limit than this part of it are not distinguished from it."""

Term = tuple[Weight, Fraction, int]
"""A sensitivity, the part of it that is lost (a chance), and how many records have both."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupsTally:
    """Groups of records with the numbers of people who agree, and how much they would hurt.

    `listed` counts a record that nobody agrees with as if its person alone did; the paper counts it as no loss.
    """

    count: Ints
    crowds: Ints
    """One column for each directory."""
    phis: Phis
    prior: Prior
    tolerance: Tolerance
    likely: Likely | None = None
    """How likely the person of each group is taken, and all who agree; None where they are equally likely."""
    earlier_plans_fail: Fraction = Fraction(1)
    """At least so likely the plans that were tried first fail: what is chosen by values also tells whose they are."""

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.count.sum())

    @cached_property
    def _kinds(self) -> tuple[list[Crowd], Ints]:
        """The different numbers of people, a line for each, and which line each group has.

        Of people who are not equally likely it is how many as likely as the record's would be together as likely as all.
        """
        if self.likely is None:
            of, first = alike(list(self.crowds.T))
            return self.crowds[first].tolist(), of
        own, total = self.likely
        of, first = alike([*own.T, *total.T])
        pairs = zip(total[first].tolist(), own[first].tolist(), strict=True)
        return [[*map(Fraction, *pair)] for pair in pairs], of

    def _chances(self, *, listed: bool) -> list[Fraction]:
        """Return the chance of each line of numbers of people."""
        chances = [chance_of(line, self.prior, listed=listed) for line in self._kinds[0]]
        fail = self.earlier_plans_fail
        return chances if fail == 1 else [informed(chance, fail) for chance in chances]

    def _hurts(self, phis: Phis, *, listed: bool) -> list[Fraction]:
        """Return the part of its sensitivity that each line is expected to lose: by who is right, and who is wrong."""
        if not phis.wrong:
            return self._if_listed if listed else self._as_counted
        return [hurt_of(line, self.prior, phis.wrong, listed=listed) for line in self._kinds[0]]

    @cached_property
    def _as_counted(self) -> list[Fraction]:
        return self._chances(listed=False)

    @cached_property
    def _if_listed(self) -> list[Fraction]:
        return self._chances(listed=True)

    def chance(self, group: int) -> Fraction:
        """Return the chance of recognising whose record it is, of one group."""
        return self._as_counted[int(self._kinds[1][group])]

    def groups_where(self, met: Callable[[Fraction], bool]) -> NDArray[np.bool_]:
        """Mark the groups whose chance meets something."""
        return np.array([met(chance) for chance in self._as_counted], np.bool_)[self._kinds[1]]

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """The chance of each group as a float."""
        return np.array([float(chance) for chance in self._as_counted])[self._kinds[1]]

    @cached_property
    def losses(self) -> NDArray[np.float64]:
        """The loss of each group as a float; no chance makes an infinite sensitivity harmless."""
        parts = np.array([float(part) for part in self._hurts(self.phis, listed=False)])[self._kinds[1]]
        with np.errstate(invalid="ignore"):
            return np.where(parts > 0, self.phis.floats * parts, 0.0)

    def by_chance(self) -> list[tuple[Fraction, int]]:
        """Return the number of records with each chance."""
        counts = np.bincount(self._kinds[1], weights=self.count, minlength=len(self._as_counted))
        return [(chance, int(number)) for chance, number in zip(self._as_counted, counts, strict=True)]

    @property
    def largest(self) -> Fraction:
        """The largest chance."""
        return max(self._as_counted, default=Fraction(0))

    @cached_property
    def over_groups(self) -> NDArray[np.bool_]:
        """The groups over the limit of identity."""
        return self._over(self._as_counted)

    @cached_property
    def over(self) -> int:
        """The number of records over the limit of identity; one without a candidate is not."""
        return int(self.count[self.over_groups].sum())

    @cached_property
    def over_groups_if_listed(self) -> NDArray[np.bool_]:
        """The groups over the limit of identity, those without a candidate counted as certain."""
        return self._over(self._if_listed)

    @cached_property
    def over_if_listed(self) -> int:
        """The number of records over the limit, those without a candidate counted as certain."""
        return int(self.count[self.over_groups_if_listed].sum())

    def _over(self, chances: Sequence[Fraction]) -> NDArray[np.bool_]:
        limit = self.tolerance.identity
        if limit is None:
            return np.zeros(len(self.count), np.bool_)
        return np.array([chance > limit for chance in chances], np.bool_)[self._kinds[1]]

    @cached_property
    def risk(self) -> Chance:
        """The mean loss: expected over the prior, or that in the worst directory."""
        return self._mean(self.phis, listed=False)

    @cached_property
    def risk_if_listed(self) -> Chance:
        """The mean loss with records without a candidate counted as if they were in the directory."""
        return self._mean(self.phis, listed=True)

    @cached_property
    def identification(self) -> Chance:
        """The mean chance, whatever is disclosed."""
        return self._mean(self._ones, listed=False)

    @cached_property
    def identification_if_listed(self) -> Chance:
        """The mean chance with records without a candidate counted as if they were in the directory."""
        return self._mean(self._ones, listed=True)

    @property
    def _ones(self) -> Phis:
        return Phis(values=(Fraction(1),), of=np.zeros(len(self.count), np.int64))

    @property
    def bayes(self) -> Chance | None:
        """The Bayes risk; None without a prior."""
        return self.risk if self.prior else None

    @cached_property
    def worst_case(self) -> Chance:
        """The mean loss in the directory in which it is largest."""
        return max(self._in_directories(self.phis, listed=False))

    @cached_property
    def largest_loss(self) -> Chance:
        """The largest loss of a record."""
        first = alike([self.phis.of, self._kinds[1]])[1]
        pairs = zip(self.phis.of[first].tolist(), self._kinds[1][first].tolist(), strict=True)
        parts = self._hurts(self.phis, listed=False)
        losses = (self.phis.values[phi] * parts[kind] for phi, kind in pairs if parts[kind])
        return max(losses, default=Fraction(0))

    @cached_property
    def without(self) -> int:
        """The number of records that nobody agrees with, in no directory."""
        return int(self.count[~self.crowds.any(axis=1)].sum())

    @cached_property
    def missing_somewhere(self) -> int:
        """The number of records that nobody agrees with in at least one directory."""
        return int(self.count[(self.crowds == 0).any(axis=1)].sum())

    @property
    def fewest(self) -> int:
        """The smallest number of people who agree with some record in some directory."""
        return int(self.crowds.min())

    def _mean(self, phis: Phis, *, listed: bool) -> Chance:
        if self.prior or self.crowds.shape[1] == 1:
            parts = self._hurts(phis, listed=listed)
            return self._meant(phis, self._kinds[1], parts.__getitem__)
        return max(self._in_directories(phis, listed=listed))

    def _in_directories(self, phis: Phis, *, listed: bool) -> Iterable[Chance]:
        for directory in range(self.crowds.shape[1]):
            lines = [[line[directory]] for line in self._kinds[0]]
            parts = [hurt_of(line, (), phis.wrong, listed=listed) for line in lines]
            yield self._meant(phis, self._kinds[1], parts.__getitem__)

    def _meant(self, phis: Phis, kind: Ints, part_of: Callable[[int], Fraction]) -> Chance:
        both, first = alike([phis.of, kind])
        counts = np.bincount(both, weights=self.count).astype(np.int64)
        terms: Iterable[Term] = (
            (phis.values[phi], part_of(one), count)
            for phi, one, count in zip(
                phis.of[first].tolist(), kind[first].tolist(), counts.tolist(), strict=True
            )
        )
        return mean(terms, self.records, self.tolerance.average)

    @property
    def share(self) -> Fraction:
        """The part of the records over the limit of identity."""
        return Fraction(self.over, max(self.records, 1))

    @property
    def within_if_listed(self) -> bool:
        """Whether the release is within tolerance with records without a candidate counted as if they were listed."""
        if Fraction(self.over_if_listed, max(self.records, 1)) > self.tolerance.share:
            return False
        return self.tolerance.average is None or self.risk_if_listed <= self.tolerance.average

    @property
    def near_the_limit(self) -> bool:
        """Whether a risk that was computed in floats is too close to the limit to be distinguished from it."""
        limit = self.tolerance.average
        return limit is not None and any(_is_near(risk, limit) for risk in (self.risk, self.risk_if_listed))

    @property
    def undecided(self) -> bool:
        """Whether it is the risk itself that is too close to the limit."""
        limit = self.tolerance.average
        return limit is not None and _is_near(self.risk, limit)

    @property
    def mostly_without(self) -> bool:
        """Whether more than half of the records have no candidate."""
        return 2 * self.without > self.records


def informed(chance: Fraction, earlier_plans_fail: Fraction) -> Fraction:
    """Return what a chance is at most for somebody who knows that the plans that were tried first failed (theorem 3)."""
    return min(Fraction(1), chance / earlier_plans_fail) if earlier_plans_fail else Fraction(chance > 0)


def chance_of(crowds: Crowd, prior: Prior, *, listed: bool) -> Fraction:
    """Return the chance from the numbers of people in each directory; nobody means no chance, or certainty if listed."""
    return hurt_of(crowds, prior, Fraction(0), listed=listed)


def hurt_of(crowds: Crowd, prior: Prior, wrong: Fraction, *, listed: bool) -> Fraction:
    """Return the part of a sensitivity that is lost: all of it by who is right, the part `wrong` by who is not.

    Lebanon et al., section 2.2, without the assumption that nothing is lost by a wrong identification. Where nobody
    agrees, nobody is taken for the person.
    """
    parts = [_alone(max(crowd, 1) if listed else crowd, wrong) for crowd in crowds]
    if not prior:
        return max(parts)
    return sum((likely * part for likely, part in zip(prior, parts, strict=True)), Fraction(0))


def _alone(crowd: int | Fraction, wrong: Fraction) -> Fraction:
    return wrong + (1 - wrong) / crowd if crowd else Fraction(0)


def _is_near(risk: Chance, limit: Fraction) -> bool:
    return not isinstance(risk, Fraction) and abs(risk - float(limit)) <= NEAR * float(limit)


def mean(terms: Iterable[Term], records: int, limit: Fraction | None = None) -> Chance:
    """Return the mean of sensitivity times chance over the records.

    A fraction where all sensitivities are fractions and its denominator is not huge; with a huge one, a fraction only
    where a float could not be distinguished from the limit. No chance makes even an infinite sensitivity harmless.
    """
    counted = [(phi, chance, count) for phi, chance, count in terms if chance and count and phi]
    if any(isinstance(phi, float) and math.isinf(phi) for phi, _, _ in counted):
        return math.inf
    near = math.fsum(float(phi) * float(chance) * count for phi, chance, count in counted) / max(records, 1)
    by_denominator: dict[int, int] = {}
    common = 1
    for phi, chance, count in counted:
        if isinstance(phi, float):
            return near
        exact = phi * chance
        by_denominator[exact.denominator] = by_denominator.get(exact.denominator, 0) + exact.numerator * count
        common = math.lcm(common, exact.denominator) if common <= LARGEST else common
    if common <= LARGEST:
        total = sum(number * (common // part) for part, number in by_denominator.items())
        return short(Fraction(total, common * max(records, 1)))
    if limit is None or abs(near - float(limit)) > NEAR * float(limit):
        return near
    number, denominator = _added([(number, part) for part, number in sorted(by_denominator.items())])
    return Fraction(number, denominator * max(records, 1))


def short(value: Chance) -> Chance:
    """Return a fraction with a huge denominator as a float."""
    return float(value) if isinstance(value, Fraction) and value.denominator > LARGEST else value


def _added(parts: list[tuple[int, int]]) -> tuple[int, int]:
    """Add fractions two by two, without reducing them."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        added = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs]
        parts = added + parts[len(parts) & ~1 :]
    return parts[0] if parts else (0, 1)
