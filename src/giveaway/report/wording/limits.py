"""Where limits come from, and what their owner may not have meant by them."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.words import day, ended, joined, ratio_text


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
