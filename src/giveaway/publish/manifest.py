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
    content: Mapping[str, Any]

    @property
    def order_kept(self) -> bool:
        """Whether the rows are in the order of the original."""
        return self.content.get("order") == "kept"

    @property
    def counts(self) -> Mapping[str, Any]:
        """What every reader of the files can count."""
        counts: Mapping[str, Any] = self.content.get("counts") or {}
        return counts

    def files(self) -> dict[str, Path]:
        """Return the released files that stand next to it; none where it stands alone.

        A file that is missing while others are there, or that is not as the manifest says, is refused.
        """
        files = {part["file"]: self.path.parent / part["file"] for part in self.content["files"]}
        there = {name for name, path in files.items() if path.is_file()}
        if not there:
            return {}
        for part in self.content["files"]:
            name = part["file"]
            if name not in there:
                raise DataError(
                    f"{self.path.parent} holds a release without its {name}.",
                    hint="name the whole folder that was published.",
                )
            if hashed(files[name]) != part["sha256"]:
                raise DataError(
                    f"{files[name]} is not the file that {self.path.name} lists: its sha256 is another.",
                    hint="compare the files as they were published.",
                )
        return files


def read_manifest(path: Path) -> Manifest | None:
    """Read a manifest, or the one in a folder; None if this is not a manifest of giveaway."""
    file = path / MANIFEST if path.is_dir() else path
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        raw = file.read_bytes()
        read = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return Manifest(path=file, sha256=hashlib.sha256(raw).hexdigest(), content=read) if _fits(read) else None


def hashed(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fits(content: Any) -> bool:
    """Tell whether this is what a manifest holds; its files lie next to it."""
    if not isinstance(content, dict) or not {"giveaway", "verdict", "attackers", "files"} <= content.keys():
        return False
    asked, files, counts = content["attackers"], content["files"], content.get("counts", {})
    if not (isinstance(asked, list) and isinstance(files, list) and isinstance(counts, dict)):
        return False
    return all(map(_is_attacker, asked)) and all(map(_is_file, files))


def _is_attacker(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("attack"), str)
        and isinstance(part.get("knows"), str)
        and isinstance(part.get("tolerance", {}), dict)
    )


def _is_file(part: Any) -> bool:
    if not isinstance(part, dict) or not all(isinstance(part.get(name), str) for name in ("file", "sha256")):
        return False
    name = PurePosixPath(part["file"])
    return not name.is_absolute() and ".." not in name.parts and "\0" not in part["file"]
