"""What written rules, statements and silence say: bounds on how many people have a value, worked out on their own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from giveaway.checker.attacks.profiles.population import Crowd
from giveaway.checker.files.rule_files import ListedRule
from giveaway.checker.grouping import Ints
from giveaway.checker.promise import disagree
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.progress import tell
from giveaway.model.release.rule import PublishedRules, Statement, spread


@dataclass(frozen=True)
class CountRow:
    """A part of the profiles, an answer, and how many people have it."""

    members: Ints
    answer: int
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class ListTerms:
    """The thresholds of a list, and whether the attacker reasons with whole counts."""

    published: PublishedRules
    records: int
    whole: bool

    def least(self, people: int) -> tuple[Fraction, int]:
        """Return the threshold for a condition that `people` people have, and the least count that makes a rule."""
        edge = max(self.published.min_support * self.records, self.published.min_confidence * people)
        return edge, max(ceil(edge) if self.published.inclusive else floor(edge) + 1, 1)


def listed(crowd: Crowd, rule: ListedRule, terms: ListTerms) -> CountRow:
    """Return what a rule says with the scores next to it."""
    members = crowd.members({name: {code} for name, code in rule.condition})
    people = int(crowd.weights[members].sum())
    edge, least = terms.least(people)
    low, high = (Fraction(least) if terms.whole else edge), Fraction(people)
    for score, of in ((rule.support, crowd.people), (rule.confidence, people)):
        if score:
            least_share, most_share = spread(score)
            low, high = max(low, least_share * of), min(high, most_share * of)
    return _row(members, crowd.first[rule.sensitive] + rule.value, low, high, whole=terms.whole)


def stated(crowd: Crowd, statements: Iterable[Statement], table: Table, *, whole: bool) -> Iterator[CountRow]:
    """Give what statements say about parts of the people."""
    groups = iter(range(crowd.groups.shape[1]))
    for statement in statements:
        wanted = {name: _meant(table.labels[name], value) for name, value in statement.where.items()}
        members = crowd.members(wanted, None if statement.rows is None else next(groups))
        people = int(crowd.weights[members].sum())
        low, high = _shares(statement)
        low, high = max(low, Fraction(0)) * people, min(high, Fraction(1)) * people
        if statement.count is not None:
            low = high = Fraction(statement.count)
        sensitive = statement.sensitive or table.sensitive[0]
        answer = crowd.first[sensitive] + table.labels[sensitive].index(statement.value)
        yield _row(members, answer, low, high, whole=whole)


def _shares(statement: Statement) -> tuple[Fraction, Fraction]:
    if statement.share is not None:
        return spread(statement.share)
    return statement.at_least or Fraction(0), Fraction(1) if statement.at_most is None else statement.at_most


def _row(members: Ints, answer: int, low: Fraction, high: Fraction, *, whole: bool) -> CountRow:
    if whole:
        low, high = Fraction(ceil(low)), Fraction(floor(high))
    if low > high:
        raise disagree("A score or statement leaves no number of people.")
    return CountRow(members, answer, low, high)


def distribution(crowd: Crowd) -> list[CountRow]:
    """Return the numbers of people with each value; the last of a column follows from the others."""
    lasts = {first - 1 for first in [*crowd.first.values(), len(crowd.answers)]}
    counts = crowd.holding[crowd.present].sum(axis=0).tolist()
    return [
        CountRow(crowd.present, answer, Fraction(count), Fraction(count))
        for answer, count in enumerate(counts)
        if answer not in lasts
    ]


def _meant(labels: Sequence[Label], wanted: object) -> set[int]:
    """Find the values that a condition names: one, several, or a range of numbers with both ends."""
    if isinstance(wanted, list | tuple | set | frozenset):
        return set().union(*(_meant(labels, part) for part in wanted))
    if wanted in labels:
        return {labels.index(wanted)}
    first, _, last = str(wanted).partition("..")
    low, high = _number(first), _number(last)
    numbers = [_number(label) for label in labels]
    if low is None or high is None:
        return set()
    return {code for code, number in enumerate(numbers) if number is not None and low <= number <= high}


def _number(label: object) -> Fraction | None:
    try:
        return Fraction(str(label).strip())
    except (ValueError, ZeroDivisionError):
        return None


# What is not published -------------------------------------------------------------------------------------------


def absences(crowd: Crowd, rules: Sequence[ListedRule], terms: ListTerms) -> Iterator[CountRow]:
    """Give what a complete list says by its silence, where that is more than nothing. Zhu et al., equation (6)."""
    known = {(rule.condition, crowd.first[rule.sensitive] + rule.value) for rule in rules}
    for condition, members in _frequent(crowd, terms.least(0)[1]):
        people = int(crowd.weights[members].sum())
        edge, least = terms.least(people)
        most = Fraction(least - 1) if terms.whole else edge
        if most >= people:
            continue
        for answer, holding in enumerate(crowd.holding[members].sum(axis=0).tolist()):
            if (condition, answer) in known:
                continue
            if holding >= least:
                raise disagree("The list is said to be complete, and it is not.")
            yield CountRow(members, answer, Fraction(0), most)


def _frequent(crowd: Crowd, least: int) -> Iterator[tuple[tuple[tuple[str, int], ...], Ints]]:
    """Give every condition that at least `least` people have, with its profiles."""
    waiting: list[tuple[tuple[tuple[str, int], ...], Ints, int]] = [((), crowd.present, 0)]
    while waiting:
        tell("checking the written files", 0)
        condition, members, start = waiting.pop()
        for column in range(start, len(crowd.columns)):
            codes = crowd.codes[members, column]
            counts = np.zeros(int(codes.max(initial=-1)) + 2, np.int64)
            np.add.at(counts, codes + 1, crowd.weights[members])
            for code in np.flatnonzero(counts[1:] >= least).tolist():
                longer = tuple(sorted((*condition, (crowd.columns[column], code))))
                inside = members[codes == code]
                yield longer, inside
                waiting.append((longer, inside, column + 1))
