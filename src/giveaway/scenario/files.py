"""The files that a scenario names, known and looked for before any of them is read."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NewType

from giveaway.errors import ScenarioError
from giveaway.model.paths import exists, shown
from giveaway.model.question.fields import File
from giveaway.sources.address import address

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


def inputs(values: Mapping[str, Any], base: Path) -> list[Path]:
    """Return what exists under the name of any text in a scenario: which fields name files need not be told twice.

    A folder counts only where data or earlier releases are named: a column may well be called as some folder is.
    """
    paths = [base / text for text in _texts(values) if _is_file(base / text)]
    earlier = values.get("earlier")
    entries = earlier if isinstance(earlier, list) else []
    releases = [entry.get("release") for entry in entries if isinstance(entry, Mapping)]
    paths += [base / name for name in releases if isinstance(name, str) and exists(base / name)]
    release = values.get("release")
    data = release.get("data") if isinstance(release, Mapping) else None
    if isinstance(data, str):
        place = address(data, base)
        path = base / data if place is None else place.path
        if path is not None and exists(path):
            paths.append(path)
    return paths


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _is_file(path: Path) -> bool:
    return exists(path) and not path.is_dir()
