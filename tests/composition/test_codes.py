"""Codes used again against all mappings."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import cracks
from tests.oracles.composition import codes as oracle

COUNTS = st.lists(st.integers(1, 4), min_size=5, max_size=5)
BASKETS = st.lists(st.frozensets(st.integers(0, 3)), min_size=1, max_size=5)


def test_codes_by_hand() -> None:
    """Supports 2 2 3, then 3 1 3: two expected cracks each; with the same codes all three."""
    first, second = [2, 2, 3], [3, 1, 3]

    assert sum(cracks.crack_chances(oracle.exact_fits(first))) == 2
    assert sum(cracks.crack_chances(oracle.exact_fits(second))) == 2
    both = oracle.same_codes([oracle.exact_fits(first), oracle.exact_fits(second)])
    assert sum(cracks.crack_chances(both)) == oracle.cracks_by_vectors([first, second]) == 3


@settings(max_examples=60)
@given(st.lists(COUNTS, min_size=1, max_size=3))
def test_t7_same_codes_and_exact_beliefs(counts: list[list[int]]) -> None:
    fits = oracle.same_codes([oracle.exact_fits(one) for one in counts])

    assert sum(cracks.crack_chances(fits)) == oracle.cracks_by_vectors(counts)


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(1, 3), min_size=4, max_size=4), min_size=2, max_size=2), st.data())
def test_t7_other_codes_factorise(counts: list[list[int]], data: st.DataObject) -> None:
    wide = st.lists(st.integers(0, 1), min_size=4, max_size=4)
    fits = []
    for of_release in counts:
        less, more = data.draw(wide), data.draw(wide)
        least = [count - gap for count, gap in zip(of_release, less, strict=True)]
        most = [count + gap for count, gap in zip(of_release, more, strict=True)]
        fits.append(oracle.interval_fits(of_release, least, most))

    assert oracle.cracks_with_other_codes(fits) == [cracks.crack_chances(one) for one in fits]


@settings(max_examples=40)
@given(st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_t7_the_same_data_under_other_codes_are_one_release(counts: list[int]) -> None:
    fits = oracle.exact_fits(counts)

    assert oracle.same_data_other_codes(counts, fits) == cracks.crack_chances(fits)


def test_expected_cracks_may_fall_with_a_second_release_and_the_estimate_cannot() -> None:
    fits = [
        oracle.interval_fits([2, 1, 1, 2], [0, 0, 0, 1], [4, 2, 1, 3]),
        oracle.interval_fits([4, 2, 3, 3], [3, 2, 2, 1], [5, 4, 3, 5]),
    ]
    both = oracle.same_codes(fits)

    assert sum(cracks.crack_chances(fits[0])) == Fraction(4, 3)
    assert sum(cracks.crack_chances(both)) == Fraction(13, 10)
    assert cracks.o_estimate(both) > max(map(cracks.o_estimate, fits))


@settings(max_examples=60)
@given(BASKETS)
def test_names_earlier_and_codes_now(rows: list[frozenset[int]]) -> None:
    assert oracle.cracked_by_names(rows, 4) == oracle.cracked_by_sets_of_rows(rows, 4)
    distinct = len({frozenset(at for at, row in enumerate(rows) if item in row) for item in range(4)})
    assert sum(oracle.cracked_by_names(rows, 4), Fraction(0)) == distinct
