"""What a release withholds, as the Summary lists it and as a scenario states it."""

import csv
import io
from collections.abc import Iterator
from heapq import merge
from itertools import islice
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.plain import exactly, plain
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def withheld(release: Release, listed: int | None) -> dict[str, Any]:
    """Return what is withheld besides the secrets, of the entries at most `listed` (None: all).

    Entries of which a coarser label is published have their `level`.
    """
    table, held = release.original, release.withheld
    cells = held.cells - release.secrets
    sensitive = table.sensitive if isinstance(table, Table) else ()
    rules = [
        {
            "condition": plain(dict(rule.condition)),
            "value": plain(rule.value),
            "column": rule.sensitive or sensitive[0],
        }
        for rule in held.rules
    ]
    return {
        "items": plain(held.items),
        "items_coarser": [
            {"item": plain(item), "label": plain(label), "level": held.item_levels[item]}
            for item, label in release.categories.items()
        ],
        "cells": [
            {"record": plain(record), "column": column} | ({"level": level} if level else {})
            for record, column, level in islice(_entries(release), listed)
        ],
        "cells_total": len(cells),
        "coarser_total": len(release.coarser),
        "coarser_by_column": {
            column: len(release.coarser.of(column)[0]) for column in release.coarser.columns
        },
        "cells_by_column": {column: len(cells.positions(column)) for column in cells.columns},
        "secrets": len(release.secrets),
        "rules": rules,
    } | _of_rules(release)


def _entries(release: Release) -> Iterator[tuple[Label, str, int]]:
    """Give the entries that are withheld besides the secrets: the record, the column, and the level that is published or 0."""
    table = release.original
    if isinstance(table, Table):
        hidden = ((row, column, 0) for row, column in release.withheld.cells - release.secrets)
        for row, column, level in merge(hidden, release.coarser):
            yield table.record(row - 1), column, level


def _of_rules(release: Release) -> dict[str, Any]:
    """Return what is withheld of a list besides its rules."""
    if release.rules is None:
        return {}
    held = release.withheld
    limits = {name: getattr(held, name) for name in ("min_support", "min_confidence")}
    return {
        "scores": held.scores,
        "thresholds": exactly({name: limit for name, limit in limits.items() if limit is not None}),
        "statements": [str(statement) for statement in held.statements],
    }


def as_stated(release: Release) -> str:
    """Write what is withheld as the file that a scenario names: one item a line, or one entry of a table."""
    table = release.original
    if release.rules is not None:
        raise ScenarioError(
            "What is withheld of rules is not stated in a file.", hint="publish the rules that are left."
        )
    if not isinstance(table, Table):
        return "".join(f"{_line(item)}\n" for item in release.withheld.items)
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["row" if table.id is None else table.id, "column", "level"])
    lines.writerows((record, column, level or "") for record, column, level in _entries(release))
    return out.getvalue()


def _line(item: Label) -> str:
    text = str(item)
    if not text or text.strip() != text or len(text.splitlines()) != 1:
        raise ScenarioError(f"The {nouns().item} {item!r} cannot be written on a line of its own.")
    return text
