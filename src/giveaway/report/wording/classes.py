"""What was put into classes, and what should be."""

from collections.abc import Mapping, Sequence
from typing import Any

from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.words import count, counted, joined

_SHOWN = 8


def class_lines(summary: Summary, *, public: bool = False) -> list[str]:
    """Say how classes were made; to the owner also how many there are, and which have few rows."""
    listed = _listed(summary, "classes")
    classes = [f"{label(one['column'])} {one['says']}{'' if public else _number(one)}" for one in listed]
    lines = [f"Published in classes: {'; '.join(classes)}."] if classes else []
    if public:
        return lines
    ruled = [f"{label(one['column'])} {one['says']}" for one in _listed(summary, "ladders")]
    coarser = [f"May be published coarser: {'; '.join(ruled)}."] if ruled else []
    return [*lines, *coarser, *found_cuts_line([str(name) for name in _listed(summary, "found_cuts")])]


def found_cuts_line(columns: Sequence[str]) -> list[str]:
    """Say that labels may show values of people, where cuts were found in the data; nothing where none were."""
    named = joined([label(name) for name in columns])
    line = (
        f"Cuts of {named} were found in the data and rounded: labels show them, and they may still be values of people. "
        "Cuts of your own tell nobody's value."
    )
    return [line] if columns else []


def small_classes(summary: Summary) -> str:
    """Name the classes that fewer rows have than the smallest crowd: there people stand alone."""
    lines = []
    for one in _listed(summary, "classes"):
        named = [
            f"{label(small['class'])} ({count(small['rows'])})" for small in (one.get("small") or [])[:_SHOWN]
        ]
        more = (one.get("small_total") or len(named)) - len(named)
        if named:
            lines.append(
                f"{label(one['column'])} {', '.join(named)}{f' and {count(more)} more' if more else ''}"
            )
    return (
        f"Classes with fewer rows than the smallest crowd that you tolerate: {'; '.join(lines)}."
        if lines
        else ""
    )


def alone_lines(summary: Summary) -> list[str]:
    """Point at columns in which nearly everybody has a value of their own."""
    return [
        f"{label(one['column'])} has {count(one['values'])} values in {count(one['rows'])} rows: nearly everybody is "
        "alone; see classes."
        for one in _listed(summary, "alone")
    ]


def _number(one: Mapping[str, Any]) -> str:
    asked, there = one.get("asked"), one["classes"]
    fewer = (
        ", fewer than asked for: equal values stay together, and so do those between which rounded cuts are equal"
        if asked and there < asked
        else ""
    )
    broken = ", written [a, b) since not all numbers are whole" if one.get("whole") is False else ""
    return f" ({counted(there, 'classes')}{fewer}{broken})"


def _listed(summary: Summary, name: str) -> list[Any]:
    return list((summary.get("data") or {}).get(name) or [])
