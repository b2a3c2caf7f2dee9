from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.disclosing import Record, best_worst_case, records, worst_risk
from tests.sizes import sized

from giveaway.attacks.directory.disclosure import best
from giveaway.attacks.directory.disclosure.best import Best, Case
from giveaway.attacks.directory.disclosure.best import best as best_alone
from giveaway.papers.directory import minimax as disclosing_worst
from giveaway.papers.directory.minimax import Minimax, minimax


@st.composite
def tables(draw: st.DrawFn, *, directories: int | None = None) -> tuple[list[Record], list[int]]:
    """Draw a few records looked up in the same directories, and how many values of each are disclosed."""
    m = draw(st.integers(1, 3))
    many = draw(st.integers(1, 3)) if directories is None else directories
    table = draw(
        st.lists(
            records(attributes=m, directories=many, prior=False, crowds=(0, 0, 2)), min_size=1, max_size=3
        )
    )
    return table, [draw(st.integers(0, record.available.bit_count())) for record in table]


def check(table: list[Record], sizes: Sequence[int], found: Minimax, least: float) -> None:
    masks = found.masks.tolist()
    assert [mask.bit_count() for mask in masks] == list(sizes)
    assert all(record.allowed(mask) for record, mask in zip(table, masks, strict=True))
    risk = worst_risk(table, masks)
    assert found.risk == risk or found.risk == pytest.approx(risk, rel=1e-9)
    assert found.bound <= least * (1 + 1e-9)
    assert not found.proved or found.risk == least or found.risk == pytest.approx(least, rel=1e-9)


@sized(100)
@given(drawn=tables(), least=st.sampled_from([None, None, 0]))
def test_the_least_risk_in_the_worst_directory(
    drawn: tuple[list[Record], list[int]], least: int | None
) -> None:
    table, sizes = drawn

    found = minimax([record.case() for record in table], per_record=np.array(sizes), least=least)

    risk = best_worst_case(table, sizes)
    if isnan(risk):
        assert found is None
    else:
        assert found is not None
        check(table, sizes, found, risk)
        assert found.proved


@sized(50)
@given(drawn=tables(directories=2))
def test_without_a_program_the_bound_is_that_of_the_worst_single_directory(
    drawn: tuple[list[Record], list[int]],
) -> None:
    table, sizes = drawn
    cases = [record.case() for record in table]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best, "MOST", -1)
        patch.setattr(disclosing_worst, "MOST", -1)
        found = minimax(cases, per_record=np.array(sizes))

    risk = best_worst_case(table, sizes)
    if isnan(risk):
        assert found is None
    elif found is not None:
        check(table, sizes, found, risk)


def test_records_make_up_for_each_other() -> None:
    # Each directory alone would have both records disclose the value that is common in it, and rare in the other.
    record = Record(
        attributes=2,
        directories=(
            (frozenset({0b11}),) + (frozenset({0b01}),) * 3,
            (frozenset({0b11}),) + (frozenset({0b10}),) * 3,
        ),
        prior=None,
        form="constant",
        each=(0.0, 0.0),
        pairs=None,
        available=0b11,
    )

    found = minimax([record.case()] * 2, per_record=1)

    assert found is not None
    assert sorted(found.masks.tolist()) == [0b01, 0b10]
    assert found.risk == found.bound == pytest.approx((1 / 4 + 1) / 2)
    assert found.proved


def test_the_least_directory_settles_it_alone() -> None:
    small = (frozenset({0b11}), frozenset({0b01}))
    record = Record(
        attributes=2,
        directories=(small + (frozenset({0b10}),) * 5, small),
        prior=None,
        form="constant",
        each=(0.0, 0.0),
        pairs=None,
        available=0b11,
    )
    tried: list[int] = []

    def watched(case: Case, **options: Any) -> Best:
        assert case.mixture is not None
        tried.append(case.mixture.index(1))
        return best_alone(case, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disclosing_worst, "best", watched)
        found = minimax([record.case()], per_record=1, least=1)

    assert found is not None
    assert found.proved
    assert found.risk == best_worst_case([record], [1])
    assert tried == [1]


def test_no_records_have_no_risk() -> None:
    found = minimax([], per_record=1)

    assert found is not None
    assert (found.risk, found.proved, len(found.masks)) == (0.0, True, 0)
