"""The words that differ from attack to attack and from one kind of data to another, with a fallback for any other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from giveaway.report.wording.tidy import label
from giveaway.report.wording.words import Number, joined


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The copy of one attack."""

    chances: str = "Chance per target"
    stronger: str = "If the attacker knows more"
    could: str = "could learn more about a person than the owner meant"
    worked: str = "A worked example"
    targets: str = "targets"
    exposed: tuple[str, str, str] | None = None
    """The figures that count who is exposed and out of how many, and what they count."""
    exposed_how: str = ""
    does: Mapping[str, str] = field(default_factory=dict)
    """What succeeding means, for each kind of chance."""
    at_limit: frozenset[str] = frozenset()
    """The kinds of chance that are a breach at the limit already."""
    listed: tuple[str, str, str] | None = None
    """The figures that count what is listed and out of how many over the limit, and how the two differ."""
    everything: str = ""
    """What somebody knows who cannot know more, where that is more than a number of things."""
    dot: Mapping[str, str] = field(default_factory=dict)
    """A name of at most three words, for each kind of chance."""


_DOES = {
    "identity": "find whose record it is",
    "attribute": "infer a private value",
    "average": "succeed",
    "loss": "do harm",
}
_DOT = {"identity": "whose it is", "attribute": "private value", "average": "average", "loss": "average loss"}

_PHRASES = {
    "items": Phrases(
        chances="Chance per combination",
        could="could single out a transaction or learn a private item",
        worked="A worked person",
        targets="combinations",
        exposed=("exposed_transactions", "transactions", "transactions"),
        exposed_how="hold a combination that singles them out or gives a private item away",
        listed=("minimal_moles", "moles", "hold no smaller one that is over it, and are listed"),
        everything="all items of a transaction",
        does={"identity": "single out a transaction", "attribute": "infer a private item"},
        dot={"identity": "singled out", "attribute": "private item"},
    ),
    "attributes": Phrases(
        chances="Chance per secret entry",
        could="could infer an entry that was left blank",
        worked="A worked person",
        targets="entries",
        exposed=("exposed_records", "sensitive_records", "secret entries"),
        exposed_how="can be inferred from the other columns",
        does={"attribute": "infer a blank entry"},
        dot={"attribute": "blank entry"},
    ),
    "frequencies": Phrases(
        chances="Chance per item or set",
        stronger="If the attacker is right more often",
        could="could undo the item codes",
        worked="A worked example",
        targets="targets",
        at_limit=frozenset({"identity"}),
        does={"identity": "recognise an item or set", "average": "recognise an item"},
        dot={"identity": "recognised", "average": "average"},
    ),
    "directory": Phrases(
        chances="Chance per record",
        could="could find whose record it is",
        worked="A worked person",
        targets="records",
        exposed=("exposed_records", "records", "records"),
        exposed_how="agree with too few people of the directory",
        does={"identity": "find whose record it is", "average": "find whose record it is"},
    ),
    "profiles": Phrases(
        chances="Chance per person",
        could="could infer somebody's private value from the published rules",
        worked="A worked person",
        targets="profiles",
        exposed=("people_above", "records", "people"),
        exposed_how="have a value that is inferred with a chance over the limit",
        does={"attribute": "infer a private value"},
    ),
}

_KEPT = {
    "nuggets": "combinations",
    "item_occurrences": "item occurrences",
    "cells": "entries",
    "rules": "rules",
    "rules_support": "rule support",
}

_LOST = {
    "people": ("{} support it", "people who support it"),
    "entries": ("{} hidden or coarser", "entries hidden or coarser in it"),
}
"""What withholding one thing costs, with its number and without, where it is not simply lost with it."""

_CHARTS = {
    "divergence_by_confidence": "If only surer rules are published",
    "divergence_by_support": "If only more frequent rules are published",
    "divergence_with_silence": "What the silence about other rules tells",
    "limits": "Exposed at other limits",
    "hidden": "Hidden at other limits",
    "disclosed": "If records disclose more or fewer values",
    "size": "If the directory were smaller",
    "estimated": "Estimated against true loss",
    "similar_data": "What somebody with similar data gets right",
}
"""The titles of pictures that only some attacks have."""

