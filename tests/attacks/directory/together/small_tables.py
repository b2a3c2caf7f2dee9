"""Small tables that are given away twice."""

from collections.abc import Sequence
from typing import Any

from tests.oracles.composition.tables import Row

import giveaway as ga

NAMES = ("a", "b", "c")
SIX = [
    ("30", "cook", "flu"),
    ("30", "smith", "flu"),
    ("30", "smith", "hiv"),
    ("40", "cook", "flu"),
    ("40", "cook", "ulcer"),
    ("40", "smith", "hiv"),
]


def table(rows: Sequence[Row], names: Sequence[str], **options: Any) -> ga.Table:
    """Return a table of rows with a place for every column, of those that are named in their places."""
    places = [place for place, name in enumerate(names) if name]
    return ga.Table.from_rows([{names[at]: row[at] for at in places} for row in rows], **options)


def released(people: Sequence[Row], shown: Sequence[Row], columns: Sequence[int]) -> ga.Release:
    """Return the release of some columns of people that shows what rows show."""
    names = [name if place in columns else "" for place, name in enumerate(NAMES)]
    cells = [
        (row, NAMES[place])
        for row, line in enumerate(shown, 1)
        for place in columns
        if line[place] is None and people[row - 1][place] is not None
    ]
    return ga.Release(table(people, names), ga.Withheld(cells=cells))


def earlier(release: ga.Release, name: str = "2025", **options: Any) -> ga.Earlier:
    """Return a release that was given away before, of the same people in the same order."""
    rows = range(1, len(release.original) + 1)
    return ga.Earlier(release, name=name, linked="rows", rows=rows, **options)


def six(*names: str) -> ga.Table:
    every = ("age", "job", "illness")
    return table(SIX, [name if name in names else "" for name in every], sensitive="illness")


def shown_rows(release: ga.Release, columns: Sequence[int]) -> list[Row]:
    hidden = set(release.withheld.cells)
    original = release.original
    assert isinstance(original, ga.Table)
    rows = []
    for row, record in enumerate(original.record_of, 1):
        line: list[Any] = [None] * len(NAMES)
        for place in columns:
            name = NAMES[place]
            if (row, name) not in hidden:
                line[place] = original.labels[name][original.columns[name][record]]
        rows.append(tuple(line))
    return rows
