"""The paranoid start of section 7.2 of the paper: somebody who knows how often every item and every pair of items occurs.

The mappings that agree keep all these counts, and any of them may follow another. So an item is cracked with a chance of one
in the items that some such mapping takes it to. These are at most the items that repeated counting cannot tell apart, and at
least those that may change places with it while all others stay.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.known_pairs.counts import pair_counts
from giveaway.attacks.frequencies.question import see
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.release.release import Release

Row = dict[int, int]
"""How often an item occurs with each other item that it occurs with."""


@dataclass(frozen=True, kw_only=True)
class Interchangeable:
    """Items any two of which may change places, and the least and most that the chance of each to be cracked may be."""

    items: tuple[Label, ...]
    least: Fraction
    most: Fraction


def every_pair(release: Release, attacker: KnowsFrequencies) -> tuple[Interchangeable, ...]:
    """Return what somebody recognises who knows all counts of items and pairs, whatever else the attacker believes.

    It is the same for somebody who knows the method: every code that an item may have is as likely as its own.
    """
    seen = see(release, attacker, Effort())
    if not isinstance(seen.data, Transactions):
        raise ScenarioError(
            f"Supports do not tell which {nouns().items} occur together.",
            hint=f'give the {nouns().transactions} (kind = "transactions").',
        )
    labels, together = seen.items.labels, pair_counts(seen.data)
    place_of = np.array([seen.items.place_of[label] for label in seen.data.labels], np.int64)
    pairs = place_of[together.pairs]
    rows: list[Row] = [{} for _ in labels]
    for (one, other), count in zip(pairs.tolist(), together.counts.tolist(), strict=True):
        rows[one][other] = rows[other][one] = count
    alike = _not_told_apart(seen.counts, pairs, together.counts)
    many = np.bincount(alike)
    return tuple(
        Interchangeable(
            items=tuple(labels[place] for place in places),
            least=Fraction(1, int(many[alike[places[0]]])),
            most=Fraction(1, len(places)),
        )
        for places in _interchangeable(rows, alike.tolist())
    )


def _not_told_apart(counts: Ints, pairs: Ints, together: Ints) -> Ints:
    """Number items alike that occur equally often with as many items of each number, until nothing changes.

    No mapping that keeps all counts takes an item to one of another number.
    """
    one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
    times = np.concatenate([together, together])
    number = np.unique(counts, return_inverse=True)[1].astype(np.int64)
    while True:
        order = np.lexsort((number[other], times, one))
        ends = np.searchsorted(one[order], np.arange(1, len(counts)))
        with_whom = np.split(np.stack([times, number[other]], axis=1)[order], ends)
        kinds: dict[tuple[int, bytes], int] = {}
        finer = [
            kinds.setdefault((own, whom.tobytes()), len(kinds))
            for own, whom in zip(number.tolist(), with_whom, strict=True)
        ]
        if len(kinds) == len(np.unique(number)):
            return number
        number = np.array(finer, np.int64)


def _interchangeable(rows: list[Row], alike: list[int]) -> list[list[int]]:
    """Group items that occur equally often with every other item; the two that change places occur together as they did."""
    same_row: dict[tuple[int, frozenset[tuple[int, int]]], list[int]] = {}
    for place, row in enumerate(rows):
        same_row.setdefault((alike[place], frozenset(row.items())), []).append(place)
    group_of = {group[0]: group for group in same_row.values()}
    # Items that do occur together have each other in their rows: they are the same once each has itself in its own too.
    for one, row in enumerate(rows):
        if one not in group_of:
            continue
        for other, count in sorted(row.items()):
            there = other > one and alike[other] == alike[one] and other in group_of
            if there and row | {one: count} == rows[other] | {other: count}:
                group_of[one] += group_of.pop(other)
    return list(group_of.values())
