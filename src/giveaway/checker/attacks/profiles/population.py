"""Everybody as an attacker knows them: profiles, and the sensitive values that people have in truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from giveaway.checker.grouping import Flags, Ints, added, numbered
from giveaway.checker.promise import disagree
from giveaway.model.data.table import Table
from giveaway.model.release.rule import Statement


@dataclass(frozen=True, kw_only=True, eq=False)
class Crowd:
    """Everybody by profile, and by profile and sensitive values."""

    columns: tuple[str, ...]
    codes: Ints
    weights: Ints
    groups: Flags
    """Which profiles are in the groups of rows that statements are about."""
    profile: Ints
    truth: Ints
    number: Ints
    """People with equal profiles and sensitive values: their profile, the answer in each column, how many."""
    answers: Flags
    """Which joint values have an answer: a value of one sensitive column."""
    first: dict[str, int]
    """The number of the first answer of each sensitive column."""
    present: Ints
    """The profiles of those whom a list is about."""

    @property
    def people(self) -> int:
        """The number of people."""
        return int(self.weights[self.present].sum())

    def within(self, group: int) -> "Crowd":
        """Return those who are in a group of rows."""
        return replace(self, present=np.flatnonzero(self.groups[:, group]))

    @cached_property
    def holding(self) -> Ints:
        """The number of people of each profile who have each answer."""
        counts = np.zeros((len(self.weights), len(self.answers) + 1), np.int64)
        for answer in self.truth.T:
            np.add.at(counts, (self.profile, answer), self.number)
        return counts[:, :-1]  # where the answer is missing it is -1

    def members(self, wanted: Mapping[str, set[int]], group: int | None = None) -> Ints:
        """Return the profiles that have one of the wanted values in each column, and are in a group of rows."""
        met = np.zeros(len(self.weights), np.bool_)
        met[self.present] = True
        if group is not None:
            met &= self.groups[:, group]
        for name, codes in wanted.items():
            if name not in self.columns:
                raise disagree(f"Something is said about {name}, which the attacker does not know.")
            met &= np.isin(self.codes[:, self.columns.index(name)], list(codes))
        return np.flatnonzero(met)


def crowd(
    table: Table, columns: tuple[str, ...], statements: Sequence[Statement], lists: Sequence[Ints] = ()
) -> Crowd:
    """Put the people of a table together; those in a group of rows that a statement or a list is about are known to be."""
    rows = [*(statement.rows for statement in statements if statement.rows is not None), *lists]
    records = table.record_of if rows else np.arange(len(table.weights))
    weights = np.ones(len(records), np.int64) if rows else table.weights
    known = [table.columns[name][records] for name in columns]
    marks = [np.isin(np.arange(len(records)), group).astype(np.int64) for group in rows]
    first, profile = numbered([*known, *marks])
    sizes = [len(table.labels[name]) for name in table.sensitive]
    starts = np.cumsum([0, *sizes])
    truth = [table.columns[name][records].astype(np.int64) for name in table.sensitive]
    answers = [np.where(codes < 0, -1, codes + start) for codes, start in zip(truth, starts, strict=False)]
    kind, group = numbered([profile, *answers])
    joint = np.array(np.unravel_index(np.arange(prod(sizes)), sizes))
    return Crowd(
        columns=columns,
        codes=np.stack([codes[first] for codes in known], axis=1).astype(np.int64),
        weights=added(profile, weights, len(first)),
        groups=np.array([mark[first] for mark in marks], np.bool_).reshape(len(marks), len(first)).T,
        profile=profile[kind],
        truth=np.stack([codes[kind] for codes in answers], axis=1),
        number=added(group, weights, len(kind)),
        answers=np.concatenate([joint[at] == np.arange(size)[:, None] for at, size in enumerate(sizes)]),
        first=dict(zip(table.sensitive, starts.tolist(), strict=False)),
        present=np.arange(len(first)),
    )
