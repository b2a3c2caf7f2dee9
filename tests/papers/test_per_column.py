from collections.abc import Sequence
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.disclosing import Record, best_per_column, records
from tests.sizes import sized

from giveaway.errors import BudgetExceeded
from giveaway.model.progress import limited
from giveaway.papers.directory.per_column import choose, options, programs
from giveaway.papers.directory.per_column.choose import PerColumn, per_column

Table = tuple[list[Record], list[int]]
"""Records of the same columns, and how many values of each column are wanted."""


@st.composite
def tables(draw: st.DrawFn, *, crowds: Sequence[int] = (0,)) -> Table:
    m = draw(st.integers(1, 3))
    table = draw(st.lists(records(attributes=m, crowds=crowds), min_size=1, max_size=3))
    every = [list(record.disclosures()) for record in table]
    if all(every) and draw(st.integers(0, 9)):
        rule = [draw(st.sampled_from(masks)) for masks in every]
        return table, [sum(mask >> j & 1 for mask in rule) for j in range(m)]
    return table, draw(st.lists(st.integers(0, 4), min_size=m, max_size=m))


def check(table: list[Record], counts: list[int], found: PerColumn, least: float) -> None:
    """The rule is what it says, and the bound is one."""
    masks = found.masks.tolist()
    assert [sum(mask >> j & 1 for mask in masks) for j in range(len(counts))] == counts
    assert all(record.allowed(mask) for record, mask in zip(table, masks, strict=True))
    loss = sum(record.loss(mask) for record, mask in zip(table, masks, strict=True))
    assert found.loss == loss or found.loss == pytest.approx(loss, rel=1e-9)
    assert found.bound <= least * (1 + 1e-9)
    assert (found.gap == 0) == (found.loss == found.bound)


@sized(60)
@given(drawn=tables())
def test_the_best_rule_with_so_many_values_of_each_column(drawn: Table) -> None:
    table, counts = drawn

    found = per_column([record.case() for record in table], np.array(counts))

    least = best_per_column(table, counts)
    if isnan(least):
        assert found is None
    else:
        assert found is not None
        check(table, counts, found, least)
        assert found.gap == 0


@sized(50)
@given(drawn=tables(crowds=(2, 3)))
def test_the_best_rule_that_leaves_crowds(drawn: Table) -> None:
    table, counts = drawn

    found = per_column([record.case() for record in table], np.array(counts))

    least = best_per_column(table, counts)
    if found is None:
        # A rule that loses without end is only looked for by hand.
        assert isnan(least) or least == inf
    else:
        check(table, counts, found, least)
        assert found.gap == 0


@sized(25)
@given(drawn=tables(crowds=(0, 2)))
def test_with_many_attributes_a_rule_is_found_without_a_bound(drawn: Table) -> None:
    table, counts = drawn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(options, "MOST", -1)
        found = per_column([record.case() for record in table], np.array(counts))

    least = best_per_column(table, counts)
    if found is None:
        assert isnan(least) or any(record.crowd for record in table)
    else:
        check(table, counts, found, least)
        assert found.bound == 0


@sized(25)
@given(drawn=tables())
def test_with_too_many_disclosures_for_a_program_the_bound_still_holds(drawn: Table) -> None:
    table, counts = drawn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "_MOST_OFFERS", 2)
        found = per_column([record.case() for record in table], np.array(counts))

    least = best_per_column(table, counts)
    assert (found is None) == isnan(least)
    if found is not None:
        check(table, counts, found, least)


@sized(25)
@given(drawn=tables())
def test_prices_from_a_sample_of_the_records_give_a_bound_too(drawn: Table) -> None:
    table, counts = drawn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "_MOST_LOTS", 1)
        patch.setattr(choose, "_SAMPLE", 2)
        found = per_column([record.case() for record in table], np.array(counts))

    least = best_per_column(table, counts)
    assert (found is None) == isnan(least)
    if found is not None:
        check(table, counts, found, least)


@sized(15)
@given(drawn=tables(), times=st.integers(2, 3))
def test_records_that_are_alike_may_be_given_as_one_case(drawn: Table, times: int) -> None:
    table, counts = drawn
    cases = [record.case() for record in table]
    wanted = np.array(counts) * times

    together = per_column(cases * times, wanted)
    apart = per_column([record.case() for record in table * times], wanted)

    assert (together is None) == (apart is None)
    if together is not None and apart is not None:
        check(table * times, wanted.tolist(), together, apart.loss)
        assert together.loss == apart.loss or together.loss == pytest.approx(apart.loss, rel=1e-9)


def test_the_cheapest_cells_of_each_column_are_not_the_best_rule() -> None:
    # The loss is a product over the columns of a record: cheap cells of one record together are dear.
    everybody = tuple(frozenset({mask}) for mask in (0b11, 0b01, 0b10, 0b00) for _ in range(1))
    crowd = (frozenset({0b11}),) * 3 + tuple(frozenset({mask}) for mask in (0b01, 0b10))
    table = [
        Record(
            attributes=2,
            directories=(people,),
            prior=None,
            form="multiplicative",
            each=weights,
            pairs=None,
            available=0b11,
        )
        for people, weights in ((everybody, (0.0, 0.0)), (crowd, (1.0, 1.0)))
    ]

    found = per_column([record.case() for record in table], np.array([1, 1]))

    assert found is not None
    assert found.gap == 0
    assert found.loss == pytest.approx(best_per_column(table, [1, 1]))
    assert found.masks[0] != 0b11


def test_a_rule_that_takes_too_much_memory_is_refused_with_its_numbers() -> None:
    record = Record(
        attributes=2,
        directories=((),),
        prior=None,
        form="constant",
        each=(0.0, 0.0),
        pairs=None,
        available=0b11,
    )

    with limited(memory=1_000), pytest.raises(BudgetExceeded, match=r"2 columns .* 40 records"):
        per_column([record.case()] * 40, np.array([20, 20]))


def test_no_records_disclose_nothing() -> None:
    nothing = per_column([], np.array([0, 0]))

    assert nothing is not None
    assert (nothing.loss, nothing.gap, len(nothing.masks)) == (0.0, 0.0, 0)
    assert per_column([], np.array([1, 0])) is None


def test_many_records_are_served_near_the_bound() -> None:
    random = np.random.default_rng(7)
    people = random.integers(0, 3, (200, 5))
    bits = 1 << np.arange(5)
    table = [
        Record(
            attributes=5,
            directories=(tuple(frozenset({int(mask)}) for mask in (people == people[row]) @ bits),),
            prior=None,
            form="multiplicative",
            each=tuple(random.random(5).tolist()),
            pairs=None,
            available=0b11111,
        )
        for row in range(40)
    ]

    found = per_column([record.case() for record in table], np.full(5, 25))

    assert found is not None
    assert found.gap == 0
    masks = found.masks.tolist()
    assert [sum(mask >> j & 1 for mask in masks) for j in range(5)] == [25] * 5
    assert found.loss == pytest.approx(sum(r.loss(mask) for r, mask in zip(table, masks, strict=True)))
