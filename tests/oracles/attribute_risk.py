"""What the rows that fit people tell of a sensitive column, in figures of its own."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.readings.attribute_chances import (
    GroupChances,
    Judges,
    TargetRisk,
    ValueTargets,
)
from giveaway.attacks.directory.readings.shares import GroupValues, largest
from giveaway.model.data.arrays import Ints


def true_ones(shares: GroupValues, targets: ValueTargets, group: Ints, own: Ints) -> GroupChances:
    """Return the chance of the likeliest target that holds the own value of people, given by their group and that value.

    Whoever has no value, -1, or one that is in no target, has nothing to be told: chance 0.
    """
    counts = targets.counts(shares)
    keys = counts.group * len(targets) + counts.value
    target, count, total = np.full(len(own), -1), np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
    for number, marks in targets.members:
        mine = np.append(marks, False)[np.maximum(own, -1)]
        which = own if number is None else np.full(len(own), number)
        wanted = group * len(targets) + which
        at = np.searchsorted(keys, wanted)
        hit = mine & (np.append(keys, -1)[at] == wanted)
        there = np.where(hit, np.append(counts.count, 0)[at], 0)
        better = mine & ((there > count) | (target < 0))
        target, count = np.where(better, which, target), np.where(better, there, count)
        total = np.where(
            mine, np.maximum(total, np.append(counts.totals, 0)[np.where(mine, which, -1)]), total
        )
    return GroupChances(
        target=target,
        count=count,
        shown=shares.shown[group],
        hidden=np.where(target >= 0, shares.hidden[group], 0),
        missing=shares.missing[group],
        usual=total,
        table=shares.total,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class AttributeRisk:
    """What the rows that fit people tell of a sensitive column, against a limit; the names are those of the figures."""

    people: int
    people_without_row: int
    """People whom no row fits, or only rows in which the sensitive value is missing: the baseline is their chance."""
    people_all_hidden: int
    """People of whom all fitting rows hide the value: the baseline is their chance too."""
    exposed_people: int
    people_certain: int
    worst_attribute: Fraction
    true_above: int | None
    """People above the limit whose own value is told; None where it is not known which row is whose."""
    min_rows: int
    """The fewest rows that fit somebody whom a row fits."""
    blank_sensitive: int
    baseline: Fraction
    targets: tuple[TargetRisk, ...]
    chances: GroupChances
    """The chances that are judged, group of people by group."""
    count: Ints
    """The people of each group."""


def attribute_risk(
    chances: GroupChances,
    count: Ints,
    limit: Fraction,
    *,
    own: tuple[GroupChances, Ints] | None = None,
    judges: Judges = "any",
    blank_sensitive: int = 0,
    targets: tuple[TargetRisk, ...] = (),
) -> AttributeRisk:
    """Count the people above a limit; `count` are the people of each group, `own` the chances of own values with theirs."""
    if judges == "true" and own is None:
        raise ValueError("own values are needed to judge true ones")
    judged, people = own if judges == "true" and own is not None else (chances, count)
    here = people > 0
    above, below = judged.ratio
    rows = chances.rows[(count > 0) & (chances.rows > 0)]
    nothing = chances.shown == 0
    return AttributeRisk(
        people=int(count.sum()),
        people_without_row=int(count[nothing & (chances.hidden == 0)].sum()),
        people_all_hidden=int(count[nothing & (chances.hidden > 0)].sum()),
        exposed_people=int(people[judged.over(limit)].sum()),
        people_certain=int(people[(above >= below)].sum()),
        worst_attribute=largest(above[here], below[here]),
        true_above=None if own is None else int(own[1][own[0].over(limit)].sum()),
        min_rows=int(rows.min(initial=rows.max(initial=0))),
        blank_sensitive=blank_sensitive,
        baseline=chances.baseline,
        targets=targets,
        chances=judged,
        count=people,
    )


def if_unsure(chances: GroupChances, rows: Ints, people: Ints) -> Fraction:
    """Return the largest chance for somebody who does not know that the person is in the table.

    The chance is multiplied by that of being in it: the fitting rows over the people who fit them, at most 1.
    """
    above, below = chances.ratio
    some = people > 0
    inside = np.minimum(rows[some], people[some])
    products = set(
        zip(above[some].tolist(), below[some].tolist(), inside.tolist(), people[some].tolist(), strict=True)
    )
    return max((Fraction(a, b) * Fraction(c, d) for a, b, c, d in products), default=Fraction(0))
