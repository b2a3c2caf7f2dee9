"""Measure how many renamed items somebody recognises by how often they occur."""

from typing import Literal

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.itemsets.exposures import RecognisedSet
from giveaway.attacks.frequencies.itemsets.measure import measure_sets
from giveaway.attacks.frequencies.people.details import RecognisedPerson
from giveaway.attacks.frequencies.people.measure import measure_people
from giveaway.attacks.frequencies.question import ItemQuestion, see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.details import ItemDetails
from giveaway.attacks.frequencies.reporting.exposures import Recognised
from giveaway.attacks.frequencies.reporting.figures import contradictions, doubt, short
from giveaway.model.answer.risk import Chance, Exposure, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsFrequencies,
    tolerance: Tolerance,
    need: Need | None,  # noqa: ARG001 - all attacks are measured in the same way, and this one serves no need
    effort: Effort,
) -> Risk:
    """Find how likely each item, or set of items, is told from its codes.

    Lakshmanan et al., Figures 8, 9 and 25: the recipes, with exact chances where the work allows.
    """
    if attacker.of_people:
        return measure_people(release, attacker, tolerance, effort)
    seen = see(release, attacker, effort)
    if attacker.wants_sets:
        return measure_sets(seen, tolerance)
    return measure_items(ItemQuestion(seen=seen, tolerance=tolerance))


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld."""
    target = exposure.target if isinstance(exposure.target, tuple) else (exposure.target,)
    if set(target) & set(release.withheld.items):
        return "withheld"
    if isinstance(exposure, Recognised | RecognisedSet | RecognisedPerson):
        return exposure.chance_in(release)
    return exposure.chance


def measure_items(question: ItemQuestion) -> Risk:
    """Measure single items."""
    seen = question.seen
    return Risk(
        share=question.judged.share,
        average=short(question.average),
        margin=question.judged.margin,
        reasons=(*contradictions(seen), *_reasons(question)),
        doubt=doubt(seen),
        details=ItemDetails(question),
    )


def _reasons(question: ItemQuestion) -> tuple[str, ...]:
    tolerance, reasons = question.tolerance, []
    items = sentences.counted(question.targets, "items")
    if tolerance.average is not None and question.average > tolerance.average:
        reasons.append(
            f"{float(question.expected):,.1f} of {items} are expected to be recognised, "
            f"{sentences.percent(question.average)}; you tolerate {sentences.percent(tolerance.average)}."
        )
    share = question.judged.share
    if share is not None and tolerance.identity is not None and share > tolerance.share:
        reasons.append(
            f"{question.number_vulnerable:,} of {items} can be recognised with a chance of "
            f"{question.line.from_(sentences.percent(tolerance.identity))}."
        )
    return tuple(reasons)
