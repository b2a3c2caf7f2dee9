"""What differs between two releases, as a table of OLD next to NEW and a few sentences."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from giveaway.report.comparing import ComparedRow, RowGroup, SideBySide, side_by_side, verdicts_and_attackers
from giveaway.report.wording.tidy import Summary, label, tidy
from giveaway.report.wording.words import DASH, count, counted

_MOST_LABELS = 10
_UNKNOWN = "unknown"
_PAIRED_BY = {"ledger": "the owner's file", "id": "a column of both", "row number": "their numbers"}
_KINDS = {"cells": "entries"}
_CHANGES = {
    "filled_in": "filled in",
    "hides_nothing": "hides nothing",
    "finer": "finer",
    "coarser": "coarser",
    "changed": "other value",
}


def drawn(
    difference: Mapping[str, Any],
    sides: Sequence[Summary],
    *,
    public: bool,
    values: bool = True,
    listed: int = 0,
) -> SideBySide:
    """Put a difference next to what the two say of themselves.

    Without `values` no label of the data is in it; `listed` entries at most are shown one by one.
    """
    clean = tidy(difference)
    names = (
        ("OLD", "NEW") if public else (f"OLD: {label(difference['old'])}", f"NEW: {label(difference['new'])}")
    )
    named = values and not public
    verdicts, *attackers = _sides(clean, sides)
    groups = [verdicts, *_groups(clean, values=named)]
    if named:
        groups.append(RowGroup(title="Entries, one by one", rows=_one_by_one(clean["entries"][:listed])))
    groups += attackers
    return SideBySide(
        title="What differs",
        lead=tuple(_lead(clean)),
        names=names,
        groups=tuple(group for group in groups if group.rows),
        remarks=tuple(_remarks(clean, public=public)),
    )


def _sides(difference: Mapping[str, Any], sides: Sequence[Summary]) -> Sequence[RowGroup]:
    """Return what the two say of themselves: all of Summaries, verdicts and attackers of manifests."""
    if not sides:
        verdicts = difference["verdicts"]
        return [RowGroup(title="", rows=(_row("verdict", verdicts["old"].upper(), verdicts["new"].upper()),))]
    if difference["compares"] == "summaries":
        return side_by_side(dict(zip(("OLD", "NEW"), sides, strict=True))).groups
    return verdicts_and_attackers(tidy(sides))


# The table ------------------------------------------------------------------------------------------------------


def _groups(difference: Mapping[str, Any], *, values: bool) -> list[RowGroup]:
    groups = [
        RowGroup(title="Attackers", rows=_of_attackers(difference["attackers"])),
        RowGroup(title="Rows", rows=_of_rows(difference)),
        RowGroup(title="Columns", rows=_of_sets(difference["columns"], values=True)),
        RowGroup(title="Items", rows=_of_sets(difference["items"], values=values)),
        RowGroup(title="Lines", rows=_of_sets(difference["lines"], values=values)),
        RowGroup(title="Entries", rows=_of_entries(difference)),
        RowGroup(title="Exposures over a limit", rows=_of_sets(difference["exposures"], values=False)),
    ]
    for kind, sets in (difference["withheld"] or {}).items():
        renamed = {"both": sets["again"], "gone": sets["no_more"], "new": sets["now_too"]}
        lists = {"gone_listed": sets.get("no_more_listed"), "new_listed": sets.get("now_too_listed")}
        title = f"Withheld {_KINDS.get(kind, kind)}"
        groups.append(
            RowGroup(title=title, rows=_of_sets(renamed | lists, values=values and kind == "items"))
        )
    return [*groups, RowGroup(title="Figures that changed", rows=_of_figures(difference["figures"]))]


def _row(name: str, old: Any, new: Any) -> ComparedRow:
    return ComparedRow(name=name, cells=(_shown(old), _shown(new)))


def _differing(name: str, old: Any, new: Any) -> ComparedRow:
    """Make a row of what is not in the other: it differs unless there is none."""
    return ComparedRow(name=name, cells=(_shown(old), _shown(new)), differs=bool(old or new))


def _shown(value: Any) -> str:
    return _UNKNOWN if value is None else count(value) if isinstance(value, int | float) else str(value)


def _of_attackers(attackers: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    other = attackers["other_tolerance"]
    changed = other if isinstance(other, int) else len(other)
    if not (attackers["gone"] or attackers["new"] or changed):
        return ()
    return (
        _differing("only here", attackers["gone"], attackers["new"]),
        _row("in both", attackers["both"], attackers["both"]),
        _differing("with other limits", changed, changed),
    )


def _of_rows(difference: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    rows = difference["rows"]
    if difference["compares"] == "summaries" or (rows["old"] is None and rows["new"] is None):
        return ()
    return (
        _row("how many", rows["old"], rows["new"]),
        _row("of people in both", rows["both"], rows["both"]),
        _differing("of people only here", rows["left"], rows["joined"]),
        _differing("beyond those of the other", rows["only_old"], rows["only_new"]),
        _row("joinable by what both show", difference["joinable_rows"], difference["joinable_rows"]),
    )


def _of_sets(things: Mapping[str, Any] | None, *, values: bool) -> tuple[ComparedRow, ...]:
    if things is None:
        return ()
    return (
        _row("in both", things["both"], things["both"]),
        _differing("only here", *(_listed(things, which, values=values) for which in ("gone", "new"))),
    )


def _listed(things: Mapping[str, Any], which: str, *, values: bool) -> Any:
    total, names = things[which], things.get(f"{which}_listed") or []
    if not (values and total and names):
        return total
    shown = "; ".join(map(label, names[:_MOST_LABELS]))
    return f"{count(total)}: {shown}{'; …' if total > _MOST_LABELS else ''}"


def _of_entries(difference: Mapping[str, Any]) -> tuple[ComparedRow, ...]:
    if difference["compares"] == "summaries":
        return ()
    rows = [
        _differing("blank here, shown in the other", difference["filled_in"], difference["hides_nothing"]),
        _differing("coarser here than in the other", difference["finer"], difference["coarser"]),
        _differing("shown with other values", difference["changed"], difference["changed"]),
    ]
    for column, changes in difference["by_column"].items():
        rows.append(_differing(f"blank, {label(column)}", changes["filled_in"], changes["hides_nothing"]))
        if changes["finer"] or changes["coarser"]:
            rows.append(_differing(f"coarser, {label(column)}", changes["finer"], changes["coarser"]))
        if changes["changed"]:
            rows.append(_differing(f"other values, {label(column)}", changes["changed"], changes["changed"]))
    return tuple(rows)


def _one_by_one(entries: Sequence[Mapping[str, Any]]) -> tuple[ComparedRow, ...]:
    return tuple(
        _row(
            f"{_CHANGES[one['change']]}, {label(one['column'])}",
            *(
                f"row {count(one[f'{which}_row'])}: {'blank' if one[which] is None else label(one[which])}"
                for which in ("old", "new")
            ),
        )
        for one in entries
    )


def _of_figures(figures: Any) -> tuple[ComparedRow, ...]:
    if figures is None:
        return ()
    if isinstance(figures, int):
        return (_row("how many", figures, figures),) if figures else ()
    return tuple(
        _row(f"{one['attack']}: {one['figure']}", _number(one["old"]), _number(one["new"])) for one in figures
    )


def _number(value: Any) -> str:
    return DASH if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


# Sentences ------------------------------------------------------------------------------------------------------


def _lead(difference: Mapping[str, Any]) -> Iterable[str]:
    """Say what matters most: whether more is shown than before."""
    more = difference["shows_more"]
    if more is None:
        yield "It cannot be told whether NEW shows what OLD hides: see below what is not known."
    elif not more:
        yield (
            "NEW shows nothing that OLD hides, and exposes nobody newly."
            if difference["compares"] == "summaries"
            else "NEW shows nothing that is blank in OLD."
        )
    if difference["filled_in"]:
        yield f"Blanks of OLD that NEW shows: {count(difference['filled_in'])}."
    if difference["finer"]:
        yield f"Coarser labels of OLD that NEW shows finer: {count(difference['finer'])}."
    if difference["hides_nothing"]:
        yield f"Blanks of NEW that hide nothing, because OLD shows them: {count(difference['hides_nothing'])}."
    gone = {kind: of["no_more"] for kind, of in (difference["withheld"] or {}).items() if of["no_more"]}
    if gone:
        kinds = ", ".join(counted(total, _KINDS.get(kind, kind)) for kind, total in gone.items())
        yield f"Withheld no more: {kinds}."
    if (difference["exposures"] or {}).get("new"):
        yield f"Newly exposed: {count(difference['exposures']['new'])}."


def _remarks(difference: Mapping[str, Any], *, public: bool) -> list[str]:
    remarks: list[str] = []
    by = difference["rows"]["paired_by"]
    if by is not None:
        remarks.append(f"Rows are paired by {_PAIRED_BY[by]}.")
    remarks += difference["taken"]
    for one in difference["unknown"]:
        names = ", ".join(name.replace("_", " ").replace(".", ": ") for name in one["what"])
        why = "" if public else f" {one['why']}" + (f" To know it, {one['hint']}" if one["hint"] else "")
        remarks.append(f"Not known: {names}.{why}")
    return remarks
