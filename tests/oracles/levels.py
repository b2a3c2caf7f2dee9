"""The best node by trying all of them, row by row."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

Value = str | int | None
Ladder = Sequence[Mapping[Value, Value]]
"""For each level the label of each value; the last level has one for all."""


@dataclass(frozen=True)
class Tried:
    """A node, the rows that it suppresses, and its loss."""

    node: tuple[int, ...]
    suppressed: frozenset[int]
    loss: Fraction


def label_loss(
    ladder: Ladder, level: int, value: Value, loss: Literal["labels", "cells", "precision"]
) -> Fraction:
    if level == len(ladder) - 1:
        return Fraction(1)
    if value is None:
        return Fraction(0)
    if loss == "cells":
        return Fraction(level > 0)
    if loss == "precision":
        return Fraction(level, len(ladder) - 1)
    leaves = [v for v in ladder[0] if v is not None]
    under = sum(ladder[level][v] == ladder[level][value] for v in leaves)
    return Fraction(under - 1, max(len(leaves) - 1, 1))


def all_nodes(
    ladders: Sequence[Ladder],
    rows: Sequence[Sequence[Value]],
    crowd: int,
    suppress: Fraction,
    *,
    people: Sequence[Sequence[Value]] | None = None,
    sensitive: Sequence[Sequence[Value]] = (),
    limit: Fraction = Fraction(1),
    loss: Literal["labels", "cells", "precision"] = "labels",
    importance: Sequence[Fraction] | None = None,
    fills: bool = False,
) -> list[Tried]:
    """Return the nodes within the limits, the best first.

    With `fills`, a node is tried with every set of whole blocks suppressed besides, if fewer rows than a crowd show nothing.
    """
    weights = importance or [Fraction(1)] * len(ladders)
    found = []
    for node in product(*(range(len(ladder)) for ladder in ladders)):

        def shown(row: Sequence[Value], node: tuple[int, ...] = node) -> tuple[Value, ...]:
            return tuple(
                ladder[level][value] for ladder, level, value in zip(ladders, node, row, strict=True)
            )

        crowds = Counter(map(shown, rows if people is None else people))
        bad = {number for number, row in enumerate(rows) if crowds[shown(row)] < crowd}
        for column in sensitive:
            bad |= _over(rows, shown, column, limit)
        for chosen in _filled(list(map(shown, rows)), bad, crowd) if fills else [frozenset(bad)]:
            if len(chosen) > suppress * len(rows) or len(chosen) == len(rows):
                continue
            lost = sum(
                (
                    weight * (Fraction(1) if number in chosen else label_loss(ladder, level, value, loss))
                    for number, row in enumerate(rows)
                    for ladder, level, value, weight in zip(ladders, node, row, weights, strict=True)
                ),
                Fraction(0),
            )
            found.append(Tried(node, chosen, lost / (len(rows) * sum(weights))))
    return sorted(found, key=lambda one: (one.loss, len(one.suppressed), one.node))


def _filled(forms: Sequence[tuple[Value, ...]], bad: set[int], crowd: int) -> list[frozenset[int]]:
    """Return all sets of rows to suppress: the bad ones with any whole blocks, if those that show nothing are too few."""
    silent = {number for number, form in enumerate(forms) if set(form) <= {None, "*"}}
    if not bad or len(bad | silent) >= crowd:
        return [frozenset(bad)]
    good = {form for number, form in enumerate(forms) if number not in bad}
    sets = []
    for many in range(len(good) + 1):
        for blocks in combinations(good, many):
            chosen = bad | {number for number, form in enumerate(forms) if form in blocks}
            if len(chosen | silent) >= crowd:
                sets.append(frozenset(chosen))
    return sets


def _over(
    rows: Sequence[Sequence[Value]],
    shown: Callable[[Sequence[Value]], tuple[Value, ...]],
    sensitive: Sequence[Value],
    limit: Fraction,
) -> set[int]:
    inside: dict[tuple[Value, ...], list[int]] = {}
    for number, row in enumerate(rows):
        inside.setdefault(shown(row), []).append(number)
    over = set()
    for numbers in inside.values():
        counts = Counter(sensitive[number] for number in numbers if sensitive[number] is not None)
        if counts and max(counts.values()) > limit * sum(counts.values()):
            over.update(numbers)
    return over
