"""The worked example: the worst exposure of an attacker, told step by step."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.charts.charts import bar_lengths
from giveaway.report.wording.earlier import worst_seen
from giveaway.report.wording.phrases import learns, learnt_text, phrases, told_of
from giveaway.report.wording.words import Number, count, number, unbroken, with_one_in

Finding = Mapping[str, Any]


def worked(finding: Finding, after: Finding | None) -> dict[str, Any] | None:
    """Tell the worst exposure of the plan step by step, and what is left of it after withholding."""
    planned, says = worst_seen(finding)
    steps, exposures = planned.get("worked") or [], planned.get("exposures") or []
    if not steps:
        return None
    widths = bar_lengths([step["count"] for step in steps])
    end = steps[-1]["count"]
    first = exposures[0] if exposures else None
    over = bool(planned.get("exposures_total"))
    return {
        "title": f"{phrases(planned).worked}{f', {says[0].lower()}{says[1:]}' if says else ''}",
        "opening": _opening(planned, first),
        "steps": [
            {
                "label": str(step["label"]),
                "count": count(step["count"]),
                "width": width,
                "last": over and step["count"] == end,
            }
            for step, width in zip(steps, widths, strict=True)
        ],
        "over": over,
        "closing": [unbroken(line) for line in _closing(planned, first, after)],
    }


def _opening(planned: Finding, exposure: Mapping[str, Any] | None) -> str:
    if exposure is None:
        return "Each thing known narrows the crowd."
    copy = phrases(planned)
    opening = copy.openings.get(str(exposure["kind"]), copy.opening)
    return told_of(opening, exposure, planned)


def _closing(planned: Finding, exposure: Mapping[str, Any] | None, after: Finding | None) -> list[str]:
    if exposure is None:
        return []
    limits = {kind["kind"]: number(kind, "limit") for kind in planned.get("kinds") or []}
    limit = limits.get(exposure["kind"])
    lines = [_learns(planned, exposure, limit)]
    if after is not None and exposure.get("after") == "withheld":
        lines.append("After withholding, this no longer works: something known about it is withheld.")
    elif after is not None and exposure.get("after") is not None:
        lines.append(
            f"After withholding the chance is {with_one_in(number(exposure, 'after'), limit=limit)}."
        )
    return lines


def _learns(planned: Finding, exposure: Mapping[str, Any], limit: Number | None) -> str:
    chance, learnt = number(exposure, "chance"), learnt_text(exposure, planned)
    written = with_one_in(chance, limit=limit)
    return learns(planned, str(exposure["kind"]), learnt, chance=written, certain=chance == 1)
