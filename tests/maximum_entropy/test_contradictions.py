from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from tests.oracles import maxent as oracle
from tests.oracles.maxent import Case, Claim
from tests.sizes import sized

from giveaway.maximum_entropy import linear_programs
from giveaway.maximum_entropy.linear_programs import conflict
from giveaway.maximum_entropy.solve import solve

EVERYBODY = frozenset({0, 1})
FIRST = frozenset({0})


def agree(case: Case, claims: list[Claim]) -> bool:
    return oracle.extreme(case.weights, case.domain, claims) is not None


@sized(80)
@given(case=oracle.cases(true=False))
@example(
    case=Case(
        np.array([[3, 3], [3, 3]]),
        [
            (EVERYBODY, FIRST, 9.0, np.inf),
            (FIRST, FIRST, -np.inf, 2.0),
            (frozenset({1}), FIRST, 0.0, 5.0),
            (EVERYBODY, frozenset({1}), 1.0, 12.0),
        ],
    )
)
def test_a_conflict_is_one_and_needs_every_row_of_it(case: Case) -> None:
    found = conflict(case.weights, case.domain, case.rows)
    if found is None:
        assert agree(case, case.claims)
        return
    against = [case.claims[row] for row in found.tolist()]
    assert not agree(case, against)
    assert all(agree(case, against[:place] + against[place + 1 :]) for place in range(len(against)))


@settings(max_examples=40)
@given(case=oracle.cases())
def test_true_claims_do_not_contradict_each_other(case: Case) -> None:
    assert conflict(case.weights, case.domain, case.rows) is None


def test_the_conflict_of_the_printed_rules_of_figure_1() -> None:
    # Zhu et al., Fig. 1: P(Female, 50K+) = 2/3 of 12 records, and "Masters and Female" is no rule: at most 1/4.
    weights = np.array([4, 2, 5, 1])
    masters_and_women, women = frozenset({2}), frozenset({0, 2})
    claims: list[Claim] = [
        (frozenset({0, 1}), FIRST, 5.0, 5.0),
        (women, FIRST, 8.0, 8.0),
        (masters_and_women, FIRST, -np.inf, 3.0),
        (frozenset({3}), FIRST, -np.inf, 1.0),
    ]
    found = conflict(weights, 2, oracle.rows_of(claims, 2))
    assert found is not None
    assert found.tolist() == [1, 2]


def test_linear_programs_decide_when_the_solver_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    claims: list[Claim] = [
        (EVERYBODY, FIRST, 3.0, 3.0),
        (FIRST, FIRST, 0.0, 2.0),
        (EVERYBODY, FIRST, 4.0, 4.0),
    ]
    rows = oracle.rows_of(claims, 2)
    weights = np.array([2, 2])
    doubtful = replace(solve(weights, 2, rows.take(np.array([0, 1]))), violation=0.5)
    monkeypatch.setattr(linear_programs, "solve", lambda *_: doubtful)
    assert conflict(weights, 2, rows.take(np.array([0, 1]))) is None
    found = conflict(weights, 2, rows)
    assert found is not None
    assert found.tolist() == [0, 2]
