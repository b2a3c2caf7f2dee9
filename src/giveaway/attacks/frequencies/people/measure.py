"""Measure how many people somebody recognises among records whose names were removed."""

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.people.details import PeopleDetails, PeopleQuestion
from giveaway.attacks.frequencies.people.view import see_people
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.figures import short
from giveaway.errors import NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure_people(
    release: Release, attacker: KnowsFrequencies, tolerance: Tolerance, effort: Effort
) -> Risk:
    """Find how likely each person is told from their record, when all are matched at once.

    Lakshmanan et al., section 8.1.
    """
    question = PeopleQuestion(seen=see_people(release, attacker, effort), tolerance=tolerance)
    return Risk(
        share=question.judged.share,
        average=short(question.average),
        margin=question.judged.margin,
        reasons=tuple(_reasons(question)),
        details=PeopleDetails(question),
    )


def refuse_people(release: Release, attacker: KnowsFrequencies, effort: Effort) -> None:
    """Refuse to judge a table in which there is nobody to recognise."""
    seen = see_people(release, attacker, effort)
    if not seen.records:
        raise NothingToJudge(
            f"The table has no {nouns().record}, so there is nobody to recognise.", hint="check the data."
        )
    if not len(seen.interesting):
        raise NothingToJudge("Nobody of interest is in the table.", hint="leave of_interest out.")


def _reasons(question: PeopleQuestion) -> list[str]:
    tolerance, reasons = question.tolerance, []
    people = sentences.counted(question.targets, question.seen.nouns[1], question.seen.nouns[0])
    if tolerance.average is not None and question.average > tolerance.average:
        reasons.append(
            f"{float(question.expected):,.1f} of {people} are expected to be recognised, "
            f"{sentences.percent(question.average)}; you tolerate {sentences.percent(tolerance.average)}."
        )
    share = question.judged.share
    if share is not None and tolerance.identity is not None and share > tolerance.share:
        reasons.append(
            f"{question.number_vulnerable:,} of {people} can be recognised with a chance of "
            f"{question.line.from_(sentences.percent(tolerance.identity))}."
        )
    return reasons
