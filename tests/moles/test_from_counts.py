from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles.build import transactions
from tests.oracles.counting import held_transactions
from tests.sizes import sized

from giveaway.errors import BudgetExceeded
from giveaway.itemsets import occurring
from giveaway.itemsets.ranked import rank
from giveaway.moles import search as searching
from giveaway.moles.from_counts import CountedItems, CountedMoles, tallied
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import most_telling

Rows = list[set[str]]
PRIVATE = ("y", "z")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 4)), min_size=1, max_size=9
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = fractions(Fraction(1, 6), 1, max_denominator=6)


def items_of(rows: Rows) -> CountedItems:
    held, _ = held_transactions(rows, PRIVATE)
    assert held.counting is not None
    return CountedItems(held, held.counting)


def sets_of(moles: Moles) -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    """Return the free sets and the minimal moles, each with its codes, support, holding and private item."""
    both = []
    for sets in (moles.free, moles.harmful):
        offsets, codes = moles.decoded(sets.parent, sets.item)
        spelled = [tuple(part.tolist()) for part in np.split(codes, offsets[1:-1])] if len(sets.item) else []
        told = zip(spelled, sets.support.tolist(), sets.holding.tolist(), sets.secret.tolist(), strict=True)
        both.append(set(told))
    return both[0], both[1]


@sized(300)
@given(rows=some_rows, size=st.integers(1, 2), crowd=st.integers(1, 6), limit=limits)
def test_counting_finds_the_moles_that_searching_finds(
    rows: Rows, size: int, crowd: int, limit: Fraction
) -> None:
    if not set().union(*rows) - set(PRIVATE):
        return
    items, ranked = items_of(rows), rank(transactions(rows, PRIVATE))

    counted, searched = items.mine(size, crowd, limit), searching.mine(ranked, size, crowd, limit)

    assert sets_of(counted) == sets_of(searched)
    assert counted.everything == searched.everything
    assert [counted.exposed(known) for known in (1, 2)] == [searched.exposed(known) for known in (1, 2)]
    assert items.longest == ranked.longest


@sized(200)
@given(rows=some_rows, size=st.integers(1, 2), crowd=st.integers(1, 6), limit=limits)
def test_what_is_tallied_is_all_that_occurs(rows: Rows, size: int, crowd: int, limit: Fraction) -> None:
    if not set().union(*rows) - set(PRIVATE):
        return
    items, ranked = items_of(rows), rank(transactions(rows, PRIVATE))
    moles = items.mine(size, crowd, limit)
    others = items.others(moles)
    whole = occurring.counter(ranked, size).count()

    assert tallied(moles, others) == (whole.total, whole.supports, whole.least)
    found = most_telling(ranked, size, Fraction(0))
    assert largest(moles, others) == (0 if found is None else found.breach)


def largest(moles: CountedMoles, others: tuple[np.ndarray, ...]) -> Fraction:
    listed = [(sets.holding, sets.support) for sets in (moles.free, moles.harmful)]
    pairs = [*listed, (others[2], others[0])]
    chances = [Fraction(int(a), int(b)) for part in pairs for a, b in zip(*part, strict=True)]
    return max(chances, default=Fraction(0))


def test_of_equally_frequent_private_items_the_first_is_named() -> None:
    moles = items_of([{"a", "y", "z"}, {"a", "z", "y"}, {"a"}]).mine(1, 1, Fraction(1, 3))

    assert moles.harmful.secret.tolist() == [0]
    assert moles.harmful.holding.tolist() == [2]


def test_rows_cannot_be_asked_of_what_was_counted() -> None:
    moles = items_of([{"a"}, {"a", "b"}]).mine(2, 2, Fraction(1))

    with pytest.raises(AttributeError):
        _ = moles.ranked.weights


def test_supports_that_cannot_be_compared_in_64_bits_are_refused() -> None:
    held, _ = held_transactions([{"a"}])
    assert held.counting is not None
    held._transactions = 3_000_000_001

    with pytest.raises(BudgetExceeded, match="compared exactly"):
        CountedItems(held, held.counting)
