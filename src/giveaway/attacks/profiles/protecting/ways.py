"""Ways to disguise a list of rules other than choosing among them: coarser scores, higher thresholds, fewer statements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, log10
from typing import Literal

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.judged_people import NEAR, JudgedPeople, judge
from giveaway.attacks.profiles.posterior import ProfileBelief, believe, believed, tried
from giveaway.attacks.profiles.question import ProfilesQuestion, ask
from giveaway.attacks.profiles.reporting.figures import judged_profiles, overall
from giveaway.model.progress import tell
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Rule, Scores, Statement
from giveaway.model.release.withheld import Withheld

Threshold = Literal["min_support", "min_confidence"]

DIGITS = (4, 3, 2, 1)
"""To how many digits scores are rounded before they are withheld."""

FIRST_SUPPORT = Fraction(1, 1000)
"""Where a minimum support of 0 is raised to first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TriedForm:
    """A release that was tried: what it withholds more than the plan, and what somebody believes then."""

    way: str
    withheld: Withheld
    question: ProfilesQuestion
    belief: ProfileBelief
    judged: JudgedPeople

    @property
    def published(self) -> PublishedRules:
        """The list as it would be published."""
        return self.question.published

    @property
    def support(self) -> int:
        """The records that the published rules hold for, added up."""
        return int(self.belief.claims.supports.sum())

    @cached_property
    def divergence(self) -> float:
        """How far from the truth readers stay: the less, the more they are told."""
        return overall(judged_profiles(self.question), self.belief.solution.chance)


@dataclass(kw_only=True, eq=False)
class FormSearch:
    """Tries other forms of a release, those that tell most first, until one is within tolerance.

    Telling less can make anybody more or less exposed, so every form is judged as it would be published.
    """

    release: Release
    attacker: KnowsProfiles
    limit: Fraction
    allowed: Fraction
    must: Sequence[Rule] = ()
    """Rules of the list that are published in any case."""
    solves: int = 0
    steps: dict[tuple[str, Scores | None], list[tuple[int, Fraction]]] = field(default_factory=dict)
    """For each way, with coarser scores or not, the numbers of rules tried and the share of people over the limit."""

    @cached_property
    def planned(self) -> TriedForm:
        """The release as planned."""
        question = ask(self.release, self.attacker)
        belief = believed(question)
        return TriedForm(
            way="plan",
            withheld=Withheld(),
            question=question,
            belief=belief,
            judged=judge(question, belief),
        )

    def within(self, release: TriedForm) -> bool:
        """Tell whether few enough people are over the limit."""
        return release.judged.share(self.limit) <= self.allowed

    def tried(self, way: str, withheld: Withheld) -> TriedForm | None:
        """Judge the release that withholds this too; None where the chances cannot be computed."""
        self.solves += 1
        question = ask(self.release.withholding(withheld), self.attacker)
        belief = tried(lambda: believe(question.claims))
        if belief is None:
            return None
        judged = judge(question, belief)
        step = len(question.published.rules), judged.share(self.limit)
        self.steps.setdefault((way, withheld.scores), []).append(step)
        return TriedForm(way=way, withheld=withheld, question=question, belief=belief, judged=judged)

    def scores(self) -> TriedForm | None:
        """Round the scores to fewer and fewer digits, and withhold them at last."""
        for scores in coarser(self.planned.published.scores):
            tell("trying coarser scores", self.solves)
            release = self.tried("scores", Withheld(scores=scores))
            if release is not None and self.within(release):
                return release
        return None

    def threshold(self, name: Threshold, scores: Scores | None) -> TriedForm | None:
        """Raise a threshold along steps that do not depend on the data, with these scores.

        The list stays complete, so that what is absent from it is read too. Every step that leaves fewer rules is tried.
        """
        planned, table = self.planned.published, self.planned.question.table
        kept = len(planned.rules)
        for limit in LADDERS[name](getattr(planned, name)):
            raised = {name: limit}
            higher = planned.raised(table, raised.get("min_support"), raised.get("min_confidence"))
            listed = set(higher.rules)
            if not listed or any(rule not in listed for rule in self.must):
                return None
            if len(listed) == kept:
                continue
            kept = len(listed)
            tell("trying higher thresholds", self.solves)
            below = [rule for rule in planned.rules if rule not in listed]
            withheld = Withheld(rules=below, scores=scores) | Withheld(**{name: limit})  # type: ignore[arg-type] # a threshold
            release = self.tried(name, withheld)
            if release is not None and self.within(release):
                return release
        return None

    def statements(self) -> TriedForm | None:
        """Withhold statements, those about the same people together: first where most people are over the limit.

        In the end what was withheld is published after all where that is safe too.
        """
        left = _groups(self.release.published_statements)
        gone: list[list[Statement]] = []
        now, safe = self.planned, None
        while safe is None and len(left) > (0 if self.planned.published.rules else 1):
            tell("trying fewer statements", self.solves)
            worst = max(range(len(left)), key=lambda place: self._exposed(now, left[place][0]))
            gone.append(left.pop(worst))
            release = self.tried("statements", _without(gone))
            now = release or now
            safe = release if release is not None and self.within(release) else None
        for group in list(gone) if safe is not None else ():
            fewer = [other for other in gone if other is not group]
            release = self.tried("statements", _without(fewer)) if fewer else None
            if release is not None and self.within(release):
                safe, gone = release, fewer
        return safe

    def _exposed(self, release: TriedForm, statement: Statement) -> int:
        """Count the people over the limit whom a statement is about."""
        place = [one.key for one in release.question.statements].index(statement.key)
        profiles = release.belief.claims.patterns.profiles(place)
        over = release.judged.worst[profiles] > float(self.limit) + NEAR
        return int(release.question.people.profiles.weights[profiles][over].sum())


def coarser(scores: Scores) -> Iterator[Scores]:
    """Give the ways to publish scores that tell less, the one that tells most first."""
    yield from (
        digits for digits in DIGITS if scores == "exact" or (scores != "withheld" and digits < scores)
    )
    if scores != "withheld":
        yield "withheld"


def higher_supports(limit: Fraction) -> Iterator[Fraction]:
    """Give higher and higher supports up to 1: each at least a tenth above the one before, with two digits.

    >>> [float(step) for step, _ in zip(higher_supports(Fraction(1, 10)), range(5))]
    [0.11, 0.13, 0.15, 0.17, 0.19]
    """
    step = limit
    while step < 1:
        least = step * Fraction(11, 10) or FIRST_SUPPORT
        unit = Fraction(10) ** (floor(log10(least)) - 1)
        step = min(ceil(least / unit) * unit, Fraction(1))
        yield step


def higher_confidences(limit: Fraction) -> Iterator[Fraction]:
    """Give the whole percentages above a confidence."""
    yield from (Fraction(percent, 100) for percent in range(floor(limit * 100) + 1, 101))


LADDERS = {"min_support": higher_supports, "min_confidence": higher_confidences}


def _groups(statements: Sequence[Statement]) -> list[list[Statement]]:
    """Put statements about the same people together, such as those about one leaf of a tree."""
    groups: dict[tuple[str, bytes | None], list[Statement]] = {}
    for statement in statements:
        groups.setdefault((repr(statement.where), statement.key[1]), []).append(statement)
    return list(groups.values())


def _without(groups: Sequence[Sequence[Statement]]) -> Withheld:
    return Withheld(statements=[statement for group in groups for statement in group])
