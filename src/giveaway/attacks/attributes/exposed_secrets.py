"""How many secrets are exposed: at any limit, and when rules may use only a given number of columns."""

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits


@dataclass(frozen=True, kw_only=True, eq=False)
class Exposed(ABC):
    """Secrets worth protecting, counted by the attacker's chance."""

    question: AttributesQuestion

    @property
    @abstractmethod
    def chances(self) -> Counter[Fraction]:
        """The number of secrets with each chance."""

    @property
    @abstractmethod
    def exposed(self) -> int:
        """The number of secrets over the limit."""

    @property
    def safe_limits(self) -> Counter[Fraction]:
        """The number of secrets that are within each limit and all above it, and within none below."""
        return self.chances

    def over(self, limit: Fraction) -> int:
        """Count the secrets that would be over another limit."""
        return sum(number for safe, number in self.safe_limits.items() if safe > limit)

    def safe_limit(self, allowed: int) -> Fraction:
        """Return the smallest limit that no more secrets are over than allowed."""
        left = allowed
        for limit in sorted(self.safe_limits, reverse=True):
            left -= self.safe_limits[limit]
            if left < 0:
                return limit
        return Fraction(0)


@dataclass(frozen=True, kw_only=True, eq=False)
class SecretsTally(Exposed):
    """Secrets that rules give away to somebody who does not know how entries are chosen."""

    @cached_property
    def chances(self) -> Counter[Fraction]:
        """The number of secrets with each chance."""
        counted: Counter[Fraction] = Counter()
        for column in self.question.sensitive_columns:
            for place, group in enumerate(column.best.groups):
                counted[column.chance(place)] += int(column.table.count[group])
        return counted

    @cached_property
    def exposed(self) -> int:
        """The number of secrets over the limit."""
        exposed = 0
        for column in self.question.sensitive_columns:
            table, best = column.table, column.best
            above = RuleLimits.of_table(table).is_unsafe(best.showing, best.matching)
            exposed += int(table.count[best.groups[above]].sum())
        return exposed

    @cached_property
    def by_length(self) -> list[int]:
        """The number of secrets over the limit when rules have one condition, up to two, and so on."""
        exposed = np.zeros(self.question.most_conditions + 1, np.int64)
        for column in self.question.sensitive_columns:
            table, best = column.table, column.best
            above = RuleLimits.of_table(table).is_unsafe(best.showing_by_length, best.matching_by_length)
            exposed += table.count[best.groups] @ np.logical_or.accumulate(above, axis=1)
        by_length: list[int] = exposed[1:].tolist()
        return by_length
