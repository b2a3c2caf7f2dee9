"""Finding the record that a row of codes is, among many distinct ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from giveaway.model.data.arrays import Codes, Ints


@dataclass(frozen=True, eq=False)
class Records:
    """Distinct rows of codes in lexicographic order, -1 before all codes; a row is found column by column."""

    sizes: tuple[int, ...]
    """One more than the number of labels of each column."""
    keys: tuple[Ints, ...]
    """For each column, ascending: the place of what stands before it times the size, and the code plus one."""

    @classmethod
    def of(cls, columns: Sequence[Codes], labels: Sequence[int], count: int) -> "tuple[Records, Ints, Ints]":
        """Return the records of some rows, the first row of each record, and the record of each row."""
        place = np.zeros(count, np.int64)
        sizes = tuple(number + 1 for number in labels)
        keys = []
        for codes, size in zip(columns, sizes, strict=True):
            known, place = np.unique(place * size + codes + 1, return_inverse=True)
            keys.append(known)
        _, first = np.unique(place, return_index=True)
        return cls(sizes, tuple(keys)), first, place.astype(np.int64)

    def find(self, columns: Sequence[Codes], count: int) -> Ints | None:
        """Return the record of each row; None where a row is none of them."""
        place = np.zeros(count, np.int64)
        for codes, size, known in zip(columns, self.sizes, self.keys, strict=True):
            wanted = place * size + codes + 1
            place = np.searchsorted(known, wanted).astype(np.int64)
            if not np.array_equal(known[np.minimum(place, len(known) - 1)], wanted):
                return None
        return place
