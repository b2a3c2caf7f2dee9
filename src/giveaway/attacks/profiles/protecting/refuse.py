"""When no safe release exists or none is found: the reason, whether it is proved, and what would help."""

from fractions import Fraction
from math import ceil

import numpy as np

from giveaway.attacks.profiles.claims.claims import Claims
from giveaway.attacks.profiles.judged_people import NEAR, JudgedPeople
from giveaway.attacks.profiles.protecting.choose import Chooser
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting.sentences import percent
from giveaway.attacks.wording import counted, exact_percent
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.data.arrays import Ints
from giveaway.model.exact import ratio


def refuse_hopeless(chooser: Chooser, judged: JudgedPeople, must: list[int]) -> None:
    """Raise when it is proved without a search that too many people stay over the limit, whatever is withheld."""
    question, limit = chooser.question, chooser.limit
    sizes = _fully_judged(question)
    if sizes and Fraction(1, min(sizes)) > limit + Fraction(NEAR):
        raise NoSafeRelease(
            f"With {min(sizes)} possible values somebody who reads nothing is right with a chance of "
            f"{percent(Fraction(1, min(sizes)))}, above the limit of {exact_percent(limit)}.",
            helps=("No limit below that can hold, whatever is published: tolerate more for attribute.",),
            proved=True,
        )
    if _proved(chooser, chooser.claims.reading(must)):
        raise NoSafeRelease(
            f"{_start(judged, limit, must)}, whatever further rules say.",
            helps=_helps(_when(must), judged, limit),
            proved=True,
        )


def refuse_unfound(chooser: Chooser, judged: JudgedPeople, planned: JudgedPeople, must: list[int]) -> None:
    """Raise when no list was found; it is proved when every list was tried."""
    if chooser.has_list(planned):
        return
    limit = chooser.limit
    whole = chooser.judged_or_none(range(len(chooser.claims.rules)))
    if not chooser.within(judged):
        reason, helps = _start(judged, limit, must), _helps(_when(must), judged, limit)
    elif whole is not None and chooser.within(whole):
        reason = "The list is over the limit because of what it does not list"
        helps = ("Do not say that the list is complete: complete = false.",)
    else:
        reason = "Every rule would be withheld: none is within the limits alone"
        helps = () if chooser.nearest is None else _helps("With one rule", chooser.nearest, limit)
    how = "Every shorter list was tried" if chooser.tried_all else "Some other lists were tried"
    raise NoSafeRelease(
        f"{reason}. {how}, and none is within the limits.", helps=helps, proved=chooser.tried_all
    )


def _start(judged: JudgedPeople, limit: Fraction, must: list[int]) -> str:
    """Say how many people are over the limit before any rule is chosen."""
    if must:
        first = f"The {counted(len(must), 'rules')} that must be published put"
        return f"{first} {_people(judged, limit)} over the limit of {exact_percent(limit)} by themselves"
    people = _people(judged, limit)
    return f"Without any rule, what else is published or known puts {people} over the limit of {exact_percent(limit)}"


def _when(must: list[int]) -> str:
    return "With these rules alone" if must else "Without rules"


def _people(judged: JudgedPeople, limit: Fraction) -> str:
    return f"{judged.above(limit):,} of {counted(judged.people, 'people')}"


def _helps(when: str, judged: JudgedPeople, limit: Fraction) -> tuple[str, ...]:
    """Say from which limits on these people would be within tolerance."""
    largest = Fraction(ceil(Fraction(judged.largest - NEAR) * 1000), 1000)
    share = judged.share(limit)
    other = "" if share == 1 else f" or tolerates.share={ratio(share)}"
    changes = [{"tolerates.attribute": f"{float(largest):g}"}, {"tolerates.share": ratio(share)}]
    says = f"{when} the limits hold from tolerates.attribute={float(largest):g}{other} on."
    return (Help(says, *changes[: 1 if share == 1 else 2]),)


def _fully_judged(question: ProfilesQuestion) -> list[int]:
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


def _at_least(question: ProfilesQuestion, claims: Claims, rows: Ints) -> list[tuple[float, float, float]]:
    """Return the claims that people have a judged value: how many at least, of how many judged and other people."""
    bounds = []
    domain, weights = question.people.domain, question.people.profiles.weights
    for row in rows.tolist():
        answer, profiles = int(claims.patterns.answer[row]), claims.patterns.profiles(row)
        judged = float(weights[profiles][question.judged[profiles]].sum())
        unjudged = float(weights[profiles].sum()) - judged
        first, end = (int(domain.first[domain.place(answer) + step]) for step in (0, 1))
        if question.only[answer] and np.isfinite(claims.low[row]):
            bounds.append((float(claims.low[row]), judged, unjudged))
        other = first + end - 1 - answer
        if end - first == 2 and question.only[other] and np.isfinite(claims.high[row]):  # noqa: PLR2004 # the other of two
            bounds.append((judged + unjudged - float(claims.high[row]), judged, unjudged))
    return bounds
