"""Dataclass fields that say in words what they mean, for `explain`, scenario files and docs."""

import textwrap
from collections.abc import Sequence
from dataclasses import MISSING, Field, field, fields
from inspect import cleandoc, get_annotations
from typing import Any, NewType, TypeVar

from giveaway.errors import ScenarioError

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


def check_word(name: str, word: object, words: Sequence[str]) -> None:
    """Refuse a word that is none of those known."""
    if word not in words:
        raise ScenarioError(f"{name} = {word!r} is unknown.", exists=", ".join(words), field=name)


def check_whole(
    name: str, number: Any, least: int = 1, most: int | None = None, hint: str | None = None
) -> int:
    """Return a whole number of at least so much, and refuse anything else."""
    whole = isinstance(number, int) and not isinstance(number, bool)
    if not whole or number < least or (most is not None and number > most):
        up_to = "" if most is None else f" and at most {most:,}"
        raise ScenarioError(
            f"{name} = {number!r} must be a whole number of at least {least}{up_to}.", hint=hint, field=name
        )
    return int(number)


def check_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise ScenarioError(f"{name} = {value!r} must be true or false.", field=name)


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
