"""Golden values of releases over time on real data, counted a second time in plain numpy."""

import os
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.oracles.composition import adult_blanks, adult_lists, baskets, data
from tests.oracles.composition.data import A, B, C

import giveaway as ga

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
    every = set().union(*data.baskets(name))
    last, now = (
        ga.Transactions.from_lists(part, domain=every - set().union(*part)) for part in data.parts(name, 2)
    )
    before = ga.Earlier(ga.Release(last, renamed=True), same_codes=True)
    asked = (ga.Release(now, renamed=True), ga.KnowsFrequencies(), ga.Tolerance(average="1/2"))
    (seen,) = ga.assess(*asked, earlier=before).findings[0].together
    assert float(seen.risk.figures["o_estimate_plain"]) == pytest.approx(both, abs=0.05)
    assert [float(one.figures["o_estimate_plain"]) for one in (seen.before, seen.alone)] == pytest.approx(
        halves, abs=0.05
    )


@slow
@pytest.mark.parametrize(
    ("first", "second", "any_value", "true_value"),
    [
        ((".1", ".8"), (".05", ".9"), 1992, 1855),
        ((".05", ".8"), (".05", ".9"), 1906, 1772),
        ((".1", ".9"), (".02", ".6"), 162, 162),
    ],
)
def test_two_lists(
    first: adult_lists.Point, second: adult_lists.Point, any_value: int, true_value: int
) -> None:
    for point in (first, second):
        assert adult_lists.believed_above([point], 0.95)[0] == 0
    *both, largest = adult_lists.believed_above([first, second], 0.95)
    assert both == [any_value, true_value]
    assert any_value != 1992 or largest == pytest.approx(0.96093, abs=5e-6)


def withheld(rows: list[frozenset[str]]) -> frozenset[str]:
    """What the product withholds of baskets against somebody who knows two items, crowd 5."""
    release = ga.Release(ga.Transactions.from_lists([sorted(row) for row in rows]))
    found = ga.protect(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/5")).withheld.items
    return frozenset(map(str, found))


@slow
@pytest.mark.parametrize(
    ("name", "alone", "moles", "exposed", "after"),
    [
        ("groceries", (16_192, 15_406), 78, 202, 11_208),
        ("mushroom", (89_708, 90_631), 304, 254, 67_154),
        ("bms_webview1", (42_848, 35_242), 1909, 1987, 1587),
    ],
)
def test_halves_of_baskets(name: str, alone: tuple[int, int], moles: int, exposed: int, after: int) -> None:
    halves = data.parts(name, 2)
    first, second = ([row - gone for row in half] for half in halves for gone in [withheld(half)])

    assert (sum(map(len, first)), sum(map(len, second))) == alone
    joined = [frozenset(map(str, row)) for row in baskets.tagged([first, second], ["1", "2"])]
    found, people = data.rare_sets(joined, 5)
    assert (len(found), people) == (moles, exposed)
    assert data.most_kept_after(first, halves[1], 5) == after


@slow
def test_newcomers_of_baskets() -> None:
    every = data.baskets("groceries")
    gone = withheld(list(every))
    joined = [row - gone for row in every[-35:]]

    assert data.rare_sets(joined, 5)[1] == 32
    assert data.rare_sets(joined, 2)[1] == 27


def test_blanks_that_differ_protect_nobody_together() -> None:
    first, second = (adult_blanks.protected(last=last) for last in (False, True))
    planned = adult_blanks.planned()

    assert adult_blanks.exposed(planned) == (4, Fraction(221, 271))
    assert [adult_blanks.exposed(one) for one in (first, second)] == [
        (0, Fraction(3, 5)),
        (0, Fraction(325, 542)),
    ]
    assert [int((planned & ~one).sum()) for one in (first, second)] == [220, 221]
    assert int((second & ~first).sum()) == 220
    assert adult_blanks.exposed(first | second) == (4, Fraction(221, 271))
