"""Choose what each record discloses, so that somebody with a directory is within tolerance."""

from math import isinf
from typing import Any

from giveaway.attacks.directory.attacker import DirectoryOptions, KnowsDirectory
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.choose import ChosenColumns
from giveaway.attacks.directory.protecting.crowd import in_crowds
from giveaway.attacks.directory.protecting.ledger import kept_curve, replay
from giveaway.attacks.directory.protecting.levels import in_levels
from giveaway.attacks.directory.protecting.need import check_likelihood
from giveaway.attacks.directory.protecting.plan import PlannedValues, Planner
from giveaway.attacks.directory.protecting.public_list import within_values
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.reporting.sentences import amount, counted, records
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def protect(
    release: Release,
    attacker: KnowsDirectory,
    tolerance: Tolerance,
    need: NeedsColumns | None,
    effort: Effort,
    options: DirectoryOptions,
) -> Protection:
    """Withhold values by crowds or levels that hold for whoever knows the method; for others as few as possible.

    Lebanon et al., section 3: disclosure rules, by counting the people who agree; the risk is least for what is needed,
    and what the tolerance allows is put back.
    """
    question = ask(release, attacker)
    check_likelihood(question, options)
    method = options.method
    if method == "auto" and (attacker.knows_method or question.beside):
        method = "crowd"
    if question.beside and method != "crowd":
        _check_beside(method)
        question = question.whole
    if method in ("crowd", "levels"):
        _check_fills(need)
    if method == "crowd":
        return in_crowds(question, tolerance, need, effort)
    if method == "levels":
        return in_levels(question, tolerance, need, effort, options)
    planner = Planner(
        question=question, tolerance=tolerance, need=need, options=options, thorough=effort.exact
    )
    planned = planner.plan()
    if not within_values(question, planned.release, tolerance):
        if not planner.fills:
            raise NoSafeRelease(
                "Of the choices with exactly as many values as are needed, the one with the least risk is over the limit of "
                "attribute, and no other was tried.",
                helps=("Set fill = true, or leave out the limit of attribute.",),
            )
        return in_crowds(question, tolerance, need, effort)
    why = "minrisk" if options.method == "minrisk" else "least risk"
    ledger, stages = replay(question, planned.release, tolerance, why)
    return Protection(
        release=planned.release,
        figures=_figures(question, planned, tolerance),
        curves=kept_curve(question, ledger, stages),
        ledger=ledger,
        detail=_detail(question, planned, planner),
    )


def _check_beside(method: str) -> None:
    """Refuse ways to protect that tell somebody who knows the method whose entries were withheld for another."""
    if method != "levels":
        raise ScenarioError(
            f'method = "{method}" holds for somebody who does not know the method, and beside them somebody is asked about who '
            "does.",
            hint="leave the method out.",
        )


def _check_fills(need: NeedsColumns | None) -> None:
    """Refuse exactly so many values where crowds or levels decide how many there are."""
    if need is not None and not need.fill:
        raise ScenarioError(
            "fill = false discloses exactly this many values, and with crowds or levels, which hold for whoever knows the "
            "method, it is they that decide how many.",
            hint="set knows_method = false and leave the method out, or set fill = true.",
        )


def _figures(question: DirectoryQuestion, planned: PlannedValues, tolerance: Tolerance) -> dict[str, Any]:
    """Say how good the choice is: what any safe release withholds, or the least risk that serves the need."""
    chosen, after = planned.chosen, ask(planned.release, question.attacker)
    risk = float(judged(after, tolerance).risk_if_listed)
    least = None if chosen.least is None or isinf(chosen.least) else min(chosen.least, risk)
    gap = None
    withheld = question.disclosed - after.disclosed
    fewest = None if chosen.most is None else question.disclosed - chosen.most
    if fewest is not None:
        gap = 0.0 if withheld <= fewest else (withheld - fewest) / withheld
    elif least is not None:
        gap = 0.0 if risk <= least else (risk - least) / risk
    return {
        "optimal_records": chosen.proved,
        "lower_bound": None if fewest is None else question.entries - question.disclosed + fewest,
        "least_risk": least,
        "gap": gap,
    }


def _proved(question: DirectoryQuestion, chosen: ChosenColumns) -> str:
    """Say what is proved of the choice by itself."""
    if not chosen.together:
        return f"For {chosen.proved:,} of {records(question.records)} no other choice of as many values within the limits is better; that is proved."
    whether = "proved" if chosen.proved else "not proved"
    return f"The choice for all {nouns().records} together is {whether} to have the least risk that serves the need."


def _detail(question: DirectoryQuestion, planned: PlannedValues, planner: Planner) -> str:
    """Say how values were chosen, and what is proved of the choice."""
    if not planned.cells and not planned.levels:
        return "Nothing needed to be withheld."
    how = (
        "by MinRisk, as if columns were independent, and judged by counting people"
        if planner.options.method == "minrisk"
        else f"for each {nouns().record} by counting the people who agree"
    )
    chosen = planned.chosen
    parts = [f"What to disclose was chosen {how}; equal {nouns().records} are taken from the first row on."]
    if chosen.proved or (chosen.most is None and chosen.least is None) or chosen.together:
        parts.append(_proved(question, chosen))
    serving = "" if planner.need is None else " that serves the need"
    if chosen.most is not None:
        left = ask(planned.release, question.attacker).disclosed
        parts.append(
            f"It is proved that no safe release{serving} discloses more values."
            if left >= chosen.most
            else f"{left:,} values are disclosed; no safe release{serving} discloses more than {chosen.most:,}."
        )
    if chosen.least is not None:
        within = "" if planner.tolerance.identity is None else " within the limit of identity"
        parts.append(f"No choice{serving}{within} has a risk below {amount(chosen.least)}.")
    if chosen.most is None and chosen.least is None:
        better = "discloses more values" if planner.fills else "has a smaller risk"
        parts.append(f"It is not proved that no safe release{serving} {better}.")
    if planned.levels:
        parts.append(
            f"Of {counted(len(planned.levels), 'values')} a coarser label is disclosed; it weighs as much as the value."
        )
    return " ".join(parts)
