"""Measure how well hidden entries can be inferred by rules from what a release shows."""

from fractions import Fraction
from typing import Literal

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.exposed_secrets import SecretsTally
from giveaway.attacks.attributes.informed import informed
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.question import AttributesQuestion, ask, beside_others
from giveaway.attacks.attributes.reporting import sentences
from giveaway.attacks.attributes.reporting.details import AttributesDetails
from giveaway.attacks.attributes.reporting.exposures import SecretInference
from giveaway.attacks.attributes.reporting.informed import InformedDetails
from giveaway.attacks.attributes.reporting.reasons import informed_reasons, reasons
from giveaway.model.answer.risk import Chance, Exposure, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsAttributes,
    tolerance: Tolerance,
    need: NeedsCells | None,
    effort: Effort,  # noqa: ARG001 - all attacks are measured in the same way, and this one needs no chance
) -> Risk:
    """Count the secrets that are given away: to somebody who knows how entries are chosen, by the blanks next to them.

    For all others by a rule from their visible conditions to the true value. Li et al., section 2.2; the partial table is
    safe when no rule is over the limit.
    """
    if release.withheld:
        attacker = beside_others(release, attacker)
    question = ask(release, attacker, tolerance, need)
    if attacker.knows_method:
        return _informed(question)
    tally = SecretsTally(question=question)
    return Risk(
        share=Fraction(tally.exposed, max(question.secrets, 1)),
        reasons=reasons(question, tally),
        details=AttributesDetails(question, tally),
    )


def _informed(question: AttributesQuestion) -> Risk:
    """Count the secrets in groups whose blanks give a value away."""
    tally = informed(question)
    return Risk(
        share=Fraction(tally.exposed, max(question.secrets, 1)),
        reasons=informed_reasons(question, tally),
        doubt=sentences.PAIRS if tally.leaves_a_pair else None,
        details=InformedDetails(question, tally),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld."""
    return exposure.chance_in(release) if isinstance(exposure, SecretInference) else exposure.chance
