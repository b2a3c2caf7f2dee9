"""Readings by the weights of a survey, against sums by hand and by definition."""

from collections import defaultdict
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga

ROWS = st.lists(
    st.tuples(st.sampled_from("xy"), st.sampled_from("uv"), st.sampled_from(["0.5", "1", "2", "12.25"])),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60)
@given(ROWS)
def test_weights_are_added_up_exactly(rows: list[tuple[str, str, str]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "s", "w"], orient="row")
    found = ga.readings(frame, columns=["a"], sensitive="s", weight="w")
    people: dict[str, Fraction] = defaultdict(Fraction)
    having: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for known, value, weight in rows:
        people[known] += Fraction(weight)
        having[known, value] += Fraction(weight)
    assert found.estimated_people == sum(people.values())
    assert found.estimated_k_map == min(people.values())
    assert found.estimated_alpha == max(total / people[known] for (known, _), total in having.items())
    chances = [1 / max(people[known], Fraction(1)) for known, _, _ in rows]
    assert found.estimated_journalist == sum(chances, Fraction(0)) / len(rows)
    without = ga.readings(frame, columns=["a"], sensitive="s")
    assert without.as_dict().items() <= found.as_dict().items()


@pytest.mark.parametrize(
    ("weights", "said"),
    [(["1", ""], "no weight"), (["1", "many"], "not a number"), (["1", "0"], "0 or less")],
)
def test_what_is_not_a_weight_is_refused(weights: list[str], said: str) -> None:
    with pytest.raises(ga.GiveawayError, match=said):
        ga.readings(pl.DataFrame({"a": ["x", "y"], "w": weights}), columns=["a"], weight="w")


def test_a_column_is_not_compared_and_a_weight() -> None:
    with pytest.raises(ga.GiveawayError, match="among the columns"):
        ga.readings(pl.DataFrame({"a": ["x"], "w": [1]}), columns=["a", "w"], weight="w")
