"""Measure what somebody who knows a few items of a transaction learns from a release."""

from fractions import Fraction
from typing import Literal

import numpy as np

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.evidence import evidence
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.question import ItemsQuestion, ask
from giveaway.attacks.items.reporting import sentences
from giveaway.attacks.items.reporting.details import ItemsDetails
from giveaway.attacks.wording import exact_percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Exposure, Risk
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsItems,
    tolerance: Tolerance,
    need: NeedsItemsets | None,
    effort: Effort,
) -> Risk:
    """Find the combinations of known items that single somebody out or give a private item away.

    Xu et al., Definition 1; the release is coherent when there are none.
    """
    question = ask(release, attacker, tolerance)
    seen = evidence(question, effort)
    exposed = seen.moles.exposed(question.at_most)
    return Risk(
        share=Fraction(exposed, question.transactions),
        reasons=_reasons(question, exposed),
        details=ItemsDetails(
            release,
            question,
            seen,
            need,
            knows_method=attacker.knows_method,
            strength=effort.strength,
        ),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: none if one of its items is, else the same.

    Of items that are given as their category it is that of the categories.
    """
    target = exposure.target if isinstance(exposure.target, tuple) else (exposure.target,)
    published, named = release.published, release.own_names
    assert isinstance(published, Transactions)  # noqa: S101 # the attack is on transactions
    if set(target) <= named.code_of.keys():
        return exposure.chance
    labels = {release.categories.get(label, label) for label in target}
    if not labels <= published.code_of.keys():
        return "withheld"
    return _chance(published, [published.code_of[label] for label in labels], exposure)


def _chance(published: Transactions, known: list[int], exposure: Exposure) -> Fraction | Literal["withheld"]:
    """Count what somebody who knows some labels makes of the transactions that show them all, if there are any."""
    row = np.repeat(np.arange(len(published.weights)), np.diff(published.offsets))
    held = np.bincount(row[np.isin(published.codes, known)], minlength=len(published.weights)) == len(known)
    support = int(published.weights[held].sum())
    if not support:
        return "withheld"
    if exposure.kind == "identity":
        return Fraction(1, support)
    there = held[row] & published.is_private[published.codes]
    secrets = np.bincount(
        published.codes[there], weights=published.weights[row[there]], minlength=len(published.labels)
    )
    return Fraction(int(secrets.max(initial=0)), support)


def _reasons(question: ItemsQuestion, exposed: int) -> tuple[str, ...]:
    if exposed <= question.tolerance.share * question.transactions:
        return ()
    reasons = []
    if question.too_few:
        reasons.append(
            f"There are only {sentences.transactions(question.transactions)}, fewer than the {question.crowd:,} asked for."
        )
    reasons.extend(
        f"The private {nouns().item} {label!r} is in {count:,} of {sentences.transactions(question.transactions)}, "
        f"above the limit of {exact_percent(question.limit)} whatever is withheld."
        for label, count in question.too_frequent
    )
    what = {
        (True, True): f"can be singled out or give away a private {nouns().item}",
        (True, False): "can be singled out",
        (False, True): f"give away a private {nouns().item}",
    }[question.tolerance.identity is not None, question.tolerance.attribute is not None]
    return (*reasons, f"{exposed:,} of {sentences.transactions(question.transactions)} {what}.")
