"""Measure how many renamed items somebody recognises by how often they occur."""

from typing import Literal

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.itemsets.details import SetDetails
from giveaway.attacks.frequencies.itemsets.question import SetQuestion, set_question
from giveaway.attacks.frequencies.people.details import PeopleDetails, PeopleQuestion
from giveaway.attacks.frequencies.people.view import see_people
from giveaway.attacks.frequencies.question import FrequenciesQuestion, ItemQuestion, see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.details import ItemDetails
from giveaway.attacks.frequencies.reporting.exposures import Recognised
from giveaway.attacks.frequencies.reporting.figures import contradictions, doubt, short
from giveaway.model.answer.risk import Chance, Details, Exposure, Risk
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

    Lakshmanan et al., Figures 8, 9 and 25: the recipes, with exact chances where the work allows; section 8.1 for people.
    """
    if attacker.of_people:
        people = PeopleQuestion(seen=see_people(release, attacker, effort), tolerance=tolerance)
        return _one_by_one(people, PeopleDetails(people))
    seen = see(release, attacker, effort)
    if attacker.wants_sets:
        return measure_sets(set_question(seen, tolerance))
    return measure_items(ItemQuestion(seen=seen, tolerance=tolerance))


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld."""
    target = exposure.target if isinstance(exposure.target, tuple) else (exposure.target,)
    if set(target) & set(release.withheld.items):
        return "withheld"
    return exposure.chance_in(release) if isinstance(exposure, Recognised) else exposure.chance


def measure_items(question: ItemQuestion) -> Risk:
    """Measure single items."""
    return _one_by_one(question, ItemDetails(question), contradictions(question.seen), doubt(question.seen))


def _one_by_one(
    question: FrequenciesQuestion, details: Details, before: tuple[str, ...] = (), doubt: str | None = None
) -> Risk:
    return Risk(
        share=question.judged.share,
        average=short(question.average),
        margin=question.judged.margin,
        reasons=(*before, *_reasons(question)),
        doubt=doubt,
        details=details,
    )


def _reasons(question: FrequenciesQuestion) -> tuple[str, ...]:
    tolerance, reasons = question.tolerance, []
    targets = sentences.counted(question.targets, question.seen.nouns[1], question.seen.nouns[0])
    if tolerance.average is not None and question.average > tolerance.average:
        reasons.append(
            f"{float(question.expected):,.1f} of {targets} are expected to be recognised, "
            f"{sentences.percent(question.average)}; you tolerate {sentences.percent(tolerance.average)}."
        )
    share = question.judged.share
    if share is not None and tolerance.identity is not None and share > tolerance.share:
        reasons.append(
            f"{question.number_vulnerable:,} of {targets} can be recognised with a chance of "
            f"{question.line.from_(sentences.percent(tolerance.identity))}."
        )
    return tuple(reasons)


def measure_sets(question: SetQuestion) -> Risk:
    """Find the share of sets whose chance is at least the limit: Definition 2.1 and Figure 9 of the paper."""
    return Risk(
        share=question.vulnerable_share,
        margin=None if question.exact else question.margin,
        reasons=(*contradictions(question.seen), *_reasons_of_sets(question)),
        doubt=doubt(question.seen),
        details=SetDetails(question),
    )


def _reasons_of_sets(question: SetQuestion) -> tuple[str, ...]:
    if question.vulnerable_share <= question.tolerance.share:
        return ()
    sets = sentences.counted(question.targets.number, "sets")
    limit = sentences.percent(question.identity)
    vulnerable = f"{question.number_vulnerable:,} of {sets} can be recognised with a chance of {question.line.from_(limit)}"
    return (f"{vulnerable}; you tolerate {sentences.percent(question.tolerance.share)} of them.",)
