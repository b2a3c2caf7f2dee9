"""The compiled comparison of disclosed values with the entries of a directory.

Imported only when many people are counted. `keys[column, entry]` is the key of an entry, -1 where it is missing. Keys of
records and of people that nothing agrees with are different negative numbers, so that equal keys always mean agreement.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING, NO_RECORD
from giveaway.attacks.directory.candidates.columns import Holders, Index, Nears, PeopleEntries, WantedKeys
from giveaway.compiling import native

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64

TERMS = 4096
"""Ways to agree with several entries of one person that are kept apart."""


# Counting somebody with several entries once: inclusion and exclusion, one person after the other.
#
# State: `terms[:used]`, different rows of keys, with `counts`, and `change` while one more entry is added.
# Invariant: for every disclosure, the sum of `counts` over the terms that agree with it is 1 if one of the person's
#   entries so far agrees, else 0. What agrees with two rows agrees with the row of the known values of both (`_meet`),
#   so that an entry e is added as e less what e has in common with each term, times its count.
# Pruning: terms with a count of 0 stay out of further steps and of the result; equal terms are one (`_place`); an entry
#   with a value that no record has agrees with nothing and is left out. More than TERMS terms are given up.


@native
def _place(terms: Small, used: Number) -> Number:
    """Find the term equal to the one that stands behind the used ones, else return its own place."""
    for at in range(used):
        same = True
        for column in range(terms.shape[1]):
            if terms[at, column] != terms[used, column]:
                same = False
                break
        if same:
            return at
    return used


@native
def _meet(terms: Small, one: Number, row: Small, used: Number) -> bool:
    """Write what agrees with a term and with a row behind the used terms; tell whether anything can."""
    for column in range(len(row)):
        mine, theirs = terms[one, column], row[column]
        if mine != theirs and min(mine, theirs) != MISSING:
            return False
        terms[used, column] = max(mine, theirs)
    return True


@native
def once(keys: Small, chosen: Large, entries: Large, starts: Large) -> tuple[Small, Large]:
    """Return rows of the chosen columns with signed numbers, so that whoever agrees with several entries counts once.

    The entries `entries[starts[p]:starts[p + 1]]` are those of person p. The last number is 0 where somebody needs too
    many rows.
    """
    width = len(chosen)
    rows = np.empty((len(entries) + 16, width), np.int32)
    signs = np.empty(len(rows), np.int64)
    ends = 0
    terms = np.empty((TERMS + 1, width), np.int32)
    counts = np.zeros(TERMS + 1, np.int64)
    change = np.zeros(TERMS + 1, np.int64)
    row = np.empty(width, np.int32)
    for person in range(len(starts) - 1):
        used: Number = 0
        for entry in entries[starts[person] : starts[person + 1]]:
            for column in range(width):
                row[column] = keys[chosen[column], entry]
            if width > 0 and row.min() == NO_RECORD:
                continue
            for one in range(used):
                if used >= TERMS:
                    return rows[:1].T.copy(), np.zeros(1, np.int64)
                if counts[one] != 0 and _meet(terms, one, row, used):
                    at = _place(terms, used)
                    change[at] -= counts[one]
                    used = max(used, at + 1)
            terms[used] = row
            at = _place(terms, used)
            change[at] += 1
            used = max(used, at + 1)
            for one in range(used):
                counts[one] += change[one]
                change[one] = 0
        if ends + used > len(rows):
            rows = np.concatenate((rows[:ends], np.empty((ends + used, width), np.int32)))
            signs = np.concatenate((signs[:ends], np.empty(ends + used, np.int64)))
        for one in range(used):
            if counts[one] != 0:
                rows[ends] = terms[one]
                signs[ends] = counts[one]
                ends += 1
            counts[one] = 0
    return rows[:ends].T.copy(), signs[:ends]


# Counting one disclosure after the other (Lebanon et al., Definition 6, word for word).
#
# State: `stamp[person]`, the last wanted row that somebody with several entries was counted for.
# Invariant: before a wanted row is looked at no stamp is its number, since rows ascend; after an entry was looked at,
#   whoever holds it among others and agrees has the stamp and is counted once.
# Pruning: only entries that agree in one leading column are looked at, the one in which fewest do; they stand together
#   in the index, those with a missing value before all others.


@native
def ordered(keys: Small, starts: Large) -> Small:
    """Return the entries of a column in the order of their keys, which begin at `starts[key + 1]`: a counting sort."""
    at = starts.copy()
    entries = np.empty(len(keys), np.int32)
    for entry in range(len(keys)):
        bucket = len(starts) - 1 if keys[entry] == NO_RECORD else keys[entry] + 1
        entries[at[bucket]] = entry
        at[bucket] += 1
    return entries


@native
def _is_near(nears: Nears, column: Number, value: Number, code: Number) -> bool:
    """Tell whether a code of people is among those that agree with a code of records, by halving."""
    begin = nears.starts[nears.first[column] + value]
    end = nears.starts[nears.first[column] + value + 1]
    while begin < end:
        middle = (begin + end) // 2
        if nears.people[middle] < code:
            begin = middle + 1
        else:
            end = middle
    return end < nears.starts[nears.first[column] + value + 1] and nears.people[end] == code


@native
def _agrees(directory: PeopleEntries, wanted: WantedKeys, row: Number, entry: Number) -> bool:
    """Tell whether an entry agrees with a wanted row in every column that is asked for."""
    for at in range(len(wanted.columns)):
        column, value = wanted.columns[at], wanted.keys[at, row]
        key = directory.keys[column, entry]
        if key == MISSING:
            continue
        if directory.nears.first[column] < 0:
            if key != value:
                return False
        elif not _is_near(directory.nears, column, value, key):
            return False
    return True


@native
def _agreeing(
    directory: PeopleEntries, holders: Holders, wanted: WantedKeys, row: Number, entries: Small, stamp: Large
) -> Number:
    """Count the people among some entries who agree with a wanted row and have no stamp of it yet."""
    people = np.int64(0)
    for entry in entries:
        if _agrees(directory, wanted, row, entry):
            people += holders.alone[entry]
            for at in range(holders.starts[entry], holders.starts[entry + 1]):
                person = holders.people[at]
                if stamp[person] != row:
                    stamp[person] = row
                    people += 1
    return people


@native
def visited(
    directory: PeopleEntries,
    index: Index,
    holders: Holders,
    wanted: WantedKeys,
    begin: Number,
    totals: Large,
    stamp: Large,
) -> None:
    """Count the people who agree with some wanted rows, going through the entries that agree in their leading column.

    The rows from `begin` are counted, as many as `found` has places for.
    """
    nears = directory.nears
    for place in range(len(totals)):
        row = begin + place
        at = wanted.lead[row]
        column, value = wanted.columns[at], wanted.keys[at, row]
        entries, starts = index.entries[column], index.starts[index.first[column] :]
        total = _agreeing(directory, holders, wanted, row, entries[starts[0] : starts[1]], stamp)
        if nears.first[column] >= 0:
            code = nears.first[column] + value
            for near in nears.people[nears.starts[code] : nears.starts[code + 1]]:
                some = entries[starts[near + 1] : starts[near + 2]]
                total += _agreeing(directory, holders, wanted, row, some, stamp)
        elif value >= 0:
            some = entries[starts[value + 1] : starts[value + 2]]
            total += _agreeing(directory, holders, wanted, row, some, stamp)
        totals[place] = total
