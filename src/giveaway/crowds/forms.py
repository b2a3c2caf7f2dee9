"""Profiles of people, the forms in which they can be published, and one integer for each form."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Codes, Ints, alike

Flags = NDArray[np.bool_]
Vectors = NDArray[np.int8]
"""Vectors of levels, one level for each column: 0 shows the value, the last level is a blank."""

MISSING = -1
BLANK = 0
"""The label of a blank, and of a missing value, which is blank anyway."""

_LARGEST_KEY = 1 << 62
_WORDS = 20_060_403
"""Draws the words of the columns where one number does not hold all forms; which words does not matter."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnForms:
    """How the values of one column can be published: as they are, by coarser labels, or blank.

    >>> ages = ColumnForms(values=4, coarser=((0, 0, 1, 1),), costs=(Fraction(1, 3), 1))
    >>> ages.labels.tolist()
    [[0, 1, 2, 3, 4], [0, 5, 5, 6, 6], [0, 0, 0, 0, 0]]

    Each row of `labels` is a level; its first entry is for a missing value. Labels of two levels that stand for the same
    values are one label, because nobody who reads it can tell them apart.
    """

    values: int
    """How many values the column has; their codes must be in the order of the values."""
    coarser: tuple[Sequence[int], ...] = ()
    """For each level between value and blank the group of each value."""
    costs: tuple[Fraction | int, ...] = (1,)
    """What an entry costs at each level above 0; the last is the cost of a blank."""

    def __post_init__(self) -> None:
        if len(self.costs) != len(self.coarser) + 1:
            raise ScenarioError("A column needs a cost for each of its levels above the value.")
        if any(cost < 0 for cost in self.costs) or list(self.costs) != sorted(self.costs):
            raise ScenarioError("What an entry costs must not be below 0, nor fall from a level to the next.")
        if any(len(groups) != self.values for groups in self.coarser):
            raise DataError("A level must have a group for each value of its column.")

    @property
    def last(self) -> int:
        """The level of a blank."""
        return len(self.costs)

    @cached_property
    def labels(self) -> Ints:
        """The label of each value at each level; 0 is a blank."""
        labels = np.zeros((self.last + 1, self.values + 1), np.int64)
        labels[0, 1:] = np.arange(1, self.values + 1)
        numbers = {frozenset((value,)): value + 1 for value in range(self.values)}
        for level, groups in enumerate(self.coarser, start=1):
            together: dict[int, list[int]] = {}
            for value, group in enumerate(groups):
                together.setdefault(group, []).append(value)
            for members in together.values():
                number = numbers.setdefault(frozenset(members), len(numbers) + 1)
                labels[level, 1 + np.array(members)] = number
        return labels

    @property
    def size(self) -> int:
        """How many labels there are, the blank included."""
        return int(self.labels.max(initial=0)) + 1

    def prices(self, scale: int) -> Ints:
        """Return what each value costs at each level, times `scale`: nothing where its label stands for it alone."""
        costs = np.array([0, *(int(cost * scale) for cost in self.costs)], np.int64)
        prices = np.repeat(costs[:, None], self.values + 1, axis=1)
        prices[self.labels == self.labels[0]] = 0
        return prices


