"""What the document says, in the order in which it is read."""

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.model.question.limits import kind_of
from giveaway.report.html import page, views
from giveaway.report.html.exposures import chosen
from giveaway.report.review.blocks import (
    MEASURED,
    OPEN,
    STATED,
    Block,
    Code,
    Document,
    Field,
    Section,
    field,
    grid,
)
from giveaway.report.review.columns import columns
from giveaway.report.wording import readings, sentences, strengths, usefulness
from giveaway.report.wording.earlier import levels
from giveaway.report.wording.phrases import below, does
from giveaway.report.wording.tidy import Finding, Summary, cleaned, label, tidy
from giveaway.report.wording.under_verdict import class_lines, preset_line, unjudged_columns
from giveaway.report.wording.words import (
    DASH,
    amount,
    count,
    counted,
    day,
    ended,
    limit_in_words,
    number,
    one_in,
    percent,
    sentence,
)

_PRESENT = "Membership: whether somebody is in the data at all"
_PIECE = 900
_MOST_EXPOSURES = 50
_NEVER_ASSESSED = (
    "Attackers with more knowledge than is stated here, and several attackers who work together.",
    "Other releases and other files about the same people, and whether records of them can be linked.",
    "Pictures and free text: what they say of people is not read.",
    "Whether people can be found by trying in earnest: nobody was asked to try.",
    "Whether what is released is right, fair or useful beyond what is counted here.",
)


def document(summary: Summary) -> Document:
    """Lay out the document of a Summary."""
    clean, owner = tidy({**summary, "filing": None, "scenario": None}), _Owner(summary.get("filing") or {})
    about = clean.get("data") or {}
    return Document(
        title=owner.text("title") or f"Review of a release: {label(about.get('name') or 'data')}",
        verdict=str(clean["verdict"]).upper(),
        under=f"For the owner and for reviewers: it names values and {nouns().records}, so it is not a part of the release. Every "
        "statement is measured by giveaway, stated by the owner, or marked as not assessed.",
        sections=(
            _part("0", "Head", _head(clean, owner)),
            _part("1", "Answer", _answer(clean)),
            _part("2", "Release and recipients", _release(clean, owner)),
            _part("3", "Variables", [*columns(clean), owner.field("removed", "Taken out before")]),
            _part("4", "Attackers", _attackers(clean, owner)),
            _part("5", "Limits", _limits(clean, owner)),
            _part("6", "Risk before and after" if clean.get("before") else "Risk", _risk(clean)),
            _part("7", "Usefulness", _useful(clean, owner)),
            _part("8", "How sure", _sure(clean)),
            _part("9", "Not assessed", _open(clean)),
            _part("10", "Assumptions", _assumed(clean)),
            _part("11", "To run again", _again(clean, summary.get("scenario") or {})),
            _part("12", "Decision", _decision(owner)),
            _part("A", "Readings by name", _readings(clean)),
            _part("B", "Exposures over the limit", _exposures(clean)),
        ),
    )


class _Owner:
    """What the owner filed; nothing of it is cut."""

    def __init__(self, filing: Mapping[str, Any]) -> None:
        self._filing = filing

    def text(self, name: str) -> str:
        return " ".join(_lines(self._filing.get(name) or ""))

    def field(self, name: str, says: str) -> Field:
        filed = self._filing.get(name) or ""
        texts = filed if isinstance(filed, list) else [filed]
        return field(says, [line for text in texts for line in _lines(text)], STATED)


def _lines(text: str) -> list[str]:
    """Return the lines of a text, each whole and harmless to draw."""
    return [
        "".join(cleaned(line[at : at + _PIECE]) for at in range(0, len(line), _PIECE))
        for line in str(text).splitlines()
    ]


def _part(number: str, title: str, blocks: Iterable[Block]) -> Section:
    return Section(number=number, title=title, blocks=tuple(blocks))


def _head(summary: Summary, owner: _Owner) -> list[Block]:
    return [
        owner.field("organisation", "Organisation"),
        owner.field("version", "Version of this document"),
        owner.field("people", "Names and roles"),
        field("Assessed on", day(str(summary.get("date") or "")), MEASURED),
        field("Assessed with", f"giveaway {summary.get('giveaway') or ''}".strip(), MEASURED),
        owner.field("review_date", "Review date"),
        field("Signatures", None, STATED),
    ]


