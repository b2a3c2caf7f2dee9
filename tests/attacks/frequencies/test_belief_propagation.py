from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.frequencies.sinkhorn import scaled
from hypothesis import given, settings
from tests.attacks.frequencies.crack_cases import Case, array, possible_cases

from giveaway.attacks.frequencies.crack_graph.mappings import usable
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Windows, around, exact, ignorant
from giveaway.attacks.frequencies.estimates.belief_propagation import SWEEPS, Estimate, beliefs_passed
from giveaway.attacks.frequencies.estimates.o_estimate import kinds_of
from giveaway.attacks.frequencies.exact_chances import items

METHODS = pytest.mark.parametrize("estimate", [beliefs_passed, scaled])


@METHODS
@settings(max_examples=60)
@given(case=possible_cases)
def test_the_candidates_of_an_item_share_its_one_place(
    estimate: Callable[[Windows], Estimate], case: Case
) -> None:
    windows = case.usable
    found = estimate(windows)
    for number, (first, last) in enumerate(zip(windows.classes.first, windows.classes.last, strict=True)):
        groups = np.arange(first, last + 1)
        shares = found.between(np.full(len(groups), number), groups) * windows.sizes[groups]
        assert shares.sum() == pytest.approx(1, abs=0.02)


@METHODS
@pytest.mark.parametrize(
    "windows", [exact(array([1, 1, 1, 2, 7, 7])).windows, ignorant(array([3, 4, 5])).windows]
)
def test_complete_blocks_are_estimated_exactly(
    estimate: Callable[[Windows], Estimate], windows: Windows
) -> None:
    solved = items.chances(windows)

    assert solved is not None
    assert estimate(windows).chances == pytest.approx(solved.chances, abs=1e-9)


@METHODS
def test_estimates_are_near_the_exact_chances(estimate: Callable[[Windows], Estimate]) -> None:
    random = np.random.default_rng(4)
    counts = random.integers(0, 3_000, 300)
    low, high = (2 * counts + sign * random.geometric(0.05, 300) for sign in (-1, 1))
    windows = usable(Beliefs(counts=counts, low=low, high=high).windows)
    assert isinstance(windows, Windows)
    solved = items.chances(windows)
    found = estimate(windows)

    assert solved is not None
    assert found.sweeps < SWEEPS
    many = windows.classes.many
    assert found.chances @ many == pytest.approx(solved.chances @ many, rel=0.02)
    assert np.abs(found.chances - solved.chances).mean() < 0.02


def test_belief_propagation_beats_scaling_beats_the_o_estimate() -> None:
    windows = around(np.random.default_rng(4).integers(0, 900, 300), 4).windows
    solved = items.chances(windows)
    assert solved is not None
    degrees = windows.before[windows.classes.last + 1] - windows.before[windows.classes.first]
    passed, ruled, plain = (
        np.abs(found - solved.chances) @ windows.classes.many
        for found in (beliefs_passed(windows).chances, scaled(windows).chances, 1 / degrees)
    )

    assert passed < ruled < plain


def test_sets_are_estimated_from_their_members() -> None:
    windows = around(array([1, 2, 3, 9, 9, 20]), 2).windows
    found = beliefs_passed(windows)
    sets = kinds_of(windows, array([[3, 4], [0, 5], [1, 5]]))
    chances = found.of_sets(sets.classes)[sets.of]

    assert chances[0] == pytest.approx(1)
    assert chances[1:] == pytest.approx(found.chances[windows.classes.of[[0, 1]]])
