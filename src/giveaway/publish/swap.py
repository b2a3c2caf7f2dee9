"""A release and its reports get their names together; a journal lets the next run finish or undo what a kill cut short.

The folder moves last: once it has its name, the rest is finished, and before that it is undone. The journal is the
content of the lock next to the folder: one line when temporary names are taken, another when everything is on the disk
and the moving begins.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from giveaway.errors import NotWritten
from giveaway.model.data.origin import Destination
from giveaway.publish.manifest import MANIFEST, hashed
from giveaway.publish.owners_file import add_entry, drop_entry, run_of
from giveaway.publish.release import Drawn
from giveaway.publish.storage import Text, fill, give_name, given_name, identity, make, synced, taken_back
from giveaway.scratch import hidden, is_token, locked, sweep_beside, token, tokens


@dataclass(frozen=True, kw_only=True)
class Journal:
    """What a run took in hand."""

    token: str
    """The part of its temporary names that no other run has."""
    folder: str = ""
    """Where the release goes: in a copy of a folder the journal speaks of the original."""
    reports: tuple[tuple[str, bool], ...] = ()
    """Where the reports go, and whether a file stood there."""
    staged: tuple[str, ...] = ()
    """The hashes of the finished reports, from when everything is on the disk."""
    key: str | None = None
    key_is_new: bool = False
    stood: bool = False
    """Whether a release stood there."""
    replaces: str | None = None
    """The run whose entry in the owner's file goes with the release that stood there."""
    manifest: str | None = None
    """The hash of the new manifest, from when everything is on the disk."""
    undone: bool = False
    """Whether only tidying up is left."""
    table: tuple[str, str] | None = None
    """Address and name of the table that the release becomes."""


@dataclass(frozen=True)
class Swap:
    """A folder, its lock, and the journal in it."""

    folder: Path
    handle: int
    journal: Journal

    @property
    def place(self) -> Path:
        """The folder that is to get the name, of its final mode inside one that only its owner can enter."""
        return self._room / self.folder.name

    def stage(self, final: Path, report: Text) -> None:
        """Write a report under a temporary name."""
        staged = self._beside(final, "new")
        make(staged, report.mode)
        fill(staged, report.text)

    def ready(self, manifest: str, table: tuple[str, str] | None) -> "Swap":
        """Note that everything is on the disk, and that the moving begins."""
        journal = replace(
            self.journal,
            staged=tuple(hashed(self._beside(final, "new")) for final, _ in self._reports),
            manifest=manifest,
            table=table,
        )
        return self._noted(journal)

    def enter(self, entries: Mapping[str, tuple[str, Drawn]]) -> None:
        """Give the owner's file the entry of each new release, by its folder inside, next to those of the old ones."""
        for inside, (manifest, drawn) in entries.items():
            add_entry(self._key, self.journal.token, self.folder / inside, manifest, drawn)

    def move_reports(self) -> None:
        """Give the reports their names; what stood there makes way."""
        for final, stood in self._reports:
            if stood:
                final.rename(self._beside(final, "old"))
            give_name(self._beside(final, "new"), final, replaces=False)

    def move_folder(self, foreign: Callable[[Path], str | None]) -> None:
        """Give the folder its name; an old release makes way, unless something `foreign` has come into it meanwhile.

        An empty folder is replaced as it is; the system refuses one into which something has come.
        """
        old = self._beside(self.folder, "old")
        if self.journal.stood and not old.exists():
            self.folder.rename(old)
            reason = foreign(old)
            if reason is not None:
                old.rename(self.folder)
                raise NotWritten(f"{self.folder} {reason} since the run began, and was left alone.")
        self.place.rename(self.folder)
        given_name(self.folder)

    def settle(self) -> None:
        """Finish what has its name, undo what has not, and close the journal."""
        if self.stands:
            self._finish()
        elif not self.journal.undone:
            self._undo()
        _remove(self._room)
        os.ftruncate(self.handle, 0)

    @property
    def stands(self) -> bool:
        """Whether the finished folder has its name: it is no longer where it was made."""
        return self._is_done(self.folder) and not self.journal.undone and not self.place.exists()

    @property
    def could_stand(self) -> bool:
        """Whether only the name of the finished folder is missing."""
        return self._is_done(self.place) and not self.journal.undone

    def _is_done(self, folder: Path) -> bool:
        return self.journal.manifest is not None and manifest_hash(folder) == self.journal.manifest

    def _finish(self) -> None:
        synced(self.folder.parent)
        drop_entry(self._key, self.journal.replaces)
        for final, _ in self._reports:
            self._beside(final, "old").unlink(missing_ok=True)
        _remove(self._beside(self.folder, "old"))

    def _undo(self) -> None:
        old = self._beside(self.folder, "old")
        if old.exists() and not self.folder.exists():
            old.rename(self.folder)
        for (final, _), ours in zip_longest(self._reports, self.journal.staged):
            aside = self._beside(final, "old")
            if ours is not None and self._was_moved(final) and final.is_file() and hashed(final) == ours:
                taken_back(final)
                final.unlink()
            if aside.exists() and not final.exists():
                aside.rename(final)
            self._beside(final, "new").unlink(missing_ok=True)
        if self.journal.manifest is not None:
            drop_entry(self._key, self.journal.token, file_too=self.journal.key_is_new)
        self._noted(replace(self.journal, undone=True))

    def _was_moved(self, final: Path) -> bool:
        """Tell whether a report got its name: under its temporary name there is nothing, or the same file."""
        staged = identity(self._beside(final, "new"))
        return staged is None or staged == identity(final)

    @property
    def _room(self) -> Path:
        return self._beside(self.folder, "new")

    @property
    def _key(self) -> Path | None:
        return None if self.journal.key is None or self._is_copy else Path(self.journal.key)

    @property
    def _is_copy(self) -> bool:
        """Whether the journal was copied with its folder: key and reports are those of the original."""
        return self.journal.folder != str(self.folder)

    @property
    def _reports(self) -> list[tuple[Path, bool]]:
        return [] if self._is_copy else [(Path(final), stood) for final, stood in self.journal.reports]

    def _beside(self, path: Path, which: str) -> Path:
        return hidden(path, f"{self.journal.token}-{which}")

    def _noted(self, journal: Journal) -> "Swap":
        line = json.dumps(asdict(journal)).encode() + b"\n"
        os.lseek(self.handle, 0, os.SEEK_END)
        os.write(self.handle, line)
        os.fsync(self.handle)
        return replace(self, journal=journal)


