"""Maximum entropy, feasibility and ranges the slow way: one variable for each profile and value, scipy on all of them."""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog

from giveaway.maximum_entropy.constraints import ConstraintRows

INFEASIBLE = 2

Claim = tuple[frozenset[int], frozenset[int], float, float]
"""Profiles, values, and the least and greatest number of their records with these values."""


@dataclass(frozen=True)
class Case:
    """A true table of profiles by values, and claims about it."""

    counts: np.ndarray
    claims: list[Claim] = field(default_factory=list)

    @property
    def weights(self) -> np.ndarray:
        return self.counts.sum(axis=1)

    @property
    def domain(self) -> int:
        return self.counts.shape[1]

    @property
    def rows(self) -> ConstraintRows:
        return rows_of(self.claims, self.domain)

    @property
    def entropy(self) -> float:
        """The entropy of the true values given the profiles."""
        return entropy(self.counts / self.weights[:, None], self.weights)


def rows_of(claims: list[Claim], domain: int) -> ConstraintRows:
    values = np.zeros((len(claims), domain), np.bool_)
    for place, (_, wanted, _, _) in enumerate(claims):
        values[place, sorted(wanted)] = True
    return ConstraintRows(
        offsets=np.cumsum([0, *(len(members) for members, _, _, _ in claims)]),
        members=np.array([q for members, _, _, _ in claims for q in sorted(members)], np.int32),
        values=values,
        low=np.array([low for _, _, low, _ in claims], float),
        high=np.array([high for _, _, _, high in claims], float),
    )


def entropy(chance: np.ndarray, weights: np.ndarray) -> float:
    logs = np.log(np.where(chance > 0, chance, 1.0))
    return -float(weights @ (chance * logs).sum(axis=1)) / float(weights.sum())


def divergence(case: Case, chance: np.ndarray) -> float:
    """The overall divergence of chances from the truth; infinite where a true value has none."""
    true = case.counts / case.weights[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(true > 0, true * np.log(true / chance), 0.0).sum(axis=1)
    return float(case.weights @ each) / float(case.weights.sum())


def matrix(claims: list[Claim], profiles: int, domain: int) -> np.ndarray:
    made = np.zeros((len(claims), profiles, domain))
    for place, (members, values, _, _) in enumerate(claims):
        made[np.ix_([place], sorted(members), sorted(values))] = 1
    return made.reshape(len(claims), profiles * domain)


def violation(case: Case, chance: np.ndarray) -> float:
    """The largest number of records by which a claim is wrong of the chances."""
    total = matrix(case.claims, *case.counts.shape) @ (chance * case.weights[:, None]).reshape(-1)
    over = [max(c[2] - t, t - c[3], 0.0) for c, t in zip(case.claims, total, strict=True)]
    return max(over, default=0.0)


def entropy_bound(case: Case, chance: np.ndarray) -> float:
    """A bound on the entropy of all tables that agree with the claims: entropy is concave, so it lies under a tangent.

    The tangent touches near the given chances; when these have maximum entropy the bound is their entropy.
    """
    near = np.maximum(chance, 1e-8)
    slope = -(np.log(near) + 1) / case.weights.sum()
    most = extreme(case.weights, case.domain, case.claims, -slope)
    assert most is not None
    return entropy(near, case.weights) - most - float((slope * near * case.weights[:, None]).sum())


def extreme(
    weights: np.ndarray, domain: int, claims: list[Claim], cost: np.ndarray | None = None
) -> float | None:
    """The least cost of a table that agrees with the claims, None when there is no such table."""
    whole = np.kron(np.eye(len(weights)), np.ones(domain))
    made = matrix(claims, len(weights), domain)
    low, high = (np.array([c[end] for c in claims], float) for end in (2, 3))
    less = np.concatenate([-made[np.isfinite(low)], made[np.isfinite(high)]])
    most = np.concatenate([-low[np.isfinite(low)], high[np.isfinite(high)]])
    found = linprog(
        np.zeros(len(weights) * domain) if cost is None else cost.reshape(-1),
        A_ub=less if len(most) else None,
        b_ub=most if len(most) else None,
        A_eq=whole,
        b_eq=weights,
    )
    return None if found.status == INFEASIBLE else float(found.fun)


@st.composite
def tables(draw: st.DrawFn, most: int = 5, values: int = 4) -> np.ndarray:
    """Counts of a few profiles by a few values, every profile occurring."""
    domain = draw(st.integers(2, values))
    row = st.lists(st.integers(0, 6), min_size=domain, max_size=domain).filter(any)
    return np.array(draw(st.lists(row, min_size=1, max_size=most)), np.int64)


@st.composite
def claims_about(draw: st.DrawFn, counts: np.ndarray, *, true: bool = True, equations: bool = False) -> Claim:
    """A claim that is true of a table, or one with bounds at random."""
    members = draw(st.frozensets(st.integers(0, len(counts) - 1), min_size=1))
    values = draw(
        st.frozensets(st.integers(0, counts.shape[1] - 1), min_size=1, max_size=counts.shape[1] - 1)
    )
    people = int(counts[sorted(members)].sum())
    truth = int(counts[np.ix_(sorted(members), sorted(values))].sum())
    if not true:
        truth = draw(st.integers(0, people))
    if equations:
        return members, values, float(truth), float(truth)
    low = draw(st.sampled_from([-np.inf, truth, truth - 0.5, truth - 2]))
    high = draw(st.sampled_from([np.inf, truth, truth + 0.25, truth + 3]))
    return members, values, float(low), float(high)


@st.composite
def cases(draw: st.DrawFn, *, most: int = 7, true: bool = True, equations: bool = False) -> Case:
    """A table and claims that are true of it, or claims at random."""
    counts = draw(tables())
    claim = claims_about(counts, true=true, equations=equations)
    return Case(counts, draw(st.lists(claim, max_size=most)))
