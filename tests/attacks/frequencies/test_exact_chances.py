import tracemalloc
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import Case, array, expected_cracks, possible_cases
from tests.oracles import cracks as oracle

from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Windows, around, ignorant
from giveaway.attacks.frequencies.estimates.o_estimate import kinds_of, o_estimate
from giveaway.attacks.frequencies.exact_chances import items as crack_exact
from giveaway.attacks.frequencies.exact_chances import plan
from giveaway.attacks.frequencies.exact_chances.itemsets import SetChances
from giveaway.attacks.frequencies.exact_chances.messages import Messages
from giveaway.model.answer.risk import Chance

by_hand = settings(max_examples=120)


@by_hand
@given(case=possible_cases)
def test_fractions_are_those_of_brute_force(case: Case) -> None:
    expected = oracle.crack_chances(case.candidates)
    for windows in (case.windows, case.usable):
        found = crack_exact.chances(windows)

        assert found is not None
        assert [found.fractions[one] for one in windows.classes.of.tolist()] == expected


@by_hand
@given(case=possible_cases)
def test_floats_are_those_of_brute_force(case: Case) -> None:
    expected = np.array(oracle.crack_chances(case.candidates), np.float64)
    for windows in (case.windows, case.usable):
        found = crack_exact.chances(windows, fractions=0)

        assert found is not None
        assert found.chances[windows.classes.of] == pytest.approx(expected, abs=1e-12)


@by_hand
@given(case=possible_cases)
def test_both_directions_agree_and_rows_add_up_to_one(case: Case) -> None:
    for piece in case.usable.pieces:
        part = plan.part_of(case.usable, piece)
        for direction in (part, part.mirrored):
            made = plan.plan(direction, 10_000)
            assert made is not None
            messages = Messages(made)
            behind = messages.behind()
            for first, last in zip(direction.first.tolist(), direction.last.tolist(), strict=True):
                [*shares] = (
                    messages.chance_of_group(behind, last, group, [first])[0]
                    for group in range(first, last + 1)
                )
                assert sum(shares) == pytest.approx(1)


def each(chances: SetChances, kinds: np.ndarray) -> list[Chance | None]:
    return [chances.chance(kind) for kind in kinds.tolist()]


def test_short_and_long_numbers_lay_out_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = random_beliefs(60, 25, 8, 8).windows
    parts = [plan.part_of(windows, piece) for piece in windows.pieces]
    short = [plan.plan(part, 100_000) for part in parts]
    monkeypatch.setattr(plan, "_LARGEST_SHORT", 0)
    long = [plan.plan(part, 100_000) for part in parts]

    for one, other in zip(short, long, strict=True):
        assert one is not None
        assert other is not None
        assert (one.work, one.at) == (other.work, other.at)
        for step, same in zip(one.steps or (), other.steps or (), strict=True):
            assert all(np.array_equal(part, twin) for part, twin in zip(step, same, strict=True))


@settings(max_examples=60)
@given(case=possible_cases, size=st.integers(1, 4))
def test_chances_of_sets_are_those_of_brute_force(case: Case, size: int) -> None:
    sets = list(combinations(range(len(case.counts)), min(size, len(case.counts))))
    expected = [oracle.set_chance(case.candidates, members) for members in sets]
    for windows in (case.windows, case.usable):
        kinds = kinds_of(windows, array(sets))
        exactly, nearly = (
            each(SetChances(windows, fractions=limit), kinds.classes) for limit in (10_000, -1)
        )

        assert [exactly[one] for one in kinds.of.tolist()] == expected
        assert [nearly[one] for one in kinds.of.tolist()] == pytest.approx(
            list(map(float, expected)), abs=1e-12
        )


def random_beliefs(items: int, spread: int, seed: int, width: int) -> Beliefs:
    random = np.random.default_rng(seed)
    counts = random.integers(0, spread, items)
    low, high = (2 * counts + sign * random.integers(0, width, items) for sign in (-1, 1))
    return Beliefs(counts=counts, low=low, high=high)


def solved(windows: Windows, **limits: int) -> crack_exact.ExactItems:
    found = crack_exact.chances(windows, **limits)
    assert found is not None
    return found


def of_items(windows: Windows) -> np.ndarray:
    return solved(windows).chances[windows.classes.of]


def expected(windows: Windows) -> Chance:
    return expected_cracks(windows, solved(windows))


