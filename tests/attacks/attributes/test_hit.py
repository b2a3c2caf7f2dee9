from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giveaway.attacks.attributes.hiding.hit import hit


def least(patterns: list[int], hideable: int) -> int | None:
    """Return the lowest of the smallest hitting sets by trying all."""
    entries = [1 << place for place in range(12) if hideable >> place & 1]
    for size in range(len(entries) + 1):
        sets = sorted(sum(chosen) for chosen in combinations(entries, size))
        for one in sets:
            if all(pattern & one for pattern in patterns):
                return one
    return None


@given(patterns=st.lists(st.integers(1, 255), max_size=8), hideable=st.integers(0, 255))
def test_the_fewest_conditions_that_hit_equal_brute_force(patterns: list[int], hideable: int) -> None:
    expected = least(patterns, hideable)

    if expected is None:
        with pytest.raises(ValueError, match="hideable"):
            hit(np.array(patterns), hideable)
    else:
        assert hit(np.array(patterns, np.int64), hideable) == (expected, expected.bit_count())


@given(patterns=st.lists(st.integers(1, (1 << 30) - 1), min_size=1, max_size=12))
def test_among_many_conditions_all_patterns_are_hit_and_the_bound_holds(patterns: list[int]) -> None:
    found = hit(np.array(patterns), (1 << 30) - 1)

    assert all(pattern & found.mask for pattern in patterns)
    assert all(
        any(not pattern & (found.mask & ~entry) for pattern in patterns)
        for entry in (1 << place for place in range(30))
        if found.mask & entry
    )
    assert 1 <= found.at_least <= found.mask.bit_count()


def test_where_large_sets_are_needed_a_greedy_set_is_not_called_the_least() -> None:
    """Twenty patterns of one condition each need twenty conditions, which is more than are tried."""
    found = hit(np.array([1 << place for place in range(20)]), (1 << 20) - 1)

    assert found.mask == (1 << 20) - 1
    assert 2 <= found.at_least < 20


def test_a_greedy_set_has_no_needless_condition() -> None:
    """The condition of the most patterns is taken first, but the other three are needed and enough."""
    first, second, third, fourth, *rest = (1 << place for place in range(30))
    patterns = [first | second, first | second, first | third, first | third, second, third]
    wide = fourth | sum(rest[len(patterns) :])

    found = hit(np.array([*(p | own for p, own in zip(patterns, rest, strict=False)), wide]), (1 << 30) - 1)

    assert found == (second | third | fourth, 3)


def test_nothing_to_hit_needs_nothing() -> None:
    assert hit(np.array([], np.int64), 0b111) == (0, 0)
