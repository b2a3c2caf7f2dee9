"""Manifests read back: what a release promised, and its files as long as they are those that it lists."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from giveaway.errors import DataError

MANIFEST = "manifest.json"

_MOST_BYTES = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What stands in a manifest, and where it stands."""

    path: Path
    sha256: str
    told: Mapping[str, Any]

    @property
    def order_kept(self) -> bool:
        """Whether the rows are in the order of the original."""
        return self.told.get("order") == "kept"

    @property
    def counts(self) -> Mapping[str, Any]:
        """What every reader of the files can count."""
        found: Mapping[str, Any] = self.told.get("counts") or {}
        return found

    def files(self) -> dict[str, Path]:
        """Return the released files that stand next to it; none where it stands alone.

        A file that is missing while others are there, or that is not as the manifest says, is refused.
        """
        found = {part["file"]: self.path.parent / part["file"] for part in self.told["files"]}
        there = {name for name, path in found.items() if path.is_file()}
        if not there:
            return {}
        for part in self.told["files"]:
            name = part["file"]
            if name not in there:
                raise DataError(
                    f"{self.path.parent} holds a release without its {name}.",
                    hint="name the whole folder that was published.",
                )
            if hashed(found[name]) != part["sha256"]:
                raise DataError(
                    f"{found[name]} is not the file that {self.path.name} lists: its sha256 is another.",
                    hint="compare the files as they were published.",
                )
        return found


def read_manifest(path: Path) -> Manifest | None:
    """Read a manifest, or the one in a folder; None if this is not a manifest of giveaway."""
    file = path / MANIFEST if path.is_dir() else path
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        raw = file.read_bytes()
        told = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return Manifest(path=file, sha256=hashlib.sha256(raw).hexdigest(), told=told) if _fits(told) else None


def hashed(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fits(told: Any) -> bool:
    """Tell whether this is what a manifest holds; its files lie next to it."""
    if not isinstance(told, dict) or not {"giveaway", "verdict", "attackers", "files"} <= told.keys():
        return False
    asked, files, counts = told["attackers"], told["files"], told.get("counts", {})
    if not (isinstance(asked, list) and isinstance(files, list) and isinstance(counts, dict)):
        return False
    return all(map(_is_attacker, asked)) and all(map(_is_file, files))


def _is_attacker(told: Any) -> bool:
    return (
        isinstance(told, dict)
        and isinstance(told.get("attack"), str)
        and isinstance(told.get("knows"), str)
        and isinstance(told.get("tolerance", {}), dict)
    )


def _is_file(told: Any) -> bool:
    if not isinstance(told, dict) or not all(isinstance(told.get(name), str) for name in ("file", "sha256")):
        return False
    name = PurePosixPath(told["file"])
    return not name.is_absolute() and ".." not in name.parts and "\0" not in told["file"]
