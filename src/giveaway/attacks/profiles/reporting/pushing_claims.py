"""Which claims push the chance of somebody's value, and how strongly."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.profiles.posterior import Belief
from giveaway.maximum_entropy.constraints import Floats
from giveaway.model.data.arrays import Ints

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

    def __init__(self, belief: Belief) -> None:
        self._belief = belief
        solution = belief.solution
        pushes = np.flatnonzero((solution.multipliers != 0) | solution.forcing)
        self._rows = belief.rows[pushes]
        self._strength = solution.multipliers[pushes]
        self._forcing = solution.forcing[pushes]

    @cached_property
    def _covering(self) -> tuple[Ints, Ints]:
        """For each profile where its pushing claims begin, and the claims, as places in `rows`."""
        made = self._belief.claims.patterns
        lists = [made.profiles(int(row)) for row in self._rows]
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
        found = claims[begins[profile] : begins[profile + 1]]
        domain = self._belief.people.domain
        answers = self._belief.claims.patterns.answer[self._rows[found]]
        first, end = domain.first[domain.place(answer)], domain.first[domain.place(answer) + 1]
        same = (answers >= first) & (answers < end)
        direction = np.where(answers == answer, 1.0, -1.0 / max(int(end - first) - 1, 1))
        decided = self._decided(profile, answer, found)
        strength = np.where(self._forcing[found], decided, self._strength[found] * direction)
        told = [
            Push(int(self._rows[claim]), float(push))
            for claim, push, counts in zip(found, strength, same, strict=True)
            if counts and abs(push) > WEAKEST
        ]
        return sorted(told, key=lambda push: -abs(push.strength))

    def _decided(self, profile: int, answer: int, found: Ints) -> Floats:
        """Return what claims add that decide about some answers: certainty, or fewer answers to choose from.

        Certainty of an answer comes from claims that demand it or bound another one; that it is ruled out, from the
        others.
        """
        domain, chance = self._belief.people.domain, self._belief.chance[profile]
        claims, rows = self._belief.claims, self._rows[found]
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
