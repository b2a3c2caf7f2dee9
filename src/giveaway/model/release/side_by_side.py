"""Transactions of several releases side by side: for each person what all of them show, and who came or went by difference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from giveaway.errors import NothingToJudge, ScenarioError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.transactions import Transactions

Naming = Callable[[Label], Label]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasePart:
    """The transactions of one release, whose each is, and how their items are called next to others."""

    shown: Transactions
    person: Ints
    """For each of its rows the number of a person, counted from 0."""
    called: Naming
    name: str


def side_by_side(parts: Sequence[ReleasePart], people: int) -> Transactions:
    """Return one transaction for each person, with the items of all parts; somebody who is in none has an empty one.

    Rows of people with larger numbers are left out. Items that are called the same are the same. Private is what is private in one of the parts.

    >>> import giveaway as ga
    >>> last, now = (ga.Transactions.from_lists(rows) for rows in ([["a"], ["b"]], [["a", "c"], []]))
    >>> both = np.arange(2)
    >>> named = lambda item: f"{item}@2025"
    >>> parts = [ReleasePart(shown=last, person=both, called=named, name="2025"),
    ...     ReleasePart(shown=now, person=both, called=lambda item: item, name="now")]
    >>> side_by_side(parts, 2).labels
    ('a', 'a@2025', 'b@2025', 'c')
    """
    called = [[part.called(label) for label in part.shown.labels] for part in parts]
    labels = tuple(in_order(label for names in called for label in names))
    code_of = {label: code for code, label in enumerate(labels)}
    combined, of_combined = _combinations(parts, people)
    rows: list[Ints] = []
    codes: list[Codes] = []
    for place, (part, names) in enumerate(zip(parts, called, strict=True)):
        new = np.array([code_of[name] for name in names], np.int32)
        there = np.flatnonzero(combined[:, place] >= 0)
        offsets, held = arrays.take(part.shown.offsets, part.shown.codes, combined[there, place])
        rows.append(np.repeat(there, np.diff(offsets)))
        codes.append(new[held] if len(new) else held)
    offsets, flat = arrays.from_pairs(np.concatenate(rows), np.concatenate(codes), len(combined))
    weights = np.bincount(of_combined, minlength=len(combined)).astype(np.int64)
    offsets, flat, weights, became = arrays.merge(offsets, flat, weights)
    private = {
        name
        for part, names in zip(parts, called, strict=True)
        for code, name in enumerate(names)
        if code in part.shown.private
    }
    return Transactions(
        offsets=offsets,
        codes=flat,
        weights=weights,
        labels=labels,
        private=frozenset(code_of[name] for name in private),
        record_of=became[of_combined],
    )


def _combinations(parts: Sequence[ReleasePart], people: int) -> tuple[Ints, Ints]:
    """Return the different combinations of records that people have, -1 for none, and the one of each person."""
    records = np.full((people, len(parts)), -1, np.int64)
    for place, part in enumerate(parts):
        record_of = part.shown.record_of
        if record_of is None:
            raise NothingToJudge(
                f"The rows of {part.name} are counted and not read one by one, so that they cannot be joined.",
                hint="give them as baskets, one transaction a line, or as one row for each item.",
            )
        if len(part.person) != len(record_of):
            raise ScenarioError(
                f"{part.name} has {len(record_of):,} rows, and it is said of {len(part.person):,} whose they are."
            )
        if len(np.unique(part.person)) < len(part.person):
            raise ScenarioError(
                f"Several rows of {part.name} belong to one person.", hint="merge the rows of a person first."
            )
        here = part.person < people
        records[part.person[here], place] = record_of[here]
    sizes = [len(part.shown.weights) for part in parts]
    first, group = arrays.distinct(records.astype(np.int32), sizes)
    return records[first], group
