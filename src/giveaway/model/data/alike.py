"""Rows of two releases that are alike in what both show: which can be joined, and which only one of them has."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions

Rows = TypeVar("Rows", Table, Transactions)


def joinable_rows(first: Rows, second: Rows) -> int:
    """Count the rows that are alike in what both show, and unique in both.

    Two rows of tables are alike when they agree in every column in which neither is blank, and there is one; each must
    be the only row of its table that is alike to the other. A row with nothing that both show may be anybody's, and is
    alike to all. Transactions are alike when they hold the same of the items that both releases show.

    >>> import giveaway as ga
    >>> old = ga.Table.from_rows([{"age": 30, "job": "cook"}, {"age": 40, "job": "cook"}, {"age": 40, "job": "smith"}])
    >>> new = ga.Table.from_rows([{"age": 30, "pay": 10}, {"age": 40, "pay": 10}, {"age": 40, "pay": 20}])
    >>> joinable_rows(old, new)
    1
    """
    if isinstance(first, Table) and isinstance(second, Table):
        return _unique_pairs(_both_tables(first, second))
    assert isinstance(first, Transactions) and isinstance(second, Transactions)  # noqa: S101, PT018 # for mypy
    both = _both_transactions(first, second)
    return int((both.counts == 1).all(axis=0).sum()) if both.labels else 0


def _unique_pairs(both: "_Tables") -> int:
    """Count the distinct rows that can be joined: each stands once in its table."""
    matrix, counts = both.matrix, both.counts
    ours, theirs = (np.flatnonzero(of) for of in counts)
    fits, partner = np.zeros_like(counts), np.full(len(matrix), -1, np.int64)
    for columns, some in _by_shown(matrix, ours):
        for visible, others in _by_shown(matrix[:, columns], theirs):
            alike = arrays.alike(
                [np.zeros(len(some) + len(others), np.int32)]
                + [matrix[np.append(some, others), name] for name in columns[visible]]
            )[0]
            mine, other = alike[: len(some)], alike[len(some) :]
            fits[0, some] += np.bincount(other, counts[1, others], alike.max() + 1).astype(np.int64)[mine]
            fits[1, others] += np.bincount(mine, counts[0, some], alike.max() + 1).astype(np.int64)[other]
            if len(visible):
                at = np.full(alike.max() + 1, -1, np.int64)
                at[other] = others
                partner[some] = np.where(at[mine] >= 0, at[mine], partner[some])
    single = ours[(fits[0, ours] == 1) & (partner[ours] >= 0)]
    return int((fits[1, partner[single]] == 1).sum())


def multiset_difference(first: Rows, second: Rows) -> Rows:
    """Return the rows of the first beyond those of the second, in the columns or items that both show.

    A row that stands five times in the first and twice in the second is left three times; a blank is alike to a blank
    only. Where both show the same of everybody in both, these are the rows of those who are in the first alone.

    >>> import giveaway as ga
    >>> old = ga.Table.from_rows([{"age": 30}, {"age": 40}])
    >>> new = ga.Table.from_rows([{"age": 40, "pay": 10}, {"age": 40, "pay": 20}, {"age": 30, "pay": 20}])
    >>> len(multiset_difference(new, old)), len(multiset_difference(old, new))
    (1, 0)
    """
    if isinstance(first, Table) and isinstance(second, Table):
        tables = _both_tables(first, second)
        rows, weights = _beyond(tables.counts)
        return Table(
            columns={name: tables.matrix[rows, place] for place, name in enumerate(tables.names)},
            labels=dict(zip(tables.names, tables.labels, strict=True)),
            weights=weights,
            record_of=np.repeat(np.arange(len(rows)), weights),
            sensitive=tuple(name for name in first.sensitive if name in tables.names),
        )
    assert isinstance(first, Transactions) and isinstance(second, Transactions)  # noqa: S101, PT018 # for mypy
    both = _both_transactions(first, second)
    return _baskets_beyond(both, both.counts, first)


def both_differences(now: Transactions, earlier: Transactions) -> tuple[Transactions, Transactions]:
    """Return the transactions that only the first shows and those that only the second does, of the items that both show.

    Each transaction of one takes one like it from the other; private is what is private in the first.

    >>> import giveaway as ga
    >>> now, last = (ga.Transactions.from_lists(rows) for rows in ([["a"], ["a"], ["a", "b"]], [["a"], ["a", "b"]]))
    >>> [len(part) for part in both_differences(now, last)]
    [1, 0]
    """
    both = _both_transactions(now, earlier)
    return _baskets_beyond(both, both.counts, now), _baskets_beyond(both, both.counts[::-1], now)


def _baskets_beyond(both: "_Baskets", counts: Ints, like: Transactions) -> Transactions:
    rows, weights = _beyond(counts)
    offsets, codes = arrays.take(both.offsets, both.codes, rows)
    private = {like.labels[code] for code in like.private}
    return Transactions(
        offsets=offsets,
        codes=codes,
        weights=weights,
        labels=both.labels,
        private=frozenset(code for code, label in enumerate(both.labels) if label in private),
    )


class Shared(NamedTuple):
    """The codes of two tables in the columns that both have, under labels that both share."""

    names: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    first: Codes
    """Those of each record of the first; -1 where it is blank."""
    second: Codes


def shared(first: Table, second: Table) -> Shared:
    """Give the values of both tables the same codes, in the columns that both have."""
    names = tuple(name for name in first.columns if name in second.columns)
    labels = tuple(tuple(in_order((*first.labels[name], *second.labels[name]))) for name in names)
    codes = []
    for table in (first, second):
        matrix = np.empty((len(table.weights), len(names)), np.int32)
        for place, (name, known) in enumerate(zip(names, labels, strict=True)):
            code_of = {label: code for code, label in enumerate(known)}
            new = np.array([*(code_of[label] for label in table.labels[name]), -1], np.int32)
            matrix[:, place] = new[table.columns[name]]  # -1, blank, is the last
        codes.append(matrix)
    return Shared(names, labels, *codes)


class _Tables(NamedTuple):
    """The distinct rows of two tables in the columns that both have."""

    names: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    matrix: Codes
    counts: Ints
    """How often each distinct row stands in the first, and in the second."""


def _both_tables(first: Table, second: Table) -> _Tables:
    names, labels, ours, theirs = shared(first, second)
    matrix = np.concatenate([ours, theirs])
    at, became = arrays.distinct(matrix, [len(known) for known in labels])
    counts = (
        arrays.added(became[: len(ours)], first.weights, len(at)),
        arrays.added(became[len(ours) :], second.weights, len(at)),
    )
    return _Tables(names, labels, matrix[at], np.stack(counts))


class _Baskets(NamedTuple):
    """The distinct transactions of two releases in the items that both show."""

    labels: tuple[Label, ...]
    offsets: Ints
    codes: Codes
    counts: Ints


def _both_transactions(first: Transactions, second: Transactions) -> _Baskets:
    ours = first.without([label for label in first.labels if label not in second.code_of])
    theirs = second.without([label for label in second.labels if label not in first.code_of])
    offsets = np.append(ours.offsets, ours.offsets[-1] + theirs.offsets[1:])
    in_first = np.append(ours.weights, np.zeros_like(theirs.weights))
    in_second = np.append(np.zeros_like(ours.weights), theirs.weights)
    offsets, codes, counts, group = arrays.merge(offsets, np.append(ours.codes, theirs.codes), in_first)
    counts = np.stack([counts, arrays.added(group, in_second, len(counts))])
    return _Baskets(ours.labels, offsets, codes, counts)


def _beyond(counts: Ints) -> tuple[Ints, Ints]:
    """Return which distinct rows stand more often in the first than in the second, and how much more often."""
    more = np.maximum(counts[0] - counts[1], 0)
    rows = np.flatnonzero(more)
    return rows, more[rows]


def _by_shown(matrix: Codes, rows: Ints) -> Sequence[tuple[NDArray[np.int64], Ints]]:
    """Put rows with values in the same columns together; return these columns with each."""
    shown = matrix[rows] >= 0
    if not matrix.shape[1]:
        return [(np.empty(0, np.int64), rows)] if len(rows) else []
    classes, first = arrays.alike(list(shown.T))
    return [(np.flatnonzero(shown[at]), rows[classes == place]) for place, at in enumerate(first)]
