"""How likely each item is cracked, exactly or by estimate, and how that is compared with a limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum, lcm
from typing import Literal

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints

Method = Literal["exact", "estimate", "simulated"]

LEAST_MARGIN = Fraction(1, 20)
"""The part of an estimated number of cracks that is added before judging: estimates were found up to 3 % too low."""

SINGLE_MARGIN = 2
"""How many times an estimated single chance may be the true one: errors of up to 45 % were measured."""

_ROUNDING = 1e-9
_BITS = 1 << 16
_LONGEST = 256


@dataclass(frozen=True)
class LimitLine:
    """Where a chance is over a limit: above it, or at it already, as the paper defines it (Definition 2.1).

    Floats are given the benefit of rounding.

    >>> LimitLine(Fraction(1, 2), at=False).is_below(Fraction(1, 2)), LimitLine(Fraction(1, 2), at=True).is_below(0.5)
    (False, True)
    """

    limit: Fraction
    at: bool

    def from_(self, limit: str) -> str:
        """Write which chances are over it."""
        return f"{limit} or more" if self.at else f"more than {limit}"

    @property
    def verb(self) -> str:
        """What the chances do that are over it."""
        return "reach" if self.at else "are above"

    @property
    def passed(self) -> str:
        """What happens to the limit by a chance over it."""
        return "reached" if self.at else "exceeded"

    def is_below(self, chance: Chance) -> bool:
        """Tell whether the line is below a chance, which is then over the limit."""
        if isinstance(chance, Fraction):
            return chance >= self.limit if self.at else chance > self.limit
        return chance > self.limit * Fraction(1 - _ROUNDING if self.at else 1 + _ROUNDING)

    def is_below_one_in(self, many: Ints) -> Flags:
        """Tell the same of chances of one in so many."""
        times = many * self.limit.numerator
        below: Flags = times <= self.limit.denominator if self.at else times < self.limit.denominator
        return below


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemChances:
    """Chances of kinds of items, the kind of each item, and for each kind what its chance may be at most.

    A chance that was computed exactly is a fraction, or a float where the fraction would be too long. `margin` is
    what to add to the sum over some items; `method` says how the worst known of them was found.
    """

    by_kind: Sequence[Chance]
    kind_of: Ints
    at_most: Floats
    method: Method
    detail: str
    estimated: Flags
    """The kinds whose chances are estimates."""
    sampling_error: float = 0.0
    """Half of the interval around the number of cracks of a simulation."""
    candidates: Ints | None = None
    """Where estimates are less sure, of likeliest codes and on general graphs, how many codes may stand for each kind."""

    @staticmethod
    def counted(
        by_kind: Sequence[Chance],
        guessed: Flags,
        detail: str,
        *,
        of: Ints | None = None,
        candidates: Ints | None = None,
    ) -> "ItemChances":
        """Return chances that were counted, but for kinds that are guessed; without `of` each item is a kind of its own.

        On general graphs, and of likeliest codes, estimates were found up to 11 % too low, and never by more than one in the
        number of candidates.
        """
        floats = np.array([float(chance) for chance in by_kind])
        return ItemChances(
            by_kind=by_kind,
            kind_of=np.arange(len(by_kind)) if of is None else of,
            at_most=np.where(guessed, np.minimum(SINGLE_MARGIN * floats, 1), floats),
            method="estimate" if guessed.any() else "exact",
            detail=detail,
            estimated=guessed,
            candidates=candidates,
        )

    @staticmethod
    def but_for(
        by_kind: Sequence[Chance],
        guessed: Flags,
        detail: str,
        of_what: str,
        candidates: Ints,
        after: str = "",
    ) -> "ItemChances":
        """Return chances that were counted, of which some of so many may be estimates, as the detail then says."""
        if guessed.any():
            detail += f", except for {int(guessed.sum()):,} of {of_what}, whose chances are estimated by belief propagation"
        return ItemChances.counted(by_kind, guessed, f"{detail}.{after}", candidates=candidates)

    @cached_property
    def floats(self) -> Floats:
        """The chance of each item."""
        return np.array([float(chance) for chance in self.by_kind])[self.kind_of]

    def of(self, item: int) -> Chance:
        """Return the chance of an item."""
        return self.by_kind[int(self.kind_of[item])]

    def over(self, line: LimitLine) -> Flags:
        """Tell which items have a chance over a limit."""
        return np.array([line.is_below(chance) for chance in self.by_kind], np.bool_)[self.kind_of]

    def may_be_over(self, line: LimitLine) -> Flags:
        """Tell which items may have such a chance, given the margins of estimates; a float at the limit may be above it."""
        nearly = line.limit * Fraction(1 - _ROUNDING)
        pairs = zip(self.by_kind, self.at_most.tolist(), strict=True)
        most = [
            line.is_below(chance) if isinstance(chance, Fraction) and chance >= most else most > nearly
            for chance, most in pairs
        ]
        return self.over(line) | np.array(most, np.bool_)[self.kind_of]

    def total(self, items: Ints) -> Chance:
        """Add the chances of some items, exactly where they are fractions."""
        kinds, many = np.unique(self.kind_of[items], return_counts=True)
        return weighted_sum([self.by_kind[kind] for kind in kinds.tolist()], many.tolist())

    def margin(self, items: Ints) -> float:
        """Return what to add to the total of some items before it is judged.

        Where candidates are counted, it is the less sure the fewer an item has: one in their number is added.
        """
        guessed = items[self.estimated[self.kind_of[items]]]
        part = np.full(len(guessed), float(LEAST_MARGIN))
        if self.candidates is not None:
            part = np.maximum(part, 1 / np.maximum(self.candidates[self.kind_of[guessed]], 1))
        return self.sampling_error + float(part @ self.floats[guessed])


def weighted_sum(chances: Sequence[Chance], many: Sequence[int]) -> Chance:
    """Add chances, each as often as told: exactly, unless some are floats or the fraction becomes too long."""
    common = 1
    for chance in chances:
        if not isinstance(chance, Fraction):
            common = 0
            break
        common = lcm(common, chance.denominator)
        if common.bit_length() > _BITS:
            common = 0
            break
    if not common:
        return fsum(float(chance) * times for chance, times in zip(chances, many, strict=True))
    whole = sum(
        common // chance.denominator * chance.numerator * times
        for chance, times in zip(chances, many, strict=True)
        if isinstance(chance, Fraction)
    )
    return shortened(Fraction(whole, common))


def shortened(value: Fraction) -> Chance:
    """Return a fraction, as a float when nobody would read it."""
    return value if value.denominator.bit_length() <= _LONGEST else float(value)
