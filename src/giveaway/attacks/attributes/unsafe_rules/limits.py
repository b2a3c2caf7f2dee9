"""When a rule is unsafe, and how many records make it safe or unsafe: closed forms in whole numbers.

`showing` is supp(p -> s) and `matching` supp(p). Li, Shirani-Mehr, Yang, sections 2.2, 4.1 and 5.1.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.model.data.arrays import Ints

Flags = NDArray[np.bool_]


class RuleLimits(NamedTuple):
    """A rule is unsafe when more than `least` records show it and more than `above` of `of` records that match."""

    above: int
    of: int
    least: int

    @classmethod
    def of_table(cls, table: PartialTable) -> "RuleLimits":
        """Return the limits of a table, with numbers no larger than its counts."""
        share = within(table.limit, int(table.count.sum()))
        return cls(share.numerator, share.denominator, table.least)

    def is_unsafe(self, showing: Ints, matching: Ints) -> Flags:
        """Tell which rules are unsafe."""
        unsafe: Flags = (self.of * showing > self.above * matching) & (showing > self.least)
        return unsafe

    def values_needed(self, showing: Ints, matching: Ints) -> Ints:
        """Return how many records must lose their sensitive entry to make each rule safe (the paper's beta)."""
        return np.maximum(0, -self.values_spare(showing, matching))

    def values_spare(self, showing: Ints, matching: Ints) -> Ints:
        """Return how many more of the matching records may show a safe rule before it becomes unsafe."""
        return np.maximum(self.least, self.above * matching // self.of) - showing

    def records_needed(self, showing: Ints, matching: Ints) -> Ints:
        """Return how many showing records must lose a condition to make each rule safe (the paper's MinHide)."""
        return np.maximum(0, -self.records_spare(showing, matching))

    def records_spare(self, showing: Ints, matching: Ints) -> Ints:
        """Return how many more records may match and show a safe rule before it becomes unsafe."""
        if self.above >= self.of:
            return np.full_like(showing, np.iinfo(np.int64).max)
        return np.maximum(
            self.least - showing, (self.above * matching - self.of * showing) // (self.of - self.above)
        )


def within(limit: Fraction, largest: int) -> Fraction:
    """Return the greatest fraction up to a limit whose denominator is at most `largest`.

    No ratio of counts up to `largest` lies between the two: all comparisons stay the same, and products small.
    """
    largest = max(1, largest)
    near = limit.limit_denominator(largest)
    if near <= limit:
        return near
    inverse = pow(near.numerator, -1, near.denominator)
    below = largest - (largest - inverse) % near.denominator
    return Fraction((near.numerator * below - 1) // near.denominator, below)
