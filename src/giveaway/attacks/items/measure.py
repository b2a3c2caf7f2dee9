"""Measure what somebody who knows a few items of a transaction learns from a release."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from giveaway.algorithms.moles import Moles
from giveaway.attacks.items import curves, wording
from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.counted import evidence
from giveaway.attacks.items.evidence import Evidence
from giveaway.attacks.items.exposures import Exposures
from giveaway.attacks.items.question import Question, ask, needed
from giveaway.errors import BudgetExceeded
from giveaway.model.effort import Effort
from giveaway.model.need import NeedsItemsets
from giveaway.model.release import Release
from giveaway.model.risk import Chance, Exposure, HoldsUpTo, How, Level, Risk
from giveaway.model.tolerance import Tolerance
from giveaway.model.transactions import Transactions

FURTHER = 3
"""How many items beyond the attacker's the search for the breaking point goes."""

FURTHER_BUDGET = 2_000_000_000
EXTRA_BUDGET = 5_000_000_000


@dataclass(frozen=True, kw_only=True)
class Worst:
    """The extremes over all combinations that occur, and how many of them are moles; None where that was given up."""

    moles: int | None
    smallest_support: int | None
    breach: Fraction | None
    supports: Sequence[int] | None
    """How many combinations have each support; None too when no combination is a mole."""

    @property
    def given_up(self) -> bool:
        """Whether the combinations over the limits were too many to be counted."""
        return self.moles is None


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
    found = seen.moles
    worst = _extremes(question, seen)
    kept = _kept(release, question, need)
    exposed, holds, unjudged = _strength(question, seen)
    exposures = Exposures(question, found)
    now = found.exposed(question.at_most)
    return Risk(
        levels=_levels(question, worst),
        share=Fraction(now, question.transactions),
        over=len(found.found.item),
        exposures=exposures,
        how=How(method="exact", detail=_detail(question, found, worst) + unjudged),
        figures=_figures(question, found, worst, holds, kept),
        holds_up_to=holds,
        curves=(
            *(() if worst.given_up else (curves.chances(question, found, worst.supports),)),
            curves.strength(question, exposed, holds),
        ),
        worked=exposures.worked(),
        kept=kept,
        reasons=_reasons(question, now),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: none if one of its items is, else the same."""
    target = exposure.target if isinstance(exposure.target, tuple) else (exposure.target,)
    return "withheld" if set(target) & set(release.withheld.items) else exposure.chance


def _extremes(question: Question, seen: Evidence) -> Worst:
    """Look beyond minimal moles: a combination that holds one can be rarer, and give away more."""
    found = seen.moles
    largest = max(question.baseline, _largest_breach(found))
    if not len(found.found.item):
        return Worst(moles=0, smallest_support=int(found.free.support.min()), breach=largest, supports=None)
    try:
        counted = seen.occurring()
    except BudgetExceeded:
        return Worst(moles=None, smallest_support=None, breach=None, supports=None)
    return Worst(
        moles=counted.total - len(found.free.item),
        smallest_support=counted.least,
        breach=_worst_breach(seen, largest),
        supports=counted.supports,
    )


def _largest_breach(found: Moles) -> Fraction:
    """Return the largest own breach of the combinations examined; floats only preselect."""
    best = Fraction(0)
    for sets in (found.free, found.found):
        if len(sets.item):
            chance = sets.holding / sets.support
            near = np.flatnonzero(chance >= chance.max() * (1 - 1e-12))
            # Different fractions may be one float: their numerators and denominators tell them apart.
            keys = sets.holding[near] * (int(sets.support.max()) + 1) + sets.support[near]
            _, first = np.unique(keys, return_index=True)
            pairs = zip(sets.holding[near[first]], sets.support[near[first]], strict=True)
            best = max(best, *(Fraction(int(count), int(support)) for count, support in pairs))
    return best


def _worst_breach(seen: Evidence, largest: Fraction) -> Fraction | None:
    """Return the worst breach of all, or None when the search for it takes too long."""
    if largest == 1:
        return largest
    try:
        return seen.worst_breach(largest, budget=EXTRA_BUDGET)
    except BudgetExceeded:
        return None


def _strength(question: Question, seen: Evidence) -> tuple[list[int], HoldsUpTo, str]:
    """Count the exposed transactions for one item known, two, and so on; go beyond the attacker while it holds.

    Where that was given up, the last part says why.
    """
    longest, furthest = max(seen.longest, 1), question.at_most + FURTHER
    exposed = [seen.moles.exposed(known) for known in range(1, min(question.at_most, longest) + 1)]
    allowed = question.tolerance.share * question.transactions
    broken = next((known for known, count in enumerate(exposed, 1) if count > allowed), None)
    while broken is None and len(exposed) < min(furthest, longest):
        known = len(exposed) + 1
        try:
            exposed.append(seen.exposed(known, budget=FURTHER_BUDGET))
        except BudgetExceeded as error:
            said = f" Somebody who knows {known} items was not judged. {error.fact}"
            return exposed, HoldsUpTo(value=len(exposed), unit="items", at_least=True), said
        broken = known if exposed[-1] > allowed else None
    if broken is None:
        return exposed, HoldsUpTo(value=furthest, unit="items", at_least=True), ""
    return exposed, HoldsUpTo(value=broken - 1 or None, unit="items"), ""


def _levels(question: Question, worst: Worst) -> tuple[Level, ...]:
    """Set the worst chances beside their limits; where they were not found, 1 is what they cannot exceed."""
    tolerance, levels = question.tolerance, []
    if tolerance.identity is not None:
        chance = Fraction(1, worst.smallest_support or 1)
        alone = Fraction(1, question.transactions)
        levels.append(Level(kind="identity", worst=chance, limit=tolerance.identity, baseline=alone))
    if tolerance.attribute is not None:
        chance = Fraction(1) if worst.breach is None else worst.breach
        levels.append(
            Level(kind="attribute", worst=chance, limit=tolerance.attribute, baseline=question.baseline)
        )
    return tuple(levels)


def _figures(
    question: Question, found: Moles, worst: Worst, holds: HoldsUpTo, kept: dict[str, int]
) -> dict[str, Any]:
    published = question.published
    figures = {
        "transactions": question.transactions,
        "items": int((published.supports > 0).sum()),
        "private_items": len(question.private),
        "moles": worst.moles,
        "minimal_moles": len(found.found.item),
        "exposed_transactions": found.exposed(question.at_most),
        "smallest_support": worst.smallest_support,
        "worst_breach": worst.breach,
        "breaking_point": holds.value,
    }
    return figures | ({"nuggets": kept["nuggets"]} if "nuggets" in kept else {})


def _kept(release: Release, question: Question, need: NeedsItemsets | None) -> dict[str, int]:
    original = release.original
    if not isinstance(original, Transactions):
        return {}
    kept = {
        "item_occurrences": question.published.occurrences,
        "item_occurrences_total": original.occurrences,
    }
    if need is None:
        return kept
    now, total = (needed(data, need).total for data in (question.published, original))
    return kept | {"nuggets": now, "nuggets_total": total}


def _detail(question: Question, found: Moles, worst: Worst) -> str:
    """Say what was searched, without the paper's words."""
    free, harmful = len(found.free.item), len(found.found.item)
    counted = f"Every combination of up to {question.at_most} items was judged."
    if not harmful:
        return f"{counted} None of the {free:,} is over your limits."
    said = f"{counted} {harmful:,} are over your limits and as small as can be; {free:,} hold none of these."
    if worst.given_up or (worst.breach is None and question.tolerance.attribute is not None):
        return (
            f"{said} The rest were too many to count, so 100 % stands where the worst chance was not found."
        )
    return said


def _reasons(question: Question, exposed: int) -> tuple[str, ...]:
    if exposed <= question.tolerance.share * question.transactions:
        return ()
    said = []
    if question.too_few:
        said.append(
            f"There are only {wording.transactions(question.transactions)}, fewer than the {question.crowd:,} asked for."
        )
    said.extend(
        f"The private item {label!r} is in {count:,} of {wording.transactions(question.transactions)}, "
        f"above the limit of {question.limit} whatever is withheld."
        for label, count in question.too_frequent
    )
    what = {
        (True, True): "can be singled out or give away a private item",
        (True, False): "can be singled out",
        (False, True): "give away a private item",
    }[question.tolerance.identity is not None, question.tolerance.attribute is not None]
    return (*said, f"{exposed:,} of {wording.transactions(question.transactions)} {what}.")
