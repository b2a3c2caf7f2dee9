"""Texts of a scenario that name files, which are looked for before anything is read."""

from pathlib import Path
from typing import Any, NewType

from giveaway.errors import ScenarioError
from giveaway.model.paths import exists
from giveaway.model.question.fields import File

Data = NewType("Data", str)
"""The name of a file, or an address."""

Given = NewType("Given", str)
"""The name of a file, of the folder of a release, or an address."""

TEXTS: frozenset[Any] = frozenset({str, File, Data, Given})
"""The types of fields that are texts."""


def look_for(name: str, base: Path, *, addresses: bool, folders: bool = False) -> None:
    """Refuse the name of a file that does not exist; whether a server answers is seen when it is asked."""
    from giveaway.sources.engines.address import address
    from giveaway.sources.files.stored import check_file

    elsewhere = address(name, base)
    if folders and elsewhere is None and exists(base / name) and (base / name).is_dir():
        return
    if elsewhere is None:
        check_file(base / name)
    elif not addresses:
        raise ScenarioError(f"{elsewhere.shown} is an address, and a file is needed here.")
    elif elsewhere.path is not None:
        check_file(elsewhere.path)
