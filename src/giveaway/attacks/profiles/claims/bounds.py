"""How many records a published list says, or does not say: thresholds, scores and statements as exact bounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from giveaway.model.release.rule import PublishedRules, Rule, Score, Statement, rounded, spread


@dataclass(frozen=True)
class CountBounds:
    """The least and the greatest number of records; `high < low` when no number will do."""

    low: Fraction
    high: Fraction

    @property
    def empty(self) -> bool:
        """Whether no number of records is within the bounds."""
        return self.high < self.low

    def within(self, other: "CountBounds") -> "CountBounds":
        """Return what both allow."""
        return CountBounds(max(self.low, other.low), min(self.high, other.high))

    def whole(self) -> "CountBounds":
        """Return the bounds of the whole numbers within."""
        return CountBounds(Fraction(ceil(self.low)), Fraction(floor(self.high)))


@dataclass(frozen=True, kw_only=True)
class ClaimTerms:
    """What is said of all rules together, and how the attacker reasons with it.

    A rule holds for at least T = max(s n, c n_Q) of the n_Q records with its condition, or for more when the list is
    not inclusive; what is not listed for fewer. Zhu et al., equations (3) and (6).
    """

    published: PublishedRules
    records: int
    whole: bool

    def threshold(self, people: int) -> Fraction:
        """Return the number of records T that decides about a rule, given how many people have its condition."""
        return max(self.published.min_support * self.records, self.published.min_confidence * people)

    def least(self, people: int) -> int:
        """Return the least number of records, at least one, that makes a rule."""
        return self.published.least(self.records, people)

    def listed(self, people: int) -> CountBounds:
        """Return what it says that a rule is in the list."""
        low = Fraction(self.least(people)) if self.whole else self.threshold(people)
        return CountBounds(low, Fraction(people))

    def absent(self, people: int) -> Fraction:
        """Return the greatest number of records of a pattern that is not in a complete list."""
        return Fraction(self.least(people) - 1) if self.whole else self.threshold(people)

    @property
    def least_people(self) -> int:
        """The fewest people that can have the condition of a rule."""
        return self.least(0)

    def scored(self, rule: Rule, holding: int, people: int) -> CountBounds:
        """Return what the published scores of a rule say, together with its being in the list."""
        allowed = self.listed(people)
        for _, bounds in self.scores(rule, holding, people):
            allowed = allowed.within(bounds)
        return allowed.whole() if self.whole else allowed

    def scores(self, rule: Rule, holding: int, people: int) -> Iterator[tuple[str, CountBounds]]:
        """Give the published scores of a rule as they are written, each with the numbers of records it may stand for.

        A rounded score that the rule brings along is published as it is.
        """
        shown = self.published.scores
        if shown == "withheld":
            return
        pairs = (("support", rule.support, self.records), ("confidence", rule.confidence, people))
        for name, own, of in pairs:
            score: Score = Fraction(holding, of)
            if shown != "exact":
                score = own if isinstance(own, str) else rounded(Fraction(holding, of), shown)
            low, high = spread(score)
            yield f"{name} {score}", CountBounds(low * of, high * of)


def stated(statement: Statement, people: int, *, whole: bool) -> CountBounds:
    """Return what a statement says about a part of the people."""
    if statement.count is not None:
        bounds = CountBounds(Fraction(statement.count), Fraction(statement.count))
    elif statement.share is not None:
        low, high = spread(statement.share)
        bounds = CountBounds(low * people, high * people)
    else:
        low = Fraction(0) if statement.at_least is None else statement.at_least
        high = Fraction(1) if statement.at_most is None else statement.at_most
        bounds = CountBounds(low * people, high * people)
    bounds = bounds.within(CountBounds(Fraction(0), Fraction(people)))
    return bounds.whole() if whole else bounds


def decimal(number: Fraction | float) -> str:
    """Write a number of records, with decimals only where it has some."""
    return f"{int(number):,}" if number == int(number) else f"{float(number):,.4g}"
