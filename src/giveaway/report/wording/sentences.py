"""The sentences a Summary deserves: verdict, lead, what each attacker learns, and where it breaks."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from giveaway.model.answer.phrases import Counted
from giveaway.model.question.limits import kind_of, of_targets
from giveaway.report.wording.earlier import exposed_together, levels, none_together, unsafe_lines
from giveaway.report.wording.phrases import below, does, is_over, phrases, row_noun
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.words import (
    Number,
    all_of,
    amount,
    count,
    counted,
    ended,
    exact_percent,
    joined,
    limit_amount,
    limit_in_words,
    number,
    one_in,
    percent,
    sentence,
    singular,
    spelled,
    times,
    unbroken,
    with_one_in,
)

_LEAD = 3
"""How many sentences follow the verdict at most."""


def verdict(summary: Summary) -> str:
    """Write the verdict as one sentence; it begins with whom it is about, where not everybody of the kind is meant."""
    says = {"safe": _safe, "at risk": _at_risk}.get(summary["verdict"], _cannot_judge)
    sentence, whom = says(summary), against(summary)
    return f"{whom}{sentence[0].lower()}{sentence[1:]}" if whom else sentence


def against(summary: Summary) -> str:
    """Say whom a promise is made against: `Against somebody who ...: `, for one attacker; several say it each."""
    findings = summary.get("findings") or []
    if summary["verdict"] != "safe" or len(findings) != 1:
        return ""
    return begins(findings[0])


def begins(finding: Finding) -> str:
    """Return what the line about one attacker begins with."""
    return f"Against {finding['against']}: " if finding.get("against") else ""


def warnings(summary: Summary) -> list[str]:
    """Return which stronger attackers are known to be over the limit, in a sentence each that several may share."""
    findings = summary.get("findings") or []
    several = len(findings) > 1
    return [
        f"{f'{attackers(who).capitalize()}: ' if several else ''}{text}"
        for text, who in _shared(map(warning, findings))
    ]


def _shared(texts: Iterable[str]) -> Iterable[tuple[str, list[int]]]:
    """Return what is said of attackers, each text once, with the numbers of those of whom it is said."""
    by_text: dict[str, list[int]] = {}
    for place, text in enumerate(texts, 1):
        by_text.setdefault(text, []).append(place)
    return [(text, places) for text, places in by_text.items() if text]


def warning(finding: Finding) -> str:
    """Say which stronger attacker is known to be over the limit, where the one that is judged is within it."""
    return unbroken(ended(str(finding["warning"]))) if finding.get("warning") and finding["safe"] else ""


def _safe(summary: Summary) -> str:
    held = withheld_counts(summary)
    if not held:
        return "Safe as planned. Nothing needs to be withheld."
    if summary.get("before") is None:
        parts = [f"{joined(what)} {how}" for how, what in _ways(summary).items()]
        return f"Safe to release, with {joined(parts)}."
    return f"Safe to release, once {_changed(summary)}."


def changes(summary: Summary) -> str:
    """Say what is withheld and what is given less exactly, as a sentence; nothing where nothing is."""
    return sentence(_changed(summary)) if _withheld(summary) else ""


def _changed(summary: Summary) -> str:
    return joined([f"{joined(what)} {_verb(what)} {how}" for how, what in _ways(summary).items()])


def _ways(summary: Summary) -> dict[str, list[str]]:
    """Put together what is withheld, and what is given in the same way instead."""
    ways: dict[str, list[str]] = {}
    for what, how in _withheld(summary):
        ways.setdefault(how or "withheld", []).append(what)
    return ways


def _verb(counted_things: Sequence[str]) -> str:
    """Return the verb of one count or several: one of one is singular."""
    return "is" if len(counted_things) == 1 and counted_things[0].startswith("1 ") else "are"


def _at_risk(summary: Summary) -> str:
    refusal = no_safe_release(summary)
    if refusal is not None:
        return f"No safe release {'exists' if refusal['proved'] else 'was found'} at these limits."
    findings = summary.get("findings") or []
    over = sum(finding["safe"] is False for finding in findings)
    when = "as planned" if not withheld_counts(summary) else "after withholding"
    if len(findings) == 1:
        whom = (findings[0].get("decision") or {}).get("judged", "the attacker")
        return f"Not safe {when}: {whom} learns more than you tolerate."
    who = f"{spelled(over)} of your {spelled(len(findings))} attackers"
    if over == len(findings):
        who = all_of(over, "attackers")
    return f"Not safe {when}: {who} {'learns' if over == 1 else 'learn'} more than you tolerate."


def _cannot_judge(summary: Summary) -> str:
    if summary.get("errors"):
        return "No verdict: the question could not be understood, so the release counts as unsafe."
    findings = summary.get("findings") or []
    open_ones = [i for i, finding in enumerate(findings, 1) if finding["safe"] is None]
    single = len(findings) == 1
    who = "the attacker" if single else attackers(open_ones)
    if all(findings[i - 1].get("worst") is not None for i in open_ones):
        whose = "the estimate" if single else f"the estimate for {who}"
        if all((findings[i - 1].get("how") or {}).get("margin") for i in open_ones):
            return f"No verdict yet: {whose} straddles your limit."
        return f"No verdict: the numbers for {who} do not settle it, so the release counts as unsafe."
    return f"No verdict: {who} could not be measured, so the release counts as unsafe."


def attackers(numbers: Sequence[int]) -> str:
    """Name attackers by their numbers: `attackers 1 and 3`."""
    return f"attacker{'s' if len(numbers) != 1 else ''} {joined([str(n) for n in numbers])}"


def no_safe_release(summary: Summary) -> dict[str, Any] | None:
    """Return why no safe release could be made, when protecting was tried and failed."""
    refusal = summary.get("no_safe_release")
    if not refusal:
        return None
    # older Summaries say what would help in words alone
    helps = [one if isinstance(one, dict) else {"says": one} for one in refusal.get("helps") or []]
    return {
        "reason": refusal.get("reason", ""),
        "helps": [str(one.get("says", "")) for one in helps],
        "changes": [one.get("set") or [] for one in helps],
        "proved": bool(refusal.get("proved")),
    }


def withheld_counts(summary: Summary) -> list[str]:
    """Count what is withheld, kind by kind, and what is given less exactly."""
    return [f"{what} {how}".strip() for what, how in _withheld(summary)]


def _withheld(summary: Summary) -> list[tuple[str, str]]:
    """Count what is withheld, with how it is given instead; nothing where it is not given at all."""
    held = summary.get("withheld") or {}
    coarser = len(held.get("items_coarser") or [])
    cells = held.get("cells_total") if "cells_total" in held else len(held.get("cells") or [])
    rules = len(held.get("rules") or [])
    sizes = (
        (len(held.get("items") or []), "items", ""),
        (coarser, "items", f"given as {'its' if coarser == 1 else 'their'} category"),
        (cells, "entries", ""),
        (held.get("coarser_total"), "entries", "given less exactly"),
        (rules, "rules", ""),
        (len(held.get("statements") or []), "statements", ""),
    )
    parts = [(counted(size, noun), how) for size, noun, how in sizes if size]
    if held.get("thresholds") and not rules:
        parts.append(("rules below higher thresholds", ""))
    if held.get("scores") is not None:
        digits = held["scores"]
        few = "the scores" if digits == "withheld" else f"all but {counted(digits, 'digits')} of the scores"
        parts.append((few, ""))
    return parts


def lead(summary: Summary) -> list[str]:
    """Write the two or three sentences that follow the verdict."""
    findings = summary.get("findings") or []
    if summary["verdict"] == "safe":
        return _lead_safe(summary)
    refusal = no_safe_release(summary)
    if refusal is not None:
        return [ended(refusal["reason"]), "Nothing was written."]
    lines = [text for finding in findings if finding["safe"] is False for text in counts(finding)]
    open_ones = [i for i, finding in enumerate(findings, 1) if finding["safe"] is None]
    within = [i for i, finding in enumerate(findings, 1) if finding["safe"]]
    if summary["verdict"] == "cannot judge" and within:
        verb = "is" if len(within) == 1 else "are"
        lines.append(f"{attackers(within).capitalize()} {verb} within your limits.")
        lines.append("That is not enough: a release is called safe only when every attacker was measured.")
    elif open_ones and lines:
        lines.append(f"{attackers(open_ones).capitalize()} could not be judged.")
    elif open_ones:
        unclear = [straddling for i in open_ones if (straddling := _straddles(findings[i - 1]))]
        lines += unclear or ["A release is called safe only when every attacker was measured."]
    return lines


def _straddles(finding: Finding) -> str:
    """Say how far an estimate may be from the truth, where its margin decides."""
    margin = number(finding.get("how") or {}, "margin")
    kinds = [kind for kind in levels(finding) if number(kind, "limit") is not None]
    if not margin or len(kinds) != 1:
        return ""
    worst, limit = number(kinds[0], "worst"), number(kinds[0], "limit")
    if worst is None or limit is None:
        return ""
    return (
        f"The estimate is {percent(worst, limit=limit)}, and with its margin up to {percent(worst + margin, limit=limit)}; "
        f"you tolerate {limit_in_words(str(kinds[0]['kind']), limit)}."
    )


def counts(finding: Finding, *, when: str = "") -> list[str]:
    """Say in counts what one attacker learns: with earlier releases at hand first, then from this one alone."""
    together = unsafe_lines(finding)
    if not together:
        return [exposed(finding, when=when)]
    first = [sentence(f"{when}, {text[0].lower()}{text[1:]}") if when else text for text in together]
    return [*first, exposed(finding, when="from this release alone")]


def _lead_safe(summary: Summary) -> list[str]:
    findings, before = summary["findings"], summary.get("before") or []
    lines = []
    over = sum(finding["safe"] is False for finding in before)
    if over and len(before) == 1:
        lines.append("After withholding, the attacker learns no more than you tolerate.")
    elif over:
        who = f"{spelled(over)} of your {spelled(len(before))} attackers"
        lines.append(f"As planned, {who} would learn more than you tolerate; after withholding, none does.")
    for i, finding in enumerate(findings, 1):
        worst, shared = tightest(finding), share_tolerated(finding)
        whom = "The attacker" if len(findings) == 1 else f"Attacker {i}"
        if shared is not None:
            lines.append(shared if len(findings) == 1 else f"{whom}: {shared}")
        elif worst is not None:
            lines.append(f"{whom} can {'still ' if before else ''}{worst}.")
    return [*_scopes(findings), *lines[:_LEAD]]


def _scopes(findings: Sequence[Finding]) -> list[str]:
    """Say of several attackers whom the promise is made against, where not everybody of the kind is meant."""
    whom = (str(finding.get("against") or "") for finding in findings)
    return [
        f"{attackers(who).capitalize()}: against {text}." for text, who in _shared(whom) if len(findings) > 1
    ]


def tightest(finding: Finding) -> str | None:
    """Say the worst chance that remains, next to its limit, for the kind that has least room left."""
    kinds = [kind for kind in levels(finding) if number(kind, "worst") is not None]
    if not kinds:
        return None
    kind = max(kinds, key=lambda level: (number(level, "worst") or 0) / (number(level, "limit") or 1))
    worst, limit = number(kind, "worst"), number(kind, "limit")
    act = does(finding, kind["kind"])
    if worst is None or limit is None:
        return None
    row = kind_of(kind["kind"])
    if not row.of_targets:
        remains = row.remains.format(does=act, amount=amount(row.name, worst, limit=limit))
        return f"{remains}; you tolerate {limit_amount(row.name, limit)}"
    chance = row.remains.format(does=act, amount=with_one_in(worst, limit=limit))
    if worst == limit:
        over = is_over(finding, kind["kind"], worst, limit)
        return f"{chance}, which {'reaches your limit' if over else 'is the limit'}"
    return f"{chance}; you tolerate {below(finding, kind['kind'])}{limit_in_words(kind['kind'], limit)}"


def averages(finding: Finding) -> list[Mapping[str, Any]]:
    """Return what was measured on average."""
    return [kind for kind in finding.get("kinds") or [] if not kind_of(kind["kind"]).of_targets]


def only_average(finding: Finding) -> bool:
    """Tell whether the owner limits nothing but an average."""
    return bool(averages(finding)) and all(
        kind in averages(finding) or number(kind, "limit") is None for kind in finding["kinds"]
    )


def share_tolerated(finding: Finding) -> str | None:
    """Say which part is above the limit, when the owner tolerates a part."""
    allowed, share = number(finding.get("tolerance") or {}, "share"), number(finding, "share")
    if not allowed or share is None:
        return None
    figures, counts = finding.get("figures") or {}, limited_counts(finding)
    parts = [(counted_as(finding), share)]
    if len(counts) > 1:
        parts = [(one.noun, Fraction(figures[one.figure], figures.get(one.of) or 1)) for one in counts]
    shares = [
        f"{percent(part, limit=allowed)} of the {noun}" if part else f"none of the {noun}"
        for noun, part in parts
    ]
    verb = "is" if len(parts) == 1 and not parts[0][1] else "are"
    return sentence(
        f"{joined(shares)} {verb} above the limit; you tolerate it for up to {exact_percent(allowed)}"
    )


def limited_counts(finding: Finding) -> list[Counted]:
    """Return what counts as exposed where that is limited."""
    figures, copy = finding.get("figures") or {}, phrases(finding)
    counts = (copy.exposed, copy.exposed_too)
    return [one for one in counts if one is not None and figures.get(one.figure) is not None]


def counted_as(finding: Finding) -> str:
    """Name what is counted as exposed; of two, whichever has the larger part over the limit is meant."""
    copy = phrases(finding)
    nouns = [
        one.noun for one in (copy.exposed, copy.exposed_too) if one is not None and _is_limited(finding, one)
    ]
    return " or ".join(nouns) or (copy.exposed.noun if copy.exposed else copy.targets)


def _is_limited(finding: Finding, counted_too: Counted) -> bool:
    """Tell whether the owner limits the chances of what is counted."""
    kinds = (counted_too.kind,) if counted_too.kind else of_targets()
    return any((finding.get("tolerance") or {}).get(kind) is not None for kind in kinds)


def could(finding: Finding) -> str:
    """Say what the attacker could do, where the owner limits it."""
    copy = phrases(finding)
    too = copy.exposed_too is not None and _is_limited(finding, copy.exposed_too)
    return f"{copy.could}{copy.could_too}" if too else copy.could


def exposed(finding: Finding, *, when: str = "") -> str:
    """Say in counts what one attacker learns."""
    copy = phrases(finding)
    start = f"{when}, " if when else ""
    counts = limited_counts(finding)
    if counts:
        return sentence(f"{start}{'; '.join(_exposed(finding, one) for one in counts)}")
    for kind in averages(finding):
        average = number(finding, kind_of(kind["kind"]).compares)
        if average is not None:
            return sentence(f"{start}{_on_average(finding, kind, average)}")
    total = finding.get("exposures_total")
    if total is None:
        late = "what is exposed was not counted in the time given"
        return sentence(f"{start}{late if finding.get('kinds') else 'this attacker could not be measured'}")
    if not total:
        return sentence(f"{start}no {singular(copy.targets)} is over the limit")
    return sentence(f"{start}{counted(total, copy.targets)} {'is' if total == 1 else 'are'} over the limit")


def _exposed(finding: Finding, counts: Counted) -> str:
    """Say how many are exposed in one way."""
    some, whole = finding["figures"][counts.figure], finding["figures"].get(counts.of)
    part = "no" if whole is None else f"none of the {count(whole)}"
    if some:
        part = count(some) if whole is None else f"{count(some)} of {count(whole)}"
    return f"{part} {counts.noun} {counts.one if some == 1 and counts.one else counts.how}"


def _on_average(finding: Finding, kind: Mapping[str, Any], average: Number) -> str:
    row, limit, copy = kind_of(kind["kind"]), number(kind, "limit"), phrases(finding)
    written = amount(row.name, average, limit=limit)
    says = row.over_all.format(amount=written, succeeds=copy.succeeds, targets=copy.targets)
    return says if limit is None else f"{says}; you tolerate {limit_amount(row.name, limit)}"


def exposed_then(before: Finding, after: Finding) -> str:
    """Say what is left of what one attacker learnt, shortly when nothing is."""
    if unsafe_lines(before) and none_together(after) and after.get("exposures_total") == 0:
        return "After withholding, none is."
    some, left = ([one["figures"][of.figure] for of in limited_counts(one)] for one in (before, after))
    if any(some) and left and not any(left):
        return "After withholding, none is left."
    return exposed(after, when="after withholding")


def over_short(finding: Finding) -> str:
    """Say under a verdict how much is over the limit."""
    if finding.get("worst") is None and not finding.get("kinds"):
        return "not measured"
    together = exposed_together(finding)
    if together and not finding.get("exposures_total"):
        return together
    counts = limited_counts(finding)
    if counts:
        sizes = [(finding["figures"][one.figure], one.noun) for one in counts]
        return f"{joined([counted(some, noun) for some, noun in sizes if some]) or 'none'} exposed"
    for kind in averages(finding):
        row = kind_of(kind["kind"])
        average = number(finding, row.compares)
        if average is not None:
            return f"{amount(row.name, average, limit=number(kind, 'limit'))} {row.when}"
    total = finding.get("exposures_total")
    if total is None:
        return "not counted in the time given"
    return f"{counted(total, phrases(finding).targets)} exposed" if total else "none exposed"


def over_by_kind(finding: Finding) -> dict[str, str]:
    """Say how much is over the limit of each kind that is counted by itself; together with earlier releases none is."""
    if exposed_together(finding) and not finding.get("exposures_total"):
        return {}
    figures = finding.get("figures") or {}
    return {
        one.kind: counted(figures[one.figure], one.noun) if figures[one.figure] else "none"
        for one in limited_counts(finding)
        if one.kind
    }


def listed(finding: Finding) -> str:
    """Say how many of the targets over the limit are listed, where not all are."""
    figures, copy = finding.get("figures") or {}, phrases(finding).listed
    if copy is None:
        return ""
    some, everything = figures.get(copy.figure), figures.get(copy.of)
    if not some or not everything or some == everything:
        return ""
    limits = [kind for kind in finding.get("kinds") or [] if number(kind, "limit") is not None]
    over = "over one of the limits" if len(limits) > 1 else "over the limit"
    return f"{counted(everything, copy.noun)} are {over}; {count(some)} of them {copy.how}."


def baselines(finding: Finding) -> list[str]:
    """Set the worst chance, or the average, next to what the attacker would guess without the release, kind by kind."""
    lines = []
    for kind in levels(finding):
        baseline, worst = number(kind, "baseline"), number(kind, "worst")
        if baseline is None:
            continue
        act = does(finding, kind["kind"])
        whose = phrases(finding).guesses.get(str(kind["kind"]), "without the release")
        line = f"The chance to {act}: {one_in(baseline) or percent(baseline)} {whose}"
        more = times(worst, baseline)
        shown = amount(kind["kind"], worst, limit=number(kind, "limit"))
        about = f", {more} that" if more else ""
        when = kind_of(kind["kind"]).when
        lines.append(f"{line}; {shown} {when}{about}." if worst is not None else f"{line}.")
    return lines


def method(finding: Finding) -> str:
    """Say how the numbers were obtained."""
    how = finding.get("how") or {}
    name = {"exact": "Exact.", "estimate": "An estimate.", "simulated": "Simulated."}.get(
        str(how.get("method")), ""
    )
    margin = how.get("margin")
    beside = f"A margin of {percent(margin)} was added before judging." if margin else ""
    return " ".join(filter(None, [name, sentence(str(how.get("detail") or "")), beside])) or "Not measured."


def measured(finding: Finding) -> str:
    """Say in one word how a finding was measured."""
    how = (finding.get("how") or {}).get("method")
    return {"exact": "exactly", "estimate": "by estimate", "simulated": "by simulation"}.get(
        str(how), "not measured"
    )


def size(data: Mapping[str, Any]) -> str:
    """Say how large the data are."""
    parts = []
    if data.get("rows") is not None:
        parts.append(counted(data["rows"], row_noun(data)))
    for noun in ("items", "columns"):
        value = data.get(noun)
        if value is not None:
            parts.append(counted(len(value) if isinstance(value, list) else value, noun))
    if data.get("unjudged") and data.get("columns") is not None:
        parts.append(f"{count(data['unjudged'])} not judged")
    return ", ".join(parts)
