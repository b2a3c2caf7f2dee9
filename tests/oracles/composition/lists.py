"""Rule lists given away one after the other, by listing all tables that agree with them.

A group is a set of people; a list says of (group, value) that at least so many of them have the value, or at most so many.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

Value = str


@dataclass(frozen=True)
class Count:
    """How many people of a group have a value, the ends included."""

    group: frozenset[int]
    value: Value
    least: int
    most: int

    def holds(self, world: Sequence[Value]) -> bool:
        return self.least <= sum(world[person] == self.value for person in self.group) <= self.most


def threshold(people: int, group: int, support: Fraction, confidence: Fraction) -> int:
    """The least number of people with the value with which a rule is listed."""
    return max(1, ceil(max(support * people, confidence * group)))


def listed(
    truth: Sequence[Value],
    groups: Collection[Collection[int]],
    values: Collection[Value],
    support: Fraction,
    confidence: Fraction,
    *,
    people: Collection[int] | None = None,
    scores: bool = False,
) -> list[Count]:
    """Return what a complete list says about everybody it is made of: rules that are there and rules that are not.

    `people` are those in the data of this list, everybody if none are named. With `scores` listed rules tell their number.
    """
    there = set(range(len(truth)) if people is None else people)
    found = []
    for group, value in product(groups, values):
        members = frozenset(group) & there
        if not members:
            continue
        having = sum(truth[person] == value for person in members)
        least = threshold(len(there), len(members), support, confidence)
        if having < least:
            found.append(Count(members, value, 0, least - 1))
        elif scores:
            found.append(Count(members, value, having, having))
        else:
            found.append(Count(members, value, least, len(members)))
    return found


def worlds(people: int, values: Collection[Value], counts: Sequence[Count]) -> Iterator[tuple[Value, ...]]:
    """Give every way to give people values that agrees with all lists."""
    for world in product(sorted(values), repeat=people):
        if all(count.holds(world) for count in counts):
            yield world


def possible(
    people: int, values: Collection[Value], counts: Sequence[Count], group: Collection[int], value: Value
) -> set[int]:
    """Return the numbers of people of a group who may have a value."""
    return {sum(world[person] == value for person in group) for world in worlds(people, values, counts)}


def certain(people: int, values: Collection[Value], counts: Sequence[Count]) -> Mapping[int, Value]:
    """Return the people whose value is the same in every world."""
    every = [Counter(column) for column in zip(*worlds(people, values, counts), strict=True)]
    return {person: next(iter(found)) for person, found in enumerate(every) if len(found) == 1}


def widened(counts: Sequence[Count], changed: int) -> list[Count]:
    """Widen bounds by the people who joined or left, where nobody can say who they are."""
    return [
        Count(count.group, count.value, max(0, count.least - changed), count.most + changed)
        for count in counts
    ]
