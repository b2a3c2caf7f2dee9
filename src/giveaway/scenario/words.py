"""Command-line words become the same nested values that a scenario file holds."""

import os
import tomllib
from collections.abc import Iterable
from copy import deepcopy
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args

from giveaway.attacks import ATTACKS
from giveaway.errors import ScenarioError
from giveaway.model.answer.plain import is_deep
from giveaway.model.paths import exists, shown
from giveaway.model.question.presets import preset
from giveaway.model.release.earlier import Linked

_DEEPEST = 10
"""No field of a scenario has more sections around it."""


class Loose(str):
    """A text that was typed without quotes: a field that takes several values reads it as several, between its commas."""

    __slots__ = ()

    @property
    def parts(self) -> list[Any]:
        """The values between the commas."""
        return [value_of(part.strip()) for part in _parts(self)]


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML; numbers stay exact, and those that have no exact form are infinite, which every field refuses."""
    return tomllib.loads(text, parse_float=_number)


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("inf")


def value_of(text: str) -> Any:
    """Read one value as TOML has it, or as plain text."""
    try:
        value = read_toml(f"value = {text}")["value"]
        return text if is_deep(value, _DEEPEST) else value
    except (
        ValueError,
        ArithmeticError,
        RecursionError,
    ):  # no TOML, or a number or list that Python cannot take
        return text


def from_words(data: str, knows: Iterable[str], tolerates: Iterable[str]) -> dict[str, Any]:
    """Make a scenario of a data file, `items:at_most=3` and `identity=1/5`."""
    return {
        "release": {"data": data},
        "knows": [_attacker(text) for text in knows],
        "tolerates": {name: value for text in tolerates for name, value in _pairs(text).items()},
    }


def example(data: type) -> str:
    """Write an attacker on a kind of data as the command line has it, as in `items:at_most=3`."""
    return next(
        f"{a.name}:{a.asks.example}" for a in ATTACKS.values() if a.reads.data is data and a.asks.example
    )


def overridden(values: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """Apply `release.data=x` and `knows.0.at_most=3` to a scenario."""
    changed = deepcopy(values)
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path:
            raise ScenarioError(
                f"--set {setting} is not understood.", hint="write --set tolerates.identity=1/5."
            )
        steps = path.split(".")
        if len(steps) > _DEEPEST:
            raise ScenarioError(f"--set {shown(setting)}: nothing lies that deep.")
        value = value_of(text)
        _put(changed, steps, Loose(value) if isinstance(value, str) and value == text else value, setting)
    return changed


def with_words(values: dict[str, Any], knows: Iterable[str], tolerates: Iterable[str]) -> dict[str, Any]:
    """Add attackers, and limits of all that have none of their own, to a scenario."""
    added = [_attacker(text) for text in knows]
    limits = {name: value for text in tolerates for name, value in _pairs(text).items()}
    entries, common = values.get("knows", []), values.get("tolerates", {})
    if not isinstance(entries, list) or not isinstance(common, dict):
        return values
    more = {"tolerates": {**common, **limits}} if limits else {}
    return {**values, "knows": [*entries, *added], **more}


def with_earlier(values: dict[str, Any], releases: Iterable[str], base: Path) -> dict[str, Any]:
    """Add earlier releases, each `PATH` or `PATH:linked`, to a scenario in a folder; paths are of the folder that we are in."""
    added = []
    for text in releases:
        path, colon, linked = text.rpartition(":")
        if not colon or (linked not in get_args(Linked) and exists(Path(text))):
            path, linked = text, ""
        place = os.path.relpath(path, base)
        added.append({"release": place} | ({"linked": linked} if linked else {}))
    before = values.get("earlier", [])
    if not added or not isinstance(before, list):
        return values
    return {**values, "earlier": [*before, *added]}


def with_preset(values: dict[str, Any], name: str, *, wins: bool) -> dict[str, Any]:
    """Take the common limits from a preset: those that are written there already are replaced if it `wins`.

    Limits that the preset does not have stay.
    """
    stated = values.get("tolerates", {})
    if not isinstance(stated, dict):
        return values
    limits = preset(name).limits if wins else {}
    kept = {field: value for field, value in stated.items() if field not in limits}
    return {**values, "tolerates": {**kept, "preset": name}}


def _put(values: Any, path: list[str], value: Any, setting: str) -> None:
    *above, last = path
    for step in above:
        if isinstance(values, list):
            values = values[_place(values, step, setting)]
        else:
            values = values.setdefault(step, {})
        if not isinstance(values, dict | list):
            raise ScenarioError(f"--set {setting}: {step} is not a section.")
    if isinstance(values, list):
        values[_place(values, last, setting)] = value
    else:
        values[last] = value


def _place(values: list[Any], step: str, setting: str) -> int:
    if not (step.isascii() and step.isdigit() and len(step) < _DEEPEST) or int(step) >= len(values):
        raise ScenarioError(
            f"--set {setting}: there is no entry {step}.",
            exists=", ".join(map(str, range(len(values)))) or "none",
        )
    return int(step)


def _attacker(text: str) -> dict[str, Any]:
    attack, _, fields = text.partition(":")
    return {"attack": attack, **_pairs(fields)}


def _pairs(text: str) -> dict[str, Any]:
    """Read `a=1,b=x,y`: a part without an equals sign belongs to the list of the field before it."""
    values: dict[str, Any] = {}
    name = ""
    for part in filter(None, _parts(text)):
        before, equals, value = part.partition("=")
        if equals:
            name = before.strip()
            values[name] = value_of(value)
        elif name:
            earlier = values[name] if isinstance(values[name], list) else [values[name]]
            values[name] = [*earlier, value_of(part)]
        else:
            raise ScenarioError(f"{text} is not understood.", hint="write name=value, as in at_most=3.")
    return values


def _parts(text: str) -> list[str]:
    """Cut a text at its commas, except for those inside brackets or quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
