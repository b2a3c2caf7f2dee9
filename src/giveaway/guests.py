"""What guests bring: found by entry points, as commands of other packages are, and imported when it is first asked for."""

from importlib.metadata import entry_points
from typing import Any


def brought(group: str, name: str) -> Any:
    """Return what is registered under a name of a group, None where no guest brings it."""
    for point in entry_points(group=f"giveaway.{group}", name=name):
        try:
            return point.load()
        except ModuleNotFoundError as error:
            if error.name is None or not f"{point.module}.".startswith(f"{error.name}."):
                raise  # the guest is there, and lacks something else
    return None
