"""What is known about a table of profiles and values, as linear rows, and how many rows absent rules make."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import suited
from giveaway.itemsets.profile_itemsets import ProfileItemsets, Profiles, frequent
from giveaway.itemsets.rule_mining import least_counts
from giveaway.maximum_entropy import kernels
from giveaway.model.data.arrays import Codes, Ints

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_SEED = 20_090_329


@dataclass(frozen=True, kw_only=True, eq=False)
class ConstraintRows:
    """Bounds on numbers of records: those of some profiles that have one of some values.

    Row `i` says that the records of the profiles `members[offsets[g]:offsets[g + 1]]`, where `g = group[i]`, that have
    a value in `values[i]` number at least `low[i]` and at most `high[i]`; an open end is infinite, and equal ends make
    an equation. Without `group` row `i` takes list `i`; with it several rows share a list. No profile appears
    twice in a list.
    """

    offsets: Ints
    members: Codes
    values: Flags
    low: Floats
    high: Floats
    group: Ints | None = None

    def __len__(self) -> int:
        return len(self.low)

    @property
    def lists(self) -> Ints:
        """The list of profiles that each row takes."""
        return np.arange(len(self), dtype=np.int64) if self.group is None else self.group

    def take(self, chosen: Ints) -> "ConstraintRows":
        """Return the chosen rows, in the order given; the lists stay."""
        return ConstraintRows(
            offsets=self.offsets,
            members=self.members,
            values=self.values[chosen],
            low=self.low[chosen],
            high=self.high[chosen],
            group=self.lists[chosen],
        )

    def joined(self, other: "ConstraintRows") -> "ConstraintRows":
        """Return these rows and then the others, of the same profiles and domain."""
        return ConstraintRows(
            offsets=np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
            members=np.concatenate([self.members, other.members]),
            values=np.concatenate([self.values, other.values]),
            low=np.concatenate([self.low, other.low]),
            high=np.concatenate([self.high, other.high]),
            group=np.concatenate([self.lists, other.lists + len(self.offsets) - 1]),
        )

    @cached_property
    def kinds(self) -> tuple[Flags, Ints]:
        """The distinct sets of values, and which of them each row is about."""
        sets, kind = np.unique(self.values, axis=0, return_inverse=True)
        return sets, kind.reshape(-1).astype(np.int64)

    def totals(self, amounts: Floats) -> Floats:
        """Add up for each row what counts for it; `amounts[q, x]` is what profile `q` has of value `x`."""
        totals = np.empty(len(self))
        by_kind = np.ascontiguousarray((amounts @ self.kinds[0].T).T)
        suited(kernels.totals, self.cells)(self.in_kernels, by_kind, totals)
        return totals

    @cached_property
    def in_kernels(self) -> kernels.ProfileLists:
        """The rows without their bounds, in the form of the kernels."""
        return kernels.ProfileLists(self.offsets, self.members, self.lists, self.kinds[1])

    @cached_property
    def cells(self) -> int:
        """The number of pairs of a row and a profile of it."""
        return int(np.diff(self.offsets)[self.lists].sum())


def classes(rows: ConstraintRows, chosen: Ints, apart: NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Merge the profiles that the same of the chosen rows cover, unless their `apart` is different.

    Returns the class of each profile and a profile of each class. They are distinguished by sums of random 64-bit numbers.
    """
    used = np.unique(rows.lists[chosen])
    keys = np.random.default_rng(_SEED).integers(1, 1 << 63, len(rows.offsets), np.uint64)[used]
    signature = apart.copy()
    for key, begin, end in zip(keys, rows.offsets[used], rows.offsets[used + 1], strict=True):
        signature[rows.members[begin:end]] += key
    _, first, class_of = np.unique(signature, return_index=True, return_inverse=True)
    return class_of, first


@dataclass(frozen=True, kw_only=True)
class AbsentRulesKept:
    """How many absent rules say all that the absence of rules says.

    `constraints` counts them, and `variables` the pairs of a profile and a value that they mention.
    """

    constraints: int
    variables: int


def theorem3(
    profiles: Profiles,
    patterns: Flags,
    *,
    min_support: Fraction,
    min_confidence: Fraction,
    inclusive: bool = True,
) -> AbsentRulesKept:
    """Count the absent rules that are not implied by the absence of a rule with a part of the condition.

    `patterns[j]` marks the values of the domain that the j-th possible consequent stands for: a unit matrix when
    there is one sensitive column. An absent rule with condition J and c P(J) <= s implies all with J in their
    condition; what is implied in turn implies (Theorem 3, the flag being handed down).
    """
    itemsets, kept = needed_absences(profiles, patterns, min_support, min_confidence, inclusive=inclusive)
    return AbsentRulesKept(
        constraints=int(kept.sum()),
        variables=int((kept * itemsets.profiles[:, None] * patterns.sum(axis=1)).sum()),
    )


def needed_absences(
    profiles: Profiles, patterns: Flags, min_support: Fraction, min_confidence: Fraction, *, inclusive: bool
) -> tuple[ProfileItemsets, Flags]:
    """Return the itemsets that conditions of absent rules may be, and which absences are needed: itemsets by patterns."""
    thresholds = (min_support, min_confidence)
    records = profiles.records
    least = int(least_counts(records, np.zeros(1, np.int64), *thresholds, inclusive=inclusive)[0])
    itemsets = frequent(profiles, least, border=True)
    counts = itemsets.sums(profiles.values @ patterns.T.astype(np.int64))
    needed = least_counts(records, itemsets.support, *thresholds, inclusive=inclusive)
    absent = counts < needed[:, None]
    weak = _at_most(itemsets.support, min_support * records, min_confidence)
    implied = _implied(itemsets, profiles, absent & weak[:, None])
    return itemsets, absent & ~implied


def _at_most(support: Ints, limit: Fraction, factor: Fraction) -> Flags:
    """Tell for which supports factor times support is at most the limit, exactly."""
    if factor == 0:
        return np.ones(len(support), np.bool_)
    return support <= min(limit // factor, np.iinfo(np.int64).max)


def _implied(itemsets: ProfileItemsets, profiles: Profiles, implies: Flags) -> Flags:
    """Hand the flags down: a set is implied when one with an item less implies, is implied, or is not listed.

    A set that is not listed has a rare part, and the absence of all rules from that implies the rest.
    """
    keys, parts = _keys(itemsets, profiles)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    implied = np.zeros_like(implies)
    size = np.diff(itemsets.offsets)
    for many in range(2, int(size.max(initial=0)) + 1):
        sets = np.flatnonzero(size == many)
        for item in range(many):
            parent = keys[sets] - parts[itemsets.offsets[sets] + item]
            place = np.minimum(np.searchsorted(ordered, parent), len(ordered) - 1)
            listed = ordered[place] == parent
            parents = order[place]
            implied[sets] |= ~listed[:, None] | implies[parents] | implied[parents]
    return implied


def _keys(itemsets: ProfileItemsets, profiles: Profiles) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the itemsets uniquely; return the numbers, and what each item adds to the number of its set."""
    sizes = [int(most) + 2 for most in profiles.codes.max(axis=0, initial=-1)]
    factors = [1]
    for size in sizes:
        factors.append(factors[-1] * size)
    kind: Any = np.int64 if factors[-1] < 1 << 62 else object
    parts = np.array(factors[:-1], kind)[itemsets.columns] * (itemsets.codes.astype(kind) + 1)
    keys = np.add.reduceat(parts, itemsets.offsets[:-1]) if len(itemsets) else parts
    return keys, parts
