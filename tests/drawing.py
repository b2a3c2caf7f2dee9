"""Strategies for Hypothesis that are drawn from often."""

from fractions import Fraction
from functools import cache
from math import ceil, floor

from hypothesis import strategies as st


@cache
def fractions(
    least: str | float | Fraction, most: str | float | Fraction, *, max_denominator: int
) -> st.SearchStrategy[Fraction]:
    """Draw what `st.fractions` draws, from a list, which takes a tenth of the time.

    Each stands there once for every denominator that it can be written with: simple ones, at which limits are met, come often.
    """
    low, high = Fraction(least), Fraction(most)
    return st.sampled_from(
        [
            Fraction(above, below)
            for below in range(1, max_denominator + 1)
            for above in range(ceil(low * below), floor(high * below) + 1)
        ]
    )
