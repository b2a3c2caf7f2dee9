"""Measure how many people of a directory agree with published records, and what that could cost."""

from typing import Literal

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.losses import Tally, tallied
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.question import Question, ask
from giveaway.attacks.directory.reporting.details import DirectoryDetails
from giveaway.attacks.directory.reporting.exposures import LookedUp
from giveaway.attacks.directory.reporting.reasons import doubt, reasons
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
    """Count for each record the people who agree with what it discloses, and weigh it.

    Lebanon et al., Definitions 4 to 7, with the people counted.
    """
    question = ask(release, attacker)
    tally = judged(question, tolerance)
    return Risk(
        share=tally.share if tolerance.identity is not None else None,
        average=tally.risk,
        undecided=tally.undecided,
        reasons=reasons(question, tally),
        doubt=doubt(tally),
        details=DirectoryDetails(question, tally, effort.seed),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: of the same record with what it still discloses."""
    return exposure.chance_in(release) if isinstance(exposure, LookedUp) else exposure.chance


def judged(question: Question, tolerance: Tolerance) -> Tally:
    """Count what a release gives away."""
    return tallied(question.groups, question.crowds, question.phis, question.attacker.prior, tolerance)
