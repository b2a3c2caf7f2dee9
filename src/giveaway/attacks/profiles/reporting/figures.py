"""The numbers of the attack `profiles`: divergence from the truth, and what the parts of a release contribute."""

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any, Literal

import numpy as np

from giveaway.attacks.profiles.judged_people import JudgedPeople
from giveaway.attacks.profiles.posterior import ProfileBelief, believe, tried
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.itemsets import profile_itemsets
from giveaway.itemsets.profile_itemsets import Profiles
from giveaway.maximum_entropy import constraints
from giveaway.maximum_entropy.constraints import Floats

AFFORDABLE = 2_000
"""With more rules than this, no other lists of rules are tried next to the published one."""


def divergences(profiles: Profiles, chance: Floats) -> Floats:
    """Return how far the chances of each profile are from the truth: nan where no true value is known.

    Zhu et al., section VI: D_individual, in nats.
    """
    known = profiles.values.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        truth = profiles.values / known[:, None]
        parts = np.where(truth > 0, truth * (np.log(truth) - np.log(chance)), 0.0)
    return np.where(known > 0, parts.sum(axis=1), np.nan)


def overall(profiles: Profiles, chance: Floats) -> float:
    """Return the mean divergence over the people whose value is known (D_overall); 0 if there are none."""
    known = profiles.values.sum(axis=1)
    each = divergences(profiles, chance)[known > 0]
    return float((known[known > 0] * each).sum() / known.sum()) if len(each) else 0.0


def judged_profiles(question: ProfilesQuestion) -> Profiles:
    """Return the profiles with the true values of those people only who are judged."""
    profiles = question.people.profiles
    return replace(profiles, values=profiles.values * question.judged[:, None])


def affordable(question: ProfilesQuestion) -> bool:
    """Tell whether other lists of rules may be tried next to the published one: by size, so that runs repeat."""
    return len(question.published.rules) <= AFFORDABLE


class OtherForms:
    """What would be believed of the same list in another form; each is worked out once, None where that fails."""

    def __init__(self, question: ProfilesQuestion, belief: ProfileBelief) -> None:
        self._question, self._belief = question, belief

    @cached_property
    def without_silence(self) -> ProfileBelief | None:
        """The belief of somebody who makes nothing of absent rules; None where nobody does."""
        claims = self._belief.claims
        if not self._question.silence_tells:
            return None
        return tried(lambda: believe(claims, claims.reading(range(len(claims.rules)))))

    @cached_property
    def scores_withheld(self) -> ProfileBelief | None:
        """The belief of somebody who sees no scores."""
        return self._scored("withheld")

    @cached_property
    def scores_exact(self) -> ProfileBelief | None:
        """The belief of somebody who sees the exact scores."""
        return self._scored("exact")

    def _scored(self, scores: Literal["withheld", "exact"]) -> ProfileBelief | None:
        question = self._question
        if question.published.scores == scores:
            return self._belief
        other = replace(question.published, scores=scores)
        return tried(lambda: believe(question.claimed(other, silence=question.silence_tells)))


def _effects(
    question: ProfilesQuestion, belief: ProfileBelief, others: OtherForms
) -> dict[str, float | None]:
    """Tell what absent rules and scores contribute; None where it was not asked or costs too much."""
    if not affordable(question):
        return {"non_rules_effect": None, "scores_effect": None}

    def divergence(read: ProfileBelief | None) -> float | None:
        return None if read is None else overall(judged_profiles(question), read.solution.chance)

    return {
        "non_rules_effect": _difference(divergence(others.without_silence), divergence(belief)),
        "scores_effect": _difference(divergence(others.scores_withheld), divergence(others.scores_exact)),
    }


def _difference(first: float | None, second: float | None) -> float | None:
    """Subtract what is known; there is no difference between two infinite divergences."""
    if first is None or second is None:
        return None
    return 0.0 if first == second else first - second


