"""Attackers as a scenario writes them, whose fields may name files, and as they are once the files are read."""

from dataclasses import dataclass
from pathlib import Path

from giveaway.model.question.attacker import Attacker
from giveaway.model.question.tolerance import Tolerance
from giveaway.scenario.directory import DirectoryFields
from giveaway.scenario.fields import ReleaseFields
from giveaway.scenario.frequencies import FrequenciesFields

KNOWS: dict[str, type[Attacker]] = {"frequencies": FrequenciesFields, "directory": DirectoryFields}
"""What a scenario builds of an entry of [[knows]], for attackers whose fields name files."""


@dataclass(frozen=True)
class Asked:
    """An attacker at a place among the entries of [[knows]], and the tolerance that applies."""

    place: int
    attacker: Attacker
    tolerance: Tolerance
    own: bool
    """Whether the tolerance stands in the entry, or is the common one."""


def loaded(attacker: Attacker, base: Path, release: ReleaseFields) -> Attacker:
    """Return an attacker with the files read that a scenario names."""
    if isinstance(attacker, FrequenciesFields | DirectoryFields):
        return attacker.loaded(base, release)
    return attacker
