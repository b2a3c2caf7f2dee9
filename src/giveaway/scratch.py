"""Temporary files and folders, each locked as long as its process lives: what a killed run left is known and removed."""

import errno
import hashlib
import os
import re
import secrets
import shutil
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_HAS_LOCKS = find_spec("fcntl") is not None
"""Windows has no such locks: there, nothing is taken for a leftover."""
_SCRATCH = ".giveaway-scratch-"
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")
_LONGEST = 100
_TOKEN = re.compile(r"[0-9a-f]{16}")


def token() -> str:
    """Draw the part of a temporary name that no other run has."""
    return secrets.token_hex(8)


def is_token(text: object) -> bool:
    """Tell whether a text could have been drawn so; one that was made up may lead to another folder."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def hidden(path: Path, ending: str) -> Path:
    """Return the name next to a file or folder under which giveaway keeps what belongs to it."""
    return path.parent / f".{shortened(path.name)}.giveaway-{ending}"


def shortened(name: str) -> str:
    """Return a name to which something can be added: none may have more than 255 bytes."""
    raw = os.fsencode(name)
    if len(raw) <= _LONGEST:
        return name
    return f"{os.fsdecode(raw[:_LONGEST])}-{hashlib.sha256(raw).hexdigest()[:16]}"


def tokens(folder: Path, before: str, after: str = "") -> Iterator[tuple[Path, str]]:
    """Give what stands in a folder under a temporary name, with the token of that name."""
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 # much quicker in the folder of all temporary files
            middle = name[len(before) : len(name) - len(after)]
            if name == before + middle + after and is_token(middle):
                yield folder / name, middle


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give a folder for temporary files that only its owner can read, gone afterwards."""
    sweep_scratch()
    parent = Path(tempfile.gettempdir())
    while True:
        folder = parent / f"{_SCRATCH}{token()}"
        try:
            with undisturbed():  # else a signal may come between the folder and our knowing of it
                folder.mkdir(mode=0o700)
            with held(folder) as is_ours:
                if is_ours is False:  # somebody took it for a leftover in the moment before it was locked
                    continue
                yield folder
        finally:
            with undisturbed():
                shutil.rmtree(folder, ignore_errors=True)
        return


def sweep_scratch() -> None:
    """Remove the folders that killed runs left among the temporary files."""
    for folder, _ in tokens(Path(tempfile.gettempdir()), _SCRATCH):
        with suppress(OSError):
            if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
                continue
            with held(folder) as is_ours:
                if is_ours:
                    shutil.rmtree(folder, ignore_errors=True)


def sweep_beside(path: Path) -> None:
    """Remove the files that killed runs left next to a file that they were writing."""
    for left, _ in tokens(path.parent, hidden(path, "").name):
        with suppress(OSError), held(left) as is_ours:
            if is_ours:
                left.unlink(missing_ok=True)


@contextmanager
def scratch_file(path: Path, *, mode: int) -> Iterator[Path]:
    """Give a new file next to another, gone afterwards unless it was moved; nobody reads it who could not read that one."""
    sweep_beside(path)
    with suppress(OSError):
        mode &= path.stat().st_mode | 0o600  # its owner is yet to fill it
    while True:
        scratch = hidden(path, token())
        try:
            with undisturbed():
                os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
            with held(scratch) as is_ours:
                if is_ours is False:
                    continue
                yield scratch
        finally:
            with undisturbed(), suppress(OSError):
                scratch.unlink(missing_ok=True)
        return


@contextmanager
def locked(file: Path) -> Iterator[int | None]:
    """Give a file that only one process or thread at a time can have open here, None while another has it.

    It is made where it does not exist, and removed at the end unless it was written to and not emptied again: then
    whoever locks it next can read it.
    """
    handle = None
    try:
        with undisturbed():  # else a signal may come between the file and our knowing of it
            handle = _locked(file)
        yield handle
    finally:
        if handle is not None:
            with undisturbed():
                with suppress(OSError):
                    if os.fstat(handle).st_size == 0:
                        file.unlink(missing_ok=True)
                os.close(handle)


def _locked(file: Path) -> int | None:
    while True:
        _refuse_special(file)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        is_ours = _take(handle)
        if is_ours is not False and _is_at(handle, file):
            return handle
        os.close(handle)
        if is_ours is False:
            return None
        # It was removed by the run that had it, just before we got it.


def _refuse_special(file: Path) -> None:
    """Refuse a pipe or the like where a lock is to be: opening it may wait for ever."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(file.lstat().st_mode):
            raise OSError(errno.EEXIST, f"{file} is not a file", str(file))


@contextmanager
def held(path: Path) -> Iterator[bool | None]:
    """Lock a file or folder that exists; tell whether it is ours now, None where there are no such locks."""
    if not _HAS_LOCKS:
        yield None
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    except OSError:  # it may not be read
        yield None
        return
    try:
        is_ours = _take(handle)
        yield is_ours if _is_at(handle, path) else False
    finally:
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Tell whether an open file or folder still has its name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _take(handle: int) -> bool | None:
    """Lock what is open for as long as it is open; False while others have the lock, None where there are no locks."""
    if not _HAS_LOCKS:
        return None
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some network drives have none
        return None
    return True


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let the signals that stop a program wait until the end of a short piece of work."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is disturbed
        return
    waiting: list[int] = []
    before: dict[int, Any] = {}
    try:
        for name in _STOPPING:
            number = getattr(signal, name, None)
            handler = None if number is None else signal.getsignal(number)
            if number is not None and handler not in (None, signal.SIG_IGN):
                before[number] = handler
                signal.signal(number, lambda number, _frame: waiting.append(number))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting[:1]:
            signal.raise_signal(number)
