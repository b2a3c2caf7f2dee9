"""The owner's file: what was drawn for each release, by which alone its codes and its order can be undone."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from giveaway._version import __version__
from giveaway.errors import NotWritten
from giveaway.publish.release import Drawn
from giveaway.publish.storage import reported, synced

KIND = "owner's file"
FORMAT = 1


def check_key(key: Path | None, folder: Path) -> None:
    """Refuse an owner's file that cannot or must not be written to, before any work is done for it."""
    if key is None:
        return
    path, folder = key.resolve(), folder.resolve()
    if folder == path or folder in path.parents:
        raise NotWritten(f"The owner's file must not lie inside {folder}.", hint="name a file elsewhere.")
    if not path.parent.is_dir():
        raise NotWritten(
            f"{key} cannot be written: its folder does not exist.", hint="make the folder first."
        )
    _releases(path)


@contextmanager
def recorded(key: Path | None, manifest: str, drawn: Drawn) -> Iterator[None]:
    """Enter a release, by the hash of its manifest, into the owner's file; undo that if the release fails."""
    if key is None:
        yield
        return
    path = key.resolve()
    with reported(path):
        before = path.read_bytes() if path.exists() else None
        _replace(path, _text([*_releases(path), _entry(manifest, drawn)]).encode())
    try:
        yield
    except BaseException:
        with reported(path):
            path.unlink() if before is None else _replace(path, before)
        raise


def _entry(manifest: str, drawn: Drawn) -> dict[str, Any]:
    codes = None if drawn.codes is None else {code: _label(label) for label, code in drawn.codes.items()}
    return {
        "manifest": manifest,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "giveaway": __version__,
        "codes": codes,
        "rows": None if drawn.order is None else (drawn.order + 1).tolist(),
    }


def _label(label: object) -> object:
    return label if isinstance(label, str | int | float) else str(label)


def _text(releases: list[dict[str, Any]]) -> str:
    held = {"giveaway": KIND, "format": FORMAT, "releases": releases}
    return json.dumps(held, ensure_ascii=False) + "\n"


def _releases(path: Path) -> list[dict[str, Any]]:
    """Return the releases that an owner's file knows, none if there is no such file; refuse any other file."""
    if not path.exists():
        return []
    held: Any = None
    if path.is_file():
        with reported(path):
            raw = path.read_bytes()
        try:
            held = json.loads(raw)
        except (ValueError, RecursionError):
            held = None
    if (
        not isinstance(held, dict)
        or held.get("giveaway") != KIND
        or not isinstance(held.get("releases"), list)
    ):
        raise NotWritten(
            f"{path} exists, is not an owner's file of giveaway, and was left alone.",
            hint="name another file; an owner's file gets one more entry.",
        )
    if held.get("format") != FORMAT:
        raise NotWritten(
            f"{path} is an owner's file of another version of giveaway, and was left alone.",
            hint="name another file.",
        )
    releases: list[dict[str, Any]] = held["releases"]
    return releases


def _replace(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, all at once."""
    beside = path.with_name(f".{path.name}.giveaway-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    synced(path.parent)
