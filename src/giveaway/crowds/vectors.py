"""The vectors of levels that a plan tries, the cheap ones first."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from math import lcm, prod

import numpy as np

from giveaway.crowds.forms import ColumnForms, Vectors

Vector = tuple[int, ...]

MOST = 1 << 14
"""All vectors are tried where there are no more than this many."""

_CHAINS = 64
_SEED = 1


def vectors(levels: Sequence[ColumnForms], most: int = MOST) -> Vectors:
    """Return the vectors of levels in the order of their costs, the vector of all values first, that of blanks last.

    Where there are more than `most`, those that change the fewest columns and those that show the fewest, and between
    them chains from one to the other: columns with many values are blanked early in most of them.

    >>> vectors([ColumnForms(values=2), ColumnForms(values=3, costs=(2,))]).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    if prod(one.last + 1 for one in levels) <= most:
        chosen = set(product(*(range(one.last + 1) for one in levels)))
    else:
        chosen = _some(levels, most)
    every = np.array(sorted(chosen, reverse=True), np.int8).reshape(len(chosen), len(levels))
    scale = lcm(*(Fraction(cost).denominator for one in levels for cost in one.costs))
    price = sum(
        (
            np.array([0, *(int(cost * scale) for cost in one.costs)])[level]
            for one, level in zip(levels, every.T, strict=True)
        ),
        np.zeros(len(every), np.int64),
    )
    return every[np.argsort(price, kind="stable")]


def _some(levels: Sequence[ColumnForms], most: int) -> set[Vector]:
    """Choose among too many vectors, without a look at the data."""
    every = tuple(one.last for one in levels)
    none = (0,) * len(levels)
    vectors = {none, every}
    for base, steps in _near(levels, none, every):
        more = {_changed(base, chosen) for chosen in islice(steps, most)}
        if len(vectors) + len(more) > most // 2:
            break
        vectors |= more
    draw = np.random.default_rng(_SEED)
    sizes = np.array([one.values for one in levels])
    for chain in range(_CHAINS):
        noise = draw.gumbel(size=len(levels)) * (chain > 0)
        vector = list(none)
        for at in np.argsort(-(np.log(sizes + 1.0) + noise), kind="stable").tolist():
            vector[at] = every[at]
            vectors.add(tuple(vector))
            if len(vectors) >= most:
                return vectors
    return vectors


def _near(
    levels: Sequence[ColumnForms], none: Vector, every: Vector
) -> Iterator[tuple[Vector, Iterable[dict[int, int]]]]:
    """Give the changes of 1, 2, ... columns, from nothing blank up and from everything blank down."""
    for number in range(1, len(levels)):
        up = (
            dict(zip(chosen, to, strict=True))
            for chosen in combinations(range(len(levels)), number)
            for to in product(*(range(1, every[at] + 1) for at in chosen))
        )
        yield none, up
        yield every, (dict.fromkeys(chosen, 0) for chosen in combinations(range(len(levels)), number))


def _changed(base: Vector, to: dict[int, int]) -> Vector:
    return tuple(to.get(at, level) for at, level in enumerate(base))
