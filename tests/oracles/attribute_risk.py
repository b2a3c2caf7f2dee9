"""What the rows that fit people tell of a sensitive column, in figures of its own."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.attacker import Judges
from giveaway.attacks.directory.readings.attribute_chances import (
    Flags,
    GroupChances,
    TargetRisk,
    ValueTargets,
)
from giveaway.attacks.directory.readings.shares import GroupValues, exceeds, largest
from giveaway.model.data.arrays import Ints


def baseline(chances: GroupChances) -> Fraction:
    """Return the share of what is guessed without knowing the person, the largest of several."""
    return Fraction(int(chances.usual.max(initial=0)), max(chances.table, 1))


def rows_fitting(chances: GroupChances) -> Ints:
    """Return the rows that fit each group."""
    return chances.shown + chances.hidden + chances.missing


def low(chances: GroupChances, group: int) -> Fraction:
    """Return the chance of one group if no row that shows nothing has the target."""
    return Fraction(int(chances.count[group]), max(int(rows_fitting(chances)[group]), 1))


def high(chances: GroupChances, group: int) -> Fraction:
    """Return the chance of one group if every row that shows nothing has the target."""
    blank = int(chances.hidden[group] + chances.missing[group])
    return Fraction(int(chances.count[group]) + blank, max(int(rows_fitting(chances)[group]), 1))


def above_limit(chances: GroupChances, limit: Fraction) -> Flags:
    """Tell which groups are above a limit."""
    return exceeds(*chances.ratio, limit)


def likeliest(shares: GroupValues, targets: ValueTargets) -> GroupChances:
    """Return for each group of people the target that the fitting rows show most often, the first of several."""
    counts = targets.counts(shares)
    best = _best(counts)
    some = best >= 0
    return GroupChances(
        target=np.where(some, counts.value[best], -1) if len(counts.value) else best,
        count=np.where(some, counts.count[best], 0) if len(counts.value) else np.zeros_like(best),
        shown=shares.shown,
        hidden=shares.hidden,
        missing=shares.missing,
        usual=np.full(shares.groups, counts.totals.max(initial=0)),
        table=shares.total,
    )


def target_risks(
    shares: GroupValues, targets: ValueTargets, count: Ints, limit: Fraction
) -> tuple[TargetRisk, ...]:
    """Measure each target by itself, in the order of the targets."""
    counts = targets.counts(shares)
    wanted = np.append(np.flatnonzero(targets.single), np.arange(len(targets.single), len(targets)))
    above = counts.count + counts.hidden[counts.group]
    below = (shares.shown + shares.hidden)[counts.group]
    people = count[counts.group]
    exposed = np.bincount(counts.value, weights=people * exceeds(above, below, limit), minlength=len(targets))
    inhabited = count > 0
    nothing = int(count[shares.shown == 0].sum())
    risks = []
    by_target = np.argsort(counts.value, kind="stable")
    bounds = np.searchsorted(counts.value[by_target], np.arange(len(targets) + 1))
    veiled = inhabited & (shares.hidden > 0) & (shares.shown > 0)
    for target in wanted.tolist():
        here = by_target[bounds[target] : bounds[target + 1]]
        here = here[people[here] > 0]
        absent = veiled.copy()
        absent[counts.group[here]] = False
        ratio = shares.hidden[absent], (shares.shown + shares.hidden)[absent]
        base = _share(int(counts.totals[target]), shares.total)
        risks.append(
            TargetRisk(
                target=target,
                baseline=base,
                worst=max(
                    largest(above[here], below[here]), largest(*ratio), base if nothing else Fraction(0)
                ),
                exposed=int(exposed[target])
                + int(count[absent][exceeds(*ratio, limit)].sum())
                + (nothing if base > limit else 0),
            )
        )
    return tuple(risks)


def _share(count: int, total: int) -> Fraction:
    return Fraction(count, total) if total else Fraction(0)


def _best(counts: GroupValues) -> Ints:
    """Return where the largest count of each group is, the first of several; -1 for a group without counts."""
    order = np.lexsort((counts.value, -counts.count, counts.group))
    best = np.full(counts.groups, -1)
    some = np.diff(counts.starts) > 0
    best[some] = order[counts.starts[:-1][some]]
    return best


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
    fitting = rows_fitting(chances)
    rows = fitting[(count > 0) & (fitting > 0)]
    nothing = chances.shown == 0
    return AttributeRisk(
        people=int(count.sum()),
        people_without_row=int(count[nothing & (chances.hidden == 0)].sum()),
        people_all_hidden=int(count[nothing & (chances.hidden > 0)].sum()),
        exposed_people=int(people[above_limit(judged, limit)].sum()),
        people_certain=int(people[(above >= below)].sum()),
        worst_attribute=largest(above[here], below[here]),
        true_above=None if own is None else int(own[1][above_limit(own[0], limit)].sum()),
        min_rows=int(rows.min(initial=rows.max(initial=0))),
        blank_sensitive=blank_sensitive,
        baseline=baseline(chances),
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
