"""Solvers that are given no time claim nothing that does not hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isnan
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.items import test_best_release as packed
from tests.oracles import attributes as oracle
from tests.oracles import fewest_hidden
from tests.oracles.disclosing import Record, best_per_column, best_worst_case
from tests.papers import test_minimax as worst
from tests.papers import test_per_column as columns
from tests.sizes import sized

from giveaway import linear_programs as solving
from giveaway.attacks.attributes.hiding import integer_program as hiding_program
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import Round
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.errors import BudgetExceeded
from giveaway.maximum_entropy import linear_programs
from giveaway.maximum_entropy.constraints import ConstraintRows
from giveaway.papers.directory.minimax import minimax
from giveaway.papers.directory.per_column.choose import per_column


@contextmanager
def nothing_to_spare() -> Iterator[None]:
    """Give every search for something better no time at all."""
    used = (
        "giveaway.linear_programs.spare",
        "giveaway.attacks.items.protecting.best_release.spare",
    )
    with patch(used[0], lambda _: 0.0), patch(used[1], lambda _: 0.0):
        yield


@sized(40)
@given(drawn=worst.tables())
def test_a_rule_against_the_worst_directory_keeps_a_bound_that_holds(
    drawn: tuple[list[Record], list[int]],
) -> None:
    table, sizes = drawn
    with nothing_to_spare():
        found = minimax([record.case() for record in table], per_record=np.array(sizes))

    least = best_worst_case(table, sizes)
    assert (found is None) == isnan(least)
    if found is not None:
        worst.check(table, sizes, found, least)


@sized(40)
@given(drawn=columns.tables(), needed=st.booleans())
def test_numbers_of_values_are_never_called_impossible_for_want_of_time(
    drawn: columns.Table, needed: bool
) -> None:
    table, counts = drawn
    without = patch.object(solving, "left", lambda: 0.0) if needed else nothing_to_spare()
    try:
        with without:
            found = per_column([record.case() for record in table], np.array(counts))
    except BudgetExceeded:
        return
    least = best_per_column(table, counts)
    assert (found is None) == isnan(least)
    if found is not None:
        columns.check(table, counts, found, least)


@pytest.mark.parametrize("letter", "abcdefg")
def test_entries_to_hide_are_never_called_fewest_or_impossible_for_want_of_time(letter: str) -> None:
    rng = np.random.default_rng(5)
    proved = 0
    for _ in range(8):
        table = oracle.drawn(rng, rows=20, width=3, regions=oracle.letter(letter), marked=0.0)
        encoded, _ = oracle.encoded(table)
        now = Round(table=encoded, unsafe=search.find(encoded))
        best = fewest_hidden.solve(encoded)
        if not len(now.unsafe) or now.is_lost or not best.proved:
            continue
        proved += 1
        with nothing_to_spare():
            found = hiding_program.solve(now, bound(now).must_hit(None), seconds=20)
        assert not found.impossible
        assert found.bound <= best.bound
        assert found.hidden is None or found.hidden.entries >= best.bound
    assert proved


@sized(30)
@given(moles=packed.sets_of_items, parts=packed.weights_of_parts)
def test_a_release_packed_without_time_has_a_bound_that_holds(
    moles: packed.Sets, parts: dict[frozenset[int], int]
) -> None:
    with nothing_to_spare():
        found = packed.release(moles, parts)

    best = packed.best_value(moles, parts)
    assert found.value == packed.value(found.kept, parts) <= best <= found.upper_bound
    assert not any(mole <= found.kept for mole in moles)


def test_a_linear_program_cut_short_is_not_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that is cut short may hold a point that is not the least."""
    rows = ConstraintRows(
        offsets=np.array([0, 1]),
        members=np.array([0], np.int32),
        values=np.array([[True, False]]),
        low=np.array([1.0]),
        high=np.array([2.0]),
    )
    program = linear_programs.LinearProgram.of(np.array([3, 4]), 2, rows)
    cost = np.array([1.0, 0.0, 1.0, 0.0])
    assert Fraction(program.least(cost).cost) == 1

    solve = linear_programs.linear

    def cut(*words: Any, **more: Any) -> Any:
        found = solve(*words, **more)
        found.status = 1
        return found

    monkeypatch.setattr(linear_programs, "linear", cut)
    with pytest.raises(BudgetExceeded, match="was not solved"):
        program.least(cost)
