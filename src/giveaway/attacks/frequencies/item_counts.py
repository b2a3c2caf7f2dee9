"""Items with their counts: all that an attacker who knows frequencies looks at."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions

_SHOWN = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemCounts:
    """The items of a domain in label order, how many transactions hold each, and how many transactions there are."""

    labels: tuple[Label, ...]
    counts: Ints
    transactions: int

    @cached_property
    def place_of(self) -> dict[Label, int]:
        """The place of each label."""
        return {label: place for place, label in enumerate(self.labels)}

    def places(self, labels: Iterable[Label], what: str) -> Ints:
        """Find items, and refuse labels that do not exist."""
        asked = list(labels)
        unknown = [label for label in asked if label not in self.place_of]
        if unknown:
            more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
            shown = ", ".join(map(str, self.labels[:_SHOWN]))
            raise ScenarioError(
                f"{what} {unknown[0]!r}{more}, which is not {nouns().an_item} of the data or of the domain.",
                exists=f"{shown} and {len(self.labels) - _SHOWN:,} more"
                if len(self.labels) > _SHOWN
                else shown,
                hint=f"labels from files are text; {nouns().an_item} that never occurs belongs in domain.",
            )
        return np.array([self.place_of[label] for label in asked], np.int64)

    def without(self, items: Iterable[Label]) -> tuple["ItemCounts", Ints]:
        """Return the items that are left when some are withheld, and where they stood."""
        gone = set(items)
        kept = np.array([label not in gone for label in self.labels], np.bool_) if gone else None
        if kept is None:
            return self, np.arange(len(self.labels))
        left = np.flatnonzero(kept)
        labels = tuple(self.labels[place] for place in left.tolist())
        return ItemCounts(labels=labels, counts=self.counts[left], transactions=self.transactions), left


def counted(data: Transactions | Supports) -> ItemCounts:
    """Count the items of some data; those of the domain that never occur have count 0."""
    silent = data.domain if isinstance(data, Transactions) else ()
    if not silent:
        return ItemCounts(labels=data.labels, counts=data.supports, transactions=len(data))
    labels = tuple(in_order([*data.labels, *silent]))
    known = dict(zip(data.labels, data.supports.tolist(), strict=True))
    counts = np.array([known.get(label, 0) for label in labels], np.int64)
    return ItemCounts(labels=labels, counts=counts, transactions=len(data))