def _answer(summary: Summary) -> list[Block]:
    lines = []
    for place, finding in enumerate(summary["findings"], 1):
        verdict = {True: "Safe against", False: "At risk from", None: "Cannot judge"}[finding["safe"]]
        reasons = " ".join(ended(str(reason)) for reason in finding.get("reasons") or [])
        knows, whom = finding.get("knows") or finding["attack"], finding.get("against")
        limited = f" This is said of {whom}." if whom else ""
        lines.append(f"{place}. {verdict} somebody who knows {knows}.{limited} {reasons}".rstrip())
    refusal = sentences.no_safe_release(summary)
    return [
        field("Verdict", f"{str(summary['verdict']).upper()}. {sentences.verdict(summary)}", MEASURED),
        field("For each attacker", lines, MEASURED),
        field(
            "Known to break it",
            sentences.warnings(summary) or ["Nobody among those who were looked for."],
            MEASURED,
        ),
        field("What was changed", sentences.changes(summary) or "Nothing was withheld.", MEASURED),
        *(
            [field("Why no release", [str(refusal["reason"]), *map(str, refusal["helps"])], MEASURED)]
            if refusal
            else []
        ),
    ]


def _release(summary: Summary, owner: _Owner) -> list[Block]:
    data = summary.get("data") or {}
    written = [_file(one) for one in summary.get("written") or []]
    return [
        owner.field("purpose", "Purpose"),
        owner.field("publishes", "What is published"),
        owner.field("recipients", "Recipients"),
        owner.field("controls", "Controls: contract, access, logging"),
        owner.field("sharing", "Sharing model"),
        field(
            "Data that were read", f"{label(data.get('name') or 'memory')}: {sentences.size(data)}", MEASURED
        ),
        field("Files that were written", written or "None were written when this was assessed.", MEASURED),
    ]


def _file(written: Mapping[str, Any]) -> str:
    rows = written.get("rows")
    return str(written["file"]) if rows is None else f"{written['file']}: {counted(rows, 'rows')}"


def _attackers(summary: Summary, owner: _Owner) -> list[Block]:
    rows = [
        (
            str(i),
            str(one["attack"]),
            str(one.get("knows") or ""),
            f"{sentences.could(one)}".strip(),
            _method(one),
        )
        for i, one in enumerate(summary["findings"], 1)
    ]
    head = ("", "Attack", "Knows", "Could", "Knows how giveaway chooses")
    return [
        grid("Who was considered", head, rows, STATED),
        owner.field("why", "Why these"),
        owner.field("dismissed", "Who else was thought of and dismissed"),
    ]


def _method(finding: Finding) -> str:
    knows = (finding.get("attacker") or {}).get("knows_method")
    return DASH if knows is None else "yes" if knows else "no"


def _limits(summary: Summary, owner: _Owner) -> list[Block]:
    rows, sources = [], []
    for place, finding in enumerate(summary["findings"], 1):
        tolerance = finding.get("tolerance") or {}
        share = number(tolerance, "share")
        for kind, limit in views.limits(finding):
            if limit is not None:
                most = below(finding, kind).strip() or "at most"
                words = f"{most} {limit_in_words(_kind(finding, kind), limit, share, sentences.counted_as(finding))}"
                rows.append((str(place), kind, words, _source(tolerance)))
        sources.append(preset_line(tolerance))
        sources += [str(text) for text in finding.get("remarks") or []]
    return [
        grid("What is tolerated", ("", "Kind", "Tolerated", "Preset"), rows, STATED),
        field("Source of the limits", list(dict.fromkeys(filter(None, sources))), STATED),
        owner.field("why_limit", "Why these limits"),
        owner.field("attempt", "Chance that somebody tries (not multiplied in)"),
    ]


def _kind(finding: Finding, kind: str) -> str:
    """Return the kind that was measured for a limit: an average may be one of losses."""
    kinds = [str(one["kind"]) for one in finding.get("kinds") or []]
    row = kind_of(kind)
    same = (one for one in kinds if one != kind and kind_of(one).compares == row.compares)
    return kind if row.of_targets else next(same, kind)


def _source(tolerance: Mapping[str, Any]) -> str:
    preset = tolerance.get("preset")
    return DASH if not preset else f"{preset['name']}{', changed' if preset.get('overridden') else ''}"


