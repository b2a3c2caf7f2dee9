import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import maxent as oracle
from tests.oracles.maxent import Case
from tests.sizes import sized

from giveaway.maximum_entropy.linear_programs import certain_range
from giveaway.maximum_entropy.solve import solve


def expected(case: Case, profile: int, values: list[int]) -> tuple[float, float]:
    cost = np.zeros(case.counts.shape)
    cost[profile, values] = 1 / case.weights[profile]
    low, high = (oracle.extreme(case.weights, case.domain, case.claims, sign * cost) for sign in (1, -1))
    assert low is not None
    assert high is not None
    return low, -high


@sized(80)
@given(case=oracle.cases(), data=st.data())
def test_the_range_is_that_of_all_tables_that_agree(case: Case, data: st.DataObject) -> None:
    profile = data.draw(st.integers(0, len(case.counts) - 1))
    values = sorted(data.draw(st.sets(st.integers(0, case.domain - 1), min_size=1)))
    low, high = certain_range(case.weights, case.domain, case.rows, profile, np.array(values))
    assert (low, high) == pytest.approx(expected(case, profile, values), abs=1e-6)
    truth = case.counts[profile, values].sum() / case.weights[profile]
    assert low - 1e-6 <= truth <= high + 1e-6
    solution = solve(case.weights, case.domain, case.rows)
    assert low - 1e-6 <= solution.chance[profile, values].sum() <= high + 1e-6
    again = certain_range(
        case.weights, case.domain, case.rows, profile, np.array(values), start=solution.multipliers
    )
    assert again == pytest.approx((low, high), abs=1e-6)


def test_one_of_all_values_is_certain() -> None:
    assert certain_range(np.array([3, 2]), 1, Case(np.array([[3], [2]])).rows, 1, np.array([0])) == (1, 1)
    assert certain_range(np.array([3]), 2, Case(np.array([[2, 1]])).rows, 0, np.array([0, 1])) == (1, 1)


def test_without_rows_nothing_is_certain() -> None:
    rows = Case(np.array([[2, 1]])).rows
    assert certain_range(np.array([3]), 2, rows, 0, np.array([1])) == (0, 1)


def test_the_third_person_of_example_2() -> None:
    # Zhu et al., Example 2: of three women at most 1.8 have the value; whole numbers say at most 1.
    weights = np.array([1, 1, 1])
    women = frozenset({0, 1, 2})

    def claims(most: float) -> list[oracle.Claim]:
        return [(frozenset({0}), frozenset({0}), 1.0, 1.0), (women, frozenset({0}), -np.inf, most)]

    real, whole = (
        certain_range(weights, 2, oracle.rows_of(claims(most), 2), 2, np.array([0])) for most in (1.8, 1.0)
    )
    assert real == pytest.approx((0, 0.8))
    assert whole == pytest.approx((0, 0))
