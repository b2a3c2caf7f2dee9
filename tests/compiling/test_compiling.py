"""Plain Python and machine code compute the same, and a search goes on in one where the other paused."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.build import transactions

from giveaway import compiling
from giveaway.attacks.items.nuggets import counts
from giveaway.compiling import DONE, PAUSED, Search, compiled, kernel, native, suited
from giveaway.itemsets import occurring, profile_itemsets
from giveaway.itemsets.ranked import rank
from giveaway.maximum_entropy.constraints import ConstraintRows
from giveaway.maximum_entropy.solve import solve
from giveaway.model.progress import watched
from giveaway.moles import remaining, search, worst_breach

HALF = Fraction(1, 2)
NEVER, AT_ONCE = 10**9, 0
"""How many steps plain Python takes: all of them, or none."""


@kernel
def _add_up(limit: int, state: np.ndarray, until: int) -> int:
    """Add up the numbers from 1 on, one in each step."""
    while state[0] < limit:
        if state[0] >= until:
            return PAUSED
        state[0] += 1
        state[1] += _doubled(state[0])
    return DONE


@kernel
def _doubled(number: int) -> int:
    return 2 * number


@kernel
def _never_called() -> int:
    return 0


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Let plain Python take some steps of each kernel, counted from now on."""

    def begin(steps: int) -> None:
        monkeypatch.setattr(compiling, "STEPS", steps)
        monkeypatch.setattr(compiling, "QUICK", steps)
        monkeypatch.setattr(compiling, "_taken", Counter())

    return begin


def test_the_first_calls_are_plain_and_the_others_compiled(plainly: Callable[[int], None]) -> None:
    plainly(10)
    assert [suited(_doubled, 4) is _doubled for _ in range(4)] == [True, True, False, False]
    assert suited(_add_up, 11) is compiled(_add_up) is not _add_up
    assert suited(_add_up, 10) is _add_up
    assert compiled(_doubled)(np.int64(3)) == _doubled(3) == 6


@pytest.mark.parametrize("steps", [AT_ONCE, 7, 20, NEVER])
def test_a_search_pauses_where_it_should_whoever_takes_the_steps(
    steps: int, plainly: Callable[[int], None]
) -> None:
    plainly(steps)
    state = np.zeros(2, np.int64)
    counted = Search(_add_up, state, 0, block=15, least=1)
    paused = []
    while counted.go_on(40, state) != DONE:
        paused.append(counted.work)
    assert paused == [15, 30]
    assert state.tolist() == [40, 40 * 41]
    assert compiling._taken[compiling._name(_add_up)] == min(steps, 40)


def test_a_search_that_is_surely_long_begins_compiled(plainly: Callable[[int], None]) -> None:
    plainly(10)
    state = np.zeros(2, np.int64)
    assert Search(_add_up, state, 0, block=100, least=11).go_on(40, state) == DONE
    assert compiling._taken[compiling._name(_add_up)] == 0


