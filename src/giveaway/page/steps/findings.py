"""What was measured, laid out for the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

import giveaway as ga
from giveaway.page import drawing
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
    told, summary = answer_of["told"], answer_of["summary"]
    place = min(chosen, len(told["attackers"]) - 1)
    attacker, finding = told["attackers"][place], summary["findings"][place]
    single = len(told["attackers"]) == 1
    title = (
        attacker["says"] if single and told["verdict"] == "at risk" and attacker["says"] else told["title"]
    )
    return {
        "verdict": told["verdict"],
        "title": title,
        "lead": [line for line in told["lead"] if line != title],
        "warnings": told["warnings"],
        "not_judged": told["not_judged"],
        "measured": attacker["row"]["measured"],
        "people": [] if single else [one["row"] for one in told["attackers"]],
        "chosen": place,
        "worked": attacker["worked"],
        "exposures": attacker["exposures"],
        "total": finding["exposures_total"],
        "charts": charts(session, place, attacker["charts"], finding, movable=movable),
        "reasons": [line for line in finding["reasons"] if not line.startswith("Hint:")]
        if finding["safe"] is None
        else [],
        "decisions": ways_to_decide(finding, place),
        "refused": told["no_safe_release"],
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
    made = [dict(chart) | {"drawing": Markup(chart["drawing"])} for chart in drawn]  # noqa: S704 # the report's own
    curve = next(
        (curve for curve in finding.get("curves", []) if curve["name"] == "chances" and curve["x"]), None
    )
    rows = ga.Tolerance.limits().values()
    stated = (row.name for row in rows if row.of_targets and finding["tolerance"].get(row.name) is not None)
    name = next(stated, None)
    if (
        movable
        and made
        and curve
        and curve.get("limit")
        and name
        and finding["tolerance"][name] == curve["limit"]
    ):
        words = limit_says(session, name, str(finding["tolerance"].get(f"{name}_exact") or curve["limit"]))
        made[0]["drawing"] = drawing.with_grip(
            drawn[0]["drawing"], curve["limit"], max(curve["x"]), name, words
        )
        made[0]["grip"] = True
    return with_strength(session, place, finding, made) if movable else made


def remedy(made: Mapping[str, Any]) -> dict[str, Any]:
    """Lay out what making it safe would cost."""
    told = made["told"]
    facts = {fact["title"]: fact["head"] for fact in told["facts"]}
    return {
        "refused": told["no_safe_release"],
        "withhold": facts.get("You withhold"),
        "keep": facts.get("You keep"),
        "verdict": told["verdict"],
    }
