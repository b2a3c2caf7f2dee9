"""Somebody who knows at most so many columns, and how the release was made: `protect` and the written file."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.test_informed import (
    NAMES,
    Row,
    _directory,
    _in_rows,
    _shown_by_plan,
    chances,
    published,
    split_of,
    table,
    values,
)
from tests.sizes import sized

import giveaway as ga

ROWS = st.lists(st.tuples(values, values, values), min_size=2, max_size=6)
KNOWN = st.integers(1, 3)


def in_columns(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[column] for column in columns)


@sized(120)
@given(ROWS, KNOWN, st.integers(2, 3))
def test_no_chance_is_above_the_limit_in_any_world_whatever_columns_are_known(
    rows: list[Row], known: int, crowd: int
) -> None:
    limit = Fraction(1, crowd)
    tolerance = ga.Tolerance(identity=limit)
    try:
        found = ga.protect(
            ga.Release(table(rows)), ga.KnowsDirectory(columns=NAMES, at_most=known), tolerance
        )
    except ga.NoSafeRelease:
        return
    forms, pairs = published(found), _in_rows(found, rows)
    assert Counter(forms) == Counter(form for _, form in pairs)
    for many in range(1, known + 1):
        for columns in combinations(range(3), many):
            people = [in_columns(row, columns) for row in rows]
            assert min(Counter(in_columns(form, columns) for form in forms).values()) >= crowd
            split = Counter((in_columns(own, columns), form) for own, form in pairs)
            assert chances(people, [form for _, form in pairs], split) <= limit


@sized(60)
@given(ROWS, KNOWN, st.randoms(use_true_random=False))
def test_less_is_withheld_than_for_all_columns_and_the_order_of_rows_has_no_part_in_it(
    rows: list[Row], known: int, random: Any
) -> None:
    limit = ga.Tolerance(identity="1/2")
    shuffled = random.sample(rows, len(rows))
    splits, withheld = [], []
    for order, at_most in ((rows, known), (shuffled, known), (rows, None)):
        attacker = ga.KnowsDirectory(columns=NAMES, at_most=at_most)
        try:
            found = ga.protect(ga.Release(table(order)), attacker, limit)
        except ga.NoSafeRelease:
            splits.append(Counter())
            withheld.append(3 * len(rows))
            continue
        splits.append(split_of(found, order))
        withheld.append(len(found.withheld.cells))
        if withheld[-1]:
            assert found.findings[0].protection.figures["lower_bound"] <= withheld[-1]
    assert splits[0] == splits[1]
    assert withheld[0] <= withheld[2]


@sized(50)
@given(ROWS.map(lambda rows: rows[:4]), ROWS, KNOWN)
def test_in_another_directory_enough_people_look_like_every_record(
    rows: list[Row], others: list[Row], known: int
) -> None:
    listed = [*rows[1:], *others]
    attacker = ga.KnowsDirectory(people=_directory(listed), columns=NAMES, at_most=known)
    try:
        found = ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(identity="1/2"))
    except ga.NoSafeRelease:
        return
    published(found)
    shown = _shown_by_plan(found, listed, rows)
    for own, form in _in_rows(found, rows):
        if not any(form):
            continue
        as_it_is = own == form
        for columns in combinations(range(3), known) if as_it_is else [range(3)]:
            alike = [one for one in shown if in_columns(one, columns) == in_columns(form, columns)]
            assert len(alike) >= 2


@sized(60)
@given(ROWS, st.lists(st.tuples(st.integers(1, 2), st.sampled_from("ab")), max_size=2), st.booleans())
def test_marks_and_needs_are_kept(rows: list[Row], marks: list[tuple[int, str]], always: bool) -> None:
    need = ga.NeedsColumns(per_record=1, always=["a"] if always else ())
    release = ga.Release(table(rows), must_publish=marks, withheld=ga.Withheld(cells=[(1, "c")]))
    attacker = ga.KnowsDirectory(columns=NAMES, at_most=2)
    try:
        found = ga.protect(release, attacker, ga.Tolerance(identity="1/2"), need=need)
    except (ga.NoSafeRelease, ga.ScenarioError):
        return
    hidden = set(found.withheld.cells)
    assert not hidden & set(marks)
    assert not (always and any(name == "a" for _, name in hidden))
    forms = published(found)
    assert all(any(form) for form in forms)
    for columns in combinations(range(3), 2):
        assert min(Counter(in_columns(form, columns) for form in forms).values()) >= 2


def test_records_that_look_alike_in_the_known_columns_only_are_not_called_safe() -> None:
    """Two blanks share a column and differ in the other: somebody who re-runs the choice may tell them apart."""
    rows = [dict(zip("pq", row, strict=True)) for row in ("ax", "by", "ax", "ay", "bx", "by")]
    release = ga.Release(ga.Table.from_rows(rows), ga.Withheld(cells=[(1, "p"), (2, "p")]))
    limit = ga.Tolerance(identity="1/2")
    attacker = ga.KnowsDirectory(columns=["p", "q"], at_most=1)
    assert ga.assess(release, attacker, limit).verdict == "at risk"
    naive = ga.KnowsDirectory(columns=["p", "q"], at_most=1, knows_method=False)
    assert ga.assess(release, naive, limit).verdict == "safe"
