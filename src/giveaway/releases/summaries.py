"""What differs between two Summaries: attackers, figures, what is withheld, who is exposed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from giveaway.model.answer.columns import DIRECT, LEFT_OUT
from giveaway.model.question.limits import over_all
from giveaway.releases.difference import Difference, Figure, RowsOfBoth, ThingsOfBoth, Unknown
from giveaway.releases.stored import Saved, Summary
from giveaway.report.wording.phrases import is_over
from giveaway.report.wording.words import number

Finding = Mapping[str, Any]
Asked = Mapping[str, Finding]
"""Findings by the attacker whom they are about."""

_OTHER_DATA = "Records are named by their rows, and it is not known that both are of the same data."
_CUT = "A Summary lists only the first of them."
_ALL = "save both with --exposures all."


def compare_summaries(old: Saved, new: Saved) -> Difference:
    """Compare two Summaries."""
    before, after = _asked(old.summary), _asked(new.summary)
    unknown: list[Unknown] = []
    return Difference(
        compares="summaries",
        names=(old.name, new.name),
        verdicts=(str(old.summary["verdict"]), str(new.summary["verdict"])),
        figures=tuple(_figures(before, after)),
        withheld=_withheld(old.summary, new.summary, unknown),
        exposures=_exposures(old.summary, new.summary, before, after, unknown),
        unknown=tuple(unknown),
        rows=RowsOfBoth(old=_data(old.summary).get("rows"), new=_data(new.summary).get("rows")),
        columns=_columns(old.summary, new.summary),
        sides=(old.summary, new.summary),
        attackers=compare_attackers(before, after),
        other_tolerance=other_limits(before, after),
    )


def _data(summary: Summary) -> Mapping[str, Any]:
    data: Mapping[str, Any] = summary.get("data") or {}
    return data


def _columns(old: Summary, new: Summary) -> ThingsOfBoth | None:
    """Compare the columns that are published, where both tell them."""
    variables = [_data(one).get("variables") for one in (old, new)]
    if None in variables:
        return None
    unpublished = {DIRECT, LEFT_OUT}
    names = [[one["column"] for one in of or [] if not unpublished & set(one["roles"])] for of in variables]
    return ThingsOfBoth.of(*names)


def compare_attackers(before: Asked, after: Asked) -> ThingsOfBoth:
    """Say which attackers only one of the two has."""
    sets = ThingsOfBoth.of(list(before), list(after))
    return replace(
        sets,
        gone_listed=tuple(_called(before[key]) for key in sets.gone_listed),
        new_listed=tuple(_called(after[key]) for key in sets.new_listed),
    )


def other_limits(before: Asked, after: Asked) -> tuple[Mapping[str, Any], ...]:
    """Say which attackers of both are judged by other limits."""
    limits = {key: (_limits(one), _limits(after[key])) for key, one in before.items() if key in after}
    return tuple(
        _called(before[key]) | {"old": old, "new": new} for key, (old, new) in limits.items() if old != new
    )


def _called(finding: Finding) -> dict[str, Any]:
    return {"attack": finding["attack"], "knows": finding.get("knows")}


def _limits(finding: Finding) -> dict[str, Any]:
    """Return the limits as they are written exactly; where they come from does not matter."""
    limits = finding.get("tolerance") or {}
    return {
        name: limits.get(f"{name}_exact", limit)
        for name, limit in limits.items()
        if name != "preset" and not name.endswith("_exact")
    }


def _asked(summary: Summary) -> Asked:
    return {f"{one['attack']} {_key(one.get('attacker'))}": one for one in summary.get("findings") or []}


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _figures(before: Asked, after: Asked) -> Iterable[Figure]:
    for key, old in before.items():
        if key not in after:
            continue
        one, other = _numbers(old), _numbers(after[key])
        for name in dict.fromkeys((*one, *other)):
            if one.get(name) != other.get(name):
                yield Figure(
                    attack=old["attack"],
                    knows=str(old.get("knows")),
                    figure=name,
                    old=_plainly(one.get(name)),
                    new=_plainly(other.get(name)),
                )


def _numbers(finding: Finding) -> dict[str, Any]:
    """Return the numbers of a finding, exact where they are told exactly."""
    numbers = {name: finding.get(name) for name in ("worst", *over_all(), "share", "exposures_total")}
    numbers |= finding.get("figures") or {}
    exact = {**finding, **(finding.get("figures") or {})}
    return {
        name: exact.get(f"{name}_exact") or value
        for name, value in numbers.items()
        if not name.endswith("_exact")
    }


def _plainly(value: Any) -> Any:
    """Leave tables among the figures to the Summary."""
    return value if value is None or isinstance(value, str | int | float | bool) else "other values"


def _withheld(old: Summary, new: Summary, unknown: list[Unknown]) -> dict[str, ThingsOfBoth]:
    held = [one.get("withheld") or {} for one in (old, new)]
    cells = [_cells(one) for one in held]
    totals = [(one.get("cells_total") or 0) + (one.get("coarser_total") or 0) for one in held]
    whole = [len(listed) == total for listed, total in zip(cells, totals, strict=True)]
    same = _same_rows(old, new)
    things = {
        "items": _named(ThingsOfBoth.of(*_more_than(*map(_items, held)))),
        "cells": _rows_named(_more_than(*cells), totals, whole, "withheld.cells", unknown, same=same),
        **{kind: _listed(held, kind) for kind in ("rules", "statements")},
    }
    return {kind: sets for kind, sets in things.items() if (sets.both, sets.gone, sets.new) != (0, 0, 0)}


def _listed(held: Sequence[Mapping[str, Any]], kind: str) -> ThingsOfBoth:
    return _named(ThingsOfBoth.of(*([_key(thing) for thing in one.get(kind) or []] for one in held)))


def _items(held: Mapping[str, Any]) -> dict[str, float]:
    """Return the items that are not shown by their names: how far they are withheld, wholly without end."""
    coarser = {_key(one["item"]): float(one["level"]) for one in held.get("items_coarser") or []}
    return coarser | {_key(item): inf for item in held.get("items") or []}


def _cells(held: Mapping[str, Any]) -> dict[str, float]:
    """Return the entries that are not shown as they are, and how far they are withheld."""
    cells = held.get("cells") or []
    return {_key([one["record"], one["column"]]): float(one.get("level") or inf) for one in cells}


def _more_than(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Leave out of each what the other withholds further: to show a coarser label less is to withhold more."""
    return (
        [thing for thing, level in old.items() if new.get(thing, 0) <= level],
        [thing for thing, level in new.items() if old.get(thing, 0) <= level],
    )


