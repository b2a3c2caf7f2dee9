"""Beliefs after one or several complete rule lists of Adult, scores withheld: maximum entropy by its dual, all itemsets used."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, diags
from tests.oracles.composition.data import adult

COLUMNS = ("workclass", "education", "race", "sex", "native-country")
VALUE = "salary-class"
Point = tuple[str, str]
"""Least support and least confidence of a list."""


@cache
def people() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the different profiles, how many people have each, and how many of these have the larger salary."""
    codes = np.stack([adult()[name] for name in COLUMNS], axis=1)
    profiles, numbers = np.unique(codes, axis=0, return_inverse=True)
    numbers = numbers.ravel()
    return profiles, np.bincount(numbers), np.bincount(numbers, adult()[VALUE]).astype(np.int64)


@cache
def itemsets() -> csr_matrix:
    """One line for each itemset that occurs, holding 1 for each profile that has it."""
    profiles = people()[0]
    lines = []
    for size in range(1, len(COLUMNS) + 1):
        for chosen in combinations(range(len(COLUMNS)), size):
            numbers = np.unique(profiles[:, chosen], axis=0, return_inverse=True)[1].ravel()
            lines += [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
    offsets = np.cumsum([0, *map(len, lines)])
    return csr_matrix(
        (np.ones(offsets[-1]), np.concatenate(lines), offsets), shape=(len(lines), len(profiles))
    )


def bounds(point: Point) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the largest number of people of each itemset with the larger salary that a list leaves."""
    _, count, larger = people()
    having, with_larger = (np.rint(itemsets() @ one).astype(np.int64) for one in (count, larger))
    least, most = np.zeros(len(having)), having.astype(float)
    for at, (number, high) in enumerate(zip(having.tolist(), with_larger.tolist(), strict=True)):
        needed = max(1, ceil(max(Fraction(point[0]) * int(count.sum()), Fraction(point[1]) * number)))
        if high >= needed:
            least[at] = max(least[at], needed)
        else:
            most[at] = min(most[at], needed - 1)
        if number - high >= needed:
            most[at] = min(most[at], number - needed)
        else:
            least[at] = max(least[at], number - needed + 1)
    return least, most


def beliefs(points: Sequence[Point]) -> np.ndarray:
    """Return for each profile the chance of the larger salary that has maximum entropy among all that agree with the lists."""
    every = [bounds(point) for point in points]
    least, most = np.max([low for low, _ in every], axis=0), np.min([high for _, high in every], axis=0)
    count = people()[1]
    number = itemsets() @ count
    told = (least > 0) | (most < number)
    least, most, number = least[told], most[told], number[told]
    means = (diags(1 / number) @ itemsets()[told]).tocsr()

    def dual(prices: np.ndarray) -> tuple[float, np.ndarray]:
        low, high = np.split(prices, 2)
        odds = means.T @ (low - high)
        chance = 1 / (1 + np.exp(-odds))
        mean = means @ (count * chance)
        value = float(count @ np.logaddexp(0, odds)) - low @ (least / number) + high @ (most / number)
        return value, np.concatenate([mean - least / number, most / number - mean])

    found = minimize(
        dual,
        np.zeros(2 * len(least)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * (2 * len(least)),
        options={"maxiter": 3000, "maxfun": 6000, "maxcor": 40, "ftol": 1e-16, "gtol": 1e-7},
    )
    low, high = np.split(found.x, 2)
    return 1 / (1 + np.exp(-(means.T @ (low - high))))


def believed_above(points: Sequence[Point], limit: float) -> tuple[int, int, float]:
    """Return for how many people some value, and the true one, is believed above a limit, and the largest belief."""
    _, count, larger = people()
    chance = beliefs(points)
    either = np.maximum(chance, 1 - chance)
    true = larger[chance > limit].sum() + (count - larger)[1 - chance > limit].sum()
    return int(count[either > limit].sum()), int(true), float(either.max())
