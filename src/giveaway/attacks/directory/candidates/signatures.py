"""How everybody in a directory agrees with one record: people counted by the attributes in which they agree."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING
from giveaway.attacks.directory.candidates.columns import Columns
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints

if TYPE_CHECKING:
    from giveaway.attacks.directory.candidates.masks_kernels import Book

Masks = NDArray[np.uint64]

_FEW_BITS = 16
"""People are counted in a table of all masks of at most this many attributes."""
_FEW_ENTRIES = 4
"""The most entries of one person that are joined in all ways."""
_ROOM = 4096


@dataclass(frozen=True, eq=False)
class Signature:
    """How everybody agrees with one record: of `masks`, ascending, bit j says that attribute j agrees.

    The people consistent with a set S of disclosed attributes are the sum of `counts` over the masks that contain S.
    Counts have signs, so that somebody with several entries is counted once.
    """

    masks: Masks
    counts: Ints


class PlainTally:
    """Counts people by mask with numpy alone, where nobody has many entries.

    The masks that are part of two masks are the parts of what they have in common: by inclusion and exclusion somebody
    with several entries is counted once.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._compared = columns.finest()

    @cached_property
    def fits(self) -> bool:
        """Whether nobody has too many entries to join them in all ways."""
        return int(np.diff(self._columns.starts).max(initial=0)) <= _FEW_ENTRIES

    def signature(self, wanted: Codes) -> Signature:
        """Make the signature of a record, given by its keys."""
        masks = self._masks(wanted)
        lone, joined, counts = self._terms
        every = np.concatenate(
            [masks[lone], *(np.bitwise_and.reduce(masks[rows], axis=1) for rows in joined)]
        )
        if len(wanted) <= _FEW_BITS:
            total = np.zeros(1 << len(wanted), np.int64)
            np.add.at(total, every.astype(np.int64), counts)
            there = np.flatnonzero(total)
            return Signature(there.astype(np.uint64), total[there])
        different, group = np.unique(every, return_inverse=True)
        total = np.zeros(len(different), np.int64)
        np.add.at(total, group.reshape(-1), counts)
        return Signature(different[total != 0], total[total != 0])

    @cached_property
    def _terms(self) -> tuple[Ints, list[Ints], Ints]:
        """The entries of people who have no other, the entries joined of those who have, and their signed numbers."""
        columns = self._columns
        starts, sizes = columns.starts[:-1], np.diff(columns.starts)
        lone = np.flatnonzero(columns.alone)
        joined, counts = [], [columns.alone[lone]]
        for size in np.unique(sizes).tolist():
            begins = starts[sizes == size]
            for many in range(1, size + 1):
                for part in combinations(range(size), many):
                    joined.append(columns.several_entry[begins[:, None] + np.array(part)])
                    counts.append(np.full(len(begins), 1 if many % 2 else -1))
        return lone, joined, np.concatenate(counts)

    def _masks(self, wanted: Codes) -> Masks:
        """Return for each entry the attributes that agree; everybody agrees with what is not disclosed."""
        columns = self._columns
        masks = np.zeros(len(columns.alone), np.uint64)
        for place, (column, key) in enumerate(zip(self._compared.tolist(), wanted.tolist(), strict=True)):
            bit = np.uint64(1 << place)
            if column < 0 or key == MISSING:
                masks |= bit
            else:
                known = columns.keys[column]
                masks |= columns.agree(column, np.full(len(known), key, np.int32), known) * bit
        return masks


class CompiledTally:
    """Counts people by mask, compiled, with memory that is used again."""

    def __init__(self, columns: Columns) -> None:
        from giveaway.attacks.directory.candidates.kernels import TERMS
        from giveaway.attacks.directory.candidates.masks_kernels import MaskTerms, Owners

        self._columns = columns
        self._owners = Owners(columns.alone, columns.starts, columns.several_entry)
        self._terms = MaskTerms(
            np.empty(TERMS, np.uint64), np.zeros(TERMS, np.int64), np.zeros(TERMS, np.int64)
        )
        self._book = _book(_ROOM)
        self._compared = columns.finest()
        self._masks = np.empty(len(columns.alone), np.uint64)
        self._flags = np.zeros((len(self._compared), columns.widest), np.uint8)

    def signature(self, wanted: Codes) -> Signature:
        """Make the signature of a record, given by its keys."""
        from giveaway.attacks.directory.candidates.masks_kernels import compare

        compare(self._columns.entries, self._compared, wanted, self._flags, self._masks)
        return self._counted()

    def _counted(self) -> Signature:
        """Count people by the masks of all entries, in a larger book where there are many masks."""
        from giveaway.attacks.directory.candidates.masks_kernels import FULL, TOO_MANY, tally

        size = tally(self._masks, self._owners, self._book, self._terms)
        if size == TOO_MANY:
            raise BudgetExceeded(
                f"Somebody in {self._columns.people.name} has too many entries that agree with {nouns().a_record} in different ways.",
                hint="join the entries of each person in the directory, or compare fewer columns.",
            )
        if size == FULL:
            self._book = _book(4 * len(self._book.masks))
            return self._counted()
        order = np.argsort(self._book.masks[:size])
        counts = self._book.counts[order]
        return Signature(self._book.masks[order][counts != 0], counts[counts != 0])


def _book(room: int) -> "Book":
    """Make a book for some masks, a power of two."""
    from giveaway.attacks.directory.candidates.masks_kernels import Book

    return Book(np.empty(2 * room, np.int32), np.empty(room, np.uint64), np.empty(room, np.int64))