@contextmanager
def claimed(folder: Path, table: Destination | None = None) -> Iterator[int]:
    """Keep other runs from publishing into a folder; finish or undo first what a killed run left there."""
    with locked(_lock(folder)) as handle:
        if handle is None:
            raise NotWritten(
                f"Another run is publishing into {folder}, which was left to it.",
                hint="wait for it, or name another folder.",
            )
        if hasattr(os, "getuid") and os.fstat(handle).st_uid != os.getuid():
            raise NotWritten(  # what it says of files to be removed is not to be believed
                f"{_lock(folder)} belongs to somebody else.", hint="name another folder."
            )
        _recover(folder, handle, table)
        yield handle


def recover(folder: Path, table: Destination | None = None) -> bool:
    """Finish or undo what a killed run left of a release; tell whether there was anything to do.

    `table` is the table that this run makes: whether an earlier run made it can be found out only there.
    """
    if not _lock(folder).exists():
        return False
    with claimed(folder, table):
        return True


def begin(folder: Path, handle: int, *, key: Path | None = None, reports: Sequence[Path] = ()) -> Swap:
    """Take temporary names for a new release in a folder that is claimed, and make a place for it to be written."""
    journal = Journal(
        token=token(),
        folder=str(folder),
        key=None if key is None else str(key),
        key_is_new=key is not None and not key.exists(),
        stood=(folder / MANIFEST).exists(),
        replaces=_run_before(key, folder),
        reports=tuple((str(path), path.exists()) for path in reports),
    )
    swap = Swap(folder, handle, journal)._noted(journal)  # noqa: SLF001 # its own
    swap.place.parent.mkdir(mode=0o700)
    swap.place.mkdir()
    if folder.exists():
        swap.place.chmod(folder.stat().st_mode & 0o7777 | 0o700)  # it is yet to be filled
    for path in reports:
        sweep_beside(path)
    return swap


def _run_before(key: Path | None, folder: Path) -> str | None:
    """Return the run that made the release in a folder, or those for several recipients inside of it."""
    inside = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    runs = (run_of(key, place, manifest_hash(place)) for place in (folder, *inside))
    return next((run for run in runs if run is not None), None)


def manifest_hash(folder: Path) -> str | None:
    """Return the hash of the manifest in a folder, None without one."""
    file = folder / MANIFEST
    return hashed(file) if file.is_file() else None


def _lock(folder: Path) -> Path:
    return hidden(folder, "lock")


def _recover(folder: Path, handle: int, table: Destination | None) -> None:
    journal = _read(handle)
    if journal is not None:
        swap = Swap(folder, handle, journal)
        if journal.table is not None and not swap.stands and swap.could_stand:
            _settle_table(swap, journal.table, table)
        swap.settle()
    os.ftruncate(handle, 0)
    for which in ("new", "old"):  # of runs whose journal was lost with the machine
        for left, _ in tokens(folder.parent, hidden(folder, "").name, f"-{which}"):
            if which == "old" and not folder.exists():
                left.rename(folder)
            else:
                _remove(left)


def _settle_table(swap: Swap, whereabouts: tuple[str, str], table: Destination | None) -> None:
    """Give the manifest its name if the table that it describes was made before the run was killed."""
    address, name = whereabouts
    if table is None or table.whereabouts != whereabouts:
        raise NotWritten(
            f"An earlier run into {swap.folder} was killed while it made the table {name} at {address}, "
            "and only there can be seen whether the table exists.",
            hint=f"run again with --to {address} --table {name}: that finishes or undoes it first.",
        )
    if table.stands():
        swap.move_folder(lambda _: None)


def _read(handle: int) -> Journal | None:
    """Return the last line of a journal that was written whole, by giveaway."""
    raw = b""
    os.lseek(handle, 0, os.SEEK_SET)
    while part := os.read(handle, 1 << 16):
        raw += part
    for line in reversed(raw.split(b"\n")[:-1]):
        try:
            values: dict[str, Any] = json.loads(line)
            journal = Journal(**{name: _frozen(value) for name, value in values.items()})
        except (ValueError, TypeError, AttributeError):
            continue
        if is_token(journal.token):
            return journal
    return None


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _remove(folder: Path) -> None:
    """Remove a folder of ours, also one that was made read-only since."""
    if not folder.exists():
        return
    try:
        shutil.rmtree(folder)
    except PermissionError:
        _make_writable(folder)
        shutil.rmtree(folder)


def _make_writable(folder: Path) -> None:
    folder.chmod(0o700)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            _make_writable(path)