def figures(
    question: ProfilesQuestion,
    belief: ProfileBelief,
    judged: JudgedPeople,
    limit: Fraction,
    others: OtherForms,
) -> dict[str, Any]:
    """Return the figures of a measured release."""
    profiles = judged_profiles(question)
    chance, solution = belief.solution.chance, belief.solution
    uniform = np.full_like(chance, 1 / chance.shape[1])
    each = divergences(profiles, chance)
    return {
        "records": question.judged_people,
        "profiles": int(question.judged.sum()),
        "values": question.people.domain.size,
        "distinct_values": _distinct_values(question),
        "rules": len(question.published.rules),
        "patterns_possible": _patterns_possible(question),
        **_absences(question),
        "constraints_active": solution.active,
        "overall_divergence": overall(profiles, chance),
        "baseline_divergence": overall(profiles, uniform),
        "largest_individual_divergence": None if np.isnan(each).all() else float(np.nanmax(each)),
        "max_posterior": judged.largest,
        "people_above": judged.above(limit),
        "share_above": judged.share(limit),
        "entropy_l": _entropy_l(question, belief),
        "alpha_k": _alpha_k(question, belief),
        "t_closeness": _t_closeness(question, belief),
        **_effects(question, belief, others),
        "max_violation": solution.violation,
        "duality_gap": solution.gap,
    }


def _absences(question: ProfilesQuestion) -> dict[str, int | None]:
    """Count the rules that are absent, and those whose absence says everything (Theorem 3)."""
    profiles, published = question.people.profiles, question.published
    occurring, kept = None, None
    if question.silence_tells:
        occurring = tried(lambda: profile_itemsets.occurring(profiles))
        kept = tried(
            lambda: constraints.theorem3(
                profiles,
                question.people.domain.answers,
                min_support=published.min_support,
                min_confidence=published.min_confidence,
                inclusive=published.inclusive,
            )
        )
    answers = int(question.people.domain.first[-1])
    return {
        "non_rules": None if occurring is None else occurring * answers - len(published.rules),
        "constraints_kept": None if kept is None else kept.constraints,
        "constraint_variables": None if kept is None else kept.variables,
    }


def _entropy_l(question: ProfilesQuestion, belief: ProfileBelief) -> float:
    """Return the least number of values that somebody's value is as uncertain as, of any sensitive column."""
    chance = belief.chance[question.judged]
    parts = chance * np.log(chance, where=chance > 0, out=np.zeros_like(chance))
    first = question.people.domain.first
    columns = [-parts[:, a:b].sum(axis=1) for a, b in pairwise(first)]
    return float(np.exp(min(float(column.min()) for column in columns)))


def _alpha_k(question: ProfilesQuestion, belief: ProfileBelief) -> float | None:
    """Return the largest chance of any value in small profiles, None without such profiles."""
    small = question.judged & (question.people.profiles.weights < question.attacker.small_profiles)
    return float(belief.chance[small].max()) if small.any() else None


def _t_closeness(question: ProfilesQuestion, belief: ProfileBelief) -> float:
    """Return the largest distance between what is believed of somebody and of everybody on average, of any column.

    The distance is the part of the chances that would have to move: all values are equally far from each other.
    """
    chance, weights = belief.chance, question.people.profiles.weights
    everybody = weights @ chance / weights.sum()
    apart = np.abs(chance[question.judged] - everybody)
    columns = [apart[:, a:b].sum(axis=1) / 2 for a, b in pairwise(question.people.domain.first)]
    return float(max(column.max() for column in columns))


def _distinct_values(question: ProfilesQuestion) -> list[dict[str, Any]]:
    """Count the values of each column that the attacker knows, and of each sensitive one (Figure 4)."""
    domain = question.people.domain
    sizes = zip(question.people.columns, _sizes(question), strict=True)
    return [
        {"column": column, "values": size}
        for column, size in (*sizes, *zip(domain.sensitive, domain.sizes, strict=True))
    ]


def _patterns_possible(question: ProfilesQuestion) -> int:
    """Count the patterns of any values, occurring or not: |SA| times the product of 1 + values, less 1.

    Zhu et al., Theorem 2, where every column has its own number of values.
    """
    conditions = prod(size + 1 for size in _sizes(question)) - 1
    return int(question.people.domain.first[-1]) * conditions


def _sizes(question: ProfilesQuestion) -> list[int]:
    codes = question.people.profiles.codes
    return [len(np.unique(column[column >= 0])) for column in codes.T]
