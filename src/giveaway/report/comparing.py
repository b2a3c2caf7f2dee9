"""Saved Summaries side by side: verdict, each attacker, what is kept, what each column lost, what is withheld."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.model.answer.verdict import in_words
from giveaway.report.html import page
from giveaway.report.wording import sentences, strengths, usefulness
from giveaway.report.wording.earlier import levels
from giveaway.report.wording.phrases import dot
from giveaway.report.wording.tidy import Finding, Summary, label, tidy
from giveaway.report.wording.words import DASH, amount, count, counted, limit_in_words, number, percent

Matched = list[Finding | None]
"""One attacker in each Summary, None where it is not one."""

_MOST_LABELS = 10


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """One thing in every Summary."""

    name: str
    cells: tuple[str, ...]
    differs: bool = False
    """Whether it tells of a difference also where its cells are equal: as much in one as in the other."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differs and len(set(self.cells)) == 1


@dataclass(frozen=True, kw_only=True)
class RowGroup:
    """Rows about one attacker, or about what is left."""

    title: str
    rows: tuple[ComparedRow, ...]


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Everything that is compared, under a title and some sentences."""

    names: tuple[str, ...]
    groups: tuple[RowGroup, ...]
    remarks: tuple[str, ...]
    title: str = "Settings side by side"
    lead: tuple[str, ...] = ()


def side_by_side(saved: Mapping[str, Summary], *, values: bool = True) -> SideBySide:
    """Compare Summaries, each under the name of its file; with `values=False` no label of the data is in it."""
    clean = [tidy(summary) for summary in saved.values()]
    groups = [
        *verdicts_and_attackers(clean),
        RowGroup(title="Kept", rows=_kept(clean)),
        RowGroup(title="Changed by column", rows=_columns(clean)),
        RowGroup(title="Withheld", rows=_withheld(clean)),
    ]
    return SideBySide(
        names=tuple(label(name) for name in saved),
        groups=tuple(group for group in groups if group.rows),
        remarks=tuple(_remarks(clean, values=values)),
    )


def verdicts_and_attackers(clean: Sequence[Summary]) -> list[RowGroup]:
    """Put the verdicts next to each other, and each attacker; of manifests too, which have no numbers."""
    matched = _matched([list(one.get("findings") or []) for one in clean])
    return [
        RowGroup(title="", rows=_about(clean)),
        *(RowGroup(title=_title(pair), rows=_attacker(pair)) for pair in matched),
    ]


def _matched(findings: Sequence[Sequence[Finding]]) -> list[Matched]:
    """Put attackers of the same knowledge next to each other, then those that are the only ones left of their attack."""
    matches: list[Matched] = []
    for place, finding in enumerate(findings):
        left = [one for one in finding if not _put(matches, place, one, same=True)]
        for one in left:
            alone = sum(other["attack"] == one["attack"] for other in left) == 1
            if not (alone and _put(matches, place, one, same=False)):
                matches.append([one if at == place else None for at in range(len(findings))])
    return matches


def _put(matches: list[Matched], place: int, one: Finding, *, same: bool) -> bool:
    """Put an attacker into the first row that is free and fits; tell whether there is one."""
    for row in matches:
        first = next(other for other in row if other is not None)
        fits = first["attack"] == one["attack"] and (not same or first.get("attacker") == one.get("attacker"))
        if fits and row[place] is None:
            row[place] = one
            return True
    return False


def _title(match: Matched) -> str:
    first = next(one for one in match if one is not None)
    return f"{first['attack']}: knows {first.get('knows') or first['attack']}"


def _row(name: str, cells: Sequence[str]) -> ComparedRow:
    return ComparedRow(name=name, cells=tuple(cells))


def _differing(rows: Sequence[ComparedRow]) -> list[ComparedRow]:
    return [row for row in rows if not row.same]


def _about(summaries: Sequence[Summary]) -> tuple[ComparedRow, ...]:
    data = [one.get("data") or {} for one in summaries]
    facts = [
        _row("data", [label(one.get("name") or "memory") for one in data]),
        _row("size", [sentences.size(one) for one in data]),
        _row("giveaway", [str(one.get("giveaway")) for one in summaries]),
    ]
    return (_row("verdict", [str(one["verdict"]).upper() for one in summaries]), *_differing(facts))


def _attacker(match: Matched) -> tuple[ComparedRow, ...]:
    def compared(name: str, say: Callable[[Finding], str]) -> ComparedRow:
        return _row(name, ["not an attacker" if one is None else say(one) for one in match])

    numbers: dict[str, tuple[str, Callable[[Finding], str]]] = {
        "exposures_total": ("over the limit", _total),
        "share": ("share over", lambda one: percent(number(one, "share"))),
        "holds_up_to": ("holds up to", strengths.holds),
    }
    always = [compared("verdict", lambda one: in_words(one["safe"]).upper()), *_kinds(match)]
    always += [
        compared(*number_of)
        for name, number_of in numbers.items()
        if any(name in (one or {}) for one in match)
    ]
    differing = [
        compared("knows", lambda one: str(one.get("knows"))),
        compared("besides", lambda one: strengths.beside(one).rstrip(".") or DASH),
        compared("against", lambda one: str(one.get("against") or "everybody")),
        compared("known to beat it", lambda one: str(one.get("warning") or "nobody")),
        compared("measured", sentences.measured),
    ]
    return (*always, *_differing(differing))


def _kinds(match: Matched) -> list[ComparedRow]:
    by_finding = [{str(kind["kind"]): kind for kind in levels(one or {})} for one in match]
    rows = []
    for kind in dict.fromkeys(kind for kinds in by_finding for kind in kinds):
        name = dot(next(one for one in match if one is not None), kind)
        rows.append(_row(f"limit, {name}", [_limit(kind, kinds.get(kind)) for kinds in by_finding]))
        if any("worst" in kinds.get(kind, {}) for kinds in by_finding):
            rows.append(_row(f"worst, {name}", [_worst(kind, kinds.get(kind)) for kinds in by_finding]))
    return rows


def _limit(kind: str, level: Mapping[str, Any] | None) -> str:
    limit = None if level is None else number(level, "limit")
    return DASH if level is None else "none" if limit is None else limit_in_words(kind, limit)


def _worst(kind: str, level: Mapping[str, Any] | None) -> str:
    return DASH if level is None else amount(kind, number(level, "worst"), limit=number(level, "limit"))


def _total(finding: Finding) -> str:
    total = finding.get("exposures_total")
    return "not measured" if total is None else count(total)


def _kept(summaries: Sequence[Summary]) -> tuple[ComparedRow, ...]:
    by_noun = [{kept.noun: kept for kept in usefulness.kept(one)} for one in summaries]
    nouns = dict.fromkeys(noun for kept in by_noun for noun in kept)
    return tuple(_row(noun, [_of(kept.get(noun)) for kept in by_noun]) for noun in nouns)


def _of(kept: usefulness.PartKept | None) -> str:
    return "not counted" if kept is None else f"{kept.share} ({count(kept.kept)} of {count(kept.total)})"


def _columns(summaries: Sequence[Summary]) -> tuple[ComparedRow, ...]:
    """Say of each column of which somewhere something is changed which part of its entries is."""
    changed = [usefulness.changed_columns(one) for one in summaries]
    names = dict.fromkeys(name for columns in changed for name in columns)
    return tuple(_row(label(name), [_changed(columns.get(name)) for columns in changed]) for name in names)


def _changed(column: usefulness.ColumnKept | None) -> str:
    if column is None or not column.hidden + column.coarser:
        return "kept"
    parts = [f"{count(column.hidden)} blank"] if column.hidden else []
    parts += [f"{count(column.coarser)} coarser"] if column.coarser else []
    share = f"{percent((column.hidden + column.coarser) / column.rows)}, " if column.rows else ""
    return f"{share}{', '.join(parts)}"


def _withheld(summaries: Sequence[Summary]) -> tuple[ComparedRow, ...]:
    counts = [", ".join(sentences.withheld_counts(one)) or "nothing" for one in summaries]
    needs = _row("needed", [page.need_words(one) or "nothing named" for one in summaries])
    return (_row("in all", counts), *_differing([needs]))


def _remarks(summaries: Sequence[Summary], *, values: bool) -> list[str]:
    hashes = [(one.get("data") or {}).get("sha256") for one in summaries]
    remarks = ["The data themselves differ."] if all(hashes) and len(set(hashes)) > 1 else []
    if len(summaries) != 2:  # noqa: PLR2004 # of two it can be said what changed
        return remarks
    before, after = (_items(one) for one in summaries)
    more, less = [one for one in after if one not in before], [one for one in before if one not in after]
    remarks += [f"Withheld in addition: {_list(more, values=values)}."] if more else []
    return remarks + ([f"No longer withheld: {_list(less, values=values)}."] if less else [])


def _items(summary: Summary) -> dict[str, None]:
    return dict.fromkeys(label(item) for item in (summary.get("withheld") or {}).get("items") or [])


def _list(items: list[str], *, values: bool) -> str:
    if not values:
        return counted(len(items), "items")
    shown = ", ".join(items[:_MOST_LABELS])
    more = f" and {count(len(items) - _MOST_LABELS)} more" if len(items) > _MOST_LABELS else ""
    return f"{counted(len(items), 'items')} ({shown}{more})"
