"""What the public edition says: limits, results, and what every reader of the released files can count."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from giveaway.report.html import page
from giveaway.report.html.released import facts, holds
from giveaway.report.html.views import Reading, Row, named_readings, row
from giveaway.report.wording import earlier, readings, sentences
from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.words import joined, sentence, spelled

Finding = Mapping[str, Any]


def parts(summary: Summary) -> dict[str, Any]:
    """Return the parts of the public edition; figures are given only for a release that is safe."""
    safe = summary["verdict"] == "safe"
    findings = [_publicly(finding) for finding in summary.get("findings") or []]
    data, released, written = (summary.get(name) or {} for name in ("data", "released", "written"))
    return {
        "safe": safe,
        "title": _title(summary),
        "lead": _lead(summary, released if written else {}) if safe else _lead_unsafe(),
        "rows": [_row(i, finding) for i, finding in enumerate(findings, 1)],
        "facts": facts(released, classes=bool(data.get("classes"))) if safe and written else [],
        "readings": _readings(findings) if safe else [],
        "not_tested": _not_tested(findings),
        "methods": _methods(findings),
        "released": [(str(file["file"]), page.released(file)) for file in summary.get("written") or []]
        if safe
        else [],
        "closing": page.closing(summary).split(". ")[0] + ".",
    }


def _publicly(finding: Finding) -> Finding:
    """Say of an attacker only what may be read by everybody: files of the owner are not named."""
    knows = finding.get("knows_publicly") or f"what the attack {finding['attack']} assumes"
    warning = str(finding.get("warning") or "").replace("your limit", "the owner\u2019s limit")
    return {**finding, "knows": knows, "knows_briefly": knows, "warning": warning}


def _row(place: int, finding: Finding) -> Row:
    made = row(place, finding, None)
    return replace(
        made,
        shared=made.shared.replace("you tolerate", "the owner tolerates"),
        together=earlier.view_lines(finding, public=True),
    )


def _readings(findings: list[Finding]) -> list[tuple[int, str, list[Reading]]]:
    """Lay out what is read off the released rows, once for the same columns.

    What is read off a directory of the owner is nobody else's.
    """
    found: dict[str, tuple[int, str, list[Reading]]] = {}
    for place, finding in enumerate(findings, 1):
        laid_out = named_readings(finding, public=True)
        if laid_out:
            where = readings.columns_of(finding)
            found.setdefault(where, (place, where, laid_out))
    return list(found.values())


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
    said = holds(released, unjudged=unjudged) or "It is planned; no files were written yet."
    return f"{said} This page says what was tested, how, and what was not.".strip()


def _lead_unsafe() -> str:
    return "It counts as unsafe. This page says what was tested, without figures."


def _not_tested(findings: list[Finding]) -> list[str]:
    limits = [sentence(str(limit)) for finding in findings for limit in finding.get("limits") or []]
    return ["Attackers with more knowledge than stated.", *dict.fromkeys(limits)]


def _methods(findings: list[Finding]) -> list[tuple[str, str]]:
    """Say of each attack how it was measured and where the method comes from, with the attackers that it is about."""
    found: dict[tuple[str, str], list[str]] = {}
    for place, finding in enumerate(findings, 1):
        how = f"Measured {sentences.measured(finding)}." if finding.get("how") else "Not measured."
        told = f"{how} {finding.get('paper') or ''}".strip()
        found.setdefault((str(finding["attack"]), told), []).append(str(place))
    return [(f"{joined(places)}. {attack}", told) for (attack, told), places in found.items()]
