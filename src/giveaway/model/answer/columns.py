"""What a Summary tells of the columns of a table: what each is, and which are in classes, on ladders, or need them."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from giveaway.model.classes.fixed import Classes
from giveaway.model.data.table import Table

DIRECT, KNOWN, SENSITIVE, WEIGHED, UNJUDGED, LEFT_OUT = (
    "direct identifier",
    "known",
    "sensitive",
    "weighed",
    "unjudged",
    "left out",
)
"""What a column is: one that is sensitive and known to an attacker is both."""

_FEWEST_ROWS = 50
"""Of smaller tables everybody expects that most values occur once."""
_LISTED = 100
_ALONE = 10
"""Nearly everybody is alone where more than nine of ten rows have a value of their own."""


def variables(table: Table, known: Collection[str], others: Iterable[str]) -> list[dict[str, Any]]:
    """Tell of each column its roles, how many values it has and how many rows miss one; None where that was not read.

    `others` are the columns that are published without being judged.
    """
    left_out = table.origin.layout.left_out if table.origin else ()
    columns = [_unread(table.id, DIRECT)] if table.id is not None else []
    columns += [
        {"column": name, "roles": _roles(table, name, known), **_counts(table, name)}
        for name in table.columns
    ]
    columns += [_unread(name, UNJUDGED) for name in others]
    return columns + [_unread(name, LEFT_OUT) for name in left_out]


def _roles(table: Table, name: str, known: Collection[str]) -> list[str]:
    roles = [role for role, there in ((KNOWN, known), (SENSITIVE, table.sensitive)) if name in there]
    return roles or [WEIGHED]


def _counts(table: Table, name: str) -> dict[str, Any]:
    codes = table.columns[name]
    there = np.unique(codes[codes >= 0])
    return {"distinct": len(there), "missing": int(table.weights[codes < 0].sum())}


def _unread(name: str, role: str) -> dict[str, Any]:
    return {"column": name, "roles": [role], "distinct": None, "missing": None}


def grouped(table: Table, known: Iterable[str], crowd: int) -> dict[str, Any]:
    """Tell what was put into classes, which classes have fewer rows than the smallest crowd, and what was not."""
    alone = [
        {"column": name, "values": len(table.labels[name]), "rows": len(table)}
        for name in known
        if name not in table.classes
        and len(table) >= _FEWEST_ROWS
        and len(table.labels[name]) * _ALONE > len(table) * (_ALONE - 1)
    ]
    parts = {
        "classes": [
            _of_column(classes, crowd) for name, classes in table.classes.items() if name in table.columns
        ],
        "ladders": [
            {"column": name, "says": ladder.says}
            for name, ladder in table.ladders.items()
            if name in table.columns
        ],
        "alone": alone,
        "found_cuts": found_cuts(table),
    }
    return {name: entries for name, entries in parts.items() if entries}


def found_cuts(table: Table) -> list[str]:
    """Name the columns whose labels show cuts that were found in the data: each may be somebody's value."""
    in_classes = [name for name, classes in table.classes.items() if classes.rule.finds_cuts]
    in_ladders = [name for name, ladder in table.ladders.items() if ladder.finds_cuts]
    return [name for name in dict.fromkeys([*in_classes, *in_ladders]) if name in table.columns]


def _of_column(classes: Classes, crowd: int) -> dict[str, Any]:
    small = [(label, rows) for label, rows in classes.rows.items() if rows < crowd]
    return {
        "column": classes.column,
        "says": classes.rule.says(),
        "classes": len(classes.rows),
        "asked": classes.rule.quantiles,
        "whole": classes.whole if classes.rule.is_numeric else None,
        "small": [{"class": label, "rows": rows} for label, rows in small[:_LISTED]],
        "small_total": len(small),
    }
