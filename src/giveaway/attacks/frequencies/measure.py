"""Measure how many renamed items somebody recognises by how often they occur."""

from fractions import Fraction
from typing import Any, Literal

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.breaking_point import Breaking, breaking
from giveaway.attacks.frequencies.itemsets.exposures import RecognisedSet
from giveaway.attacks.frequencies.itemsets.measure import measure_sets
from giveaway.attacks.frequencies.question import Question, see
from giveaway.attacks.frequencies.reporting import curves, sentences
from giveaway.attacks.frequencies.reporting.exposures import Exposures, Recognised
from giveaway.attacks.frequencies.reporting.figures import (
    CrackRisk,
    contradictions,
    doubt,
    kept,
    short,
    sizes,
)
from giveaway.attacks.frequencies.reporting.similar_data import similar
from giveaway.model.answer.risk import Chance, Curve, Exposure, How, Level, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsFrequencies,
    tolerance: Tolerance,
    need: Need | None,  # noqa: ARG001 - all attacks are measured alike, and this one serves no need
    effort: Effort,
) -> Risk:
    """Find how likely each item, or set of items, is told from its codes.

    Lakshmanan et al., Figures 8, 9 and 25: the recipes, with exact chances where the work allows.
    """
    seen = see(release, attacker, effort)
    if attacker.wants_sets:
        return measure_sets(seen, tolerance)
    return _measure_items(Question(seen=seen, tolerance=tolerance))


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance of an exposure once more is withheld."""
    target = exposure.target if isinstance(exposure.target, tuple) else (exposure.target,)
    if set(target) & set(release.withheld.items):
        return "withheld"
    if isinstance(exposure, Recognised | RecognisedSet):
        return exposure.chance_in(release)
    return exposure.chance


def _measure_items(question: Question) -> Risk:
    seen, tolerance = question.seen, question.tolerance
    found = breaking(question)
    exposures = Exposures(question)
    fraction = short(_divided(question.expected, question.targets))
    return CrackRisk(
        levels=_levels(question, exposures),
        share=None if tolerance.identity is None else question.share_of(question.vulnerable),
        over=int(question.vulnerable[question.in_question].sum()),
        exposures=exposures,
        how=_how(question),
        figures=sizes(seen) | _figures(question, found, fraction),
        holds_up_to=found.holds,
        average=fraction,
        curves=(curves.chances(question), *curves.strength(question, found), *_similar(question, found)),
        worked=exposures.worked(),
        kept=kept(seen),
        reasons=(*contradictions(seen), *_reasons(question)),
        doubt=doubt(seen),
        largest=exposures[0].chance if len(exposures) else Fraction(0),
    )


def _divided(value: Chance, number: int) -> Chance:
    return value / max(number, 1)


def _levels(question: Question, exposures: Exposures) -> tuple[Level, ...]:
    tolerance, guess = question.tolerance, Fraction(1, question.seen.number)
    levels = []
    if tolerance.identity is not None:
        worst = exposures[0].chance if len(exposures) else Fraction(0)
        levels.append(Level(kind="identity", worst=worst, limit=tolerance.identity, baseline=guess))
    if tolerance.average is not None:
        average = _divided(question.expected, question.targets)
        levels.append(Level(kind="average", worst=average, limit=tolerance.average, baseline=guess))
    return tuple(levels)


def _how(question: Question) -> How:
    """Say how the chances were found, and what is added before judging."""
    chances = question.seen.solution.chances
    return How(
        method=chances.method,
        detail=f"{chances.detail}{_part_right(question)}",
        margin=question.judged.margin,
    )


def _part_right(question: Question) -> str:
    attacker = question.seen.attacker
    if attacker.compliance == 1:
        return ""
    part = sentences.percent(attacker.compliance)
    if question.chosen is None:
        return f" {part} of the items, drawn at random, are believed rightly, so that this part of all cracks is expected."
    which = {"worst": "most exposed", "best": "least exposed", "frequency": "least frequent"}[attacker.order]
    return f" The {part} {which} items are believed rightly; no other is cracked."


def _figures(question: Question, found: Breaking, fraction: Chance | None) -> dict[str, Any]:
    seen = question.seen

    def part(value: Chance | None) -> Chance | None:
        return None if value is None else short(question.drawn * value)

    items = question.in_question
    made = {
        "o_estimate": part(seen.estimated(items, propagate=True)),
        "o_estimate_plain": part(seen.estimated(items, propagate=False)),
        "expected_cracks": short(question.expected),
        "expected_fraction": fraction,
        "breaking_point": short(found.plain),
        "breaking_point_exact_risk": short(found.random) if seen.solution.possible else None,
        "breaking_point_worst": found.worst,
        "breaking_point_best": found.best,
    }
    if seen.pairs is None:
        return made
    return made | {
        "adjusted_o_estimate": part(seen.adjusted(items, propagate=True)),
        "adjusted_o_estimate_plain": part(seen.adjusted(items, propagate=False)),
    }


def _similar(question: Question, found: Breaking) -> tuple[Curve, ...]:
    drawn = similar(question.seen)
    return () if drawn is None else (curves.similar_data(drawn, found.stated),)


def _reasons(question: Question) -> tuple[str, ...]:
    tolerance, said = question.tolerance, []
    items = sentences.counted(question.targets, "item", "items")
    average = _divided(question.expected, question.targets)
    if tolerance.average is not None and average > tolerance.average:
        said.append(
            f"{float(question.expected):,.1f} of {items} are expected to be cracked, {sentences.percent(average)}; you "
            f"tolerate {sentences.percent(tolerance.average)}."
        )
    if tolerance.identity is not None and question.share_of(question.vulnerable) > tolerance.share:
        number = int(question.vulnerable[question.in_question].sum())
        said.append(
            f"{number:,} of {items} can be cracked with a chance of {sentences.percent(tolerance.identity)} or more."
        )
    return tuple(said)
