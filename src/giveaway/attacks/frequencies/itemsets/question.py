"""The question put about sets of renamed items: which are vulnerable, and when fewer items are believed correctly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import LimitLine, weighted_sum
from giveaway.attacks.frequencies.crack_chances import upper
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.attacks.frequencies.estimates.compliance import longest
from giveaway.attacks.frequencies.estimates.o_estimate import (
    SetKinds,
    os2_estimates,
    os_estimates,
    os_over,
)
from giveaway.attacks.frequencies.itemsets.chances import SolvedSets, solved
from giveaway.attacks.frequencies.itemsets.targets import SetTargets, targets
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.question.tolerance import Tolerance


@dataclass(frozen=True, kw_only=True, eq=False)
class SetQuestion:
    """What an attacker sees, the sets that are to be protected, and the limit on their chances."""

    seen: ItemsSeen
    tolerance: Tolerance
    identity: Fraction
    targets: SetTargets

    @cached_property
    def _kinds(self) -> tuple[SetKinds, ...]:
        """The kinds of the sets on the graph as believed, size by size."""
        return tuple(part.kinds(self.seen.of_sets) for part in self.targets.parts)

    @cached_property
    def solved(self) -> tuple[SolvedSets, ...]:
        """The chances of the sets, size by size."""
        both = zip(self.targets.parts, self._kinds, strict=True)
        return tuple(solved(self.seen, part, kinds) for part, kinds in both)

    @property
    def line(self) -> LimitLine:
        """Above what a chance is over the limit."""
        return LimitLine(self.identity, at=not self.seen.attacker.knows_method)

    @cached_property
    def vulnerable(self) -> tuple[Flags, ...]:
        """Which kinds of sets have a chance over the limit."""
        return tuple(part.chances.over(self.line) for part in self.solved)

    @cached_property
    def perhaps_vulnerable(self) -> tuple[Flags, ...]:
        """The same with those that the margin of an estimate leaves open."""
        return tuple(part.chances.may_be_over(self.line) for part in self.solved)

    def counted(self, marked: Sequence[Flags]) -> list[int]:
        """Count the sets of marked kinds, size by size."""
        return [int(part.kinds.many[flags].sum()) for part, flags in zip(self.solved, marked, strict=True)]

    def _inside(self, right: int) -> list[Fraction]:
        """Return for each size the part of the sets whose members are all among `right` items drawn at random."""
        items = self.seen.number
        return [Fraction(comb(right, part.size), comb(items, part.size)) for part in self.targets.parts]

    def share(self, numbers: Sequence[int], right: int) -> Fraction:
        """Return the share of vulnerable sets, expected when `right` items drawn at random are believed correctly.

        All members of a set must be among them.
        """
        both = zip(numbers, self._inside(right), strict=True)
        expected = sum((number * inside for number, inside in both), Fraction(0))
        return expected / max(self.targets.number, 1)

    def mean(self, totals: Sequence[Chance], right: int) -> Chance:
        """Return the mean of chances that are added up size by size, when `right` items are believed correctly.

        A set with another member is not cracked.
        """
        both = zip(totals, self._inside(right), strict=True)
        expected = sum((inside * total for total, inside in both), start=Fraction(0))
        return expected / max(self.targets.number, 1)

    @cached_property
    def vulnerable_numbers(self) -> list[int]:
        """How many sets have a chance over the limit, size by size."""
        return self.counted(self.vulnerable)

    @property
    def number_vulnerable(self) -> int:
        """How many sets have such a chance."""
        return sum(self.vulnerable_numbers)

    @cached_property
    def vulnerable_share(self) -> Fraction:
        """The share of these sets, expected for the items that are believed correctly."""
        return self.share(self.vulnerable_numbers, self.right)

    @property
    def right(self) -> int:
        """How many items are believed correctly, all unless told otherwise.

        Nobody who knows the method is taken to be right at random: then all are.
        """
        return (
            self.seen.number
            if self.seen.likeliest
            else ceil(self.seen.attacker.compliance * self.seen.number)
        )

    @property
    def exact(self) -> bool:
        """Whether all sets are judged, by counted chances."""
        return not self.targets.drawn and all(part.chances.method == "exact" for part in self.solved)

    @property
    def margin(self) -> float:
        """What to add to the vulnerable share before judging: what estimates leave open, and the error of a sample."""
        return self.margin_at(self.right)

    def margin_at(self, right: int) -> float:
        """Return that margin when `right` items are believed correctly."""
        sure, perhaps = (
            self.share(self.counted(marked), right) for marked in (self.vulnerable, self.perhaps_vulnerable)
        )
        if not self.targets.drawn:
            return float(perhaps - sure)
        return upper(float(perhaps), self.targets.number) - float(sure)

    @cached_property
    def totals(self) -> list[Chance]:
        """The chances of the sets added up, size by size."""
        return [weighted_sum(part.chances.by_kind, part.kinds.many.tolist()) for part in self.solved]

    @cached_property
    def by_os(self) -> "OsFigures":
        """What the estimates of the paper say, on the graph as believed."""
        graph, kinds = self.seen.of_sets, self._kinds
        return OsFigures(
            totals=[float(os_estimates(graph, some.classes) @ some.many) for some in kinds],
            totals2=[float(os2_estimates(graph, some.classes) @ some.many) for some in kinds],
            over=[int(some.many[os_over(graph, some.classes, self.line)].sum()) for some in kinds],
        )

    def breaking_point(self, numbers: Sequence[int]) -> Fraction:
        """Return the largest share of items, drawn at random, that may be believed correctly within tolerance."""
        return self._largest(lambda right: self.share(numbers, right) <= self.tolerance.share)

    @cached_property
    def holds(self) -> Fraction:
        """The same by the numbers that the verdict is about, margins included; of the items that are believed correctly."""
        numbers = self.vulnerable_numbers

        def within(right: int) -> bool:
            share = self.share(numbers, right)
            return (share if self.exact else share + self.margin_at(right)) <= self.tolerance.share

        return self.most * self._largest(within)

    @property
    def most(self) -> Fraction:
        """The share of items that is believed correctly when nothing is left out."""
        return Fraction(int(self.seen.taken_as_right.sum()), max(self.seen.number, 1))

    def _largest(self, within: Callable[[int], bool]) -> Fraction:
        right = longest(np.arange(self.seen.number), lambda first: within(len(first)))
        return Fraction(right, max(self.seen.number, 1))

    @cached_property
    def worst(self) -> Fraction:
        """A share of items that is within tolerance whichever they are.

        Each vulnerable set is divided among its members, so that the largest parts of that many items bound the number
        of sets that have all members among them. Of sets that were drawn this says nothing about the others: then all sets
        of these items are counted.
        """
        within = 0
        if not self.targets.drawn:
            bound = np.concatenate([[0.0], np.cumsum(np.sort(self.parts)[::-1])])
            allowed = float(self.tolerance.share * self.targets.number)
            within = int((bound <= allowed * (1 + 1e-9)).sum()) - 1
        if len(self.targets.parts) == 1:
            part = self.targets.parts[0]
            number = part.whole if self.targets.drawn else part.number
            while within < self.seen.number and comb(within + 1, part.size) <= self.tolerance.share * number:
                within += 1
        return Fraction(within, max(self.seen.number, 1))

    @cached_property
    def in_sets(self) -> Ints:
        """How many sets that may be vulnerable each item is in."""
        counts = np.zeros(self.seen.number, np.int64)
        for part, marked in zip(self.solved, self.perhaps_vulnerable, strict=True):
            counts += _in_sets(part, marked, self.seen.number)
        return counts

    @cached_property
    def parts(self) -> Floats:
        """Each set that may be vulnerable, divided among its members."""
        shares = np.zeros(self.seen.number)
        for part, marked in zip(self.solved, self.perhaps_vulnerable, strict=True):
            shares += _in_sets(part, marked, self.seen.number) / part.sets.size
        return shares


def set_question(seen: ItemsSeen, tolerance: Tolerance) -> SetQuestion:
    """Put the question together, and refuse what is not defined for sets."""
    if tolerance.identity is None:
        raise ScenarioError(
            "Itemsets are judged by identity and share, and identity is not given.",
            hint='identity = "1/2", share = "1/10": at most a tenth of the sets may be recognised with a chance of 1/2.',
        )
    attacker = seen.attacker
    if attacker.compliance != 1 and attacker.order != "random":
        raise ScenarioError(
            f'order = "{attacker.order}" is for {nouns().items}, and itemsets are the targets.',
            hint=f"leave order out, which draws the {nouns().items} at random.",
        )
    return SetQuestion(seen=seen, tolerance=tolerance, identity=tolerance.identity, targets=targets(seen))


@dataclass(frozen=True, kw_only=True)
class OsFigures:
    """OS and OS2 added up, and how many sets OS calls vulnerable, size by size."""

    totals: list[float]
    totals2: list[float]
    over: list[int]


def _in_sets(solved: SolvedSets, marked: Flags, items: int) -> Ints:
    """Count the sets of marked kinds that each item is in."""
    counts = np.zeros(items, np.int64)
    if solved.sets.rows is not None:
        np.add.at(counts, solved.sets.rows[marked[solved.kinds.of]], 1)
        return counts
    chosen, of = solved.sets.chosen, solved.class_of
    members = np.bincount(of[chosen], minlength=int(of.max(initial=0)) + 1)
    one, other = solved.kinds.classes[marked].T
    pairs = np.zeros_like(members)
    np.add.at(pairs, one, np.where(one == other, members[one] - 1, members[other]))
    np.add.at(pairs, other[one != other], members[one[one != other]])
    counts[chosen] = pairs[of[chosen]]
    return counts
