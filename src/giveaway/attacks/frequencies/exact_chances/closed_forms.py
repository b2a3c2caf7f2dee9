"""Closed formulas for an attacker who knows nothing, or every count exactly (Lakshmanan et al., Lemmas 3.1 to 3.6)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod


def ignorant_chance(items: int, size: int) -> Fraction:
    """Return the chance that a set of `size` items is cracked by pure guessing (Lemma 3.1)."""
    return Fraction(1, comb(items, size))


def exact_chance(sizes: Sequence[int], groups: Sequence[int]) -> Fraction:
    """Return the chance that a set is cracked when all counts are known (Lemma 3.4).

    `sizes` are the items of each group, `groups` the group of each member of the set.
    """
    return Fraction(1, prod(comb(sizes[group], chosen) for group, chosen in Counter(groups).items()))


def exact_expected(sizes: Sequence[int], size: int, interesting: Sequence[int] | None = None) -> Fraction:
    """Return how many sets of `size` items are cracked when all counts are known (Lemmas 3.5 and 3.6, corrected).

    Only sets of items of interest count, of which each group holds as many as `interesting` says; all when left out.
    This is the coefficient of z^size in the product over groups of the sum over x of C(interesting, x) / C(all, x) z^x.
    """
    sums = [Fraction(1)] + [Fraction(0)] * size
    for many, wanted in zip(sizes, sizes if interesting is None else interesting, strict=True):
        terms = [Fraction(comb(wanted, x), comb(many, x)) for x in range(min(wanted, size) + 1)]
        sums = [
            sum((sums[total - x] * term for x, term in enumerate(terms[: total + 1])), Fraction(0))
            for total in range(size + 1)
        ]
    return sums[size]
