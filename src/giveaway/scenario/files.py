"""Texts of a scenario that name files, which are looked for before anything is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NewType

from giveaway.errors import ScenarioError
from giveaway.model.paths import exists, shown
from giveaway.model.question.fields import File

Data = NewType("Data", str)
"""The name of a file, or an address."""

Given = NewType("Given", str)
"""The name of a file, of the folder of a release, or an address."""

TEXTS: frozenset[Any] = frozenset({str, File, Data, Given})
"""The types of fields that are texts."""


MayRead = Callable[[Path], bool]
"""Tells of a file, before anything is done with it, whether it may be read."""


def look_for(
    name: str, base: Path, *, addresses: bool, folders: bool = False, may_read: MayRead | None = None
) -> None:
    """Refuse the name of a file that does not exist or may not be read; whether a server answers is seen later."""
    from giveaway.sources.address import address
    from giveaway.sources.files.stored import check_file

    elsewhere = address(name, base)
    file = base / name if elsewhere is None else elsewhere.path
    if file is not None and may_read is not None and not may_read(file):
        raise ScenarioError(f"{shown(name)} lies outside the folders that may be read.")
    if folders and elsewhere is None and exists(base / name) and (base / name).is_dir():
        return
    if elsewhere is None:
        check_file(base / name)
    elif not addresses:
        raise ScenarioError(f"{elsewhere.shown} is an address, and a file is needed here.")
    elif elsewhere.path is not None:
        check_file(elsewhere.path)
