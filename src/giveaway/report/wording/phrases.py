"""The words that differ from attack to attack, as the Summary has them, with neutral ones where it has none."""

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.phrases import Counted, Lost, Phrases
from giveaway.model.exact import read_ratio
from giveaway.model.question.limits import kind_of
from giveaway.report.wording.tidy import Finding, label
from giveaway.report.wording.words import Number, joined, limit_in_words

T = TypeVar("T", Counted, Lost)

_COUNTS = ("exposed", "exposed_too", "listed")
_KEPT = {"cells": "entries"}
_LOST = {"entries": Lost(says="{count} hidden", names="entries hidden in it")}
_COARSER = {"entries": Lost(says="{count} hidden or coarser", names="entries hidden or coarser in it")}


def phrases(finding: Finding) -> Phrases:
    """Return the copy of the attack that a finding is about."""
    words = {name: text for name, text in (finding.get("words") or {}).items() if text}
    copy: dict[str, Any] = {one.name: words[one.name] for one in fields(Phrases) if one.name in words}
    copy |= {name: _read(Counted, copy[name]) for name in _COUNTS if name in copy}
    if "lost" in copy:
        whole = {unit: text for unit, text in copy["lost"].items() if text.get("says") and text.get("names")}
        copy["lost"] = {unit: _read(Lost, text) for unit, text in whole.items()}
    return Phrases(**copy)


def _read(kind: type[T], written: Mapping[str, Any]) -> T:
    """Make a part of the copy of what a Summary has; what a later version added to it is left aside."""
    return kind(**{one.name: written[one.name] for one in fields(kind) if one.name in written})


def filled(template: str, **values: str) -> str:
    """Put values in their places in a sentence; what a value holds is never a place."""
    return re.sub(r"\{(\w+)\}", lambda place: values.get(place[1], place[0]), template)


def told_of(template: str, exposure: Mapping[str, Any], finding: Finding, **values: str) -> str:
    """Put the target of an exposure in its place in a sentence, and other values; what it is called is said once."""
    noun, target = phrases(finding).label, target_in_words(exposure, finding)
    if f"{noun} {{target}}" in template:
        target = target.removeprefix(f"{noun} ")
    return filled(template, target=target, **values)


def is_over(finding: Finding, kind: str, value: Number | None, limit: Number | None) -> bool:
    """Tell whether a chance is a breach; for some attacks the limit itself is one."""
    if value is None or limit is None:
        return False
    return value > limit or (value == limit and kind in (finding.get("breach_at_limit") or ()))


def below(finding: Finding, kind: str) -> str:
    """Say before a limit that it must not be reached, where a chance at it is over it; else it may be."""
    return "below " if kind in (finding.get("breach_at_limit") or ()) else ""


def does(finding: Finding, kind: str) -> str:
    """Say what the attacker does when a chance of this kind comes true."""
    return phrases(finding).does.get(kind) or nouns().told(kind_of(kind).does or kind)


def dot(finding: Finding, kind: str) -> str:
    """Name a kind of chance briefly."""
    return phrases(finding).dot.get(kind) or kind_of(kind).dot or kind


def learns(finding: Finding, kind: str, learnt: str | None, *, chance: str, certain: bool) -> str:
    """Say what somebody learns in the end, and how surely."""
    copy = phrases(finding)
    sentence = (copy.certain if certain else copy.guessed).get(kind)
    if sentence is None and learnt is not None:
        sentence = kind_of(kind).certain if certain else kind_of(kind).guessed
    if sentence is None:
        sentence = f"The attacker can {does(finding, kind)} {'for certain' if certain else 'with a chance of {chance}'}."
    return filled(sentence, value=learnt or "", chance=chance)


def kept_noun(name: str, finding: Finding) -> str:
    """Name what is kept."""
    return phrases(finding).kept.get(name) or _KEPT.get(name, nouns().told(name.replace("_", " ")))


def lost_with_it(number: str, unit: str, finding: Finding, *, coarser: bool) -> str:
    """Say what withholding one thing costs, given its counted number: `191 people support it`.

    `coarser` tells whether some entries are given less exactly instead of hidden.
    """
    lost = phrases(finding).lost.get(unit) or (_COARSER if coarser else _LOST).get(unit)
    return number if lost is None else filled(lost.says, count=number)


def what_is_lost(unit: str, finding: Finding, *, coarser: bool) -> str:
    """Name what is counted as lost."""
    lost = phrases(finding).lost.get(unit) or (_COARSER if coarser else _LOST).get(unit)
    return f"{unit} lost with it" if lost is None else lost.names


def row_noun(data: Mapping[str, Any]) -> str:
    """Name the rows of the data, in the plural."""
    return nouns().records if data.get("kind") == "table" else nouns().transactions


def target_text(exposure: Mapping[str, Any], finding: Finding | None = None) -> str:
    """Write the target of an exposure: the items known, the record, or the profile; a bare number says of what."""
    target, copy = exposure.get("target"), phrases(finding or {})
    if isinstance(target, Mapping):
        return ", ".join(f"{label(column)} {label(value)}" for column, value in target.items())
    if isinstance(target, list | tuple):
        return " + ".join(numbered(part, copy.label) for part in target)
    return numbered(target, copy.label)


def numbered(value: Any, noun: str) -> str:
    """Write a label, with its noun where it is a bare number: `item 145`."""
    text = label(value)
    return f"{noun} {text}" if noun and text.isdecimal() else text


def rule_text(rule: Mapping[str, Any]) -> str:
    """Write a rule: what is known, and what follows."""
    known = ", ".join(f"{label(column)} {label(value)}" for column, value in rule["condition"].items())
    column = rule.get("column")
    value = label(rule["value"])
    return f"{known} \u2192 {label(column)} {value}" if column else f"{known} \u2192 {value}"


def rules_in_words(text: str) -> str:
    """Write rules inside a text as people read them: `job cook \u2192 pay high` for `job=cook => pay=high`."""
    if " => " not in text:
        return text
    return re.sub(r"(?<=\S)=(?=[^\s>])", " ", text).replace(" => ", " \u2192 ")


def settings_in_words(text: str) -> str:
    """Write settings inside a text as people read them: `a limit of 3 % (attribute)` for `tolerates.attribute=3/100`."""

    def limit_of(match: re.Match[str]) -> str:
        limit = read_ratio(match[2])
        return match[0] if limit is None else f"a limit of {limit_in_words(match[1], limit)} ({match[1]})"

    return re.sub(r"tolerates\.(\w+)=(\d+/\d+)", limit_of, text)


def learnt_text(exposure: Mapping[str, Any], finding: Finding) -> str | None:
    """Say what is learnt of a target: the private value, or whose it is."""
    if exposure.get("value") is not None:
        return label(exposure["value"])
    return phrases(finding).learnt.get(str(exposure.get("kind")))


def target_in_words(exposure: Mapping[str, Any], finding: Finding | None = None) -> str:
    """Write the target as part of a sentence."""
    target, copy = exposure.get("target"), phrases(finding or {})
    if isinstance(target, list | tuple):
        return joined([numbered(part, copy.label) for part in target])
    return target_text(exposure, finding)
