"""Means of losses, exact where they can be."""

import math
from collections.abc import Iterable
from fractions import Fraction

from giveaway.model.answer.risk import Chance
from giveaway.model.release.sensitivity import Weight

LARGEST = 10**15
"""Fractions with a larger denominator are written as floats."""

NEAR = 1e-9
"""Floats that are closer to a limit than this part of it are not told apart from it."""

Term = tuple[Weight, Fraction, int]
"""A sensitivity, a chance, and how many records have both."""


def mean(terms: Iterable[Term], records: int, limit: Fraction | None = None) -> Chance:
    """Return the mean of sensitivity times chance over the records.

    A fraction where all sensitivities are fractions and its denominator is not huge; with a huge one, a fraction only
    where a float could not be told apart from the limit. No chance makes even an infinite sensitivity harmless.
    """
    counted = [(phi, chance, count) for phi, chance, count in terms if chance and count and phi]
    if any(isinstance(phi, float) and math.isinf(phi) for phi, _, _ in counted):
        return math.inf
    near = math.fsum(float(phi) * float(chance) * count for phi, chance, count in counted) / max(records, 1)
    by_denominator: dict[int, int] = {}
    common = 1
    for phi, chance, count in counted:
        if isinstance(phi, float):
            return near
        exact = phi * chance
        by_denominator[exact.denominator] = by_denominator.get(exact.denominator, 0) + exact.numerator * count
        common = math.lcm(common, exact.denominator) if common <= LARGEST else common
    if common <= LARGEST:
        total = sum(number * (common // part) for part, number in by_denominator.items())
        return short(Fraction(total, common * max(records, 1)))
    if limit is None or abs(near - float(limit)) > NEAR * float(limit):
        return near
    number, denominator = _added([(number, part) for part, number in sorted(by_denominator.items())])
    return Fraction(number, denominator * max(records, 1))


def short(value: Chance) -> Chance:
    """Return a fraction with a huge denominator as a float."""
    return float(value) if isinstance(value, Fraction) and value.denominator > LARGEST else value


def _added(parts: list[tuple[int, int]]) -> tuple[int, int]:
    """Add fractions two by two, without reducing them."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        added = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs]
        parts = added + parts[len(parts) & ~1 :]
    return parts[0] if parts else (0, 1)
