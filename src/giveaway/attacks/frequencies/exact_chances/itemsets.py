"""The exact chance that a set of items is cracked: mapped onto itself, in whatever order.

Components are independent. Within one, the members and their renamed items are taken out; the mappings of the rest,
times those of the members among themselves, are compared with all mappings of the component.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import exp, prod

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Piece, Windows
from giveaway.attacks.frequencies.exact_chances.messages import log_ways
from giveaway.attacks.frequencies.exact_chances.plan import (
    ComponentGroups,
    StepsPlan,
    best_plan,
    part_of,
    plan,
)
from giveaway.attacks.frequencies.exact_chances.whole_numbers import Mappings, permanent, places
from giveaway.model.answer.risk import Chance

BUDGET = 100_000_000
"""Transitions that all sets together may take unless told otherwise: about a minute."""

FRACTIONS = 10_000
"""Transitions of a component up to which the chances of its sets are fractions."""

IMAGES = 20_000
"""Ways to choose groups for the members of a set, up to which its likeliest codes are looked for."""

_ROUNDED = Fraction(10**9 + 1, 10**9)
"""Bounds in floats may be too low by rounding."""

Some = tuple[int, ...]


class SetChances:
    """Chances of sets of items, worked out once for each kind; a mapping must exist."""

    def __init__(self, windows: Windows, *, budget: int = BUDGET, fractions: int = FRACTIONS) -> None:
        self._windows = windows
        self._fractions = fractions
        self._left = budget
        pieces = windows.pieces
        numbers = np.arange(len(pieces))
        self._piece_of_class = np.repeat(numbers, [piece.tail - piece.head for piece in pieces]).tolist()
        self._piece_of_group = np.repeat(numbers, [piece.end - piece.begin for piece in pieces]).tolist()
        self._own = windows.classes.own.tolist()
        self._components: dict[int, _SetComponent | None] = {}
        self._known: dict[tuple[int, Some, Some], Chance | None] = {}
        self._best: dict[tuple[int, Some], Chance | None] = {}

    def chance(self, kind: Iterable[int]) -> Chance | None:
        """Return the chance of a set whose members are of these classes; None when over budget."""
        members: dict[int, list[int]] = {}
        groups: dict[int, list[int]] = {}
        for one in sorted(kind):
            members.setdefault(self._piece_of_class[one], []).append(one)
            groups.setdefault(self._piece_of_group[self._own[one]], []).append(self._own[one])
        if any(len(groups.get(piece, ())) != len(inside) for piece, inside in members.items()):
            return Fraction(0)
        together: Chance = Fraction(1)
        for piece, inside in members.items():
            chance = self._inside(piece, tuple(inside), tuple(sorted(groups[piece])))
            if chance is None:
                return None
            together *= chance
        return together

    def likeliest(self, kind: Iterable[int]) -> Chance | None:
        """Return the chance of the likeliest codes of a set whose members are of these classes; None when over budget.

        Its members of each component are mapped onto codes of that component, independently of the others.
        """
        members: dict[int, list[int]] = {}
        for one in sorted(kind):
            members.setdefault(self._piece_of_class[one], []).append(one)
        together: Chance = Fraction(1)
        for piece, inside in members.items():
            chance = self._likeliest_inside(piece, tuple(inside))
            if chance is None:
                return None
            together *= chance
        return together

    def _likeliest_inside(self, piece: int, members: Some) -> Chance | None:
        """Return the chance of the likeliest groups that members of one component are mapped onto."""
        if (piece, members) not in self._best:
            self._best[piece, members] = self._largest(piece, members)
        return self._best[piece, members]

    def _largest(self, piece: int, members: Some) -> Chance | None:
        """Try groups, those first that may be likeliest, until none that is left can be likelier.

        A set is mapped onto some codes at most as often as one of its members is mapped to one of them, and at most as
        often as one of the codes is that of a member.
        """
        classes = self._windows.classes
        first, last = classes.first[list(members)].tolist(), classes.last[list(members)].tolist()
        ranges = [range(low, high + 1) for low, high in zip(first, last, strict=True)]
        if prod(map(len, ranges)) > IMAGES:
            return None
        alone: dict[tuple[int, int], Chance] = {}
        for one, inside in zip(members, ranges, strict=True):
            for group in inside:
                chance = self._inside(piece, (one,), (group,))
                if chance is None:
                    return None
                alone[one, group] = chance

        def at_most(groups: Some) -> Chance:
            of_members = (sum(alone.get((one, group), 0) for group in groups) for one in members)
            of_codes = (sum(alone.get((one, group), 0) for one in members) for group in groups)
            return min(*of_members, *of_codes)

        bounds = {groups: at_most(groups) for groups in map(tuple, map(sorted, product(*ranges)))}
        best: Chance = Fraction(0)
        for groups in sorted(bounds, key=lambda some: (-bounds[some], some)):
            if bounds[groups] * _ROUNDED <= best:
                break
            if all(many <= self._windows.sizes[group] for group, many in Counter(groups).items()):
                chance = self._inside(piece, members, groups)
                if chance is None:
                    return None
                best = max(best, chance)
        return best

    def _inside(self, piece: int, members: Some, groups: Some) -> Chance | None:
        """Return the chance that members of one component are mapped onto renamed items of these groups of it."""
        key = (piece, members, groups)
        if key not in self._known:
            component = self._component(piece)
            if component is None or component.work > self._left:
                return None
            self._left -= component.work
            self._known[key] = component.chance(members, groups)
        return self._known[key]

    def _component(self, number: int) -> "_SetComponent | None":
        if number not in self._components:
            piece = self._windows.pieces[number]
            best = best_plan(part_of(self._windows, piece), self._left)
            self._left -= 0 if best is None else best.work
            self._components[number] = None if best is None else _SetComponent(piece, best, self._fractions)
        return self._components[number]


class _SetComponent:
    """One component, and the transitions that a set takes in it."""

    def __init__(self, piece: Piece, steps: StepsPlan, fractions: int) -> None:
        self.work = steps.work
        self._piece = piece
        self._plan = steps
        self._exactly = steps.work <= fractions

    def chance(self, members: Some, groups: Some) -> Chance | None:
        """Return the chance that items of these classes are mapped onto renamed items of these groups."""
        part, piece = self._plan.part, self._piece
        inner = [one - piece.head for one in members]
        windows = list(zip(part.first[inner].tolist(), part.last[inner].tolist(), strict=True))
        there = [piece.end - 1 - g if part.backwards else g - piece.begin for g in groups]
        if self._exactly:
            return self._mappings.chance(windows, there)
        inside = permanent([[first <= group <= last for group in there] for first, last in windows])
        if not inside:
            return Fraction(0)
        rest = plan(_without(part, inner, there), 2 * self.work)
        if rest is None:
            return None
        return inside / places(part.sizes.tolist(), there) * exp(log_ways(rest) - self._log_ways)

    @cached_property
    def _mappings(self) -> Mappings:
        return Mappings(self._plan.part.sizes.tolist(), self._plan.part.by_window)

    @cached_property
    def _log_ways(self) -> float:
        return log_ways(self._plan)


def _without(part: ComponentGroups, classes: list[int], groups: list[int]) -> ComponentGroups:
    """Take one item of each of these classes out, and a renamed item of each of these groups."""
    sizes, many = part.sizes.copy(), part.many.copy()
    np.subtract.at(sizes, groups, 1)
    np.subtract.at(many, classes, 1)
    return part._replace(sizes=sizes, many=many)
