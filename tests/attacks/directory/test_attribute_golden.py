"""What Adult and the bank table tell of sensitive values, by `ga.assess`: the values that the methods pages name."""

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from tests.attacks.directory.readings.test_golden import CASES, PEOPLE
from tests.attacks.directory.shared_tables import adult, hierarchy
from tests.oracles import crowds
from tests.sizes import first, long

import giveaway as ga
from giveaway.model.answer.risk import Risk


def risk_of(
    frame: pd.DataFrame, columns: list[str], sensitive: str, tolerance: Any = "1/2", **how: Any
) -> Risk:
    table = ga.Table.from_frame(frame[[*columns, sensitive]], sensitive=sensitive)
    limit = tolerance if isinstance(tolerance, ga.Tolerance) else ga.Tolerance(attribute=tolerance)
    risk = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=columns, **how), limit).findings[0].risk
    assert risk is not None
    return risk


@pytest.mark.parametrize("knows_method", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_people_certain_and_over_one_half(name: str, knows_method: bool) -> None:
    """All is shown, so that forms and fits are the same."""
    case = CASES[name]
    risk = risk_of(case.frame(), case.on, case.sensitive, knows_method=knows_method)
    names = ("people_certain", "exposed_people", "true_above")

    assert tuple(risk.figures[one] for one in names) == PEOPLE[name]
    true = risk_of(case.frame(), case.on, case.sensitive, knows_method=knows_method, judges="true")
    assert true.share == Fraction(PEOPLE[name][2], len(case.frame()))


@pytest.mark.parametrize(
    ("name", "worst", "over", "baseline"),
    first(
        1,
        [
            ("adult-4", Fraction(2, 3), 14, Fraction(6_979, 30_162)),
            ("bank-3", Fraction(1, 3), 0, Fraction(3_514, 45_211)),
        ],
    ),
)
def test_guesses_within_a_tenth(name: str, worst: Fraction, over: int, baseline: Fraction) -> None:
    case = CASES[name]
    risk = risk_of(case.frame(), case.on, case.sensitive, within={case.sensitive: "10 %"})

    assert (risk.figures["worst_attribute"], risk.figures["exposed_people"]) == (worst, over)
    assert next(level.baseline for level in risk.levels if level.kind == "attribute") == baseline


@pytest.mark.parametrize(
    ("most", "below", "alone", "over"),
    first(
        2,
        [
            (1, 0, 0, 2_544),
            (2, 100, 11, 2_625),
            (3, 875, 224, 3_395),
            (4, 1_683, 562, 4_280),
            (5, 2_058, 673, 4_595),
        ],
    ),
)
def test_people_known_in_some_columns(most: int, below: int, alone: int, over: int) -> None:
    case, frame = CASES["adult-2"], adult()
    both = ga.Tolerance(identity="1/5", attribute="1/2")
    risk = risk_of(frame, case.on, case.sensitive, both, at_most=most)

    assert risk.figures["records_below_crowd"] == below
    assert risk.figures["exposed_people"] == over
    certain = risk_of(frame, case.on, case.sensitive, ga.Tolerance(identity="1/2"), at_most=most)
    assert certain.figures["records_below_crowd"] == alone


@long
@pytest.mark.parametrize(
    ("bank", "columns", "blank", "sensitive", "crowd", "expected"),
    [
        (
            False,
            "decade sex race education marital-status",
            {"race": 3, "marital-status": 5},
            "occupation",
            5,
            (2_581, 1, 2_960, 2_960, 1_172),
        ),
        (
            True,
            "job marital education default housing loan contact",
            {"job": 4, "education": 3, "contact": 7},
            "y",
            11,
            (2_419, 1, 5_361, 45_183, 36_546),
        ),
    ],
)
def test_figures_of_a_given_release(
    bank: bool, columns: str, blank: dict[str, int], sensitive: str, crowd: int, expected: tuple[int, ...]
) -> None:
    table = crowds.bank() if bank else crowds.census()
    frame = pd.DataFrame({name: table[name] for name in (*columns.split(), sensitive)})
    cells = [(row, name) for name, every in blank.items() for row in range(every, len(frame) + 1, every)]
    release = ga.Release(
        ga.Table.from_frame(frame, sensitive=sensitive), ga.Withheld(cells=cells), stated=ga.Withheld()
    )
    attacker = ga.KnowsDirectory(columns=columns.split())
    over = []
    for limit in ("1/2", "4/5"):
        tolerance = ga.Tolerance(identity=Fraction(1, crowd), attribute=limit)
        figures = ga.assess(release, attacker, tolerance).findings[0].risk.figures
        over.append(figures["exposed_people"])

    names = ("forms", "smallest_crowd", "records_below_crowd")
    assert (*(figures[name] for name in names), *over) == expected
    assert figures["worst_attribute"] == 1


def test_a_value_that_most_have_is_too_common() -> None:
    """Nine of ten say no: one half is impossible, and possible for those who say yes."""
    case = CASES["bank-1"]
    risk = risk_of(case.frame(), case.on, "y")

    assert any("is shown by 88.3 % of all records" in reason for reason in risk.reasons)
    table = ga.Table.from_frame(case.frame()[[*case.on, "y"]], sensitive="y")
    release = ga.Release(table, sensitive_values=["yes"])
    with pytest.raises(ga.NoSafeRelease, match=r"88\.3 %"):
        ga.protect(ga.Release(table), ga.KnowsDirectory(columns=case.on), ga.Tolerance(attribute="1/2"))
    rare = (
        ga.assess(release, ga.KnowsDirectory(columns=case.on), ga.Tolerance(attribute="1/2")).findings[0].risk
    )
    assert rare.figures["exposed_people"] < 100
    assert not any("of all records" in reason for reason in rare.reasons)


FIVE = "age sex race education marital-status"
EIGHT = "sex age race marital-status education native-country workclass salary-class"


@pytest.mark.parametrize(
    ("columns", "limit", "suppress", "nodes", "suppressed", "loss"),
    first(
        1,
        [
            (FIVE, None, "1/50", "3 0 0 2 0", 407, 0.123901),
            (FIVE, "1/2", "1/50", "3 0 0 2 0", 541, 0.127895),
            (FIVE, "1/3", "1", "3 0 0 2 0", 4_353, 0.240548),
            (EIGHT, None, "1/50", "0 3 0 2 2 1 1 0", 506, 0.277168),
            (EIGHT, "1/2", "1/50", "0 4 0 0 2 1 2 0", 519, 0.341662),
            (EIGHT, "1/2", "1", "0 3 0 0 2 1 1 0", 2_376, 0.207685),
            (EIGHT, "1/3", "1", "0 3 0 0 3 1 1 0", 4_505, 0.335643),
        ],
    ),
)
def test_levels_with_a_limit_on_sensitive_values(
    columns: str, limit: str | None, suppress: str, nodes: str, suppressed: int, loss: float
) -> None:
    """Somebody who does not know the method: a block may be judged by what is inside, and blank rows fit everybody."""
    found = protected_by_levels(columns, limit, suppress, knows_method=False)
    figures = found.findings[0].protection.figures

    assert figures["nodes"] == [dict(zip(columns.split(), map(int, nodes.split()), strict=True))]
    assert figures["suppressed"] == suppressed
    assert figures["loss"] == pytest.approx(loss, abs=1e-6)
    assert found.findings[0].risk.figures["worst_attribute"] <= Fraction(limit or 1)


def test_levels_without_a_limit_tell_more_to_whoever_knows_the_method() -> None:
    """The same levels: for others the rows that show nothing may be anybody's, and hide what blocks tell."""
    informed, other = (
        protected_by_levels(FIVE, None, "1/50", knows_method=knows).findings[0] for knows in (True, False)
    )

    assert informed.protection.figures["nodes"] == other.protection.figures["nodes"]
    assert informed.risk.figures["worst_attribute"] == Fraction(4, 5)
    assert other.risk.figures["worst_attribute"] < Fraction(3, 10)


def protected_by_levels(
    columns: str, limit: str | None, suppress: str, *, knows_method: bool
) -> ga.Assessment:
    names = columns.split()
    table = ga.Table.from_frame(adult()[[*names, "occupation"]], sensitive="occupation")
    return ga.protect(
        ga.Release(table, hierarchies={name: hierarchy(name) for name in names}),
        ga.KnowsDirectory(columns=names, knows_method=knows_method),
        ga.Tolerance(identity="1/5", attribute=limit),
        directory={"method": "levels", "suppress": suppress},
    )
