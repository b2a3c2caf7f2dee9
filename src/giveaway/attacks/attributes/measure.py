"""Measure how well hidden entries can be inferred by rules from what a release shows."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import numpy as np

from giveaway.attacks.attributes.attacker import KnowsAttributes, supporters
from giveaway.attacks.attributes.exposed_secrets import Tally
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.question import Question, ask
from giveaway.attacks.attributes.reporting import curves, sentences
from giveaway.attacks.attributes.reporting.exposures import Exposures, Inference
from giveaway.attacks.attributes.reporting.leaking_rules import leaking_rules
from giveaway.attacks.attributes.sensitive_column import Part
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.model.answer.risk import Chance, Exposure, HoldsUpTo, How, Level, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsAttributes,
    tolerance: Tolerance,
    need: NeedsCells | None,
    effort: Effort,  # noqa: ARG001 - all attacks are measured alike, and this one needs no chance
) -> Risk:
    """Find for each secret the best rule from its visible conditions to its true value.

    Li et al., section 2.2; the partial table is safe when no rule is over the limit.
    """
    question = ask(release, attacker, tolerance, need)
    tally = Tally(question=question)
    exposures = Exposures(question)
    holds = _holds(question, tally)
    hidden, entries = question.hidden_entries, question.entries
    unsafe = sum(len(part.unsafe) for part in question.parts)
    return Risk(
        levels=(_level(question, exposures),),
        share=Fraction(tally.exposed, max(question.secrets, 1)),
        over=tally.exposed,
        exposures=exposures,
        how=How(method="exact", detail=_detail(question, unsafe)),
        figures={
            "records": question.records,
            "sensitive_records": question.secrets,
            "unsafe_rules": unsafe,
            "exposed_records": tally.exposed,
            "worst_visible_confidence": _visible(question),
            "hidden_entries": hidden,
            "removal_rate": Fraction(hidden, max(question.records * len(question.columns), 1)),
            "lower_bound": None,
            "optimal": None,
            "rounds": None,
            "breaking_point": holds.value,
            "rules": leaking_rules(question),
        },
        holds_up_to=holds,
        curves=(
            curves.chances(question, tally),
            curves.strength(question, tally, holds),
            curves.limits(question, tally),
        ),
        worked=exposures.worked(),
        kept={"cells": entries - hidden, "cells_total": entries},
        reasons=_reasons(question, tally),
        against=sentences.AGAINST,
        warning=_warning(question),
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld: that of the best rule that is left."""
    return exposure.chance_in(release) if isinstance(exposure, Inference) else exposure.chance


def _level(question: Question, exposures: Exposures) -> Level:
    if not len(exposures):
        return Level(kind="attribute", worst=Fraction(0), limit=question.limit)
    worst = exposures[0]
    return Level(kind="attribute", worst=worst.chance, limit=question.limit, baseline=worst.baseline)


def _holds(question: Question, tally: Tally) -> HoldsUpTo:
    """Find the longest rules within tolerance; no rule uses more columns than the attacker knows."""
    broken = next(
        (length for length, exposed in enumerate(tally.by_length, 1) if exposed > question.allowed), None
    )
    if broken is None:
        known = len(question.attacker.columns)
        return HoldsUpTo(value=known, unit="columns", at_least=True, whole_scale=True)
    return HoldsUpTo(value=broken - 1 or None, unit="columns")


def _visible(question: Question) -> Fraction | None:
    """Return the worst confidence for somebody who leaves rows with a hidden sensitive entry out of the count."""
    found = [part.best.visible for part in question.parts if part.best.visible is not None]
    return max(found, default=None)


def _detail(question: Question, unsafe: int) -> str:
    least = question.attacker.trusts_support_above
    trusted = f" that {supporters(least)}" if least else ""
    over = sentences.counted(unsafe, "is", "are") if unsafe else "none is"
    return (
        f"Every rule from visible columns to the true value of a secret{trusted} was counted; {over} over your limit. "
        "Rows with a hidden sensitive entry count among those that a rule is about."
    )


def _reasons(question: Question, tally: Tally) -> tuple[str, ...]:
    said = []
    if tally.exposed > question.allowed:
        whole = sentences.counted(question.secrets, "secret entry", "secret entries")
        said.append(f"{tally.exposed:,} of {whole} can be inferred from the other columns.")
    notes = (_common_values, _without_value, _assumptions)
    return (*said, *(note for of in notes for note in of(question)))


def _warning(question: Question) -> str | None:
    """Warn of somebody who counts otherwise than this attack and is over the limit, by a rule or without any."""
    visible = _visible(question)
    if visible is not None and visible > question.limit:
        return sentences.leaving_out(visible, question.limit)
    commonest = max((share for *_, share in _common(question)), default=None)
    return None if commonest is None else sentences.without_rule(commonest, question.limit)


def _common(question: Question) -> Iterator[tuple[Part, int, Fraction]]:
    """Give the secret values that more of the visible entries show than tolerated: the base rate."""
    for part in question.parts:
        for value in np.unique(part.table.truth[part.best.groups]).tolist():
            if part.share(value) > question.limit:
                yield part, value, part.share(value)


def _common_values(question: Question) -> list[str]:
    """Name the values that are guessed without any rule."""
    return [
        f"{part.column} {sentences.named(question.label(part.column, value))} is shown by {sentences.percent(share)} of the "
        "visible entries: somebody who leaves blank entries out of the count guesses it without any rule."
        for part, value, share in _common(question)
    ]


def _without_value(question: Question) -> list[str]:
    """Count the secrets of which nothing is inferred, because they have no value or none worth protecting."""
    missing = sum(int((part.truth == UNKNOWN).sum()) for part in question.parts)
    attacked = sum(int(part.table.count[part.best.groups].sum()) for part in question.parts)
    unjudged = question.secrets - missing - attacked
    said = []
    if missing:
        entries = sentences.counted(missing, "secret entry", "secret entries")
        said.append(f"{entries} without a value counted as safe: there is nothing to infer.")
    if unjudged:
        entries = sentences.counted(unjudged, "secret entry", "secret entries")
        said.append(f"{entries} with a value that you do not ask to protect counted as safe.")
    return said


def _assumptions(question: Question) -> list[str]:
    """Say what the answer rests on when conditions of secrets are withheld."""
    cells = question.release.withheld.cells
    return [sentences.ASSUMPTION] if question.has_conditions_of_secrets(cells) else []
