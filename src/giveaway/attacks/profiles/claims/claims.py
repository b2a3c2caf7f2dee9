"""Everything that is published or believed, put together as rows that the attacker's distribution must obey."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.profiles.claims.bounds import ClaimTerms
from giveaway.attacks.profiles.claims.patterns import ClaimPatterns, Items, in_order
from giveaway.attacks.profiles.population import PeopleProfiles
from giveaway.itemsets.profile_itemsets import ProfileItemsets
from giveaway.maximum_entropy.constraints import ConstraintRows, Floats
from giveaway.model.data.arrays import Ints
from giveaway.model.release.rule import Rule, Statement


@dataclass(frozen=True, kw_only=True, eq=False)
class Claims:
    """Bounds on the number of records of patterns: statements and the distribution first, then rules, then absences.

    `items` are the conditions of the rules; `itemsets` and `absent` those of the absences.
    """

    people: PeopleProfiles
    terms: ClaimTerms
    patterns: ClaimPatterns
    low: Floats
    high: Floats
    statements: tuple[Statement, ...]
    fixed: int
    """How many rows come before the rules."""
    items: tuple[Items, ...]
    itemsets: ProfileItemsets | None
    absent: Ints
    """The itemset of each absence."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The published rules, in the order of their rows."""
        return self.terms.published.rules

    def __len__(self) -> int:
        return len(self.patterns)

    @property
    def rule_rows(self) -> slice:
        """The rows of the rules."""
        return slice(self.fixed, self.fixed + len(self.rules))

    @property
    def supports(self) -> Ints:
        """The number of records that each rule holds for."""
        return self.patterns.holding[self.rule_rows]

    @cached_property
    def by_support(self) -> list[int]:
        """The rules with the largest support first, then in label order."""
        answers = self.patterns.answer[self.rule_rows].tolist()
        return in_order(self.people, zip(self.supports.tolist(), self.items, answers, strict=True))

    @property
    def everything(self) -> Ints:
        """All rows."""
        return np.arange(len(self))

    def reading(self, rules: Sequence[int]) -> Ints:
        """Return the rows of somebody who reads some of the rules only, and so makes nothing of absent ones."""
        return np.concatenate([np.arange(self.fixed), self.fixed + np.array(rules, np.int64)])

    def rows(self, chosen: Ints) -> ConstraintRows:
        """Return some of the rows in the form of the solver."""
        patterns = self.patterns
        return ConstraintRows(
            offsets=patterns.offsets,
            members=patterns.members,
            values=self.people.domain.answers[patterns.answer[chosen]],
            low=self.low[chosen],
            high=self.high[chosen],
            group=patterns.group[chosen],
        )

    def is_absence(self, row: int) -> bool:
        """Tell whether a row comes from a rule that is not in the list."""
        return row >= self.fixed + len(self.rules)

    def rule(self, row: int) -> Rule:
        """Return the rule that is in the list, or is not."""
        if not self.is_absence(row):
            return self.rules[row - self.fixed]
        assert self.itemsets is not None  # noqa: S101 # absences come from itemsets
        itemset = int(self.absent[row - self.fixed - len(self.rules)])
        part = slice(int(self.itemsets.offsets[itemset]), int(self.itemsets.offsets[itemset + 1]))
        sensitive, value = self.people.domain.named(int(self.patterns.answer[row]))
        condition = self.people.condition(self.itemsets.columns[part], self.itemsets.codes[part])
        return Rule(condition, value, sensitive=sensitive)

    def words(self, row: int) -> str:
        """Name what a row comes from."""
        if row < len(self.statements):
            return f'the statement "{self.statements[row]}"'
        if row < self.fixed:
            column, value = self.people.domain.named(int(self.patterns.answer[row]))
            return f"the published distribution, {column}={value}"
        return f"the absence of {self.rule(row)}" if self.is_absence(row) else f"the rule {self.rule(row)}"
