"""Released files or tables and their manifest, all at once or not at all."""

import csv
import gzip
import json
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Generic, NamedTuple, TypeVar

from giveaway.errors import CheckFailed, NotWritten
from giveaway.model.data.origin import Destination, StoredTable
from giveaway.publish.manifest import MANIFEST, hashed, read_manifest
from giveaway.publish.owners_file import check_key
from giveaway.publish.release import Drawn
from giveaway.publish.storage import Text, already, final_place, kind, reported, synced
from giveaway.publish.swap import begin, claimed
from giveaway.scratch import undisturbed


@dataclass(frozen=True, kw_only=True)
class WrittenFile:
    """A released file as the manifest names it."""

    file: str
    sha256: str
    rows: int
    formulas: int = 0
    """Cells that a spreadsheet would run."""

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
W = TypeVar("W")


@dataclass(frozen=True, kw_only=True)
class Report:
    """A report that is written with a release: where, for whom, and how it is drawn of what was written."""

    path: Path
    mode: int
    render: Callable[[Any], str]
    """Draws it, given what was written, or None."""
    replaces: bool = False
    """Whether a file that stands there may be replaced."""

    def text(self, written: Any) -> Text:
        """Draw it."""
        return Text(path=self.path, text=self.render(written), mode=self.mode, replaces=self.replaces)


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
    reports: Sequence[Report] = (),
    separator: str = ",",
) -> Written:
    """Write, read back, judge, and only then give the folder its name.

    `write` returns the main file, or the folder of its parts. `judge` reads it and what is next to it, returns the
    number of rows of each file, and raises `CheckFailed` if the promise does not hold. With `into` the files become a
    table, which is read back and judged too before it is committed; the folder then holds the manifest alone. `key` is
    the owner's file, which gets what was `drawn` before the folder gets its name. The `reports` stand if the release
    does. `separator` stands between the cells of a delimited file.
    """

    def fill(place: Path) -> _Made[Written]:
        main = write(place)
        written: Written = _judged(place, lambda: judge(main), separator)
        if into is not None:
            written = _loaded(into, main, judge)
        sha256 = _write_manifest(place, manifest, written)
        return _Made(written, sha256, {"": (sha256, drawn)})

    return _all_or_nothing(folder, fill, into=into, force=force, key=key, reports=reports)


@dataclass(frozen=True, kw_only=True)
class RecipientPart:
    """The release for one of several recipients, as `publish` takes it; `judge` is given the main files of all of them."""

    write: Callable[[Path], Path]
    judge: Callable[[Mapping[str, Path]], Mapping[str, int]]
    manifest: Mapping[str, Any]
    drawn: Drawn
    separator: str = ","


def publish_several(
    folder: Path,
    parts: Mapping[str, RecipientPart],
    *,
    manifest: Mapping[str, Any],
    force: bool = False,
    key: Path | None = None,
    reports: "Sequence[Report]" = (),
) -> Mapping[str, Written]:
    """Write releases for several recipients, each into a folder of its own inside of one, all of them or none.

    All are written before the first is judged, because each is judged together with the others. The manifest of the whole
    lists the files of all of them, also their manifests.
    """

    def fill(place: Path) -> _Made[Mapping[str, Written]]:
        mains = {}
        for name, part in parts.items():
            (place / name).mkdir()
            mains[name] = part.write(place / name)
        written: dict[str, Written] = {}
        entries, files = {}, list[WrittenFile]()
        for name, part in parts.items():
            own = _judged(place / name, partial(part.judge, mains), part.separator)
            sha256 = _write_manifest(place / name, part.manifest, own)
            written[name], entries[name] = own, (sha256, part.drawn)
            files += [replace(one, file=f"{name}/{one.file}") for one in own]
            files.append(WrittenFile(file=f"{name}/{MANIFEST}", sha256=sha256, rows=0))
        return _Made(written, _write_manifest(place, manifest, tuple(files)), entries)

    return _all_or_nothing(folder, fill, into=None, force=force, key=key, reports=reports)


class _Made(NamedTuple, Generic[W]):
    """What was written to the place of a folder: as reports tell it, the hash of its manifest, and what the owner keeps."""

    written: W
    manifest: str
    entries: Mapping[str, tuple[str, Drawn]]
    """For each release, by its folder inside, the hash of its manifest and what was drawn for it."""


def _all_or_nothing(
    folder: Path,
    fill: Callable[[Path], _Made[W]],
    *,
    into: Destination | None,
    force: bool,
    key: Path | None,
    reports: "Sequence[Report]",
) -> W:
    """Fill a folder under a temporary name, and only then give it its name, with its reports and what the owner keeps."""
    folder = final_place(folder)
    check_target(folder, force=force)
    check_key(key, folder)
    with reported(folder), _parents(folder.parent), claimed(folder, into) as handle:
        check_target(folder, force=force)
        finals = [final_place(report.path) for report in reports]
        for final, report in zip(finals, reports, strict=True):
            if final.exists() and not report.replaces:
                raise already(final)
        swap = None
        try:
            with undisturbed():  # else a signal may come between the journal and our knowing of it
                swap = begin(folder, handle, key=key and final_place(key), reports=finals)
            with ExitStack() as to_the_end, into or nullcontext():
                filled = fill(swap.place)
                for final, report in zip(finals, reports, strict=True):
                    swap.stage(final, report.text(filled.written))
                _check_unchanged(swap.place, filled.manifest)
                to_the_end.enter_context(undisturbed())
                swap = swap.ready(filled.manifest, None if into is None else into.whereabouts)
                swap.enter(filled.entries)
                swap.move_reports()
                if into is not None:
                    into.commit()
                swap.move_folder(foreign_to_release)
        finally:
            # What cannot be tidied up now is found in the journal by the next run.
            with undisturbed(), suppress(OSError, NotWritten):
                if swap is not None:
                    swap.settle()
    return filled.written


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
    content: dict[str, Any] = {**manifest, "files": files}
    for table in tables:
        content["table"] = {"address": table.address, "name": table.file, "rows": table.rows}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (place / MANIFEST).write_text(text + "\n", encoding="utf-8")
    synced(place / MANIFEST)
    synced(place)
    return hashed(place / MANIFEST)


