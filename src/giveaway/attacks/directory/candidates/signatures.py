"""How everybody in a directory agrees with one record: people counted by the attributes in which they agree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING
from giveaway.attacks.directory.candidates.columns import Columns
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints

Masks = NDArray[np.uint64]

_FEW_BITS = 16
"""People are counted in a table of all masks of at most this many attributes."""
_FEW_ENTRIES = 4
"""So many entries of one person are joined in all ways before equal masks become one."""
_TERMS = 4096
"""Ways to agree with several entries of one person that are kept apart."""


@dataclass(frozen=True, eq=False)
class Signature:
    """How everybody agrees with one record: of `masks`, ascending, bit j says that attribute j agrees.

    The people consistent with a set S of disclosed attributes are the sum of `counts` over the masks that contain S.
    Counts have signs, so that somebody with several entries is counted once.
    """

    masks: Masks
    counts: Ints


class MaskTally:
    """Counts people by mask, somebody with several entries once, by inclusion and exclusion.

    State: for each person with several entries terms, masks with counts, while one more entry of each is added.
    Invariant: for every set of attributes, the sum of a person's counts over the masks that contain it is 1 if a mask of
    the entries so far contains it, else 0. The sets in two masks are those in what the masks have in common, so that a
    mask m is added as m less m & t for each term t, times its count. So the sum over the masks that contain a set is the
    number of people consistent with it (Lebanon et al., Definition 6).
    Pruning: equal terms of one person are one, and those with a count of 0 are dropped; above `_TERMS` it is given up.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._compared = columns.finest()
        self._lone = np.flatnonzero(columns.alone)

    def signature(self, wanted: Codes) -> Signature:
        """Make the signature of a record, given by its keys."""
        masks = self._masks(wanted)
        joined, signs = self._joined(masks)
        every = np.concatenate([masks[self._lone], joined])
        counts = np.concatenate([self._columns.alone[self._lone], signs])
        if len(wanted) <= _FEW_BITS:
            total = np.zeros(1 << len(wanted), np.int64)
            np.add.at(total, every, counts)
            there = np.flatnonzero(total)
            return Signature(there.astype(np.uint64), total[there])
        different, group = np.unique(every, return_inverse=True)
        total = np.zeros(len(different), np.int64)
        np.add.at(total, group.reshape(-1), counts)
        return Signature(different[total != 0].astype(np.uint64), total[total != 0])

    def _masks(self, wanted: Codes) -> NDArray[Any]:
        """Return for each entry the attributes that agree; everybody agrees with what is not disclosed."""
        columns, kind = self._columns, np.dtype(np.uint16 if len(wanted) <= _FEW_BITS else np.uint64)
        masks: NDArray[Any] = np.zeros(len(columns.alone), kind)
        for place, (column, key) in enumerate(zip(self._compared.tolist(), wanted.tolist(), strict=True)):
            if column < 0 or key == MISSING:
                masks |= kind.type(1 << place)
            else:
                masks |= columns.entries_agreeing(column, key).astype(kind) << kind.type(place)
        return masks

    def _joined(self, masks: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
        """Return the terms of all people with several entries."""
        columns, sizes = self._columns, np.diff(self._columns.starts)
        person, terms, counts = np.zeros(0, np.int64), masks[:0], np.zeros(0, np.int64)
        for nth in range(int(sizes.max(initial=0))):
            if nth >= _FEW_ENTRIES:
                person, terms, counts = self._merged(person, terms, counts)
            here = np.flatnonzero(sizes > nth)
            added = np.zeros(len(sizes), masks.dtype)
            added[here] = masks[columns.several_entry[columns.starts[here] + nth]]
            met = sizes[person] > nth
            both = terms[met] & added[person[met]]
            terms = np.concatenate([terms, both, added[here]])
            counts = np.concatenate([counts, -counts[met], np.ones(len(here), np.int64)])
            person = np.concatenate([person, person[met], here])
        return terms, counts

    def _merged(self, person: Ints, terms: NDArray[Any], counts: Ints) -> tuple[Ints, NDArray[Any], Ints]:
        """Let equal terms of one person be one; refuse too many."""
        order = np.lexsort((terms, person))
        person, terms = person[order], terms[order]
        first = np.flatnonzero(np.append(True, (person[1:] != person[:-1]) | (terms[1:] != terms[:-1])))
        counts = np.add.reduceat(counts[order], first)
        person, terms, counts = (part[counts != 0] for part in (person[first], terms[first], counts))
        if np.bincount(person).max() > _TERMS:
            raise BudgetExceeded(
                f"Somebody in {self._columns.people.name} has too many entries that agree with {nouns().a_record} in different ways.",
                hint="join the entries of each person in the directory, or compare fewer columns.",
            )
        return person, terms, counts
