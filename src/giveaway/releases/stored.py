"""What somebody names to be compared: the folder or the manifest of a release, or a Summary."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from giveaway.errors import DataError, ScenarioError
from giveaway.model.paths import shown, unusable
from giveaway.publish import Ledger, LedgerEntry, Manifest, is_owners_file, owners_files, read_manifest
from giveaway.releases.contents import Contents, read_contents
from giveaway.report import saved

Summary = Mapping[str, Any]
Named = str | os.PathLike[str] | Summary | Any
"""A path, a Summary, or whatever has one, such as an assessment."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Stored:
    """A published release, and what its owner keeps about it."""

    name: str
    manifest: Manifest
    kept: LedgerEntry | None

    @cached_property
    def contents(self) -> Contents:
        """What its files show, read when it is first asked for."""
        return read_contents(self.manifest, self.kept)


@dataclass(frozen=True, kw_only=True, eq=False)
class Saved:
    """A Summary and how it is called."""

    name: str
    summary: Summary


def named(source: Named, *, called: str, ledger: Path | None) -> Stored | Saved:
    """Find out what is named; `called` is its name where it has none."""
    if isinstance(source, Mapping):
        return Saved(name=called, summary=source)
    if hasattr(source, "to_dict"):
        return Saved(name=called, summary=source.to_dict(exposures=None))
    path = Path(source)
    why = unusable(path)
    if why is not None:
        raise DataError(f"{shown(path)} cannot be read: {why}.", hint="name another.")
    if not path.exists():
        raise DataError(
            f"{path} does not exist.", hint="name the folder of a release, its manifest.json, or a Summary."
        )
    manifest = read_manifest(path)
    if manifest is not None and isinstance(manifest.content.get("recipients"), list):
        raise DataError(
            f"{path} holds releases for several recipients.", hint="name the folder of one of them."
        )
    if manifest is not None:
        beside = owners_files(path if path.is_dir() else path.parent)[0]
        known = [*([] if ledger is None else [ledger]), *([beside] if is_owners_file(beside) else [])]
        entries = [Ledger.read(one).find(manifest.sha256) for one in known]
        kept = next((one for one in entries if one is not None), None)
        return Stored(name=str(path), manifest=manifest, kept=kept)
    if path.is_dir():
        raise DataError(
            f"{path} is not the folder of a release: it has no manifest of giveaway.",
            hint="name a folder that protect or publish wrote.",
        )
    return Saved(name=str(path), summary=saved.read(path))


def of_one_kind(old: Stored | Saved, new: Stored | Saved) -> None:
    """Refuse a release next to a Summary: they have too little in common."""
    if isinstance(old, Stored) != isinstance(new, Stored):
        release, summary = (old, new) if isinstance(old, Stored) else (new, old)
        raise ScenarioError(
            f"{release.name} is a release and {summary.name} a Summary.",
            hint="name two releases, or two Summaries.",
        )
