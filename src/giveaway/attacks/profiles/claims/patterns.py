"""Patterns: a part of the people and a sensitive value that they may have, as rules and statements name them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.profiles.population import PeopleProfiles
from giveaway.errors import ScenarioError
from giveaway.maximum_entropy.constraints import Flags
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, label_key
from giveaway.model.release.rule import Rule, Statement

_SHOWN = 10

Items = tuple[tuple[int, int], ...]
"""A condition as pairs of a column's number and a code, by column."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClaimPatterns:
    """Pattern `i` is about the profiles of list `group[i]` and the answer `answer[i]`."""

    offsets: Ints
    members: Codes
    group: Ints
    answer: Ints
    people: Ints
    """How many people have the condition."""
    holding: Ints
    """How many of them have the answer in truth."""

    def __len__(self) -> int:
        return len(self.group)

    def profiles(self, pattern: int) -> Codes:
        """Return the profiles that a pattern is about."""
        group = int(self.group[pattern])
        return self.members[self.offsets[group] : self.offsets[group + 1]]


def patterns(people: PeopleProfiles, parts: Sequence[Flags], answers: Sequence[int]) -> ClaimPatterns:
    """Make one pattern of each part of the profiles and its answer."""
    lists = [np.flatnonzero(part).astype(np.int32) for part in parts]
    weights, holding = people.profiles.weights, people.holding
    return ClaimPatterns(
        offsets=np.cumsum([0, *map(len, lists)]),
        members=np.concatenate([np.zeros(0, np.int32), *lists]),
        group=np.arange(len(lists)),
        answer=np.array(answers, np.int64),
        people=np.array([weights[part].sum() for part in lists], np.int64),
        holding=np.array(
            [holding[part, answer].sum() for part, answer in zip(lists, answers, strict=True)], np.int64
        ),
    )


def rule_items(people: PeopleProfiles, rule: Rule) -> tuple[Items, int]:
    """Return the condition of a rule by codes, and its answer; refuse a rule that does not fit the data."""
    items = []
    for column, label in rule.condition:
        place = _known(people, column, f"The rule {rule}")
        if label not in people.labels[column]:
            raise ScenarioError(
                f"The rule {rule} is about nobody: {column} is never {label}.",
                exists=_some(people.labels[column]),
            )
        items.append((place, people.labels[column].index(label)))
    answer = _answer(people, rule.sensitive, rule.value, f"The rule {rule}")
    return tuple(sorted(items)), answer


class Conditions:
    """Which profiles meet conditions; the profiles of one value are looked up once."""

    def __init__(self, people: PeopleProfiles) -> None:
        self._people = people
        self._having: dict[tuple[int, int], Flags] = {}

    def of_items(self, items: Items) -> Flags:
        """Return the profiles that have all of some values."""
        met = np.ones(len(self._people.profiles.weights), np.bool_)
        for item in items:
            if item not in self._having:
                self._having[item] = self._people.profiles.codes[:, item[0]] == item[1]
            met &= self._having[item]
        return met

    def of_statement(self, statement: Statement, group: int | None) -> tuple[Flags, int]:
        """Return the profiles that a statement is about, and its answer; refuse one about nobody."""
        people, name = self._people, f'The statement "{statement}"'
        if group is not None:
            met = people.in_group[:, group].copy()
        else:
            met = np.ones(len(people.profiles.weights), np.bool_)
        for column, wanted in statement.where.items():
            place = _known(people, column, name)
            codes = _codes(people.labels[column], wanted)
            met &= np.isin(people.profiles.codes[:, place], codes)
        if not met.any():
            raise ScenarioError(f"{name} is about nobody.", hint="check the values of its condition.")
        return met, _answer(people, statement.sensitive, statement.value, name)


def in_order(people: PeopleProfiles, rules: Iterable[tuple[int, Items, int]]) -> list[int]:
    """Return the places of rules, given with their support: the largest first, then in label order."""

    def key(place: int) -> tuple[object, ...]:
        support, items, answer = listed[place]
        names = [
            (people.columns[column], label_key(people.labels[people.columns[column]][code]))
            for column, code in items
        ]
        return (-support, names, answer)

    listed = list(rules)
    return sorted(range(len(listed)), key=key)


def _known(people: PeopleProfiles, column: str, name: str) -> int:
    if column not in people.columns:
        raise ScenarioError(
            f"{name} is about the column {column}, which the attacker does not know.",
            exists=", ".join(people.columns),
            hint=f'add "{column}" to the columns of the attacker, or leave it out of what is published.',
        )
    return people.columns.index(column)


def _answer(people: PeopleProfiles, sensitive: str | None, value: Label, name: str) -> int:
    domain = people.domain
    if sensitive is None and len(domain.sensitive) > 1:
        raise ScenarioError(
            f"{name} does not say which sensitive column it is about.",
            exists=", ".join(domain.sensitive),
            hint="name it with sensitive.",
        )
    column = domain.sensitive[0] if sensitive is None else sensitive
    if column not in domain.sensitive:
        raise ScenarioError(
            f"{name} is about {column}, which is not sensitive.", exists=", ".join(domain.sensitive)
        )
    place = domain.sensitive.index(column)
    answer = domain.answer(place, value)
    if answer is None:
        raise ScenarioError(
            f"{name} is about {value!r}, which is not a value of {column}.",
            exists=_some(domain.labels[place]),
        )
    return answer


def _codes(labels: Sequence[Label], wanted: object) -> list[int]:
    """Find the labels that a condition names: one, several, or a range of numbers with both ends."""
    if isinstance(wanted, list | tuple | set | frozenset):
        return [code for part in wanted for code in _codes(labels, part)]
    if wanted in labels:
        return [labels.index(wanted)]
    low, _, high = str(wanted).partition("..")
    ends = _number(low), _number(high)
    if ends[0] is None or ends[1] is None:
        return []
    numbers = map(_number, labels)
    return [c for c, number in enumerate(numbers) if number is not None and ends[0] <= number <= ends[1]]


def _number(label: object) -> Fraction | None:
    try:
        return Fraction(str(label).strip())
    except (ValueError, ZeroDivisionError):
        return None


def _some(labels: Sequence[Label]) -> str:
    more = f" and {len(labels) - _SHOWN:,} more" if len(labels) > _SHOWN else ""
    return ", ".join(map(str, labels[:_SHOWN])) + more
