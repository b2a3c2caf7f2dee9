from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import attributes as oracle

from giveaway.attacks.attributes.hiding import marks_in_the_way

any_region = st.sampled_from("abcdefgh").map(oracle.letter)


def in_the_way(table: oracle.Planned, seconds: float = 60) -> list[oracle.Entry] | None:
    """Return the marks in the way, in every record of the groups that have them."""
    encoded, rows_of = oracle.encoded(table)
    without_marks = set(replace(table, marks=frozenset()).allowed())
    marks = [
        sum(1 << column for column in range(table.width + 1) if (rows[0], column) in without_marks)
        for rows in rows_of
    ]
    found = marks_in_the_way.marks_in_the_way(encoded, np.array(marks, np.int64), seconds=seconds)
    if found is None:
        return None
    return [
        (row, column)
        for rows, mask in zip(rows_of, found.tolist(), strict=True)
        for row in rows
        for column in range(table.width + 1)
        if mask >> column & 1
    ]


def mostly_marked(table: oracle.Planned) -> oracle.Planned:
    entries = product(range(len(table.records)), range(table.width + 1))
    return replace(table, marks=frozenset(entries) - table.marks)


@settings(max_examples=150)
@given(table=oracle.tables(rows=5, width=2, regions=any_region).map(mostly_marked))
def test_marks_in_the_way_are_just_those_that_leave_no_safe_table(table: oracle.Planned) -> None:
    whole = oracle.optimum(table)
    freed = oracle.optimum(replace(table, marks=frozenset()))

    found = in_the_way(table)

    if whole is not None or freed is None:
        assert found is None
        return
    assert found
    assert set(found) <= table.marks
    assert oracle.optimum(replace(table, marks=frozenset(found))) is None
    for row, column in found:
        alike = {one for one, record in enumerate(table.records) if record == table.records[row]}
        rest = frozenset(mark for mark in found if mark[1] != column or mark[0] not in alike)
        assert oracle.optimum(replace(table, marks=rest)) is not None


def three_marked() -> oracle.Planned:
    return oracle.Planned(
        records=(("x", "s"), ("x", "s"), ("y", "s"), ("x", "s")),
        secrets=frozenset({3}),
        limit=Fraction(2, 5),
        regions=oracle.letter("b"),
        marks=frozenset((row, column) for row in range(3) for column in range(2)),
    )


def test_a_search_that_is_cut_short_still_names_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_the_way(three_marked()) == [(0, 0), (1, 0)]

    monkeypatch.setattr(marks_in_the_way, "TRIES", 0)

    assert in_the_way(three_marked()) == [(0, 0), (1, 0), (2, 0)]


def test_a_search_without_time_names_nothing() -> None:
    assert in_the_way(three_marked(), seconds=0) is None
