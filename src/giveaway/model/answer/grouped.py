"""What a Summary tells of classes and ladders, and of columns that need them."""

from collections.abc import Iterable
from typing import Any

from giveaway.model.classes.fixed import Classes
from giveaway.model.data.table import Table

_FEWEST_ROWS = 50
"""Of smaller tables everybody expects that most values occur once."""
_LISTED = 100
_ALONE = 10
"""Nearly everybody is alone where more than nine of ten rows have a value of their own."""


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
