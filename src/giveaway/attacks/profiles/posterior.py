"""What the attacker believes: the distribution of maximum entropy that agrees with the claims."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from giveaway.attacks.profiles.claims.claims import Claims
from giveaway.attacks.profiles.population import PeopleProfiles
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting.sentences import amount
from giveaway.attacks.wording import counted, listed
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.maximum_entropy import linear_programs, solve
from giveaway.maximum_entropy.constraints import ConstraintRows, Floats
from giveaway.maximum_entropy.solve import Contradiction, Solution
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints

T = TypeVar("T")

DIGITS = 8
"""Decimals of a chance; what is behind them is noise of the solver."""

PRECISION = 1e-8
"""The largest violation, as a share of the records, and the largest gap with which chances are judged."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ProfileBelief:
    """The chances of every sensitive value for each profile, and the claims they come from."""

    claims: Claims
    rows: Ints
    """The claims that were taken into account."""
    solution: Solution

    @property
    def people(self) -> PeopleProfiles:
        """Everybody, as the attacker knows them."""
        return self.claims.people

    @cached_property
    def chance(self) -> Floats:
        """The chance of each answer given each profile."""
        return self.people.domain.per_answer(self.solution.chance).round(DIGITS)

    @property
    def joint_chance(self) -> Floats:
        """The chance of each combination of sensitive values given each profile."""
        return self.solution.chance.round(DIGITS)

    def multipliers(self) -> Floats:
        """Return how strongly each claim pushes, 0 for those that were not taken into account."""
        multipliers = np.zeros(len(self.claims))
        multipliers[self.rows] = self.solution.multipliers
        return multipliers


def believe(claims: Claims, rows: Ints | None = None, *, start: Floats | None = None) -> ProfileBelief:
    """Find what somebody believes who takes some of the claims, else all, into account.

    `start` are multipliers of all claims to begin from. Zhu et al., Definition 4.1.
    """
    chosen = claims.everything if rows is None else rows
    constraints = claims.rows(chosen)
    solution = None if start is None else _solved(claims, constraints, start[chosen])
    # A start far from the solution can be worse than none.
    solution = solution or _solved(claims, constraints, None)
    if solution is None:
        against = linear_programs.conflict(
            claims.people.profiles.weights, claims.people.domain.size, constraints
        )
        if against is not None:
            raise _contradiction(claims, chosen[against])
        raise BudgetExceeded(
            "The chances could not be computed to the precision that a verdict needs.",
            hint="withhold the scores, publish fewer rules, or set whole_numbers = false.",
        )
    return ProfileBelief(claims=claims, rows=chosen, solution=solution)


def _solved(claims: Claims, rows: ConstraintRows, start: Floats | None) -> Solution | None:
    """Solve to the precision that a verdict needs; None when that fails."""
    known = claims.people
    try:
        solution = solve.solve(known.profiles.weights, known.domain.size, rows, start=start)
    except Contradiction:
        return None
    return solution if max(solution.violation, abs(solution.gap)) <= PRECISION else None


def tried(work: Callable[[], T]) -> T | None:
    """Return a result that is shown with the verdict, None where it costs too much or what is tried contradicts itself."""
    try:
        return work()
    except (BudgetExceeded, ScenarioError):
        return None


def believed(question: ProfilesQuestion) -> ProfileBelief:
    """Find what the attacker of a question believes, once."""
    attacker = question.attacker
    key = (
        repr((attacker.columns, attacker.whole_numbers, attacker.non_rules)),
        repr(question.published),
        repr(question.statements),
        *(statement.rows.tobytes() for statement in question.statements if statement.rows is not None),
    )
    return question.table.remember(f"belief {key[0]}", key, lambda: believe(question.claims))


def unlisted(claims: Claims) -> list[int]:
    """Return the claims that a rule is absent which the data have: the list is not as complete as it says."""
    first = claims.fixed + len(claims.rules)
    holding, people = (part[first:].tolist() for part in (claims.patterns.holding, claims.patterns.people))
    least = {many: claims.terms.least(many) for many in set(people)}
    pairs = enumerate(zip(holding, people, strict=True), first)
    return [row for row, (held, many) in pairs if held >= least[many]]


def _contradiction(claims: Claims, rows: Ints) -> ScenarioError:
    """Name the claims that contradict each other, with their bounds."""
    bounds = zip(
        claims.low[rows].tolist(),
        claims.high[rows].tolist(),
        claims.patterns.people[rows].tolist(),
        strict=True,
    )
    named = [
        f"{claims.words(row)} ({amount(*bound)})" for row, bound in zip(rows.tolist(), bounds, strict=True)
    ]
    return ScenarioError(
        f"What is published contradicts itself: {listed(named)} cannot {'hold' if len(named) == 1 else 'all hold'}.",
        hint=_hint(claims, rows),
    )


def _hint(claims: Claims, rows: Ints) -> str:
    absent = unlisted(claims)
    if absent:
        first = next((row for row in rows.tolist() if row in absent), absent[0])
        return (
            f"the list is said to be complete, but {counted(len(absent), 'rules')} above its thresholds "
            f"{'is' if len(absent) == 1 else 'are'} not in it, {claims.rule(first)} among them; add them, correct "
            "the thresholds or inclusive, or set complete = false."
        )
    domain = claims.people.domain
    missing = [(claims.people.missing(place), name) for place, name in enumerate(domain.sensitive)]
    if any(count for count, _ in missing):
        count, name = max(missing)
        return (
            f"{counted(count, 'records')} {'misses' if count == 1 else 'miss'} a value of {name}, which an attacker does not "
            f"expect; give what is missing a value of its own, or drop these {nouns().records}."
        )
    return "leave one of them out, or correct its numbers."
