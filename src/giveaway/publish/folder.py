"""Released files or tables and their manifest, all at once or not at all."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from giveaway.errors import CheckFailed, NotWritten
from giveaway.model.origin import StoredTable
from giveaway.publish.owners_file import check_key, recorded
from giveaway.publish.release import Drawn
from giveaway.publish.storage import reported, synced

_OURS = re.compile(r"release\.[a-z.]+|(rules|statements|distribution)\.csv|manifest\.json|.*\.html")
_PART = re.compile(r"part-\d+\.parquet")


@dataclass(frozen=True, kw_only=True)
class WrittenFile:
    """A released file as the manifest names it."""

    file: str
    sha256: str
    rows: int

    def within(self, folder: str | Path) -> str:
        """Say where it is when its release lies in a folder."""
        return str(Path(folder) / self.file)


@dataclass(frozen=True, kw_only=True)
class WrittenTable:
    """The table that a release became; `file` is its name, as that of a file elsewhere."""

    file: str
    address: str
    rows: int
    sha256: None = None

    def within(self, folder: str | Path) -> str:  # noqa: ARG002 # as files
        """Say where it is, which is not in the folder."""
        return f"the table {self.file} at {self.address}"


Written = tuple[WrittenFile, ...] | tuple[WrittenTable]


class Destination(Protocol):
    """Where a release becomes a new table; used as a context, it undoes everything unless the whole body succeeds."""

    def load(self, release: Path) -> StoredTable:
        """Make the table out of written files, for the eyes of this connection only."""
        ...

    def commit(self) -> None:
        """Give the table its name, for everybody."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *failure: object) -> None: ...


def publish(
    folder: Path,
    *,
    write: Callable[[Path], Path],
    judge: Callable[[Path | StoredTable], Mapping[str, int]],
    manifest: Mapping[str, Any],
    drawn: Drawn,
    into: Destination | None = None,
    force: bool = False,
    key: Path | None = None,
) -> Written:
    """Write, read back, judge, and only then give the folder its name.

    `write` returns the main file, or the folder of its parts. `judge` reads it and what stands beside it, returns the
    number of rows of each file, and raises `CheckFailed` if the promise does not hold. With `into` the files become a
    table, which is read back and judged too before it is committed; the folder then holds the manifest alone. `key` is
    the owner's file, which gets what was `drawn` before the folder gets its name.
    """
    folder = folder.resolve()
    check_target(folder, force=force)
    check_key(key, folder)
    with reported(folder), _made(folder.parent), _place(folder) as place:
        with into or nullcontext():
            main = write(place)
            written: Written = _written(place, judge(main))
            if into is not None:
                written = _loaded(into, main, judge)
            told = _write_manifest(place, manifest, written)
            with recorded(key, told, drawn):
                if into is not None:
                    into.commit()
                _swap(place, folder)
        synced(folder.parent)
    return written


def _loaded(
    into: Destination, main: Path, judge: Callable[[StoredTable], Mapping[str, int]]
) -> tuple[WrittenTable]:
    """Make the written files a table, judge it, and remove the files."""
    table = into.load(main)
    rows = sum(judge(table).values())
    for path in main.parent.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return (WrittenTable(file=table.name, address=table.address, rows=rows),)


def _write_manifest(place: Path, manifest: Mapping[str, Any], written: Written) -> str:
    """Write the manifest and return its hash."""
    files = [asdict(part) for part in written if isinstance(part, WrittenFile)]
    tables = [part for part in written if isinstance(part, WrittenTable)]
    told: dict[str, Any] = {**manifest, "files": files}
    for table in tables:
        told["table"] = {"address": table.address, "name": table.file, "rows": table.rows}
    text = json.dumps(told, indent=1, ensure_ascii=False)
    (place / "manifest.json").write_text(text + "\n", encoding="utf-8")
    synced(place / "manifest.json")
    synced(place)
    return _sha256(place / "manifest.json")


def _written(place: Path, rows: Mapping[str, int]) -> tuple[WrittenFile, ...]:
    """List what was written and judged, in the order of the judge."""
    found = {path.relative_to(place).as_posix() for path in place.rglob("*") if not path.is_dir()}
    unjudged = found - rows.keys()
    if unjudged:
        raise CheckFailed(f"{min(unjudged)} was written, but not judged.", hint="do not release it.")
    for name in rows:
        synced(place / name)
        synced((place / name).parent)
    return tuple(
        WrittenFile(file=name, sha256=_sha256(place / name), rows=count) for name, count in rows.items()
    )


def check_target(folder: Path, *, force: bool) -> None:
    """Refuse a folder that cannot or must not be written to, before any work is done for it."""
    for above in folder.parents:
        if above.exists() and not above.is_dir():
            raise NotWritten(f"{folder} cannot be made: {above} is a file.", hint="name another folder.")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise NotWritten(f"{folder} is a file, not a folder.", hint="name another folder.")
    inside = sorted(folder.iterdir())
    if inside and not force:
        raise NotWritten(
            f"{folder} is not empty and was left alone.", hint="another folder, or --force to replace it."
        )
    foreign = [path.name for path in inside if not _is_ours(path)]
    if foreign:
        raise NotWritten(
            f"{folder} holds files that are no release, such as {foreign[0]}, and was left alone.",
            hint="--force replaces a release only; name another folder.",
        )


def _is_ours(path: Path) -> bool:
    """Tell whether a release could have left this."""
    if path.is_dir():
        return path.name == "release" and all(_PART.fullmatch(part.name) for part in path.iterdir())
    return _OURS.fullmatch(path.name) is not None


def write_text(path: str | Path | None, text: str) -> str:
    """Write a text file all at once when a path is given, and return the text."""
    if path is None:
        return text
    path = Path(path)
    beside = path.with_name(f".{path.name}.giveaway-{os.getpid()}")
    with reported(path):
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    return text


@contextmanager
def _made(parent: Path) -> Iterator[None]:
    """Make the folders above a release, and remove them again if the release fails."""
    missing = [path for path in (parent, *parent.parents) if not path.exists()]
    try:
        parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for path in missing:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
        raise


@contextmanager
def _place(folder: Path) -> Iterator[Path]:
    """Give a temporary folder beside the final one, gone afterwards whatever happens."""
    _sweep(folder)
    place = folder.with_name(f".{folder.name}.giveaway-{os.getpid()}-new")
    try:
        place.mkdir()
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove what crashed runs left beside a folder; give back a release whose replacement crashed."""
    pattern = re.compile(rf"\.{re.escape(folder.name)}\.giveaway-(\d+)-(new|old)")
    for path in list(folder.parent.iterdir()):
        match = pattern.fullmatch(path.name)
        if match is None or _alive(int(match[1])):
            continue
        if match[2] == "old" and not folder.exists():
            path.rename(folder)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _alive(process: int) -> bool:
    if process == os.getpid():
        return False
    if os.name == "nt":  # there, asking for a process by signal would stop it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _swap(place: Path, folder: Path) -> None:
    """Give the finished folder its name; an old release makes way and is removed last."""
    old = folder.with_name(f".{folder.name}.giveaway-{os.getpid()}-old")
    replaces = folder.exists()
    if replaces:
        folder.rename(old)
    try:
        place.rename(folder)
    except OSError:
        if replaces:
            old.rename(folder)
        raise
    if replaces:
        shutil.rmtree(old, ignore_errors=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
