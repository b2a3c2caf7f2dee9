"""The owner's file read as a ledger: for each release whose row is whose, what its codes stand for, and what was withheld."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.errors import DataError, NotWritten
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.withheld import Withheld
from giveaway.publish.manifest import MANIFEST, hashed
from giveaway.publish.owners_file import cells_of, entries, levels_of
from giveaway.publish.storage import final_place, kind


@dataclass(frozen=True, kw_only=True, eq=False)
class LedgerEntry:
    """What only its owner knows of a release."""

    manifest: str
    """The sha256 of its manifest, by which it is found."""
    date: str
    folder: str
    """Where it was written, seen from the ledger."""
    rows: tuple[int, ...] | None = field(repr=False)
    """For each of its rows the row of the data that it was made of, counted from 1; None where the order was kept."""
    ids: tuple[Label, ...] | None = field(repr=False)
    """For each of its rows the identifier of the record; None where the data have none."""
    codes: Mapping[str, Label] | None = field(repr=False)
    """The item that each code stands for; None where the names were published."""
    withheld: Withheld = field(repr=False)
    """The items, entries and coarser entries that were withheld, in the rows of the data."""
    data: str | None
    """A hash that only the same data have."""
    rules: tuple[str, ...] = field(default=(), repr=False)
    """The rules that were withheld."""
    scenario: Mapping[str, Any] | None = field(default=None, repr=False)
    """The scenario file that was asked about: its name, text and sha256, and the settings that changed it; None without one."""

    @cached_property
    def places(self) -> Ints | None:
        """The same as `rows`, counted from 0."""
        return None if self.rows is None else np.array(self.rows, np.int64) - 1


@dataclass(frozen=True, eq=False)
class Ledger:
    r"""The owner's file that `protect` keeps, read: which releases it knows, and what of each.

    >>> import giveaway as ga, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "shop.dat").write_text("bread milk\nbread milk\nbread jam\n")
    >>> release = ga.Release(ga.read_transactions(folder / "shop.dat"))
    >>> safer = ga.protect(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    >>> _ = safer.publish(folder / "2025", key=folder / "ledger.json")
    >>> entry = ga.Ledger.read(folder / "ledger.json").of(folder / "2025")
    >>> sorted(entry.rows), entry.withheld.items
    ([1, 2, 3], ('jam',))
    """

    releases: tuple[LedgerEntry, ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Ledger":
        """Read an owner's file."""
        place = final_place(Path(path))
        if kind(place) is None:
            raise DataError(f"There is no ledger {path}.", hint="protect -o DIR keeps one as DIR.owner.json.")
        try:
            known = entries(place)
        except NotWritten:
            raise DataError(
                f"{path} is not a ledger of this version of giveaway.",
                hint="protect -o DIR keeps one as DIR.owner.json.",
            ) from None
        try:
            return cls(tuple(_entry(one) for one in known if isinstance(one, dict)))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise DataError(
                f"{path} has an entry that giveaway does not write.", hint="bring the file back as it was."
            ) from None

    def __len__(self) -> int:
        """Count the releases."""
        return len(self.releases)

    def __iter__(self) -> Iterator[LedgerEntry]:
        return iter(self.releases)

    def of(self, manifest: str | os.PathLike[str]) -> LedgerEntry:
        """Return what is known of a release, named by its folder, its manifest, or the sha256 of that."""
        path = Path(manifest)
        path = path / MANIFEST if path.is_dir() else path
        sha256 = hashed(path) if path.is_file() else str(manifest)
        entry = self.find(sha256)
        if entry is None:
            raise DataError(
                f"The ledger does not know the release {manifest}.",
                exists=", ".join(one.folder for one in self.releases) or "no release",
                hint="releases are known by their manifests: one that was changed, or made without this ledger, is not.",
            )
        return entry

    def find(self, sha256: str) -> LedgerEntry | None:
        """Return what is known of the release whose manifest has a sha256; None where nothing is."""
        return next((one for one in reversed(self.releases) if one.manifest == sha256), None)


def _entry(content: Mapping[str, Any]) -> LedgerEntry:
    rows, ids = content.get("rows"), content.get("ids")
    if rows is not None and sorted(rows) != list(range(1, len(rows) + 1)):
        raise ValueError
    return LedgerEntry(
        manifest=str(content.get("manifest")),
        date=str(content.get("date")),
        folder=str(content.get("folder")),
        rows=None if rows is None else tuple(rows),
        ids=None if ids is None else tuple(ids),
        codes=content.get("codes"),
        withheld=Withheld(items=content.get("items", ()), cells=cells_of(content), levels=levels_of(content)),
        data=content.get("data"),
        rules=tuple(content.get("rules") or ()),
        scenario=content.get("scenario"),
    )
