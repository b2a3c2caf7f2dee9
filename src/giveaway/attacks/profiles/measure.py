"""Measure what somebody who knows every profile infers from the published rules."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.judged_people import Judged, at_limit, judge, true_chance
from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.profiles.posterior import Belief, believed, tried, unlisted
from giveaway.attacks.profiles.question import Question, ask
from giveaway.attacks.profiles.reporting import curves
from giveaway.attacks.profiles.reporting.exposures import Exposures, Inference, alone
from giveaway.attacks.profiles.reporting.figures import effects, figures
from giveaway.attacks.profiles.reporting.sentences import counted, percent
from giveaway.maximum_entropy import certain_range
from giveaway.model.answer.risk import Chance, Exposure, How, Level, Risk
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules


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
    limit = limit_of(tolerance)
    judged = judge(question, belief)
    exposures = Exposures(question, belief, judged, limit)
    strength = curves.strengths(question, belief, judged, limit, tolerance.share)
    return Risk(
        levels=(_level(question, judged, limit),),
        share=judged.share(limit),
        over=judged.profiles_above(limit),
        exposures=exposures,
        how=How(method="exact", detail=_detail(question, belief)),
        figures=figures(question, belief, judged, limit, effects(question, belief))
        | {"explained": exposures.explained(), "ranges": _ranges(question, belief)},
        holds_up_to=strength.holds,
        average=true_chance(question, belief),
        curves=(
            curves.chances(judged, limit),
            curves.strength(strength, question.judged_people, tolerance.share),
            *(tried(lambda: curves.divergence(question)) or ()),
        ),
        worked=exposures.worked(),
        kept=_kept(release, question, belief),
        reasons=_reasons(judged, limit, tolerance),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: that of the same value for the same profile."""
    if not isinstance(exposure, Inference):
        return exposure.chance
    belief = believed(ask(release, exposure.attacker))
    return float(belief.chance[exposure.profile, exposure.answer])


def limit_of(tolerance: Tolerance) -> Fraction:
    """Return the largest chance of a sensitive value; 1 when none is named."""
    return Fraction(1) if tolerance.attribute is None else tolerance.attribute


def _level(question: Question, judged: Judged, limit: Fraction) -> Level:
    """Set the worst chance beside the limit and what could be guessed without the release."""
    worst = int(np.argmax(judged.worst))
    return Level(
        kind="attribute",
        worst=at_limit(judged.largest, limit),
        limit=limit,
        baseline=alone(question, int(judged.answer[worst])),
    )


def _ranges(question: Question, belief: Belief) -> list[dict[str, Any]]:
    """Find for the records asked about what is certain of each judged value, beside the chance believed."""
    found = []
    known, rows = question.people, belief.claims.rows(belief.rows)
    answers = np.flatnonzero(question.only).tolist()
    for done, record in enumerate(question.attacker.ranges_for):
        tell("finding what is certain", done, len(question.attacker.ranges_for))
        profile = int(known.profile_of[question.table.row(record)])
        for answer in answers:
            low, high = certain_range.certain_range(
                known.profiles.weights,
                known.domain.size,
                rows,
                profile,
                np.flatnonzero(known.domain.answers[answer]),
                start=belief.solution.multipliers,
            )
            chance = float(belief.chance[profile, answer])
            value = known.domain.named(answer)[1]
            found.append({"record": record, "value": value, "low": low, "high": high, "chance": chance})
    return found


def _kept(release: Release, question: Question, belief: Belief) -> dict[str, int]:
    """Count the rules that are published, and the records that they hold for, beside those of the whole list."""
    now = belief.claims.supports
    whole = now if release.rules is None else _supports(release.rules, question)
    return {
        "rules": len(now),
        "rules_total": len(whole),
        "rules_support": int(now.sum()),
        "rules_support_total": int(whole.sum()),
    }


def _supports(rules: PublishedRules, question: Question) -> Ints:
    if len(rules.rules) == len(question.published.rules):
        return question.claims.supports
    return question.claimed(rules, silence=False).supports


def _detail(question: Question, belief: Belief) -> str:
    """Say how the chances were found, and what they are not."""
    solution = belief.solution
    said = (
        f"{solution.detail[0].upper()}{solution.detail[1:]}: gap {solution.gap:.0e}, largest violation "
        f"{solution.violation:.0e} of the records. Maximum entropy is a reasoned guess and no proof; "
        "ranges_for tells what is certain of a record."
    )
    more = len(unlisted(belief.claims)) if question.silence_tells else 0
    if more:
        verb = "is" if more == 1 else "are"
        said += f" {counted(more, 'rule')} above the thresholds {verb} not in the list, although it is said to be complete."
    return said


def _reasons(judged: Judged, limit: Fraction, tolerance: Tolerance) -> tuple[str, ...]:
    if judged.share(limit) <= tolerance.share:
        return ()
    above, people = judged.above(limit), counted(judged.people, "person", "people")
    return (f"A sensitive value of {above:,} of {people} is inferred with a chance above {percent(limit)}.",)
