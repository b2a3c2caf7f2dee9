"""Several recipients who may collude: the matrix of who is over the limit with whose files, as every view draws it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giveaway.model.answer.verdict import in_words, overall
from giveaway.report.agreeing import contradictions as of_summary
from giveaway.report.comparing import side_by_side
from giveaway.report.wording.tidy import label, tidy
from giveaway.report.wording.words import count, count_or_dash, counted, ended, joined, limit_in_words, number

Saved = Mapping[str, Any]
Laid = dict[str, Any]
"""What a view draws, by the names that its template uses."""

_JOINED = {"id": "by their id", "row number": "by their number", "ledger": "by the ledger"}


def drawn(saved: Saved, *, public: bool) -> Laid:
    """Lay out an answer for several recipients; for the public no name, nothing of other plans, and nothing measured."""
    clean = tidy(saved)
    recipients = clean["recipients"]
    names = {
        one["name"]: f"recipient {place}" if public else label(one["name"])
        for place, one in enumerate(recipients, 1)
    }
    matrices = tuple(
        _matrix(one, finding, names, public=public)
        for one, finding in zip(clean["matrix"], recipients[0]["summary"]["findings"], strict=False)
    )
    return {
        "verdict": str(clean["verdict"]),
        "title": _title(clean),
        "lead": tuple(_lead(clean, public=public)),
        "not_judged": _not_judged(recipients),
        "hints": tuple(_hints(clean, names, public=public)),
        "matrices": matrices,
        # of each release what is withheld from it, protected by itself and at once
        "withheld": []
        if public
        else [
            (label(one["name"]), _withheld(one["withheld_alone"]), _withheld(one["withheld"]))
            for one in recipients
            if one.get("withheld_alone") is not None
        ],
        "details": () if public else tuple(clean["details"]),
        "releases": None
        if public
        else side_by_side({names[one["name"]]: one["summary"] for one in recipients}),
        "written": tuple(
            (names[one["name"]], str(file["sha256"]))
            for one in recipients
            for file in one["summary"].get("written") or []
            if file.get("sha256")
        ),
    }


def contradictions(saved: Saved) -> Iterator[str]:
    """Say where a saved answer for several recipients contradicts itself; it must fit the schema."""
    summaries = {one["name"]: one["summary"] for one in saved["recipients"]}
    for name, summary in summaries.items():
        yield from (f"{name}: {what}" for what in of_summary(summary))
    words = {in_words(safe): safe for safe in (True, False, None)}
    verdict = in_words(overall(words[summary["verdict"]] for summary in summaries.values()))
    if saved["verdict"] == "safe" and verdict != "safe":
        yield f'its verdict is "safe", and that of its releases "{verdict}"'
    if saved["verdict"] == "safe" and (not saved["matrix"] or saved.get("no_safe_release")):
        yield "it is called safe, and nothing was planned"
    for one in saved["matrix"]:
        shared = any(
            number(finding["tolerance"], "share") for finding in saved["recipients"][0]["summary"]["findings"]
        )
        for some in one["sets"]:
            if not set(some["recipients"]) <= summaries.keys():
                yield "its matrix names somebody who is not a recipient"
            for counts in (some["before"], some["after"]):
                if any(many is not None and many > one["of"] for many in counts.values()):
                    yield f"its matrix counts more than {one['of']} {one['targets']}"
            over = some["after"]["over"]
            if saved["verdict"] == "safe" and not shared and over != 0:
                yield "it is called safe, and its matrix says otherwise"


def _title(saved: Saved) -> str:
    many = counted(len(saved["recipients"]), "recipients")
    if saved["verdict"] == "safe":
        return f"Safe for {many}, also if they put their files together."
    if saved["verdict"] == "at risk":
        return f"No releases were found that are safe for {many} together."
    return f"It cannot be judged what {many} learn together."


def _lead(saved: Saved, *, public: bool) -> Iterator[str]:
    by = _JOINED[saved["joined_by"]]
    also = ", and also as if nobody could join them" if saved["linked"] == "unknown" else ""
    yield f"The rows of a person are taken to be joined {by}{also}."
    if public or not saved["matrix"]:
        return
    yield "The releases were planned at once, and are compared with what they would be if each were protected by itself."
    for one in saved["matrix"]:
        every = max(one["sets"], key=lambda some: len(some["recipients"]))["before"]
        if every["over"]:
            alone = f", and {count(every['alone'])} would be alone" if every["alone"] else ""
            yield (
                f"Protected one by one, all of them together would put {count(every['over'])} of "
                f"{counted(one['of'], one['targets'])} over the limit{alone}."
            )


def _hints(saved: Saved, names: Mapping[str, str], *, public: bool) -> Iterator[str]:
    refusal = saved.get("no_safe_release")
    if refusal and not public:
        yield ended(str(refusal["reason"]))
        yield from (ended(str(text)) for text in refusal["helps"])
    if saved["verdict"] == "cannot judge" and not public:
        for one in saved["recipients"]:
            yield from (f"{names[one['name']]}: {hint}" for hint in _unjudged(one["summary"]))


def _unjudged(summary: Mapping[str, Any]) -> list[str]:
    """Say why a release could not be judged, by itself or with the others."""
    hints = []
    for finding in summary["findings"]:
        parts = [finding, *(finding.get("together") or [])]
        hints += [
            " ".join(map(str, part["reasons"]))
            for part in parts
            if part["safe"] is None and part.get("reasons")
        ]
    return list(dict.fromkeys(map(ended, hints)))


def _matrix(
    one: Mapping[str, Any], finding: Mapping[str, Any], names: Mapping[str, str], *, public: bool
) -> Laid:
    knows = one["knows_publicly"] if public else one["knows"]
    levels = [(kind["kind"], number(kind, "limit")) for kind in finding.get("kinds") or []]
    share = number(finding["tolerance"], "share")
    limits = [
        limit_in_words(kind, limit, share, one["targets"]) for kind, limit in levels if limit is not None
    ]
    most = max((some["before"]["over"] or 0 for some in one["sets"]), default=0)
    return {
        "title": f"Somebody who knows {knows}",
        "against": "" if public else _against(finding),
        "limits": joined(limits),
        "of": "" if public else counted(one["of"], one["targets"]),
        "names": tuple(names.values()),
        "rows": tuple(_row(some, most, names, public=public) for some in one["sets"]),
        "alone": not public and any(some["after"]["alone"] is not None for some in one["sets"]),
        "unknown": not public and any(some["before"]["over"] is None for some in one["sets"]),
    }


def _against(finding: Mapping[str, Any]) -> str:
    words = [f"Against {finding['against']}"] if finding.get("against") else []
    return " ".join(map(ended, [*words, *([str(finding["warning"])] if finding.get("warning") else [])]))


def _not_judged(recipients: Sequence[Mapping[str, Any]]) -> str:
    """Say in one line what was judged of no release; names of recipients are not in it."""
    entries = (entry for one in recipients for entry in one["summary"].get("not_judged") or [])
    not_judged = dict.fromkeys(str(entry["says"]) for entry in entries if entry["what"] != "other releases")
    return f"Not judged: {', '.join([*not_judged, 'releases other than these'])}."


def _row(some: Mapping[str, Any], most: int, names: Mapping[str, str], *, public: bool) -> Laid:
    members = some["recipients"]
    before, after = some["before"], some["after"]
    return {
        "name": " + ".join(names[name] for name in members),
        "members": tuple(name in members for name in names),
        "before": "" if public else count_or_dash(before["over"]),
        "before_alone": "" if public else count_or_dash(before["alone"]),
        "after": "" if public else count_or_dash(after["over"]),
        "after_alone": "" if public else count_or_dash(after["alone"]),
        "width": 0.0 if public or not most else round(100 * (before["over"] or 0) / most, 1),
        "over_before": bool(before["over"]) and not public,
        "over_after": bool(after["over"]) and not public,
    }


def _withheld(numbers: Mapping[str, int]) -> str:
    nouns: Sequence[tuple[str, str]] = (
        ("entries", "entries"),
        ("items", "items"),
        ("coarser", "coarser entries"),
    )
    parts = [counted(numbers[name], noun) for name, noun in nouns if numbers.get(name)]
    return joined(parts) or "nothing"