def _risk(summary: Summary) -> list[Block]:
    protected = summary.get("before") is not None
    rows = []
    for place, (finding, before) in enumerate(views.pairs(summary), 1):
        planned = {str(kind["kind"]): kind for kind in levels(before or {})}
        for kind in levels(finding):
            name, limit = str(kind["kind"]), number(kind, "limit")
            was = amount(name, number(planned.get(name, {}), "worst"), limit=limit)
            now = amount(name, number(kind, "worst"), limit=limit)
            base = one_in(number(kind, "baseline")) or amount(name, number(kind, "baseline"))
            tolerated = "no limit" if limit is None else limit_in_words(name, limit)
            rows.append(
                (str(place), does(finding, name), tolerated, *([was] if protected else []), now, base)
            )
    head = (
        "",
        "Highest chance, or average, to",
        "Tolerated",
        *(["As planned"] if protected else []),
        "After" if protected else "Measured",
        "Without the release",
    )
    numbers = range(2, len(head))
    present = [
        line.text()
        for finding in summary["findings"]
        for line in readings.lines(finding, ("delta-presence",))
        if line.value
    ]
    shares = [_shares(place, *pair) for place, pair in enumerate(views.pairs(summary), 1)]
    return [
        grid("Risk of each attacker", head, rows, MEASURED, right=numbers),
        field("How many, and how many on average", shares, MEASURED),
        field(_PRESENT, present, MEASURED) if present else field(_PRESENT, "Not assessed.", OPEN),
    ]


def _shares(place: int, finding: Finding, before: Finding | None) -> str:
    """Say of one attacker how many are over the limit, and the average, before and after."""
    lines = []
    for when, one in (("as planned", before), ("after" if before else "", finding)):
        if one is not None:
            average = number(one, "average")
            over = sentences.over_short(one) or DASH
            known = average is None or average > 1 or over.endswith("on average")
            lines.append(f"{when} {over}{'' if known else f', {percent(average)} on average'}".strip())
    return f"{place}. {'; '.join(lines)}."


def _useful(summary: Summary, owner: _Owner) -> list[Block]:
    kept = [
        f"{count(one.kept)} of {count(one.total)} {one.noun} ({one.share})"
        for one in usefulness.kept(summary)
    ]
    needed = page.need_words(summary)
    return [
        owner.field("use", "What readers do with the data"),
        field("Kept", kept or "Not counted.", MEASURED if kept else OPEN),
        field("Withheld", sentences.withheld_counts(summary) or "Nothing.", MEASURED),
        field("What readers need", sentence(needed) if needed else None, STATED),
        _bounds(summary),
    ]


def _bounds(summary: Summary) -> Field:
    lines = []
    for place, finding in enumerate(summary["findings"], 1):
        figures = finding.get("figures") or {}
        bound = figures.get("lower_bound")
        if figures.get("optimal") is True:
            lines.append(f"{place}. Proved: nothing less is enough for this attacker.")
        elif isinstance(bound, int | float):
            lines.append(f"{place}. At least {count(bound)} must be withheld for this attacker.")
    name = "How near the least that must be withheld"
    if lines:
        return field(name, lines, MEASURED)
    return field(name, "No bound was worked out: less may be enough.", OPEN)


def _sure(summary: Summary) -> list[Block]:
    blocks: list[Block] = []
    for place, finding in enumerate(summary["findings"], 1):
        how = finding.get("how") or {}
        method = sentences.method(finding)
        blocks.append(field(f"Attacker {place}: how it was measured", method, MEASURED if how else OPEN))
        breaks = strengths.breaks(finding)
        if breaks is not None:
            head = f"When {breaks.head}" if breaks.when else f"It holds {breaks.head}"
            blocks.append(
                field(f"Attacker {place}: where it breaks", f"{sentence(head)} {breaks.small}", MEASURED)
            )
    checked = "The written files were read back and judged again by an independent checker, which agreed."
    if summary.get("written"):
        return [*blocks, field("Independent check", checked, MEASURED)]
    return [*blocks, field("Independent check", "No files were written yet.", OPEN)]


def _open(summary: Summary) -> list[Block]:
    blocks: list[Block] = [
        field("In every release", tuple(map(nouns().told, _NEVER_ASSESSED)), OPEN),
        field(
            "In this release", [sentence(str(one["says"])) for one in summary.get("not_judged") or []], OPEN
        ),
    ]
    if unjudged_columns(summary):
        blocks.append(field("Columns", unjudged_columns(summary), OPEN))
    for place, finding in enumerate(summary["findings"], 1):
        limits = [sentence(str(limit)) for limit in finding.get("limits") or []]
        blocks.append(field(f"Attacker {place}: {finding['attack']}", limits, OPEN))
    return blocks


