"""Classes are those of the methods page, and of a slow reading of it."""

from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import classes as oracle

from giveaway.errors import DataError, ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.numbers import Cuts, number, written
from giveaway.model.classes.rules import ClassRule

numbers = st.decimals(-50, 50, places=1, allow_nan=False)


def made(rule: Any, *values: str, decimal: str = ".") -> Classes:
    return Classes.of("x", ClassRule.of(rule), Counter(values), decimal)


# The worked examples of the page --------------------------------------------------------------------------------


def test_borders_belong_to_the_class_they_begin() -> None:
    assert made([18, 40, 65], "17", "18", "39", "40", "65", "99").rows == {
        "<18": 1,
        "18-39": 2,
        "40-64": 1,
        "65+": 2,
    }


def test_nothing_is_lost_below_the_first_cut() -> None:
    assert made([0, 18], "-1", "0").rows == {"<0": 1, "0-17": 1}


def test_classes_without_rows_never_appear() -> None:
    assert made([0, 18, 40], "3", "50").rows == {"0-17": 1, "40+": 1}


@pytest.mark.parametrize(
    ("rule", "value", "label"),
    [
        ([64, 65, 66], "65", "65"),
        ([-500, 0], "-1", "-500 to -1"),
        ([-5, 5], "4", "-5 to 4"),
        (["39.5"], "40", "39.5+"),
        ([18, "39.5"], "20", "[18, 39.5)"),
        (10000, "12345", "10000-19999"),
        (5, "-1", "-5 to -1"),
        ({"width": 10, "from": 5}, "14", "5-14"),
        ({"width": "0.1"}, "0.25", "[0.2, 0.3)"),
        ("year", "1961-04-27T10:00:00Z", "1961"),
        ("quarter", "1961-04-27", "1961-Q2"),
        ("month", "1961-04", "1961-04"),
        ("decade", "1961", "1960s"),
        ("week", "1961-04-27", "1961-W17"),
        ("week", "2021-01-03", "2020-W53"),
        ("day", "1961-04-27 23:59", "1961-04-27"),
        ({"by": "year", "format": "%d.%m.%Y"}, "3.4.1961", "1961"),
        ({"age_at": "2026-01-01", "cuts": [18, 65]}, "2008-01-01", "18-64"),
        ({"age_at": "2026-01-01", "cuts": [18, 65]}, "2008-01-02", "<18"),
        ({"age_at": date(2001, 2, 28), "cuts": [1]}, "2000-02-29", "<1"),
        ({"prefix": 3}, "98123", "981**"),
        ({"prefix": 3}, "007", "007"),
        ({"prefix": 3}, "7", "7"),
        ({"cuts": [18, 65], "labels": ["minor", "adult", "old"]}, "65", "old"),
    ],
)
def test_labels(rule: Any, value: str, label: str) -> None:
    assert list(made(rule, value).rows) == [label]


def test_one_value_that_is_not_whole_changes_the_labels_of_the_column() -> None:
    assert list(made([18, 40], "18", "20.5").rows) == ["[18, 40)"]


def test_numbers_are_decimals_by_their_text() -> None:
    assert made(["0.1", "0.3"], "0.1", "0.3", "0.30").rows == {"[0.1, 0.3)": 1, "0.3+": 2}
    assert made([1000], "1e3", "999").rows == {"<1000": 1, "1000+": 1}
    assert made([0.3], "0.3").rows == {"0.3+": 1}


def test_very_long_numbers_stay_exact() -> None:
    long = "1" * 60
    assert made(1, long).rows == {long: 1}
    assert made([f"{long}.5"], long).rows == {f"<{long}.5": 1}


def test_quantiles_with_ties() -> None:
    few = made("quantiles 3", "1", "1", "1", "1", "2", "3")
    assert (few.scale, few.rows) == (Cuts((Decimal(2),)), {"<2": 4, "2+": 2})
    same = made("quantiles 4", *["5"] * 9)
    assert (same.scale, same.rows) == (Cuts(()), {"*": 9})


