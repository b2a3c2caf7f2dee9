"""What changed between two saved Summaries, as text for a terminal."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.html import page
from giveaway.report.wording import sentences, strengths
from giveaway.report.wording.phrases import dot
from giveaway.report.wording.tidy import Summary, label, tidy
from giveaway.report.wording.words import GAP, amount, count, counted, limit_in_words, number, percent

Finding = Mapping[str, Any]
Change = tuple[str, str, str]

_MOST_LABELS = 10


def render(old: Summary, new: Summary, *, values: bool = True) -> str:
    """Say what changed from one Summary to another: verdict, each attacker, what is kept and withheld.

    Attackers are compared when both have the same knowledge, or are the only ones of their attack; the others are
    listed as gone or new. With `values=False` no label of the data is written.
    """
    was, now = tidy(old), tidy(new)
    lines = [_line("verdict", str(was["verdict"]).upper(), str(now["verdict"]).upper())]
    lines += _data(was, now)
    matched, gone, added = _match(was.get("findings") or [], now.get("findings") or [])
    for first, last in matched:
        changes = _finding(first, last)
        lines += ["", f"{last['attack']}: knows {last.get('knows') or last['attack']}"]
        lines += [_line(f"  {name}", before, after) for name, before, after in changes] or [
            "  nothing changed"
        ]
    lines += [
        line
        for one in gone
        for line in ("", f"{one['attack']}: knows {one.get('knows')}", "  no longer an attacker")
    ]
    lines += [
        line
        for one in added
        for line in ("", f"{one['attack']}: knows {one.get('knows')}", "  a new attacker")
    ]
    rest = [*_kept(was, now), *_withheld(was, now, values=values)]
    return "\n".join([*lines, *(["", *rest] if rest else [])]).replace(GAP, " ")


def _line(name: str, before: str, after: str) -> str:
    return f"{name:<24}{before}" + (f" -> {after}" if before != after else " (as before)")


def _data(was: Summary, now: Summary) -> list[str]:
    before, after = was.get("data") or {}, now.get("data") or {}
    lines = []
    for name, first, last in (
        ("data", str(before.get("name")), str(after.get("name"))),
        ("size", sentences.size(before), sentences.size(after)),
        ("giveaway", str(was.get("giveaway")), str(now.get("giveaway"))),
    ):
        if first != last:
            lines.append(_line(name, first, last))
    if before.get("sha256") and after.get("sha256") and before["sha256"] != after["sha256"]:
        lines.append("the data themselves differ")
    return lines


def _match(
    old: list[Finding], new: list[Finding]
) -> tuple[list[tuple[Finding, Finding]], list[Finding], list[Finding]]:
    """Pair attackers of the same knowledge, then those of the same attack that are the only ones left of it."""
    gone, added, matched = list(old), [], []
    for one in new:
        same = [
            other
            for other in gone
            if (other["attack"], other["attacker"]) == (one["attack"], one["attacker"])
        ]
        if same:
            gone.remove(same[0])
            matched.append((same[0], one))
        else:
            added.append(one)
    for one in list(added):
        alike = [other for other in gone if other["attack"] == one["attack"]]
        if len(alike) == 1 and sum(other["attack"] == one["attack"] for other in added) == 1:
            gone.remove(alike[0])
            added.remove(one)
            matched.append((alike[0], one))
    return matched, gone, added


def _finding(was: Finding, now: Finding) -> list[Change]:
    told = [
        ("verdict", _verdict(was["safe"]), _verdict(now["safe"])),
        ("knows", str(was.get("knows")), str(now.get("knows"))),
        *_kinds(was, now),
        ("share over", percent(number(was, "share")), percent(number(now, "share"))),
        ("over the limit", _total(was), _total(now)),
        ("holds up to", _holds(was), _holds(now)),
        ("against", str(was.get("against") or "everybody"), str(now.get("against") or "everybody")),
        ("known to beat it", str(was.get("warning") or "nobody"), str(now.get("warning") or "nobody")),
        ("measured", sentences.measured(was), sentences.measured(now)),
    ]
    return [change for change in told if change[1] != change[2]]


def _holds(finding: Finding) -> str:
    said = [strengths.holds(finding), strengths.beside(finding)]
    return ", ".join(part.rstrip(".") for part in said if part)


def _kinds(was: Finding, now: Finding) -> list[Change]:
    before = {str(kind["kind"]): kind for kind in was.get("kinds") or []}
    after = {str(kind["kind"]): kind for kind in now.get("kinds") or []}
    told = []
    for kind in dict.fromkeys([*before, *after]):
        name = dot(now, kind)
        told.append((f"worst, {name}", _worst(before.get(kind)), _worst(after.get(kind))))
        told.append((f"limit, {name}", _limit(kind, before.get(kind)), _limit(kind, after.get(kind))))
    return told


def _worst(kind: Mapping[str, Any] | None) -> str:
    return (
        "-" if kind is None else amount(str(kind["kind"]), number(kind, "worst"), limit=number(kind, "limit"))
    )


def _limit(kind: str, level: Mapping[str, Any] | None) -> str:
    limit = None if level is None else number(level, "limit")
    return "none" if limit is None else limit_in_words(kind, limit)


def _verdict(safe: bool | None) -> str:
    return "CANNOT JUDGE" if safe is None else "SAFE" if safe else "AT RISK"


def _total(finding: Finding) -> str:
    total = finding.get("exposures_total")
    return "not measured" if total is None else count(total)


def _kept(was: Summary, now: Summary) -> list[str]:
    before = {kept.noun: kept for kept in page.kept(was)}
    after = {kept.noun: kept for kept in page.kept(now)}
    lines = []
    for noun in dict.fromkeys([*before, *after]):
        first, last = (_of(before.get(noun)), _of(after.get(noun)))
        if first != last:
            lines.append(_line(f"kept, {noun}", first, last))
    return lines


def _of(kept: page.Kept | None) -> str:
    return "not counted" if kept is None else f"{count(kept.kept)} of {count(kept.total)} ({kept.share})"


def _withheld(was: Summary, now: Summary, *, values: bool) -> list[str]:
    before, after = _items(was), _items(now)
    more, less = [one for one in after if one not in before], [one for one in before if one not in after]
    lines = [f"withheld in addition: {_list(more, values=values)}"] if more else []
    lines += [f"no longer withheld: {_list(less, values=values)}"] if less else []
    given = [len((summary.get("withheld") or {}).get("items_coarser") or []) for summary in (was, now)]
    if given[0] != given[1]:
        lines.append(_line("items given as their category", count(given[0]), count(given[1])))
    for name, noun in (("cells_total", "entries withheld"), ("coarser_total", "entries withheld in part")):
        sizes = [(summary.get("withheld") or {}).get(name) or 0 for summary in (was, now)]
        if sizes[0] != sizes[1]:
            lines.append(_line(noun, count(sizes[0]), count(sizes[1])))
    return lines


def _items(summary: Summary) -> dict[str, None]:
    return dict.fromkeys(label(item) for item in (summary.get("withheld") or {}).get("items") or [])


def _list(items: list[str], *, values: bool) -> str:
    if not values:
        return counted(len(items), "items")
    shown = ", ".join(items[:_MOST_LABELS])
    more = f" and {count(len(items) - _MOST_LABELS)} more" if len(items) > _MOST_LABELS else ""
    return f"{counted(len(items), 'items')} ({shown}{more})"
