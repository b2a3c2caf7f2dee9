"""The exact chance that a set of items is cracked on a general crack graph: mapped onto itself, in whatever order.

Components are independent. Within one, the mappings of the members onto their renamed items, times those of the rest, are
compared with all mappings of the component.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.exact_chances.general import parts_of, ways
from giveaway.model.data.arrays import Ints

BUDGET = 10_000_000
"""Transitions that all sets together may take unless told otherwise: about half a minute."""

IMAGES = 2_000
"""Choices of columns for the members of a set, up to which its likeliest codes are looked for."""

Some = tuple[int, ...]


class GraphSetChances:
    """Chances of sets of items, worked out once for each kind; a mapping must exist."""

    def __init__(self, graph: CrackGraph, *, budget: int = BUDGET) -> None:
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
