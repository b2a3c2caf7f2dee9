"""The parts of a report that are not about one attacker: facts, what was withheld, where the numbers come from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.phrases import why_in_words
from giveaway.report.wording import sentences, strengths, usefulness
from giveaway.report.wording.phrases import lost_with_it, numbered, phrases, rules_in_words, what_is_lost
from giveaway.report.wording.tidy import Summary, label
from giveaway.report.wording.under_verdict import formula_lines
from giveaway.report.wording.words import (
    all_of,
    count,
    count_or_dash,
    counted,
    joined,
    seconds,
    sentence,
    spelled,
)

Entered = tuple[Mapping[str, Any], Mapping[str, Any]]
"""A line of the ledger, with the finding that it stands in."""

_NO_LINE: Entered = ({}, {})
_IN_FULL = 60
_LARGEST = 48


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A fact in large letters: what it is about, the fact, and what to know with it."""

    title: str
    head: str
    small: str
    over: bool = False
    """Whether it is about somebody who is over the limit."""


def facts(summary: Summary) -> list[Fact]:
    """Write the three facts: you keep, you withhold, it breaks when."""
    cards = []
    if summary.get("before") is not None and sentences.withheld_counts(summary):
        cards += [_you_keep(summary), _you_withhold(summary)]
    breaks = _it_breaks(summary)
    return [*cards, breaks] if breaks else cards


def _you_keep(summary: Summary) -> Fact:
    parts = usefulness.kept(summary)
    if not parts:
        return Fact(title="You keep", head="not counted", small="")
    first, *others = parts
    small = [f"{count(first.kept)} of {counted(first.total, first.noun)}."]
    needed = need_words(summary)
    if needed:
        small.append(f"You need {needed}.")
    elif not summary.get("need"):
        small.append(f"You named no need, so {first.noun} are counted.")
    small += [f"{one.share} of {one.noun}." for one in others]
    head = f"{first.share} of {first.noun}"
    return Fact(title="You keep", head=head, small=" ".join(small), over=first.is_little)


def need_words(summary: Summary) -> str:
    """Say what the reader of the data needs; nothing when no need was named."""
    return str(summary.get("need_says") or "").rstrip(".")


def _you_withhold(summary: Summary) -> Fact:
    held = sentences.withheld_counts(summary)
    data, items = summary.get("data") or {}, (summary.get("withheld") or {}).get("items") or []
    small = []
    if items and data.get("items"):
        small.append(f"{count(len(items))} of {counted(data['items'], 'items')}.")
    costly, whose = _costliest(_ledger(summary))
    if costly.get("lost") and costly.get("unit"):
        unit, coarser = str(costly["unit"]), bool((summary.get("withheld") or {}).get("coarser_total"))
        lost = lost_with_it(counted(costly["lost"], unit), unit, whose, coarser=coarser)
        what = numbered(rules_in_words(str(costly["withheld"])), phrases(whose).label)
        small.append(f"The largest loss is {what}: {lost}." if lost else "")
    return Fact(title="You withhold", head=", ".join(held), small=" ".join(filter(None, small)))


def _costliest(ledger: Sequence[Entered]) -> Entered:
    """Return the line of the ledger that cost most; an empty one where several did, or where they count different things."""
    first, *others = sorted(ledger, key=lambda pair: -(pair[0].get("lost") or 0)) or [_NO_LINE]
    same = any(one[0].get("lost") == first[0].get("lost") for one in others)
    return _NO_LINE if same or len({line.get("unit") for line, _ in ledger}) > 1 else first


def _it_breaks(summary: Summary) -> Fact | None:
    findings = summary.get("findings") or []
    each = [(i, strengths.breaks(finding)) for i, finding in enumerate(findings, 1)]
    known = [(i, breaks) for i, breaks in each if breaks is not None]
    warned = sentences.warnings(summary)
    if warned:
        also = [f"It also breaks when {breaks.head}. {breaks.small}" for _, breaks in known if breaks.when]
        return Fact(title="It breaks", head=" ".join(warned), small=" ".join(dict.fromkeys(also)), over=True)
    if not known:
        return None
    (first, breaks), *others = known
    small = breaks.small
    if len(findings) > 1:
        also = [f"Attacker {i}: {'' if one.when else 'holds '}{one.head}." for i, one in others]
        small = " ".join([f"Attacker {first}. {small}", *also])
    return Fact(title="It breaks when" if breaks.when else "It holds", head=breaks.head, small=small)


def _ledger(summary: Summary) -> list[Entered]:
    return [
        (line, finding) for finding in summary.get("findings") or [] for line in finding.get("ledger") or []
    ]


def _lost(ledger: Iterable[Entered], *, coarser: bool) -> list[str]:
    """Name what the lines of a ledger count; nothing when some do not say it."""
    units = {str(line.get("unit") or ""): finding for line, finding in ledger}
    return (
        []
        if "" in units
        else [what_is_lost(unit, finding, coarser=coarser) for unit, finding in units.items()]
    )


