"""Judge what the attacker believes of each person against the owner's limit."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from giveaway.attacks.profiles.posterior import ProfileBelief
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.maximum_entropy.constraints import Flags, Floats
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints

NEAR = 1e-7
"""How far a chance may be above the limit without being over it: many chances lie exactly at a published confidence."""


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedPeople:
    """The worst judged chance of each profile and of each person; -1 where nothing is judged.

    People who share their profile, and the sensitive values where those are judged, are one entry of `number` and
    `chance`.
    """

    worst: Floats
    answer: Ints
    """The answer with the worst chance, the first in label order among equals."""
    number: Ints
    chance: Floats
    people: int

    def above(self, limit: Fraction) -> int:
        """Count the people whose chance is over a limit."""
        return int(self.number[self.chance > float(limit) + NEAR].sum())

    def profiles_above(self, limit: Fraction) -> int:
        """Count the profiles with somebody whose chance is over a limit."""
        return int((self.worst > float(limit) + NEAR).sum())

    def share(self, limit: Fraction) -> Fraction:
        """Return the part of the people whose chance is over a limit."""
        return Fraction(self.above(limit), self.people)

    @property
    def largest(self) -> float:
        """The largest judged chance of anybody; 0 if nothing is judged."""
        return max(float(self.worst.max()), 0.0)


def at_limit(chance: float, limit: Fraction) -> Chance:
    """Return a chance, or the limit itself where the two cannot be distinguished."""
    return limit if abs(chance - limit) <= NEAR else chance


def judge(question: ProfilesQuestion, belief: ProfileBelief) -> JudgedPeople:
    """Take the worst chance of any judged value, or of each person's true one, as the attacker says."""
    known = question.people
    counted = np.broadcast_to(question.only, belief.chance.shape) & question.judged[:, None]
    if question.attacker.judges == "true":
        counted = counted & (known.holding > 0)
    worst, answer = _largest(belief.chance, counted)
    if question.attacker.judges == "true":
        number = known.number[question.judged[known.kind_profile]]
        chance = _of_kinds(question, belief)[question.judged[known.kind_profile]]
    else:
        number, chance = known.profiles.weights[question.judged], worst[question.judged]
    return JudgedPeople(
        worst=worst, answer=answer, number=number, chance=chance, people=question.judged_people
    )


def true_chance(question: ProfilesQuestion, belief: ProfileBelief) -> float | None:
    """Return the mean chance of the true value over the people who have one; the worst of several columns."""
    weights = question.people.holding * question.judged[:, None]
    first = question.people.domain.first
    means = []
    for begin, end in pairwise(first):
        number = weights[:, begin:end]
        if number.any():
            means.append(float((number * belief.chance[:, begin:end]).sum() / number.sum()))
    return max(means, default=None)


def _of_kinds(question: ProfilesQuestion, belief: ProfileBelief) -> Floats:
    """Return for each kind of people the worst chance of their true values."""
    known = question.people
    worst = np.full(len(known.number), -1.0)
    for place, first in enumerate(known.domain.first[:-1]):
        answer = first + known.truth[:, place]
        judged = (known.truth[:, place] >= 0) & question.only[answer]
        chance = belief.chance[known.kind_profile, answer]
        worst = np.maximum(worst, np.where(judged, chance, -1.0))
    return worst


def _largest(chance: Floats, counted: Flags) -> tuple[Floats, Ints]:
    """Return the largest counted entry of each row and its place, the first among equals."""
    shown = np.where(counted, chance, -1.0)
    answer = np.argmax(shown, axis=1)
    return shown[np.arange(len(shown)), answer], answer
