"""Ladders nest, and are those of the methods page."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giveaway.errors import ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.ladders import ladder
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.model.data.labels import Label


def lines(rule: Any, values: str, classes: Any = None) -> dict[Label, tuple[Label, ...]]:
    counts: Counter[Label] = Counter(values.split())
    if classes is None:
        return dict(ladder("x", LadderRule.of(rule), counts, None).hierarchy.of)
    fixed = Classes.of("x", ClassRule.of(classes), Counter(values.split()))
    return dict(ladder("x", LadderRule.of(rule), Counter[Label](fixed.rows), fixed).hierarchy.of)


@pytest.mark.parametrize(
    ("rule", "values", "classes", "expected"),
    [
        ([5, 10, 20], "37 61", None, {"37": ("35-39", "30-39", "20-39"), "61": ("60-64", "60-69", "60-79")}),
        ({"cuts": [18, 40, 65]}, "3 70", None, {"3": ("<18", "<40"), "70": ("65+", "40+")}),
        (["month", "year"], "1961-04-27", None, {"1961-04-27": ("1961-04", "1961")}),
        ("week", "1961-04-27", None, {"1961-04-27": ("1961-W17",)}),
        ([3, 2], "A12 B1", None, None),
        ([2, 1], "A12 B1", None, {"A12": ("A1*", "A**"), "B1": ("B1*", "B**")}),
        ("auto", "20 99", None, {"20": ("20-24", "20-29", "20-39"), "99": ("95-99", "90-99", "80-99")}),
        ([5, 10, 20], "37", 5, {"35-39": ("30-39", "20-39")}),
        ([5, 10], "37 61", [18, 40], None),
        (
            "auto",
            "3 20 50 70",
            [18, 40, 65],
            {"<18": ("<40",), "18-39": ("<40",), "40-64": ("40+",), "65+": ("40+",)},
        ),
        (["month", "year", "decade"], "1961-04-27", "year", {"1961": ("1960s",)}),
        (["month", "year"], "1961-04-27", "week", None),
        ("week", "1961-04-27", "month", None),
        ("week", "1961-04-27", "day", {"1961-04-27": ("1961-W17",)}),
        ([4, 3, 2], "98123", {"prefix": 3}, {"981**": ("98***",)}),
        (["year"], "37", 5, None),
        ("auto", "abc", None, None),
    ],
)
def test_levels(rule: Any, values: str, classes: Any, expected: dict[str, tuple[str, ...]] | None) -> None:
    if expected is None:
        with pytest.raises(ScenarioError):
            lines(rule, values, classes)
    else:
        assert lines(rule, values, classes) == expected


def test_shorter_texts_are_filled_up() -> None:
    found = ladder("icd", LadderRule.of([4, 3, 2]), {"A1.50": 1, "A1": 1}, None)

    assert found.hierarchy.of["A1"] == ("A1__*", "A1_**", "A1***")
    assert found.says.endswith("shorter ones filled up")


@pytest.mark.parametrize(
    "rule", [[5, 12], [10, 10], ["week", "year"], ["year", "month"], {"prefix": [2, 3]}, {"cuts": [3, 1]}, {}]
)
def test_ladders_that_cannot_nest_are_refused(rule: Any) -> None:
    with pytest.raises(ScenarioError):
        LadderRule.of(rule)


@given(
    st.lists(st.integers(-200, 200), min_size=2, max_size=30, unique=True),
    st.sampled_from([[5, 10, 20], [3, 9], "quantiles 8", {"cuts": [-50, 0, 7, 30, 100]}, "auto"]),
    st.sampled_from([None, 5, 3, "quantiles 4", [-50, 0, 7, 30, 100]]),
)
def test_whatever_is_made_joins_whole_groups_of_the_level_below(
    values: list[int], rule: Any, classes: Any
) -> None:
    try:
        found = lines(rule, " ".join(map(str, values)), classes)
    except ScenarioError:
        return
    depth = len(next(iter(found.values())))
    for level in range(1, depth):
        coarser: dict[Label, Label] = {}
        assert all(
            coarser.setdefault(labels[level - 1], labels[level]) == labels[level] for labels in found.values()
        )
