from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from benchmarks.frequencies import samplers
from benchmarks.frequencies.samplers import independent
from tests.attacks.frequencies.crack_cases import Case, array, expected_cracks, far_from_even
from tests.oracles import cracks as oracle

from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Windows, around
from giveaway.attacks.frequencies.exact_chances import items, plan
from giveaway.attacks.frequencies.sampling import chains
from giveaway.attacks.frequencies.sampling.chains import Blocks, summary
from giveaway.papers.frequencies.explore.swaps import local_chain, paper_chain

UNEVEN = Case(counts=(1, 2, 2, 3, 4, 5), low=(2, 2, 4, 2, 6, 6), high=(6, 8, 6, 8, 10, 10))
WRONG = Case(counts=(0, 1, 2, 3, 4), low=(2, 0, 2, 4, 8), high=(4, 4, 6, 8, 8))
quick_paper_chain = partial(paper_chain, burn_in=200, spacing=4, restart=5_000)

SAMPLERS = pytest.mark.parametrize(
    "sampler", [local_chain, independent, quick_paper_chain], ids=["local", "independent", "paper"]
)


def drawn(sampler: Callable[..., Blocks | None], windows: Windows, draws: int, seed: int = 0) -> np.ndarray:
    found = sampler(windows, draws=draws, seed=seed)
    assert found is not None
    return np.concatenate(list(found))


@SAMPLERS
def test_all_mappings_are_equally_likely(sampler: Callable[..., Blocks]) -> None:
    everything = list(oracle.mappings(UNEVEN.candidates))
    rows = drawn(sampler, UNEVEN.usable, 40_000)

    assert len(everything) == 52
    assert far_from_even(rows, everything) < (3 if sampler is quick_paper_chain else 2)


@pytest.mark.parametrize("sampler", [local_chain, independent], ids=["local", "independent"])
def test_beliefs_need_not_be_right(sampler: Callable[..., Blocks]) -> None:
    everything = list(oracle.mappings(WRONG.candidates))
    rows = drawn(sampler, WRONG.usable, 20_000)

    assert len(everything) == 3
    assert far_from_even(rows, everything) < 3


@SAMPLERS
def test_the_same_seed_draws_the_same_mappings(sampler: Callable[..., Blocks]) -> None:
    once, again, other = (drawn(sampler, UNEVEN.usable, 300, seed) for seed in (1, 1, 2))

    assert (once == again).all()
    assert (once != other).any()


@SAMPLERS
def test_the_interval_holds_the_exact_number_of_cracks(sampler: Callable[..., Blocks]) -> None:
    windows = around(np.random.default_rng(6).integers(0, 150, 80), 4).windows
    solved = items.chances(windows)
    found = summary(sampler(windows, draws=5_000, seed=4))

    assert solved is not None
    assert found is not None
    assert found.low < float(expected_cracks(windows, solved)) < found.high
    assert found.margin < 0.5
    assert found.frequencies == pytest.approx(solved.chances[windows.classes.of], abs=0.12)
    assert found.frequencies.sum() == pytest.approx(found.mean)
    assert 0 < found.effective <= len(found.cracks) == 5_000


def test_a_plan_from_the_other_end_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = list(oracle.mappings(UNEVEN.candidates))
    monkeypatch.setattr(samplers, "best_plan", lambda part, budget: plan.plan(part.mirrored, budget))

    assert far_from_even(drawn(independent, UNEVEN.usable, 40_000), everything) < 2


def test_blocks_do_not_change_what_a_chain_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn(local_chain, UNEVEN.usable, 200)
    monkeypatch.setattr(chains, "_CELLS", 40)
    pieces = list(local_chain(UNEVEN.usable, draws=200, seed=0))

    assert len(pieces) > 30
    assert (np.concatenate(pieces) == whole).all()


def test_independent_mappings_over_budget_are_not_drawn() -> None:
    assert independent(around(np.arange(60), 20).windows, draws=1, seed=0, budget=50) is None


def test_too_few_mappings_make_no_interval() -> None:
    assert summary(local_chain(UNEVEN.usable, draws=20, seed=0)) is None
    assert summary(local_chain(UNEVEN.usable, draws=500, seed=0), lambda rows: rows[:, 0] == -1) is None


def test_a_soft_belief_weighs_every_mapping() -> None:
    case = Case(counts=(0, 1, 2, 3, 4, 4), low=(2, 2, 9, 4, 0, 8), high=(4, 4, 9, 8, 8, 8))
    assert not case.possible
    expected = oracle.soft_chances(case.candidates, Fraction(1, 20))
    found = summary(chains.soft_chain(case.windows, outside=1 / 20, draws=40_000, seed=5))

    assert found is not None
    assert found.frequencies == pytest.approx(np.array(expected, np.float64), abs=0.01)


APART = chains.PairsApart(
    items=6, never=array([[0, 3], [4, 5]]), together=array([[0, 1], [2, 0], [3, 5], [5, 1]])
)


def respected(mapping: tuple[int, ...]) -> bool:
    together = {frozenset(pair) for pair in APART.together.tolist()}
    return all(frozenset((mapping[a], mapping[b])) not in together for a, b in APART.never.tolist())


def test_mappings_that_put_pairs_together_are_told_apart() -> None:
    everything = list(oracle.mappings(UNEVEN.candidates))

    assert APART.respected(array(everything)).tolist() == [respected(one) for one in everything]


def test_pairs_known_to_be_apart_stay_apart() -> None:
    allowed = [one for one in oracle.mappings(UNEVEN.candidates) if respected(one)]
    rows = np.concatenate(list(chains.apart_chain(UNEVEN.usable, APART, draws=20_000, seed=2)))
    sifted = drawn(independent, UNEVEN.usable, 40_000)
    sifted = sifted[APART.respected(sifted)]

    assert 1 < len(allowed) < 52
    assert len(rows) == 20_000
    assert far_from_even(rows, allowed) < 3
    assert far_from_even(sifted, allowed) < 3


def test_knowledge_that_nothing_agrees_with_leaves_no_mapping() -> None:
    everything = array([[0, 1], [0, 2], [1, 2]])
    apart = chains.PairsApart(items=3, never=everything[:1], together=everything)
    windows = Beliefs(counts=array([1, 2, 3]), low=array([0, 0, 0]), high=array([9, 9, 9])).windows

    assert summary(chains.apart_chain(windows, apart, draws=100, seed=0)) is None
