"""Sentences about the attacker's strength: how far the limits hold, where they break, who got stronger."""

from collections.abc import Mapping
from typing import Any

from giveaway.report.phrases import phrases
from giveaway.report.words import amount, counted, exact_percent, number, ordinal, percent, singular

Finding = Mapping[str, Any]

_COUNTED_UNITS = ("items", "columns", "products", "rules", "people", "records", "pairs")


def holds(finding: Finding) -> str:
    """Say the greatest strength of the attacker that is within tolerance."""
    point = finding.get("holds_up_to")
    if not point:
        return "not computed"
    value, unit = point.get("value"), str(point.get("unit", ""))
    if value is None:
        return f"0 {unit}" if unit in _COUNTED_UNITS else "not even the weakest"
    at_least = "at least " if point.get("at_least") else ""
    if unit in _COUNTED_UNITS or isinstance(value, int):
        return f"{at_least}{counted(int(value), unit)}"
    if "right" in unit:
        return f"right on {at_least}{exact_percent(round(value, 3))}"
    return f"{at_least}{exact_percent(round(value, 3))} {unit}".strip()


def number_alone(finding: Finding) -> str:
    """Say the greatest strength within tolerance without its unit, for an axis that names it."""
    point = finding["holds_up_to"]
    value, at_least = point["value"], "at least " if point.get("at_least") else ""
    whole = point.get("unit") in _COUNTED_UNITS or isinstance(value, int)
    return f"{at_least}{value:,}" if whole else f"{at_least}{exact_percent(round(value, 3))}"


def breaks(finding: Finding) -> tuple[str, str]:
    """Say when the limits break, and what is exposed then."""
    point = finding.get("holds_up_to")
    if not point:
        return "not computed", "The breaking point was not computed in the time given."
    value, unit = point.get("value"), str(point.get("unit", ""))
    if value is None:
        single = unit in _COUNTED_UNITS
        head = f"one {singular(unit)} is known" if single else "it is released at all"
        return head, "Even the weakest attacker of this kind is over the limit."
    if point.get("at_least"):
        return f"beyond {_strength(value, unit)}, if at all", "A stronger attacker was not tried."
    if unit in _COUNTED_UNITS or isinstance(value, int):
        return f"{ordinal(int(value) + 1)} {singular(unit)} is known", _then(finding, int(value) + 1)
    if "right" in unit:
        return (
            f"it is right on more than {exact_percent(round(value, 3))}",
            "Beyond that the limit is passed.",
        )
    return f"more than {_strength(value, unit)}", "Beyond that the limit is passed."


def _strength(value: float, unit: str) -> str:
    if unit in _COUNTED_UNITS or isinstance(value, int):
        return counted(int(value), unit)
    return f"{exact_percent(round(value, 4))} {unit}"


def beyond(finding: Finding) -> str:
    """Say briefly what is exposed to an attacker one step stronger than it holds up to."""
    point = finding.get("holds_up_to") or {}
    value, unit = point.get("value"), str(point.get("unit", ""))
    if unit not in _COUNTED_UNITS or point.get("at_least"):
        return ""
    strength = 1 if value is None else int(value) + 1
    share = _share_at(finding, strength)
    return "" if share is None else f"at {strength}, {percent(share)} of {_share_of(finding)}"


def _then(finding: Finding, strength: int) -> str:
    share = _share_at(finding, strength)
    if share is None:
        return "Ask yourself who could know so much."
    return f"Then {percent(share)} of {_share_of(finding)} would be exposed. Ask yourself who could know so much."


def _share_at(finding: Finding, strength: int) -> float | None:
    for curve in finding.get("curves") or []:
        if curve["name"] == "strength":
            found = dict(zip(curve["x"], curve["y"], strict=False)).get(strength)
            return found if found is not None and 0 <= found <= 1 else None
    return None


def _share_of(finding: Finding) -> str:
    copy = phrases(finding["attack"])
    return copy.exposed[2] if copy.exposed else copy.targets


def stronger(before: Finding | None, after: Finding) -> str | None:
    """Say when withholding made this attacker stronger."""
    if before is None:
        return None
    planned = {kind["kind"]: kind for kind in before.get("kinds") or []}
    for kind in after.get("kinds") or []:
        first, last = number(planned.get(kind["kind"], {}), "worst"), number(kind, "worst")
        if first is not None and last is not None and last > first:
            limit = number(kind, "limit")
            stays = "It stays within the limit" if limit is None or last <= limit else "It is over the limit"
            return (
                f"This attacker got stronger, from {amount(kind['kind'], first, limit=limit)} to "
                f"{amount(kind['kind'], last, limit=limit)}: "
                f"less is left to confuse the rest with. {stays}."
            )
    return None
