"""The compiled comparison of one record with all entries: in which attributes each entry agrees, as bits of a mask.

Imported only when many signatures are asked for.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING
from giveaway.attacks.directory.candidates.columns import Nears, PeopleEntries
from giveaway.attacks.directory.candidates.kernels import TERMS, Number, Small
from giveaway.compiling import native

Large = NDArray[np.int64]
Masks = NDArray[np.uint64]

FULL, TOO_MANY = -1, -2
"""Results of a tally for which the book has too few places, or for which somebody needs too many terms."""

_BLOCK = 4096


class Book(NamedTuple):
    """Distinct masks with their numbers; `slots`, -1 where empty, lead from a mask to its place."""

    slots: Small
    masks: Masks
    counts: Large


class Owners(NamedTuple):
    """How many people have each entry and no other; the entries `entries[starts[p]:starts[p + 1]]` are person p's."""

    alone: Large
    starts: Large
    entries: Large


class MaskTerms(NamedTuple):
    """Working memory for somebody with several entries: different masks, their numbers, and changes of these."""

    masks: Masks
    counts: Large
    change: Large


# Comparing: entry by entry and attribute by attribute, in blocks of entries that stay in the nearest memory.
#
# State: `masks`, one for each entry; `flags[j, code]`, whether a code of people agrees with the record in attribute j,
#   which is compared by similarity.
# Invariant: after attribute j, bit j of a mask of the block is set if and only if the entry agrees in it. `flags` are all
#   0 before and after.


@native
def compare(
    directory: PeopleEntries, columns: Large, values: Small, flags: NDArray[np.uint8], masks: Masks
) -> None:
    """Write for each entry in which attributes it agrees with the values of a record.

    Attribute j is looked up in `columns[j]`; everybody agrees where that is negative or the value is missing. `flags` is
    clean working memory, a row for each attribute, at least as wide as the codes of columns compared by similarity.
    """
    keys, nears = directory.keys, directory.nears
    always = np.uint64(0)
    for j in range(len(columns)):
        if columns[j] < 0 or values[j] == MISSING:
            always |= np.uint64(1) << np.uint64(j)
        elif nears.first[columns[j]] >= 0:
            _mark(nears, columns[j], values[j], flags[j], np.uint8(1))
    for begin in range(0, len(masks), _BLOCK):
        block = masks[begin : begin + _BLOCK]
        block[:] = always
        for j in range(len(columns)):
            column, value, bit = columns[j], values[j], np.uint64(j)
            if column < 0 or value == MISSING:
                continue
            some = keys[column, begin : begin + _BLOCK]
            if nears.first[column] >= 0:
                for i in range(len(block)):
                    block[i] |= np.uint64(some[i] == MISSING or flags[j, some[i]] == 1) << bit
            else:
                for i in range(len(block)):
                    block[i] |= np.uint64((some[i] == MISSING) | (some[i] == value)) << bit
    for j in range(len(columns)):
        if columns[j] >= 0 and values[j] != MISSING and nears.first[columns[j]] >= 0:
            _mark(nears, columns[j], values[j], flags[j], np.uint8(0))


@native
def _mark(nears: Nears, column: Number, value: Number, flags: NDArray[np.uint8], flag: np.uint8) -> None:
    code = nears.first[column] + value
    for near in nears.people[nears.starts[code] : nears.starts[code + 1]]:
        flags[near] = flag


# Counting: people by mask, somebody with several entries once, by inclusion and exclusion.
#
# State: the book, a hash table of masks with their numbers; for one person, `terms`, different masks with counts.
# Invariant: for every set of attributes, the sum of the terms' counts over the masks that contain it is 1 if a mask of
#   the entries so far contains it, else 0. The sets in two masks are those in what the masks have in common, so that a
#   mask m is added as m less m & t for each term t, times its count. The sum of the book's counts over the masks that
#   contain a set is then the number of people consistent with it (Lebanon et al., Definition 6).
# Pruning: terms with a count of 0 stay out; TERMS terms, or a full book, end it, and whoever asked decides.


@native
def _add(book: Book, used: Number, mask: np.uint64, count: Number) -> Number:
    """Add to the number of a mask; return how many masks the book then has."""
    wrap = np.uint64(len(book.slots) - 1)
    mixed = mask * np.uint64(0x9E3779B97F4A7C15)
    at = (mixed ^ (mixed >> np.uint64(32))) & wrap
    while book.slots[at] >= 0:
        place = book.slots[at]
        if book.masks[place] == mask:
            book.counts[place] += count
            return used
        at = (at + np.uint64(1)) & wrap
    book.slots[at] = used
    book.masks[used] = mask
    book.counts[used] = count
    return used + 1


@native
def tally(masks: Masks, owners: Owners, book: Book, terms: MaskTerms) -> Number:
    """Count people by mask, somebody with several entries once; return how many masks the book has, or why it failed."""
    alone, starts = owners.alone, owners.starts
    book.slots[:] = -1
    used: Number = 0
    room = len(book.masks)
    for entry in range(len(masks)):
        if alone[entry] > 0:
            if used == room:
                return FULL
            used = _add(book, used, masks[entry], alone[entry])
    for person in range(len(starts) - 1):
        size = _spread(masks, owners.entries[starts[person] : starts[person + 1]], terms)
        if size == TOO_MANY:
            return TOO_MANY
        for at in range(size):
            if terms.counts[at] != 0:
                if used == room:
                    return FULL
                used = _add(book, used, terms.masks[at], terms.counts[at])
    return used


@native
def _spread(masks: Masks, entries: Large, terms: MaskTerms) -> Number:
    """Write the masks of somebody's entries with signed numbers as terms; return how many."""
    used: Number = 0
    for entry in entries:
        mask = masks[entry]
        before = used
        for one in range(before):
            if terms.counts[one] != 0:
                used = _change(terms, used, terms.masks[one] & mask, -terms.counts[one])
                if used == TERMS:
                    return TOO_MANY
        used = _change(terms, used, mask, 1)
        if used == TERMS:
            return TOO_MANY
        for one in range(used):
            terms.counts[one] += terms.change[one]
            terms.change[one] = 0
    return used


@native
def _change(terms: MaskTerms, used: Number, mask: np.uint64, by: Number) -> Number:
    for at in range(used):
        if terms.masks[at] == mask:
            terms.change[at] += by
            return used
    terms.masks[used] = mask
    terms.counts[used] = 0
    terms.change[used] = by
    return used + 1
