from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.disclosing import WEIGHTS, Record, loss_if_independent, records

from giveaway.attacks.directory.disclosure.best import best
from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.papers.directory.independent import minrisk


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


def one(alone: np.ndarray, people: int, each: np.ndarray, available: int, k: int, always: int = 0) -> int:
    """What MinRisk discloses of a single record."""
    return int(minrisk(alone[None], people, each[None], np.array([available], np.uint64), k, always)[0])


@given(drawn=independent())
def test_minrisk_is_the_best_choice_if_attributes_were_independent(
    drawn: tuple[np.ndarray, int, np.ndarray, int, int, int],
) -> None:
    alone, people, each, available, always, k = drawn
    weights = Weights("multiplicative", each)

    found = one(alone, people, each, available, k, always)

    every = disclosures(available, always, k)
    assert found in every
    assert loss_if_independent(alone, people, found, weights) == pytest.approx(
        min(loss_if_independent(alone, people, mask, weights) for mask in every), rel=1e-9
    )


@given(record=records(directories=1, prior=False, crowds=(0,)))
def test_minrisk_is_never_below_the_best_and_equal_to_it_for_one_value(record: Record) -> None:
    record = replace(record, form="multiplicative", pairs=None, always=0)
    people = record.people(0, 0)
    alone = np.array([record.people(0, 1 << place) for place in range(record.attributes)], np.int64)
    alone, each = np.maximum(alone, 1), np.array(record.each)
    least = best(record.case()).losses

    for k in range(record.available.bit_count() + 1):
        chosen = one(alone, people, each, record.available, k)

        loss = record.loss(chosen)
        assert loss >= least[k] * (1 - 1e-12) or loss == least[k]
        if k == 1:
            assert loss == least[k] or loss == pytest.approx(least[k], rel=1e-12)


@given(drawn=st.lists(independent(), min_size=1, max_size=4))
def test_a_batch_chooses_as_each_record_alone(
    drawn: list[tuple[np.ndarray, int, np.ndarray, int, int, int]],
) -> None:
    width = max(len(part[0]) for part in drawn)
    people = 50
    alone = np.array([np.pad(part[0], (0, width - len(part[0]))) for part in drawn])
    each = np.array([np.pad(part[2], (0, width - len(part[2]))) for part in drawn])
    available = np.array([part[3] for part in drawn], np.uint64)
    sizes = np.array([part[3].bit_count() // 2 for part in drawn], np.int64)

    found = minrisk(alone, people, each, available, sizes)

    assert found.tolist() == [
        one(alone[i], people, each[i], int(available[i]), int(sizes[i])) for i in range(len(drawn))
    ]


def test_an_attribute_that_nobody_has_is_the_best_choice_however_sensitive() -> None:
    # The printed algorithm divides by the number of consistent entries, here 0, and would rank it last.
    alone, each = np.array([9, 0, 5], np.int64), np.array([0.1, inf, 0.1])

    assert one(alone, 10, each, 0b111, 1) == 0b010


def test_equal_attributes_give_exactly_k_the_lowest_first() -> None:
    # The proof of Theorem 2 takes the elements below the k-th smallest, which are too few when there are ties.
    alone = np.full(4, 3, np.int64)

    assert one(alone, 10, np.ones(4), 0b1111, 2) == 0b0011
    assert one(alone, 10, np.ones(4), 0b1110, 2, always=0b1000) == 0b1010


def test_more_values_than_there_are_is_refused() -> None:
    alone, each = np.array([1, 1], np.int64), np.ones(2)

    with pytest.raises(ValueError, match="fewer values"):
        one(alone, 2, each, 0b01, 2)
