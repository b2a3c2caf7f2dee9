"""Small services of the file system."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from giveaway.errors import NotWritten
from giveaway.scratch import scratch_file, undisturbed

OWNERS, EVERYBODYS = 0o600, 0o666
"""Who may read a new file: its owner alone, or whomever the system lets."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A file that is to be written: what it holds, and who may read it."""

    path: Path
    text: str | bytes
    mode: int = OWNERS
    replaces: bool = True
    """Whether a file that stands there may be replaced."""


@contextmanager
def reported(target: Path) -> Iterator[None]:
    """Turn a failure of the file system into one clear error."""
    try:
        yield
    except OSError as error:
        raise NotWritten(f"{target} could not be written: {error.strerror or error}.") from error


def synced(path: Path) -> None:
    """Make sure that a file, or the names in a folder, outlive a failure of the machine."""
    if os.name == "nt" and path.is_dir():  # there, folders cannot be opened
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:  # names can be made in a folder that cannot be read
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def final_place(path: Path) -> Path:
    """Follow links to where a file really is or will be."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links, or a name that no file can have
        raise NotWritten(f"{path} cannot be written: its name leads nowhere.", hint="name another.") from None


def kind(path: Path) -> int | None:
    """Tell what stands at a place, as the system tells kinds of files; None where nothing stands."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise NotWritten(f"{path} cannot be written: {reason}.", hint="name another.") from None


def is_stream(path: Path) -> bool:
    """Tell whether a device or pipe stands at a place: it is written into, and never replaced."""
    return kind(path) in (stat.S_IFCHR, stat.S_IFIFO)


def write_texts(texts: Sequence[Text]) -> None:
    """Write files, each all at once: all of them are on the disk before the first gets its name."""
    files = [text for text in texts if not is_stream(text.path)]
    with ExitStack() as stack:
        staged: list[tuple[Path, Path, bool]] = []
        for file in files:
            final = final_place(file.path)
            with reported(file.path):
                scratch = stack.enter_context(scratch_file(final, mode=file.mode))
                fill(scratch, file.text)
            staged.append((scratch, final, file.replaces))
        with undisturbed():
            for scratch, final, replaces in staged:
                with reported(final):
                    give_name(scratch, final, replaces=replaces)
    for text in texts:
        if text not in files:
            write_into(text.path, text.text)


def make(path: Path, mode: int) -> None:
    """Make a file that is not there yet."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))


def fill(path: Path, text: str | bytes) -> None:
    """Write a file that was made for it, down to the disk."""
    with path.open("wb") as file:
        file.write(_encoded(text))
        file.flush()
        os.fsync(file.fileno())


def give_name(scratch: Path, final: Path, *, replaces: bool) -> None:
    """Give a finished file its name; one that has come there meanwhile stays, unless it may be replaced."""
    if replaces:
        scratch.replace(final)
    else:
        try:
            final.hardlink_to(scratch)
            scratch.unlink()
        except FileExistsError:
            raise already(final) from None
        except OSError:  # there are drives without links
            if final.exists():
                raise already(final) from None
            scratch.rename(final)
    given_name(final)


def already(path: Path) -> NotWritten:
    """Make the error for a file that stands where a new one is to be."""
    return NotWritten(
        f"{path} exists and was left alone.", hint="name another file, or --force to replace it."
    )


def _encoded(text: str | bytes) -> bytes:
    """Encode a text; names of files may hold bytes that are not text, and are written as JSON writes them."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")


def write_into(path: Path, text: str | bytes) -> None:
    """Write into a device or pipe that somebody reads."""
    with reported(path):
        handle = os.open(
            path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)
        )  # else it waits for a reader forever
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        with suppress(BrokenPipeError), os.fdopen(handle, "wb") as file:
            file.write(_encoded(text))


def identity(path: Path) -> tuple[int, int] | None:
    """Tell which file or folder stands at a place, by device and number; None where nothing stands."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


_NAMED: set[tuple[int, int]] = set()


def given_name(path: Path) -> None:
    """Note that this process gave a file or folder the name that it has now."""
    known = identity(path)
    if known is not None:
        _NAMED.add(known)


def taken_back(path: Path) -> None:
    """Forget that this process gave a file or folder its name."""
    _NAMED.discard(identity(path) or (0, 0))


def is_named_here(path: Path) -> bool:
    """Tell whether this process gave a file or folder its name: what stands there may also be of another run."""
    return identity(path) in _NAMED
