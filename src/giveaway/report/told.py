"""What the owner's report says of a Summary, as plain values for other views."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from giveaway.report.html import drawings, page, views
from giveaway.report.html.exposures import chosen
from giveaway.report.html.worked import worked
from giveaway.report.wording import sentences as wording
from giveaway.report.wording import usefulness
from giveaway.report.wording.tidy import Summary, of_its_release, tidy
from giveaway.report.wording.under_verdict import found_cuts_line, looks_like_line, not_judged_line
from giveaway.report.wording.words import ended


@of_its_release
def sentences(summary: Summary, *, exposures: int = 3) -> dict[str, Any]:
    """Return the sentences of the owner's report as plain values: of the release, and of each attacker.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a"], ["a"], ["b"]]))
    >>> found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    >>> ga.sentences(found.to_dict())["title"]
    'Not safe as planned: the attacker learns more than you tolerate.'
    """
    clean = tidy(summary)
    refusal = wording.no_safe_release(clean)
    held = page.withheld(clean)
    return {
        "verdict": clean["verdict"],
        "title": wording.verdict(clean),
        "lead": wording.lead(clean),
        "warnings": [
            *wording.warnings(clean),
            *found_cuts_line((clean.get("data") or {}).get("found_cuts") or []),
        ],
        "not_judged": f"{not_judged_line(clean)} {looks_like_line(clean)}".strip(),
        "facts": [asdict(fact) for fact in page.facts(clean)],
        "kept": [asdict(one) | {"share": one.share} for one in usefulness.kept(clean)],
        "withheld": held and held | {"columns": [(column.name, column.says) for column in held["columns"]]},
        "no_safe_release": refusal and {**refusal, "reason": ended(str(refusal["reason"]))},
        "attackers": [
            _attacker(place, finding, before, exposures)
            for place, (finding, before) in enumerate(views.pairs(clean), 1)
        ],
    }


def _attacker(
    place: int, finding: Mapping[str, Any], before: Mapping[str, Any] | None, most: int
) -> dict[str, Any]:
    planned, after = before or finding, finding if before else None
    drawn = drawings.drawn(finding, before, alone=True)
    return {
        "row": views.row(place, finding, before),
        "says": wording.exposed(planned),
        "worked": worked(planned, after),
        "exposures": [asdict(line) | {"who": line.who} for line in chosen(planned, after, most=most)],
        "charts": [asdict(chart) for chart in (*drawn.core, *drawn.more, *drawn.missing_charts)],
    }
