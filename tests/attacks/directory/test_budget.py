from math import inf, nan

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.disclosing import most_values

from giveaway.attacks.directory.disclosure.budget import ValueNumbers, most

LOSSES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0, 1.5, 4.0, inf, nan])
CURVES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(LOSSES, min_size=width, max_size=width), min_size=1, max_size=4)
)


def lost(curves: list[list[float]], shares: ValueNumbers) -> float:
    return sum(curve[size] for curve, size in zip(curves, shares.sizes.tolist(), strict=True))


@settings(max_examples=300)
@given(curves=CURVES, budget=st.sampled_from([0.0, 0.2, 0.5, 1.0, 2.0, 3.1, 20.0]))
def test_a_budget_is_spent_on_the_most_values(curves: list[list[float]], budget: float) -> None:
    found = most(np.array(curves), budget)

    many = most_values(curves, budget)
    if many is None:
        assert found is None
    else:
        assert found is not None
        assert found.proved
        assert found.sizes.sum() == found.bound == many
        assert found.loss == lost(curves, found) <= budget


@settings(max_examples=200)
@given(curves=CURVES, budget=st.sampled_from([0.2, 0.5, 1.0, 3.1]))
def test_with_little_work_nothing_is_claimed_that_does_not_hold(
    curves: list[list[float]], budget: float
) -> None:
    many = most_values(curves, budget)

    spent = most(np.array(curves), budget, work=1)
    assert (spent is None) == (many is None)
    if spent is not None and many is not None:
        assert spent.loss == lost(curves, spent) <= budget
        assert spent.sizes.sum() <= many <= spent.bound
        assert not spent.proved or spent.sizes.sum() == many


def test_many_crooked_curves_come_with_a_bound_near_the_most_values() -> None:
    random = np.random.default_rng(2)
    curves = np.cumsum(random.exponential(size=(5_000, 13)) ** 4, axis=1)
    curves -= curves[:, :1]

    spent = most(curves, 30_000.0)

    assert spent is not None
    assert spent.loss <= 30_000
    assert 0 <= spent.bound - spent.sizes.sum() <= 2


def test_no_records_spend_nothing() -> None:
    spent = most(np.zeros((0, 3)), 1.0)

    assert spent is not None
    assert (spent.loss, spent.bound) == (0.0, 0.0)
