import math
from fractions import Fraction

import pytest

import giveaway as ga


def test_without_weights_every_record_counts_alike() -> None:
    assert ga.Sensitivity().is_constant
    assert not ga.Sensitivity().by_record


def test_the_weight_of_a_record_multiplies_that_of_the_column() -> None:
    found = ga.Sensitivity(columns={"age": "1/2"}, records={"ann": 3})
    assert found.weight("ann", "age") == Fraction(3, 2)
    assert found.weight("bob", "age") == 0
    assert found.weight("ann", "sex") == 0


def test_records_alone_weigh_every_entry_alike() -> None:
    assert ga.Sensitivity(records={"ann": 3}).weight("ann", "anything") == 3


def test_nothing_times_infinity_is_nothing() -> None:
    found = ga.Sensitivity(columns={"hiv": "inf"}, records={"ann": 0, "bob": 2})
    assert found.weight("ann", "hiv") == 0
    assert found.weight("bob", "hiv") == math.inf


def test_a_pair_counts_once_whichever_column_stands_first() -> None:
    both = ga.Sensitivity(pairs={"ann": {("b", "a"): 2, ("a", "b"): 2}})
    assert both.pairs == {"ann": {("a", "b"): 2}}
    assert both.named == ("a", "b")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"columns": {"age": -1}}, "below 0"),
        ({"columns": {"age": "many"}}, "not a finite number"),
        ({"columns": {"age": 1}, "cells": {"ann": {"age": 1}}}, "each entry already"),
        ({"columns": {"age": 1}, "form": "cubic"}, "is unknown"),
        ({"form": "multiplicative"}, "there are none"),
        ({"pairs": {"ann": {("a", "a"): 1}}}, "names a twice"),
        ({"pairs": {"ann": {("a", "b"): 1, ("b", "a"): 2}}}, "two weights"),
        ({"pairs": {"ann": {("a", "b", "a"): 1}}}, "names a twice"),
        ({"pairs": {"ann": {("a",): 1}}}, "two columns or more"),
        ({"pairs": {"ann": {"ab": 1}}}, "two columns or more"),
    ],
)
def test_weights_that_make_no_sense_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.Sensitivity(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"per_record": 1, "total": 2}, "both given"),
        ({"per_record": -1}, "at least 0"),
        ({"per_record": True}, "whole number"),
        ({"fill": False}, "needs a number"),
        ({"per_record": 1, "always": "sex"}, "not one text"),
    ],
)
def test_needs_that_make_no_sense_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.NeedsColumns(**given)  # type: ignore[arg-type]
