from decimal import Decimal
from fractions import Fraction

import pytest

import giveaway as ga
from giveaway.model.answer.plain import plain
from giveaway.model.exact import fraction


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        ("1/3", Fraction(1, 3)),
        (0.6, Fraction(3, 5)),
        ("0.6", Fraction(3, 5)),
        (Decimal("0.1"), Fraction(1, 10)),
        (1, 1),
    ],
)
def test_limits_are_read_exactly(written: object, exact: Fraction) -> None:
    assert fraction(written) == exact


@pytest.mark.parametrize(
    "written", ["x", "1/0", True, None, float("nan"), float("inf"), [1], "inf", Decimal("inf")]
)
def test_what_is_no_number_is_refused(written: object) -> None:
    with pytest.raises(ga.ScenarioError):
        fraction(written)


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"share": 0.1},
        {"identity": 0},
        {"identity": 2},
        {"attribute": "-1/2"},
        {"identity": 1, "share": 1},
    ],
)
def test_impossible_tolerances_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(ga.ScenarioError):
        ga.Tolerance(**limits)


@pytest.mark.parametrize(("identity", "crowd"), [("1/5", 5), (0.3, 4), ("1/3", 3), (1, 1), ("2/7", 4)])
def test_the_smallest_crowd_is_the_least_support_within_the_limit(identity: object, crowd: int) -> None:
    tolerance = ga.Tolerance(identity=identity)

    assert tolerance.smallest_crowd == crowd
    assert Fraction(1, crowd) <= tolerance.identity
    assert crowd == 1 or Fraction(1, crowd - 1) > tolerance.identity


def test_an_exact_rational_stands_beside_its_float() -> None:
    assert plain({"chance": Fraction(1, 3), "loss": float("inf"), "name": ("a", 1)}) == {
        "chance": 1 / 3,
        "chance_exact": "1/3",
        "loss": "inf",
        "name": ["a", 1],
    }
