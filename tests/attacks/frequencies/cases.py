"""Small data with given counts, and what the oracle says of them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import strategies as st
from tests.oracles import cracks as oracle

import giveaway as ga
from giveaway.model.answer.risk import Risk
from giveaway.model.data.supports import Supports

papers_attacker = partial(ga.KnowsFrequencies, knows_method=False)
"""Somebody who does not know how giveaway chooses, as in the paper."""

TOTAL = 12
"""The number of transactions in all small data."""


def labels(number: int) -> list[str]:
    return [f"i{place}" for place in range(number)]


def baskets(counts: Sequence[int], *, domain: Sequence[str] = ()) -> ga.Transactions:
    """Make transactions in which item i occurs so often: it is in the first ones."""
    rows = [[f"i{i}" for i, count in enumerate(counts) if place < count] for place in range(TOTAL)]
    silent = [f"i{i}" for i, count in enumerate(counts) if count == 0]
    return ga.Transactions.from_lists(rows, domain=[*silent, *domain])


def supports(counts: Sequence[int]) -> Supports:
    return Supports.from_counts(dict(zip(labels(len(counts)), counts, strict=True)), transactions=TOTAL)


def measured(data: Any, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance, **effort: Any) -> Risk:
    """Measure, and refuse an answer that came to nothing."""
    finding = ga.assess(ga.Release(data), attacker, tolerance, effort=ga.Effort(**effort)).findings[0]
    assert finding.risk is not None
    return finding.risk


def candidates(counts: Sequence[int], ranges: Mapping[int, tuple[Fraction, Fraction]]) -> list[set[int]]:
    """Return the codes that may stand for each item by the frequencies believed."""
    everything = set(range(len(counts)))
    return [
        {j for j in everything if ranges[i][0] <= Fraction(counts[j], TOTAL) <= ranges[i][1]}
        if i in ranges
        else everything
        for i in range(len(counts))
    ]


def chances_of(risk: Risk) -> dict[Any, Any]:
    return {exposure.target: exposure.chance for exposure in risk.exposures}


def expected(some: Sequence[set[int]]) -> Fraction:
    return sum(oracle.crack_chances(some), Fraction(0))


counts_of_items = st.lists(st.integers(0, 6), min_size=1, max_size=7).filter(any)
"""Counts of a few items; some never occur."""


@st.composite
def beliefs(draw: st.DrawFn, counts: Sequence[int], *, right: bool) -> dict[int, tuple[Fraction, Fraction]]:
    """Draw ranges for some items, in frequencies; correctly or anyhow."""
    made = {}
    for item, count in enumerate(counts):
        if draw(st.integers(0, 4)) == 0:
            continue
        below, above = draw(st.integers(0, 5)), draw(st.integers(0, 5))
        middle = 2 * count if right else draw(st.integers(0, 12))
        low, high = max(middle - below, 0), min(middle + above, 2 * TOTAL)
        made[item] = Fraction(low, 2 * TOTAL), Fraction(high, 2 * TOTAL)
    return made


def intervals(ranges: Mapping[int, tuple[Fraction, Fraction]]) -> ga.Belief:
    return ga.Belief.intervals({f"i{item}": ends for item, ends in ranges.items()})
