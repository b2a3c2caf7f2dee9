"""What a report shows of a Summary, part by part, ready to be laid out."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from markupsafe import Markup

from giveaway.model.question.limits import LIMITS, kind_of
from giveaway.report.charts import charts
from giveaway.report.html.drawings import drawn
from giveaway.report.html.exposures import chosen
from giveaway.report.html.worked import worked
from giveaway.report.wording import earlier, readings, sentences, strengths
from giveaway.report.wording.phrases import below, does, dot, is_over, phrases, rule_text
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.words import (
    DASH,
    Number,
    amount,
    count,
    counted,
    ended,
    joined,
    limit_in_words,
    number,
    percent,
    ratio_text,
    sentence,
    unbroken,
)

_COUNT = 4
"""The words of a count, as in "2,211 of 9,835 transactions"."""

_LIMITS = 4
"""How many limits of the method are told before those for reviewers."""

_LEAKS = 20
"""How many rules that give something away are listed."""


Laid = dict[str, Any]
"""A part of a report, by the names that its template uses."""


def pairs(summary: Summary) -> list[tuple[Finding, Finding | None]]:
    """Return each finding with the one before protection, where there is one."""
    before = summary.get("before")
    findings = summary.get("findings") or []
    return list(zip(findings, before or [None] * len(findings), strict=True))


def row(place: int, finding: Finding, before: Finding | None) -> Laid:
    """Lay out one attacker for the summary table, with each kind of chance."""
    planned = before or finding
    return {
        "number": place,
        "attack": str(finding["attack"]),
        "knows": str(finding.get("knows_briefly") or finding.get("knows") or finding["attack"]),
        "could": sentences.could(finding),
        "levels": _levels(finding, before),
        "planned": planned["safe"],
        "planned_says": sentences.over_short(planned),
        "after": finding["safe"],
        "after_says": sentences.over_short(finding),
        "holds": strengths.holds(finding),
        "beyond": strengths.beyond(finding),
        "beside": strengths.beside(finding),
        "measured": sentences.measured(finding),
        # which part is above the limit, where the owner tolerates a part
        "shared": sentences.share_tolerated(finding) or "",
        "against": str(finding.get("against") or ""),
        "warning": sentences.warning(finding),
        "together": [],
    }


def _levels(finding: Finding, before: Finding | None) -> list[Laid]:
    planned = {kind["kind"]: kind for kind in earlier.levels(before or {})}
    levels = []
    for kind in earlier.levels(finding):
        name, limit = str(kind["kind"]), number(kind, "limit")
        worst, measured = amount(name, number(kind, "worst"), limit=limit), kind_of(name)
        drawing = charts.dumbbell(
            kind,
            planned.get(name) if before else None,
            name=dot(finding, name),
            over=partial(is_over, finding, name),
            margin=(finding.get("how") or {}).get("margin")
            if measured.part and not measured.of_targets
            else None,
        )
        was = amount(name, number(planned[name], "worst"), limit=limit) if name in planned else None
        levels.append(_level(finding, name, limit, worst, measured.worst.format(amount=worst), was, drawing))
    return levels or [_level(finding, kind, limit, DASH, "not measured") for kind, limit in limits(finding)]


def _level(
    finding: Finding,
    kind: str,
    limit: Number | None,
    worst: str,
    measured: str,
    planned: str | None = None,
    drawing: Markup | None = None,
) -> Laid:
    """Lay out one kind of chance; `measured` says the worst with its name, a highest chance or an average."""
    return {
        "tolerated": tolerated(finding, kind, limit),
        "act": does(finding, kind),
        "worst": worst,
        "measured": measured,
        "planned": planned,
        "drawing": drawing,
    }


def limits(finding: Finding) -> list[tuple[str, Number | None]]:
    """Return the limits of a finding, kind by kind, whether it was measured or not."""
    tolerance = finding.get("tolerance") or {}
    return [(kind, number(tolerance, kind)) for kind in LIMITS if tolerance.get(kind) is not None]


def tolerated(finding: Finding, kind: str, limit: Number | None) -> str:
    """Write a limit with whether it may be reached."""
    share = number(finding.get("tolerance") or {}, "share")
    of = sentences.counted_as(finding)
    most = below(finding, kind) or "at most "
    return "no limit" if limit is None else f"{most}{unbroken(limit_in_words(kind, limit, share, of))}"


def section(
    place: int, finding: Finding, before: Finding | None, *, alone: bool, known: Collection[str]
) -> Laid:
    """Lay out everything about one attacker, who may be one of several; `known` is said once, above."""
    planned, lines = before or finding, _says(finding, before)
    total, listed = planned.get("exposures_total") or 0, planned.get("exposures") or []
    exposed = chosen(planned, finding if before else None)
    shown = sum(1 + line.more for line in exposed if line.planned_over)
    # what is counted only in the release as planned is taken from there
    lists = {**(planned.get("lists") or {}), **(finding.get("lists") or {})}
    figures = finding.get("figures") or {}
    uncovered = [sentence(str(limit)) for limit in finding.get("limits") or []]
    return {
        "row": row(place, finding, before),
        "columns": _in_full(finding),
        "says": lines,
        "baselines": sentences.baselines(finding),
        "reasons": _reasons(finding, " ".join(lines), known),
        "together": [line for line in earlier.view_lines(finding) if line[1:] not in " ".join(lines)],
        "only_together": chosen(earlier.together_exposures(planned), None),
        "none_together": earlier.none_together(finding),
        "worked": worked(planned, finding if before else None),
        "lines": exposed,
        "lines_head": _lines_head(planned, total),
        "more": " ".join(filter(None, [sentences.listed(planned), _more(total, shown, len(listed))])),
        "leaks": _leaks(planned),
        "identifies": _identifies(planned),
        "readings": named_readings(finding, before),
        "lists": [_listed(listing) for listing in lists.values() if listing["rows"]],
        "notes": [note for name, note in phrases(finding).at_zero.items() if figures.get(name) == 0],
        "drawn": drawn(finding, before, alone=alone),
        "method": sentences.method(finding),
        "limits": uncovered[:_LIMITS],
        "paper": str(finding.get("paper") or ""),
        "in_paper": _in_paper(finding),
        "reviewers": _reviewers(finding, uncovered[_LIMITS:]),
    }


def _in_paper(finding: Finding) -> list[tuple[str, str]]:
    """Say what the words of the paper are here, with the figures that they hold."""
    figures, lines = finding.get("figures") or {}, []
    for word, says in ((finding.get("words") or {}).get("in_paper") or {}).items():
        with suppress(KeyError, TypeError, ValueError):
            lines.append((str(word), sentence(str(says).format_map(figures))))
    return lines


def _in_full(finding: Finding) -> str:
    """Say in full what the attacker knows, where the title says it briefly."""
    knows, briefly = finding.get("knows"), finding.get("knows_briefly")
    return "" if not briefly or knows == briefly else sentence(f"the attacker knows {knows}")


def _reviewers(finding: Finding, limits: list[str]) -> list[tuple[str, list[str]]]:
    """Lay out what only reviewers ask: the attacker as stated, the computation, the recipe of a paper, missing values."""
    how = finding.get("how") or {}
    parts = [
        ("The attacker as stated", [_facts(finding)]),
        ("What else this does not cover", limits),
        ("The computation", [sentence(str(how["numerics"]))] if how.get("numerics") else []),
        ("The recipe of the paper, step by step", [str(step) for step in finding.get("recipe") or []]),
        ("Missing values", [sentence(str(finding["missing"]))] if finding.get("missing") else []),
    ]
    return [(title, lines) for title, lines in parts if lines]


def _lines_head(finding: Finding, total: int) -> str:
    if "exposures" in (finding.get("not_computed") or ()):
        return "Exposures, as many as there was time for"
    if sentences.only_average(finding):
        return "The most exposed, and why"
    return (
        "Worst exposures, and why" if total else f"{sentence(earlier.none_over(finding))} The nearest to it:"
    )


def _reasons(finding: Finding, lead: str, known: Collection[str]) -> list[str]:
    """Return the reasons of a finding, without those that are told already, here by their count or above."""
    counted_together = tuple(
        f"{view['says']}: " for view in finding.get("together") or [] if view.get("exposures_total")
    )
    reasons = [
        unbroken(ended(str(reason)))
        for reason in finding.get("reasons") or []
        if reason not in known and not str(reason).startswith(counted_together)
    ]
    return [reason for reason in reasons if " ".join(reason.split()[:_COUNT]) not in lead]


def _facts(finding: Finding) -> str:
    attacker = finding.get("attacker") or {}
    settings = ", ".join(
        f"{name} = {_setting(value)}"
        for name, value in attacker.items()
        if value not in (None, [], {}, "") and not name.endswith("_exact")
    )
    tolerance = finding.get("tolerance") or {}
    stated = [
        f"{kind} at most {ratio_text(tolerance, kind)}" for kind in LIMITS if tolerance.get(kind) is not None
    ]
    share = number(tolerance, "share")
    if share:
        stated.append(f"{percent(share)} may be above")
    return f"{settings} · tolerated: {', '.join(stated)}" if settings else f"tolerated: {', '.join(stated)}"


def _setting(value: Any) -> str:
    """Write one field of an attacker; of a list of statements only their number, of a table what it says."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        plain = not any(isinstance(part, Mapping) for part in value)
        return joined([str(part) for part in value]) if plain else counted(len(value), "statements")
    if isinstance(value, Mapping):
        parts = ((name, part) for name, part in value.items() if part and not name.endswith("_exact"))
        return joined([f"{name} {_setting(part)}" for name, part in parts])
    return str(value)


