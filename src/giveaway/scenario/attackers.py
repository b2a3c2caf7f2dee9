"""Attackers as a scenario writes them, whose fields may name files, and as they are once the files are read."""

from pathlib import Path

from giveaway.model.attacker import Attacker
from giveaway.scenario.directory import DirectoryFields
from giveaway.scenario.fields import ReleaseFields
from giveaway.scenario.frequencies import FrequenciesFields

KNOWS: dict[str, type[Attacker]] = {"frequencies": FrequenciesFields, "directory": DirectoryFields}
"""What a scenario builds of an entry of [[knows]], for attackers whose fields name files."""


def loaded(attacker: Attacker, base: Path, release: ReleaseFields) -> Attacker:
    """Return an attacker with the files read that a scenario names."""
    if isinstance(attacker, FrequenciesFields | DirectoryFields):
        return attacker.loaded(base, release)
    return attacker
