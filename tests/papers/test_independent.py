import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.disclosing import loss_if_independent
from tests.papers.test_minrisk import disclosures, independent

from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.papers.directory.independent import additive_independent


@given(drawn=independent())
def test_the_mixtures_hold_the_best_choice_for_additive_weights(
    drawn: tuple[np.ndarray, int, np.ndarray, int, int, int],
) -> None:
    alone, people, each, available, always, k = drawn
    alone, weights = np.maximum(alone, 1), Weights("additive", each)

    found = additive_independent(alone, people, weights, available, k, always)

    every = disclosures(available, always, k)
    assert found in every
    assert loss_if_independent(alone, people, found, weights) == pytest.approx(
        min(loss_if_independent(alone, people, mask, weights) for mask in every), rel=1e-9
    )


@given(seed=st.integers(0, 10_000), m=st.integers(2, 9))
def test_the_mixtures_hold_the_best_choice_for_any_weights(seed: int, m: int) -> None:
    random = np.random.default_rng(seed)
    alone, weights = random.integers(1, 1000, m), Weights("additive", random.random(m))
    every = (1 << m) - 1

    for k in range(m + 1):
        found = additive_independent(alone, 1000, weights, every, k)

        least = min(loss_if_independent(alone, 1000, mask, weights) for mask in disclosures(every, 0, k))
        assert loss_if_independent(alone, 1000, found, weights) == pytest.approx(least, rel=1e-9)


def test_more_values_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer values"):
        additive_independent(np.array([1, 1]), 2, Weights("additive", np.ones(2)), 0b01, 2)
