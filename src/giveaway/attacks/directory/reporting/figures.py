"""The numbers of the attack `directory`, as the contract names them."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.directory.breaking_point import CompareStrength
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.look_alikes import crowds_in_table, numbered
from giveaway.attacks.directory.losses import GroupsTally, short
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.readings.of_table import crowds_of, register_of, values_of
from giveaway.attacks.directory.readings.special_uniques import uniques_of
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Codes, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance


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
    if true_risk is not None:
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


_USUAL = Fraction(1, 5)
"""The chance above which a row is at risk, where the owner limits none."""
_COLUMNS = 3
"""The most columns of a special unique."""
_STEPS = 300_000
"""Special uniques are looked for where this many steps suffice: less than a second."""


def readings(question: DirectoryQuestion, tolerance: Tolerance) -> dict[str, Any]:
    """Read off the published rows, a blank being a value of its own, what `ga.readings` reads off the written file.

    Against directories rows and people are in one block if they are equal in the columns that both have, whatever
    `match` says: nobody is equal to a blank or a coarser label.
    """
    table, compared = _as_written(question), question.compared
    limit = _USUAL if tolerance.identity is None else tolerance.identity
    directories = () if question.lookup.is_own else [one.people for one in question.lookup.matchings]
    return {
        "columns": list(compared),
        **_short(asdict(crowds_of(table, compared, limit))),
        "registers": [_register(table, compared, people, limit) for people in directories],
        "sensitive": [
            _short(asdict(values_of(table, compared, name, _hierarchy(question, table, name))))
            for name in table.sensitive
            if name not in compared and table.labels[name]
        ],
        "suda": question.published.remember("suda", compared, lambda: _special_uniques(table, compared))
        if question.lookup.is_own
        else None,
    }


def _register(table: Table, compared: tuple[str, ...], people: People, limit: Fraction) -> dict[str, Any]:
    both = [name for name in compared if name in people.columns]
    return {
        "name": people.name,
        "columns": both,
        **_short(asdict(register_of(table, both, people, limit))),
    }


def _special_uniques(table: Table, compared: tuple[str, ...]) -> dict[str, Any] | None:
    try:
        return _short(uniques_of(table, compared, at_most=_COLUMNS, budget=_STEPS).as_dict())
    except BudgetExceeded:
        return None


def _as_written(question: DirectoryQuestion) -> Table:
    """Return what is published of the columns that are read; labels that are written the same become one."""
    published = question.published
    names = dict.fromkeys((*question.compared, *published.sensitive))
    shown = {name: _spelled(published.columns[name], published.labels[name]) for name in names}
    return Table(
        columns={name: codes for name, (codes, _) in shown.items()},
        labels={name: labels for name, (_, labels) in shown.items()},
        weights=published.weights,
        record_of=np.arange(
            len(published.weights)
        ),  # readings are of blocks, so that rows stay where they are
        sensitive=published.sensitive,
    )


def _spelled(codes: Codes, labels: tuple[Label, ...]) -> tuple[Codes, tuple[Label, ...]]:
    """Number the labels of a column that are shown by how they are written."""
    number: dict[str, int] = {}
    spelled = np.full(len(labels) + 1, -1, np.int32)
    for code in np.unique(codes[codes >= 0]).tolist():
        spelled[code] = number.setdefault(str(labels[code]), len(number))
    return spelled[codes], tuple(number)


def _hierarchy(question: DirectoryQuestion, table: Table, name: str) -> Hierarchy | None:
    """Return the hierarchy of a column; None where some entry shows a coarser label, which has no place in it."""
    hierarchy = question.release.hierarchies.get(name)
    if hierarchy is None or any(hierarchy.labels(label) is None for label in table.labels[name]):
        return None
    return hierarchy


def _short(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: short(value) if isinstance(value, Fraction) else value for name, value in values.items()}
