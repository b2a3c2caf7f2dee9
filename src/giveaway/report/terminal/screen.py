"""A Summary as text for a terminal or a log: words carry the verdict, colour only repeats it."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from giveaway.model.question.limits import kind_of
from giveaway.report.html import page
from giveaway.report.html.exposures import ExposureLine, chosen
from giveaway.report.html.views import limits, pairs
from giveaway.report.terminal.ink import JUDGED, Ink
from giveaway.report.wording import earlier, readings, sentences, strengths, usefulness
from giveaway.report.wording.phrases import below, is_over, kept_noun
from giveaway.report.wording.tidy import Finding, Summary, of_its_release, tidy
from giveaway.report.wording.under_verdict import (
    alone_lines,
    class_lines,
    formula_lines,
    limit_lines,
    looks_like_line,
    not_judged_line,
)
from giveaway.report.wording.usefulness import kept_percent
from giveaway.report.wording.words import DASH, amount, count, counted, ended, limit_in_words, number

_MOST = 3
_NO_LEVEL = ("-", "-", False)
_SAID = ("Not safe as planned: ", "Safe as planned. ", "No verdict: ", "No verdict yet: ")


def parts(summary: Summary, *, values: bool) -> set[str]:
    """Name what of each attacker the text shows beyond the lines of a verdict, so that nothing else is worked out for it."""
    shown = {"together"}
    if summary.get("before") is None:
        shown |= {"figures", "holds_up_to", "recipe", "decision", "exposures_total"}
        return shown | {"exposures"} if values else shown
    shown |= {"kept", "holds_up_to", "curves"} if values else {"kept"}
    return shown if sentences.withheld_counts(summary) else shown | {"holds_up_to"}


@of_its_release
def render(
    summary: Summary,
    *,
    exposures: bool,
    quiet: bool,
    width: int = 80,
    colour: bool = False,
    unicode: bool = True,
    names: Sequence[str] = (),
    asked: str | None = None,
) -> str:
    """Write a Summary as text; with `exposures=False` no value of the data is in it. `asked` is what a command may ask again.

    Unless it is quiet, the readings that have these names of the field stand under the verdict.
    """
    clean = tidy(summary)
    ink = Ink(colour=colour, unicode=unicode, width=max(width, 40))
    if clean.get("errors"):
        return ink.finish(_mistakes(clean, ink))
    if quiet:
        return ink.finish(_short(clean, ink, quiet=True))
    named = _readings(clean, names, ink) if names else []
    if not exposures:
        return ink.finish(
            [*_short(clean, ink, quiet=False), *_ladder(clean, ink), *named, *_next(clean, asked)]
        )
    data = clean.get("data") or {}
    size = sentences.size(data)
    body = _protected(clean, ink) if clean.get("before") is not None else _assessed(clean, ink)
    return ink.finish(
        [
            *ink.wrapped(f"{data.get('name') or 'memory'}{f' ({size})' if size else ''}"),
            "",
            *body,
            "",
            *_last(clean, ink),
            *_ladder(clean, ink),
            *named,
            *_next(clean, asked),
        ]
    )


def _mistakes(summary: Summary, ink: Ink) -> list[str]:
    errors = [str(text) for text in summary["errors"]]
    head = (
        f"{ink.verdict(None)}: {counted(len(errors), 'mistakes')}; the release counts as unsafe until then."
    )
    return [head, "", *(line for text in errors for line in ink.wrapped(text, indent="  "))]


def _short(summary: Summary, ink: Ink, *, quiet: bool) -> list[str]:
    lines = [*_attackers(summary, ink), *_causes(summary, ink)]
    lines += (
        [] if quiet else ["", *_numbers(summary, ink), *_earlier(summary, ink), *_recipes(summary, ink), ""]
    )
    lines += _sentence(summary, ink)
    if summary["verdict"] == "safe" or not quiet:
        lines += _under(not_judged_line(summary), ink)
    if sentences.no_safe_release(summary) is not None:
        lines.append("  Nothing was written.")
    if not quiet:
        lines += _notes(summary, ink)
        what = "values" if sentences.no_safe_release(summary) is None else "exposures"
        lines += ink.wrapped(
            f"{what} are not printed here; write them with --html FILE or --json FILE", indent="  "
        )
    return lines


def _attackers(summary: Summary, ink: Ink) -> list[str]:
    findings = summary.get("findings") or []
    lines = []
    for i, finding in enumerate(findings, 1):
        verdict = ink.padded(ink.verdict(finding["safe"]), 14 if not ink.unicode else 16)
        start = f"{verdict}{i}  {finding['attack']:<14}"
        knows = f"{sentences.begins(finding)}knows {finding.get('knows') or finding['attack']}"
        lines += ink.wrapped(knows, first=start)
    return lines


def _causes(summary: Summary, ink: Ink) -> list[str]:
    """Say why an attacker could not be judged; these reasons speak of time and margins, not of values."""
    unjudged = [finding for finding in summary.get("findings") or [] if finding["safe"] is None]
    return [line for finding in unjudged for line in _reasons(finding, ink)]


def _reasons(finding: Finding, ink: Ink) -> list[str]:
    reasons = [ended(str(reason)) for reason in finding.get("reasons") or []]
    return [line for reason in reasons for line in ink.wrapped(reason, indent="  ")]


def _assessed(summary: Summary, ink: Ink) -> list[str]:
    findings = summary.get("findings") or []
    lines = [*_attackers(summary, ink), *_causes(summary, ink), "", *_table(findings, ink)]
    lines += _earlier(summary, ink)
    for i, finding in enumerate(findings, 1):
        for shown in (_together(i, finding, ink), _exposures(i, finding, ink)):
            lines += ["", *shown] if shown else []
    return lines + _recipes(summary, ink)


def _table(findings: Sequence[Finding], ink: Ink) -> list[str]:
    rows = [("", "tolerated", "worst", "over the limit", "holds up to")]
    over = set()
    for i, finding in enumerate(findings, 1):
        name, beyond = f"{i}  {finding['attack']}", _over(finding)
        holds = strengths.holds(finding, briefly=True)
        by_kind, kinds = sentences.over_by_kind(finding), [str(kind["kind"]) for kind in _limited(finding)]
        for (tolerated, worst, breach), kind in zip(_levels(finding), chain(kinds, repeat("")), strict=False):
            if breach:
                over.add(len(rows))
            rows.append((name, tolerated, worst, by_kind.get(kind, beyond), holds))
            name = beyond = holds = ""
    return ink.columns(rows, over=over)


def _over(finding: Finding) -> str:
    text = sentences.over_short(finding)
    over_all = tuple(kind_of(kind["kind"]).when for kind in sentences.averages(finding))
    return "-" if text.endswith(over_all) else text.replace(" exposed", "")


def _levels(finding: Finding) -> list[tuple[str, str, bool]]:
    levels = []
    if not finding.get("kinds"):
        unmeasured = [
            (limit_in_words(kind, limit), "-", False) for kind, limit in limits(finding) if limit is not None
        ]
        return unmeasured or [_NO_LEVEL]
    limited = _limited(finding)
    for kind in limited:
        worst, limit = number(kind, "worst"), number(kind, "limit") or 0
        share = number(finding.get("tolerance") or {}, "share")
        name, of = str(kind["kind"]), sentences.counted_as(finding)
        words = f"{below(finding, name)}{limit_in_words(name, limit, share, of)}"
        tolerated = f"{words} ({name})" if len(limited) > 1 else words
        shown = amount(name, worst, limit=limit, short=True)
        levels.append((tolerated, shown, is_over(finding, name, worst, limit)))
    return levels or [_NO_LEVEL]


def _limited(finding: Finding) -> list[Mapping[str, Any]]:
    """Return what was measured of the kinds that the owner limits."""
    return [kind for kind in earlier.levels(finding) if number(kind, "limit") is not None]


def _exposures(place: int, finding: Finding, ink: Ink) -> list[str]:
    lines = chosen(finding, None, most=_MOST)
    if not lines:
        return []
    total = finding.get("exposures_total") or 0
    average = sentences.only_average(finding)
    none = "the most exposed" if average else f"{earlier.none_over(finding)}; the nearest to it"
    title = "worst exposures" if total else none
    shown = [ink.bold(f"{place}  {finding['attack']}: {title}")]
    for line in lines:
        shown += _exposure(line, ink)
    rest = total - sum(1 + line.more for line in lines if line.planned_over)
    if rest > 0:
        shown += ink.wrapped(f"{count(rest)} more: --html FILE or --json FILE", indent=" " * 10, dim=True)
    return shown


def _together(place: int, finding: Finding, ink: Ink) -> list[str]:
    """Write what is exposed only by several releases together, before all else."""
    lines = chosen(earlier.together_exposures(finding), None, most=_MOST)
    if not lines:
        return []
    title = ink.bold(f"{place}  {finding['attack']}: exposed only together with earlier releases")
    return [title, *(text for line in lines for text in _exposure(line, ink))]


def _earlier(summary: Summary, ink: Ink) -> list[str]:
    """Write the earlier releases and how they are linked, and what each attacker learns with them, in counts."""
    rows = earlier.releases(summary)
    if not rows:
        return []
    head = ("earlier", "rows", "linked", "joined", "joinable", "people")
    columns = ("name", "rows", "linked", "joined_by", "joinable", "people")
    lines = ["", *ink.columns([head, *([row[name] for name in columns] for row in rows)])]
    findings = summary.get("findings") or []
    for i, finding in enumerate(findings, 1):
        for text in earlier.view_lines(finding):
            lines += ink.wrapped(text, first=f"  {i}  ")
    return lines


def _recipes(summary: Summary, ink: Ink) -> list[str]:
    """Write the recipes of the papers, which hold no value of the data, for a release as planned."""
    lines: list[str] = []
    if summary.get("before") is not None:
        return lines
    for i, finding in enumerate(summary.get("findings") or [], 1):
        steps = [str(step) for step in finding.get("recipe") or []]
        title = ink.bold(f"{i}  {finding['attack']}: the recipe of the paper, step by step")
        lines += ["", title] if steps else []
        lines += [line for step in steps for line in ink.wrapped(step, first="   - ")]
    return lines


def _exposure(line: ExposureLine, ink: Ink) -> list[str]:
    target = f"{line.who} {ink.arrow} {line.learnt}" if line.learnt else line.who
    chance = ink.over(line.planned) if line.planned_over else line.planned
    head = ink.wrapped(target, first=f"   {ink.padded(f'{chance} ', 7)}", bold=True)
    return [*head, *ink.wrapped(line.because, indent=" " * 10, dim=True)]


def _numbers(summary: Summary, ink: Ink) -> list[str]:
    """Write the table of numbers, which holds no values of the data."""
    if summary.get("before") is None:
        return _table(summary.get("findings") or [], ink)
    return [*_changes(summary, ink), *_lost(summary, ink)]


def _protected(summary: Summary, ink: Ink) -> list[str]:
    return [
        *_changes(summary, ink),
        *_earlier(summary, ink),
        "",
        *_account(summary, ink),
        *_lost(summary, ink),
    ]


def _changes(summary: Summary, ink: Ink) -> list[str]:
    rows = [("", "as planned", "", "", "after withholding", "", "tolerated")]
    for i, (after, before) in enumerate(pairs(summary), 1):
        planned = {kind["kind"]: kind for kind in earlier.levels(before or {})}
        name = f"{i}  {after['attack']}"
        first, last = (ink.word(one["safe"]) for one in (before or after, after))
        for kind, (tolerated, worst, _) in zip(_limited(after) or [{}], _levels(after), strict=False):
            name_of = str(kind.get("kind"))
            worst_planned = number(planned.get(name_of, {}), "worst")
            was = amount(name_of, worst_planned, limit=number(kind, "limit"), short=True)
            rows.append((name, first, was, ink.arrow, last, worst, tolerated))
            name = first = last = ""
    return ink.columns(rows)


def _lost(summary: Summary, ink: Ink) -> list[str]:
    """Say what each column lost, and what to do where hardly anything is left."""
    rows = [(column.name, column.says) for column in usefulness.columns(summary)]
    lines = ["", *ink.columns([("column", "changed"), *rows])] if rows else []
    for text in usefulness.advice(summary) if summary.get("before") is not None else []:
        lines += ["", *(ink.over(line) for line in ink.wrapped(text, indent="  "))]
    return lines


def _account(summary: Summary, ink: Ink) -> list[str]:
    account: list[tuple[str, str]] = []
    held, data = sentences.withheld_counts(summary), summary.get("data") or {}
    items = (summary.get("withheld") or {}).get("items") or []
    if items and data.get("items"):
        held[0] = f"{count(len(items))} of {counted(data['items'], 'items')}"
    account += [("withheld" if not i else "", text) for i, text in enumerate(held or ["nothing"])]
    for i, kept in enumerate(usefulness.kept(summary)):
        account.append(
            ("" if i else "kept", f"{count(kept.kept)} of {count(kept.total)} {kept.noun} ({kept.share})")
        )
    if page.need_words(summary):
        account.append(("needed", page.need_words(summary)))
    for i, finding in enumerate(summary["findings"], 1):
        breaks = strengths.breaks(finding)
        if breaks is not None and (breaks.when or not finding.get("warning")):
            who = f"{i}: " if len(summary["findings"]) > 1 else ""
            account.append(("breaks" if breaks.when else "holds", f"{who}{_breaks(finding, breaks)}"))
    for i, (after, before) in enumerate(pairs(summary), 1):
        change = strengths.stronger(before, after)
        if change:
            account.append(("note", f"{i}: {change}"))
    if summary.get("written"):
        account.append(("checked", "released files read back and judged again: same result"))
        account += [
            ("written" if not i else "", str(file["file"])) for i, file in enumerate(summary["written"])
        ]
    lines = []
    for name, text in account:
        lines += ink.wrapped(text, first=f"  {ink.padded(ink.bold(name) if name else '', 11)}")
    return lines


def _breaks(finding: Finding, breaks: strengths.Breaks) -> str:
    """Say where it breaks and what is exposed then, without the advice; or that it does not, within what was tried."""
    first = f"{breaks.small.split('. ')[0].rstrip('.')}."
    small = " ".join(dict.fromkeys(filter(None, [first, strengths.beside(finding)])))
    return f"when {breaks.head}. {small}" if breaks.when else f"{breaks.head}: {small[0].lower()}{small[1:]}"


def _sentence(summary: Summary, ink: Ink) -> list[str]:
    """Write the verdict, and right below it who is known to beat it."""
    judged = JUDGED.get(str(summary["verdict"]))
    whom = sentences.against(summary)
    sentence = sentences.verdict(summary).removeprefix(whom)
    for known in _SAID:
        sentence = sentence.removeprefix(known).removeprefix(known[0].lower() + known[1:])
    if judged and not sentences.withheld_counts(summary):
        sentence = " ".join([sentence, *_room(summary)])
    lines = ink.wrapped(
        whom + sentence[0].lower() + sentence[1:], first=f"{ink.verdict(judged)}: ", hang=False
    )
    for warning in sentences.warnings(summary):
        lines += [ink.over(line) for line in ink.wrapped(warning, indent="  ")]
    return lines


def _under(text: str, ink: Ink) -> list[str]:
    """Write a line under the verdict, where there is something to say."""
    return ink.wrapped(text, indent="  ") if text else []


def _notes(summary: Summary, ink: Ink) -> list[str]:
    """Write what there is to know of limits, formulas and classes."""
    notes = (*limit_lines(summary), *formula_lines(summary), *class_lines(summary), *alone_lines(summary))
    return [line for text in notes for line in _under(text, ink)]


def _readings(summary: Summary, names: Sequence[str], ink: Ink) -> list[str]:
    """Write the readings of each attacker that has some, and what they are not."""
    text = []
    for i, finding in enumerate(summary.get("findings") or [], 1):
        lines = readings.lines(finding, names)
        if lines:
            text += ["", ink.bold(f"{i}  {finding['attack']}: in the names of the field")]
        for line in lines:
            text += ink.wrapped(line.text(), first=f"   {ink.padded(line.name, 16)}")
    return [*text, *ink.wrapped(readings.NO_LIMITS, indent="   ", dim=True)] if text else []


def _room(summary: Summary) -> list[str]:
    """Say how near the limit a release comes that is safe as planned, when there is one attacker."""
    if len(summary["findings"]) != 1:
        return []
    finding = summary["findings"][0]
    worst = sentences.tightest(finding)
    near = [] if worst is None else [f"The attacker can {worst}."]
    if not strengths.tried(finding):
        return near
    return [*near, strengths.holds_up_to(finding), *filter(None, [strengths.beside(finding)])]


def _last(summary: Summary, ink: Ink) -> list[str]:
    lines = [*_sentence(summary, ink), *_under(not_judged_line(summary), ink)]
    lines += [*_under(looks_like_line(summary), ink), *_notes(summary, ink)]
    refusal = sentences.no_safe_release(summary)
    if refusal is not None:
        lines += ink.wrapped(ended(refusal["reason"]), indent="  ")
        for text in refusal["helps"]:
            lines += ink.wrapped(ended(str(text)), indent="  ")
        return [*lines, *ink.wrapped("Nothing was written.", indent="  ")]
    if summary["verdict"] != "cannot judge":
        lines += [line for finding in summary.get("findings") or [] for line in _reasons(finding, ink)]
    return lines


def _ladder(summary: Summary, ink: Ink) -> list[str]:
    """Write the limits that were tried as a table, with what each costs; nothing where none were."""
    rungs = summary.get("suggestions") or []
    if not rungs:
        return []
    rows: list[tuple[str, ...]] = [("", "limit", "as planned", "protected", "withheld", "kept")]
    rows += [_rung(rung, summary, ink) for rung in rungs]
    lines = ["", ink.bold("Nearby limits, each tried by protecting the release for it"), *ink.columns(rows)]
    for rung in (rung for rung in rungs if rung.get("reason")):
        lines += ink.wrapped(f"{_tried(rung)}: {ended(str(rung['reason']))}", indent="  ", dim=True)
    return [
        *lines,
        *ink.wrapped("The other limits stay as stated. Nothing was written.", indent="  ", dim=True),
    ]


def _rung(rung: Mapping[str, Any], summary: Summary, ink: Ink) -> tuple[str, ...]:
    return (
        f"{rung['kind']}",
        f"{_tried(rung)}{', as stated' if rung['stated'] else ''}",
        ink.word(JUDGED[str(rung["planned"])]),
        ink.word(JUDGED[str(rung["verdict"])]),
        str(rung["withheld"] or DASH),
        _rung_keeps(rung, summary),
    )


def _tried(rung: Mapping[str, Any]) -> str:
    return limit_in_words(str(rung["kind"]), number(rung, "limit") or 0)


def _rung_keeps(rung: Mapping[str, Any], summary: Summary) -> str:
    """Write what is kept of the first thing that is counted."""
    for one in sorted(rung.get("kept") or [], key=lambda one: one["name"] == "item_occurrences"):
        for finding in summary["findings"]:
            if one["name"] in (finding.get("kept") or {}):
                return f"{kept_percent(one['kept'], one['total'])} of {kept_noun(str(one['name']), finding)}"
        return kept_percent(one["kept"], one["total"])
    return DASH


def _next(summary: Summary, asked: str | None) -> list[str]:
    """Name the commands that may follow; they are not broken, so that they can be pasted."""
    planned = summary["verdict"] == "at risk" and summary.get("before") is None
    if not planned or sentences.no_safe_release(summary) is not None:
        return []
    name = str((summary.get("scenario") or {}).get("name") or "")
    asked = asked or shlex.quote(name) if name or asked else None
    if asked is None:
        return []
    others = [
        f"Or ask: giveaway assess {asked} --set knows.{place}.{field}={value}"
        for place, finding in enumerate(summary.get("findings") or [])
        for field, value in ((finding.get("decision") or {}).get("fields") or {}).items()
    ]
    return [f"Next: giveaway protect {asked} -o out", *others]
