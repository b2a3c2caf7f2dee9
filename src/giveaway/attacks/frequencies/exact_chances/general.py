"""Chances of items and of sets on a general crack graph: exact for components of moderate size, estimated for others.

Components are independent. Within one, the mappings of the members of a set onto their renamed items, times those of the
rest, are compared with all mappings of the component.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb, prod
from typing import NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.attacks.frequencies.estimates.belief_propagation import pass_beliefs
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

BUDGET = 300_000
"""Transitions that the exact chances of one component may take unless told otherwise: about a second."""

_SUBSETS = 20
"""The most items whose mappings can be counted by subsets in 64 bits."""

_LARGEST = 2_000
"""The most items of a component that is not a complete block for which exact chances are tried."""


class Shortage(NamedTuple):
    """Items that have too few candidates together, so that no mapping exists (Hall's condition)."""

    items: Ints
    renamed: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class EdgeChances:
    """The chance that an item of a row is mapped to one renamed item of a column, for every edge.

    `estimated` marks the items whose chances are estimates; all others are exact.
    """

    graph: CrackGraph
    edges: Sequence[Chance]
    estimated: Flags

    @property
    def of_items(self) -> list[Chance]:
        """The chance that each item is cracked."""
        return [self.edges[edge] if edge >= 0 else Fraction(0) for edge in self.graph.own_edge.tolist()]

    @property
    def likeliest(self) -> list[Chance]:
        """The chance of the likeliest renamed item of each item, true or not."""
        begin = self.graph.begin.tolist()
        best = [max(self.edges[first:end]) for first, end in pairwise(begin)]
        return [best[row] for row in self.graph.row_of.tolist()]

    def of_sets(self, kinds: Ints) -> Floats:
        """Return the chance of each kind of set of classes, as if its members were mapped into it independently."""
        graph = self.graph
        pairs = zip(graph.row.tolist(), graph.column.tolist(), map(float, self.edges), strict=True)
        chance = {(row, column): value for row, column, value in pairs}
        rows, columns = graph.classes.row[kinds].tolist(), graph.classes.column[kinds].tolist()
        return np.array(
            [
                prod(min(sum(chance.get((one, own), 0.0) for own in columns_of), 1.0) for one in some)
                for some, columns_of in zip(rows, columns, strict=True)
            ]
        )


def usable(graph: CrackGraph) -> CrackGraph | Shortage:
    """Remove every candidate that no one-to-one mapping uses, and nothing else.

    A candidate is used when it lies on a cycle of candidates and mapped pairs: when both its ends are in one strongly
    connected component.
    """
    matched = columns_of_a_mapping(graph)
    if isinstance(matched, Shortage):
        return matched
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, nodes = len(graph.many_rows), len(graph.many_rows) + len(graph.many_columns)
    source = np.concatenate([graph.row, rows + matched])
    sink = np.concatenate([rows + graph.column, graph.row_of])
    arcs = coo_array((np.ones(len(source)), (source, sink)), shape=(nodes, nodes))
    _, component = connected_components(arcs.tocsr(), connection="strong")
    return graph.with_edges(component[graph.row] == component[rows + graph.column])


def columns_of_a_mapping(graph: CrackGraph) -> Ints | Shortage:
    """Return the column of each item in some mapping: the true one if it is possible, otherwise by a maximum flow."""
    if graph.compliant.all():
        return graph.column_of
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    rows, columns = len(graph.many_rows), len(graph.many_columns)
    source, sink = rows + columns, rows + columns + 1
    ends = np.concatenate([np.full(rows, source), graph.row, rows + np.arange(columns)])
    heads = np.concatenate([np.arange(rows), rows + graph.column, np.full(columns, sink)])
    room = np.concatenate([graph.many_rows, np.full(len(graph.row), graph.items), graph.many_columns])
    network = coo_array((room.astype(np.int32), (ends, heads)), shape=(sink + 1, sink + 1)).tocsr()
    flow = maximum_flow(network, source, sink)
    if flow.flow_value < graph.items:
        left = (network - flow.flow).tocsr()
        left.eliminate_zeros()
        reached = breadth_first_order(left, source, return_predecessors=False)
        inside = np.zeros(sink + 1, np.bool_)
        inside[reached] = True
        short, candidates = inside[:rows][graph.row_of], inside[rows:source][graph.column_of]
        return Shortage(np.flatnonzero(short), np.flatnonzero(candidates))
    carried = np.asarray(flow.flow[graph.row, rows + graph.column]).reshape(-1)
    columns_by_row = np.repeat(graph.column, carried)
    column_of = np.empty(graph.items, np.int64)
    column_of[np.argsort(graph.row_of, kind="stable")] = columns_by_row
    return column_of


def chances(
    graph: CrackGraph, *, budget: int = BUDGET, likeliest: bool = False, weights: Ints | None = None
) -> EdgeChances:
    """Compute the chance of every edge, component by component; a mapping must exist.

    Components are smallest when candidates that no mapping uses were removed before. With `likeliest` nothing depends on
    which renamed item is the true one. With `weights` of the edges a mapping is as likely as the product of its edges'
    weights, instead of all being equally likely; what takes too much work to count is refused then.
    """
    rows, (component, of_columns) = len(graph.many_rows), parts_of(graph)
    many = int(max(component.max(initial=0), of_columns.max(initial=0))) + 1
    order = np.argsort(component[graph.row], kind="stable")
    begin = np.searchsorted(component[graph.row][order], np.arange(many + 1))
    chance_of: list[Chance] = [Fraction(0)] * len(graph.row)
    hard = np.zeros(len(graph.row), np.bool_)
    for number in range(many):
        tell("computing chances", number, many)
        edges = order[begin[number] : begin[number + 1]]
        exact = _exact(graph, edges, budget, None if weights is None else weights[edges])
        if exact is None and weights is not None:
            raise BudgetExceeded(
                "Mappings that are not equally likely take too much work to count.",
                hint="leave the weights out, or state fewer candidates.",
            )
        hard[edges] = exact is None
        for edge, chance in zip(edges.tolist(), exact or (), strict=exact is not None):
            chance_of[edge] = chance
    for edge, chance in zip(
        np.flatnonzero(hard).tolist(), _estimated(graph, hard, likeliest=likeliest).tolist(), strict=True
    ):
        chance_of[edge] = chance
    hard_row = np.zeros(rows, np.bool_)
    hard_row[graph.row[hard]] = True
    return EdgeChances(graph=graph, edges=chance_of, estimated=hard_row[graph.row_of])


def parts_of(graph: CrackGraph) -> tuple[Ints, Ints]:
    """Return the connected component of each row and of each column."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, nodes = len(graph.many_rows), len(graph.many_rows) + len(graph.many_columns)
    arcs = coo_array((np.ones(len(graph.row)), (graph.row, rows + graph.column)), shape=(nodes, nodes))
    component = connected_components(arcs.tocsr(), directed=False)[1].astype(np.int64)
    return component[:rows], component[rows:]


def _exact(graph: CrackGraph, edges: Ints, budget: int, weights: Ints | None) -> list[Fraction] | None:
    """Return the chances of the edges of one component, None when they take too much work."""
    rows, row = np.unique(graph.row[edges], return_inverse=True)
    columns, column = np.unique(graph.column[edges], return_inverse=True)
    many_rows, many_columns = graph.many_rows[rows], graph.many_columns[columns]
    items = int(many_rows.sum())
    if weights is None and (len(rows) == 1 or len(columns) == 1):
        return [Fraction(1, items)] * len(edges)
    if items > _LARGEST:
        return None
    adjacent = np.zeros((len(rows), len(columns)), np.bool_)
    adjacent[row, column] = True
    worth: Flags | Ints = adjacent
    if weights is not None:
        worth = np.zeros(adjacent.shape, object)
        worth[row, column] = weights
    counted = _by_states(worth, many_rows.tolist(), many_columns.tolist(), budget)
    if counted is None and items <= _SUBSETS and weights is None:
        counted = _by_subsets(adjacent, many_rows, many_columns)
    if counted is None:
        return None
    return [counted[pair] for pair in zip(row.tolist(), column.tolist(), strict=True)]


def _by_subsets(adjacent: Flags, many_rows: Ints, many_columns: Ints) -> dict[tuple[int, int], Fraction]:
    """Count the mappings through every edge of at most 20 items.

    The dynamic program over subsets of Bellman, Held and Karp; counts of 20 items fit into 64 bits.
    """
    # State: the set of renamed items used, as bits. Items are mapped in turn, so that it tells how many were. Invariant:
    # `before[used]` counts the ways to get there and `after[used]` those to go on from there to a mapping of all items.
    row_of = np.repeat(np.arange(len(many_rows)), many_rows)
    column_of = np.repeat(np.arange(len(many_columns)), many_columns)
    candidates = [np.flatnonzero(adjacent[row, column_of]).tolist() for row in row_of.tolist()]
    sets = np.arange(1 << len(row_of))
    size = np.bitwise_count(sets)
    before, after = np.zeros_like(sets), np.zeros_like(sets)
    before[0] = after[-1] = 1
    through: dict[tuple[int, int], int] = {}
    for item, renamed in enumerate(candidates):
        here = sets[size == item]
        for one in renamed:
            free = here[here >> one & 1 == 0]
            before[free | 1 << one] += before[free]
    for item, renamed in reversed([*enumerate(candidates)]):
        here = sets[size == item]
        for one in renamed:
            free = here[here >> one & 1 == 0]
            rest = after[free | 1 << one]
            after[free] += rest
            through[int(row_of[item]), int(column_of[one])] = int(before[free] @ rest)
    return {edge: Fraction(count, int(before[-1])) for edge, count in through.items()}


class MappingWays(NamedTuple):
    """The rows of the items in the order in which they are mapped, and how many ways lead to each state after each.

    The state is how many renamed items of each column are free, as a number whose digits are the columns; `base` is the
    worth of each digit. `work` counts transitions.
    """

    items: list[int]
    base: list[int]
    columns_of: list[list[int]]
    levels: list[dict[int, int]]
    work: int

    @property
    def total(self) -> int:
        """The number of mappings."""
        return self.levels[-1].get(0, 0)


def ways(
    adjacent: Flags | Ints, many_rows: Sequence[int], many_columns: Sequence[int], budget: int
) -> MappingWays | None:
    """Map the items one after the other, and count the ways; None when it takes more work than the budget.

    A column whose last item was mapped must be used up. Where `adjacent` holds whole numbers instead of flags, a way counts
    as often as the product of those of its edges.
    """
    # Invariant: `levels[place]` counts for each state the ways to map the first `place` items. Pruning: a state with a column that nobody can use up any more is dropped, and rows with common columns are
    # near each other (reverse Cuthill and McKee), so that few columns are begun at any time.
    order = _narrow(adjacent)
    items = [row for row in order for _ in range(many_rows[row])]
    base = [1]
    for many in many_columns:
        base.append(base[-1] * (many + 1))
    columns_of = [np.flatnonzero(row).tolist() for row in adjacent]
    finished = [-1] * len(many_columns)
    for place, row in enumerate(items):
        for column in columns_of[row]:
            finished[column] = place

    def free(state: int, column: int) -> int:
        return state // base[column] % (many_columns[column] + 1)

    levels = [{sum(many * unit for many, unit in zip(many_columns, base[:-1], strict=True)): 1}]
    work = 0
    for place, row in enumerate(items):
        following: dict[int, int] = {}
        work += len(levels[-1]) * len(columns_of[row])
        if work > budget:
            return None
        for state, count in levels[-1].items():
            for column in columns_of[row]:
                left = free(state, column)
                if left:
                    target = state - base[column]
                    following[target] = following.get(target, 0) + count * left * int(adjacent[row, column])
        done = [column for column in columns_of[row] if finished[column] == place]
        levels.append(
            {s: count for s, count in following.items() if not any(free(s, column) for column in done)}
        )
    return MappingWays(items, base, columns_of, levels, work)


def _by_states(
    adjacent: Flags | Ints, many_rows: list[int], many_columns: list[int], budget: int
) -> dict[tuple[int, int], Fraction] | None:
    """Count the mappings through every edge, from the ways to each state and those on from it."""
    before_each = ways(adjacent, many_rows, many_columns, budget)
    if before_each is None:
        return None
    items, base, columns_of, levels, _ = before_each
    chances: dict[tuple[int, int], Fraction] = {}
    after = {0: 1}
    for place in range(len(items) - 1, -1, -1):
        row = items[place]
        through = dict.fromkeys(columns_of[row], 0)
        before: dict[int, int] = {}
        for state, count in levels[place].items():
            for column in columns_of[row]:
                free = state // base[column] % (many_columns[column] + 1)
                rest = free * int(adjacent[row, column]) * after.get(state - base[column], 0)
                before[state] = before.get(state, 0) + rest
                through[column] += count * rest
        after = before
        for column, count in through.items():
            chances[row, column] = Fraction(count, before_each.total * many_columns[column])
    return chances


def _narrow(adjacent: Flags | Ints) -> list[int]:
    """Order rows so that those with common columns are near each other."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    rows, columns = adjacent.shape
    both = np.zeros((rows + columns, rows + columns), np.bool_)
    both[:rows, rows:] = adjacent != 0
    both[rows:, :rows] = adjacent.T != 0
    order = reverse_cuthill_mckee(csr_array(both), symmetric_mode=True)
    return [node for node in order.tolist() if node < rows]


def _estimated(graph: CrackGraph, hard: Flags, *, likeliest: bool) -> Floats:
    """Estimate the chances of the edges of components that cost too much."""
    if not hard.any():
        return np.zeros(0)
    own = graph.own_edge[graph.own_edge >= 0]
    counted, weight = np.unique(own, return_counts=True)

    def expected(chances: Floats) -> float:
        return graph.edges.guessed(chances) if likeliest else float(weight @ chances[counted])

    return pass_beliefs(graph.edges, expected).chances[hard]


SETS_BUDGET = 10_000_000
"""Transitions that all sets together may take unless told otherwise: about half a minute."""

IMAGES = 2_000
"""Choices of columns for the members of a set, up to which its likeliest codes are looked for."""

Some = tuple[int, ...]


class GraphSetChances:
    """Chances of sets of items, worked out once for each kind; a mapping must exist."""

    def __init__(self, graph: CrackGraph, *, budget: int = SETS_BUDGET) -> None:
        self._graph = graph
        self._left = budget
        self._part_of_row, self._part_of_column = parts_of(graph)
        width = len(graph.many_columns)
        self._adjacent = np.zeros((len(graph.many_rows), width), np.bool_)
        self._adjacent[graph.row, graph.column] = True
        self._known: dict[tuple[Some, Some], int | None] = {}

    def chance(self, kind: Sequence[int]) -> Fraction | None:
        """Return the chance of a set whose members are of these classes; None when over budget."""
        together = Fraction(1)
        own = sorted(self._graph.classes.column[list(kind)].tolist())
        for part, members in self._by_part(kind).items():
            columns = tuple(column for column in own if self._part_of_column[column] == part)
            if len(columns) != len(members):
                return Fraction(0)
            chance = self._onto(part, members, columns)
            if chance is None:
                return None
            together *= chance
        return together

    def likeliest(self, kind: Sequence[int]) -> Fraction | None:
        """Return the chance of the likeliest codes of such a set; None when there are too many to try, or over budget."""
        together = Fraction(1)
        for part, members in self._by_part(kind).items():
            columns = np.flatnonzero(self._adjacent[list(members)].any(axis=0)).tolist()
            if comb(len(columns) + len(members) - 1, len(members)) > IMAGES:
                return None
            best = Fraction(0)
            for image in combinations_with_replacement(columns, len(members)):
                if all(many <= self._graph.many_columns[column] for column, many in Counter(image).items()):
                    chance = self._onto(part, members, image)
                    if chance is None:
                        return None
                    best = max(best, chance)
            together *= best
        return together

    def _by_part(self, kind: Sequence[int]) -> dict[int, Some]:
        """Return the rows of the members, component by component."""
        rows = sorted(self._graph.classes.row[list(kind)].tolist())
        parts = {int(self._part_of_row[row]) for row in rows}
        return {part: tuple(row for row in rows if self._part_of_row[row] == part) for part in sorted(parts)}

    def _onto(self, part: int, members: Some, columns: Some) -> Fraction | None:
        """Return the chance that members of one component are mapped onto renamed items of these columns of it."""
        rows, all_columns = self._whole(part)
        inside = self._mappings(members, columns)
        if not inside:
            return None if inside is None else Fraction(0)
        rest = self._mappings(_less(rows, members), _less(all_columns, columns))
        whole = self._mappings(rows, all_columns)
        return None if rest is None or whole is None else Fraction(inside * rest, whole)

    def _whole(self, part: int) -> tuple[Some, Some]:
        graph = self._graph
        return (
            _listed(np.flatnonzero(self._part_of_row == part), graph.many_rows),
            _listed(np.flatnonzero(self._part_of_column == part), graph.many_columns),
        )

    def _mappings(self, rows: Some, columns: Some) -> int | None:
        """Count the mappings of items of these rows onto renamed items of these columns; None when over budget."""
        key = (rows, columns)
        if not rows:
            return 1
        if key not in self._known:
            of_rows, of_columns = Counter(rows), Counter(columns)
            adjacent = self._adjacent[np.ix_(list(of_rows), list(of_columns))]
            counted = ways(adjacent, [*of_rows.values()], [*of_columns.values()], self._left)
            self._left -= 0 if counted is None else counted.work
            self._known[key] = None if counted is None else counted.total
        return self._known[key]


def _listed(kinds: Ints, many: Ints) -> Some:
    return tuple(np.repeat(kinds, many[kinds]).tolist())


def _less(everything: Sequence[int], some: Sequence[int]) -> Some:
    """Take some of a sorted list out."""
    return tuple(sorted((Counter(everything) - Counter(some)).elements()))
