"""What guests bring: found by entry points, as commands of other packages are, and imported when it is first asked for."""

from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any


def brought(group: str, name: str) -> Any:
    """Return what is registered under a name of a group, None where no guest brings it."""
    for point in entry_points(group=f"giveaway.{group}", name=name):
        with suppress(ModuleNotFoundError):
            return point.load()
    return None
