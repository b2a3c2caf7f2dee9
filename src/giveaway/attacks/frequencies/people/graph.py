"""The crack graph of people and records: which published record may be whose."""

from collections.abc import Sequence

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Flags
from giveaway.attacks.frequencies.people.known import Knowledge, agreeing
from giveaway.errors import BudgetExceeded, DataError, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table

_MOST_EDGES = 400_000_000
"""The most pairs of different knowledge and different records that are looked at."""


def named_once(table: Table) -> list[Label]:
    """Return who the records are of; each person has one."""
    if table.id is None:
        raise ScenarioError(
            "The table names nobody.", hint='read it with id = "name", the column of the names.'
        )
    if not table.names_once:
        raise DataError(
            f"Some names stand twice in {table.id}.", hint=f"give every {nouns().record} its own name."
        )
    return list(table.ids)


def graph_of(table: Table, known: Sequence[Knowledge]) -> CrackGraph:
    """Connect people with the records that agree with what is known of them.

    The first people are those of the table, in its order, and their codes are their records. Whoever comes after them has
    none: as many more codes, which may be anybody's, stand for having no record.
    """
    absent = len(known) - len(table)
    kinds: dict[Knowledge, int] = {}
    row_of = [kinds.setdefault(knowledge, len(kinds)) for knowledge in known]
    if len(kinds) * len(table.weights) > _MOST_EDGES:
        raise BudgetExceeded(
            f"{len(kinds):,} different kinds of knowledge and {len(table.weights):,} different {nouns().records} are too many to be "
            "matched with each other.",
            hint="judge a part of the table, or let the attack directory judge it.",
        )
    fits = np.stack([agreeing(table, knowledge) for knowledge in kinds])
    if absent:
        fits = np.concatenate([fits, np.ones((len(kinds), 1), np.bool_)], axis=1)
    column_of = np.concatenate(
        [np.asarray(table.record_of, np.int64), np.full(absent, len(table.weights), np.int64)]
    )
    rows, row = _alike(fits)
    columns, column = _alike(fits[rows].T)
    edges = np.argwhere(fits[np.ix_(rows, columns)])
    return CrackGraph(
        row_of=row[np.array(row_of, np.int64)],
        column_of=column[column_of],
        row=edges[:, 0],
        column=edges[:, 1],
    )


def _alike(fits: Flags) -> tuple[Ints, Ints]:
    """Return one of each kind of equal rows, and the kind of each row."""
    packed = np.ascontiguousarray(np.packbits(fits, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
    _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
    return first, kind.reshape(-1)
