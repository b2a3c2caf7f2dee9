"""What is said of earlier releases: how they are linked with this one, and what is learnt from all of them together."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.wording.phrases import phrases
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.words import count, counted, ended, joined, number, sentence, singular

View = Mapping[str, Any]

_LINKED = {
    "rows": "row by row",
    "people": "by people who are in both",
    "unknown": "not known: judged row by row and by people",
    "nobody": "nobody is in both, as the owner says",
}
_JOINED_BY = {
    "ledger": "by the ledger",
    "id": "by the id",
    "row number": "by row number",
    "bound": "whose row it was is not known: a bound",
}
_WAYS = {
    "rows": "joined row by row,",
    "people": "joined by people who are in both,",
    "joined": "those who joined since, by difference:",
    "left": "those who left since, by difference:",
}


def releases(summary: Summary) -> list[dict[str, str]]:
    """Lay out the earlier releases; none for a Summary that does not tell of any.

    How one is linked is in one word in `linked`, and in more in `says`.
    """
    return [
        {
            "name": str(one["name"]),
            "rows": _number(one.get("rows")),
            "linked": str(one["linked"]),
            "joined_by": str(one.get("joined_by") or "-"),
            "says": ", ".join(
                filter(None, [_LINKED.get(str(one["linked"])), _JOINED_BY.get(str(one.get("joined_by")))])
            ),
            "joinable": _number(one.get("joinable_rows")),
            "people": _people(one.get("population") or {}),
        }
        for one in summary.get("earlier") or []
    ]


def _number(value: Any) -> str:
    return "-" if value is None else count(value)


def _people(population: Mapping[str, Any]) -> str:
    words = {"both": "in both", "joined": "joined", "left": "left"}
    parts = [
        f"{count(population[name]) if population[name] else 'none'} {word}"
        for name, word in words.items()
        if population.get(name) is not None
    ]
    return ", ".join(parts) or "-"


def levels(finding: Finding) -> list[Mapping[str, Any]]:
    """Return what was measured of each kind of chance: the worst of this release alone and together with earlier ones.

    What the earlier releases give away by themselves, where that is accepted, is told of them and not measured again.
    """
    by_kind = {str(kind["kind"]): kind for kind in finding.get("kinds") or []}
    for view in finding.get("together") or []:
        accepted = (
            view["safe"] and view.get("already") and not number(finding.get("tolerance") or {}, "share")
        )
        for kind in [] if accepted else view.get("kinds") or []:
            name = str(kind["kind"])
            if (number(kind, "worst") or 0) > (number(by_kind.get(name, {}), "worst") or 0):
                by_kind[name] = kind
    return list(by_kind.values())


def view_lines(finding: Finding) -> list[str]:
    """Say of each view of a release with earlier ones what is over the limit there, in counts."""
    return [_view(finding, view) for view in finding.get("together") or []]


def none_together(finding: Finding) -> bool:
    """Tell whether it was measured that nothing is over a limit together with earlier releases."""
    return all(view["exposures_total"] == 0 for view in finding.get("together") or [])


def unsafe_lines(finding: Finding) -> list[str]:
    """Say the same of the views that are not safe, and of no others."""
    return [_view(finding, view) for view in finding.get("together") or [] if view["safe"] is False]


def none_over(finding: Finding) -> str:
    """Say that nothing is over the limit; where it is so together with earlier releases, that this is by this one alone."""
    return f"no exposures over the limit{' by this release alone' if unsafe_lines(finding) else ''}"


def exposed_together(finding: Finding) -> str:
    """Say briefly how much is over the limit with earlier releases at hand; nothing where that is within the limits."""
    unsafe = [view for view in finding.get("together") or [] if view["safe"] is False]
    most = max((view.get("exposures_total") or 0 for view in unsafe), default=0)
    return f"{counted(most, phrases(finding).targets)} exposed together" if most else ""


def _view(finding: Finding, view: View) -> str:
    start = f"{view['says']}, {_WAYS[str(view['linked'])]}"
    if view["safe"] is None:
        why = " ".join(ended(str(reason)) for reason in view.get("reasons") or [])
        return f"{start[:-1]}: could not be judged. {why}".strip()
    targets = phrases(finding).targets
    total, only, already = (view.get(name) for name in ("exposures_total", "only_together", "already"))
    if not total:
        over = f"no {singular(targets)} is over the limit"
    else:
        over = f"{counted(total, targets)} {'is' if total == 1 else 'are'} over the limit"
        over += f", {_only(only, total)}" if only is not None else ""
    if already:
        over += f"; {count(already)} already by {joined([str(name) for name in view['releases']])} alone"
    bound = (view.get("how") or {}).get("method") == "bound"
    return ended(f"{start} {over}{' (at most: whose row it was is not known)' if bound else ''}")


def _only(some: int, total: int) -> str:
    """Say how many of all that is over the limit are so only together.

    >>> _only(3, 3), _only(0, 3), _only(1, 1)
    ('all of them only together', 'none of them only together', 'only together')
    """
    if total == 1:
        return "only together" if some else "not only together"
    return f"{({total: 'all', 0: 'none'}).get(some, count(some))} of them only together"


def together_exposures(finding: Finding) -> Finding:
    """Return a finding whose exposures are those that only releases together make, each once and the worst first."""
    exposures: dict[str, Mapping[str, Any]] = {}
    for view in finding.get("together") or []:
        for one in view.get("exposures") or []:
            name = str((one["kind"], one["target"], one.get("value")))
            if name not in exposures or (number(one, "chance") or 0) > (
                number(exposures[name], "chance") or 0
            ):
                exposures[name] = one
    worst = sorted(exposures.values(), key=lambda one: -float(number(one, "chance") or 0))
    return {**finding, "exposures": worst}


def worst_seen(finding: Finding) -> tuple[Finding, str]:
    """Return a finding with the exposures of where it is worst, and how a sentence on them begins.

    Nothing begins it where this release alone is as bad as all of them together.
    """

    def chance(one: Mapping[str, Any]) -> float:
        return max((float(number(each, "chance") or 0) for each in one.get("exposures") or []), default=0.0)

    views = [view for view in finding.get("together") or [] if view.get("worked")]
    worst: View = max(views, key=chance, default={})
    if chance(worst) <= chance(finding):
        return finding, ""
    taken = {name: worst[name] for name in ("worked", "exposures", "exposures_total")}
    return {**finding, **taken}, str(worst["says"])


def judged_line(summary: Summary) -> str:
    """Name the releases with which a release was judged; nothing where there are none."""
    names = [str(one["name"]) for one in summary.get("earlier") or []]
    return sentence(f"judged together with {joined(names)}") if names else ""
