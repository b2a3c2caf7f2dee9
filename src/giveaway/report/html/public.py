"""What the public edition says: what was asked, the verdict, and what every reader of the released files can count.

A fact is public only if it is counted in the released files or is a setting. Nothing that was measured is drawn, because
measuring looks at what is withheld: two originals with the same released files have the same page.
"""

from collections.abc import Mapping
from typing import Any

from giveaway.report.html import page
from giveaway.report.html.released import facts, holds
from giveaway.report.html.views import limits, named_readings, tolerated
from giveaway.report.wording import readings, sentences
from giveaway.report.wording.earlier import judged_line
from giveaway.report.wording.phrases import does
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.under_verdict import class_lines
from giveaway.report.wording.words import joined, number, sentence, spelled

_SETTINGS = ("attack", "safe", "tolerance", "breach_at_limit", "words", "limits", "paper")
"""What is told of an attacker: settings, and the verdict."""


def parts(summary: Summary) -> dict[str, Any]:
    """Return the parts of the public edition; facts are told only of a release that is safe."""
    safe = summary["verdict"] == "safe"
    findings = [_publicly(finding) for finding in summary.get("findings") or []]
    data, released, written = (summary.get(name) or {} for name in ("data", "released", "written"))
    limits_of_methods = [sentence(str(limit)) for one in findings for limit in one.get("limits") or []]
    return {
        "safe": safe,
        "title": _title(summary),
        "lead": _lead(summary, released if written else {})
        if safe
        else "It counts as unsafe. This page says what was tested, without figures.",
        "classes": " ".join(class_lines(summary, public=True)),
        "judged": judged_line(summary),
        "rows": [_row(i, finding) for i, finding in enumerate(findings, 1)],
        "facts": facts(released, classes=bool(data.get("classes"))) if safe and written else [],
        "readings": _readings(findings) if safe else [],
        "not_tested": ["Attackers with more knowledge than stated.", *dict.fromkeys(limits_of_methods)],
        "methods": _methods(findings),
        "released": [(str(file["file"]), page.released(file)) for file in summary.get("written") or []]
        if safe
        else [],
        "closing": page.closing(summary).split(". ")[0] + ".",
    }


def _publicly(finding: Finding) -> Finding:
    """Keep of an attacker what is a setting or is counted in the released files; files of the owner are not named."""
    limited = [
        {name: kind[name] for name in ("kind", "limit", "limit_exact") if name in kind}
        for kind in finding.get("kinds") or []
        if kind.get("limit") is not None
    ]
    return {name: finding.get(name) for name in _SETTINGS} | {
        "knows": finding.get("knows_publicly") or f"what the attack {finding['attack']} assumes",
        "kinds": limited,
        "figures": {
            name: value for name, value in (finding.get("figures") or {}).items() if name == "readings"
        },
    }


def _row(place: int, finding: Finding) -> dict[str, Any]:
    """Lay out one attacker, and each limit that the owner set with what it is a limit on."""
    limited = [(str(kind["kind"]), number(kind, "limit")) for kind in finding["kinds"]] or limits(finding)
    return {
        "number": place,
        "knows": str(finding["knows"]),
        "could": sentences.could(finding),
        "tolerated": [(tolerated(finding, kind, limit), does(finding, kind)) for kind, limit in limited],
        "safe": finding["safe"],
    }


def _readings(findings: list[Finding]) -> list[tuple[Any, ...]]:
    """Lay out what is read off the released rows, once for the same columns.

    What is read off a directory of the owner is nobody else's.
    """
    rows: dict[str, tuple[Any, ...]] = {}
    for place, finding in enumerate(findings, 1):
        lines = named_readings(finding, public=True)
        if lines:
            where = readings.columns_of(finding)
            rows.setdefault(where, (place, where, lines))
    return list(rows.values())


def _title(summary: Summary) -> str:
    number = len(summary.get("findings") or [])
    if not number:
        return "Nothing was tested: the question could not be understood."
    against = "one attacker" if number == 1 else f"{spelled(number)} attackers"
    if summary["verdict"] == "safe":
        return f"This release was tested against {against} and stays within its owner\u2019s limits."
    if summary["verdict"] == "at risk":
        return f"This release was tested against {against} and is not within its owner\u2019s limits."
    return "This release was tested, and no verdict was reached."


def _lead(summary: Summary, released: Mapping[str, Any]) -> str:
    unjudged = (summary.get("data") or {}).get("unjudged") or 0
    sentence = holds(released, unjudged=unjudged) or "It is planned; no files were written yet."
    return f"{sentence} This page says what was tested, how, and what was not.".strip()


def _methods(findings: list[Finding]) -> list[tuple[str, str]]:
    """Say of each attack where its method comes from, with the attackers that it is about."""
    methods: dict[tuple[str, str], list[str]] = {}
    for place, finding in enumerate(findings, 1):
        methods.setdefault((str(finding["attack"]), str(finding["paper"] or "")), []).append(str(place))
    return [(f"{joined(places)}. {attack}", paper) for (attack, paper), places in methods.items()]
