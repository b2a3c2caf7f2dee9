"""The variables of a release, each with its role and what was done to it."""

from collections.abc import Mapping
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.report.review.blocks import MEASURED, OPEN, Block, field, grid
from giveaway.report.wording import sentences
from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.under_verdict import class_lines
from giveaway.report.wording.words import DASH, count, count_or_dash, counted, joined, number, percent

_UNLISTED = "They were not listed when this was saved: assess the release again."
_GONE = {"direct identifier": "removed", "left out": "left out", "unjudged": "published as it is"}


def columns(summary: Summary) -> list[Block]:
    """List the columns of a table; of transactions say what there is to say of their items."""
    data = summary.get("data") or {}
    variables = data.get("variables") or []
    if not variables:
        rest = _items(summary) if data.get("kind") != "table" else [field("Columns", _UNLISTED, OPEN)]
        return [field("What was read", sentences.size(data), MEASURED), *rest]
    head = ("Column", "Role", "Values", "Missing", "How treated", "Changed", "Identifies")
    rows = [_row(one, summary) for one in variables]
    blocks: list[Block] = [grid("Columns", head, rows, MEASURED, right=(2, 3, 5, 6))]
    lines = class_lines(summary)
    return [*blocks, field("Classes and hierarchies", lines, MEASURED)] if lines else blocks


def _items(summary: Summary) -> list[Block]:
    released = summary.get("released") or {}
    items = (summary.get("withheld") or {}).get("items") or []
    lines = (
        [f"{counted(len(items), 'items')} withheld from every {nouns().transaction}."]
        if items
        else [f"No {nouns().item} was withheld."]
    )
    lines += [nouns().told("Items are published under random codes.")] if released.get("renamed") else []
    named = [label(item) for item in items]
    return [
        field(f"What was done to the {nouns().items}", lines, MEASURED),
        *([field(f"Withheld {nouns().items}", joined(named), MEASURED)] if named else []),
    ]


def _row(one: Mapping[str, Any], summary: Summary) -> tuple[str, ...]:
    column, roles = str(one["column"]), [str(role) for role in one["roles"]]
    held, rows = summary.get("withheld") or {}, (summary.get("data") or {}).get("rows")
    blank = (held.get("cells_by_column") or {}).get(column) or 0
    coarse = (held.get("coarser_by_column") or {}).get(column) or 0
    changed, listed = blank + coarse, (summary.get("released") or {}).get("kind") == "rules"
    return (
        label(column),
        joined(roles),
        count_or_dash(one.get("distinct")),
        count_or_dash(one.get("missing")),
        next((_GONE[role] for role in roles if role in _GONE), None)
        or _treated(column, blank, coarse, summary),
        DASH if not rows or listed or set(roles) & _GONE.keys() else percent(changed / rows),
        _identifies(column, summary),
    )


def _treated(column: str, blank: int, coarse: int, summary: Summary) -> str:
    if (summary.get("released") or {}).get("kind") == "rules":
        return "in rules only"
    grouped = {str(one["column"]): one for one in (summary.get("data") or {}).get("classes") or []}
    ways = [f"classes: {grouped[column]['says']}"] if column in grouped else []
    ways += [f"{count(blank)} left blank"] if blank else []
    ways += [f"{count(coarse)} made coarser"] if coarse else []
    return joined(ways) or "kept"


def _identifies(column: str, summary: Summary) -> str:
    """Say how much a column identified as planned, where an attack tells it."""
    for finding in summary.get("before") or summary.get("findings") or []:
        figures = finding.get("figures") or {}
        parts = figures.get("columns")
        for part in parts if isinstance(parts, list) else []:
            if str(part.get("column")) == column:
                return percent(number(part, "identifies"))
    return DASH
