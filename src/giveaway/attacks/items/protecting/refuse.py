"""When no safe release exists: the reason, and the smallest change of tolerance that would help."""

from fractions import Fraction
from typing import NoReturn

import numpy as np

from giveaway.attacks.items.question import Question
from giveaway.attacks.items.reporting.sentences import transactions
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.exact import ratio
from giveaway.moles.search import Moles


def refuse_hopeless(question: Question, moles: Moles) -> None:
    """Raise when the empty set is a mole: then no choice of items to withhold helps.

    Xu et al., section 3.2: a cohesion exists if and only if the empty itemset is not a mole.
    """
    if question.too_few:
        raise NoSafeRelease(
            f"There are only {transactions(question.transactions)}, fewer than the crowd of {question.crowd:,} asked for.",
            helps=helps(question, moles),
            proved=True,
        )
    if question.too_frequent:
        label, count = question.too_frequent[0]
        others = len(question.too_frequent) - 1
        more = (
            f" The same holds for {others} more private items."
            if others > 1
            else " The same holds for 1 more."
            if others
            else ""
        )
        raise NoSafeRelease(
            f"The private item {label!r} is in {count:,} of {transactions(question.transactions)}, above the limit of "
            f"{ratio(question.limit)}, and private items are not withheld.{more}",
            helps=helps(question, moles),
            proved=True,
        )


def refuse_empty(question: Question, moles: Moles, *, as_printed: bool) -> NoReturn:
    """Raise because every public item must be withheld: none is safe alone, and more items never expose fewer.

    Xu et al., Figure 2, returns data without public items: a cohesion, and nothing that anybody could judge or use.
    """
    cohesion = (
        " The paper's algorithm ends with that, a cohesion; but a release without public items is not a release."
        if as_printed
        else ""
    )
    raise NoSafeRelease(
        f"Every public item would have to be withheld: none is safe even alone.{cohesion}",
        helps=helps(question, moles),
        proved=True,
    )


def helps(question: Question, moles: Moles) -> tuple[Help, ...]:
    """Say the smallest change of one limit, or of both together, with which something can be released.

    Something can be released when some public item is safe alone and the empty set is not a mole. An item that few
    enough transactions hold is safe alone as if everybody held it and nobody had a secret.
    """
    pairs = _singles(moles)
    rarest = min(support for support, _ in pairs)
    if rarest <= question.allowed:
        pairs.append((question.transactions, Fraction(0)))
    changes = list[dict[str, str | int]]()
    crowded = [breach for support, breach in pairs if support >= question.crowd]
    if crowded and question.tolerance.attribute is not None:
        changes.append({"tolerates.attribute": ratio(max(question.baseline, min(crowded)))})
    harmless = [support for support, breach in pairs if breach <= question.limit]
    if harmless and not question.too_frequent and question.tolerance.identity is not None:
        changes.append({"tolerates.identity": f"1/{max(harmless)}"})
    if question.tolerance.share and not question.too_few and not question.too_frequent:
        changes.append({"tolerates.share": ratio(Fraction(rarest, question.transactions))})
    if changes:
        return (_smallest(*changes),)
    most = max(support for support, _ in pairs)
    least = max(question.baseline, min(breach for support, breach in pairs if support == most))
    return (_smallest({"tolerates.identity": f"1/{most}", "tolerates.attribute": ratio(least)}),)


def _smallest(*changes: dict[str, str | int]) -> Help:
    said = [" and ".join(f"{name}={value}" for name, value in change.items()) for change in changes]
    return Help(f"The smallest change that helps: {' or '.join(said)}.", *changes)


def _singles(moles: Moles) -> list[tuple[int, Fraction]]:
    """Return the support and the own breach of every public item."""
    return [
        (int(sets.support[place]), Fraction(int(sets.holding[place]), int(sets.support[place])))
        for sets in (moles.free, moles.found)
        for place in np.flatnonzero(sets.parent < 0)
    ]
