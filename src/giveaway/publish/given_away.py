"""What was given away before: a release with its manifest, whose files are still those that it tells of, or any file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname
from typing import Any

from giveaway.errors import DataError
from giveaway.publish.manifest import MANIFEST, hashed, read_manifest


@dataclass(frozen=True, kw_only=True)
class GivenAway:
    """The files of a release."""

    files: Mapping[str, Path]
    """Each under its name, the main one first."""
    sha256: str | None
    """The hash of the manifest, or of the file where there is none; None of what is not a file."""
    manifest: Mapping[str, Any] | None
    name: str
    """What it is called where nobody says otherwise."""

    @property
    def main(self) -> Path:
        """The file with the rows or rules, or the folder of its parts."""
        parts = _parts(self.files)
        return self.files[parts[0]].parent if len(parts) > 1 else next(iter(self.files.values()))

    def stated(self, field: str) -> Any:
        """Return what its manifest says, None where there is none or it does not say."""
        return None if self.manifest is None else self.manifest.get(field)


def given_away(path: Path) -> GivenAway:
    """Find the files of a release by its folder, its manifest or its only file; check them by the manifest."""
    manifest = path / MANIFEST if path.is_dir() else path
    if path.is_dir() and not manifest.is_file():
        raise DataError(f"{path} holds no {MANIFEST}.", hint="name the file that was given away itself.")
    read = read_manifest(manifest) if manifest.suffix == ".json" else None
    if read is None:
        if path.is_dir():
            raise DataError(f"{manifest} is not a manifest of giveaway.", hint="name the file itself.")
        name = path.name.split(".")[0] or path.name
        return GivenAway(files={path.name: path}, sha256=hashed(path), manifest=None, name=name)
    several = read.content.get("recipients")
    if isinstance(several, list):
        raise DataError(
            f"{manifest.parent} holds releases for {len(several)} recipients.",
            exists=", ".join(map(str, several)),
            hint=f"name the folder of one of them, as in {manifest.parent / str(several[0])}.",
        )
    if read.content.get("table"):
        raise DataError(
            f"{manifest} tells of a release that became a table in a database.",
            hint="export the table as it was given away, and name that file.",
        )
    folder = manifest.parent
    return GivenAway(
        files=_files(folder, read.content),
        sha256=read.sha256,
        manifest=read.content,
        name=str(read.content.get("name") or folder.resolve().name),
    )


def _files(folder: Path, content: Mapping[str, Any]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for part in content["files"]:
        name = str(part["file"])
        path = folder / name
        if not path.is_file():
            raise DataError(f"{folder} lacks {name}, which its manifest names.", hint="bring the file back.")
        if hashed(path) != part["sha256"]:
            raise DataError(
                f"{path} is not the file that was given away: its sha256 is not the one of the manifest.",
                hint="bring that file back, or name this one itself if it was given away too.",
            )
        files[name] = path
    if len({*map(dirname, _parts(files))}) > 1:
        raise DataError(
            f"{folder} holds parts of a release in several folders.", hint="join them, and name that file."
        )
    if not files:
        raise DataError(f"{folder} holds a release without files.", hint="name the file that was given away.")
    return files


def _parts(files: Mapping[str, Path]) -> list[str]:
    return [name for name in files if "/" in name]
