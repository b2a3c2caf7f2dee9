"""The lines under a verdict: what was not judged, where limits come from, classes, cells like formulas."""

from collections.abc import Mapping, Sequence
from typing import Any

from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.words import count, counted, day, ended, joined, ratio_text

_SHOWN = 8


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


def preset_line(tolerance: Mapping[str, Any]) -> str:
    """Say which preset limits come from, in the words of its source; nothing where they come from none."""
    preset = tolerance.get("preset")
    if not preset:
        return ""
    quoted = f"“{preset['sentence']}” " if preset.get("sentence") else ""
    changed = preset.get("overridden") or []
    stated = [f"{name} {ratio_text(tolerance, name)}" for name in changed if tolerance.get(name) is not None]
    note = f" {ended(str(preset['note']))}" if preset.get("note") else ""
    other = f" Given otherwise: {joined(stated) or 'a limit that is not judged here'}." if changed else ""
    return f"Limits of the preset {preset['name']}: {quoted}({preset['source']}, read on {day(str(preset['read']))}).{note}{other}"


def limit_lines(summary: Summary) -> list[str]:
    """Say of all attackers where their limits come from, and what may not be meant, each thing once."""
    findings = summary.get("findings") or []
    lines = [preset_line(finding.get("tolerance") or {}) for finding in findings]
    lines += [str(text) for finding in findings for text in finding.get("remarks") or []]
    return list(dict.fromkeys(filter(None, lines)))


def formula_lines(summary: Summary) -> list[str]:
    """Say of each released file how many of its cells begin like a formula."""
    return [
        f"{counted(file['formulas'], 'cells')} of {file['file']} begin{'s' if file['formulas'] == 1 else ''} like a "
        "formula, and a spreadsheet may run the content. The release is exact: nothing was changed in it. "
        "Import the file as text."
        for file in summary.get("written") or []
        if file.get("formulas")
    ]


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
    few = f"Classes with fewer rows than the smallest crowd that you tolerate: {'; '.join(lines)}."
    return few if lines else ""


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
