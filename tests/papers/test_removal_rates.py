from fractions import Fraction

import pytest
from tests.attacks.attributes.cases import figure_2

import giveaway as ga

SOMEBODY = ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False)
TOLERANCE = ga.Tolerance(attribute="0.55")


@pytest.mark.parametrize("letter", "abg")
def test_other_limits_cost_what_protecting_with_them_does(letter: str) -> None:
    need = ga.NeedsCells(hideable=letter)
    limits = ["0.2", "0.4", "0.55", "0.7", "0.9"]

    rows = ga.removal_rates(figure_2(), SOMEBODY, TOLERANCE, limits=limits, need=need)

    for limit, row in zip(limits, rows, strict=True):
        assert row["limit"] == Fraction(limit)
        planned = ga.protect(figure_2(), SOMEBODY, ga.Tolerance(attribute=limit), need=need)
        finding = planned.findings[0]
        assert row["hidden_entries"] == len(planned.withheld.cells - figure_2().secrets)
        assert row["removal_rate"] == finding.risk.figures["removal_rate"]
        if finding.protection is not None:
            assert row["lower_bound"] == finding.protection.figures["lower_bound"]
            assert row["optimal"] == finding.protection.figures["optimal"]
        before = ga.assess(figure_2(), SOMEBODY, ga.Tolerance(attribute=limit)).findings[0].risk
        assert row["unsafe_rules"] == before.figures["unsafe_rules"]


def test_more_secrets_are_the_mean_of_draws_that_repeat() -> None:
    rows, again, other = (
        list(ga.removal_rates(figure_2(), SOMEBODY, TOLERANCE, secrets=[1, 3], draws=8, seed=seed))
        for seed in (0, 0, 1)
    )
    single = [
        ga.protect(ga.Release(figure_2().original, secrets=[row]), SOMEBODY, TOLERANCE).withheld.cells
        for row in range(1, 10)
    ]

    assert rows == again != other
    assert [row["draws"] for row in rows] == [8, 8]
    assert 0 <= rows[0]["hidden_entries"] <= max(map(len, single))


def test_fewer_conditions_are_the_first_columns() -> None:
    rows = ga.removal_rates(
        figure_2(),
        SOMEBODY,
        TOLERANCE,
        conditions=[1, 2, 3],
        need=ga.NeedsCells(hideable="b"),
        method="r-graph",
    )
    assert [row["conditions"] for row in rows] == [1, 2, 3]
    assert [row["unsafe_rules"] for row in rows] == [1, 3, 9]
    assert rows[2]["hidden_entries"] == 7


def test_where_there_is_no_safe_release_nothing_is_counted() -> None:
    (row,) = ga.removal_rates(
        figure_2(), SOMEBODY, TOLERANCE, limits=["0.5"], need=ga.NeedsCells(hideable="h")
    )
    assert (row["unsafe_rules"], row["hidden_entries"], row["optimal"]) == (9, None, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"limits": ["0.5"], "secrets": [2]},
        {"secrets": [0]},
        {"secrets": [10]},
        {"conditions": [4]},
        {"conditions": [True]},
        {"limits": ["x"]},
        {"limits": ["0.5"], "method": "decoys"},
        {"limits": ["0.5"], "draws": 0},
    ],
)
def test_a_wrong_question_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ga.ScenarioError):
        ga.removal_rates(figure_2(), SOMEBODY, TOLERANCE, **wrong)


def test_it_is_about_the_attacker_of_the_paper() -> None:
    with pytest.raises(ga.ScenarioError, match="does not know"):
        ga.removal_rates(figure_2(), ga.KnowsAttributes(columns=["A"]), TOLERANCE, limits=["0.5"])
