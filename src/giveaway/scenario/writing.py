"""Values and comments as a proposed scenario file writes them."""

import json
from collections.abc import Iterable

from giveaway.sources import Column

MANY_VALUES = 100
"""So many different values nearly identify people."""


def toml(value: str | Iterable[str]) -> str:
    """Write a text or a list of them; JSON's escapes are TOML's."""
    given = value if isinstance(value, str) else list(value)
    return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(value: str) -> str:
    """Keep a value on its comment line."""
    return "".join(letter if letter.isprintable() else "?" for letter in value)


def about(column: Column) -> str:
    """Comment on one column; one with very many values is nearly an identifier."""
    kind = "numbers" if column.numeric else "lists" if column.lists else "words"
    said = f"# {comment(column.name)}: {kind}, {column.distinct:,} different values"
    if column.missing:
        said += f", {float(100 * column.missing):.1f} % missing"
    if column.identifier:
        return f"{said}. Every row has its own: an identifier; do not publish it."
    if column.distinct > MANY_VALUES:
        group = "group them into ranges" if column.numeric else "group them"
        return f"{said}. Warning: so many nearly identify people; {group} first."
    return f"{said}."
