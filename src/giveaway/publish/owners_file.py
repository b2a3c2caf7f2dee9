"""The owner's file: what was drawn for each release, by which alone its codes and its order can be undone.

A release that replaces another has its entry before it has its name, and the entry of the other goes afterwards: at
every moment there is an entry for the release that stands.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from giveaway._version import __version__
from giveaway.errors import NotWritten
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld
from giveaway.publish.release import Drawn, hash_of_data
from giveaway.publish.storage import OWNERS, fill, final_place, kind, make, reported, synced
from giveaway.scratch import held, hidden, token, tokens

KIND = "owner's file"
FORMAT = 1

_PATIENCE = 10.0
"""Seconds to wait for others who write the same file; each needs a moment."""

Entries = list[dict[str, Any]]


def check_key(key: Path | None, folder: Path) -> None:
    """Refuse an owner's file that cannot or must not be written to, before any work is done for it."""
    if key is None:
        return
    path, folder = final_place(key), final_place(folder)
    if folder == path or folder in path.parents or path in folder.parents:
        raise NotWritten(
            f"The owner's file {key} must not lie inside {folder}, nor {folder} inside it.",
            hint="name a file elsewhere.",
        )
    if not path.parent.is_dir():
        raise NotWritten(
            f"{key} cannot be written: its folder does not exist.", hint="make the folder first."
        )
    entries(path)


def add_entry(key: Path | None, run: str, folder: Path, manifest: str, drawn: Drawn) -> None:
    """Enter what a run makes: a release, by its folder and the hash of its manifest."""
    if key is not None:
        place = _place(folder, key)
        _change(key, lambda known: [*known, _entry(run, place, manifest, drawn)])


def run_of(key: Path | None, folder: Path, manifest: str | None) -> str | None:
    """Return the run that made the release in a folder, by the hash of its manifest.

    A release that was copied or moved here keeps its entry: the original may stand where it was made.
    """
    if key is None or manifest is None:
        return None
    return next(
        (
            entry.get("run")
            for entry in entries(final_place(key))
            if _has(entry, "manifest", manifest) and _has(entry, "folder", _place(folder, key))
        ),
        None,
    )


def _place(folder: Path, key: Path) -> str:
    """Say where a release is, seen from the owner's file: the same when both are moved together."""
    return Path(os.path.relpath(folder, final_place(key).parent)).as_posix()


def drop_entry(key: Path | None, run: str | None, *, file_too: bool = False) -> None:
    """Drop the entry of a run, if it is there; with `file_too` a file that has none left goes as well."""
    if key is not None and run is not None and is_owners_file(final_place(key)):
        _change(key, lambda known: [e for e in known if not _has(e, "run", run)], file_too=file_too)


def is_owners_file(path: Path) -> bool:
    """Tell whether an owner's file of this version stands at a path."""
    contents = _contents(path)
    return _is_owners(contents) and contents.get("format") == FORMAT


def _has(entry: object, name: str, value: str) -> bool:
    return isinstance(entry, dict) and entry.get(name) == value


def drawn_before(key: Path | None, manifest: str | None, of: str | None) -> Drawn | None:
    """Return what was drawn for a release, if it was made of the same data and withheld the same."""
    if key is None or manifest is None or of is None:
        return None
    for entry in entries(final_place(key)):
        if _has(entry, "manifest", manifest) and _has(entry, "of", of):
            codes, rows = entry.get("codes"), entry.get("rows")
            return Drawn(
                codes=None if codes is None else {label: code for code, label in codes.items()},
                order=None if rows is None else np.array(rows, np.int64) - 1,
                of=of,
            )
    return None


def withheld_before(key: Path | None, release: Release) -> list[Withheld]:
    """Return what was withheld from the same data in earlier releases, the latest first."""
    data = hash_of_data(release)
    if key is None or data is None:
        return []
    known = reversed(entries(final_place(key)))
    return [Withheld(cells=cells_of(one), levels=levels_of(one)) for one in known if _has(one, "data", data)]


