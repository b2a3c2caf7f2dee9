"""Dataclass fields that say in words what they mean, for `explain`, scenario files and docs."""

import textwrap
from dataclasses import MISSING, Field, field, fields
from inspect import cleandoc, get_annotations
from typing import Any, NewType, TypeVar

File = NewType("File", str)
"""The type of a field that names a file, relative to the scenario."""


def described(doc: str, *, default: Any = MISSING, also: str | None = None) -> Any:
    """Declare a dataclass field with its one-line description; `also` is another word for it in scenario files."""
    return field(default=default, metadata={"doc": doc, "also": also})


def settable(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass that a scenario file may set: its own in their order, then inherited ones."""
    own = get_annotations(kind)
    in_order = sorted(fields(kind), key=lambda f: f.name not in own)
    return {f.name: f for f in in_order if f.init and "doc" in f.metadata}


T = TypeVar("T", bound=type)


def documented(kind: T) -> T:
    """Let `help` list the parameters of a dataclass, each with its description and default."""
    listed = "\n".join(line for name, one in settable(kind).items() for line in _lines(name, one))
    kind.__doc__ = f"{cleandoc(kind.__doc__ or '')}\n\nParameters:\n\n{listed}\n"
    init = kind.__dict__.get("__init__")
    if init is not None:
        init.__doc__ = f"Make one of these parameters:\n\n{listed}\n"
    return kind


def _lines(name: str, one: Field[Any]) -> list[str]:
    usual = (
        "required"
        if one.default is MISSING
        else "optional"
        if one.default in (None, ())
        else repr(one.default)
    )
    lines = textwrap.wrap(f"{one.metadata['doc']} ({usual}).", 96, break_on_hyphens=False)
    return [f"    {name}", *(f"        {line}" for line in lines)]
