"""The ladder of limits as text."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.terminal.ink import Ink
from giveaway.report.wording.phrases import kept_noun
from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.usefulness import kept_percent
from giveaway.report.wording.words import DASH, ended, limit_in_words, number

_WORDS = {"safe": True, "at risk": False, "cannot judge": None}


def ladder(summary: Summary, ink: Ink) -> list[str]:
    """Write the limits that were tried as a table, with what each costs; nothing where none were."""
    rungs = summary.get("suggestions") or []
    if not rungs:
        return []
    rows: list[tuple[str, ...]] = [("", "limit", "as planned", "protected", "withheld", "kept")]
    rows += [_row(rung, summary, ink) for rung in rungs]
    lines = ["", ink.bold("Nearby limits, each tried by protecting the release for it"), *ink.columns(rows)]
    open_ones = [rung for rung in rungs if rung.get("reason")]
    for rung in open_ones:
        lines += ink.wrapped(f"{_limit(rung)}: {ended(str(rung['reason']))}", indent="  ", dim=True)
    return [
        *lines,
        *ink.wrapped("The other limits stay as stated. Nothing was written.", indent="  ", dim=True),
    ]


def _row(rung: Mapping[str, Any], summary: Summary, ink: Ink) -> tuple[str, ...]:
    return (
        f"{rung['kind']}",
        f"{_limit(rung)}{', as stated' if rung['stated'] else ''}",
        ink.word(_WORDS[str(rung["planned"])]),
        ink.word(_WORDS[str(rung["verdict"])]),
        str(rung["withheld"] or DASH),
        _kept(rung, summary),
    )


def _limit(rung: Mapping[str, Any]) -> str:
    return limit_in_words(str(rung["kind"]), number(rung, "limit") or 0)


def _kept(rung: Mapping[str, Any], summary: Summary) -> str:
    """Write what is kept of the first thing that is counted."""
    for one in sorted(rung.get("kept") or [], key=lambda one: one["name"] == "item_occurrences"):
        for finding in summary["findings"]:
            if one["name"] in (finding.get("kept") or {}):
                return f"{kept_percent(one['kept'], one['total'])} of {kept_noun(str(one['name']), finding)}"
        return kept_percent(one["kept"], one["total"])
    return DASH
