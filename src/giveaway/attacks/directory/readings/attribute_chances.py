"""How likely the rows that fit somebody tell a sensitive value, or a class of values, of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.readings.shares import Shares, exceeds, largest
from giveaway.attacks.directory.readings.shares import counted as counted_shares
from giveaway.model.data.arrays import Ints

Flags = NDArray[np.bool_]
Judges = Literal["any", "true"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Targets:
    """What must not be told: single values, and classes of values that hurt together.

    Target `t` below the number of values is the value with that code; the classes come after them, in their order.
    """

    single: Flags
    classes: Mapping[str, Flags]
    """The codes that may be of each class: of values, then of coarser labels."""
    coarser: Sequence[Flags] = ()
    """The values that each coarser label may stand for; its code comes after those of the values."""

    @classmethod
    def of(
        cls,
        values: int,
        chosen: Sequence[int] | None = None,
        classes: Mapping[str, Sequence[int]] | None = None,
        coarser: Sequence[Flags] = (),
    ) -> "Targets":
        """Take the codes that are targets, all by default, and those of each class."""

        def marked(codes: Sequence[int]) -> Flags:
            marks = np.zeros(values, np.bool_)
            marks[list(codes)] = True
            return marks

        def widened(marks: Flags) -> Flags:
            return np.append(marks, np.array([(marks & meant).any() for meant in coarser], np.bool_))

        return cls(
            single=np.ones(values, np.bool_) if chosen is None else marked(chosen),
            classes={name: widened(marked(codes)) for name, codes in (classes or {}).items()},
            coarser=coarser,
        )

    def __len__(self) -> int:
        return len(self.single) + len(self.classes)

    @property
    def codes(self) -> int:
        """How many codes rows may show: those of values and of coarser labels."""
        return len(self.single) + len(self.coarser)

    def shown_by(self, target: int) -> Flags:
        """Tell which codes may be a target."""
        if target >= len(self.single):
            return [*self.classes.values()][target - len(self.single)]
        meant = np.array([values[target] for values in self.coarser], np.bool_)
        return np.append(np.arange(len(self.single)) == target, meant)

    @property
    def members(self) -> tuple[tuple[int | None, Flags], ...]:
        """The values that are targets themselves, and the classes by number with the values that they hold."""
        return (None, self.single), *enumerate(self.classes.values(), len(self.single))

    def counts(self, shares: Shares) -> Shares:
        """Count targets in the place of values; a row may then count for several of them, or for none."""
        values = len(self.single)
        kept = np.append(self.single, np.zeros(len(self.coarser), np.bool_))[shares.value]
        group, target, count = [shares.group[kept]], [shares.value[kept]], [shares.count[kept]]
        of_values = np.where(self.single, shares.totals[:values], 0)
        for code, meant in enumerate(self.coarser, values):
            here, may_be = shares.value == code, np.flatnonzero(meant & self.single)
            group.append(np.repeat(shares.group[here], len(may_be)))
            target.append(np.tile(may_be, int(here.sum())))
            count.append(np.repeat(shares.count[here], len(may_be)))
            of_values[may_be] += shares.totals[code]
        totals = [of_values]
        for place, marks in enumerate(self.classes.values()):
            inside = marks[shares.value]
            group.append(shares.group[inside])
            target.append(np.full(int(inside.sum()), len(self.single) + place))
            count.append(shares.count[inside])
            totals.append(shares.totals[marks].sum(keepdims=True))
        counts = counted_shares(
            *(np.concatenate(part) for part in (group, target, count)),
            groups=shares.groups,
            totals=np.concatenate(totals),
        )
        return replace(counts, missing=shares.missing, hidden=shares.hidden)


@dataclass(frozen=True, kw_only=True, eq=False)
class Chances:
    """The judged chance of each group of people: of `count` rows among those that show a value, hidden ones added to both.

    Where no fitting row shows a value it is the baseline. `target` is what is told: a target, or the number of a guess; -1
    if nothing is.
    """

    target: Ints
    count: Ints
    shown: Ints
    hidden: Ints
    missing: Ints
    usual: Ints
    """How many rows of the whole table show what is guessed where no fitting row shows a value."""
    table: int
    """The rows of the whole table that show a value."""

    @property
    def baseline(self) -> Fraction:
        """The share of what is guessed without knowing the person, the largest of several."""
        return Fraction(int(self.usual.max(initial=0)), max(self.table, 1))

    @property
    def rows(self) -> Ints:
        """The rows that fit each group."""
        return self.shown + self.hidden + self.missing

    @cached_property
    def ratio(self) -> tuple[Ints, Ints]:
        """The chance of each group: how many of how many."""
        learnt = self.shown > 0
        return (
            np.where(learnt, self.count + self.hidden, self.usual),
            np.where(learnt, self.shown + self.hidden, max(self.table, 1)),
        )

    def chance(self, group: int) -> Fraction:
        """Return the chance of one group."""
        above, below = self.ratio
        return Fraction(int(above[group]), int(below[group]))

    def low(self, group: int) -> Fraction:
        """Return the chance if no row that shows nothing has the target."""
        return Fraction(int(self.count[group]), max(int(self.rows[group]), 1))

    def high(self, group: int) -> Fraction:
        """Return the chance if every row that shows nothing has the target."""
        blank = int(self.hidden[group] + self.missing[group])
        return Fraction(int(self.count[group]) + blank, max(int(self.rows[group]), 1))

    def over(self, limit: Fraction) -> Flags:
        """Tell which groups are above a limit."""
        return exceeds(*self.ratio, limit)


def likeliest(shares: Shares, targets: Targets) -> Chances:
    """Return for each group of people the target that the fitting rows show most often, the first of several."""
    counts = targets.counts(shares)
    best = _best(counts)
    some = best >= 0
    return Chances(
        target=np.where(some, counts.value[best], -1) if len(counts.value) else best,
        count=np.where(some, counts.count[best], 0) if len(counts.value) else np.zeros_like(best),
        shown=shares.shown,
        hidden=shares.hidden,
        missing=shares.missing,
        usual=np.full(shares.groups, counts.totals.max(initial=0)),
        table=shares.total,
    )


def true_ones(shares: Shares, targets: Targets, group: Ints, own: Ints) -> Chances:
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
    return Chances(
        target=target,
        count=count,
        shown=shares.shown[group],
        hidden=np.where(target >= 0, shares.hidden[group], 0),
        missing=shares.missing[group],
        usual=total,
        table=shares.total,
    )


@dataclass(frozen=True, kw_only=True)
class TargetRisk:
    """One target: its share in the whole table, the largest chance of it, and how many people are above the limit."""

    target: int
    baseline: Fraction
    worst: Fraction
    exposed: int


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
    chances: Chances
    """The chances that are judged, group of people by group."""
    count: Ints
    """The people of each group."""


def attribute_risk(
    chances: Chances,
    count: Ints,
    limit: Fraction,
    *,
    own: tuple[Chances, Ints] | None = None,
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


def target_risks(shares: Shares, targets: Targets, count: Ints, limit: Fraction) -> tuple[TargetRisk, ...]:
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


def if_unsure(chances: Chances, rows: Ints, people: Ints) -> Fraction:
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


def _share(count: int, total: int) -> Fraction:
    return Fraction(count, total) if total else Fraction(0)


def _best(counts: Shares) -> Ints:
    """Return where the largest count of each group is, the first of several; -1 for a group without counts."""
    order = np.lexsort((counts.value, -counts.count, counts.group))
    best = np.full(counts.groups, -1)
    some = np.diff(counts.starts) > 0
    best[some] = order[counts.starts[:-1][some]]
    return best