def _leaks(finding: Finding) -> list[Laid]:
    """Lay out the rules that give something away, where the attack names them."""
    rules = (finding.get("figures") or {}).get("rules")
    return [
        {
            "rule": rule_text(rule),
            "support": count(rule["support"]),
            "confidence": percent(number(rule, "confidence")),
            "secrets": count(rule["secrets"]),
        }
        for rule in (rules[:_LEAKS] if isinstance(rules, list) else [])
    ]


def _identifies(finding: Finding) -> list[Laid]:
    """Lay out how much each column identifies, with the length of its bar in percent, where the attack tells."""
    columns = (finding.get("figures") or {}).get("columns")
    shares = [
        (str(part["column"]), number(part, "identifies"))
        for part in (columns if isinstance(columns, list) else [])
    ]
    return [
        {
            "column": column,
            "share": percent(share),
            "width": round(100 * min(max(float(share or 0), 0), 1), 1),
        }
        for column, share in shares
    ]


def named_readings(
    finding: Finding, before: Finding | None = None, *, public: bool = False
) -> list[tuple[readings.ReadingLine, int, str]]:
    """Lay out the readings of a finding: the reading, how many follow in its name, 0 but for the first, and what it was."""
    lines = readings.present(finding, public=public)
    was = {line.key: line.value for line in readings.present(before or {})}
    names = [line.name for line in lines]
    return [
        (
            line,
            0 if place and names[place - 1] == line.name else names.count(line.name),
            was.get(line.key, DASH),
        )
        for place, line in enumerate(lines)
    ]