def test_machine_code_that_need_only_be_loaded_is_taken_earlier(
    plainly: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plainly(10)
    monkeypatch.setattr(compiling, "QUICK", 3)
    compiled(_doubled)(np.int64(1))
    compiling._is_on_disk.cache_clear()
    assert compiling._is_on_disk(_doubled)
    assert not compiling._is_on_disk(_never_called)
    assert suited(_doubled, 4) is not _doubled
    assert suited(_never_called, 4) is _never_called


def test_a_search_does_not_go_beyond_the_most_that_is_allowed() -> None:
    state = np.zeros(2, np.int64)
    counted = Search(_add_up, state, 0, block=100, least=1)
    assert counted.go_on(40, state, most=25) == PAUSED
    assert counted.work == 25


BASKETS = [{f"{(i * j) % 23}" for j in range(1, 9)} | ({"secret"} if i % 3 else set()) for i in range(1, 60)]


def _moles() -> list[Any]:
    data = rank(transactions(BASKETS, ["secret"]))
    found = search.mine(data, 4, 3, Fraction(9, 10))
    order = [int(code) for code in data.codes[:9]]
    putting = remaining.PuttingBack(found, order, allowed=30, budget=10**9)
    return [
        *(part.tolist() for part in (*found.free, *found.harmful, found.smallest)),
        found.work,
        remaining.exposed_after(found, order, budget=10**9).tolist(),
        putting.tried(order[::-1]),
        worst_breach.most_telling(data, 3, Fraction(0)),
        worst_breach.most_telling(data, 2, Fraction(0)),
        worst_breach.rarest(data, 3, 1),
    ]


def _occurring() -> list[Any]:
    counter = occurring.counter(rank(transactions(BASKETS)), 5)
    return [counter.count(), *(part.tolist() for rank in (3, 7) for part in counter.withhold(rank))]


def _nuggets() -> list[Any]:
    data = transactions([*BASKETS, *BASKETS[:20]], ["secret"])
    moles = search.mine(rank(data), 2, 4, HALF).minimal
    found = []
    for dense in (False, True):
        nuggets = counts.count(data, 4, dense=dense)
        parts = counts.without_moles(data, 4, None, *moles, dense=dense)
        found += [
            nuggets.total,
            nuggets.per_item().tolist(),
            nuggets.withhold(3),
            nuggets.per_item().tolist(),
        ]
        found += [parts.total, *(part.tolist() for part in parts[1:])]
    return found


def _profiles() -> list[Any]:
    random = np.random.default_rng(5)
    codes = random.integers(-1, 4, (300, 5)).astype(np.int32)
    profiles = profile_itemsets.group(
        codes, np.ones(300, np.int64), random.integers(0, 3, 300).astype(np.int32), 3
    )
    found = []
    for border in (False, True):
        itemsets = profile_itemsets.frequent(profiles, 9, border=border)
        found += [part.tolist() for part in vars(itemsets).values()]
        found.append(itemsets.sums(profiles.values).tolist())
    return found


def _entropy() -> list[Any]:
    random = np.random.default_rng(3)
    weights = random.integers(1, 9, 40)
    members = [np.sort(random.choice(40, size, replace=False)) for size in random.integers(1, 20, 30)]
    truth = random.dirichlet(np.ones(3), 40) * weights[:, None]
    values = random.integers(0, 2, (30, 3)).astype(np.bool_)
    held = np.array([truth[some][:, kind].sum() for some, kind in zip(members, values, strict=True)])
    low = np.where(np.arange(30) % 3, held - 0.5, held)
    rows = ConstraintRows(
        offsets=np.cumsum([0, *map(len, members)]),
        members=np.concatenate(members).astype(np.int32),
        values=values,
        low=low,
        high=np.where(np.arange(30) % 5, np.inf, held + 0.25).clip(min=low),
    )
    found = solve(weights, 3, rows)
    return [found.chance.tolist(), found.multipliers.tolist(), found.gap, found.violation, found.detail]


@pytest.mark.parametrize("work", [_moles, _occurring, _nuggets, _profiles, _entropy])
def test_kernels_compute_the_same_compiled_and_as_plain_python(
    work: Callable[[], list[Any]], plainly: Callable[[int], None]
) -> None:
    plainly(AT_ONCE)
    expected = work()
    assert compiling._taken.total() == 0
    plainly(NEVER)
    assert work() == expected
    for steps in (100, 1_000):
        plainly(steps)
        assert work() == expected


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same_and_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from numba.core import caching

    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    compiling._without_cache.cache_clear()
    with pytest.warns(RuntimeWarning, match="cannot be kept") as told:
        twins = [native(_doubled), native(_doubled)]
    assert [twin(4) for twin in twins] == [8, 8]
    assert len(told) == 1


def test_machine_code_of_a_version_whose_classes_are_gone_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba
    from numba.core import config

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert native(_doubled)(4) == 8
    (index,) = tmp_path.rglob("*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"cgiveaway.compiling\nGone\n.")

    assert native(_doubled)(4) == 8
    assert b"Gone" not in index.read_bytes()


def test_whoever_watches_is_told_of_compiling() -> None:
    told: list[str] = []
    with watched(lambda stage, *_: told.append(stage)):
        compiling._numba()(_doubled)(2)
    assert told == ["compiling, once for all later runs"]
