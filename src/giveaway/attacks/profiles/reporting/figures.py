"""The numbers of the attack `profiles`: divergence from the truth, and what the parts of a release contribute."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from giveaway.attacks.profiles.judged_people import Judged
from giveaway.attacks.profiles.posterior import Belief, believe, tried
from giveaway.attacks.profiles.question import Question
from giveaway.itemsets import profile_itemsets
from giveaway.itemsets.profile_itemsets import Profiles
from giveaway.maximum_entropy import constraints
from giveaway.maximum_entropy.constraints import Floats

SMALL = 5
"""Profiles that fewer people share are the small groups of `alpha_k`."""

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


def judged_profiles(question: Question) -> Profiles:
    """Return the profiles with the true values of those people only who are judged."""
    profiles = question.people.profiles
    return replace(profiles, values=profiles.values * question.judged[:, None])


@dataclass(frozen=True, kw_only=True)
class Effects:
    """What the absence of rules and the published scores contribute; None where it was not asked or costs too much."""

    non_rules: float | None
    scores: float | None


def affordable(question: Question) -> bool:
    """Tell whether other lists of rules may be tried next to the published one: by size, so that runs repeat."""
    return len(question.published.rules) <= AFFORDABLE


def effects(question: Question, belief: Belief) -> Effects:
    """Solve once more without the absences, and with the scores withheld and exact."""
    if not affordable(question):
        return Effects(non_rules=None, scores=None)
    profiles = judged_profiles(question)
    claims = belief.claims
    now = overall(profiles, belief.solution.chance)

    def without_absences() -> float:
        return overall(profiles, believe(claims, claims.reading(range(len(claims.rules)))).solution.chance)

    def scored(scores: Literal["withheld", "exact"]) -> float:
        if question.published.scores == scores:
            return now
        other = replace(question.published, scores=scores)
        read = believe(question.claimed(other, silence=question.silence_tells))
        return overall(profiles, read.solution.chance)

    silent = tried(without_absences) if question.silence_tells else None
    withheld, exact = tried(lambda: scored("withheld")), tried(lambda: scored("exact"))
    return Effects(non_rules=_difference(silent, now), scores=_difference(withheld, exact))


def _difference(first: float | None, second: float | None) -> float | None:
    """Subtract what is known; there is no difference between two infinite divergences."""
    if first is None or second is None:
        return None
    return 0.0 if first == second else first - second


def figures(
    question: Question, belief: Belief, judged: Judged, limit: Fraction, effect: Effects
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
        "rules": len(question.published.rules),
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
        "non_rules_effect": effect.non_rules,
        "scores_effect": effect.scores,
        "max_violation": solution.violation,
        "duality_gap": solution.gap,
    }


def _absences(question: Question) -> dict[str, int | None]:
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


def _entropy_l(question: Question, belief: Belief) -> float:
    """Return the least number of values that somebody's value is as uncertain as, of any sensitive column."""
    chance = belief.chance[question.judged]
    parts = chance * np.log(chance, where=chance > 0, out=np.zeros_like(chance))
    first = question.people.domain.first
    columns = [-parts[:, a:b].sum(axis=1) for a, b in pairwise(first)]
    return float(np.exp(min(float(column.min()) for column in columns)))


def _alpha_k(question: Question, belief: Belief) -> float | None:
    """Return the largest chance of any value in profiles of fewer than `SMALL` people, None without such profiles."""
    small = question.judged & (question.people.profiles.weights < SMALL)
    return float(belief.chance[small].max()) if small.any() else None
