"""Orders of rows and items in a release that must not follow those of the original."""

import os
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np

from giveaway.model.cells import Cells
from giveaway.model.origin import Coarser
from giveaway.model.rows import Ints

Renaming = Mapping[Hashable, str]


@dataclass(frozen=True)
class Published:
    """What is written of each item: its label or a code instead, nothing where it is withheld; entries left empty or coarser."""

    without: Collection[Hashable]
    renaming: Renaming | None = None
    shuffled: bool = False
    cells: Cells = Cells()
    levels: Coarser = field(default_factory=dict)

    def name(self, label: Hashable) -> Hashable:
        """Return what stands for a label in the release, None where it is withheld."""
        if label in self.without:
            return None
        return label if self.renaming is None else self.renaming.get(label)

    def in_row(self, labels: list[Hashable]) -> list[Hashable]:
        """Return what is written of a row: each item once, in the given order, codes in their own order."""
        names = [name for name in map(self.name, dict.fromkeys(labels)) if name is not None]
        return names if self.renaming is None else sorted(names, key=code_key)


def code_key(code: object) -> tuple[int, str]:
    """Return the sort key of a code; the order of renamed items must not follow that of their labels."""
    return len(str(code)), str(code)


def random_order(count: int) -> Ints:
    """Return a random order drawn from the operating system's entropy."""
    keys = np.frombuffer(os.urandom(8 * count), np.uint64)
    return np.argsort(keys, kind="stable").astype(np.int64)
