"""Tables as directories: who the people are and what is known of them."""

from collections.abc import Sequence
from itertools import compress

import numpy as np

from giveaway.model import rows
from giveaway.model.labels import Label
from giveaway.model.people import People
from giveaway.model.rows import Codes, Ints
from giveaway.model.table import Table


def from_table(table: Table, columns: Sequence[str]) -> People:
    """Make a directory of some columns of a table.

    With an identifier the people are its distinct values, and several rows of one are several entries of the same
    person; without one each row is somebody. The entries have the order of their first rows.
    """
    matrix = np.zeros((len(table.weights), len(columns)), np.int32)
    for place, name in enumerate(columns):
        matrix[:, place] = table.columns[table.checked(name)]
    first, entry_of_record = _distinct(matrix, [len(table.labels[name]) for name in columns])
    entry = entry_of_record[table.record_of]
    ids, person, entry = _lines(table, entry)
    owned = np.bincount(person)
    one = owned[person] == 1
    number = np.cumsum(owned > 1) - 1
    order = np.argsort(person[~one], kind="stable")
    return People(
        columns={name: np.ascontiguousarray(matrix[first, place]) for place, name in enumerate(columns)},
        labels={name: table.labels[name] for name in columns},
        alone=np.bincount(entry[one], minlength=len(first)),
        several_person=number[person[~one]][order],
        several_entry=entry[~one][order],
        ids=ids,
        entries=entry,
    )


def _distinct(matrix: Codes, sizes: Sequence[int]) -> tuple[Ints, Ints]:
    """Return a row for each of the distinct rows of codes, and for each row the distinct row that it is."""
    count, width = matrix.shape
    shift = np.cumsum([0, *(size + 1 for size in sizes)])[:width] + 1
    offsets = np.arange(count + 1, dtype=np.int64) * width
    flat = (matrix + shift).astype(np.int32).reshape(-1)
    _, _, _, group = rows.merge(offsets, flat, np.ones(count, np.int64))
    return np.unique(group, return_index=True)[1], group


def _lines(table: Table, entry: Ints) -> tuple[tuple[Label, ...], Ints, Ints]:
    """Return identifiers, people and entries, each different entry of somebody once, in the order of the rows."""
    if table.id is None:
        return tuple(range(1, len(entry) + 1)), np.arange(len(entry)), entry
    number: dict[Label, int] = {}
    person = np.fromiter((number.setdefault(who, len(number)) for who in table.ids), np.int64, len(entry))
    pairs = person * (int(entry.max(initial=0)) + 1) + entry
    once = np.zeros(len(entry), np.bool_)
    once[np.unique(pairs, return_index=True)[1]] = True
    return tuple(compress(table.ids, once.tolist())), person[once], entry[once]
