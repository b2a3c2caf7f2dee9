"""Supports: how many transactions hold each item, without the transactions themselves."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.memory import Remembering
from giveaway.model.data.origin import Origin

LARGEST = 10**18 - 1
"""The largest count: twice as many must be a number of 64 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Supports(Remembering):
    """The number of transactions that hold each item, out of all; an item that never occurs has support 0.

    >>> counted = Supports.from_counts({"bread": 7, "jam": 2}, transactions=10)
    >>> counted.labels, len(counted), counted.occurrences
    (('bread', 'jam'), 10, 9)
    """

    labels: tuple[Label, ...]
    supports: Ints
    transactions: int
    origin: Origin | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        most = int(self.supports.max(initial=0))
        if most > self.transactions:
            label = self.labels[int(self.supports.argmax())]
            raise DataError(
                f"The item {label!r} is in {most:,} transactions, and there are {self.transactions:,}.",
                hint="transactions is the number of all transactions, empty ones too.",
            )
        if (self.supports < 0).any():
            raise DataError(
                f"The support of {self.labels[int(self.supports.argmin())]!r} is below 0.",
                hint="a support is the number of transactions that hold the item.",
            )

    @classmethod
    def from_counts(
        cls, counts: Mapping[Label, int], *, transactions: int, origin: Origin | None = None
    ) -> "Supports":
        """Put the labels in their order."""
        labels = tuple(in_order(counts))
        if transactions > LARGEST:
            raise ScenarioError(
                f"transactions = {transactions:,} is too large.", hint=f"up to {LARGEST:,} can be judged."
            )
        large = next((label for label in labels if counts[label] > LARGEST), None)
        if large is not None:
            raise DataError(
                f"The support of {large!r} is too large.", hint=f"up to {LARGEST:,} can be judged."
            )
        supports = np.array([counts[label] for label in labels], np.int64)
        return cls(labels=labels, supports=supports, transactions=transactions, origin=origin)

    def __len__(self) -> int:
        """Return the number of transactions, empty ones included."""
        return self.transactions

    @property
    def occurrences(self) -> int:
        """The number of item occurrences."""
        return int(self.supports.sum())

    @cached_property
    def code_of(self) -> dict[Label, int]:
        """The place of each label."""
        return {label: code for code, label in enumerate(self.labels)}

    def without(self, items: Collection[Label]) -> "Supports":
        """Return the supports without some items."""
        if not items:
            return self
        unknown = [label for label in items if label not in self.code_of]
        if unknown:
            raise ScenarioError(f"The item {unknown[0]!r} is not in the data and cannot be withheld.")
        gone = set(items)
        stays = np.array([label not in gone for label in self.labels], np.bool_)
        labels = tuple(label for label in self.labels if label not in gone)
        return replace(self, labels=labels, supports=self.supports[stays])
