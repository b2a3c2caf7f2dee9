"""What a published list of rules says, by going through every pattern of every record in plain Python."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from math import ceil, floor, inf

import numpy as np
from tests.oracles.maxent import Case, Claim

import giveaway as ga
from giveaway.model.release.rule import rounded, spread

Row = dict[str, str]
Condition = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class World:
    """A table as plain rows: known columns, one sensitive column, and the values that it may have."""

    rows: list[Row]
    columns: tuple[str, ...]
    sensitive: str
    values: tuple[str, ...]

    @property
    def profiles(self) -> list[tuple[str, ...]]:
        return sorted({self.profile(row) for row in self.rows})

    def profile(self, row: Row) -> tuple[str, ...]:
        return tuple(row[column] for column in self.columns)

    @property
    def counts(self) -> np.ndarray:
        made = np.zeros((len(self.profiles), len(self.values)), np.int64)
        for row in self.rows:
            made[self.profiles.index(self.profile(row)), self.values.index(row[self.sensitive])] += 1
        return made

    def meeting(self, condition: Condition) -> list[Row]:
        return [row for row in self.rows if all(row[column] == value for column, value in condition)]

    def members(self, condition: Condition) -> frozenset[int]:
        return frozenset(self.profiles.index(self.profile(row)) for row in self.meeting(condition))

    def holding(self, condition: Condition, value: str) -> int:
        return sum(row[self.sensitive] == value for row in self.meeting(condition))

    @property
    def conditions(self) -> list[Condition]:
        """Every condition on some columns that some record meets."""
        sizes = range(1, len(self.columns) + 1)
        chosen = list(chain.from_iterable(combinations(sorted(self.columns), size) for size in sizes))
        return sorted({tuple((name, row[name]) for name in names) for row in self.rows for names in chosen})

    @property
    def table(self) -> ga.Table:
        return ga.Table.from_rows(self.rows, sensitive=self.sensitive)


def threshold(world: World, published: ga.PublishedRules, condition: Condition) -> Fraction:
    people = len(world.meeting(condition))
    return max(published.min_support * len(world.rows), published.min_confidence * people)


def is_rule(world: World, published: ga.PublishedRules, condition: Condition, value: str) -> bool:
    holding, limit = world.holding(condition, value), threshold(world, published, condition)
    return holding > 0 and (holding >= limit if published.inclusive else holding > limit)


def mined(world: World, published: ga.PublishedRules) -> list[ga.Rule]:
    """Every rule above the thresholds."""
    return [
        ga.Rule(condition, value, sensitive=world.sensitive)
        for condition, value in product(world.conditions, world.values)
        if is_rule(world, published, condition, value)
    ]


def claims(world: World, published: ga.PublishedRules, *, whole: bool, silence: bool) -> list[Claim]:
    """Everything that the list says, pattern by pattern."""
    listed = {(rule.condition, rule.value) for rule in published.rules}
    said = [_of_rule(world, published, *rule, whole=whole) for rule in sorted(listed)]
    if silence:
        patterns = product(world.conditions, world.values)
        said += [_of_absence(world, published, *p, whole=whole) for p in patterns if p not in listed]
    if published.distribution == "published":
        everybody = frozenset(range(len(world.profiles)))
        for place, value in enumerate(world.values):
            count = float(world.holding((), value))
            said.append((everybody, frozenset([place]), count, count))
    return said


def _of_rule(
    world: World, published: ga.PublishedRules, condition: Condition, value: str, *, whole: bool
) -> Claim:
    people, holding = len(world.meeting(condition)), world.holding(condition, value)
    limit = threshold(world, published, condition)
    low, high = limit, Fraction(people)
    if whole:
        low = Fraction(max(ceil(limit) if published.inclusive else floor(limit) + 1, 1))
    if published.scores == "exact":
        low = high = Fraction(holding)
    elif published.scores != "withheld":
        for of in (len(world.rows), people):
            least, most = spread(rounded(Fraction(holding, of), int(published.scores)))
            low, high = max(low, least * of), min(high, most * of)
    if whole:
        low, high = Fraction(ceil(low)), Fraction(floor(high))
    return world.members(condition), frozenset([world.values.index(value)]), float(low), float(high)


def _of_absence(
    world: World, published: ga.PublishedRules, condition: Condition, value: str, *, whole: bool
) -> Claim:
    limit = threshold(world, published, condition)
    high = limit
    if whole:
        high = Fraction(max(ceil(limit) - 1, 0) if published.inclusive else floor(limit))
    return world.members(condition), frozenset([world.values.index(value)]), -inf, float(high)


def case(world: World, published: ga.PublishedRules, *, whole: bool, silence: bool) -> Case:
    return Case(world.counts, claims(world, published, whole=whole, silence=silence))


def subsets(rules: Iterable[ga.Rule]) -> list[tuple[ga.Rule, ...]]:
    """Every list of some of the rules."""
    given = tuple(rules)
    sizes = range(1, len(given) + 1)
    return list(chain.from_iterable(combinations(given, size) for size in sizes))
