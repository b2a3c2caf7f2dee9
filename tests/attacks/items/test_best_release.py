import sys
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import levelwise
from tests.oracles.build import packed, shared_rows, transactions
from tests.sizes import first

from giveaway.attacks.items.nuggets import counts
from giveaway.attacks.items.protecting import best_release
from giveaway.errors import ScenarioError
from giveaway.model.data.transactions import Transactions

Sets = Collection[frozenset[int]]

pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")

sets_of_items = st.sets(st.frozensets(st.integers(0, 7), min_size=1, max_size=3), max_size=12)
weights_of_parts = st.dictionaries(
    st.frozensets(st.integers(0, 7), min_size=1, max_size=4), st.integers(1, 9), max_size=15
)


def release(
    moles: Sets,
    parts: dict[frozenset[int], int],
    *,
    base: int = 0,
    hint: Collection[int] = (),
    work: float = best_release.WORK,
) -> best_release.Packed:
    offsets, codes = packed(parts)
    weights = np.array([parts[part] for part in sorted(parts, key=sorted)], np.int64)
    return best_release.best_release(
        *packed(moles), offsets, codes, weights, base=base, hint=hint, seconds=60, seed=0, work=work
    )


def value(kept: Collection[int], parts: dict[frozenset[int], int]) -> int:
    return sum(weight for part, weight in parts.items() if part <= set(kept))


def best_value(moles: Sets, parts: dict[frozenset[int], int]) -> int:
    return max(
        value(kept, parts)
        for size in range(9)
        for kept in combinations(range(8), size)
        if not any(mole <= set(kept) for mole in moles)
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(moles=sets_of_items, parts=weights_of_parts, base=st.integers(0, 3), hint=st.sets(st.integers(0, 7)))
def test_the_best_release_is_the_best_of_all_choices(
    moles: Sets, parts: dict[frozenset[int], int], base: int, hint: set[int]
) -> None:
    found = release(moles, parts, base=base, hint=hint)

    assert found.optimal
    assert found.value == found.upper_bound == base + best_value(moles, parts)
    assert found.value == base + value(found.kept, parts)
    assert not any(mole <= found.kept for mole in moles)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(moles=sets_of_items, parts=weights_of_parts)
def test_no_item_is_withheld_without_a_mole_that_needs_it(
    moles: Sets, parts: dict[frozenset[int], int]
) -> None:
    found = release(moles, parts)

    decided = {code for itemset in (*moles, *parts) for code in itemset}
    for code in decided - found.kept:
        assert any(mole <= found.kept | {code} for mole in moles)


def test_a_search_without_work_returns_the_hint_and_claims_no_proof() -> None:
    rng = np.random.default_rng(2)
    moles = {frozenset(map(int, rng.choice(60, 3, replace=False))) for _ in range(400)}
    parts = {frozenset(map(int, rng.choice(60, 4, replace=False))): 1 for _ in range(400)}
    hint: set[int] = set()
    for code in range(60):
        if not any(mole <= hint | {code} for mole in moles):
            hint.add(code)

    found = release(moles, parts, base=5, hint=hint, work=1e-6)

    assert not found.optimal
    assert found.kept >= hint
    assert 5 + value(hint, parts) <= found.value < found.upper_bound <= 5 + len(parts)


def test_an_unsafe_hint_is_never_returned() -> None:
    found = release({frozenset({0, 1})}, {frozenset({0, 1}): 5, frozenset({0}): 1}, hint=[0, 1], work=1e-6)

    assert not found.kept >= {0, 1}
    assert found.value == 1


def test_nothing_to_keep_is_kept() -> None:
    assert release({frozenset({0})}, {}, base=4) == best_release.Packed(
        value=4, kept=frozenset(), upper_bound=4, optimal=True
    )


def test_runs_repeat() -> None:
    rng = np.random.default_rng(3)
    moles = {frozenset(map(int, rng.choice(40, 2, replace=False))) for _ in range(150)}
    parts = {frozenset(map(int, rng.choice(40, 3, replace=False))): 1 for _ in range(300)}

    assert release(moles, parts, work=0.05) == release(moles, parts, work=0.05)


def test_a_bound_beyond_the_digits_of_a_float_is_not_rounded_down() -> None:
    for bound in (0, 7, 2**52 + 1, 2**60 + 3):
        assert bound <= best_release._not_below(float(bound)) <= bound + bound // 2**48


def test_a_missing_solver_is_named_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)

    with pytest.raises(ScenarioError, match=r"giveaway\[optimize\]"):
        release({frozenset({0, 1})}, {frozenset({0}): 1})


def instance(
    name: str, h: Fraction, k: int, p: int, min_support: int
) -> tuple[Transactions, set[frozenset[str]]]:
    rows = shared_rows(name)
    private = levelwise.private_items(rows, h)
    moles = levelwise.minimal_moles(rows, private, h, k, p, max(k, min_support))
    data = transactions(rows, private)
    infrequent = (data.supports < max(k, min_support)) & ~data.is_private
    return data.without([data.labels[code] for code in np.flatnonzero(infrequent)]), moles


@pytest.mark.parametrize(
    ("name", "h", "k", "p", "min_support", "moles", "parts", "best"),
    first(
        2,
        [
            ("groceries", "4/5", 5, 2, 20, 3172, 3320, 3753),
            ("mushroom", "4/5", 10, 3, 2400, 85, 609, 1037),
            ("mushroom", "1/2", 5, 2, 1625, 26, 5563, 4697),
            ("chess", "9/10", 50, 3, 2600, 37, 2982, 2393),
        ],
    ),
)
def test_known_optima(
    name: str, h: str, k: int, p: int, min_support: int, moles: int, parts: int, best: int
) -> None:
    data, found = instance(name, Fraction(h), k, p, min_support)
    offsets, codes = packed([[data.code_of[item] for item in mole] for mole in found])
    free = counts.without_moles(data, min_support, None, offsets, codes)
    assert free is not None

    answer = best_release.best_release(
        offsets,
        codes,
        free.part_offsets,
        free.part_codes,
        free.part_weights,
        base=free.base,
        hint=(),
        seconds=120,
        seed=0,
    )

    assert (len(found), len(free.part_weights)) == (moles, parts)
    assert (answer.value, answer.upper_bound, answer.optimal) == (best, best, True)


def test_the_ceiling_of_mushroom_is_far_below_its_nuggets() -> None:
    data, moles = instance("mushroom", Fraction(4, 5), 10, 3, 2400)
    offsets, codes = packed([[data.code_of[item] for item in mole] for mole in moles])
    free = counts.without_moles(data, 2400, None, offsets, codes)

    assert free is not None
    assert (counts.count(data, 2400).total, free.total) == (2969, 1281)
