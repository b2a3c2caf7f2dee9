"""Where limits come from, and what their owner may not have meant by them."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.words import day, ended, joined, ratio_text


def preset_line(tolerance: Mapping[str, Any]) -> str:
    """Say which preset limits come from, in the words of its source; nothing where they come from none."""
    found = tolerance.get("preset")
    if not found:
        return ""
    quoted = f"“{found['sentence']}” " if found.get("sentence") else ""
    changed = found.get("overridden") or []
    given = [f"{name} {ratio_text(tolerance, name)}" for name in changed if tolerance.get(name) is not None]
    note = f" {ended(str(found['note']))}" if found.get("note") else ""
    other = f" Given otherwise: {joined(given) or 'a limit that is not judged here'}." if changed else ""
    return f"Limits of the preset {found['name']}: {quoted}({found['source']}, read on {day(str(found['read']))}).{note}{other}"


def limit_lines(summary: Summary) -> list[str]:
    """Say of all attackers where their limits come from, and what may not be meant, each thing once."""
    findings = summary.get("findings") or []
    said = [preset_line(finding.get("tolerance") or {}) for finding in findings]
    said += [str(text) for finding in findings for text in finding.get("remarks") or []]
    return list(dict.fromkeys(filter(None, said)))
