"""Measure what somebody who knows a few items of a transaction learns from a release."""

from fractions import Fraction
from typing import Any, Literal

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.evidence import Evidence
from giveaway.attacks.items.evidence_by_counts import evidence
from giveaway.attacks.items.question import Question, ask, needed
from giveaway.attacks.items.reporting import curves, sentences
from giveaway.attacks.items.reporting.exposures import Exposures
from giveaway.attacks.items.worst_cases import Worst, extremes
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.risk import Chance, Exposure, HoldsUpTo, How, Level, Risk
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.need import NeedsItemsets
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.moles.search import Moles

FURTHER = 3
"""How many items beyond the attacker's the search for the breaking point goes."""

FURTHER_BUDGET = 2_000_000_000


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
    worst = extremes(question, seen)
    kept = _kept(release, question, need)
    exposed, holds, unjudged = _strength(question, seen)
    exposures = Exposures(question, found, worst)
    now = found.exposed(question.at_most)
    return Risk(
        levels=_levels(question, worst),
        share=Fraction(now, question.transactions),
        over=exposures.over,
        exposures=exposures,
        how=How(method="exact", detail=_detail(question, found, worst) + unjudged),
        figures=_figures(question, found, worst, holds) | _nuggets(release, kept),
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
        # Nobody knows more of a transaction than all of its items.
        whole = len(exposed) == longest
        return exposed, HoldsUpTo(value=furthest, unit="items", at_least=True, whole_scale=whole), ""
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


def _nuggets(release: Release, kept: dict[str, int]) -> dict[str, int]:
    """Count the nuggets of what is published: those kept, once something is withheld."""
    if "nuggets" not in kept:
        return {}
    now = kept["nuggets"]
    return {"nuggets": now, "nuggets_kept": now} if release.withheld.items else {"nuggets": now}


def _figures(question: Question, found: Moles, worst: Worst, holds: HoldsUpTo) -> dict[str, Any]:
    published = question.published
    return {
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
    """Say what was searched and what is counted, without the paper's words."""
    free, minimal = len(found.free.item), len(found.found.item)
    judged = f"Every combination of up to {question.at_most} items was judged."
    if not minimal:
        return f"{judged} None of the {free:,} is over your limits."
    if worst.moles is None:
        said = (
            f"{minimal:,} are over your limits and as small as can be; those that only add items to one of them were too "
            "many to count."
        )
    else:
        more = worst.moles - minimal
        adding = (
            f"; the other {more:,} only {'adds' if more == 1 else 'add'} items to one of these"
            if more
            else ""
        )
        said = (
            f"{worst.moles:,} of {worst.moles + free:,} are over your limits, {minimal:,} of them as small as can "
            f"be{adding}."
        )
    if worst.given_up or (worst.breach is None and question.tolerance.attribute is not None):
        said += " 100 % stands where the worst chance was not found."
    return f"{judged} {said}"


def _reasons(question: Question, exposed: int) -> tuple[str, ...]:
    if exposed <= question.tolerance.share * question.transactions:
        return ()
    said = []
    if question.too_few:
        said.append(
            f"There are only {sentences.transactions(question.transactions)}, fewer than the {question.crowd:,} asked for."
        )
    said.extend(
        f"The private item {label!r} is in {count:,} of {sentences.transactions(question.transactions)}, "
        f"above the limit of {question.limit} whatever is withheld."
        for label, count in question.too_frequent
    )
    what = {
        (True, True): "can be singled out or give away a private item",
        (True, False): "can be singled out",
        (False, True): "give away a private item",
    }[question.tolerance.identity is not None, question.tolerance.attribute is not None]
    return (*said, f"{exposed:,} of {sentences.transactions(question.transactions)} {what}.")
