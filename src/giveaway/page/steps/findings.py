"""What was measured, laid out for the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

import giveaway as ga
from giveaway.page import drawing
from giveaway.page.answers import fact
from giveaway.page.session import Session
from giveaway.page.steps.strength import with_strength
from giveaway.page.steps.ways import ways_to_decide
from giveaway.page.words import limit_says

SLOW = 1.0
"""Seconds of measuring above which the page asks on release only, and tries nothing by itself."""


def answer(
    session: Session, answer_of: Mapping[str, Any], *, chosen: int = 0, movable: bool = True
) -> dict[str, Any]:
    """Lay out what was measured, of the attacker that is chosen."""
    says, summary = answer_of["told"], answer_of["summary"]
    place = min(chosen, len(says["attackers"]) - 1)
    attacker, finding = says["attackers"][place], summary["findings"][place]
    single = len(says["attackers"]) == 1
    title = (
        attacker["says"] if single and says["verdict"] == "at risk" and attacker["says"] else says["title"]
    )
    return {
        "verdict": says["verdict"],
        "title": title,
        "lead": [line for line in says["lead"] if line != title],
        "warnings": says["warnings"],
        "not_judged": says["not_judged"],
        "measured": attacker["row"]["measured"],
        "people": [] if single else [one["row"] for one in says["attackers"]],
        "chosen": place,
        "worked": attacker["worked"],
        "exposures": attacker["exposures"],
        "total": finding["exposures_total"],
        "charts": charts(session, place, attacker["charts"], finding, movable=movable),
        "reasons": [line for line in finding["reasons"] if not line.startswith("Hint:")]
        if finding["safe"] is None
        else [],
        "decisions": ways_to_decide(finding, place),
        "refused": says["no_safe_release"],
        "seconds": f"{answer_of['seconds']:.2g} s"
        if answer_of["seconds"] < SLOW
        else f"{answer_of['seconds']:.1f} s",
        "slow": min(answer_of["seconds"], answer_of["work"]) > SLOW,
    }


def charts(
    session: Session,
    place: int,
    drawn: Sequence[Mapping[str, Any]],
    finding: Mapping[str, Any],
    *,
    movable: bool,
) -> list[dict[str, Any]]:
    """Return the charts of a report, the first with its limit to be dragged where it is one of the sliders'."""
    ours = [dict(chart) | {"drawing": Markup(chart["drawing"])} for chart in drawn]  # noqa: S704 # the report's own
    curve = next(
        (curve for curve in finding.get("curves", []) if curve["name"] == "chances" and curve["x"]), None
    )
    rows = ga.Tolerance.limits().values()
    stated = (row.name for row in rows if row.of_targets and finding["tolerance"].get(row.name) is not None)
    name = next(stated, None)
    if (
        movable
        and ours
        and curve
        and curve.get("limit")
        and name
        and finding["tolerance"][name] == curve["limit"]
    ):
        words = limit_says(session, name, str(finding["tolerance"].get(f"{name}_exact") or curve["limit"]))
        ours[0]["drawing"] = drawing.with_grip(
            drawn[0]["drawing"], curve["limit"], max(curve["x"]), name, words
        )
        ours[0]["grip"] = True
    return with_strength(session, place, finding, ours) if movable else ours


def remedy(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Lay out what making it safe would cost."""
    says = answer["told"]
    return {
        "refused": says["no_safe_release"],
        "withhold": fact(answer, "You withhold", None),
        "keep": fact(answer, "You keep", None),
        "verdict": says["verdict"],
    }
