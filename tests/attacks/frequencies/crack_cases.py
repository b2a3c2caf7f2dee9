"""Beliefs for tests, in the form of the product and in that of the oracle."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import strategies as st
from tests.oracles import cracks as oracle

from giveaway.attacks.frequencies.chances import weighted_sum
from giveaway.attacks.frequencies.crack_graph.mappings import Violation, usable
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Windows
from giveaway.attacks.frequencies.exact_chances.items import ExactItems
from giveaway.model.answer.risk import Chance


@dataclass(frozen=True)
class Case:
    """Counts of items, and closed intervals of doubled counts."""

    counts: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @cached_property
    def beliefs(self) -> Beliefs:
        return Beliefs(counts=array(self.counts), low=array(self.low), high=array(self.high))

    @property
    def windows(self) -> Windows:
        return self.beliefs.windows

    @cached_property
    def candidates(self) -> list[set[int]]:
        return oracle.candidates_of(self.counts, self.low, self.high)

    @cached_property
    def possible(self) -> bool:
        return next(oracle.mappings(self.candidates), None) is not None

    @cached_property
    def usable(self) -> Windows:
        left = usable(self.windows)
        assert not isinstance(left, Violation)
        return left


def expected_cracks(windows: Windows, found: ExactItems) -> Chance:
    """Add the chances of all items up, exactly where they are fractions."""
    values = [found.fractions.get(kind, chance) for kind, chance in enumerate(found.chances.tolist())]
    return weighted_sum(values, windows.classes.many.tolist())


def array(values: object) -> np.ndarray:
    return np.array(values, np.int64)


def candidates_of(windows: Windows) -> list[set[int]]:
    """Spell a graph out as sets of renamed items."""
    return [
        {other for other, own in enumerate(windows.own.tolist()) if first <= own <= last}
        for first, last in zip(windows.first.tolist(), windows.last.tolist(), strict=True)
    ]


def far_from_even(rows: np.ndarray, everything: list[tuple[int, ...]]) -> float:
    """Return chi squared per degree of freedom of mappings that should be equally likely."""
    seen = Counter(map(tuple, rows.tolist()))
    assert set(seen) <= set(everything)
    expected = len(rows) / len(everything)
    return sum((seen[one] - expected) ** 2 / expected for one in everything) / (len(everything) - 1)


def _case(rows: list[tuple[int, int, int]], *, compliant: bool) -> Case:
    counts = tuple(row[0] for row in rows)
    if compliant:
        return Case(counts, tuple(2 * c - a for c, a, _ in rows), tuple(2 * c + b for c, _, b in rows))
    return Case(counts, tuple(a for _, a, _ in rows), tuple(a + b for _, a, b in rows))


compliant_cases = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=7
).map(lambda rows: _case(rows, compliant=True))

any_cases = st.lists(
    st.tuples(st.integers(0, 5), st.integers(-2, 12), st.integers(-1, 9)), min_size=1, max_size=6
).map(lambda rows: _case(rows, compliant=False))

possible_cases = st.one_of(compliant_cases, any_cases.filter(lambda case: case.possible))
