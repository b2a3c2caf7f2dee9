"""Directories that an engine holds: entries are counted there, and nobody's id leaves it."""

from collections.abc import Sequence

import numpy as np

from giveaway.engines.counting import distinct_rows, merged, people_rows, refuse_ids
from giveaway.engines.held import HeldRows
from giveaway.model.data.arrays import Ints
from giveaway.model.data.people import People
from giveaway.sources.encoding.roles import check_names


def read_engine_people(
    held: HeldRows, *, id: str | None, columns: Sequence[str], missing: Sequence[str] = ("",)
) -> People:
    """Count the people who have each entry; without an identifier each row is somebody."""
    check_names([*columns, *([] if id is None else [id])], held.columns)
    if id is None:
        entries = distinct_rows(held, columns, missing)
        alone, person, entry = entries.weights, np.zeros(0, np.int64), np.zeros(0, np.int64)
    else:
        refuse_ids(held, id, missing, repeated=True)
        table = people_rows(held, id, columns)
        entries, became = merged(table, columns, missing)
        whose, count = (table.numbers(name) for name in ("person", "n"))
        alone, person, entry = _people(whose, became, count, len(entries.weights))
    return People(
        columns=entries.columns,
        labels=entries.labels,
        alone=alone,
        several_person=person,
        several_entry=entry,
        name=held.name,
    )


def _people(whose: Ints, became: Ints, count: Ints, entries: int) -> tuple[Ints, Ints, Ints]:
    """Tell people with one entry from those with several, whose entries may have become one as text."""
    alone = np.zeros(entries, np.int64)
    single = whose < 0
    np.add.at(alone, became[single], count[single])
    person, entry = np.divmod(np.unique(whose[~single] * entries + became[~single]), max(entries, 1))
    owned = np.bincount(person)
    one = owned[person] == 1
    np.add.at(alone, entry[one], 1)
    number = np.cumsum(owned > 1) - 1
    return alone, number[person[~one]], entry[~one]
