"""How good what is hidden is: always safe and allowed, and close to the fewest entries that are possible."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.oracles import fewest_hidden as solve
from tests.sizes import first, sized

from giveaway.attacks.attributes.hiding import best_of_all

pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")

TABLES = 90
POOLED = {**dict.fromkeys("abcg", 1.02), **dict.fromkeys("def", 1.06)}
"""The largest quotient of all entries hidden greedily and the fewest possible, by subcase."""

Method = Literal["auto", "cover"]
EVERY_METHOD = pytest.mark.parametrize("method", ["auto", "cover"])


def batch(letter: str) -> list[oracle.Planned]:
    """Draw tables of 8 to 16 rows with three conditions, each third one of 16 to 32 with four; half have marks."""
    rng = np.random.default_rng([1, ord(letter)])
    return [
        oracle.drawn(
            rng,
            rows=int(rng.integers(16, 33) if place % 3 == 2 else rng.integers(8, 17)),
            width=4 if place % 3 == 2 else 3,
            regions=oracle.letter(letter),
            marked=0.15 * (place // 3 % 2),
        )
        for place in range(TABLES)
    ]


def checked(table: oracle.Planned, plan: best_of_all.HidingPlan, rows_of: list[list[int]]) -> int:
    """Return the number of hidden entries, after a look at every record."""
    assert plan.hidden is not None
    hidden = oracle.entries(plan.hidden, rows_of)
    assert oracle.safe(table, hidden)
    assert set(hidden) <= set(table.allowed())
    assert len(set(hidden)) == len(hidden) == plan.entries
    return len(hidden)


@pytest.mark.papers
@pytest.mark.parametrize("letter", first(3, "abcdefg"))
def test_greedy_hides_little_more_than_the_fewest_and_the_default_hides_the_fewest(letter: str) -> None:
    greedy = fewest = 0
    for table in batch(letter):
        encoded, rows_of = oracle.encoded(table)
        solved = solve.solve(encoded, seconds=60)
        plans = {method: best_of_all.protect(encoded, method=method) for method in ("cover", "auto")}
        if solved.impossible:
            assert [plan.hidden for plan in plans.values()] == [None, None]
            assert plans["auto"].impossible
            continue
        assert solved.proved
        assert checked(table, plans["auto"], rows_of) == solved.bound
        if plans["cover"].hidden is not None:
            covered = checked(table, plans["cover"], rows_of)
            assert covered >= solved.bound >= plans["cover"].lower_bound
            greedy += covered
            fewest += solved.bound

    assert fewest > 0
    assert greedy <= POOLED[letter] * fewest


@EVERY_METHOD
def test_where_nothing_may_be_hidden_a_table_is_safe_or_impossible(method: Method) -> None:
    safe = 0
    for table in batch("h"):
        plan = best_of_all.protect(oracle.encoded(table)[0], method=method)

        assert plan.impossible != oracle.safe(table)
        assert plan.entries == 0
        safe += plan.hidden is not None

    assert 0 < safe < TABLES


@EVERY_METHOD
@sized(150)
@given(table=oracle.tables(rows=5, width=2, regions=st.sampled_from("abcdefgh").map(oracle.letter)))
def test_what_is_hidden_in_any_table_is_safe_allowed_and_never_fewer_than_possible(
    method: Method, table: oracle.Planned
) -> None:
    encoded, rows_of = oracle.encoded(table)
    fewest = oracle.optimum(table)

    plan = best_of_all.protect(encoded, method=method)

    if plan.hidden is None:
        assert fewest is None or method == "cover"
    else:
        assert fewest is not None
        assert checked(table, plan, rows_of) >= fewest >= plan.lower_bound
    assert not plan.impossible or fewest is None
    if method == "auto":
        assert plan.impossible == (fewest is None)
        assert plan.entries == (fewest or 0)
