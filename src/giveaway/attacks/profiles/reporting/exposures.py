"""Exposures of the attack `profiles`: one for each profile, worst first, with the claims that push its chance."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.judged_people import JudgedPeople, at_limit
from giveaway.attacks.profiles.posterior import ProfileBelief
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting.sentences import because
from giveaway.attacks.wording import listed, named
from giveaway.maximum_entropy.constraints import Floats
from giveaway.model.answer.risk import Exposure, Listed, Step
from giveaway.model.data.arrays import Ints

NAMED = 2
"""How many claims one sentence names."""

EXPLAINED = 20
"""How many profiles are explained with all the claims that push them."""

WEAKEST = 1e-6
"""A claim that changes the odds by less is not named."""


@dataclass(frozen=True)
class Push:
    """A claim, and what it adds to the logarithm of the odds of a value; an infinite push decides alone."""

    row: int
    strength: float

    @property
    def odds(self) -> float:
        """The factor by which the claim multiplies the odds."""
        return float(np.exp(self.strength))


class Pushing:
    """Looks up the claims that push people of a profile."""

    def __init__(self, belief: ProfileBelief) -> None:
        self._belief = belief
        solution = belief.solution
        pushes = np.flatnonzero((solution.multipliers != 0) | solution.forcing)
        self._rows = belief.rows[pushes]
        self._strength = solution.multipliers[pushes]
        self._forcing = solution.forcing[pushes]

    @cached_property
    def _covering(self) -> tuple[Ints, Ints]:
        """For each profile where its pushing claims begin, and the claims, as places in `rows`."""
        patterns = self._belief.claims.patterns
        lists = [patterns.profiles(int(row)) for row in self._rows]
        claim = np.repeat(np.arange(len(lists)), [len(part) for part in lists])
        profile = np.concatenate([np.zeros(0, np.int32), *lists])
        order = np.argsort(profile, kind="stable")
        ends = np.searchsorted(profile[order], np.arange(len(self._belief.people.profiles.weights) + 1))
        return ends, claim[order]

    def of(self, profile: int, answer: int) -> list[Push]:
        """Return the claims that push an answer of a profile, the strongest first, then in the order of the claims.

        A claim pushes its own answer towards itself, and the other answers of its column away.
        """
        begins, claims = self._covering
        pushing = claims[begins[profile] : begins[profile + 1]]
        domain = self._belief.people.domain
        answers = self._belief.claims.patterns.answer[self._rows[pushing]]
        first, end = domain.first[domain.place(answer)], domain.first[domain.place(answer) + 1]
        same = (answers >= first) & (answers < end)
        direction = np.where(answers == answer, 1.0, -1.0 / max(int(end - first) - 1, 1))
        decided = self._decided(profile, answer, pushing)
        strength = np.where(self._forcing[pushing], decided, self._strength[pushing] * direction)
        pushes = [
            Push(int(self._rows[claim]), float(push))
            for claim, push, counts in zip(pushing, strength, same, strict=True)
            if counts and abs(push) > WEAKEST
        ]
        return sorted(pushes, key=lambda push: -abs(push.strength))

    def _decided(self, profile: int, answer: int, pushing: Ints) -> Floats:
        """Return what claims add that decide about some answers: certainty, or fewer answers to choose from.

        Certainty of an answer comes from claims that demand it or bound another one; that it is ruled out, from the
        others.
        """
        domain, chance = self._belief.people.domain, self._belief.chance[profile]
        claims, rows = self._belief.claims, self._rows[pushing]
        answers = claims.patterns.answer[rows]
        first, end = domain.first[domain.place(answer)], domain.first[domain.place(answer) + 1]
        if chance[answer] in (0.0, 1.0):
            demands, bounds = claims.low[rows] > 0, claims.high[rows] < claims.patterns.people[rows]
            up = np.where(answers == answer, demands, bounds)
            down = np.where(answers == answer, bounds, demands)
            return np.where(up, np.inf, 0.0) if chance[answer] else np.where(down, -np.inf, 0.0)
        left = int((chance[first:end] > 0).sum())
        fewer = np.log((end - first - 1) / (left - 1))
        return np.where(chance[answers] == 0, fewer, 0.0)


class ProfileInference(Exposure):
    """What somebody infers about the people of one profile.

    It remembers who infers which answer about which profile, so that it can be followed to another release.
    """

    attacker: KnowsProfiles
    profile: int
    answer: int

    def by(self, attacker: KnowsProfiles, profile: int, answer: int) -> "ProfileInference":
        """Say who infers it, and what it is about."""
        vars(self).update(attacker=attacker, profile=profile, answer=answer)
        return self


class ProfileExposures(Listed):
    """The judged profiles by falling chance, then in label order; each with its most likely judged value."""

    def __init__(
        self, question: ProfilesQuestion, belief: ProfileBelief, judged: JudgedPeople, limit: Fraction
    ) -> None:
        self._question = question
        self._limit = limit
        self._belief = belief
        self._judged = judged
        self._pushing = Pushing(belief)

    @cached_property
    def _order(self) -> Ints:
        listed = np.flatnonzero(self._judged.worst >= 0)
        return listed[np.argsort(-self._judged.worst[listed], kind="stable")]

    def __len__(self) -> int:
        return len(self._order)

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        return self._exposure(int(self._order[place]))

    def _exposure(self, profile: int) -> Exposure:
        answer, chance = int(self._judged.answer[profile]), float(self._judged.worst[profile])
        baseline = alone(self._question, answer)
        pushing = [self._belief.claims.words(push.row) for push in self._towards(profile, answer)[:NAMED]]
        return ProfileInference(
            target=self._question.people.target(profile),
            kind="attribute",
            chance=float(at_limit(chance, self._limit)),
            baseline=baseline,
            because=because(pushing, chance, baseline, self._question.people.common(answer)),
            value=self._question.people.domain.named(answer)[1],
        ).by(self._question.attacker, profile, answer)

    def _towards(self, profile: int, answer: int) -> list[Push]:
        """Return the claims that push an answer up, or down if all do; those alone that decide, if some do."""
        pushing = self._pushing.of(profile, answer)
        decide = [push for push in pushing if np.isinf(push.strength)]
        return decide or [push for push in pushing if push.strength > 0] or pushing

    def worked(self) -> tuple[Step, ...]:
        """Show the worst person step by step: the rule that says most, the profile, and what is believed then."""
        if len(self) == 0:
            return ()
        profile = int(self._order[0])
        answer, chance = int(self._judged.answer[profile]), float(self._judged.worst[profile])
        known, claims = self._question.people, self._belief.claims
        value = named(known.domain.named(answer)[1])
        steps = [Step(label="all people", count=known.records)]
        rules = [push.row for push in self._towards(profile, answer) if push.row >= claims.fixed]
        if rules:
            condition = listed([f"{column} {named(v)}" for column, v in claims.rule(rules[0]).condition])
            steps.append(Step(label=f"with {condition}", count=int(claims.patterns.people[rules[0]])))
        many = int(known.profiles.weights[profile])
        steps.append(Step(label="with the whole profile", count=many))
        return (*steps, Step(label=f"of them expected with {value}", count=round(many * chance)))

    def explained(self) -> list[dict[str, Any]]:
        """List for the most exposed profiles every claim that pushes, and the factor it gives the odds."""
        return [self._explained(int(profile)) for profile in self._order[:EXPLAINED]]

    def _explained(self, profile: int) -> dict[str, Any]:
        answer = int(self._judged.answer[profile])
        return {
            "target": self._question.people.target(profile),
            "value": self._question.people.domain.named(answer)[1],
            "chance": float(self._judged.worst[profile]),
            "pushed_by": [
                {"claim": self._belief.claims.words(push.row), "odds": push.odds}
                for push in self._pushing.of(profile, answer)
            ],
        }


def alone(question: ProfilesQuestion, answer: int) -> Fraction:
    """Return the chance of an answer without the release: all values of its column are equally likely."""
    domain = question.people.domain
    return Fraction(1, domain.sizes[domain.place(answer)])
