from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import maxent as oracle
from tests.oracles.maxent import Case
from tests.sizes import sized

from giveaway.errors import BudgetExceeded
from giveaway.maximum_entropy import solve as maxent
from giveaway.maximum_entropy.constraints import ConstraintRows
from giveaway.maximum_entropy.kernels import ProfilesLeft
from giveaway.maximum_entropy.solve import Contradiction, Solution, possible, solve
from giveaway.model.progress import limited

INF = np.inf
quick = settings(max_examples=80)

# Two nested exact rules: everybody of profile 1 has value 0, which no bound of a single row says.
NESTED = Case(
    np.array([[2, 1], [3, 0]]),
    [
        (frozenset({0, 1}), frozenset({0}), 5.0, 5.0),
        (frozenset({0}), frozenset({0}), 2.0, 2.0),
    ],
)


def solved(case: Case, start: np.ndarray | None = None) -> Solution:
    return solve(case.weights, case.domain, case.rows, start=start)


def certain(case: Case, found: Solution) -> None:
    """Check what makes a distribution the one of maximum entropy: the form, the bounds and who pushes whom."""
    assert np.allclose(found.chance.sum(axis=1), 1)
    assert oracle.violation(case, found.chance) <= 1e-6
    assert found.violation * case.weights.sum() == pytest.approx(
        oracle.violation(case, found.chance), abs=1e-9
    )
    assert found.gap <= 1e-7
    assert found.entropy == pytest.approx(oracle.entropy(found.chance, case.weights), abs=1e-12)
    push = oracle.matrix(case.claims, *case.counts.shape).T @ found.multipliers
    push = np.where(found.chance > 0, push.reshape(case.counts.shape), -INF)
    form = np.exp(push - push.max(axis=1, keepdims=True))
    assert np.allclose(found.chance, form / form.sum(axis=1, keepdims=True), atol=1e-9)
    amounts = found.chance * case.weights[:, None]
    for (members, values, low, high), multiplier in zip(case.claims, found.multipliers, strict=True):
        total = amounts[np.ix_(sorted(members), sorted(values))].sum()
        if multiplier > 0:
            assert total == pytest.approx(low, abs=1e-6)
        if multiplier < 0:
            assert total == pytest.approx(high, abs=1e-6)


@quick
@given(case=oracle.cases())
@example(case=NESTED)
def test_the_distribution_is_that_of_maximum_entropy(case: Case) -> None:
    certain(case, solved(case))


@quick
@given(case=oracle.cases())
@example(case=NESTED)
def test_no_distribution_that_agrees_has_more_entropy(case: Case) -> None:
    found = solved(case)
    assert found.entropy >= oracle.entropy_bound(case, found.chance) - 1e-6


@quick
@given(case=oracle.cases(equations=True))
def test_equations_bring_the_distribution_nearer_by_the_entropy_they_take_away(case: Case) -> None:
    found = solved(case)
    assert oracle.divergence(case, found.chance) == pytest.approx(found.entropy - case.entropy, abs=1e-8)


@quick
@given(case=oracle.cases())
def test_true_claims_never_raise_the_entropy(case: Case) -> None:
    entropies = [
        solved(replace(case, claims=case.claims[:many])).entropy for many in range(len(case.claims) + 1)
    ]
    assert all(later <= earlier + 1e-8 for earlier, later in pairwise(entropies))
    assert entropies[0] == pytest.approx(np.log(case.domain))
    assert entropies[-1] >= case.entropy - 1e-8


def test_without_rows_every_value_is_as_likely_as_any_other() -> None:
    found = solved(Case(np.array([[5, 0, 1], [1, 1, 1]])))
    assert np.allclose(found.chance, 1 / 3)
    assert (found.active, found.rounds, found.violation) == (0, 1, 0)


@quick
@given(case=oracle.cases(), order=st.randoms(use_true_random=False))
def test_the_order_of_profiles_values_and_rows_does_not_matter(
    case: Case, order: np.random.Generator
) -> None:
    profiles, values, claims = (list(range(many)) for many in (*case.counts.shape, len(case.claims)))
    for places in (profiles, values, claims):
        order.shuffle(places)
    moved = [
        (frozenset(map(profiles.index, members)), frozenset(map(values.index, wanted)), low, high)
        for members, wanted, low, high in (case.claims[place] for place in claims)
    ]
    other = solved(Case(case.counts[np.ix_(profiles, values)], moved))
    assert np.allclose(other.chance, solved(case).chance[np.ix_(profiles, values)], atol=1e-6)


@quick
@given(case=oracle.cases())
@example(case=NESTED)
def test_ruling_values_out_first_changes_nothing(case: Case) -> None:
    def nothing(weights: np.ndarray, domain: int, rows: ConstraintRows) -> ProfilesLeft:
        no = np.zeros(len(rows), np.bool_)
        return ProfilesLeft(np.ones((len(weights), domain), np.bool_), some=no, every=no, forcing=no, idle=no)

    found = solved(case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maxent, "possible", nothing)
        plain = solved(case)
    assert np.allclose(found.chance, plain.chance, atol=1e-5)
    assert found.entropy == pytest.approx(plain.entropy, abs=1e-6)


@quick
@given(case=oracle.cases(), far=st.sampled_from([0.0, 1.0, -3.0, 200.0]))
def test_a_start_changes_nothing(case: Case, far: float) -> None:
    cold = solved(case)
    assert np.allclose(solved(case, cold.multipliers).chance, cold.chance, atol=1e-7)
    assert np.allclose(solved(case, cold.multipliers + far).chance, cold.chance, atol=1e-6)


