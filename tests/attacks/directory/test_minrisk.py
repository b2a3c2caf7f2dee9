from itertools import combinations
from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.disclosing import WEIGHTS, Record, records

from giveaway.attacks.directory.disclosure.best import best
from giveaway.attacks.directory.disclosure.minrisk import (
    additive_independent,
    factorised,
    minrisk,
    minrisk_sizes,
)
from giveaway.attacks.directory.disclosure.weights import Form, Weights


@st.composite
def independent(draw: st.DrawFn) -> tuple[np.ndarray, int, np.ndarray, int, int, int]:
    """Draw the people consistent with each attribute, the weights, what is available and must be shown, and how many."""
    m = draw(st.integers(1, 6))
    people = draw(st.integers(1, 50))
    alone = np.array(draw(st.lists(st.integers(0, people), min_size=m, max_size=m)), np.int64)
    each = np.array(draw(st.lists(WEIGHTS, min_size=m, max_size=m)))
    every = st.integers(0, (1 << m) - 1)
    available = draw(every | st.just((1 << m) - 1))
    always = draw(st.just(0) | every) & available
    k = draw(st.integers(always.bit_count(), available.bit_count()))
    return alone, people, each, available, always, k


def disclosures(available: int, always: int, k: int) -> list[int]:
    places = [place for place in range(available.bit_length()) if available >> place & 1]
    masks = [sum(1 << place for place in chosen) for chosen in combinations(places, k)]
    return [mask for mask in masks if mask & always == always]


def by_hand(alone: np.ndarray, people: int, mask: int, weights: Weights) -> float:
    """The loss under independence as a plain product."""
    share = 1.0
    for place in range(len(alone)):
        if mask >> place & 1:
            share *= alone[place] / people
    return weights.phi(mask) / (people * share) if share else 0.0


@given(drawn=independent(), form=st.sampled_from(["constant", "additive", "multiplicative"]))
def test_the_factorised_figure_is_the_product_of_shares(
    drawn: tuple[np.ndarray, int, np.ndarray, int, int, int], form: Form
) -> None:
    alone, people, each, available, always, k = drawn
    weights = Weights(form, each)

    for mask in disclosures(available, always, k):
        assert factorised(alone, people, mask, weights) == pytest.approx(
            by_hand(alone, people, mask, weights), rel=1e-9
        )


@given(drawn=independent())
def test_minrisk_is_the_best_choice_if_attributes_were_independent(
    drawn: tuple[np.ndarray, int, np.ndarray, int, int, int],
) -> None:
    alone, people, each, available, always, k = drawn
    weights = Weights("multiplicative", each)

    found = minrisk(alone, people, weights, available, k, always)

    every = disclosures(available, always, k)
    assert found in every
    assert factorised(alone, people, found, weights) == pytest.approx(
        min(factorised(alone, people, mask, weights) for mask in every), rel=1e-9
    )


@given(drawn=independent())
def test_the_mixtures_hold_the_best_choice_for_additive_weights(
    drawn: tuple[np.ndarray, int, np.ndarray, int, int, int],
) -> None:
    alone, people, each, available, always, k = drawn
    weights = Weights("additive", each)

    found = additive_independent(alone, people, weights, available, k, always)

    every = disclosures(available, always, k)
    assert found in every
    assert factorised(alone, people, found, weights) == pytest.approx(
        min(factorised(alone, people, mask, weights) for mask in every), rel=1e-9
    )


@given(seed=st.integers(0, 10_000), m=st.integers(2, 9))
def test_the_mixtures_hold_the_best_choice_for_any_weights(seed: int, m: int) -> None:
    random = np.random.default_rng(seed)
    alone, weights = random.integers(1, 1000, m), Weights("additive", random.random(m))
    every = (1 << m) - 1

    for k in range(m + 1):
        found = additive_independent(alone, 1000, weights, every, k)

        least = min(factorised(alone, 1000, mask, weights) for mask in disclosures(every, 0, k))
        assert factorised(alone, 1000, found, weights) == pytest.approx(least, rel=1e-9)


@given(record=records(directories=1, prior=False, crowds=(0,)))
def test_minrisk_is_never_below_the_best_and_equal_to_it_for_one_value(record: Record) -> None:
    record = Record(**{**vars(record), "form": "multiplicative", "pairs": None, "always": 0, "listed": False})
    people = record.people(0, 0)
    alone = np.array([record.people(0, 1 << place) for place in range(record.attributes)], np.int64)
    case = record.case()
    least = best(case).losses

    for k in range(record.available.bit_count() + 1):
        chosen = minrisk(alone, people, case.weights, record.available, k)

        loss = record.loss(chosen)
        assert loss >= least[k] * (1 - 1e-12) or loss == least[k]
        if k == 1:
            assert loss == least[k] or loss == pytest.approx(least[k], rel=1e-12)


@given(drawn=st.lists(independent(), min_size=1, max_size=4))
def test_a_batch_chooses_as_each_record_alone(
    drawn: list[tuple[np.ndarray, int, np.ndarray, int, int, int]],
) -> None:
    width = max(len(one[0]) for one in drawn)
    people = 50
    alone = np.array([np.pad(one[0], (0, width - len(one[0]))) for one in drawn])
    each = np.array([np.pad(one[2], (0, width - len(one[2]))) for one in drawn])
    available = np.array([one[3] for one in drawn], np.uint64)
    sizes = np.array([one[3].bit_count() // 2 for one in drawn], np.int64)

    found = minrisk_sizes(alone, people, each, available, sizes)

    assert found.tolist() == [
        minrisk(alone[i], people, Weights("multiplicative", each[i]), int(available[i]), int(sizes[i]))
        for i in range(len(drawn))
    ]


def test_an_attribute_that_nobody_has_is_the_best_choice_however_sensitive() -> None:
    # The printed algorithm divides by the number of consistent entries, here 0, and would rank it last.
    alone = np.array([9, 0, 5], np.int64)
    weights = Weights("multiplicative", np.array([0.1, inf, 0.1]))

    chosen = minrisk(alone, 10, weights, 0b111, 1)

    assert chosen == 0b010
    assert factorised(alone, 10, chosen, weights) == 0.0


def test_equal_attributes_give_exactly_k_the_lowest_first() -> None:
    # The proof of Theorem 2 takes the elements below the k-th smallest, which are too few when there are ties.
    alone = np.full(4, 3, np.int64)

    assert minrisk(alone, 10, Weights("multiplicative", np.ones(4)), 0b1111, 2) == 0b0011
    assert minrisk(alone, 10, Weights("multiplicative", np.ones(4)), 0b1110, 2, always=0b1000) == 0b1010


def test_large_weights_and_many_attributes_do_not_overflow() -> None:
    alone, weights = np.full(64, 2, np.int64), Weights("multiplicative", np.full(64, 100.0))

    assert factorised(alone, 10**9, (1 << 64) - 1, weights) == inf
    assert factorised(alone, 10**9, 0b11, Weights("multiplicative", np.zeros(64))) == pytest.approx(
        exp(2 * log(5e8) - log(1e9))
    )


def test_more_values_than_there_are_is_refused() -> None:
    alone, weights = np.array([1, 1], np.int64), Weights("additive", np.ones(2))

    for choose in (minrisk, additive_independent):
        with pytest.raises(ValueError, match="fewer values"):
            choose(alone, 2, weights, 0b01, 2)
