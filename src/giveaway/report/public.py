"""What the public edition says: limits, results and totals of the release, and nothing of the original's values."""

from collections.abc import Mapping
from typing import Any

from giveaway.report import page, sentences
from giveaway.report.phrases import phrases, row_noun
from giveaway.report.tidy import Summary
from giveaway.report.views import Row, row
from giveaway.report.words import counted, sentence, spelled


def parts(summary: Summary) -> dict[str, Any]:
    """Return the parts of the public edition; figures are given only for a release that is safe."""
    safe = summary["verdict"] == "safe"
    findings = summary.get("findings") or []
    return {
        "safe": safe,
        "title": _title(summary),
        "lead": _lead(summary) if safe else _lead_unsafe(),
        "rows": [_row(i, finding) for i, finding in enumerate(findings, 1)],
        "facts": _facts(summary) if safe else [],
        "not_tested": _not_tested(findings),
        "methods": [_method(i, finding) for i, finding in enumerate(findings, 1)],
        "released": [(str(file["file"]), page.released(file)) for file in summary.get("written") or []]
        if safe
        else [],
        "closing": page.closing(summary).split(". ")[0] + ".",
    }


def _row(place: int, finding: Mapping[str, Any]) -> Row:
    return row(place, finding, None)


def _title(summary: Summary) -> str:
    number = len(summary.get("findings") or [])
    against = "one attacker" if number == 1 else f"{spelled(number)} attackers"
    if summary["verdict"] == "safe":
        return f"This release was tested against {against} and stays within its owner\u2019s limits."
    if summary["verdict"] == "at risk":
        return f"This release was tested against {against} and is not within its owner\u2019s limits."
    return "This release was tested, and no verdict was reached."


def _lead(summary: Summary) -> str:
    data = dict(summary.get("data") or {})
    held = summary.get("withheld") or {}
    if isinstance(data.get("items"), int):
        data["items"] -= len(held.get("items") or [])
    some = (
        "Something was withheld to get there. "
        if sentences.withheld_counts(summary)
        else "Nothing was withheld. "
    )
    return f"It holds {sentences.size(data).replace(', ', ' with ', 1)}. {some}This page says what was tested, how, and what was not."


def _lead_unsafe() -> str:
    return "It counts as unsafe. This page says what was tested, and gives no figures of it."


def _facts(summary: Summary) -> list[page.Fact]:
    found = []
    rows = row_noun(summary.get("data") or {})
    for kept in page.kept(summary)[:1]:
        small = "Counts of what remains are exact; nothing was altered or added."
        found.append(page.Fact(title="Kept", head=f"{kept.share} of {kept.noun}", small=small))
    held = sentences.withheld_counts(summary)
    if held:
        held_items = bool((summary.get("withheld") or {}).get("items"))
        small = f"They are gone from every {rows[:-1]}." if held_items else "What is withheld is left empty."
        found.append(page.Fact(title="Withheld", head=", ".join(held), small=small))
        small = f"Rare things are missing altogether. Do not read an absence as “none”. {counted_rows(summary, rows)}"
        found.append(page.Fact(title="For your analysis", head="Empty is not random", small=small.strip()))
    return found


def counted_rows(summary: Summary, rows: str) -> str:
    """Say that emptied rows were kept, so that shares can be computed."""
    number = (summary.get("data") or {}).get("rows")
    return "" if number is None else f"All {counted(number, rows)} are there, empty ones too."


def _not_tested(findings: list[Mapping[str, Any]]) -> list[str]:
    limits = [sentence(str(limit)) for finding in findings for limit in finding.get("limits") or []]
    return ["Attackers with more knowledge than stated.", *dict.fromkeys(limits)]


def _method(place: int, finding: Mapping[str, Any]) -> tuple[str, str]:
    told = [
        f"Somebody who knows {finding.get('knows') or finding['attack']} {phrases(finding['attack']).could}."
    ]
    told.append(f"Measured {sentences.measured(finding)}." if finding.get("how") else "Not measured.")
    return f"{place}. {finding['attack']}", " ".join([*told, str(finding.get("paper") or "")]).strip()
