"""The worst exposure of an attacker: told step by step as a worked example, and in one sentence."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.charts.charts import bar_lengths
from giveaway.report.wording.earlier import worst_seen
from giveaway.report.wording.phrases import is_over, learns, learnt_text, phrases, told_of
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.words import Number, count, number, unbroken, with_one_in


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


def story(summary: Summary) -> str:
    """Tell what somebody could do with the release as planned, where that is over a limit; it names values of the data."""
    before = summary.get("before")
    tale = next(filter(None, map(_of_attacker, before or summary.get("findings") or [])), "")
    return f"As planned, {tale[0].lower()}{tale[1:]}" if tale and before else tale


def _of_attacker(finding: Finding) -> str:
    """Tell the worst exposure of an attacker who is over a limit."""
    seen, says = worst_seen(finding)
    exposures = seen.get("exposures") or []
    if finding["safe"] is not False or not exposures:
        return ""
    worst, copy = exposures[0], phrases(finding)
    kind, chance = str(worst["kind"]), number(worst, "chance")
    limits = {one["kind"]: number(one, "limit") for one in finding.get("kinds") or []}
    limit = limits.get(kind)
    if kind in limits and not is_over(finding, kind, chance, limit):
        return ""
    template = (copy.happens if chance == 1 else copy.may_happen).get(kind, "")
    value = learnt_text(worst, finding) or ""
    tale = told_of(template, worst, finding, value=value, chance=with_one_in(chance, limit=limit))
    return f"{says}, {tale[0].lower()}{tale[1:]}" if says and tale else tale
