"""Measure what somebody who knows every profile infers from the published rules."""

from fractions import Fraction
from typing import Literal

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.judged_people import JudgedPeople, judge, true_chance
from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.profiles.posterior import ProfileBelief, believed
from giveaway.attacks.profiles.question import ProfilesQuestion, ask
from giveaway.attacks.profiles.reporting.details import ProfilesDetails
from giveaway.attacks.profiles.reporting.exposures import ProfileInference
from giveaway.attacks.wording import counted, exact_percent
from giveaway.model.answer.risk import Chance, Exposure, Risk
from giveaway.model.data.arrays import Ints
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsProfiles,
    tolerance: Tolerance,
    need: NeedsRules | None,  # noqa: ARG001 # what is kept does not depend on it
    effort: Effort,  # noqa: ARG001 # there is no chance in it
) -> Risk:
    """Find the distribution of the sensitive value that somebody believes for each profile, and who is over the limit.

    Zhu et al., Problem 3.1 and Definition 4.1.
    """
    question = ask(release, attacker)
    belief = believed(question)
    # Only a report shows these, but a record that does not exist and a false rule that is withheld are refused now.
    ranges_for = [(record, question.table.row(record)) for record in attacker.ranges_for]
    supports = _supports(release, question, belief)
    limit = limit_of(tolerance)
    judged = judge(question, belief)
    return Risk(
        share=judged.share(limit),
        average=true_chance(question, belief),
        reasons=_reasons(judged, limit, tolerance),
        details=ProfilesDetails(
            question,
            belief,
            judged,
            limit=limit,
            allowed=tolerance.share,
            ranges_for=ranges_for,
            supports=supports,
            statements=(len(release.published_statements), len(release.withheld.statements)),
        ),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: that of the same value for the same profile."""
    if not isinstance(exposure, ProfileInference):
        return exposure.chance
    belief = believed(ask(release, exposure.attacker))
    return float(belief.chance[exposure.profile, exposure.answer])


def limit_of(tolerance: Tolerance) -> Fraction:
    """Return the largest chance of a sensitive value; 1 when none is named."""
    return Fraction(1) if tolerance.attribute is None else tolerance.attribute


def _supports(release: Release, question: ProfilesQuestion, belief: ProfileBelief) -> Ints:
    """Count the records that each rule of the whole list holds for, withheld rules included."""
    if release.rules is None or len(release.rules.rules) == len(question.published.rules):
        return belief.claims.supports
    return question.claimed(release.rules, silence=False).supports


def _reasons(judged: JudgedPeople, limit: Fraction, tolerance: Tolerance) -> tuple[str, ...]:
    if judged.share(limit) <= tolerance.share:
        return ()
    above, people = judged.above(limit), counted(judged.people, "people")
    return (
        f"A sensitive value of {above:,} of {people} is inferred with a chance above {exact_percent(limit)}.",
    )
