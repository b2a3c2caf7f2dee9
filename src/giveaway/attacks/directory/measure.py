"""Measure how many people of a directory agree with published records, and what that could cost."""

from typing import Literal

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.inference.tally import AttributeTally, attribute_tally
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.reporting import inference
from giveaway.attacks.directory.reporting.details import DirectoryDetails
from giveaway.attacks.directory.reporting.exposures import Followed
from giveaway.attacks.directory.reporting.reasons import doubt, reasons
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Chance, Exposure, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsDirectory,
    tolerance: Tolerance,
    need: NeedsColumns | None,  # noqa: ARG001 # what is kept does not depend on it
    effort: Effort,
) -> Risk:
    """Count for each record the people who agree with what it discloses, and weigh it; and what is told of people.

    Lebanon et al., Definitions 4 to 7, with the people counted.
    """
    question = ask(release, attacker)
    tally, guesses = judged(question, tolerance), told_of(question, tolerance)
    if guesses is not None and guesses.counts_rows and tolerance.share:
        raise NothingToJudge(
            "Some rows tell too much of a sensitive column, and of how many people is not worked out for somebody who knows "
            "fewer columns than those that decided what is withheld.",
            hint="leave out share, or let this attacker know all columns.",
        )
    shares = [
        *([tally.share] if tolerance.identity is not None else []),
        *([guesses.share] if guesses is not None else []),
    ]
    return Risk(
        share=max(shares, default=None),
        average=tally.risk,
        undecided=tally.undecided,
        reasons=(*reasons(question, tally), *(() if guesses is None else inference.reasons(guesses))),
        doubt=doubt(tally) or (None if guesses is None else inference.doubt(guesses)),
        details=DirectoryDetails(question, tally, guesses, effort.seed),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: of the same record with what it still discloses."""
    return exposure.chance_in(release) if isinstance(exposure, Followed) else exposure.chance


def judged(question: DirectoryQuestion, tolerance: Tolerance) -> GroupsTally:
    """Count what a release gives away."""
    return question.tallied(tolerance, question.crowds_judged, question.likely)


def told_of(question: DirectoryQuestion, tolerance: Tolerance) -> AttributeTally | None:
    """Work out what a release tells of sensitive values; None where that is not limited, or none is published."""
    if tolerance.attribute is None:
        return None
    key = (question.release, question.attacker, tolerance)
    return question.published.remember("told", key, lambda: attribute_tally(question, tolerance))


def told_in(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> AttributeTally | None:
    """Work out what another release tells the same attacker."""
    return told_of(ask(release, attacker), tolerance)
