"""All worlds that an attacker can think of, and what they believe after a release: nothing but the definition.

A world is what everybody's record is; what is known of people is a part of their record, the rest is drawn for each. The
channel is what an owner does with every lot. Rows are shuffled, so that a release is how many rows look how; a world of which
no safe release comes does not give it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from tests.worlds import lots

Record = tuple[Any, ...]
"""All that is true of a person, by place."""
World = tuple[Record, ...]
"""Everybody's records, in order: whose they are does not matter to the rule."""
Form = Hashable
"""What is published of a person; None where nothing is."""
Carried = Mapping[tuple[Record, Form], int]
"""How many people with a record are published in a form."""
Channel = Mapping[World, Mapping[frozenset[tuple[tuple[Record, Form], int]], Fraction]]
"""For each world what may be published, and how likely it is; what is missing to 1 is refused."""
Is = Callable[[Record], bool]


def all_worlds(values: Sequence[Sequence[Any]], people: int = 4) -> list[World]:
    """Give all sets of people over the values of each place, as in `["ab", "pq"]`."""
    return list(combinations_with_replacement(product(*values), people))


def channel(worlds: Iterable[World], owner: Callable[[World], Sequence[Form] | None]) -> Channel:
    """Go through all that an owner publishes, who says what of each person, or None where nothing is released."""
    channel: dict[World, dict[Any, Fraction]] = {}
    for world in worlds:
        files = channel.setdefault(world, defaultdict(Fraction))
        for chance, forms in lots.every(lambda world=world: owner(world)):  # type: ignore[misc]
            if forms is not None:
                files[frozenset(Counter(zip(world, forms, strict=True)).items())] += chance
    return channel


@dataclass(frozen=True, kw_only=True)
class Belief:
    """What an attacker believes who knows some places of everybody's records and has seen a release."""

    known: Counter[Record]
    """How many people are known to have what in these places."""
    places: Sequence[int]
    seen: Any
    expected: Mapping[tuple[Record, Form], Fraction]
    """How many people with a record are published in a form, in the mean of all worlds that are left."""

    def part(self, record: Record) -> Record:
        """Return what is known of somebody."""
        return tuple(record[place] for place in self.places)

    def whose(self, looks: Callable[[Any], Form] = lambda form: form) -> dict[tuple[Form, Record], Fraction]:
        """Give the chance that a row that looks so is the record of one of the people of whom this is known."""
        rows: dict[Form, Fraction] = defaultdict(Fraction)
        mine: dict[tuple[Form, Record], Fraction] = defaultdict(Fraction)
        for (record, form), many in self.expected.items():
            if form is not None:
                rows[looks(form)] += many
                mine[looks(form), self.part(record)] += many
        return {(form, known): many / rows[form] / self.known[known] for (form, known), many in mine.items()}

    def told(self, values: Callable[[Record], Iterable[Hashable]]) -> dict[tuple[Record, Hashable], Fraction]:
        """Give the chance of each value, of those that a record has, for a person of whom this is known."""
        told: dict[tuple[Record, Hashable], Fraction] = defaultdict(Fraction)
        for (record, _), many in self.expected.items():
            for value in {*values(record)}:
                told[self.part(record), value] += many
        return {key: many / self.known[key[0]] for key, many in told.items()}

    def behind(
        self, blank: Callable[[Any], bool], values: Callable[[Record], Iterable[Hashable]]
    ) -> dict[tuple[Form, Hashable], Fraction]:
        """Give the chance of each value behind the blank of a row that looks so."""
        rows: dict[Form, Fraction] = defaultdict(Fraction)
        told: dict[tuple[Form, Hashable], Fraction] = defaultdict(Fraction)
        for (record, form), many in self.expected.items():
            if form is not None and blank(form):
                rows[form] += many
                for value in {*values(record)}:
                    told[form, value] += many
        return {key: many / rows[key[0]] for key, many in told.items()}


def rows_of(carried: Carried) -> Hashable:
    """Return what everybody sees: how many rows look how."""
    rows = Counter[Form]()
    for (_, form), many in carried.items():
        rows[form] += many
    return frozenset(rows.items())


def beliefs(
    channel: Channel,
    places: Sequence[int],
    *,
    sees: Callable[[Carried], Hashable] = rows_of,
    prior: Callable[[Record], Fraction | int] = lambda _: 1,
) -> list[Belief]:
    """Give what is believed by somebody who knows these places of everybody's records, for all that may be published.

    `prior` weighs the records that somebody may have; all are equally likely where nothing is said.
    """
    total: dict[Any, Fraction] = defaultdict(Fraction)
    expected: dict[Any, dict[tuple[Record, Form], Fraction]] = {}
    for world, files in channel.items():
        known = Counter(tuple(record[place] for place in places) for record in world)
        ways = Fraction(
            prod(map(factorial, known.values())) * prod(map(prior, world)),
            prod(map(factorial, Counter(world).values())),
        )
        if not ways:
            continue
        for file, chance in files.items():
            seen = frozenset(known.items()), sees(dict(file))
            total[seen] += ways * chance
            here = expected.setdefault(seen, defaultdict(Fraction))
            for key, many in file:
                here[key] += ways * chance * many
    return [
        Belief(
            known=Counter(dict(seen[0])),
            places=places,
            seen=seen[1],
            expected={key: many / weight for key, many in expected[seen].items()},
        )
        for seen, weight in total.items()
    ]