def test_found_cuts_can_be_rounded() -> None:
    values = [str(value) for value in range(1, 1001)]
    assert made({"quantiles": 4, "round": 100}, *values).scale == Cuts(
        (Decimal(300), Decimal(500), Decimal(800))
    )


# Refusals -------------------------------------------------------------------------------------------------------


def test_what_is_not_a_number_is_refused_with_the_first_five() -> None:
    shown = r'"-", "1,000", "1\.000,5", "12 kg", "1e99999" and 2 more'
    with pytest.raises(DataError, match=rf"7 values of the column x \(in 8 rows\) are not numbers: {shown}"):
        made([18], "1,000", "1.000,5", "12 kg", "NaN", "inf", "-", "-", "1e99999", "3")


def test_a_decimal_comma_is_read_on_request() -> None:
    assert made([1], "0,5", "1,5", decimal=",").rows == {"<1": 1, "1+": 1}
    with pytest.raises(DataError, match=r"1\.000,5"):
        made([1], "1.000,5", decimal=",")
    with pytest.raises(DataError, match='decimal = ","'):
        made([1], "0,5")


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("month", "1961"),
        ("week", "1961-04"),
        ("year", "27.4.1961"),
        ("year", "61-04-27"),
        ("year", "1961-02-30"),
        ("year", "0000"),
        ("year", "١٩٦١"),
        ({"age_at": "2026-01-01", "cuts": [18]}, "1961-04"),
        ({"by": "year", "format": "%d.%m.%Y"}, "1961-04-27"),
        ({"by": "month", "format": "%Y"}, "1961"),
    ],
)
def test_dates_that_do_not_tell_enough_are_refused(rule: Any, value: str) -> None:
    with pytest.raises(DataError):
        made(rule, value)


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        ([18, 18], "The cut 18 is not above 18"),
        ([18, 5], "The cut 5 is not above 18"),
        ([], "empty list"),
        ({"cuts": [18], "labels": ["a"]}, "1 labels are given for 1 cuts"),
        ({"cuts": [18], "labels": ["a", "a"]}, "two classes the same"),
        ({"cuts": [18], "width": 5}, "cuts and width are given together"),
        ({"width": 0}, "must be above 0"),
        ({"cutz": [18]}, "There is no field cutz"),
        ({"by": "year", "format": "%d.%m.%y"}, "two digits"),
        ({"by": "year", "format": "%d.%m"}, "must name the year"),
        ({"format": "%Y", "width": 3}, "nothing is read as a date"),
        ({"age_at": "2026", "cuts": [1]}, "is not a day"),
        ({"age_at": "2026-01-01", "by": "year"}, "age_at makes numbers"),
        ({"round": 10, "width": 3}, "round is given without quantiles"),
        ("quantiles 1", "one class"),
        ("yeer", "is not understood"),
        (True, "is not a number"),
        ({"prefix": 0}, "whole number above 0"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule: Any, fact: str) -> None:
    with pytest.raises(ScenarioError, match=fact):
        ClassRule.of(rule)


def test_all_that_is_wrong_with_a_rule_is_told_at_once() -> None:
    with pytest.raises(ScenarioError) as caught:
        ClassRule.of({"cutz": 1, "width": "x", "prefix": "y"})
    assert len(caught.value.mistakes) == 3