def cells_of(entry: Mapping[str, Any]) -> Cells:
    """Return the entries that a release withheld."""
    blanks = entry.get("blanks", {})
    return Cells.at({name: np.array(rows, np.int64) - 1 for name, rows in blanks.items()})


def levels_of(entry: Mapping[str, Any]) -> Levels:
    """Return the entries that a release gave as coarser labels."""
    return Levels.at(
        {
            name: (np.array(rows, np.int64) - 1, np.array(levels, np.int64))
            for name, (rows, levels) in entry.get("coarser", {}).items()
        }
    )


def _entry(run: str, folder: str, manifest: str, drawn: Drawn) -> dict[str, Any]:
    cells, levels = drawn.withheld.cells, drawn.withheld.levels
    codes = None if drawn.codes is None else {code: _label(label) for label, code in drawn.codes.items()}
    return {
        "manifest": manifest,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "giveaway": __version__,
        "run": run,
        "folder": folder,
        "of": drawn.of,
        "codes": codes,
        "rows": None if drawn.order is None else (drawn.order + 1).tolist(),
        "ids": None if drawn.ids is None else _ids(drawn.ids, drawn.order),
        "items": [_label(item) for item in drawn.withheld.items],
        "rules": [str(rule) for rule in drawn.withheld.rules],
        "data": drawn.data,
        "blanks": {name: (cells.positions(name) + 1).tolist() for name in cells.columns},
        "coarser": {
            name: [(part + at).tolist() for part, at in zip(levels.of(name), (1, 0), strict=True)]
            for name in levels.columns
        },
        "scenario": drawn.scenario and dict(drawn.scenario),
    }


def _ids(ids: Sequence[Label], order: Ints | None) -> list[object]:
    """Return the identifier of each row of a release, in its order."""
    return [_label(ids[row]) for row in (range(len(ids)) if order is None else order.tolist())]


def _label(label: object) -> object:
    return label if isinstance(label, str | int | float) else str(label)


def _change(key: Path, change: Callable[[Entries], Entries], *, file_too: bool = False) -> None:
    """Change the entries; those that another run makes meanwhile are not lost."""
    path = final_place(key)
    with reported(path), _turn(path):
        for left, _ in tokens(path.parent, hidden(path, "").name):
            left.unlink(missing_ok=True)
        before = entries(path)
        after = change(before)
        if len(after) == len(before):
            return
        if after or not file_too:
            _replace(path, after)
        else:
            path.unlink()
        synced(path.parent)


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Wait until nobody else writes in the folder of an owner's file."""
    started = time.monotonic()
    while True:
        with held(path.parent) as is_ours:
            if is_ours is not False:
                yield
                return
        if time.monotonic() - started > _PATIENCE:
            raise NotWritten(
                f"{path} is being written by another run.", hint="run again when that has ended."
            )
        time.sleep(0.01)


def _contents(path: Path) -> Any:
    """Return what a JSON file holds, None for anything else."""
    if not path.is_file():
        return None
    with reported(path):
        raw = path.read_bytes()
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _is_owners(contents: Any) -> bool:
    return (
        isinstance(contents, dict)
        and contents.get("giveaway") == KIND
        and isinstance(contents.get("releases"), list)
    )


def entries(path: Path) -> Entries:
    """Return the releases that an owner's file knows, none if there is no such file; refuse any other file."""
    if kind(path) is None:
        return []
    contents = _contents(path)
    if not _is_owners(contents):
        raise NotWritten(
            f"{path} exists, is not an owner's file of giveaway, and was left alone.",
            hint="name another file; an owner's file gets one more entry.",
        )
    if contents.get("format") != FORMAT:
        raise NotWritten(
            f"{path} is an owner's file of another version of giveaway, and was left alone.",
            hint="name another file.",
        )
    known: Entries = contents["releases"]
    return known


def _replace(path: Path, known: Entries) -> None:
    """Write a file that only its owner may read, all at once."""
    text = json.dumps({"giveaway": KIND, "format": FORMAT, "releases": known}, ensure_ascii=False)
    beside = hidden(path, token())
    try:
        make(beside, OWNERS)
        fill(beside, text + "\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