_LINES = {
    "divergence_by_confidence": "scores published",
    "divergence_withheld": "scores withheld",
    "divergence_with_silence": "with the silence",
    "divergence_without_silence": "rules alone",
    "hidden": "entries hidden",
    "disclosed": "as weighed",
    "disclosed_additive": "weights added",
    "disclosed_multiplicative": "weights multiplied",
    "size": "as weighed",
    "size_additive": "weights added",
    "size_multiplicative": "weights multiplied",
    "lower_bounds": "at least needed",
}
"""The names of lines that stand in one picture."""

_WHY = {
    "infrequent": "rarer than you need",
    "greedy": "ends most at least cost",
    "exact": "proved best",
    "r-graph": "chosen by the R-graph",
}


def phrases(attack: str) -> Phrases:
    """Return the copy of an attack."""
    return _PHRASES.get(attack, Phrases())


def is_over(attack: str, kind: str, value: Number | None, limit: Number | None) -> bool:
    """Tell whether a chance is a breach; for some attacks the limit itself is one."""
    if value is None or limit is None:
        return False
    return value > limit or (value == limit and kind in phrases(attack).at_limit)


def does(attack: str, kind: str) -> str:
    """Say what the attacker does when a chance of this kind comes true."""
    return phrases(attack).does.get(kind) or _DOES.get(kind, kind)


def dot(attack: str, kind: str) -> str:
    """Name a kind of chance briefly."""
    return phrases(attack).dot.get(kind) or _DOT.get(kind, kind)


def kept_noun(name: str) -> str:
    """Name what is kept."""
    return _KEPT.get(name, name.replace("_", " "))


def lost_with_it(number: str, unit: str) -> str:
    """Say what withholding one thing costs, given its counted number: `191 people support it`."""
    return _LOST.get(unit, ("{}", ""))[0].format(number)


def what_is_lost(unit: str) -> str:
    """Name what is counted as lost."""
    return _LOST.get(unit, ("", f"{unit} lost with it"))[1]


def why(reason: str) -> str:
    """Say why something was withheld."""
    return _WHY.get(reason, reason)


def chart_title(name: str) -> str:
    """Return the title of the picture of a curve."""
    return _CHARTS.get(name, name.replace("_", " ").capitalize())


def line_name(name: str) -> str:
    """Name a curve among others in its picture."""
    return _LINES.get(name, name.replace("_", " "))


def row_noun(data: Mapping[str, Any]) -> str:
    """Name the rows of the data, in the plural."""
    return "records" if data.get("kind") == "table" else "transactions"


def target_text(exposure: Mapping[str, Any], plus: str = " + ") -> str:
    """Write the target of an exposure: the items known, the record, or the profile."""
    target = exposure.get("target")
    if isinstance(target, Mapping):
        return ", ".join(f"{label(column)} {label(value)}" for column, value in target.items())
    if isinstance(target, list | tuple):
        return plus.join(label(part) for part in target)
    return label(target)


def rule_text(rule: Mapping[str, Any]) -> str:
    """Write a rule: what is known, and what follows."""
    known = ", ".join(f"{label(column)} {label(value)}" for column, value in rule["condition"].items())
    column = rule.get("column")
    return (
        f"{known} \u2192 {label(column)} {label(rule['value'])}"
        if column
        else f"{known} \u2192 {label(rule['value'])}"
    )


def learnt_text(exposure: Mapping[str, Any], attack: str) -> str | None:
    """Say what is learnt of a target: the private value, or whose it is."""
    if exposure.get("value") is not None:
        return label(exposure["value"])
    if exposure.get("kind") == "identity" and attack == "items":
        return "the transaction"
    return None


def target_in_words(exposure: Mapping[str, Any]) -> str:
    """Write the target as part of a sentence."""
    target = exposure.get("target")
    if isinstance(target, list | tuple):
        return joined([label(part) for part in target])
    return target_text(exposure)
