"""Entries of paired rows, with coarser labels, against going through them one by one."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import giveaway as ga
from giveaway.releases.entries import CHANGES, compared
from giveaway.releases.pairing import PairedRows

COLUMNS = ("age", "job")
entry = st.tuples(st.sampled_from(["", "1", "2"]), st.integers(0, 2))
"""A value and the level of its label."""
rows = st.lists(st.tuples(entry, entry), min_size=1, max_size=6)


def became(old: tuple[str, int], new: tuple[str, int]) -> str | None:
    if not old[0] or not new[0]:
        return "filled_in" if new[0] else "hides_nothing" if old[0] else None
    if old[0] == new[0]:
        return None
    return "finer" if new[1] < old[1] else "coarser" if new[1] > old[1] else "changed"


@given(rows, rows, st.randoms(use_true_random=False), st.integers(0, 4))
def test_what_became_of_each_entry(old: list, new: list, random: object, most: int) -> None:  # type: ignore[type-arg]
    size = min(len(old), len(new))
    ours, theirs = (random.sample(range(len(one)), size) for one in (old, new))  # type: ignore[attr-defined]
    tables, levels = [], []
    for one in (old, new):
        texts = [{name: row[at][0] for at, name in enumerate(COLUMNS)} for row in one]
        tables.append(ga.Table.from_rows(texts))
        levels.append({name: np.array([row[at][1] for row in one]) for at, name in enumerate(COLUMNS)})
    pairs = PairedRows(old=np.array(ours, np.int64), new=np.array(theirs, np.int64), by="id")

    found = compared((tables[0], tables[1]), pairs, (levels[0], levels[1]), most)

    wanted = Counter(
        (name, change)
        for i, j in zip(ours, theirs, strict=True)
        for at, name in enumerate(COLUMNS)
        if (change := became(old[i][at], new[j][at]))
    )
    counted = {
        (name, change): many for name, of in found.by_column.items() for change, many in of.items() if many
    }
    assert counted == wanted
    assert all(found.total(change) == sum(wanted[name, change] for name in COLUMNS) for change in CHANGES)
    assert len(found.listed) == min(most, wanted.total())
    for one in found.listed:
        at = COLUMNS.index(one.column)
        before, after = old[one.old_row - 1][at], new[one.new_row - 1][at]
        assert (one.old or "", one.new or "", one.change) == (before[0], after[0], became(before, after))
