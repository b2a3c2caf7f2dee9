"""Dataclass fields that say in words what they mean, for `explain`, scenario files and docs."""

from dataclasses import MISSING, Field, field, fields
from typing import Any


def described(doc: str, *, default: Any = MISSING) -> Any:
    """Declare a dataclass field with its one-line description."""
    return field(default=default, metadata={"doc": doc})


def settable(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass that a scenario file may set, in the order of their declaration."""
    return {f.name: f for f in fields(kind) if f.init and "doc" in f.metadata}
