"""Who opens a file of a folder: noticed by the audit hook of Python, and by the system for what Python does not see."""

import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_FOLDER, _LOG = "GIVEAWAY_TEST_WATCHED", "GIVEAWAY_TEST_NOTICED"
_EVENTS = ("open", "os.listdir", "os.scandir")
_OPENED = 0x20
"""IN_OPEN of inotify."""


def main(connection: Any, folders: Sequence[Path]) -> None:
    """Work as the worker of the page does, watched."""
    from giveaway.page import worker

    _watch()
    worker.main(connection, folders)


def _watch() -> None:
    log = os.open(os.environ[_LOG], os.O_WRONLY | os.O_APPEND)
    folder = os.environ[_FOLDER]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _EVENTS and isinstance(arguments[0], str | bytes | os.PathLike):
            path = os.fsdecode(arguments[0])
            if "\0" not in path and f"{os.path.realpath(path)}/".startswith(f"{folder}/"):
                os.write(log, f"{event} {path}\n".encode("utf-8", "backslashreplace"))

    sys.addaudithook(hook)


@contextmanager
def watched(folder: Path, log: Path, monkeypatch: Any) -> Iterator[list[str]]:
    """Watch a folder in this process and in workers that start; what was opened there is told at the end."""
    from giveaway.page import worker

    log.touch()
    monkeypatch.setenv(_FOLDER, str(folder))
    monkeypatch.setenv(_LOG, str(log))
    monkeypatch.setattr(worker, "main", main)
    system = _of_system(folder)
    _watch()
    noticed: list[str] = []
    yield noticed
    noticed += log.read_text().splitlines()
    if system is not None:
        with suppress(BlockingIOError):
            noticed.append(f"the system noticed {os.read(system, 4096)!r}")
        os.close(system)


def _of_system(folder: Path) -> int | None:
    """Have the system tell of every file that any process opens there; None where it cannot."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    handle = int(library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    for place in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        assert library.inotify_add_watch(handle, os.fsencode(place), _OPENED) >= 0
    return handle
