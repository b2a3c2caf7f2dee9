"""What is written of the original: what a release withholds, renames and puts in another order."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import label_key
from giveaway.model.release.cells import Cells

Coarser = Mapping[str, tuple[Ints, NDArray[np.object_]]]
"""For each column with entries that are published coarser their rows, ascending from 0, and the texts written there."""

Renaming = Mapping[Hashable, str]
Named = TypeVar("Named", bound=Hashable)


@dataclass(frozen=True)
class Published:
    """What is written of each item: its label or what stands for it, nothing where it is withheld; entries empty or coarser."""

    without: Collection[Hashable] = ()
    """The items or columns that are withheld."""
    renaming: Renaming | None = None
    """What is written instead of each label; several labels may be written alike, and a row then has them once."""
    order: Ints | None = None
    """For each place of the release the number, from 0, of the record or transaction of the original that stands there.

    Those of a long table are numbered as they first appear, those that an engine holds in the order of their ids. The
    items of a transaction are then in an order of their own too. None keeps the original order.
    """
    cells: Cells = Cells()
    """The entries that are withheld."""
    levels: Coarser = field(default_factory=dict)
    """The texts that are written into entries that are published coarser; their columns become text."""

    @property
    def shuffled(self) -> bool:
        """Whether the rows stand in another order than the original ones."""
        return self.order is not None

    @property
    def sorts_items(self) -> bool:
        """Whether the items of a row stand in an order of their own, which tells nothing of the original one."""
        return self.shuffled or self.renaming is not None

    @property
    def key(self) -> Callable[[Any], Any]:
        """The sort key of what is written of items: codes and labels have different orders."""
        return label_key if self.renaming is None else code_key

    def named(self, labels: Iterable[Named]) -> dict[str, list[Named]]:
        """Return the labels that are written as each name, in the order of their first occurrence."""
        names: dict[str, list[Named]] = {}
        for label in labels:
            name = self.name(label)
            if name is not None:
                names.setdefault(str(name), []).append(label)
        return names

    def places(self, count: int) -> Ints:
        """Return the place, from 0, of each of `count` original rows in the release."""
        return np.arange(count) if self.order is None else np.argsort(self.order)

    def name(self, label: Hashable) -> Hashable:
        """Return what stands for a label in the release, None where it is withheld."""
        if label in self.without:
            return None
        return label if self.renaming is None else self.renaming.get(label)

    def in_row(self, labels: list[Hashable]) -> list[Hashable]:
        """Return what is written of a row: each name once, in an order of their own unless the given one is kept."""
        names = [name for name in dict.fromkeys(map(self.name, labels)) if name is not None]
        return sorted(names, key=self.key) if self.sorts_items else names


def code_key(code: object) -> tuple[int, str]:
    """Return the sort key of a code; the order of renamed items must not follow that of their labels."""
    return len(str(code)), str(code)