def _rows_named(
    lists: Sequence[Sequence[str]],
    totals: Sequence[int],
    whole: Sequence[bool],
    what: str,
    unknown: list[Unknown],
    *,
    same: bool,
) -> ThingsOfBoth:
    """Compare lists that may not be whole, of things that may be named by rows; what is not known is noted."""
    sets = _named(ThingsOfBoth.of(*lists))
    if not all(totals):
        return replace(sets, both=0, gone=totals[0], new=totals[1])
    if not same:
        unknown.append(Unknown(what=(what,), why=_OTHER_DATA))
        return ThingsOfBoth()
    if all(whole):
        return sets
    unknown.append(Unknown(what=(what,), why=_CUT, hint=_ALL))
    # What is listed in one and not among all of the other is in one alone for certain.
    return ThingsOfBoth(
        gone_listed=sets.gone_listed if whole[1] else (), new_listed=sets.new_listed if whole[0] else ()
    )


def _named(sets: ThingsOfBoth) -> ThingsOfBoth:
    """Give things back as they were, once they were compared as texts."""
    gone, new = (tuple(map(json.loads, listed)) for listed in (sets.gone_listed, sets.new_listed))
    return replace(sets, gone_listed=gone, new_listed=new)


def _same_rows(old: Summary, new: Summary) -> bool:
    """Tell whether a record has the same name in both: they are of the same file, or their records have ids."""
    data = [_data(one) for one in (old, new)]
    if all(one.get("kind") != "table" for one in data):
        return True
    hashes = [one.get("sha256") for one in data]
    ids = [_id(one) for one in data]
    return (hashes[0] is not None and hashes[0] == hashes[1]) or (ids[0] is not None and ids[0] == ids[1])


def _id(data: Mapping[str, Any]) -> str | None:
    return next(
        (one["column"] for one in data.get("variables") or [] if DIRECT in (one.get("roles") or ())), None
    )


def _exposures(
    old: Summary, new: Summary, before: Asked, after: Asked, unknown: list[Unknown]
) -> ThingsOfBoth:
    totals = _total(before), _total(after)
    if totals[0] is None or totals[1] is None:
        unknown.append(Unknown(what=("exposures",), why="An attacker could not be measured."))
        return ThingsOfBoth()
    lists = [_over(before), _over(after)]
    whole = [len(listed) == total for listed, total in zip(lists, totals, strict=True)]
    return _rows_named(lists, (totals[0], totals[1]), whole, "exposures", unknown, same=_same_rows(old, new))


def _total(asked: Asked) -> int | None:
    totals = [one.get("exposures_total") for one in asked.values()]
    return None if None in totals else sum(int(total) for total in totals if total is not None)


def _over(asked: Asked) -> Sequence[str]:
    """Return the exposures over a limit that are listed, by what they are about."""
    keys = []
    for attacker, finding in asked.items():
        limits = {kind["kind"]: number(kind, "limit") for kind in finding.get("kinds") or []}
        for one in finding.get("exposures") or []:
            if is_over(finding, one["kind"], number(one, "chance"), limits.get(one["kind"])):
                about = {name: one.get(name) for name in ("kind", "target", "value")}
                keys.append(_key({"attack": finding["attack"], "attacker": attacker, **about}))
    return keys
