"""The checker works classes out for itself: it agrees with what is right, and with nothing else."""

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.checker.files.classes import Derived, confirm
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.numbers import written
from giveaway.model.classes.rules import ClassRule

numbers = st.decimals(-40, 120, places=1, allow_nan=False).map(written) | st.integers(-40, 120).map(str)
days = st.dates(date(1938, 1, 1), date(1962, 12, 31)).map(date.isoformat)
codes = st.text("0123A*", min_size=1, max_size=5)

NUMERIC: list[Any] = [
    [18, 40, 65],
    ["-0.5", "7.5"],
    5,
    {"width": "2.5", "from": 1},
    "quantiles 4",
    {"quantiles": 3, "round": 10},
    {"cuts": [18, 65], "labels": ["minor", "adult", "old"]},
]
DATES: list[Any] = [
    *("day", "week", "month", "quarter", "year", "decade"),
    {"age_at": "2000-02-28", "cuts": [40, 50, 51]},
    {"age_at": "2001-03-01", "width": 5},
]
INTERVALS = ["30-39", "-5 to 3", "<18", "64+", "[17.5, 40)", "18-39", "minor", "x"]
SPANS = ["1950", "1950s", "1949-Q4", "1949-12", "1950-W01", "1949-W53", "1950-13", "x"]
STARS = ["0****", "01**", "***", "0A1"]


def both(rule: Any, values: list[str]) -> tuple[Classes, Derived]:
    fixed = Classes.of("x", ClassRule.of(rule), Counter(values))
    return fixed, Derived(fixed)


def same(rule: Any, values: list[str], others: list[str]) -> None:
    fixed, derived = both(rule, values)
    assert {text: derived.label(text) for text in values} == fixed.of_value
    met = [{*(fixed.agreeing(text) or ())} & fixed.rows.keys() for text in others]
    assert derived.agreeing(others) == met


@sized(1000)
@given(st.sampled_from(NUMERIC), st.lists(numbers, min_size=1, max_size=12), st.lists(numbers))
def test_numbers_fall_into_the_same_classes(rule: Any, values: list[str], others: list[str]) -> None:
    same(rule, values, [*others, *INTERVALS])


@sized(1000)
@given(st.sampled_from(DATES), st.lists(days, min_size=1, max_size=8), st.lists(days))
def test_dates_fall_into_the_same_classes(rule: Any, values: list[str], others: list[str]) -> None:
    same(rule, values, [*others, *SPANS])


@given(st.integers(1, 4), st.lists(codes, min_size=1, max_size=8), st.lists(codes))
def test_prefixes_fall_into_the_same_classes(length: int, values: list[str], others: list[str]) -> None:
    same({"prefix": length}, values, [*others, *STARS])


ROWS = [{"age": age, "ill": "no"} for age in (17, 17, 18, 39, 40, 64, 65, 65, 90)]


@pytest.fixture
def table() -> ga.Table:
    return ga.Table.from_rows(ROWS, sensitive="ill", classes={"age": [18, 40, 65]})


def test_a_right_table_is_confirmed(table: ga.Table) -> None:
    confirm(table)


def test_a_value_in_the_wrong_class_is_found_out(table: ga.Table) -> None:
    moved = table.columns["age"].copy()
    moved[0] = (moved[0] + 1) % 4
    with pytest.raises(ga.CheckFailed, match="classes of age"):
        confirm(replace(table, columns={**table.columns, "age": moved}))


def test_a_border_on_the_wrong_side_is_found_out(table: ga.Table) -> None:
    wrong = replace(table.classes["age"], rule=ClassRule.of([18, 40, 66]))
    with pytest.raises(ga.CheckFailed, match="classes of age"):
        confirm(replace(table, classes={"age": wrong}))


def test_exact_values_in_the_written_file_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text("age,ill\n" + "".join(f"{row['age']},no\n" for row in ROWS))
    table = ga.read_table(tmp_path / "a.csv", sensitive="ill", classes={"age": [18, 40, 65]})
    found = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/2"))
    monkeypatch.setattr("giveaway.sources.files.write_tables.classed", lambda given, *_: given)

    with pytest.raises(ga.CheckFailed, match="not one of the original"):
        found.publish(tmp_path / "out")