@sized(40)
@given(case=oracle.cases())
def test_the_slow_way_leads_to_the_same_place(case: Case) -> None:
    found = solved(case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maxent, "_STEPS", 0)
        slow = solved(case)
    assert slow.entropy == pytest.approx(found.entropy, abs=1e-5)
    assert slow.violation <= 1e-5
    if slow.detail != found.detail:
        assert "L-BFGS-B" in slow.detail


@sized(80)
@given(case=oracle.cases(true=False))
@example(case=Case(np.array([[1, 1]]), [(frozenset({0}), frozenset({0}), 3.0, INF)]))
@example(
    case=Case(
        np.array([[3, 3], [3, 3]]),
        [
            (frozenset({0, 1}), frozenset({0}), 7.0, 7.0),
            (frozenset({0}), frozenset({0}), 3.0, 3.0),
            (frozenset({1}), frozenset({0}), 3.5, 3.5),
        ],
    )
)
def test_a_contradiction_is_found_exactly_when_there_is_one(case: Case) -> None:
    if oracle.extreme(case.weights, case.domain, case.claims) is None:
        with pytest.raises(Contradiction) as found:
            solved(case)
        named = [case.claims[row] for row in found.value.rows.tolist()]
        assert oracle.extreme(case.weights, case.domain, named) is None
    else:
        assert solved(case).violation <= 1e-9


@quick
@given(case=oracle.cases())
def test_rows_may_share_their_profiles(case: Case) -> None:
    rows = case.rows
    copies = rows.joined(rows)
    lists = np.concatenate([rows.lists, rows.lists])
    shared = replace(copies, offsets=rows.offsets, members=rows.members, group=lists)
    assert np.allclose(
        solve(case.weights, case.domain, shared).chance, solve(case.weights, case.domain, copies).chance
    )


def test_values_are_ruled_out_one_after_the_other() -> None:
    rows = oracle.rows_of(
        [
            (frozenset({0, 1}), frozenset({0}), 0.0, 0.0),
            (frozenset({1}), frozenset({1, 2}), 2.0, 5.0),
            (frozenset({0, 2}), frozenset({0, 1}), 5.0, INF),
            (frozenset({2}), frozenset({0, 1, 2}), 1.0, 2.0),
        ],
        3,
    )
    left = possible(np.array([3, 2, 2]), 3, rows)
    assert left.alive.tolist() == [[False, True, False], [False, True, True], [True, True, False]]
    assert left.forcing.tolist() == [True, False, True, False]
    assert left.idle.all()
    found = solve(np.array([3, 2, 2]), 3, rows)
    assert found.chance.tolist() == [[0, 1, 0], [0, 0.5, 0.5], [0.5, 0.5, 0]]
    assert found.active == 2


def many_rows(random: np.random.Generator, *, equations: bool) -> Case:
    counts = random.integers(0, 9, (200, 3)) * (random.random((200, 3)) < 0.7)
    counts[:, 0] += 1
    claims = []
    for _ in range(150):
        members = frozenset(np.flatnonzero(random.random(200) < random.uniform(0.05, 0.6)).tolist() or [0])
        value = frozenset({int(random.integers(3))})
        truth = float(counts[sorted(members)][:, sorted(value)].sum())
        slack = 0 if equations else float(random.integers(1, 6))
        claims.append((members, value, truth - slack, truth + slack))
    return Case(counts, claims)


@pytest.mark.parametrize("equations", [True, False])
def test_many_rows_are_solved_to_the_last_digits(equations: bool) -> None:
    case = many_rows(np.random.default_rng(3), equations=equations)
    found = solved(case)
    certain(case, found)
    assert found.violation < 1e-11
    assert found.gap < 1e-9
    assert found.active == (150 if equations else np.count_nonzero(found.multipliers))


def test_a_push_where_nothing_is_bound_leaves_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is kept with room to spare, and the distribution is still not the one of maximum entropy."""
    case = Case(np.array([[3, 1]]), [(frozenset({0}), frozenset({0}), 1.0, INF)])

    def stopped(dual: maxent.Dual, start: np.ndarray, *_: float) -> maxent.Minimum:
        return maxent.Minimum(point=dual.at(start), steps=0, quick=True)

    monkeypatch.setattr(maxent, "minimise", stopped)
    found = solved(case, np.array([0.5]))
    assert found.violation == 0
    assert found.gap == pytest.approx(0.5 * (1 / (1 + np.exp(-0.5)) - 1 / 4))


def test_it_stops_when_the_time_is_over() -> None:
    with limited(seconds=1e-9), pytest.raises(BudgetExceeded, match="seconds allowed"):
        solved(NESTED)


@pytest.mark.parametrize("size", [1, 2, 33, 64, 65, 131, 300])
def test_equations_are_solved_from_the_lower_half(size: int) -> None:
    random = np.random.default_rng(size)
    root = random.normal(size=(size, size + 3))
    matrix, vector = root @ root.T, random.normal(size=size)
    solution = maxent._solved(np.tril(matrix), vector)
    assert solution is not None
    assert np.allclose(matrix @ solution, vector, atol=1e-6)
    assert maxent._solved(matrix - np.eye(size) * (np.linalg.eigvalsh(matrix)[0] + 1e-3), vector) is None
