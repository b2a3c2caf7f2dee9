"""Sentences about the attacker's strength: how far the limits hold, where they break, who got stronger."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.report.wording.earlier import levels
from giveaway.report.wording.phrases import phrases
from giveaway.report.wording.sentences import counted_as
from giveaway.report.wording.tidy import Finding
from giveaway.report.wording.words import (
    DASH,
    amount,
    count,
    counted,
    exact_percent,
    number,
    ordinal,
    percent,
    sentence,
    singular,
    unbroken,
)


@dataclass(frozen=True, kw_only=True)
class Breaks:
    """Where the limits break, or that they do not within what was tried; `when` tells which of the two."""

    head: str
    small: str
    when: bool = True


def tried(finding: Finding) -> bool:
    """Tell whether there is a breaking point to speak of; there is none where nothing was tried.

    With earlier releases at hand the verdict is about all of them, and the breaking point would be of this one alone.
    """
    point = finding.get("holds_up_to") or {}
    to_the_end = point.get("at_least") or point.get("whole_scale")
    return (
        bool(point) and not (point.get("value") == 0 and to_the_end) and not (finding.get("together") or [])
    )


def holds(finding: Finding, *, briefly: bool = False) -> str:
    """Say the greatest strength of the attacker that is within tolerance; briefly, a share does not say of what."""
    point = finding.get("holds_up_to")
    if not point or not tried(finding):
        return DASH if point else "not computed"
    value, unit = point.get("value"), _unit(point)
    if value is None:
        return (
            f"not even one {nouns().told(singular(unit))}" if _is_count(finding) else "not even the weakest"
        )
    if _whole(finding):
        return _everything(finding)
    at_least, being = "at least " if point.get("at_least") else "", phrases(finding).being
    if being:
        return f"{being} {at_least}{_share(value) if briefly else _of_all(finding)}"
    return f"{at_least}{_strength(finding)}"


def beside(finding: Finding) -> str:
    """Say what holds under another reading of the same strength."""
    other = (finding.get("holds_up_to") or {}).get("beside")
    return unbroken(sentence(str(other))) if other else ""


def holds_up_to(finding: Finding) -> str:
    """Say as a sentence how far the limits hold."""
    up_to, being = holds(finding), phrases(finding).being
    return f"Holds up to {'being ' if being and up_to.startswith(being) else ''}{up_to}."


def number_alone(finding: Finding) -> str:
    """Say the greatest strength within tolerance without its unit, for an axis that names it."""
    point = finding["holds_up_to"]
    value, at_least = point["value"], "at least " if point.get("at_least") and not _whole(finding) else ""
    return f"{at_least}{int(value):,}" if _is_count(finding) else f"{at_least}{_share(value)}"


def breaks(finding: Finding) -> Breaks | None:
    """Say when the limits break, and what is exposed then; None when nothing was tried."""
    point = finding.get("holds_up_to")
    if not point or not tried(finding):
        return None
    answer = _broken(finding) if point.get("value") is None else _breaks(finding, point)
    return replace(answer, small=f"{answer.small} {beside(finding)}".strip())


def _broken(finding: Finding) -> Breaks:
    unit = _unit(finding["holds_up_to"])
    if _share_at(finding, 0):
        return Breaks(
            head="nothing at all is known", small="Even a guess without the release is over the limit."
        )
    head = f"one {nouns().told(singular(unit))} is known" if _is_count(finding) else "it is released at all"
    return Breaks(head=head, small="Even the weakest attacker of this kind is over the limit.")


def _breaks(finding: Finding, point: Mapping[str, Any]) -> Breaks:
    value, being = point["value"], phrases(finding).being
    if _whole(finding):
        even = f"even if {_at_the_end(finding)}"
        return Breaks(head=even, small="Nobody can be stronger in this way.", when=False)
    if point.get("at_least"):
        small = "More was not tried."
        within = (
            f"while the attacker is {being} at most {_of_all(finding)}"
            if being
            else f"with up to {_strength(finding)} known"
        )
        return Breaks(head=within, small=small, when=False)
    if _is_count(finding):
        more = int(value) + 1
        return Breaks(
            head=f"{ordinal(more)} {nouns().told(singular(_unit(point)))} is known",
            small=_then(finding, more),
        )
    head = f"more than {_strength(finding)}"
    if being:
        copy = phrases(finding)
        head = f"the attacker is {being} {f'more than {_of_all(finding)}' if value else f'any of the {copy.targets}'}"
    return Breaks(head=head, small="Beyond that the limit is passed.")


def _unit(point: Mapping[str, Any]) -> str:
    return str(point.get("unit") or "")


def _is_count(finding: Finding) -> bool:
    """Tell whether strength is a number of things; where even one thing is too much, only the words can tell."""
    value, copy = finding["holds_up_to"].get("value"), phrases(finding)
    counts_things = value is None and bool(finding.get("words")) and bool(_unit(finding["holds_up_to"]))
    return not copy.being and (counts_things or isinstance(value, int))


def _of_all(finding: Finding) -> str:
    return f"{_share(finding['holds_up_to']['value'])} of the {phrases(finding).targets}"


def _share(value: float) -> str:
    return exact_percent(round(value, 3))


def _whole(finding: Finding) -> bool:
    """Tell whether nobody can be stronger in this unit; all targets are the end of a scale of their parts."""
    point = finding["holds_up_to"]
    everywhere = phrases(finding).being and point.get("at_least") and point.get("value") == 1
    return bool(point.get("whole_scale") or everywhere)


def _everything(finding: Finding) -> str:
    """Name the end of the scale."""
    value, unit = finding["holds_up_to"]["value"], _unit(finding["holds_up_to"])
    copy = phrases(finding)
    if copy.being:
        return f"{copy.being} everything"
    if copy.everything or not _is_count(finding):
        return copy.everything or "the strongest of this kind"
    few = {1: f"the only {singular(unit)}", 2: f"both {unit}"}
    return few.get(int(value), f"all {count(int(value))} {unit}")


def _at_the_end(finding: Finding) -> str:
    """Say what the strongest attacker of the scale has."""
    everything = _everything(finding)
    if phrases(finding).being or not _is_count(finding):
        return f"the attacker is {everything}"
    return f"{everything} {'are' if everything.startswith(('all', 'both')) else 'is'} known"


def _strength(finding: Finding) -> str:
    value, unit = finding["holds_up_to"]["value"], _unit(finding["holds_up_to"])
    return counted(int(value), unit) if _is_count(finding) else f"{_share(value)} {unit}".strip()


def beyond(finding: Finding) -> str:
    """Say briefly what is exposed to an attacker one step stronger than it holds up to."""
    point = finding.get("holds_up_to") or {}
    if not point or not _is_count(finding) or point.get("at_least") or point.get("whole_scale"):
        return ""
    value = point.get("value")
    strength = 1 if value is None else int(value) + 1
    share = _share_at(finding, strength)
    return "" if not share else f"at {strength}, {percent(share)} of {counted_as(finding)}"


def _then(finding: Finding, strength: int) -> str:
    share = _share_at(finding, strength)
    if not share:
        return "Ask yourself who could know that much."
    return f"Then {percent(share)} of {counted_as(finding)} would be exposed. Ask yourself who could know that much."


def _share_at(finding: Finding, strength: int) -> float | None:
    for curve in finding.get("curves") or []:
        if curve["name"] == "strength":
            share = dict(zip(curve["x"], curve["y"], strict=False)).get(strength)
            return share if share is not None and 0 <= share <= 1 else None
    return None


def stronger(before: Finding | None, after: Finding) -> str | None:
    """Say when withholding made this attacker stronger."""
    if before is None:
        return None
    planned = {kind["kind"]: kind for kind in levels(before)}
    for kind in levels(after):
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
