from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.build import transactions

import giveaway as ga
from giveaway.itemsets.ranked import Ranked, rank
from giveaway.moles import search

ONE = Fraction(1)


def dense(rows: int, items: int, size: int) -> Ranked:
    draw = np.random.default_rng(3)
    return rank(transactions([draw.choice(items, size, replace=False).tolist() for _ in range(rows)]))


@given(st.lists(st.sets(st.integers(0, 7), max_size=6), min_size=1, max_size=15), st.integers(1, 4))
def test_the_bound_is_never_below_the_cells_behind_all_parts_of_the_rows(
    rows: list[set[int]], known: int
) -> None:
    ranked = rank(transactions([sorted(row) for row in rows]))
    cells = 0
    for row in {frozenset(row) for row in rows}:
        places = range(len(row))
        parts = (part for size in range(known) for part in combinations(places, size))
        cells += sum(len(row) - 1 - (part[-1] if part else -1) for part in parts)

    assert search.most_work(ranked, known) >= cells


@pytest.mark.parametrize("crowd", [2, 5])
def test_the_estimate_is_near_the_true_work(crowd: int) -> None:
    ranked = dense(400, 40, 12)
    estimate = search.probe(ranked, 4, crowd, ONE, seed=0)
    true = search.mine(ranked, 4, crowd, ONE).work

    assert true / 4 < sum(estimate.work) < true * 4


def test_estimates_repeat_with_their_seed() -> None:
    ranked = dense(200, 30, 10)

    assert search.probe(ranked, 3, 2, ONE, seed=1) == search.probe(ranked, 3, 2, ONE, seed=1)
    assert search.probe(ranked, 3, 2, ONE, seed=1) != search.probe(ranked, 3, 2, ONE, seed=2)


def test_a_blow_up_is_refused_before_it_happens_with_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = dense(3000, 60, 45)

    def never(*_: object) -> None:
        pytest.fail("the search was begun")

    monkeypatch.setattr(search, "_task", never)
    with pytest.raises(ga.BudgetExceeded, match="at_most = ") as caught:
        search.mine(ranked, 12, 2, ONE)
    assert "steps" in caught.value.fact


def test_a_private_item_ends_the_branches_it_makes_moles_of() -> None:
    rows = [["a", "b", "c", "s"]] * 5 + [["d", "e"]] * 5
    ranked = rank(transactions(rows, private=["s"]))

    strict = search.probe(ranked, 3, 1, Fraction(1, 2), seed=0)
    loose = search.probe(ranked, 3, 1, ONE, seed=0)
    assert sum(strict.work) < sum(loose.work)
