"""The files that a scenario names, known before any of them is read."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giveaway.model.paths import exists
from giveaway.sources.address import address


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
