"""Names of files as people write them, which may be names that no file can have."""

import os
import stat
from pathlib import Path

_SHOWN = 200
_SPECIAL = {
    stat.S_IFIFO: "a FIFO (a pipe with a name)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


_READ: set[str | tuple[int, int]] = set()
"""Files that this program has read: their real names, and what the system knows them by."""


def note_read(path: Path) -> None:
    """Remember that a file was read, so that nothing is written over it."""
    _READ.update(_names(path))


def was_read(path: Path) -> bool:
    """Tell whether this program has read a file, under whatever name."""
    return not _READ.isdisjoint(_names(path))


def _names(path: Path) -> set[str | tuple[int, int]]:
    names: set[str | tuple[int, int]] = {os.path.realpath(path)}
    try:
        status = path.stat()
    except (OSError, ValueError):
        return names
    return {*names, (status.st_dev, status.st_ino)}


def exists(path: Path) -> bool:
    r"""Tell whether something stands at a path; a name that is too long or holds a NUL byte names nothing.

    >>> exists(Path("a" * 5000)), exists(Path("a\0b")), exists(Path("."))
    (False, False, True)
    """
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def unusable(path: Path) -> str | None:
    """Say in a few words why nothing can stand at a path, or cannot be looked at there; None when all is well."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    except ValueError:
        return "a name cannot hold a NUL byte"
    return None


def special(path: Path) -> str | None:
    """Say what a path is that is neither a file nor a folder, without opening it: reading may wait for ever."""
    try:
        return _SPECIAL.get(stat.S_IFMT(path.stat().st_mode))
    except (OSError, ValueError):
        return None


def shown(path: str | Path) -> str:
    """Return a path for a message, cut where it is very long."""
    text = str(path)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
