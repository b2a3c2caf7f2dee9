"""How many secrets are exposed: at any limit, and when rules may use only so many columns."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.question import Question


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """Secrets worth protecting, counted by the attacker's chance."""

    question: Question

    @cached_property
    def chances(self) -> Counter[Fraction]:
        """The number of secrets with each chance."""
        counted: Counter[Fraction] = Counter()
        for part in self.question.parts:
            for place, group in enumerate(part.best.groups):
                counted[part.chance(place)] += int(part.table.count[group])
        return counted

    def over(self, limit: Fraction) -> int:
        """Count the secrets that a rule above a limit gives away."""
        return sum(number for chance, number in self.chances.items() if chance > limit)

    @cached_property
    def exposed(self) -> int:
        """The number of secrets over the limit."""
        return self.over(self.question.limit)

    @cached_property
    def by_length(self) -> list[int]:
        """The number of secrets over the limit when rules have one condition, up to two, and so on."""
        limit = self.question.limit
        exposed = np.zeros(len(self.question.attacker.columns) + 1, np.int64)
        for part in self.question.parts:
            best = part.best
            # Python's integers, because a limit may have a denominator of any size.
            showing, matching = (
                counts.astype(object) for counts in (best.showing_by_length, best.matching_by_length)
            )
            above = showing * limit.denominator > matching * limit.numerator
            ever = np.logical_or.accumulate(above.astype(np.bool_), axis=1)
            exposed += part.table.count[best.groups] @ ever
        found: list[int] = exposed[1:].tolist()
        return found

    def safe_limit(self, allowed: int) -> Fraction:
        """Return the smallest limit that at most so many secrets are over."""
        left = allowed
        for chance in sorted(self.chances, reverse=True):
            left -= self.chances[chance]
            if left < 0:
                return chance
        return Fraction(0)
