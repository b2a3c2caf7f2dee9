"""What would happen to a person or a thing: the worst exposure of an attacker, in one sentence for the owner alone."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.wording.earlier import worst_seen
from giveaway.report.wording.phrases import is_over, learnt_text, phrases, told_of
from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.words import number, with_one_in

Finding = Mapping[str, Any]


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
