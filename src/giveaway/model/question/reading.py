"""How the data of a scenario are read, for what a scenario reads besides."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Where the files of a scenario lie, and how its data are read: attackers and needs name files of their own."""

    base: Path
    data: str
    """The data, as the scenario names them."""
    kind: str | None
    how: Mapping[str, Any]
    """The fields of [release] that say how files are read, by name."""
