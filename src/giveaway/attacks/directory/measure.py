"""Measure how many people of a directory agree with published records, and what that could cost."""

from fractions import Fraction
from typing import Literal

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.bound import Beside, conditions
from giveaway.attacks.directory.breaking_point import strength
from giveaway.attacks.directory.losses import Tally, chance_of, tallied
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.question import Question, ask
from giveaway.attacks.directory.reporting import curves, what_if
from giveaway.attacks.directory.reporting.exposures import Exposures, LookedUp
from giveaway.attacks.directory.reporting.figures import figures
from giveaway.attacks.directory.reporting.reasons import doubt, reasons
from giveaway.model.answer.risk import Chance, Exposure, How, Level, Risk
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
    exposures = Exposures(question, tally)
    strong = strength(question, tally, tolerance)
    beside = (
        None
        if attacker.true_directory is None
        else Beside(question=question, estimate=tally, people=attacker.true_directory)
    )
    return Risk(
        levels=_levels(question, tally),
        share=tally.share if tolerance.identity is not None else None,
        over=tally.over,
        exposures=exposures,
        how=How(method="exact", detail=_detail(question, beside)),
        figures=figures(question, tally, strong, None if beside is None else beside.tally.risk),
        holds_up_to=strong.holds,
        average=tally.risk,
        undecided=tally.undecided,
        curves=(
            curves.chances(tally),
            *curves.strength(question, tally, strong),
            *what_if.by_values(question, tolerance, effort.seed),
            *what_if.by_size(question, tolerance, effort.seed),
            *(() if beside is None else curves.estimated(beside.losses, beside.is_bound)),
        ),
        worked=exposures.worked(),
        kept=kept(question),
        reasons=reasons(question, tally),
        doubt=doubt(tally),
        against=_against(question),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: of the same record with what it still discloses."""
    return exposure.chance_in(release) if isinstance(exposure, LookedUp) else exposure.chance


def judged(question: Question, tolerance: Tolerance) -> Tally:
    """Count what a release gives away."""
    return tallied(question.groups, question.crowds, question.phis, question.attacker.prior, tolerance)


def kept(question: Question) -> dict[str, int]:
    """Count the entries that are disclosed, beside all that have a value."""
    made = {"cells": question.disclosed, "cells_total": question.entries}
    return made | {"coarser": question.coarser} if question.coarser else made


def _against(question: Question) -> str | None:
    """Say whom the verdict is about, where gaps in the directory help to hide others."""
    if question.lookup.gaps == "apart":
        return None
    return "somebody who takes a missing value in the directory for any value"


def _guess(question: Question) -> Fraction:
    """Return the chance of somebody who takes any person of the directory."""
    return chance_of(question.lookup.sizes, question.attacker.prior, listed=False)


def _levels(question: Question, tally: Tally) -> tuple[Level, ...]:
    guess, tolerance = _guess(question), tally.tolerance
    levels = [Level(kind="identity", worst=tally.largest, limit=tolerance.identity, baseline=guess)]
    if tolerance.average is not None:
        constant = question.weighing.form == "constant"
        levels.append(
            Level(
                kind="average" if constant else "loss",
                worst=tally.risk,
                limit=tolerance.average,
                baseline=guess if constant else None,
            )
        )
    return tuple(levels)


def _detail(question: Question, beside: Beside | None) -> str:
    """Say how the numbers were found, and what they rest on."""
    near = [f"{name} is alike" for name in question.attacker.match]
    gaps = "every" if question.lookup.gaps == "agree" else "no"
    said = ["The people who agree with each record were counted, each person once."]
    said.append(
        f"A blank of a record agrees with everybody, a missing value in the directory with {gaps} value that is shown."
    )
    if near:
        said.append(
            f"Values agree where {' and '.join(near)} by Jaro similarity, and where others are equal."
        )
    if not question.weighing.is_exact:
        said.append("Multiplicative sensitivities are computed in floats, to nine digits.")
    if len(question.lookup.matchings) > 1:
        said.append(
            "The risk is the mean over the directories by their prior (Bayes)."
            if question.attacker.prior
            else "The risk is that in the worst of the directories."
        )
    said += [conditions(question), "" if beside is None else beside.words()]
    return " ".join(part for part in said if part)
