from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

from giveaway.model.answer.bins import bin_ends, binned

CHANCES = st.fractions(0, 1, max_denominator=60)
LIMITS = st.fractions(0, 1, max_denominator=40)


@sized(200)
@given(st.lists(CHANCES, max_size=30), LIMITS, st.booleans())
def test_bins_beyond_the_limit_hold_what_is_over_it_and_no_other(
    chances: list[Fraction], limit: Fraction, breach_at_limit: bool
) -> None:
    ends, counts = binned([(chance, 1) for chance in chances], limit, breach_at_limit=breach_at_limit)
    beyond = sum(count for end, count in zip(ends, counts, strict=True) if end > float(limit))

    assert sum(counts) == len(chances)
    assert list(ends) == sorted(set(ends))
    if 0 < limit < 1:
        over = [chance for chance in chances if chance > limit or (breach_at_limit and chance == limit)]
        assert beyond == len(over)


@pytest.mark.parametrize(("breach_at_limit", "counts"), [(False, [8, 0]), (True, [0, 8])])
def test_what_is_at_the_limit_is_over_it_only_where_that_is_a_breach(
    breach_at_limit: bool, counts: list[int]
) -> None:
    half = Fraction(1, 2)
    found = binned([(half, 8)], half, breach_at_limit=breach_at_limit)[1]

    assert list(found[9:11]) == counts


def test_a_limit_that_is_no_end_of_a_bin_parts_it() -> None:
    assert bin_ends(Fraction(1, 3))[5:8] == (Fraction(3, 10), Fraction(1, 3), Fraction(7, 20))
    assert len(bin_ends(Fraction(999, 1000))) == 21
    assert len(bin_ends(Fraction(1, 5))) == len(bin_ends(None)) == 20
