"""What a release shows under the names that reviewers ask for: k, l, t, the risks of prosecutor and journalist, SUDA."""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.directory.losses import short
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.readings.of_table import crowds_of, register_of, uniques_of, values_of
from giveaway.errors import BudgetExceeded
from giveaway.model.data.arrays import Codes
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance

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
