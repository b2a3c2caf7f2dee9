"""The crack graph when candidates are not windows: after filtering by known pairs, or when edges are given.

Items with the same candidates are one row, and renamed items that are candidates of the same items one column; the
arithmetic is that of rows and columns with how many there are of each.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Flags, Windows
from giveaway.attacks.frequencies.estimates.belief_propagation import Edges
from giveaway.model.data.arrays import Ints, positions


class GraphClasses(NamedTuple):
    """Items that no argument can distinguish: same row, same own column; how many there are, and the class of each item."""

    row: Ints
    column: Ints
    many: Ints
    of: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class CrackGraph:
    """Row `row_of[i]` of item i, column `column_of[i]` of its renamed item, and the columns of each row."""

    row_of: Ints
    column_of: Ints
    row: Ints
    column: Ints
    """The edges, sorted by row and column."""

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.row_of)

    @cached_property
    def many_rows(self) -> Ints:
        """The items of each row."""
        return np.bincount(self.row_of, minlength=1)

    @cached_property
    def many_columns(self) -> Ints:
        """The renamed items of each column."""
        return np.bincount(self.column_of, minlength=1)

    @cached_property
    def begin(self) -> Ints:
        """Where the edges of each row begin."""
        return np.searchsorted(self.row, np.arange(len(self.many_rows) + 1))

    @property
    def edges(self) -> Edges:
        """The edges in the form for belief propagation."""
        return Edges(self.begin, self.column, self.many_rows, self.many_columns)

    @cached_property
    def row_degrees(self) -> Ints:
        """How many renamed items may stand for an item of each row."""
        return np.bincount(self.row, self.many_columns[self.column], len(self.many_rows)).astype(np.int64)

    @property
    def degrees(self) -> Ints:
        """How many renamed items may stand for each item."""
        return self.row_degrees[self.row_of]

    @cached_property
    def classes(self) -> GraphClasses:
        """The classes of items that no argument can distinguish."""
        width = len(self.many_columns)
        keys, of, many = np.unique(
            self.row_of * width + self.column_of, return_inverse=True, return_counts=True
        )
        return GraphClasses(keys // width, keys % width, many.astype(np.int64), of)

    def has_edges(self, rows: Ints, columns: Ints) -> Flags:
        """Tell whether each column is one of the row at the same place."""
        width = len(self.many_columns)
        return np.isin(rows * width + columns, self.row * width + self.column)

    @cached_property
    def own_edge(self) -> Ints:
        """The edge from each item to its own column, -1 when the true renamed item is not a candidate."""
        width = len(self.many_columns)
        keys = self.row * width + self.column
        wanted = self.row_of * width + self.column_of
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        exists = keys[place] == wanted if len(keys) else np.zeros(self.items, np.bool_)
        return np.where(exists, place, -1)

    @property
    def compliant(self) -> Flags:
        """Whether the true renamed item is among the candidates of each item."""
        return self.own_edge >= 0

    def with_edges(self, kept: Flags) -> "CrackGraph":
        """Return the graph with these edges only."""
        return CrackGraph(
            row_of=self.row_of, column_of=self.column_of, row=self.row[kept], column=self.column[kept]
        )


def from_edges(items: int, edges: Ints) -> CrackGraph:
    """Make a graph from pairs of an item and a renamed item; item i is truly renamed item i."""
    pairs = np.unique(edges[:, 0] * items + edges[:, 1])
    item, renamed = pairs // max(items, 1), pairs % max(items, 1)
    row_of, column_of = _alike(items, item, renamed), _alike(items, renamed, item)
    width = int(column_of.max(initial=0)) + 1
    keys = np.unique(row_of[item] * width + column_of[renamed])
    return CrackGraph(row_of=row_of, column_of=column_of, row=keys // width, column=keys % width)


def from_windows(windows: Windows) -> CrackGraph:
    """Make a graph from windows: one row for each window, one column for each group."""
    classes = windows.classes
    groups = len(windows.sizes)
    _, one, row = np.unique(
        classes.first * (groups + 1) + classes.last + 1, return_index=True, return_inverse=True
    )
    first, last = classes.first[one], classes.last[one]
    length = last - first + 1
    return CrackGraph(
        row_of=row[classes.of],
        column_of=windows.own,
        row=np.repeat(np.arange(len(one)), length),
        column=positions(first, length),
    )


def restricted(graph: CrackGraph, items: Ints, renamed: Ints) -> CrackGraph:
    """Leave these items no other candidates than these renamed items."""
    row_of, parent_row, is_bound = _split(graph.row_of, items)
    column_of, parent_column, is_candidate = _split(graph.column_of, renamed)
    # Every old edge becomes the edges between the parts of its row and the parts of its column.
    rows, of_row = _children(parent_row, graph.row)
    columns, of_pair = _children(parent_column, graph.column[of_row])
    row, column = rows[of_pair], columns
    kept = ~is_bound[row] | is_candidate[column]
    order = np.lexsort((column[kept], row[kept]))
    return CrackGraph(row_of=row_of, column_of=column_of, row=row[kept][order], column=column[kept][order])


def propagated(graph: CrackGraph) -> CrackGraph:
    """Remove the candidates that forced pairs rule out, from both sides until nothing changes; a mapping must exist."""
    rows, columns = len(graph.many_rows), len(graph.many_columns)
    nodes = np.concatenate([graph.row, graph.column + rows])
    order = np.argsort(nodes, kind="stable")
    begin = np.searchsorted(nodes[order], np.arange(rows + columns + 1)).tolist()
    edge_at = (order % max(len(graph.row), 1)).tolist()
    ends = list(zip(graph.row.tolist(), (graph.column + rows).tolist(), strict=True))
    many = [*graph.many_rows.tolist(), *graph.many_columns.tolist()]
    degree = [
        sum(many[ends[edge][one < rows]] for edge in edge_at[begin[one] : begin[one + 1]])
        for one in range(rows + columns)
    ]
    kept = np.ones(len(ends), np.bool_)
    forced = [one for one in range(rows + columns) if degree[one] == 1]
    while forced:
        node = forced.pop()
        [only] = [edge for edge in edge_at[begin[node] : begin[node + 1]] if kept[edge]]
        partner = ends[only][node < rows]
        for edge in edge_at[begin[partner] : begin[partner + 1]]:
            if kept[edge] and edge != only:
                kept[edge] = False
                other = ends[edge][partner < rows]
                degree[other] -= 1
                degree[partner] -= many[other]
                if degree[other] == 1:
                    forced.append(other)
    return graph.with_edges(kept)


def _alike(items: int, one: Ints, other: Ints) -> Ints:
    """Number the ones that have the same others."""
    order = np.lexsort((other, one))
    begin = np.searchsorted(one[order], np.arange(items + 1))
    number: dict[bytes, int] = {}
    of = [number.setdefault(other[order[a:b]].tobytes(), len(number)) for a, b in pairwise(begin.tolist())]
    return np.array(of, np.int64)


def _split(kind_of: Ints, chosen: Ints) -> tuple[Ints, Ints, Flags]:
    """Split kinds into the chosen ones and the others: the new kinds, the old kind of each, whether it is chosen."""
    marked = np.zeros(len(kind_of), np.int64)
    marked[chosen] = 1
    kinds, new = np.unique(2 * kind_of + marked, return_inverse=True)
    return new, kinds // 2, kinds % 2 == 1


def _children(parent: Ints, kinds: Ints) -> tuple[Ints, Ints]:
    """Return the parts of each kind, and which of the given kinds each is a part of."""
    first, end = np.searchsorted(parent, kinds), np.searchsorted(parent, kinds, side="right")
    source = np.repeat(np.arange(len(kinds)), end - first)
    return positions(first, end - first), source
