"""How likely the rows that fit somebody tell a sensitive value, or a class of values, of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.readings.shares import GroupValues
from giveaway.attacks.directory.readings.shares import counted as counted_shares
from giveaway.model.data.arrays import Ints

Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueTargets:
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
    ) -> "ValueTargets":
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

    def counts(self, shares: GroupValues) -> GroupValues:
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
class GroupChances:
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


@dataclass(frozen=True, kw_only=True)
class TargetRisk:
    """One target: its share in the whole table, the largest chance of it, and how many people are above the limit."""

    target: int
    baseline: Fraction
    worst: Fraction
    exposed: int
