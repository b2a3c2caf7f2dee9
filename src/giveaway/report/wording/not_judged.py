"""The line under every verdict that says what was not judged."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.words import joined


def not_judged_line(summary: Summary) -> str:
    """Say in one line what was not judged; nothing for a Summary that does not tell."""
    entries = _entries(summary)
    return f"Not judged: {', '.join(str(entry['says']) for entry in entries)}." if entries else ""


def unjudged_columns(summary: Summary) -> str:
    """Name the columns that were not judged, for the owner."""
    names = [label(name) for entry in _entries(summary) for name in entry.get("names") or []]
    return f"Not judged columns: {joined(names)}." if names else ""


def looks_like_line(summary: Summary) -> str:
    """Point out columns that were not judged and look like more than categories, for the owner."""
    shapes = [
        (label(name), str(shape))
        for entry in _entries(summary)
        for name, shape in (entry.get("looks_like") or {}).items()
    ]
    if not shapes:
        return ""
    (first, shape), *others = shapes
    parts = [f"{first} looks like {shape}", *(f"{name} like {other}" for name, other in others)]
    return f"{', '.join(parts)}."


def _entries(summary: Summary) -> list[Mapping[str, Any]]:
    return list(summary.get("not_judged") or [])
