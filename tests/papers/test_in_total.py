from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.disclosing import Record, best_total, records

from giveaway.attacks.directory.disclosure.best import best_of_each
from giveaway.attacks.directory.disclosure.budget import ValueNumbers
from giveaway.errors import BudgetExceeded
from giveaway.papers.directory.in_total import total

LOSSES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0, 1.5, 4.0, inf, nan])
CURVES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(LOSSES, min_size=width, max_size=width), min_size=1, max_size=4)
)


def lost(curves: list[list[float]], shares: ValueNumbers) -> float:
    return sum(curve[size] for curve, size in zip(curves, shares.sizes.tolist(), strict=True))


@settings(max_examples=300)
@given(curves=CURVES, k=st.integers(0, 13))
def test_a_total_is_shared_in_the_best_way(curves: list[list[float]], k: int) -> None:
    found = total(np.array(curves), k)

    least = best_total(curves, k)
    if isnan(least):
        assert found is None
    else:
        assert found is not None
        assert found.proved
        assert found.sizes.sum() == k
        assert found.loss == found.bound == lost(curves, found) == least


@settings(max_examples=200)
@given(curves=CURVES, k=st.integers(0, 13))
def test_with_little_work_nothing_is_claimed_that_does_not_hold(curves: list[list[float]], k: int) -> None:
    least = best_total(curves, k)

    try:
        shared = total(np.array(curves), k, work=1)
    except BudgetExceeded:
        shared = None
    if shared is not None:
        assert shared.sizes.sum() == k
        assert shared.bound <= least <= shared.loss == lost(curves, shared)
        assert not shared.proved or shared.loss == least


@settings(max_examples=60)
@given(
    table=st.integers(1, 3).flatmap(
        lambda m: st.lists(records(attributes=m, crowds=(0, 2)), min_size=1, max_size=3)
    ),
    data=st.data(),
)
def test_the_best_rule_with_a_total_number_of_values(table: list[Record], data: st.DataObject) -> None:
    k = data.draw(st.integers(0, sum(record.available.bit_count() for record in table)))
    best = best_of_each((record.case() for record in table), len(table), attributes=table[0].attributes)

    found = total(best.losses, k)

    least = best_total([record.curve() for record in table], k)
    if isnan(least):
        assert found is None
    else:
        assert found is not None
        assert found.loss == pytest.approx(least, rel=1e-12)
        masks = best.masks[np.arange(len(table)), found.sizes].tolist()
        assert sum(mask.bit_count() for mask in masks) == k
        assert sum(r.loss(mask) for r, mask in zip(table, masks, strict=True)) == pytest.approx(
            least, rel=1e-12
        )


def test_many_convex_curves_are_shared_exactly_without_a_dynamic_program() -> None:
    random = np.random.default_rng(1)
    curves = np.cumsum(np.sort(random.random((20_000, 13)), axis=1), axis=1)

    found = total(curves, 100_000, work=0)
    steps = np.sort(np.diff(curves, axis=1).ravel())[:100_000]

    assert found is not None
    assert found.proved
    assert found.loss == pytest.approx(curves[:, 0].sum() + steps.sum(), rel=1e-12)


def test_many_crooked_curves_come_with_a_bound_near_the_loss() -> None:
    random = np.random.default_rng(2)
    curves = np.cumsum(random.exponential(size=(5_000, 13)) ** 4, axis=1)
    curves -= curves[:, :1]

    shared = total(curves, 20_001)

    assert shared is not None
    assert shared.sizes.sum() == 20_001
    assert shared.loss * (1 - 1e-4) <= shared.bound <= shared.loss


def test_a_total_that_no_sizes_add_up_to_is_refused_when_it_cannot_be_looked_for() -> None:
    # Two sizes that are multiples of 3 never add up to 4, but with hardly any work that is not known.
    curves = np.full((3, 100), nan)
    curves[:, [0, 66, 99]] = 1.0

    assert total(curves, 100) is None
    with pytest.raises(BudgetExceeded, match="100 values among 3 records"):
        total(curves, 100, work=1)


def test_no_records_share_nothing() -> None:
    nobody = np.zeros((0, 3))

    shared = total(nobody, 0)

    assert shared is not None
    assert shared.loss == 0.0
    assert total(nobody, 1) is None
