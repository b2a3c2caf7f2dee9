"""Dataclass fields that say in words what they mean, for `explain`, scenario files and docs."""

from dataclasses import MISSING, Field, field, fields
from inspect import get_annotations
from typing import Any, NewType

File = NewType("File", str)
"""The type of a field that names a file, relative to the scenario."""


def described(doc: str, *, default: Any = MISSING, also: str | None = None) -> Any:
    """Declare a dataclass field with its one-line description; `also` is another word for it in scenario files."""
    return field(default=default, metadata={"doc": doc, "also": also})


def settable(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass that a scenario file may set: its own in their order, then inherited ones."""
    own = get_annotations(kind)
    found = sorted(fields(kind), key=lambda f: f.name not in own)
    return {f.name: f for f in found if f.init and "doc" in f.metadata}
