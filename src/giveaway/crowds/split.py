"""Which members of which profiles carry which forms, and what that tells about people: theorems 1, 2 and 3."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Ints, positions
from giveaway.model.progress import telling

Floats = NDArray[np.float64]

_WEIGHING = "working out exact chances"
_SOME = 1_000
_NEAR = 1e-9
"""How near to the largest a float must be to be computed in fractions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """How many members of each profile carry each form: c(p, x), one line for each pair that occurs.

    Rows `ax ay ay` in the forms `a- a- ay`:

    >>> split = Split.observed(np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> split.crowds.tolist(), split.sizes.tolist()
    ([2, 1], [1, 2])
    """

    profile: Ints
    form: Ints
    members: Ints
    """Whole numbers; of Python where they are large."""

    @classmethod
    def observed(cls, profile_of_row: Ints, form_of_row: Ints, rows: Ints | None = None) -> "Split":
        """Count the rows of a release: how it was made is then taken to be what it shows; `rows` says how many are equal."""
        forms = max(int(form_of_row.max(initial=-1)) + 1, 1)
        pairs, of = np.unique(profile_of_row * forms + form_of_row, return_inverse=True)
        members = np.bincount(of.reshape(-1), weights=rows, minlength=len(pairs)).astype(np.int64)
        return cls(profile=pairs // forms, form=pairs % forms, members=members)

    @cached_property
    def sizes(self) -> Ints:
        """The members of each profile: n_p."""
        return _summed(self.profile, self.members)

    @cached_property
    def crowds(self) -> Ints:
        """The rows of each form: N_x."""
        return _summed(self.form, self.members)

    @property
    def smallest_crowd(self) -> int:
        """The rows of the rarest form; 0 without rows."""
        return int(self.crowds[self.crowds > 0].min(initial=self.members.sum()))


def _summed(at: Ints, numbers: Ints) -> Ints:
    sums = np.zeros(int(at.max(initial=-1)) + 1, numbers.dtype)
    np.add.at(sums, at, numbers)
    return sums


@dataclass(frozen=True, kw_only=True, eq=False)
class ValuesHeld:
    """How many rows of each form have each value of a sensitive column: n(x, v), one line for each pair that occurs."""

    form: Ints
    value: Ints
    rows: Ints
    of: Ints
    """For each form the rows among which its values are counted."""

    @classmethod
    def observed(cls, form_of_row: Ints, value_of_row: NDArray[np.integer]) -> "ValuesHeld":
        """Count the rows of a release; rows without a value (-1) are left out."""
        forms = int(form_of_row.max(initial=-1)) + 1
        form, value = form_of_row[value_of_row >= 0], value_of_row[value_of_row >= 0].astype(np.int64)
        values = int(value.max(initial=-1)) + 1
        pairs, rows = np.unique(form * max(values, 1) + value, return_counts=True)
        return cls(
            form=pairs // max(values, 1),
            value=pairs % max(values, 1),
            rows=rows,
            of=np.bincount(form, minlength=forms),
        )


@dataclass(frozen=True, eq=False)
class Views:
    """For each profile the value that its members most likely have, and how likely that is."""

    chances: list[Fraction]
    values: Ints


class ProfileValuePairs:
    """The pairs of a profile and a value that its members may have, by profile and then value, with their chances."""

    def __init__(self, split: Split, held: ValuesHeld) -> None:
        """Join the forms of profiles with the values in them."""
        order = np.argsort(held.form, kind="stable")
        ends = np.searchsorted(held.form[order], split.form, side="right")
        starts = np.searchsorted(held.form[order], split.form)
        many = ends - starts
        line = np.repeat(np.arange(len(many)), many)
        at = order[positions(starts, many)]
        by_pair = np.lexsort((held.value[at], split.profile[line]))
        line, at = line[by_pair], at[by_pair]
        profile, value = split.profile[line], held.value[at]
        new = np.append(True, (profile[1:] != profile[:-1]) | (value[1:] != value[:-1]))[: len(line)]
        self._starts = np.append(np.flatnonzero(new), len(line))
        self._members, self._rows, self._of = split.members[line], held.rows[at], held.of[held.form[at]]
        self.profile, self.value = profile[new], value[new]
        self.sizes = split.sizes[self.profile]
        self._profiles = len(split.sizes)
        weights: Floats = (split.members / split.sizes[split.profile]).astype(np.float64)
        parts = weights[line] * (self._rows / self._of)
        self.shares: Floats = np.add.reduceat(parts, self._starts[:-1]) if len(parts) else parts

    def chance(self, pair: int) -> Fraction:
        """Return the chance of a pair exactly; 0 for -1, a pair that there is not."""
        if pair < 0:
            return Fraction(0)
        inside = slice(self._starts[pair], self._starts[pair + 1])
        columns = (self._members[inside], self._rows[inside], self._of[inside])
        lines = zip(*(column.tolist() for column in columns), strict=True)
        total = sum((Fraction(members * rows, of) for members, rows, of in lines), Fraction(0))
        return total / int(self.sizes[pair])

    def largest(self) -> Views:
        """Return what is learnt of the value of a member of each profile: the likeliest, the first of several (theorem 2).

        The chance of v for p is the sum over forms x of c(p, x) / n_p * n(x, v) / N_x. The split must not have looked at
        the values.

        >>> split = Split.observed(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
        >>> views = ProfileValuePairs(split, ValuesHeld.observed(np.array([0, 1, 1, 1]), np.array([0, 0, 1, 1]))).largest()
        >>> [str(chance) for chance in views.chances], views.values.tolist()
        (['2/3', '2/3'], [0, 1])
        """
        largest = np.zeros(self._profiles)
        np.maximum.at(largest, self.profile, self.shares)
        chances, values = [Fraction(0)] * self._profiles, np.full(self._profiles, -1)
        near = np.flatnonzero(self.shares >= largest[self.profile] - _NEAR).tolist()
        for pair in telling(_WEIGHING, near, every=_SOME):
            one, chance = int(self.profile[pair]), self.chance(pair)
            if chance > chances[one]:
                chances[one], values[one] = chance, self.value[pair]
        return Views(chances, values)

    def at(self, profile: Ints, value: Ints) -> Ints:
        """Find pairs; -1 where a profile has no chance of a value."""
        span = int(max(self.value.max(initial=0), value.max(initial=0))) + 1
        keys, wanted = self.profile * span + self.value, profile * span + value
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        known = (value >= 0) & (np.append(keys, -1)[place] == wanted)
        return np.where(known, place, -1)

    def over(self, limit: Fraction) -> NDArray[np.bool_]:
        """Tell which pairs are above a limit; those that are close to it are computed exactly."""
        over: NDArray[np.bool_] = self.shares > float(limit)
        near = np.flatnonzero(np.abs(self.shares - float(limit)) <= _NEAR).tolist()
        for pair in telling(_WEIGHING, near, every=_SOME):
            over[pair] = self.chance(pair) > limit
        return over


def surely_over(split: Split, held: ValuesHeld, limit: Fraction) -> bool:
    """Tell whether a view is over a limit for certain, by floats: a view that is hardly over it is not counted."""
    return bool((ProfileValuePairs(split, held).shares > float(limit) + _NEAR).any())