def _assumed(summary: Summary) -> list[Block]:
    lines = [sentence(str(text)) for one in summary["findings"] for text in one.get("assumes") or []]
    lines += [
        f"Missing values: {sentence(str(one['missing']))}"
        for one in summary["findings"]
        if one.get("missing")
    ]
    if class_lines(summary, public=True):
        lines.append("Classes and hierarchies are fixed, and known to everybody.")
    lines.append("The attackers know what is stated in section 4, and nothing else of the data.")
    numbered = [f"A{place}. {text}" for place, text in enumerate(dict.fromkeys(lines), 1)]
    return [field("Taken to be so, and not checked", numbered, OPEN)]


def _again(summary: Summary, scenario: Mapping[str, Any]) -> list[Block]:
    data = summary.get("data") or {}
    hashes = [
        (label(data.get("name") or "data"), "read", str(data.get("sha256") or "in memory, without one"))
    ]
    if scenario.get("sha256"):
        hashes.append((cleaned(str(scenario["name"])), "scenario", str(scenario["sha256"])))
    hashes += [
        (str(one["file"]), "written", str(one.get("sha256") or "a table, without one"))
        for one in summary.get("written") or []
    ]
    blocks: list[Block] = [
        field(
            "Version and seed", f"giveaway {summary.get('giveaway')}, seed {summary.get('seed')}", MEASURED
        ),
        grid("Hashes (sha256)", ("File", "", "Hash"), hashes, MEASURED),
    ]
    if scenario.get("name"):
        name, settings = cleaned(str(scenario["name"])), [cleaned(str(text)) for text in scenario["settings"]]
        words = " ".join([shlex.quote(name), *(_word(text) for text in settings)])
        command = (
            f"giveaway protect {words} -o DIR"
            if summary.get("before") is not None
            else f"giveaway assess {words}"
        )
        blocks += [
            Code(name="Command", text=command, mark=MEASURED),
            Code(name=f"Scenario {name}", text="\n".join(_lines(scenario["text"] or "")), mark=STATED),
        ]
    else:
        blocks.append(field("Scenario", "Asked in Python or on the command line, without a file.", OPEN))
    return blocks


def _word(setting: str) -> str:
    option, _, value = setting.partition(" ")
    return f"{option} {shlex.quote(value)}"


def _decision(owner: _Owner) -> list[Block]:
    return [
        owner.field("decision", "Approved, refused, or approved with conditions"),
        owner.field("conditions", "Conditions"),
        owner.field("decided_by", "By whom"),
        owner.field("decided_on", "Date"),
        owner.field("next_review", "Next review"),
        owner.field("reopen", "What would reopen it"),
        field("Signature", None, STATED),
    ]


def _readings(summary: Summary) -> list[Block]:
    blocks: list[Block] = []
    for place, (finding, before) in enumerate(views.pairs(summary), 1):
        rows = [
            (
                f"{line.name}{f', {line.which}' if line.which else ''}",
                *([planned] if before else []),
                f"{line.value} {line.of}".strip(),
                line.says,
                line.same or DASH,
            )
            for line, _, planned in views.named_readings(finding, before)
        ]
        if rows:
            head = (
                "Name",
                *(["As planned"] if before else []),
                "After" if before else "Measured",
                "Meaning",
                "The same number in",
            )
            blocks += [
                grid(f"Attacker {place}: {readings.columns_of(finding)}", head, rows, MEASURED),
                field("", readings.NO_LIMITS, MEASURED),
            ]
    return blocks or [
        field("Readings", "None: they are read off the rows of a table that somebody is looked up in.", OPEN)
    ]


def _exposures(summary: Summary) -> list[Block]:
    blocks: list[Block] = []
    for place, (finding, before) in enumerate(views.pairs(summary), 1):
        planned = before or finding
        lines = [
            line
            for line in chosen(planned, finding if before else None, most=_MOST_EXPOSURES)
            if line.planned_over
        ]
        total = planned.get("exposures_total")
        rows = [(line.who, line.learnt or DASH, line.planned, line.because) for line in lines]
        total_in_words = "not counted" if total is None else f"{count(total)} over the limit"
        title = f"Attacker {place}, {'as planned' if before else 'as it is'}: {total_in_words}"
        if rows:
            blocks.append(
                grid(
                    f"{title}; the worst", ("Who", "Learns", "Chance", "Because"), rows, MEASURED, right=(2,)
                )
            )
        else:
            blocks.append(field(title, "None is listed.", MEASURED if total is not None else OPEN))
    return blocks
