"""When no safe release exists or none is found: the reason, whether it is proved, and what would help."""

from fractions import Fraction
from math import ceil

import numpy as np

from giveaway.attacks.profiles.choosing import Chooser
from giveaway.attacks.profiles.claims import Claims
from giveaway.attacks.profiles.judging import NEAR, Judged
from giveaway.attacks.profiles.question import Question
from giveaway.attacks.profiles.wording import counted, percent
from giveaway.errors import NoSafeRelease
from giveaway.model.exact import ratio
from giveaway.model.rows import Ints


def refuse_hopeless(chooser: Chooser, judged: Judged) -> None:
    """Raise when too many people are over the limit without any rule."""
    question, limit = chooser.question, chooser.limit
    if chooser.within(judged):
        return
    sizes = _fully_judged(question)
    if sizes and Fraction(1, min(sizes)) > limit + Fraction(NEAR):
        raise NoSafeRelease(
            f"With {min(sizes)} possible values somebody who reads nothing is right with a chance of "
            f"{percent(Fraction(1, min(sizes)))}, above the limit of {percent(limit)}.",
            helps=(f"The smallest change that helps: tolerates.attribute={ratio(Fraction(1, min(sizes)))}.",),
            proved=True,
        )
    raise NoSafeRelease(
        f"Without any rule, what else is published or known puts {_people(judged, limit)} over the limit of "
        f"{percent(limit)}, and only rules are withheld.",
        helps=_helps("Without rules", judged, limit),
        proved=_proved(chooser, chooser.claims.reading([])),
    )


def refuse_musts(chooser: Chooser, judged: Judged, must: list[int]) -> None:
    """Raise when the rules that must be published put too many people over the limit by themselves."""
    if chooser.within(judged):
        return
    raise NoSafeRelease(
        f"The {counted(len(must), 'rule')} that must be published put {_people(judged, chooser.limit)} over the limit of "
        f"{percent(chooser.limit)} by themselves. Lists that even this out with further rules were not searched.",
        helps=_helps("With these rules alone", judged, chooser.limit),
        proved=_proved(chooser, chooser.claims.reading(must)),
    )


def refuse_empty(chooser: Chooser) -> None:
    """Raise when every rule would be withheld."""
    if chooser.chosen:
        return
    helps = () if chooser.nearest is None else _helps("With one rule", chooser.nearest, chooser.limit)
    raise NoSafeRelease("Every rule would be withheld: none is within the limits alone.", helps=helps)


def refuse_silence(chooser: Chooser) -> None:
    """Raise when the whole list is safe for somebody who makes nothing of absent rules, but no shorter list is."""
    if chooser.rejected:
        return
    raise NoSafeRelease(
        "The list is over the limit because of what it does not list, and no list with one rule less is within it.",
        helps=("Do not say that the list is complete: complete = false.",),
    )


def _people(judged: Judged, limit: Fraction) -> str:
    return f"{judged.above(limit):,} of {counted(judged.people, 'person', 'people')}"


def _helps(when: str, judged: Judged, limit: Fraction) -> tuple[str, ...]:
    """Say from which limits on these people would be within tolerance."""
    largest = Fraction(ceil(Fraction(judged.largest - NEAR) * 1000), 1000)
    share = judged.share(limit)
    other = "" if share == 1 else f" or tolerates.share={ratio(share)}"
    return (f"{when} the limits hold from tolerates.attribute={float(largest):g}{other} on.",)


def _fully_judged(question: Question) -> list[int]:
    """Return the numbers of values of the columns of which any value is judged, whoever has it."""
    if question.attacker.judges == "true":
        return []
    domain = question.people.domain
    return [
        size
        for place, size in enumerate(domain.sizes)
        if question.only[domain.first[place] : domain.first[place + 1]].all()
    ]


def _proved(chooser: Chooser, rows: Ints) -> bool:
    """Tell whether some claim alone puts too many people over the limit, whatever rules are added.

    If L of n people have a value, the chances of these n add up to L; then at least (L - limit n) / (1 - limit) of them
    have a chance above the limit.
    """
    question, allowed = chooser.question, chooser.allowed * chooser.question.judged_people
    if question.attacker.judges == "true" or chooser.limit == 1:
        return False
    limit = float(chooser.limit) + NEAR
    return any(
        (low - unjudged - limit * judged) / (1 - limit) > float(allowed)
        for low, judged, unjudged in _at_least(question, chooser.claims, rows)
    )


def _at_least(question: Question, claims: Claims, rows: Ints) -> list[tuple[float, float, float]]:
    """Return the claims that people have a judged value: how many at least, of how many judged and other people."""
    found = []
    domain, weights = question.people.domain, question.people.profiles.weights
    for row in rows.tolist():
        answer, profiles = int(claims.patterns.answer[row]), claims.patterns.profiles(row)
        judged = float(weights[profiles][question.judged[profiles]].sum())
        unjudged = float(weights[profiles].sum()) - judged
        first, end = (int(domain.first[domain.place(answer) + step]) for step in (0, 1))
        if question.only[answer] and np.isfinite(claims.low[row]):
            found.append((float(claims.low[row]), judged, unjudged))
        other = first + end - 1 - answer
        if end - first == 2 and question.only[other] and np.isfinite(claims.high[row]):  # noqa: PLR2004 # the other of two
            found.append((judged + unjudged - float(claims.high[row]), judged, unjudged))
    return found
