"""What differs between two releases, as a table of OLD next to NEW and a few sentences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.report.comparing import ComparedRow, RowGroup, SideBySide, asked_and_found, side_by_side
from giveaway.report.wording.tidy import Summary, label, tidy
from giveaway.report.wording.words import DASH, count, counted

_MOST_LABELS = 10
_UNKNOWN = "unknown"
_PAIRED_BY = {"ledger": "the owner's file", "id": "a column of both", "row number": "their numbers"}
_KINDS = {
    "items": "items",
    "cells": "entries",
    "rules": "rules",
    "statements": "statements",
}
_CHANGES = {
    "filled_in": "filled in",
    "hides_nothing": "hides nothing",
    "finer": "finer",
    "coarser": "coarser",
    "changed": "other value",
}


@dataclass(frozen=True, kw_only=True)
class DifferenceDrawn:
    """What a view draws of a difference."""

    title: str
    lead: tuple[str, ...]
    found: SideBySide


def drawn(
    found: Mapping[str, Any],
    sides: Sequence[Summary],
    *,
    public: bool,
    values: bool = True,
    listed: int = 0,
) -> DifferenceDrawn:
    """Put a difference next to what the two say of themselves.

    Without `values` no label of the data is in it; `listed` entries at most are shown one by one.
    """
    clean = tidy(found)
    names = ("OLD", "NEW") if public else (f"OLD: {label(found['old'])}", f"NEW: {label(found['new'])}")
    named = values and not public
    verdicts, *attackers = _sides(clean, sides)
    groups = [verdicts, *_groups(clean, values=named)]
    if named:
        groups.append(RowGroup(title="Entries, one by one", rows=_one_by_one(clean["entries"][:listed])))
    groups += attackers
    return DifferenceDrawn(
        title="What differs",
        lead=tuple(_lead(clean)),
        found=SideBySide(
            names=names,
            groups=tuple(group for group in groups if group.rows),
            remarks=tuple(_remarks(clean, public=public)),
        ),
    )


def _sides(found: Mapping[str, Any], sides: Sequence[Summary]) -> Sequence[RowGroup]:
    """Return what the two say of themselves: all of Summaries, verdicts and attackers of manifests."""
    if not sides:
        told = found["verdicts"]
        return [RowGroup(title="", rows=(_row("verdict", told["old"].upper(), told["new"].upper()),))]
    if found["compares"] == "summaries":
        return side_by_side(dict(zip(("OLD", "NEW"), sides, strict=True))).groups
    return asked_and_found(tidy(sides))


# The table ------------------------------------------------------------------------------------------------------


def _groups(found: Mapping[str, Any], *, values: bool) -> list[RowGroup]:
    groups = [
        RowGroup(title="Attackers", rows=_of_attackers(found["attackers"])),
        RowGroup(title="Rows", rows=_of_rows(found)),
        RowGroup(title="Columns", rows=_of_sets(found["columns"], values=True)),
        RowGroup(title="Items", rows=_of_sets(found["items"], values=values)),
        RowGroup(title="Lines", rows=_of_sets(found["lines"], values=values)),
        RowGroup(title="Entries", rows=_of_entries(found)),
        RowGroup(title="Exposures over a limit", rows=_of_sets(found["exposures"], values=False)),
    ]
    for kind, sets in (found["withheld"] or {}).items():
        renamed = {"both": sets["again"], "gone": sets["no_more"], "new": sets["now_too"]}
        lists = {"gone_listed": sets.get("no_more_listed"), "new_listed": sets.get("now_too_listed")}
        title = f"Withheld {_KINDS.get(kind, kind)}"
        groups.append(
            RowGroup(title=title, rows=_of_sets(renamed | lists, values=values and kind == "items"))
        )
    return [*groups, RowGroup(title="Figures that changed", rows=_of_figures(found["figures"]))]


def _row(name: str, old: Any, new: Any) -> ComparedRow:
    return ComparedRow(name=name, cells=(_told(old), _told(new)))


def _differing(name: str, old: Any, new: Any) -> ComparedRow:
    """Make a row of what is not in the other: it differs unless there is none."""
    return ComparedRow(name=name, cells=(_told(old), _told(new)), differs=bool(old or new))


def _told(value: Any) -> str:
    return _UNKNOWN if value is None else count(value) if isinstance(value, int | float) else str(value)


def _of_attackers(told: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    other = told["other_tolerance"]
    changed = other if isinstance(other, int) else len(other)
    rows = [
        _differing("only here", told["gone"], told["new"]),
        _row("in both", told["both"], told["both"]),
        _differing("with other limits", changed, changed),
    ]
    return tuple(rows) if told["gone"] or told["new"] or changed else ()


def _of_rows(found: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    told = found["rows"]
    if found["compares"] == "summaries" or (told["old"] is None and told["new"] is None):
        return ()
    return (
        _row("how many", told["old"], told["new"]),
        _row("of people in both", told["both"], told["both"]),
        _differing("of people only here", told["left"], told["joined"]),
        _differing("beyond those of the other", told["only_old"], told["only_new"]),
        _row("joinable by what both show", found["joinable_rows"], found["joinable_rows"]),
    )


def _of_sets(told: Mapping[str, Any] | None, *, values: bool) -> tuple[ComparedRow, ...]:
    if told is None:
        return ()
    rows = [
        _row("in both", told["both"], told["both"]),
        _differing("only here", *(_listed(told, which, values=values) for which in ("gone", "new"))),
    ]
    return tuple(rows)


def _listed(told: Mapping[str, Any], which: str, *, values: bool) -> Any:
    total, names = told[which], told.get(f"{which}_listed") or []
    if not (values and total and names):
        return total
    shown = "; ".join(map(label, names[:_MOST_LABELS]))
    return f"{count(total)}: {shown}{'; …' if total > _MOST_LABELS else ''}"


def _of_entries(found: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    if found["compares"] == "summaries":
        return ()
    rows = [
        _differing("blank here, shown in the other", found["filled_in"], found["hides_nothing"]),
        _differing("coarser here than in the other", found["finer"], found["coarser"]),
        _differing("shown with other values", found["changed"], found["changed"]),
    ]
    for column, told in found["by_column"].items():
        rows.append(_differing(f"blank, {label(column)}", told["filled_in"], told["hides_nothing"]))
        if told["finer"] or told["coarser"]:
            rows.append(_differing(f"coarser, {label(column)}", told["finer"], told["coarser"]))
        if told["changed"]:
            rows.append(_differing(f"other values, {label(column)}", told["changed"], told["changed"]))
    return tuple(rows)


def _one_by_one(entries: Sequence[Mapping[str, Any]]) -> tuple[ComparedRow, ...]:
    return tuple(
        _row(
            f"{_CHANGES[one['change']]}, {label(one['column'])}",
            *(f"row {count(one[f'{which}_row'])}: {_entry(one[which])}" for which in ("old", "new")),
        )
        for one in entries
    )


def _entry(value: Any) -> str:
    return "blank" if value is None else label(value)


def _of_figures(told: Any) -> tuple[ComparedRow, ...]:
    if told is None:
        return ()
    if isinstance(told, int):
        return (_row("how many", told, told),) if told else ()
    return tuple(
        _row(f"{one['attack']}: {one['figure']}", _number(one["old"]), _number(one["new"])) for one in told
    )


def _number(value: Any) -> str:
    return DASH if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


# Sentences ------------------------------------------------------------------------------------------------------


def _lead(found: Mapping[str, Any]) -> Iterable[str]:
    """Say what matters most: whether more is shown than before."""
    more = found["shows_more"]
    if more is None:
        yield "It cannot be told whether NEW shows what OLD hides: see below what is not known."
    elif not more:
        yield (
            "NEW shows nothing that OLD hides, and exposes nobody newly."
            if found["compares"] == "summaries"
            else "NEW shows nothing that is blank in OLD."
        )
    if found["filled_in"]:
        yield f"Blanks of OLD that NEW shows: {count(found['filled_in'])}."
    if found["finer"]:
        yield f"Coarser labels of OLD that NEW shows finer: {count(found['finer'])}."
    if found["hides_nothing"]:
        yield f"Blanks of NEW that hide nothing, because OLD shows them: {count(found['hides_nothing'])}."
    gone = {kind: of["no_more"] for kind, of in (found["withheld"] or {}).items() if of["no_more"]}
    if gone:
        said = ", ".join(counted(total, _KINDS.get(kind, kind)) for kind, total in gone.items())
        yield f"Withheld no more: {said}."
    if (found["exposures"] or {}).get("new"):
        yield f"Newly exposed: {count(found['exposures']['new'])}."


def _remarks(found: Mapping[str, Any], *, public: bool) -> list[str]:
    said: list[str] = []
    by = found["rows"]["paired_by"]
    if by is not None:
        said.append(f"Rows are paired by {_PAIRED_BY[by]}.")
    said += found["taken"]
    for one in found["unknown"]:
        names = ", ".join(name.replace("_", " ").replace(".", ": ") for name in one["what"])
        why = "" if public else f" {one['why']}" + (f" To know it, {one['hint']}" if one["hint"] else "")
        said.append(f"Not known: {names}.{why}")
    return said
