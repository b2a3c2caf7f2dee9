"""Who is over the limit, and who is alone, for each set of recipients who collude."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from giveaway.attacks.asked import Question
from giveaway.attacks.together import View
from giveaway.errors import NothingToJudge
from giveaway.judging import measured, seen
from giveaway.model.answer.risk import Chance, Risk
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import SamePeople

_TWO = Tolerance(identity=Fraction(1, 2))
"""Over this limit is who is alone."""

Set = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many are over the limit, and how many of all are alone; None where that is not known or not limited."""

    over: int | None
    alone: int | None


@dataclass(frozen=True, kw_only=True)
class Colluding:
    """What one attacker learns with the files of some recipients, for each set of them."""

    attack: str
    knows: str
    knows_publicly: str
    targets: str
    """What is counted, in the plural."""
    of: int
    """How many there are."""
    before: Mapping[Set, Count]
    """With the releases that they would get if each were protected by itself."""
    after: Mapping[Set, Count]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "attack": self.attack,
            "knows": self.knows,
            "knows_publicly": self.knows_publicly,
            "targets": self.targets,
            "of": self.of,
            "sets": [
                {
                    "recipients": list(some),
                    "before": vars(self.before[some]),
                    "after": vars(count),
                }
                for some, count in self.after.items()
            ],
        }


def matrix(
    before: SamePeople, after: SamePeople, asked: Sequence[Question], effort: Effort
) -> tuple[Colluding, ...]:
    """Count for each attacker and each set of recipients, one by one, in pairs and so on up to all."""
    return tuple(_colluding(before, after, question, effort) for question in asked)


def _colluding(before: SamePeople, after: SamePeople, question: Question, effort: Effort) -> Colluding:
    attacker, attack = question.attacker, question.attack
    of, targets = attack.limits.targets(next(iter(after.releases.values())))
    return Colluding(
        attack=attack.name,
        knows=attacker.knows(),
        knows_publicly=attacker.knows_publicly(),
        targets=targets,
        of=of,
        before=counts(before, question, effort),
        after=counts(after, question, effort),
    )


def counts(people: SamePeople, question: Question, effort: Effort) -> dict[Set, Count]:
    """Count for each set of recipients."""
    names = list(people.releases)
    every = [some for size in range(1, len(names) + 1) for some in combinations(names, size)]
    counted = {}
    for place, some in enumerate(every):
        tell("counting what recipients who collude learn", place, len(every))
        counted[some] = _count(people, some, question, effort)
    return counted


def _count(people: SamePeople, some: Set, question: Question, effort: Effort) -> Count:
    """Count for recipients who all collude; of several ways to look at their releases the worst."""
    limits = [question.tolerance, *([_TWO] if question.tolerance.identity is not None else [])]
    release = people.together(some[0])
    try:
        if len(some) == 1:
            risks = [[measured(release, replace(question, tolerance=limit), effort)] for limit in limits]
        else:
            views = _of_all(people.some(some).together(some[0]), question)
            risks = [
                [seen(view, view.release, question, limit, effort) for view in views] for limit in limits
            ]
    except NothingToJudge:
        return Count(over=None, alone=None)
    size, _ = question.attack.limits.targets(release)
    over, *alone_too = [max((_people(risk, size) for risk in some), default=None) for some in risks]
    return Count(over=over, alone=alone_too[0] if alone_too else None)


def _of_all(release: Release, question: Question) -> list[View]:
    views = question.attack.does().views(release, question.attacker, question.tolerance)
    return [
        view
        for view in views
        if len(view.releases) == len(release.earlier) and view.linked in ("rows", "people")
    ]


def _people(risk: Risk, size: int) -> int:
    """Return how many are over a limit, of whom a risk knows the part."""
    share: Chance = risk.share or 0
    return round(share * size)
