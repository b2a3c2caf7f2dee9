"""The columns of a table one by one: what each is here, and how many values it has."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

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