@dataclass(frozen=True, kw_only=True, eq=False)
class CrowdProfiles:
    """The distinct profiles of people, with the number of members of each: all that a plan may look at.

    What marks the entries of a row (`shown`, `hidden`) and how many rows its person has (`rows_each`) is part of the
    profile. Profiles are in the order of their codes, whatever the order of the rows was.

    >>> profiles, profile_of = CrowdProfiles.of_rows(np.array([[1, 0], [0, 2], [1, 0]]), [ColumnForms(values=2), ColumnForms(values=3)])
    >>> profiles.codes.tolist(), profiles.counts.tolist(), profile_of.tolist()
    ([[0, 2], [1, 0]], [1, 2], [1, 0, 1])
    """

    codes: Codes
    """The values in the compared columns, -1 where one is missing."""
    counts: Ints
    levels: tuple[ColumnForms, ...]
    shown: Flags | None = None
    """Entries that must be shown as they are."""
    hidden: Flags | None = None
    """Entries that must be blank."""
    most_blanks: Ints | None = None
    """How many values of a member may be blank, besides those that must be."""
    rows_each: Ints | None = None
    """How many rows a person with a row of this profile has at most; 1 where this is None."""

    @classmethod
    def of_rows(
        cls,
        rows: NDArray[np.integer],
        levels: Sequence[ColumnForms],
        *,
        shown: Flags | None = None,
        hidden: Flags | None = None,
        most_blanks: Ints | int | None = None,
        person: NDArray[np.integer] | None = None,
    ) -> "tuple[CrowdProfiles, Ints]":
        """Merge rows of codes into profiles; return the profile of each row too.

        `person` numbers whose row each is, where people have several: a row of somebody with three rows needs a crowd
        three times as large, since three of the rows it could be are this person's (no row may tell whose others are).
        """
        width = len(levels)
        if rows.ndim != 2 or rows.shape[1] != width:
            raise DataError("The rows of a plan must have a code in each of its columns.")
        if any(
            code.min(initial=0) < MISSING or code.max(initial=-1) >= one.values
            for one, code in zip(levels, rows.T, strict=True)
        ):
            raise DataError("A code is not among the values of its column.")
        if shown is not None and hidden is not None and (shown & hidden).any():
            raise ScenarioError("An entry must be shown and must be blank.")
        blanks = (
            None if most_blanks is None else np.broadcast_to(np.asarray(most_blanks, np.int64), len(rows))
        )
        each = None if person is None else np.bincount(person)[person]
        marks = [mark for mark in (shown, hidden) if mark is not None]
        columns = [*rows.T, *(part for mark in marks for part in mark.T)]
        columns += [part for part in (blanks, each) if part is not None]
        profile_of, first = alike(columns)

        def kept(part: Flags | Ints | None) -> Any:
            return None if part is None else part[first]

        merged = cls(
            codes=rows[first].astype(np.int32),
            counts=np.bincount(profile_of, minlength=len(first)),
            levels=tuple(levels),
            shown=kept(shown),
            hidden=kept(hidden),
            most_blanks=kept(blanks),
            rows_each=kept(each),
        )
        return merged, profile_of

    def some(self, profile: Ints) -> "CrowdProfiles":
        """Return some of the profiles."""

        def kept(part: Flags | Ints | None) -> Any:
            return None if part is None else part[profile]

        return CrowdProfiles(
            codes=self.codes[profile],
            counts=self.counts[profile],
            levels=self.levels,
            shown=kept(self.shown),
            hidden=kept(self.hidden),
            most_blanks=kept(self.most_blanks),
            rows_each=kept(self.rows_each),
        )

    @property
    def rows(self) -> int:
        """The number of rows of all profiles."""
        return int(self.counts.sum())

    @cached_property
    def scale(self) -> int:
        """What costs are multiplied by, to be whole numbers."""
        return lcm(*(Fraction(cost).denominator for one in self.levels for cost in one.costs))

    @cached_property
    def parts(self) -> tuple[Ints, ...]:
        """For each column what its labels add to the key of a form, by level and profile.

        The key is a mixed radix number, the first column the highest digit, so that keys are in the order of the
        labels. Where 63 bits do not hold it, each label is a random word instead, and `labels_of` tells forms apart.
        """
        sizes = [one.size for one in self.levels]
        if prod(sizes) <= _LARGEST_KEY:
            digits = [np.arange(size) * prod(sizes[at + 1 :]) for at, size in enumerate(sizes)]
        else:
            draw = np.random.default_rng(_WORDS)
            digits = [draw.integers(-_LARGEST_KEY, _LARGEST_KEY, size) for size in sizes]
            for words in digits:
                words[BLANK] = 0
        return self._looked_up([digit[one.labels] for digit, one in zip(digits, self.levels, strict=True)])

    @cached_property
    def prices(self) -> tuple[Ints, ...]:
        """For each column what a member pays, by level and profile, times `scale`."""
        return self._looked_up([one.prices(self.scale) for one in self.levels])

    @cached_property
    def home(self) -> Vectors:
        """The levels at which each profile shows all that it may."""
        levels = np.zeros(self.codes.shape, np.int8)
        if self.hidden is not None:
            levels[self.hidden] = np.broadcast_to(self._last, levels.shape)[self.hidden]
        return levels

    def keys_at(self, vectors: Vectors) -> Ints:
        """Return the key of the form of each profile, at the levels in its row of `vectors`."""
        return self._summed(self.parts, vectors)

    def prices_at(self, vectors: Vectors) -> Ints:
        """Return what a member of each profile pays at the levels in its row of `vectors`, times `scale`."""
        return self._summed(self.prices, vectors)

    def labels_of(self, profile: Ints, vectors: Vectors) -> Ints:
        """Return what is published of members of some profiles, each at its levels: a label for each column."""
        return np.stack(
            [one.labels[vectors[:, at], self.codes[profile, at] + 1] for at, one in enumerate(self.levels)],
            axis=1,
        ).reshape(len(profile), len(self.levels))

    def blanks_of(self, profile: Ints, vectors: Vectors) -> Ints:
        """Return how many values of members of some profiles are blank, each at its levels."""
        blank: Ints = ((vectors == self._last) & (self.codes[profile] != MISSING)).sum(axis=1)
        return blank

    def allows(self, vector: Vectors, profile: Ints) -> Flags:
        """Tell which of some profiles may be published at the levels of a vector."""
        values = self.codes[profile] + 1
        labels = self.labels_of(profile, np.broadcast_to(vector, values.shape))
        allowed = np.ones(len(profile), np.bool_)
        chosen = (labels == BLANK) & (values != BLANK)
        if self.shown is not None:
            allowed &= ((labels == values) | ~self.shown[profile]).all(axis=1)
        if self.hidden is not None:
            allowed &= ((labels == BLANK) | ~self.hidden[profile]).all(axis=1)
            chosen &= ~self.hidden[profile]
        if self.most_blanks is not None:
            allowed &= chosen.sum(axis=1) <= self.most_blanks[profile]
        return allowed

    def needs(self, crowd: int) -> Ints:
        """Return how many rows must look like a member of each profile."""
        each = self.rows_each
        return np.full(len(self.counts), crowd) if each is None else each * crowd

    @property
    def is_marked(self) -> bool:
        """Whether some vectors are not allowed for some profiles."""
        return self.shown is not None or self.hidden is not None or self.most_blanks is not None

    @property
    def _last(self) -> Vectors:
        return np.array([one.last for one in self.levels], np.int8)

    def _looked_up(self, tables: Sequence[Ints]) -> tuple[Ints, ...]:
        return tuple(table[:, code + 1] for table, code in zip(tables, self.codes.T, strict=True))

    def _summed(self, tables: tuple[Ints, ...], vectors: Vectors) -> Ints:
        sums = np.zeros(len(self.codes), np.int64)
        every = np.arange(len(self.codes))
        for table, level in zip(tables, vectors.T, strict=True):
            sums += table[level, every]
        return sums