# Other data -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "values", "theirs", "classes"),
    [
        ([18, 65], "17 30 70", "64", ["18-64"]),
        ([18, 65], "17 30 70", "18-64", ["18-64"]),
        ([18, 65], "17 30 70", "10-20", ["<18", "18-64"]),
        ([18, 65], "17 30 70", "60+", ["18-64", "65+"]),
        ([18, 65], "17 30 70", "<18", ["<18"]),
        ([18, 65], "17 30 70", "-3", ["<18"]),
        ([18, 65], "17 30 70", "[17, 18)", ["<18"]),
        ([18, 65], "17 30 70", "young", None),
        ([18, 65], "17 30 70.5", "30-39", None),
        (5, "17 30", "103", ["100-104"]),
        (5, "17 30", "12-17", ["15-19"]),
        ("year", "1961 1962", "1962-03", ["1962"]),
        ("month", "1961-04 1961-05 1962-01", "1961", ["1961-04", "1961-05"]),
        ("month", "1961-04 1961-05 1972-01", "1960s", ["1961-04", "1961-05"]),
        ("quarter", "1961-04 1962-01", "1961-Q2", ["1961-Q2"]),
        ("year", "1961 1962", "1961-W17", ["1961"]),
        ("year", "1961 1962", "x", None),
        ({"prefix": 3}, "98123 98201", "98150", ["981**"]),
        ({"prefix": 3}, "98123 98201", "98***", ["981**", "982**"]),
        ({"age_at": "2026-01-01", "cuts": [40, 41]}, "1985-05-05 1960-01-01", "1985", ["40", "41+"]),
    ],
)
def test_what_a_directory_says_is_put_into_the_classes(
    rule: Any, values: str, theirs: str, classes: list[str] | None
) -> None:
    found = made(rule, *values.split()).agreeing(theirs)

    assert (None if found is None else list(found)) == classes


# Slow readings --------------------------------------------------------------------------------------------------


@given(st.lists(numbers, min_size=1, max_size=30), st.integers(2, 7))
def test_quantiles_are_those_of_the_definition(values: list[Decimal], parts: int) -> None:
    found = made({"quantiles": parts}, *map(str, values))

    assert isinstance(found.scale, Cuts)
    exact = oracle.quantile_cuts(list(map(Fraction, values)), parts)
    assert [Fraction(cut) for cut in found.scale.at] == sorted(set(map(oracle.two_digits, exact)))


@given(st.lists(numbers, min_size=1, max_size=20), st.lists(numbers, min_size=1, max_size=5, unique=True))
def test_cuts_are_those_of_the_definition(values: list[Decimal], cuts: list[Decimal]) -> None:
    cuts = sorted(cuts)
    found = made(cuts, *map(str, values))
    place = {str(value): oracle.cut_class(Fraction(value), list(map(Fraction, cuts))) for value in values}

    assert len(set(place.values())) == len(found.rows)
    for value, at in place.items():
        ours = found.intervals[found.of_value[value]]
        assert (ours.low, ours.high) == ((None, *cuts, None)[at], (None, *cuts, None)[at + 1])


@given(
    st.lists(numbers, min_size=1, max_size=10),
    st.sampled_from(["0.1", "0.7", "1", "2.5", "5"]),
    st.sampled_from(["0", "0.3", "-7", "100"]),
)
def test_widths_are_those_of_the_definition(values: list[Decimal], width: str, start: str) -> None:
    found = made({"width": width, "from": start}, *map(str, values))

    for value in values:
        border = oracle.step_class(Fraction(value), Fraction(width), Fraction(start))
        low, high = found.intervals[found.of_value[str(value)]]
        assert low is not None
        assert high is not None
        assert (Fraction(low), Fraction(high)) == (border, border + Fraction(width))


@given(st.dates(date(1999, 1, 1), date(2004, 12, 31)), st.integers(0, 2200))
def test_ages_are_counted_birthdays(born: date, days: int) -> None:
    at = born + timedelta(days=days)
    found = made({"age_at": at, "width": 1}, born.isoformat())

    assert list(found.rows) == [str(oracle.birthdays(born, at))]


@given(numbers)
def test_numbers_are_written_with_as_few_digits_as_they_need(value: Decimal) -> None:
    text = written(value)

    assert number(text) == value
    assert text == "0" or not text.startswith(("-0", "00")) or "." in text
    assert "." not in text or not text.endswith(("0", "."))
