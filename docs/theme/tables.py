"""Fills tables of the reference in: keys of a Summary from its schema, fields of a scenario from their dataclasses.

A page has a mark in the place of a table, with what it adds to some rows:

    <!-- keys: finding
    tolerance: see [presets](presets.md)
    -->

    <!-- fields: giveaway.scenario.fields.ReleaseFields: data, id
    data: see [addresses](#addresses)
    id = none
    -->

After a mark's name the rows that are shown may stand, in their order; else all are. `name: text` goes on with the meaning of
a row, and `name = text` stands in the place of its default.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from importlib import import_module
from inspect import isclass
from typing import Any, get_type_hints

from giveaway.scenario.explaining.explained import choices

from giveaway.report.schema import summary_schema
from giveaway.scenario.building import kinds_of
from giveaway.scenario.fields import words

_MARK = re.compile(
    r"^<!-- (?P<what>keys|fields): (?P<of>[\w.]+)(?:: (?P<only>[\w, ]+?))?(?P<notes>\n.*?)? ?-->$",
    re.MULTILINE | re.DOTALL,
)
_NOTE = re.compile(r"^(\w+)(:| =) (.+)$", re.MULTILINE)
_INNER = re.compile(r",? ?(?:or |each )?with these fields|; its fields follow")
"""What `explain` says of the fields that it lists under one; a page has a table of them."""
_CODE = re.compile(
    r"\{ (?:[^{}]|\{[^{}]*\})* \}|\[[^\]]*\]|\"[^\"]*\"|\b\w+_\w+(?: = \w+)?|\bfalse\b|\b(?:duckdb|postgres|sc):[\w/]+"
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the tables of a page."""
    return filled(markdown)


def filled(page: str) -> str:
    """Return the text of a page with its tables in the places of their marks."""
    return _MARK.sub(_table, page)


def _table(mark: re.Match[str]) -> str:
    notes = _NOTE.findall(mark["notes"] or "")
    more = {name: text for name, sign, text in notes if sign == ":"}
    defaults = {name: text for name, sign, text in notes if sign == " ="}
    if mark["what"] == "keys":
        meanings = _keys(mark["of"])
        usual: Mapping[str, str] = {}
    else:
        kind = _kind(mark["of"])
        meanings, usual = _meanings(kind), _defaults(kind) | defaults
    shown = mark["only"].split(", ") if mark["only"] else list(meanings)
    unknown = {*shown, *more, *defaults} - meanings.keys()
    if unknown:
        raise LookupError(f"{mark['of']} has no {', '.join(sorted(unknown))}.")
    rows = [(name, "; ".join(filter(None, [meanings[name], more.get(name)]))) for name in shown]
    if mark["what"] == "keys":
        return "\n".join(["| key | meaning |", "|---|---|", *_alike(rows)])
    lines = [f"| `{name}` | {meaning} | {usual[name]} |" for name, meaning in rows]
    return "\n".join(["| field | meaning | default |", "|---|---|---|", *lines])


def _keys(part: str) -> dict[str, str]:
    """Return what the schema says of each key of a part; exact values carry the name of their number."""
    properties = summary_schema()["$defs"][part]["properties"]
    return {key: one["description"] for key, one in properties.items() if not key.endswith("_exact")}


def _alike(rows: list[tuple[str, str]]) -> Iterator[str]:
    """Give a line for all keys of which the same is said."""
    for meaning in dict.fromkeys(meaning for _, meaning in rows):
        yield f"| {', '.join(f'`{key}`' for key, one in rows if one == meaning)} | {meaning} |"


def _kind(path: str) -> type:
    """Import a dataclass, or call what makes one."""
    module, _, name = path.rpartition(".")
    kind: Any = getattr(import_module(module), name)
    return kind if isclass(kind) else kind()


def _meanings(kind: type) -> dict[str, str]:
    """Return what each field says of itself, and the words that it takes, with what one would type as code."""
    hints = get_type_hints(kind)
    meanings = {}
    for name, field in words(kind).items():
        listed = choices(kinds_of(hints[field.name]))
        says = _INNER.sub("", field.metadata["doc"])
        missing = [word for word in re.findall(r'"[^"]*"', listed) if word not in says]
        meanings[name] = _code(f"{says} ({listed})" if missing else says)
    return meanings


def _defaults(kind: type) -> dict[str, str]:
    """Return what each field is when it is left out."""
    return {name: _default(field.default) for name, field in words(kind).items()}


def _default(value: Any) -> str:
    if value is MISSING:
        return "required"
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return f"`[{', '.join(map(_quoted, value))}]`"
    return f"`{_quoted(value)}`"


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _code(text: str) -> str:
    """Set what one would type as code."""
    return _CODE.sub(lambda match: f"`{match[0]}`", text)
