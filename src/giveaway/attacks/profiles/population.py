"""Everybody as the attacker knows them: their profiles, and the sensitive values that they have in truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from giveaway.errors import BudgetExceeded
from giveaway.itemsets.profile_itemsets import Profiles
from giveaway.maximum_entropy.constraints import Flags, Floats
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.progress import memory

_COPIES = 8
"""How many matrices of profiles by values a solution takes at a time."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Domain:
    """The sensitive values that somebody may have: one of each sensitive column.

    An answer is a value of one column, numbered column by column in label order; a joint value has one answer of
    each column. With one sensitive column the two are the same.
    """

    sensitive: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each column."""
        return tuple(map(len, self.labels))

    @property
    def size(self) -> int:
        """The number of joint values."""
        return prod(self.sizes)

    @cached_property
    def first(self) -> Ints:
        """The first answer of each column, and the number of answers."""
        return np.cumsum([0, *self.sizes])

    @cached_property
    def answers(self) -> Flags:
        """Which joint values have an answer: answers by joint values."""
        codes = np.array(np.unravel_index(np.arange(self.size), self.sizes))
        return np.concatenate([codes[p] == np.arange(size)[:, None] for p, size in enumerate(self.sizes)])

    def place(self, answer: int) -> int:
        """Return the number of an answer's column."""
        return int(np.searchsorted(self.first, answer, side="right")) - 1

    def named(self, answer: int) -> tuple[str, Label]:
        """Return the column and the value of an answer."""
        place = self.place(answer)
        return self.sensitive[place], self.labels[place][answer - int(self.first[place])]

    def answer(self, place: int, label: Label) -> int | None:
        """Return the answer that is a value of a column, None if the column does not have it."""
        index = self.labels[place].index(label) if label in self.labels[place] else None
        return None if index is None else int(self.first[place]) + index

    def per_answer(self, chance: Floats) -> Floats:
        """Add up the chances of joint values to those of answers, row by row."""
        if len(self.sizes) == 1:
            return chance
        whole = chance.reshape(len(chance), *self.sizes)
        axes = range(1, whole.ndim)
        return np.concatenate(
            [whole.sum(axis=tuple(axis for axis in axes if axis != kept)) for kept in axes], axis=1
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PeopleProfiles:
    """The profiles of everybody, and kinds of people who share a profile and the sensitive values.

    `truth[k, p]` is the code of kind `k` in sensitive column `p`, -1 where it is missing. Somebody who is in a group
    of rows that a statement is about is known to be in it, so this is a part of the profile too: `in_group[q, g]`.
    """

    columns: tuple[str, ...]
    labels: Mapping[str, tuple[Label, ...]]
    domain: Domain
    profiles: Profiles
    in_group: Flags
    kind_profile: Ints
    truth: Codes
    number: Ints
    profile_of: Ints
    """The profile of each row of the original."""

    @property
    def records(self) -> int:
        """The number of records of the original."""
        return self.profiles.records

    @cached_property
    def incomplete(self) -> Flags:
        """The profiles that miss a value."""
        return np.asarray((self.profiles.codes < 0).any(axis=1))

    @cached_property
    def holding(self) -> Ints:
        """The number of people of each profile who have an answer in truth."""
        holding = np.zeros((len(self.profiles.weights), int(self.domain.first[-1])), np.int64)
        for place, first in enumerate(self.domain.first[:-1]):
            known = self.truth[:, place] >= 0
            np.add.at(
                holding, (self.kind_profile[known], first + self.truth[known, place]), self.number[known]
            )
        return holding

    def common(self, answer: int) -> Fraction:
        """Return the part of the people with a known value who have an answer in truth."""
        place = self.domain.place(answer)
        first, end = (int(part) for part in self.domain.first[place : place + 2])
        known = int(self.holding[:, first:end].sum())
        return Fraction(int(self.holding[:, answer].sum()), max(known, 1))

    def missing(self, place: int) -> int:
        """Count the records that miss the value of a sensitive column."""
        return int(self.number[self.truth[:, place] < 0].sum())

    def condition(self, columns: Codes, codes: Codes) -> dict[str, Label]:
        """Name the values of an itemset by their columns."""
        names = [self.columns[column] for column in columns.tolist()]
        return {name: self.labels[name][code] for name, code in zip(names, codes.tolist(), strict=True)}

    def target(self, profile: int) -> dict[str, Label]:
        """Name a profile by its values; None where one is missing."""
        codes = self.profiles.codes[profile]
        return {
            column: self.labels[column][code] if code >= 0 else None
            for column, code in zip(self.columns, codes.tolist(), strict=True)
        }


def people(table: Table, columns: tuple[str, ...], groups: Sequence[Ints]) -> PeopleProfiles:
    """Put the people of a table together; `groups` are rows, counted from 0, that statements are about."""
    domain = Domain(sensitive=table.sensitive, labels=tuple(table.labels[name] for name in table.sensitive))
    # Identical records may be in different groups of rows.
    records = table.record_of if groups else np.arange(len(table.weights))
    weights = np.ones(len(records), np.int64) if groups else table.weights
    marks = [_marks(rows, len(records)) for rows in groups]
    known = [table.columns[name][records] for name in columns]
    secret = [table.columns[name][records] for name in table.sensitive]
    profile, first = arrays.alike([*known, *marks])
    _refuse_too_much(len(first), domain.size)
    kind, kind_first = arrays.alike([profile, *secret])
    number = arrays.added(kind, weights, len(kind_first))
    truth = np.stack([codes[kind_first] for codes in secret], axis=1).astype(np.int32)
    kind_profile = profile[kind_first]
    return PeopleProfiles(
        columns=columns,
        labels=table.labels,
        domain=domain,
        profiles=Profiles(
            codes=np.stack([codes[first] for codes in known], axis=1).astype(np.int32),
            weights=arrays.added(profile, weights, len(first)),
            values=_joint(domain, kind_profile, truth, number, len(first)),
        ),
        in_group=np.stack([mark[first] == 1 for mark in marks], axis=1)
        if groups
        else np.zeros((len(first), 0), np.bool_),
        kind_profile=kind_profile,
        truth=truth,
        number=number,
        profile_of=profile if groups else profile[table.record_of],
    )


def _joint(domain: Domain, profile: Ints, truth: Codes, number: Ints, profiles: int) -> Ints:
    """Count the records of each profile and joint value; those that miss a part of it are left out."""
    known = (truth >= 0).all(axis=1)
    joint = np.ravel_multi_index(tuple(truth[known].T), domain.sizes)
    values = np.zeros((profiles, domain.size), np.int64)
    np.add.at(values, (profile[known], joint), number[known])
    return values


def _marks(rows: Ints, many: int) -> Ints:
    marks = np.zeros(many, np.int64)
    marks[rows] = 1
    return marks


def _refuse_too_much(profiles: int, values: int) -> None:
    if 8 * _COPIES * profiles * values > memory():
        raise BudgetExceeded(
            f"{profiles:,} profiles with {values:,} sensitive values do not fit in the memory allowed.",
            hint="name fewer columns, or allow more with --memory.",
        )
