"""What a reader of the released files can count; all that may be told about a release besides its verdict."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.exact import ratio
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules

Flags = NDArray[np.bool_]


def counts(release: Release) -> dict[str, Any]:
    """Count what the released files show, by the kind of the release; never what they do not show."""
    original, published = release.original, release.published
    if isinstance(published, PublishedRules):
        return _rules(release, published)
    if isinstance(original, Table) and isinstance(published, Table):
        return {"kind": "rows", **_rows(original, published), "order": release.order}
    coded = {"renamed": release.renamed, "order": release.order}
    if isinstance(published, Supports):
        return {"kind": "supports", "items": len(published.labels), **coded}
    # Items of the domain alone are in no file.
    items = int(np.count_nonzero(published.supports)) if isinstance(published, Transactions) else None
    labels = set() if release.renamed else set(release.categories.values())
    named = {"categories": len(labels)} if labels else {}
    return {"kind": "transactions", "rows": len(original), "items": items, **named, **coded}


def terms(release: Release) -> dict[str, Any]:
    """Say how classes were made and above which thresholds rules are listed, as their readers know it.

    Both are told as they were asked for: cuts that were found in the data are somebody's values, and that a list is not
    complete is told only where the owner says so, not where a rule is withheld.
    """
    table, rules = release.original, release.published
    known: dict[str, Any] = {}
    if isinstance(table, Table) and table.classes:
        known["classes"] = {column: classes.rule.told() for column, classes in table.classes.items()}
    if isinstance(rules, PublishedRules):
        limits = {name: ratio(getattr(rules, name)) for name in ("min_support", "min_confidence")}
        others = {name: getattr(rules, name) for name in ("scores", "distribution", "inclusive")}
        known["rules"] = limits | {name: value for name, value in others.items() if value != "withheld"}
        if release.rules is not None and not release.rules.complete:
            known["rules"]["complete"] = False
    return known


def _rules(release: Release, published: PublishedRules) -> dict[str, Any]:
    return {
        "kind": "rules",
        "rules": len(published.rules),
        "statements": len(release.published_statements),
        "scores": published.scores,
    }


def _rows(original: Table, published: Table) -> dict[str, Any]:
    others = original.origin.layout.others if original.origin else ()
    return {
        "rows": len(published),
        "columns": len(published.columns) + len(others),
        "empty": _by_column({name: published.columns[name] < 0 for name in published.columns}, published),
        "coarser": _coarser(original, published),
    }


def _coarser(original: Table, published: Table) -> dict[str, int]:
    """Count the entries with a coarser label; one that is a value of its own too would not be told from it."""
    marked = {}
    for name, labels in published.labels.items():
        if len(labels) > len(original.labels[name]):
            fine = set(map(str, original.labels[name]))
            coarser = [str(label) not in fine for label in labels]
            marked[name] = np.array([*coarser, False], np.bool_)[published.columns[name]]
    return _by_column(marked, published)


def _by_column(marked: Mapping[str, Flags], published: Table) -> dict[str, int]:
    sizes = {name: int(published.weights[there].sum()) for name, there in marked.items()}
    return {name: size for name, size in sizes.items() if size}