def _judged(place: Path, judge: Callable[[], Mapping[str, int]], separator: str) -> tuple[WrittenFile, ...]:
    """Judge what was written, and list it as it was before: what changes meanwhile was not judged."""
    files = [path for path in place.rglob("*") if path.is_symlink() or not path.is_dir()]
    linked = next((path for path in files if path.is_symlink() or not path.is_file()), None)
    if linked is not None:
        raise CheckFailed(f"{linked.name} is a link, not a file.", hint="do not release it.")
    before = {path.relative_to(place).as_posix(): hashed(path) for path in files}
    written = _written(place, judge(), separator)
    changed = next((one.file for one in written if before.get(one.file) != one.sha256), None)
    if changed is not None:
        raise CheckFailed(f"{changed} was changed while it was judged.", hint="do not release it.")
    return written


def _check_unchanged(place: Path, manifest: str) -> None:
    """Refuse files that are no longer those that were judged, once nothing more is written to them."""
    foreign = foreign_to_release(place)
    if foreign is not None or hashed(place / MANIFEST) != manifest:
        raise CheckFailed(
            f"What was judged has changed: the new release {foreign or 'has another manifest'}.",
            hint="do not release it.",
        )


def _written(place: Path, rows: Mapping[str, int], separator: str) -> tuple[WrittenFile, ...]:
    """List what was written and judged, in the order of the judge."""
    there = {path.relative_to(place).as_posix() for path in place.rglob("*") if not path.is_dir()}
    unjudged = there - rows.keys()
    if unjudged:
        raise CheckFailed(f"{min(unjudged)} was written, but not judged.", hint="do not release it.")
    for name in rows:
        synced(place / name)
        synced((place / name).parent)
    return tuple(
        WrittenFile(
            file=name, sha256=hashed(place / name), rows=count, formulas=formulas(place / name, separator)
        )
        for name, count in rows.items()
    )


def check_target(folder: Path, *, force: bool) -> None:
    """Refuse a folder that cannot or must not be written to, before any work is done for it."""
    if not folder.name:
        raise NotWritten(f"{folder} is the root of everything.", hint="name another folder.")
    for above in folder.parents:
        if kind(above) not in (None, stat.S_IFDIR):
            raise NotWritten(f"{folder} cannot be made: {above} is a file.", hint="name another folder.")
    if kind(folder) is None:
        return
    if not folder.is_dir():
        raise NotWritten(f"{folder} is a file, not a folder.", hint="name another folder.")
    with reported(folder):
        empty = not any(folder.iterdir())
    if empty:
        return
    if not force:
        raise NotWritten(
            f"{folder} is not empty and was left alone.", hint="another folder, or --force to replace it."
        )
    foreign = foreign_to_release(folder)
    if foreign is not None:
        raise NotWritten(
            f"{folder} {foreign}, and was left alone.",
            hint="--force replaces a release only; name another folder.",
        )


def foreign_to_release(folder: Path) -> str | None:
    """Say what shows that a folder is not a release, whole and alone, by the manifest in it; None when it is one."""
    with reported(folder):
        paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
        files = {name: path for name, path in paths.items() if path.is_symlink() or not path.is_dir()}
        listed = _listed(folder / MANIFEST)
        if listed is None:
            return f"holds files that are not a release, such as {min(paths)}"
        others = files.keys() - listed.keys() - {MANIFEST}
        folders = {parent.as_posix() for name in listed for parent in PurePosixPath(name).parents}
        others |= paths.keys() - files.keys() - folders
        if others:
            return f"holds files that are not part of the release, such as {min(others)}"
        if listed.keys() - files.keys():
            return f"holds a release without its {min(listed.keys() - files.keys())}"
        changed = [
            name
            for name, sha256 in listed.items()
            if not files[name].is_file() or hashed(files[name]) != sha256
        ]
        return f"holds a release of which {changed[0]} was changed" if changed else None


def _listed(manifest: Path) -> dict[str, str] | None:
    """Return the files that a manifest lists, with their hashes; None if this is not a manifest of giveaway."""
    read = read_manifest(manifest)
    return None if read is None else {part["file"]: part["sha256"] for part in read.content["files"]}


@contextmanager
def _parents(parent: Path) -> Iterator[None]:
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


_DELIMITED = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_RUN = re.compile(r"[=@\t\r]|[+-](?!\Z|[.,]*[0-9][0-9.,]*([eE][+-]?[0-9]+)?\Z)")


def formulas(path: Path, separator: str = ",") -> int:
    """Count the cells of a delimited file that a spreadsheet would run; other files have none.

    These begin with = + - @, a tab or a carriage return, and are neither a number nor a sign alone.
    """
    if not path.name.lower().endswith(_DELIMITED):
        return 0
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    csv.field_size_limit(sys.maxsize)
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        cells = chain.from_iterable(csv.reader(file, delimiter=separator))
        return sum(cell[:1] in "=+-@\t\r" and _RUN.match(cell) is not None for cell in cells)
