"""Few marked entries that alone leave no safe table: what to tell an owner who marked too much."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import spare, tell

TRIES = 100
"""The most searches for marks that are in the way."""


def marks_in_the_way(table: PartialTable, marks: Ints, *, seconds: float) -> Ints | None:
    """Return few of the `marks` that alone leave no safe table, as a bitmask for each group.

    `marks` are the entries of each group that could be hidden but for a mark. None when there is no safe table without
    marks either, or when it is not known whether there is one with them. Marks are taken away, first many at once and
    then fewer, while it stays proved that no safe table exists; each one of the rest is needed for that, unless the
    search was cut short by `seconds` or by the number of tries.
    """
    until = time.monotonic() + spare(seconds)
    marks = marks & ~table.may

    def is_impossible(held: Ints) -> bool:
        tell("searching for marks in the way", 0)
        left = until - time.monotonic()
        freed = replace(table, may=table.may | (marks & ~held))
        return left > 0 and best_of_all.is_impossible(freed, seconds=left)

    if not is_impossible(marks) or is_impossible(np.zeros_like(marks)):
        return None
    # State: the marks still held. Invariant: it is proved that these alone leave no safe table. A block of marks without
    # which that stays proved is dropped, else the search passes over it; blocks are halved down to single marks. Fewer
    # marks never leave fewer safe tables, so that a mark once found needed stays so. Zeller and Hildebrandt,
    # Simplifying and Isolating Failure-Inducing Input, TSE 2002, without their restarts.
    held = [(group, entry) for group in np.flatnonzero(marks).tolist() for entry in bits(int(marks[group]))]
    tries, size = TRIES, len(held)
    while size > 1:
        size = (size + 1) // 2
        start = 0
        while start < len(held) and tries and time.monotonic() < until:
            tries -= 1
            rest = held[:start] + held[start + size :]
            if is_impossible(_masks(rest, len(marks))):
                held = rest
            else:
                start += size
    return _masks(held, len(marks))


def _masks(held: Sequence[tuple[int, int]], groups: int) -> Ints:
    masks = np.zeros(groups, np.int64)
    for group, entry in held:
        masks[group] |= entry
    return masks
