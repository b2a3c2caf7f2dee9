"""Golden values of releases over time on real data, counted a second time in plain numpy."""

import os
from functools import cache

import numpy as np
import pytest
from tests.oracles.composition import data
from tests.oracles.composition.data import A, B, C

RELEASES = {"A": A, "B": B, "C": C}
FIRST, SECOND = ("decade", "education", "sex"), ("marital-status", "workclass", "sex")
slow = pytest.mark.skipif(
    os.environ.get("GIVEAWAY_GOLDEN") != "all", reason="slow; GIVEAWAY_GOLDEN=all runs it"
)


@cache
def release(name: str, k: int) -> np.ndarray:
    return data.safe_release(RELEASES[name], k)


@pytest.mark.parametrize(("k", "blanks"), [(5, [621, 324, 246]), (11, [1420, 889, 624])])
def test_blanks_of_each_release(k: int, blanks: list[int]) -> None:
    assert [data.blanks(release(name, k), columns) for name, columns in RELEASES.items()] == blanks


@pytest.mark.parametrize(
    ("k", "who", "people"),
    [
        (5, "AB", (3833, 1217)),
        (5, "AC", (2112, 925)),
        (5, "BC", (2641, 1115)),
        (5, "ABC", (6677, 3089)),
        (11, "AB", (6065, 773)),
        (11, "AC", (2694, 589)),
        (11, "BC", (3611, 832)),
        (11, "ABC", (9062, 2331)),
    ],
)
def test_matrix_of_recipients(k: int, who: str, people: tuple[int, int]) -> None:
    joined = data.together(*(release(name, k) for name in who))

    assert data.below(data.crowds_of(joined), k) == people


@pytest.mark.parametrize(("k", "after", "before", "at_once"), [(5, 4409, 4611, 4733), (11, 7354, 7653, 8149)])
def test_given_before_and_at_once(k: int, after: int, before: int, at_once: int) -> None:
    assert data.blanks(data.given_before(release("A", k), B, k), B) == after
    assert data.blanks(data.given_before(release("B", k), A, k), A) == before
    assert data.at_once(A, B, k) == at_once


def test_bound_where_nobody_knows_whose_row_it_was() -> None:
    assert data.below(data.bound_without_join(release("A", 5), release("B", 5)), 5) == (3865, 1241)


def test_rows_that_join_by_themselves() -> None:
    assert data.joinable(["fnlwgt", "occupation"]) == 25_753
    assert data.joinable(["decade", "sex", "occupation"]) == 18


def test_rows_that_cannot_be_joined() -> None:
    first, second = (data.safe_release(columns, 5, never_blank=["sex"]) for columns in (FIRST, SECOND))
    fit = [data.values_that_fit(shown, "occupation") for shown in (first, second)]
    joined = data.together(first, second)
    alone = [data.normalised(one) for one in fit]
    people = data.beliefs(*fit, ["sex"], "occupation")
    rows = data.normalised(data.values_that_fit(joined, "occupation"))

    assert (data.blanks(first, FIRST), data.blanks(second, SECOND)) == (109, 21)
    assert data.below(data.crowds_of(joined), 5) == (2563, 810)
    assert data.below(data.crowds_of_people(fit[0], second, "occupation"), 5) == (4, 0)
    assert [data.sure(one) for one in (*alone, people, rows)] == [
        (1560, 32, 1),
        (342, 2, 2),
        (3112, 220, 3),
        (4109, 1344, 1213),
    ]
    before = np.maximum(alone[0].max(axis=1), alone[1].max(axis=1))
    only = [
        [int(((one.max(axis=1) > limit) & (before <= limit)).sum()) for limit in (0.5 + 1e-9, 0.9 + 1e-9)]
        for one in (people, rows)
    ]
    assert only == [[1485, 186], [2585, 1317]]
    truth = np.arange(data.rows()), data.adult()["occupation"]
    assert (people[truth] > rows[truth] + 1e-9).sum() == 11_440
    twice = data.normalised(fit[0] * fit[1])
    assert data.sure(twice)[0] == 11_063
    for chances, mean, right in ((twice, 0.468, 0.33), (people, 0.354, 0.34)):
        assert chances.max(axis=1).mean() == pytest.approx(mean, abs=5e-4)
        assert (chances.argmax(axis=1) == truth[1]).mean() == pytest.approx(right, abs=5e-3)


@pytest.mark.parametrize(("number", "exposed"), [(20, 18), (162, 117), (1000, 247)])
def test_newcomers_of_a_table(number: int, exposed: int) -> None:
    assert data.newcomers(A, number, 5)[0] == exposed
    assert number != 20 or data.newcomers(A, number, 5)[1] == 14


@pytest.mark.parametrize(
    ("name", "cracks", "names_known"),
    [
        ("chess", [73, 75, 75, 75], 75),
        ("mushroom", [89, 102, 109, 113], 113),
        ("groceries", [139, 164, 169, 169], 169),
        ("bms_webview1", [321, 415, 427, 438], 492),
        ("foodmart", [23, 152, 979, 1557], 1559),
        pytest.param("retail", [583, 3841, 8057, 11228], 16_324, marks=slow),
    ],
)
def test_same_codes_and_names_known(name: str, cracks: list[int], names_known: int) -> None:
    """Expected cracks are the distinct vectors of supports; where names are known from the same rows, distinct sets of rows."""
    assert [len(np.unique(data.supports(name, parts), axis=0)) for parts in (1, 2, 4, 12)] == cracks
    assert len(set(data.sets_of_rows(name))) == names_known


@pytest.mark.parametrize(
    ("name", "halves", "both"),
    [("groceries", [63.0, 60.0], 123.9), ("foodmart", [4.65, 5.34], 18.9), ("chess", [32.5, 39.6], 63.0)],
)
def test_o_estimates_of_halves(name: str, halves: list[float], both: float) -> None:
    fits = [data.near(counts) for counts in data.supports(name, 2).T]

    assert [data.o_estimate(one) for one in fits] == pytest.approx(halves, abs=0.05)
    assert data.o_estimate(fits[0] & fits[1]) == pytest.approx(both, abs=0.05)
