"""Everything that is published or believed, put together with its bounds as rows that the attacker's distribution must obey."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor

import numpy as np

from giveaway.attacks.profiles.claims.patterns import (
    ClaimPatterns,
    Conditions,
    Items,
    in_order,
    patterns,
    rule_items,
)
from giveaway.attacks.profiles.population import PeopleProfiles
from giveaway.errors import ScenarioError
from giveaway.itemsets.profile_itemsets import ProfileItemsets
from giveaway.maximum_entropy.constraints import ConstraintRows, Floats
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell
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


Part = tuple[ClaimPatterns, Sequence[CountBounds]]
Finder = Callable[[int], ProfileItemsets]
"""Finds the itemsets of profiles that at least a given number of people have."""


def gather(
    people: PeopleProfiles,
    published: PublishedRules,
    statements: tuple[Statement, ...],
    *,
    whole: bool,
    itemsets: Finder | None,
) -> Claims:
    """Put together what rules and statements say; what is not listed says something when `itemsets` is given."""
    terms = ClaimTerms(published=published, records=people.records, whole=whole)
    conditions = Conditions(people)
    listed = _items(people, published.rules)
    from_statements = _stated(people, conditions, statements, whole=whole)
    spread = _distribution(people, published)
    rules = _rules(people, conditions, listed, terms)
    frequent = None if itemsets is None else itemsets(terms.least_people)
    absent, itemset, most = _absences(people, terms, set(listed), frequent)
    bounds = [*from_statements[1], *spread[1], *rules[1]]
    joined = _joined([from_statements[0], spread[0], rules[0], absent])
    low = np.concatenate([_floats(one.low for one in bounds), np.zeros(len(absent))])
    high = np.concatenate([_floats(one.high for one in bounds), most])
    return Claims(
        people=people,
        terms=terms,
        patterns=joined,
        low=np.where(low > 0, low, -np.inf),
        high=np.where(high < joined.people, high, np.inf),
        statements=statements,
        fixed=len(from_statements[1]) + len(spread[1]),
        items=tuple(items for items, _ in listed),
        itemsets=frequent,
        absent=itemset,
    )


def _items(people: PeopleProfiles, rules: Sequence[Rule]) -> list[tuple[Items, int]]:
    """Return the rules by codes, each of which is listed once."""
    items = [rule_items(people, rule) for rule in rules]
    seen: set[tuple[Items, int]] = set()
    for rule, key in zip(rules, items, strict=True):
        if key in seen:
            raise ScenarioError(f"The rule {rule} is listed twice.", hint="list every rule once.")
        seen.add(key)
    return items


def _stated(
    people: PeopleProfiles, conditions: Conditions, statements: Sequence[Statement], *, whole: bool
) -> Part:
    """Read the statements; the groups of rows that some are about are numbered in their order."""
    rows_of = [None if statement.rows is None else statement.rows.tobytes() for statement in statements]
    group = {which: number for number, which in enumerate(dict.fromkeys(filter(None, rows_of)))}
    parts = [
        conditions.of_statement(statement, None if which is None else group[which])
        for statement, which in zip(statements, rows_of, strict=True)
    ]
    rows = patterns(people, [part for part, _ in parts], [answer for _, answer in parts])
    bounds = []
    for statement, many in zip(statements, rows.people.tolist(), strict=True):
        bound = stated(statement, many, whole=whole)
        if bound.empty:
            raise ScenarioError(
                f'The statement "{statement}" leaves no {"whole " if whole else ""}number of the {many:,} people that it '
                "is about.",
                hint="check it against the data, or set whole_numbers = false."
                if whole
                else "check it against the data.",
            )
        bounds.append(bound)
    return rows, bounds


def _distribution(people: PeopleProfiles, published: PublishedRules) -> Part:
    """Count the people with each sensitive value; the last value of a column follows from the others."""
    if published.distribution == "withheld":
        return patterns(people, [], []), []
    for place, column in enumerate(people.domain.sensitive):
        if people.missing(place):
            raise ScenarioError(
                f"The distribution of {column} is published, but {people.missing(place):,} {nouns().records} miss a value of it.",
                hint=f"drop these {nouns().records}, or read them with a value of its own for what is missing.",
            )
    answers = [
        answer for first, end in pairwise(people.domain.first.tolist()) for answer in range(first, end - 1)
    ]
    everybody = np.ones(len(people.profiles.weights), np.bool_)
    rows = patterns(people, [everybody] * len(answers), answers)
    return rows, [CountBounds(Fraction(count), Fraction(count)) for count in rows.holding.tolist()]


def _rules(
    people: PeopleProfiles, conditions: Conditions, listed: Sequence[tuple[Items, int]], terms: ClaimTerms
) -> Part:
    """Read the rules with their published scores; refuse one that the data or its own scores contradict."""
    rows = patterns(
        people, [conditions.of_items(items) for items, _ in listed], [answer for _, answer in listed]
    )
    bounds = []
    for rule, many, holding in zip(
        terms.published.rules, rows.people.tolist(), rows.holding.tolist(), strict=True
    ):
        if not many:
            raise ScenarioError(
                f"The rule {rule} is about nobody: no {nouns().record} meets its condition.",
                hint="leave it out, or check that the list belongs to these data.",
            )
        if holding < terms.least(many):
            raise ScenarioError(
                f"The rule {rule} is listed, but it holds for {holding:,} of {many:,} {nouns().records}, which is "
                f"{'below' if terms.published.inclusive else 'not above'} the {decimal(terms.threshold(many))} that the "
                "thresholds ask for.",
                hint="correct min_support, min_confidence or inclusive, or check that the list belongs to these data.",
            )
        bound = terms.scored(rule, holding, many)
        if bound.empty:
            raise ScenarioError(
                _contradicted(rule, holding, many, terms), hint="check its support and confidence."
            )
        bounds.append(bound)
    return rows, bounds


def _contradicted(rule: Rule, holding: int, many: int, terms: ClaimTerms) -> str:
    """Say which numbers of records the scores of a rule and the thresholds allow."""
    listed = terms.listed(many)
    meanings = [
        f"{score} means {decimal(bounds.low)} to {decimal(bounds.high)} {nouns().records}"
        for score, bounds in terms.scores(rule, holding, many)
    ]
    return (
        f"The scores of the rule {rule} leave no {'whole ' if terms.whole else ''}number of {nouns().records}: {', '.join(meanings)}, and "
        f"the list says {decimal(listed.low)} to {decimal(listed.high)}."
    )


def _absences(
    people: PeopleProfiles,
    terms: ClaimTerms,
    listed: set[tuple[Items, int]],
    itemsets: ProfileItemsets | None,
) -> tuple[ClaimPatterns, Ints, Floats]:
    """Return the patterns that are not listed and say more than their number of people, with the most that they have.

    Zhu et al., equation (6). A pattern that few people have is below the thresholds whatever their values are.
    """
    if itemsets is None:
        return patterns(people, [], []), np.zeros(0, np.int64), np.zeros(0)
    most = {many: terms.absent(many) for many in np.unique(itemsets.support).tolist()}
    telling = [place for place, many in enumerate(itemsets.support.tolist()) if many > most[many]]
    answers = int(people.domain.first[-1])
    rows: list[tuple[int, int]] = []
    for done, place in enumerate(telling):
        if done % 10_000 == 0:
            tell("reading what is absent", done, len(telling))
        part = slice(int(itemsets.offsets[place]), int(itemsets.offsets[place + 1]))
        items = tuple(zip(itemsets.columns[part].tolist(), itemsets.codes[part].tolist(), strict=True))
        rows.extend((place, answer) for answer in range(answers) if (items, answer) not in listed)
    itemset, answer = np.array(rows, np.int64).reshape(-1, 2).T
    absent = ClaimPatterns(
        offsets=itemsets.member_offsets,
        members=itemsets.members,
        group=itemset,
        answer=answer,
        people=itemsets.support[itemset],
        holding=itemsets.sums(people.holding)[itemset, answer],
    )
    return absent, itemset, _floats(most[many] for many in absent.people.tolist())


def _joined(parts: Sequence[ClaimPatterns]) -> ClaimPatterns:
    """Put patterns one after the other."""
    shifts = np.cumsum([0, *(len(part.members) for part in parts)])
    lists = np.cumsum([0, *(len(part.offsets) - 1 for part in parts)])
    return ClaimPatterns(
        offsets=np.concatenate(
            [[0], *(part.offsets[1:] + shift for part, shift in zip(parts, shifts, strict=False))]
        ),
        members=np.concatenate([part.members for part in parts]),
        group=np.concatenate([part.group + first for part, first in zip(parts, lists, strict=False)]),
        answer=np.concatenate([part.answer for part in parts]),
        people=np.concatenate([part.people for part in parts]),
        holding=np.concatenate([part.holding for part in parts]),
    )


def _floats(numbers: Iterable[Fraction]) -> Floats:
    return np.array([float(number) for number in numbers], np.float64)
