"""The numbers of the attack `directory`, as the contract names them."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.directory.breaking_point import CompareStrength
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.look_alikes import crowds_in_table, numbered
from giveaway.attacks.directory.losses import GroupsTally, short
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.readings import readings
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import alike


def figures(
    question: DirectoryQuestion, tally: GroupsTally, strength: CompareStrength, true_risk: Chance | None
) -> dict[str, Any]:
    """Return the figures of a measured release."""
    own = question.lookup.is_own
    named = {
        "records": question.records,
        "exposed_records": None if tally.tolerance.identity is None else tally.over,
        "directory_size": question.lookup.sizes[0]
        if len(question.lookup.sizes) == 1
        else list(question.lookup.sizes),
        "risk": tally.risk,
        "identification_risk": tally.identification,
        "risk_if_listed": tally.risk_if_listed,
        "max_loss": tally.largest_loss,
        "min_candidates": tally.fewest,
        "records_without_candidate": tally.without,
        "factorised_risk": factorised(question) if question.own is None else None,
        "bayes_risk": tally.bayes,
        "worst_case_risk": tally.worst_case,
        **_look_alikes(question, tally),
        "k_in_original": int(question.lookup.crowds_of(question.groups).min()) if own else None,
        "disclosed_cells": question.disclosed_compared,
        "optimal_records": None,
        "columns": [
            {"column": question.attributes[place], "identifies": strength.identifies[place]}
            for place in strength.order
        ],
        "readings": readings(question, tally.tolerance),
    }
    if question.attacker.true_directory is not None:
        named["true_risk"] = true_risk
    if question.phis.wrong:
        named["risk_if_right"] = replace(tally, phis=replace(tally.phis, wrong=Fraction(0))).risk
    return {name: short(value) if isinstance(value, Fraction) else value for name, value in named.items()}


def _look_alikes(question: DirectoryQuestion, tally: GroupsTally) -> dict[str, int | None]:
    """Count the records that are published in the same form: k-anonymity of the release.

    In another directory the crowds are those of somebody who knows the method, and not counted for others.
    """
    groups, limited = question.groups, tally.tolerance.identity is not None
    sizes = crowds_in_table(question.forms, groups.count)
    counted = question.lookup.is_own or question.attacker.knows_method
    informed = question.attacker.knows_method
    crowds = question.crowds.min(axis=1) if informed else sizes
    smallest = int(crowds.min()) if counted else None
    below = int(groups.count[crowds < tally.tolerance.smallest_crowd].sum()) if counted and limited else None
    return {
        "k_in_release": int(sizes.min()) if question.lookup.is_own else None,
        "smallest_crowd": smallest,
        "records_below_crowd": below,
        "forms": int(numbered(question.forms)[0].max()) + 1,
    }


def factorised(question: DirectoryQuestion) -> float:
    """Return the risk if columns were independent, as in the paper; it may be far from any number of people."""
    groups, prior = question.groups, question.attacker.prior
    parts = []
    for directory, matching in enumerate(question.lookup.matchings):
        size = max(len(matching.people), 1)
        logs = np.full(len(groups.count), -np.log(size))
        nobody = np.zeros(len(groups.count), np.bool_)
        for place in range(question.lookup.compared):
            alone = _alone(question, directory, place)
            nobody |= alone == 0
            logs += np.log(size) - np.log(np.maximum(alone, 1))
        with np.errstate(over="ignore", invalid="ignore"):
            wrong = float(question.phis.wrong)
            losses = np.where(nobody, 0.0, (wrong + (1 - wrong) * np.exp(logs)) * question.phis.floats)
        losses[question.phis.floats == 0] = 0.0
        parts.append(float(losses @ groups.count) / max(question.records, 1))
    if not prior:
        return max(parts)
    return sum(float(part) * risk for part, risk in zip(prior, parts, strict=True) if part)


def _alone(question: DirectoryQuestion, directory: int, place: int) -> np.ndarray:
    """Count who agrees with one attribute of each group alone."""
    groups, matching = question.groups, question.lookup.matchings[directory]
    kinds, first = alike([groups.levels[:, place], groups.values[:, place]])
    values = np.full((len(first), len(question.attributes)), HIDDEN, np.int32)
    levels = np.zeros(values.shape, np.int8)
    values[:, place], levels[:, place] = groups.values[first, place], groups.levels[first, place]
    return matching.candidates(values, levels if levels.any() else None)[kinds]
