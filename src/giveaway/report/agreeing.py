"""What a Summary says twice, in words and in numbers, must agree."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from giveaway.model.answer.verdict import in_words, overall
from giveaway.model.question.limits import kind_of, over_all
from giveaway.report.wording.tidy import Finding, Summary
from giveaway.report.wording.words import Number, number

_ROUNDING = 1e-6
"""Chances that come from an iteration may be this much over a limit and count as on it."""


def contradictions(summary: Summary) -> Iterator[str]:
    """Say where a Summary contradicts itself; it must fit the schema."""
    findings, before = summary["findings"], summary.get("before")
    verdict = in_words(overall(finding["safe"] for finding in findings))
    if summary["verdict"] != verdict:
        yield f'its verdict is "{summary["verdict"]}", and its findings say "{verdict}"'
    for place, finding in enumerate(findings, 1):
        yield from (f"attacker {place} {what}" for what in _about(finding))
    for place, finding in enumerate(before or [], 1):
        yield from (f"attacker {place}, before protection, {what}" for what in _about(finding))
    if before is not None and [one["attack"] for one in before] != [one["attack"] for one in findings]:
        yield "its attackers before and after protection are not the same"
    if summary.get("written") and verdict != "safe":
        yield f'files are written, and its findings say "{verdict}"'
    if summary.get("no_safe_release") and verdict == "safe":
        yield "it says that there is no safe release, and its findings are safe"
    yield from _totals(summary)
    yield from (f"{what} is given twice, and differently" for what in _unequal(summary))


def _unequal(value: Any, name: str = "it") -> Iterator[str]:
    """Name the numbers whose decimal is not that of the exact fraction next to it."""
    if isinstance(value, list):
        for part in value:
            yield from _unequal(part, name)
    if not isinstance(value, Mapping):
        return
    for key, part in value.items():
        exact = value.get(f"{key}_exact")
        if isinstance(part, int | float) and isinstance(exact, str) and not _is_decimal_of(part, exact):
            yield key
        yield from _unequal(part, key)


def _is_decimal_of(decimal: float, exact: str) -> bool:
    try:
        return math.isclose(decimal, Fraction(exact), rel_tol=_ROUNDING)
    except (ValueError, ZeroDivisionError, OverflowError):
        return False


def _about(finding: Finding) -> Iterator[str]:
    """Compare the verdict on one attacker with the numbers that it comes from."""
    safe = finding["safe"]
    if finding.get("how") is None:
        if safe is not None:
            yield "has a verdict, and was not measured"
        return
    limits = finding["tolerance"]
    judged = [
        (value, limit)
        for value, limit in (
            (number(finding, "share"), number(limits, "share") or 0),
            *((number(finding, name), number(limits, name)) for name in over_all()),
        )
        if value is not None and limit is not None
    ]
    over = any(value > limit for value, limit in judged)
    if safe is True and over:
        yield "is called safe, and is over its limit"
    views = finding.get("together") or []
    if safe is False and judged and not over and all(view["safe"] is not False for view in views):
        yield "is called at risk, and is within its limits"
    if safe is True and any(view["safe"] is not True for view in views):
        yield "is called safe, and is not together with earlier releases"
    if safe is True and not judged:
        yield "is called safe, and nothing of it was judged"
    above = (_exceeds(number(kind, "worst"), number(kind, "limit")) for kind in finding.get("kinds") or [])
    if safe is True and not number(limits, "share") and any(above):
        yield "is called safe, and its worst chance is over the limit"
    yield from _worst(finding)
    yield from _beyond_one(finding)


def _beyond_one(finding: Finding) -> Iterator[str]:
    """Name chances and shares that are not between 0 and 1; a loss is not a chance."""
    named = [("share", finding), ("worst", finding)]
    named += [("worst", level) for level in finding.get("kinds") or [] if kind_of(level["kind"]).part]
    named += [("chance", one) for one in finding.get("exposures") or [] if kind_of(one["kind"]).part]
    for name, where in named:
        value = number(where, name)
        if value is not None and not -_ROUNDING <= value <= 1 + _ROUNDING:
            yield f"has a {name} of {float(value):g}, which is not between 0 and 1"


def _exceeds(value: Number | None, limit: Number | None) -> bool:
    return (
        value is not None and limit is not None and value > limit and float(value) > float(limit) + _ROUNDING
    )


def _worst(finding: Finding) -> Iterator[str]:
    """Compare what is said of the worst chance in three places."""
    kinds = {level["kind"]: level for level in finding.get("kinds") or []}
    chances = [number(level, "worst") for kind, level in kinds.items() if kind_of(kind).part]
    known = [chance for chance in chances if chance is not None]
    worst = number(finding, "worst")
    if known and worst is not None and max(known) > worst:
        yield "has a worst chance that is not the largest"
    for name, limit in finding["tolerance"].items():
        if name in kinds and number(kinds[name], "limit") != number(finding["tolerance"], name):
            yield f"has two limits for {name}, {limit} and {kinds[name]['limit']}"
    total = finding.get("exposures_total")
    listed = [
        one
        for one in finding.get("exposures") or []
        if one["kind"] in kinds and _exceeds(number(one, "chance"), number(kinds[one["kind"]], "limit"))
    ]
    if total is not None and len(listed) > total:
        yield f"lists {len(listed)} exposures over the limit, and counts {total}"


def _totals(summary: Summary) -> Iterator[str]:
    """Compare lists, which may be cut, with their totals."""
    withheld = summary["withheld"]
    cells = [cell for cell in withheld["cells"] if "level" not in cell]
    if withheld["cells_total"] is not None and len(cells) > withheld["cells_total"]:
        yield f"it lists {len(cells)} withheld entries, and counts {withheld['cells_total']}"
    for place, finding in enumerate(summary["findings"], 1):
        kept = finding.get("kept") or {}
        for name, size in kept.items():
            total = kept.get(f"{name}_total")
            if size is not None and total is not None and size > total:
                yield f"attacker {place} leaves {size} of {total} {name.replace('_', ' ')}"
        for name, listing in (finding.get("lists") or {}).items():
            total = listing["total"]
            if total is not None and len(listing["rows"]) > total:
                yield f"attacker {place} lists {len(listing['rows'])} {name.replace('_', ' ')}, and counts {total}"