def _listed(listing: Mapping[str, Any]) -> Laid:
    """Lay out what a figure counts one by one."""
    rows, total = listing["rows"], listing["total"]
    head = [name for name in rows[0] if not name.endswith("_exact")]
    return {
        "title": str(listing["title"]),
        "head": [name.replace("_", " ") for name in head],
        "rows": [[_cell(row, name) for name in head] for row in rows],
        "more": "" if total in (None, len(rows)) else f"{count(len(rows))} of {count(total)} are shown.",
    }


def _cell(row: Mapping[str, Any], name: str) -> str:
    """Write one entry of a list: items next to each other, chances in per cent, other ratios as they are."""
    value = row.get(name)
    if value is None or value == []:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return joined([str(part) for part in value])
    if isinstance(value, int):
        return count(value)
    if not isinstance(value, float):
        return str(value)
    return percent(number(row, name)) if name == "chance" else ratio_text(row, name)


def _says(finding: Finding, before: Finding | None) -> list[str]:
    if finding["safe"] is None and finding.get("worst") is None:
        return ["This attacker could not be measured, so the release counts as unsafe."]
    whom, (first, *alone) = sentences.begins(finding), sentences.counts(before or finding, when="as planned")
    lines = [f"{whom}{first[0].lower()}{first[1:]}" if whom else first]
    lines += alone if before is None else []
    if before is not None:
        lines.append(sentences.exposed_then(before, finding))
    worst = sentences.tightest(finding)
    if worst is not None and not sentences.averages(finding):
        lines.append(f"The attacker can {'still ' if before is not None else ''}{worst}.")
    lines += [share] if (share := sentences.share_tolerated(finding)) else []
    change = strengths.stronger(before, finding)
    return [*lines, change] if change else lines


def _more(total: int, shown: int, listed: int) -> str:
    rest = total - shown
    if rest <= 0:
        return ""
    start = f"{count(rest)} more {'is' if rest == 1 else 'are'} over the limit; the saved JSON names"
    if listed >= total:
        return f"{start} {'it' if rest == 1 else 'them all'}."
    return f"{start} the worst {count(listed)}, and with --exposures all every one."
