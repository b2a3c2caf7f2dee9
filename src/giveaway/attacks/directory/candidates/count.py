"""How many people of a directory are consistent with disclosed records.

Somebody is consistent if one of their entries agrees in every disclosed attribute (Lebanon et al., Definition 6, with
people told apart by their identifiers). What is not disclosed agrees with everybody. A missing value of somebody agrees
with nothing that is disclosed, or with everything as in the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import Agreement
from giveaway.attacks.directory.candidates.by_groups import counted
from giveaway.attacks.directory.candidates.columns import EVERYBODY, Columns
from giveaway.attacks.directory.candidates.rows import MISSING, split
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import tell

if TYPE_CHECKING:
    from giveaway.attacks.directory.candidates.masks_kernels import Book

WIDEST = 64
"""Attributes that fit in a mask."""

_ROOM = 4096


@dataclass(frozen=True, eq=False)
class Signature:
    """How everybody agrees with one record: of `masks`, ascending, bit j says that attribute j agrees.

    The people consistent with a set S of disclosed attributes are the sum of `counts` over the masks that contain S.
    Counts have signs, so that somebody with several entries is counted once.
    """

    masks: NDArray[np.uint64]
    counts: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Matching:
    """A directory and how records are compared with it, attribute by attribute.

    `names[j]` is the column of people for attribute j, None where the directory has none. `agreements[j]` is the
    agreement of the values themselves, then of the levels 1, 2, ... of their hierarchy.
    """

    people: People
    names: tuple[str | None, ...]
    agreements: tuple[tuple[Agreement, ...], ...]
    gaps: Gaps = "apart"

    def candidates(self, values: Codes, levels: NDArray[np.int8] | None = None) -> Ints:
        """Count the people who are consistent with each disclosed record, a row of `values`.

        Values are codes of the level they are disclosed at, 0 for the values themselves, and -1 where hidden.
        """
        from giveaway.attacks.directory.candidates.rows_kernels import numbered

        keys, columns = self._columns.disclosed(values, levels)
        kind, first = numbered(columns)
        found = np.empty(len(values), np.int64)
        done = 0
        for chosen, rows in zip(columns[:, first].T, split(kind, len(first)), strict=True):
            tell("counting who agrees", done, len(values))
            shown = np.flatnonzero(chosen != EVERYBODY)
            found[rows] = counted(self._columns, chosen[shown].astype(np.int64), keys[np.ix_(shown, rows)])
            done += len(rows)
        return found

    def alone(self, values: Codes) -> Ints:
        """Count the people who are consistent with each attribute of each record, were only that disclosed."""
        found = np.empty(values.shape, np.int64)
        for j in range(values.shape[1]):
            codes, place = np.unique(values[:, j], return_inverse=True)
            only = np.full((len(codes), values.shape[1]), MISSING, np.int32)
            only[:, j] = codes
            found[:, j] = self.candidates(only)[place]
        return found

    def signature(self, values: Codes) -> Signature:
        """Return how everybody agrees with one record, given all its values."""
        return next(self.signatures(values[None, :]))

    def signatures(self, values: Codes) -> Iterator[Signature]:
        """Return how everybody agrees with each record, a row of `values`."""
        from giveaway.attacks.directory.candidates.masks_kernels import compare

        if len(self.names) > WIDEST:
            raise ScenarioError(
                f"{len(self.names)} columns are compared with {self.people.name}.",
                exists=f"room for {WIDEST}",
                hint="name the columns that matter in on.",
            )
        columns, compared = self._columns, self._columns.finest()
        keys = np.ascontiguousarray(columns.disclosed(values, None)[0].T)
        masks = np.empty(len(self.people.alone), np.uint64)
        flags = np.zeros((len(compared), columns.widest), np.uint8)
        tally = _Tally(columns)
        for row, wanted in enumerate(keys):
            tell("comparing records with the directory", row, len(keys))
            compare(columns.keys, columns.nears, compared, wanted, flags, masks)
            yield tally.signature(masks)

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.people, self.names, self.agreements, self.gaps)


class _Tally:
    """Counts people by mask, with memory that is used again."""

    def __init__(self, columns: Columns) -> None:
        from giveaway.attacks.directory.candidates.kernels import TERMS
        from giveaway.attacks.directory.candidates.masks_kernels import Terms

        self._columns = columns
        self._terms = Terms(np.empty(TERMS, np.uint64), np.zeros(TERMS, np.int64), np.zeros(TERMS, np.int64))
        self._book = _book(_ROOM)

    def signature(self, masks: NDArray[np.uint64]) -> Signature:
        """Make the signature of the masks of all entries."""
        from giveaway.attacks.directory.candidates.masks_kernels import FULL, TOO_MANY, tally

        columns = self._columns
        size = tally(masks, columns.alone, columns.starts, columns.several_entry, self._book, self._terms)
        if size == TOO_MANY:
            raise BudgetExceeded(
                f"Somebody in {columns.people.name} has too many entries that agree with a record in different ways.",
                hint="join the entries of each person in the directory, or compare fewer columns.",
            )
        if size == FULL:
            self._book = _book(4 * len(self._book.masks))
            return self.signature(masks)
        order = np.argsort(self._book.masks[:size])
        counts = self._book.counts[order]
        return Signature(self._book.masks[order][counts != 0], counts[counts != 0])


def _book(room: int) -> "Book":
    """Make a book for some masks, a power of two."""
    from giveaway.attacks.directory.candidates.masks_kernels import Book

    return Book(np.empty(2 * room, np.int32), np.empty(room, np.uint64), np.empty(room, np.int64))