def withheld(summary: Summary) -> dict[str, Any] | None:
    """Lay out what was withheld: things one by one, or columns with the entries that they lose; None when nothing was."""
    if not sentences.withheld_counts(summary):
        return None
    ledger: dict[str, Entered] = {str(line["withheld"]): (line, whose) for line, whose in _ledger(summary)}
    held = summary.get("withheld") or {}
    named = {str(item): label(item) for item in held.get("items") or []}
    coarser = held.get("items_coarser") or []
    named |= {str(one["item"]): f"{label(one['item'])} as {label(one['label'])}" for one in coarser}
    shown = sorted(named or ledger, key=lambda name: -(ledger.get(name, _NO_LINE)[0].get("lost") or 0))
    lost = _lost(ledger.values(), coarser=bool(held.get("coarser_total")))
    numbers = len(lost) <= 1 and any(line.get("lost") != 1 for line, _ in ledger.values())
    entries = [
        _entry(named.get(name) or label(name), *ledger.get(name, _NO_LINE), numbers=numbers) for name in shown
    ]
    cut = entries if len(entries) <= _IN_FULL else entries[:_LARGEST]
    return {
        "says": _withheld_says(summary, lost if numbers else []),
        "entries": cut,
        "more": len(entries) - len(cut),
        "columns": usefulness.columns(summary),
        "ledger": bool(ledger),
        "ended": any(line.get("removed") for line, _ in ledger.values()),
        "lost": "Lost" if len(lost) != 1 else sentence(lost[0]).rstrip("."),
    }


def _entry(
    text: str, line: Mapping[str, Any], finding: Mapping[str, Any], *, numbers: bool
) -> dict[str, str]:
    """Lay out one thing that is withheld; without a number next to it, its line says what is counted."""
    lost = line.get("lost")
    loss = count_or_dash(lost)
    if lost is not None and not numbers and line.get("unit"):
        loss = counted(lost, str(line["unit"]))
    return {
        "label": numbered(rules_in_words(text), phrases(finding).label),
        "number": loss if numbers and lost is not None else "",
        "why": why_in_words(phrases(finding), str(line.get("why") or "")),
        "removed": count_or_dash(line.get("removed")),
        "lost": loss,
    }


def _withheld_says(summary: Summary, lost: list[str]) -> str:
    data, items = summary.get("data") or {}, (summary.get("withheld") or {}).get("items") or []
    if usefulness.columns(summary):
        return f"{joined(sentences.withheld_counts(summary))}; the beginning of this report shows them column by column."
    of = f" of {count(data['items'])}" if items and data.get("items") else ""
    counts = joined(sentences.withheld_counts(summary))
    if items:
        removed = f"{count(len(items))}{of} {nouns().items}, removed from every {nouns().transaction}"
        counts = joined([removed, *sentences.withheld_counts(summary)[1:]])
    return f"{counts}; the number next to each counts the {lost[0]}." if lost else f"{counts}."


def origin(summary: Summary) -> list[tuple[str, str, bool]]:
    """Say where the numbers come from: a name, what there is to say, and whether it is code."""
    data = summary.get("data") or {}
    checked = "The released files were read back and judged again by the independent checker."
    lines = [("Verified", checked, False)] if summary.get("written") else []
    if data.get("sha256"):
        lines.append((str(data.get("name") or "Data"), f"sha256 {data['sha256']}", True))
    lines += [(str(file["file"]), released(file), True) for file in summary.get("written") or []]
    lines += [("Formulas", text, False) for text in formula_lines(summary)]
    lines.append(("Run", _run(summary), False))
    return lines


def released(file: Mapping[str, Any]) -> str:
    """Write the hash of a released file; a table has none."""
    rows = f"   {counted(file['rows'], 'rows')}" if file.get("rows") is not None else ""
    return f"sha256 {file['sha256']}{rows}" if file["sha256"] else f"table{rows}"


def _run(summary: Summary) -> str:
    findings = summary.get("findings") or []
    parts = [f"giveaway {summary.get('giveaway', '')}".strip(), f"summary schema {summary.get('schema', 1)}"]
    if summary.get("seed") is not None:
        parts.append(f"seed {summary['seed']}")
    if summary.get("seconds") is not None:
        parts.append(seconds(summary["seconds"]))
    ways = {sentences.measured(finding) for finding in findings}
    if len(ways) == 1:
        who = "the attacker" if len(findings) == 1 else all_of(len(findings), "attackers")
        way = ways.pop()
        parts.append(f"{who} {way}" if way.startswith("not") else f"{who} measured {way}")
    else:
        parts += [f"attacker {i} {sentences.measured(finding)}" for i, finding in enumerate(findings, 1)]
    return ", ".join(parts)


def closing(summary: Summary) -> str:
    """Say what "safe" means."""
    number = len(summary.get("findings") or [])
    if not number:
        return "Nothing was tested, and what was not tested is not safe."
    who = "this attacker" if number == 1 else f"these {spelled(number)} attackers"
    return (
        f"Safe means safe against {who} at these limits, not against every attacker. "
        "Decide who else may hold the data before you release."
    )