def test_floats_and_fractions_agree_where_groups_are_large() -> None:
    windows = random_beliefs(120, 12, 5, 6).windows
    exactly, nearly = (solved(windows, fractions=limit) for limit in (10**9, 0))

    assert len(exactly.fractions) == len(windows.classes.many)
    assert not nearly.fractions
    assert exactly.chances == pytest.approx(nearly.chances, abs=1e-11)


def test_relabelling_and_reversing_change_nothing() -> None:
    beliefs = random_beliefs(60, 25, 8, 8)
    shuffled = np.random.default_rng(1).permutation(60)
    relabelled = Beliefs(
        counts=beliefs.counts[shuffled], low=beliefs.low[shuffled], high=beliefs.high[shuffled]
    )
    reversed_ = Beliefs(counts=100 - beliefs.counts, low=200 - beliefs.high, high=200 - beliefs.low)
    plain = of_items(beliefs.windows)

    assert of_items(relabelled.windows) == pytest.approx(plain[shuffled], abs=1e-12)
    assert of_items(reversed_.windows) == pytest.approx(plain, abs=1e-12)


def test_an_item_by_itself_adds_one_crack() -> None:
    beliefs = random_beliefs(30, 20, 2, 5)
    more = Beliefs(
        counts=np.append(beliefs.counts, 99),
        low=np.append(beliefs.low, 198),
        high=np.append(beliefs.high, 198),
    )

    assert expected(more.windows) == expected(beliefs.windows) + 1


@pytest.mark.parametrize("counts", [[1, 1, 1, 5, 5], list(range(40))])
def test_complete_blocks_are_what_the_o_estimate_takes_them_for(counts: list[int]) -> None:
    windows = around(array(counts), 0).windows
    assert expected(windows) == o_estimate(windows) == len(set(counts))
    assert expected(ignorant(array(counts)).windows) == 1


def test_a_budget_too_small_gives_no_answer() -> None:
    windows = random_beliefs(60, 25, 8, 8).windows
    work = solved(windows).work

    assert crack_exact.chances(windows, budget=work - 1) is None
    assert solved(windows, budget=work).work == work


def test_sets_over_budget_have_no_chance_and_others_keep_theirs() -> None:
    windows = random_beliefs(30, 20, 8, 6).windows
    kinds = kinds_of(windows, array(list(combinations(range(30), 2))))
    generous, thrifty = SetChances(windows), SetChances(windows, budget=20 * solved(windows).work)
    everything, some = each(generous, kinds.classes), each(thrifty, kinds.classes)

    assert None not in everything
    assert 0 < some.count(None) < len(some)
    assert all(one is None or one == other for one, other in zip(some, everything, strict=True))


def test_many_open_windows_at_once_end_the_search_and_not_the_program() -> None:
    counts = np.arange(200)

    assert crack_exact.chances(around(counts, 150).windows, budget=20_000) is None


def test_the_expected_number_of_cracks_of_one_group_is_one() -> None:
    assert expected(ignorant(np.zeros(5_000, np.int64)).windows) == Fraction(1)


def wide_part() -> plan.ComponentGroups:
    """285 items whose ranges hold some sixty others each."""
    first = np.maximum(np.arange(285) - 30, 0)
    last = np.minimum(np.arange(285) + 30, 284)
    ones = np.ones(285, np.int64)
    return plan.ComponentGroups(ones, first, last, np.arange(285), ones)


def test_a_count_that_takes_more_room_than_its_work_allows_is_given_up_before_the_room_is_taken() -> None:
    """Half a gigabyte goes with the usual work, and a tenth of it with a tenth."""
    budget = crack_exact.BUDGET // 10
    tracemalloc.start()
    try:
        assert plan.best_plan(wide_part(), budget) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 2**29 / 10


def test_more_room_and_work_go_on_with_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    part = plan.ComponentGroups(
        np.ones(30, np.int64),
        np.maximum(np.arange(30) - 5, 0),
        np.minimum(np.arange(30) + 5, 29),
        np.arange(30),
        np.ones(30, np.int64),
    )
    assert plan.best_plan(part, 1_000_000) is not None
    for name in ("_BYTES_A_TRANSITION", "_NUMBERS_A_TRANSITION"):
        with monkeypatch.context() as less:
            less.setattr(plan, name, 0)
            assert plan.best_plan(part, 1_000_000) is None
