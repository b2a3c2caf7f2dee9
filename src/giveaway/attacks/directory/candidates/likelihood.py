"""How likely somebody is to take each person of a directory who agrees: by a number of each, next to those of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.data.arrays import Ints
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction

_LARGEST = 10**15
"""Sums of likelihoods stay whole numbers that arrays hold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Likelihood:
    """A directory in which everybody counts as often as they are likely, in whole numbers, and these numbers by id."""

    people: People
    of: Mapping[str, int]

    def in_classes(self, classes: Mapping[str, Classes]) -> "Likelihood":
        """Return the same with the classes of a release in the place of values."""
        return replace(self, people=self.people.in_classes(classes))

    def of_records(self, table: Table) -> Ints:
        """Return the likelihood of the person of each record, by their ids; 0 where they are not in the directory."""
        return np.array([self.of.get(str(label), 0) for label in table.ids], np.int64)


def weighed(people: People, column: str) -> tuple[People, Likelihood]:
    """Split a directory into its people, and how likely each is taken; the column is not compared any more."""
    if column not in people.columns:
        raise ScenarioError(
            f'{people.name} has no column "{column}", which likelihood names.',
            exists=", ".join(people.columns),
            field="likelihood",
        )
    if people.ids is None or people.entries is None:
        raise ScenarioError(
            "likelihood needs to know who is who in the directory.",
            hint="name the column that identifies people with id.",
            field="likelihood",
        )
    if people.several:
        raise DataError(
            f"{people.name} has several entries of the same person, and likelihood needs one of each.",
            hint="keep one line for each person.",
        )
    parts = [fraction(label, f"likelihood in {people.name}") for label in people.labels[column]]
    if (people.columns[column] < 0).any() or any(part <= 0 for part in parts):
        raise DataError(
            f'The column "{column}" of {people.name} must be a number above 0 for everybody.',
            hint="who is never taken does not belong in the directory.",
        )
    scale = lcm(*(part.denominator for part in parts))
    number = [int(part * scale) for part in parts]
    if (
        sum(number[code] * int(many) for code, many in zip(people.columns[column], people.alone, strict=True))
        > _LARGEST
    ):
        raise DataError(
            f'The numbers of "{column}" in {people.name} are too large or too fine.', hint="round them."
        )
    each = np.array([*number, 0], np.int64)[people.columns[column]]
    whole = replace(people, alone=people.alone * each)
    return people.without(column), Likelihood(
        people=whole.without(column),
        of={str(label): int(each[entry]) for label, entry in zip(people.ids, people.entries, strict=True)},
    )
