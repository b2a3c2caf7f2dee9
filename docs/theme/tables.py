"""Fills tables of the reference in: keys of a Summary from its schema, fields of a scenario from their dataclasses.

A page has a mark in the place of a table, with what it adds to some rows:

    <!-- keys: finding
    tolerance: see [presets](presets.md)
    -->

    <!-- fields: giveaway.scenario.needs.needs_fields: items; giveaway.attacks.kept_items.NeedsItems
    items = none: every item may be withheld
    -->

A mark names dataclasses or parts of the schema, each with the rows that are shown, in their order; else all are. `name: text`
goes on with the meaning of a row, and `name = text` stands in the place of its default.
"""

import re
from dataclasses import MISSING
from importlib import import_module
from inspect import isclass
from typing import Any, get_type_hints

from giveaway.report.schema import summary_schema
from giveaway.scenario.building import kinds_of
from giveaway.scenario.explaining import choices
from giveaway.scenario.fields import words

_MARK = re.compile(r"^<!-- (keys|fields): (.+?)(?: -->|(\n.*?)-->)$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"^(\w+)(:| =) (.+)$", re.MULTILINE)
_QUOTED = re.compile(r'"([^"]*)"')
_INNER = re.compile(r",? ?(?:or |each )?with these fields|; its fields follow")
"""What `explain` says of the fields that it lists under one; a page has a table of them."""
_CODE = re.compile(
    r"\{ (?:[^{}]|\{[^{}]*\})* \}|\[[^\]]*\]|\"[^\"]*\"|\b\w+_\w+(?: = (?:\w+|\[\]))?|\bfalse\b|\b(?:duckdb|postgres|sc):[\w/:]+"
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the tables of a page."""
    return filled(markdown)


def filled(page: str) -> str:
    """Return the text of a page with its tables in the places of their marks."""
    return _MARK.sub(_table, page)


def _table(mark: re.Match[str]) -> str:
    what, parts, notes = mark.groups(default="")
    rows_of, head = (
        (_keys, ("key", "meaning")) if what == "keys" else (_fields, ("field", "meaning", "default"))
    )
    rows: dict[str, tuple[str, ...]] = {}
    for part in parts.split("; "):
        of, _, names = part.partition(": ")
        known = rows_of(of)
        rows |= {name: known[name] for name in names.split(", ")} if names else known
    for name, sign, text in _NOTE.findall(notes):
        meaning, *default = rows[name]
        rows[name] = (f"{meaning}; {text}", *default) if sign == ":" else (meaning, text)
    shown = [head, ("---",) * len(head), *((f"`{name}`", *cells) for name, cells in rows.items())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in shown)


def _keys(part: str) -> dict[str, tuple[str, ...]]:
    """Return what the schema says of each key of a part; exact values carry the name of their number."""
    properties = summary_schema()["$defs"][part]["properties"]
    return {key: (one["description"],) for key, one in properties.items() if not key.endswith("_exact")}


def _fields(path: str) -> dict[str, tuple[str, ...]]:
    """Return what the fields of a dataclass say of themselves, with the words that they take, and their defaults."""
    module, _, name = path.rpartition(".")
    kind: Any = getattr(import_module(module), name)
    kind = kind if isclass(kind) else kind()
    hints = get_type_hints(kind)
    rows = {}
    for word, field in words(kind).items():
        listed = choices(kinds_of(hints[field.name]))
        says = _INNER.sub("", field.metadata["doc"])
        shown = all(
            f'"{choice}"' in says or ("_" in choice and choice in says) for choice in _QUOTED.findall(listed)
        )
        rows[word] = (_code(says if shown else f"{says} ({listed})"), _default(field.default))
    return rows


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
