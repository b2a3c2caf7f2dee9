"""Doors from the model to the readers above it, opened by `giveaway.sources` when it is imported."""

from collections.abc import Callable
from typing import Any

_readers: dict[str, Callable[..., Any]] = {}


def open_door(name: str, reader: Callable[..., Any]) -> None:
    """Tell the model which function makes it from lists or frames."""
    _readers[name] = reader


def through(name: str) -> Callable[..., Any]:
    """Return the function behind a door."""
    return _readers[name]
